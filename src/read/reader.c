#include "read/reader.h"

#include "bytes/scan.h"
#include "foreign_format_p.h"
#include "shape_p.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define READER(id) extern const struct cr_reader cr_reader_##id;
#include "readers.def"
#undef READER

static const struct cr_reader *const readers[] = {
#define READER(id) &cr_reader_##id,
#include "readers.def"
#undef READER
};

const struct cr_reader *
cr_reader_at(size_t i)
{
	return i < CR_LEN(readers) ? readers[i] : NULL;
}

const struct cr_reader *
cr_reader_find(const char *name)
{
	for (size_t i = 0; i < CR_LEN(readers); i++)
		if (strcmp(readers[i]->name, name) == 0)
			return readers[i];
	return NULL;
}

/* Skip blanks, within the head. */
static const unsigned char *
skip_blanks(const unsigned char *p, const unsigned char *end)
{
	while (p < end && memchr(" \t\r\n", *p, 4))
		p++;
	return p;
}

static bool
ends_line(const unsigned char *p, const unsigned char *end)
{
	return p == end || *p == '\r' || *p == '\n';
}

/* A number inside an array; "[12.345678] eth0: up" and "[12 tid=3];f 1" are none. */
static bool
is_json_number(const unsigned char *p, const unsigned char *end)
{
	const unsigned char *start = p;

	while (p < end && memchr("0123456789+-.eE", *p, 15))
		p++;
	if (p == start)
		return false;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return ends_line(p, end) || *p == ',' ||
	       (*p == ']' && (ends_line(p + 1, end) || p[1] == ','));
}

/* "{main};f 1" and "[main tid=12];f 1" are folded stacks: what follows the bracket decides. */
static bool
is_json(const unsigned char *p, const unsigned char *end)
{
	const unsigned char open = *p++;

	if (open != '{' && open != '[')
		return false;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (ends_line(p, end))
		return true;
	if (open == '{')
		return *p == '"' || *p == '}';
	return *p == '{' || *p == '[' || *p == '"' || *p == ']' || is_json_number(p, end);
}

/* "<main>;f 1" is a folded stack: the first byte alone does not decide. */
static bool
is_markup(const unsigned char *p, const unsigned char *end)
{
	static const char *const starts[] = {
		"<?xml", "<!DOCTYPE", "<svg", "<html", "<trace-query-result"};

	for (size_t i = 0; i < CR_LEN(starts); i++) {
		const size_t n = strlen(starts[i]);

		if ((size_t)(end - p) >= n && strncasecmp((const char *)p, starts[i], n) == 0)
			return true;
	}
	return false;
}

static enum cr_head_kind
kind_of(const struct cr_head *h)
{
	const unsigned char *end = h->p + h->len;
	const unsigned char *p = skip_blanks(
		h->p + (h->len >= 3 && memcmp(h->p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0), end);

	if (memchr(h->p, 0, CR_MIN(h->len, (size_t)4096)))
		return CR_HEAD_BINARY;
	if (h->len >= 2 && memcmp(h->p, "#!", 2) == 0)
		return CR_HEAD_SCRIPT;
	if (p < end && is_json(p, end))
		return CR_HEAD_JSON;
	return p < end && is_markup(p, end) ? CR_HEAD_MARKUP : CR_HEAD_TEXT;
}

static struct cr_head
head_of(const struct cr_input *in)
{
	struct cr_head h = {.p = in->p,
		.len = CR_MIN(in->len, (size_t)CR_PROBE_BYTES),
		.whole = in->len <= CR_PROBE_BYTES};
	size_t cut = h.len;

	h.kind = kind_of(&h);
	h.binary = h.kind == CR_HEAD_BINARY;
	while (!h.whole && !h.binary && cut && h.p[cut - 1] != '\n')
		cut--;
	if (cut)
		h.len = cut;
	return h;
}

static unsigned
bid_of(const struct cr_reader *r, const struct cr_head *head, uint64_t *line)
{
	*line = 0;
	if (!((r->heads ? r->heads : CR_HEAD_TEXT) & head->kind))
		return 0;
	return r->probe(head, line);
}

/* True for a text with only blank lines and comments. */
static bool
is_bare(const struct cr_head *head)
{
	struct cr_scan scan;
	struct cr_str line;

	if (!head->whole || head->kind != CR_HEAD_TEXT)
		return false;
	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &line)) {
		line = cr_scan_trim(line);
		if (line.len && (line.p[0] != '#' || (line.len > 1 && line.p[1] != ' ')))
			return false;
	}
	return true;
}

/* Fail, because no reader accepts it. */
static int
refuse(const struct cr_head *head, struct cr_err *err)
{
	bool is_profile = false;
	const char *what = cr_foreign_format_name(head, &is_profile);

	if (what)
		return cr_fail(
			err, is_profile ? CR_EUNSUPPORTED : CR_EFORMAT, CR_NO_OFFSET, "%s", what);
	if (is_bare(head))
		return cr_fail(
			err, CR_EEMPTY, CR_NO_OFFSET, "is empty, except for blanks and comments");
	return cr_fail(err, CR_EUNKNOWN, CR_NO_OFFSET,
		"unknown format: no line is typical of one, and the lines do not look like stacks "
		"with counts");
}

/* Fail, because several readers have the same evidence. */
static int
refuse_tie(const unsigned *bids, unsigned most, struct cr_err *err)
{
	char names[128] = "";
	size_t len = 0;

	for (size_t i = 0; i < CR_LEN(readers) && len < sizeof(names); i++)
		if (bids[i] == most)
			len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s",
				len ? " or " : "", readers[i]->name);
	return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
		"could be %s; name the format with --input-format", names);
}

int
cr_reader_detect(
	const struct cr_input *in, const struct cr_reader **out, uint64_t *line, struct cr_err *err)
{
	struct cr_head head = head_of(in);
	unsigned bids[CR_LEN(readers)], most = 0, n_most = 0;
	uint64_t lines[CR_LEN(readers)];
	struct cr_shape shape;
	bool is_profile;
	size_t best = 0;

	*out = NULL;
	*line = 0;
	if (in->len == 0)
		return cr_fail(err, CR_EEMPTY, CR_NO_OFFSET, "is empty");
	if (head.kind == CR_HEAD_TEXT) {
		shape = cr_shape_of(&head);
		head.shape = &shape;
	}
	for (size_t i = 0; i < CR_LEN(readers); i++) {
		bids[i] = bid_of(readers[i], &head, &lines[i]);
		if (bids[i] > most) {
			most = bids[i];
			n_most = 0;
			best = i;
		}
		n_most += bids[i] == most;
	}
	/*
	 * The shape of most lines does not outweigh a line that names a format, even one that is
	 * not supported.
	 */
	if (most == 0 || (most <= CR_EVIDENCE_SHAPE && cr_foreign_format_name(&head, &is_profile) &&
				 is_profile))
		return refuse(&head, err);
	if (n_most > 1)
		return refuse_tie(bids, most, err);
	*out = readers[best];
	*line = lines[best];
	return CR_OK;
}
