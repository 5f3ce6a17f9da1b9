#include "job_p.h"
#include "option_words_p.h"
#include "reply_p.h"
#include "terminal_p.h"

#include "base/utf8.h"
#include "session/stored_list.h"
#include "store/catalog.h"
#include "view/style/ink_codes.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

int cr_cmd_ls(const struct cr_options *o);

/* ---- selection */

static bool
name_fits(const void *options, const char *name)
{
	const struct cr_options *o = options;

	for (int i = 0; i < o->n_args; i++)
		if (fnmatch(o->args[i], name, 0) == 0 || strcmp(o->args[i], name) == 0)
			return true;
	return o->n_args == 0;
}

/* A damaged one is always listed, since it may be the one wanted. */
static bool
row_fits(const struct cr_options *o, const struct cr_stored *r)
{
	if (!r->p)
		return true;
	return (!o->list.host || cr_str_eq(r->host, cr_str_of(o->list.host))) &&
	       (!o->list.tag || cr_stored_has_tag(r->p, o->list.tag));
}

/* Only those that were asked for stay in the list. */
static void
sift(const struct cr_options *o, struct cr_stored_list *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->rows.n; i++)
		if (row_fits(o, &l->rows.p[i]))
			l->rows.p[n++] = l->rows.p[i];
		else
			cr_profile_free(l->rows.p[i].p);
	l->rows.n = n;
}

static int
sort(const struct cr_options *o, struct cr_stored_list *l)
{
	const char *key = o->list.sort ? o->list.sort : "name";
	cr_option_words words = {0};
	struct cr_text t = {0};

	if (cr_stored_list_sort(l, key, o->list.reverse))
		return EXIT_DONE;
	cr_text_puts(&t, "unknown sort key; the keys are name, date, host, event, samples, "
			 "duration, size, command");
	cr_option_words_by(cr_stored_sort_word, &words);
	cr_option_words_meant(&words, key, &t);
	cr_options_complain(key, t.p);
	cr_option_words_fini(&words);
	cr_text_fini(&t);
	return EXIT_USAGE;
}

/* ---- text */

enum column {
	COL_NAME,
	COL_DATE,
	COL_HOST,
	COL_EVENT,
	COL_SAMPLES,
	COL_DURATION,
	COL_SIZE,
	COL_TAGS,
	COL_COMMAND,
	COLUMNS
};

static const char *const heads[COLUMNS] = {
	"NAME",
	"DATE",
	"HOST",
	"EVENT",
	"SAMPLES",
	"DURATION",
	"SIZE",
	"TAGS",
	"COMMAND",
};

struct line {
	struct cr_text cell[COLUMNS];
	enum cr_ink ink;
};

static void
line_fill(struct line *l, const struct cr_stored *r)
{
	l->ink = r->p ? CR_INK_PLAIN : CR_INK_HOT;
	cr_text_safe(&l->cell[COL_NAME], cr_str_of(r->entry->name));
	cr_text_bytes(&l->cell[COL_SIZE], r->entry->size_bytes);
	if (!r->p) {
		cr_text_puts(&l->cell[COL_EVENT], r->err.code == CR_EIO ? "unreadable" : "damaged");
		return;
	}
	cr_text_safe(&l->cell[COL_DATE], (struct cr_str){r->date.p, CR_MIN(r->date.len, 16u)});
	cr_text_safe(&l->cell[COL_HOST], r->host);
	cr_text_safe(&l->cell[COL_EVENT], r->event);
	cr_text_u64(&l->cell[COL_SAMPLES], r->samples);
	if (r->has_duration)
		cr_text_duration(&l->cell[COL_DURATION], r->duration_ns);
	cr_stored_put_tags(r->p, &l->cell[COL_TAGS]);
	cr_text_safe(&l->cell[COL_COMMAND], r->command);
}

static void
line_print(const struct line *l, const uint32_t *width, bool inks)
{
	struct cr_text t = {0};

	for (int c = 0; c < COLUMNS; c++) {
		const struct cr_str s = cr_text_view(&l->cell[c]);
		const bool right = c == COL_SAMPLES || c == COL_SIZE || c == COL_DURATION;
		const size_t pad = width[c] - cr_utf8_cells(s);

		if (!width[c])
			continue;
		if (t.len)
			cr_text_puts(&t, "  ");
		if (right)
			cr_text_pad(&t, ' ', pad);
		cr_ink_codes_put(&t, inks ? l->ink : CR_INK_PLAIN, s);
		if (!right && c < COLUMNS - 1)
			cr_text_pad(&t, ' ', pad);
	}
	printf("%s\n", t.p);
	cr_text_fini(&t);
}

