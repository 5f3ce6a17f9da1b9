#include "stap_survey_p.h"

#include "bytes/scan.h"
#include "read/shape_p.h"
#include "stap_frame_p.h"
#include "stap_line_p.h"

#include <string.h>

#define FEW_LINES 200u /* maximum of a histogram; longer texts quote it */

/* Messages of the tools may name the unit of the counts. */
static const char *
unit_said(struct cr_str noise)
{
	static const struct {
		const char *word, *unit;
	} words[] = {{"microsecond", "us"}, {"(in us)", "us"}, {"off-CPU", "us"},
		{"millisecond", "ms"}, {" bytes", "bytes"}};

	for (size_t i = 0; i < CR_LEN(words); i++)
		if (memmem(noise.p, noise.len, words[i].word, strlen(words[i].word)))
			return words[i].unit;
	return NULL;
}

void
cr_stap_survey(const struct cr_input *in, size_t from, struct stap *text, struct cr_builder *b)
{
	struct cr_scan scan = {.p = (const char *)in->p + from,
		.start = (const char *)in->p,
		.end = (const char *)in->p + in->len};
	struct stap_count count;
	struct stap_frame f;
	struct cr_str line;

	text->all_32 = true;
	while (cr_scan_line(&scan, &line) &&
		(!text->counts || cr_scan_at(&scan) <= CR_PROBE_BYTES)) {
		const enum stap_line kind = cr_stap_line_kind(line, &count);

		text->counts |= kind == STAP_LINE_COUNT || kind == STAP_LINE_CUT_COUNT;
		if (cr_scan_at(&scan) > CR_PROBE_BYTES)
			continue;
		if (kind == STAP_LINE_NOISE && unit_said(line))
			cr_builder_fact(b, "counts may be", cr_str_of(unit_said(line)));
		text->histogram |= kind == STAP_LINE_NOISE && cr_stap_line_is_histogram(line);
		if (kind != STAP_LINE_FRAME)
			continue;
		cr_stap_frame_parse(line, &f);
		text->all_32 = text->all_32 && f.addr <= UINT32_MAX;
	}
}

unsigned
cr_stap_probe(const struct cr_head *head, uint64_t *line)
{
	uint64_t lines = 0, first = 0;
	struct cr_scan scan;
	struct cr_str text;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &text)) {
		lines += cr_scan_trim(text).len > 0;
		if (!first && cr_stap_line_is_histogram(text))
			first = scan.line;
	}
	if (!first || lines >= FEW_LINES)
		return cr_shape_bid(head, CR_VOTE_STAP, line);
	*line = first;
	return CR_EVIDENCE_SIGNATURE;
}