static void
print(const struct cr_options *o, const struct cr_stored_list *l)
{
	const bool inks = cr_stdout_colors(o);
	struct line *lines = cr_alloc(l->rows.n + 1, sizeof(*lines));
	uint32_t width[COLUMNS] = {0};
	bool tags = false;

	for (size_t i = 0; i < l->rows.n; i++) {
		line_fill(&lines[i + 1], &l->rows.p[i]);
		tags |= lines[i + 1].cell[COL_TAGS].len > 0;
	}
	lines[0].ink = CR_INK_HEADING;
	for (int c = 0; c < COLUMNS; c++)
		if (c != COL_TAGS || tags)
			cr_text_puts(&lines[0].cell[c], heads[c]);
	for (size_t i = 0; i <= l->rows.n; i++)
		for (int c = 0; c < COLUMNS; c++)
			width[c] = CR_MAX(width[c], cr_utf8_cells(cr_text_view(&lines[i].cell[c])));
	for (size_t i = 0; i <= l->rows.n; i++) {
		line_print(&lines[i], width, inks);
		for (int c = 0; c < COLUMNS; c++)
			cr_text_fini(&lines[i].cell[c]);
	}
	free(lines);
}

/* Print the names as they are, for another program. */
static void
print_names(const struct cr_stored_list *l, char end)
{
	for (size_t i = 0; i < l->rows.n; i++) {
		fputs(l->rows.p[i].entry->name, stdout);
		putchar(end);
	}
}

/* ---- CSV and JSON */

#define JSON_MEMBER "\t\t" /* each on a line of its own */

static void
json_text(struct cr_json_out *j, const char *key, struct cr_str value)
{
	cr_json_out_line(j, JSON_MEMBER);
	cr_json_out_text_of(j, key, value);
}

static void
json_number(struct cr_json_out *j, const char *key, uint64_t value)
{
	cr_json_out_line(j, JSON_MEMBER);
	cr_json_out_u64_of(j, key, value);
}

static void
json_stored(struct cr_json_out *j, const struct cr_stored *r)
{
	json_text(j, "date", r->date);
	json_text(j, "host", r->host);
	json_text(j, "command", r->command);
	json_text(j, "event", r->event);
	json_number(j, "samples", r->samples);
	if (r->has_duration)
		json_number(j, "duration_ns", r->duration_ns);
	cr_json_out_line(j, JSON_MEMBER);
	cr_reply_tags(j, r->p);
	if (r->note.len)
		json_text(j, "note", r->note);
}

static void
json_row(struct cr_json_out *j, const struct cr_stored *r)
{
	cr_json_out_line(j, "\t");
	cr_json_out_open(j, '{');
	json_text(j, "name", cr_str_of(r->entry->name));
	json_text(j, "path", cr_str_of(r->entry->path));
	json_number(j, "size", r->entry->size_bytes);
	if (r->p)
		json_stored(j, r);
	else
		json_text(j, "damaged", cr_str_of(r->err.text));
	cr_json_out_line(j, "\t");
	cr_json_out_close(j);
}

static void
print_json(const struct cr_options *o, const struct cr_stored_list *l)
{
	struct cr_reply r;

	cr_reply_begin(&r, o, CR_REPLY_NONE);
	cr_json_out_open(&r.json, '[');
	for (size_t i = 0; i < l->rows.n; i++)
		json_row(&r.json, &l->rows.p[i]);
	cr_json_out_line(&r.json, "");
	cr_json_out_close(&r.json);
	cr_reply_end(&r);
}

/* ---- */

static int
show(const struct cr_options *o, const char *dir, const struct cr_stored_list *l)
{
	int code = EXIT_DONE;

	if (o->json)
		print_json(o, l);
	else if (o->list.names || o->list.null)
		print_names(l, o->list.null ? '\0' : '\n');
	else if (l->rows.n)
		print(o, l);
	else if (!l->catalog.n)
		cr_options_complain(dir, "no profiles yet (see cresset help ingest)");
	else
		cr_options_complain(dir, "no stored profile matches");
	for (size_t i = 0; i < l->rows.n; i++)
		if (!l->rows.p[i].p)
			code = cr_job_fail(l->rows.p[i].entry->name, &l->rows.p[i].err);
	return l->catalog.n && !l->rows.n ? EXIT_NOTHING : code;
}

int
cr_cmd_ls(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_stored_list l;
	char *dir;
	int code;

	if (cr_catalog_dir(o->load.store_dir, &dir, &err) < 0)
		return cr_job_fail(NULL, &err);
	if (cr_stored_list_make(dir, name_fits, o, &l, &err) < 0) {
		code = cr_job_fail(dir, &err);
		free(dir);
		return code;
	}
	sift(o, &l);
	code = sort(o, &l);
	if (code == EXIT_DONE)
		code = show(o, dir, &l);
	cr_stored_list_fini(&l);
	free(dir);
	return code;
}
