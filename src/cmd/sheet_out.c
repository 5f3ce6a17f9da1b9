#include "sheet_out_p.h"

#include "job_p.h"

#include "store/store.h"
#include "view/style/label.h"
#include "write/write_sheet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int
cr_sheets_check(const struct cr_options *o)
{
	if (o->names == NAMES_SHORT &&
		(o->csv || o->json || o->table.markdown || o->table.separator)) {
		cr_options_complain("--short-names", "is only for tables with padded columns");
		return EXIT_USAGE;
	}
	if (o->csv + o->json + o->table.markdown + o->quickfix + (o->table.separator != NULL) <= 1)
		return EXIT_DONE;
	cr_options_complain(o->cmd->name,
		o->quickfix ? "use only one of --csv, --json, --markdown, --field-separator and "
			      "--quickfix"
			    : "use only one of --csv, --json, --markdown and --field-separator");
	return EXIT_USAGE;
}

int
cr_sheets_run(const struct cr_options *o, unsigned parts,
	int (*print)(const struct cr_options *o, struct cr_profile *p))
{
	struct cr_profile *p;
	int code = cr_job_load(o, o->args[0], parts, &p);

	if (code != EXIT_DONE)
		return code;
	code = cr_job_end(o, p, print(o, p));
	cr_profile_free(p);
	return code;
}

int
cr_sheets_fetch(
	const struct cr_options *o, struct cr_profile *p, unsigned parts, struct cr_err *err)
{
	struct cr_log log = {0};
	const int rc = cr_store_fetch(p, cr_job_parts(o) | parts, &log, err);

	cr_job_warn(o, o->args[0], &log);
	return rc;
}

uint32_t
cr_sheets_limit(const struct cr_options *o)
{
	return o->has_limit || isatty(STDOUT_FILENO) ? o->limit : 0;
}

/* ---- JSON */

static void
json_begin(struct cr_sheets *s)
{
	struct cr_json_out *j = &s->reply.json;

	cr_reply_begin(&s->reply, s->o, CR_REPLY_ONE);
	cr_json_out_open(j, '{');
	cr_reply_missing(&s->reply, s->p);
	cr_json_out_line(j, "");
	cr_json_out_key(j, "tables");
	cr_json_out_open(j, '[');
}

static void
json_event(struct cr_json_out *j, const struct cr_tree *t, const struct cr_nameless *nameless)
{
	cr_json_out_text_of(j, "event", t->event);
	cr_json_out_text_of(j, "unit", t->unit);
	cr_json_out_u64_of(j, "samples", t->total_samples[0][0]);
	cr_json_out_u64_of(j, "weight", t->total[0][0]);
	cr_json_out_u64_of(j, "selected", nameless->selected);
	cr_json_out_u64_of(j, "nameless", nameless->weight);
}

static void
json_rows(struct cr_json_out *j, const struct cr_sheet *sheet, uint32_t left_out)
{
	cr_json_out_u64_of(j, "left_out", left_out);
	cr_json_out_line(j, "");
	cr_json_out_key(j, "rows");
	cr_write_sheet_json(sheet, j, stdout);
	cr_json_out_close(j);
}

static void
json_put(struct cr_sheets *s, const struct cr_tree *t, const struct cr_nameless *nameless,
	const char *of, const struct cr_sheet *sheet, uint32_t left_out)
{
	struct cr_json_out *j = &s->reply.json;

	cr_json_out_line(j, "");
	cr_json_out_open(j, '{');
	if (of)
		cr_json_out_text_of(j, "of", cr_str_of(of));
	json_event(j, t, nameless);
	json_rows(j, sheet, left_out);
}

static void
json_put_events(struct cr_sheets *s, const struct cr_sheets_event *events, uint32_t n,
	const struct cr_sheet *sheet, uint32_t left_out)
{
	struct cr_json_out *j = &s->reply.json;

	cr_json_out_line(j, "");
	cr_json_out_open(j, '{');
	cr_json_out_key(j, "events");
	cr_json_out_open(j, '[');
	for (uint32_t i = 0; i < n; i++) {
		cr_json_out_open(j, '{');
		json_event(j, events[i].t, &events[i].nameless);
		cr_json_out_close(j);
	}
	cr_json_out_close(j);
	json_rows(j, sheet, left_out);
}

static void
json_end(struct cr_sheets *s)
{
	cr_json_out_close(&s->reply.json);
	cr_json_out_close(&s->reply.json);
	cr_reply_end(&s->reply);
}

/* ---- text */

/* "690500000 ns (690.5 ms), 97.61 % without a name" */
static void
put_weight(const struct cr_tree *t, const struct cr_nameless *nameless, struct cr_text *line)
{
	cr_text_weight(line, t->total[0][0], t->unit);
	if (t->unit.len) {
		cr_text_char(line, ' ');
		cr_text_safe(line,
			cr_str_eq(t->unit, CR_STR("millionths")) ? CR_STR("weight") : t->unit);
	}
	if (cr_text_measure_scales(t->unit) && t->total[0][0] >= 1000) {
		cr_text_puts(line, " (");
		cr_text_measure(line, t->total[0][0], t->unit);
		cr_text_char(line, ')');
	}
	if (nameless->weight) {
		cr_text_puts(line, ", ");
		cr_text_share(line, nameless->weight, nameless->selected);
		cr_text_puts(line, " without a name");
	}
	cr_text_char(line, '\n');
}

/* What follows the totals: missing data, the query, a note. */
static void
text_rest(const struct cr_sheets *s)
{
	struct cr_text line = {0};

	if (!s->n) /* it concerns the recording, not an event */
		cr_job_quality(s->p, "# missing: ", 3, stdout);
	cr_query_print(&s->o->query, &line);
	if (line.len)
		printf("# query: %s\n", line.p);
	if (s->note)
		printf("# %s\n", s->note);
	puts("#");
	cr_text_fini(&line);
}

/* Print samples, weight and names; missing data; the query. */
static void
text_head(const struct cr_sheets *s, const struct cr_tree *t, const struct cr_nameless *nameless,
	const char *of)
{
	struct cr_text line = {0};

	if (s->n && !s->o->table.markdown)
		cr_text_puts(&line, "\n");
	if (of) {
		cr_text_puts(&line, "# ");
		cr_text_safe(&line, cr_str_of(of));
		cr_text_char(&line, '\n');
	}
	cr_text_printf(&line, "# %s: %" PRIu64 " of event '",
		cr_rows_are_stacks(s->p, t->unit) ? "Stacks" : "Samples", t->total_samples[0][0]);
	cr_text_safe(&line, t->event);
	cr_text_puts(&line, "'\n# Event count (approx.): ");
	put_weight(t, nameless, &line);
	fputs(line.p, stdout);
	cr_text_fini(&line);
	if (!s->note && cr_label_is_count(t->event))
		puts("# these are counts, not time");
	text_rest(s);
}

/* The same for several events, with the numbers that the headings of their columns have. */
static void
text_head_events(const struct cr_sheets *s, const struct cr_sheets_event *events, uint32_t n)
{
	struct cr_text line = {0};

	cr_text_puts(&line, "# The numbers in the headings are those of the events:\n");
	for (uint32_t i = 0; i < n; i++) {
		const struct cr_tree *t = events[i].t;

		cr_text_printf(&line, "# %3" PRIu32 "  ", i);
		cr_text_safe(&line, t->event);
		cr_text_printf(&line, ": %" PRIu64 " %s%s, ", t->total_samples[0][0],
			cr_rows_are_stacks(s->p, t->unit) ? "stack" : "sample",
			t->total_samples[0][0] == 1 ? "" : "s");
		put_weight(t, &events[i].nameless, &line);
	}
	fputs(line.p, stdout);
	cr_text_fini(&line);
	text_rest(s);
}

static void
put_left_out(const char *lead, uint32_t left_out)
{
	if (left_out)
		printf("%s%" PRIu32 " more, --limit 0 shows all\n", lead, left_out);
}

struct cr_nameless
cr_nameless_of(const struct cr_tree *t)
{
	return (struct cr_nameless){cr_tree_unresolved(t, 0), t->total[0][0]};
}

void
cr_sheets_begin(struct cr_sheets *s, const struct cr_options *o, const struct cr_profile *p)
{
	*s = (struct cr_sheets){.o = o, .p = p};
}

/* Print a table of n events in the form that the options select. */
static void
put_sheet(struct cr_sheets *s, const struct cr_sheets_event *events, uint32_t n, const char *of,
	const struct cr_sheet *sheet, uint32_t left_out)
{
	const bool markdown = s->o->table.markdown;

	if (s->o->json) {
		if (!s->n)
			json_begin(s);
		if (n == 1)
			json_put(s, events->t, &events->nameless, of, sheet, left_out);
		else
			json_put_events(s, events, n, sheet, left_out);
		return;
	}
	if (s->o->csv) {
		if (!s->n)
			cr_write_sheet_csv_head(sheet, stdout);
		cr_write_sheet_csv(sheet, stdout);
		return;
	}
	if (markdown) /* the lines above a table are no Markdown */
		puts(s->n ? "\n```" : "```");
	if (n == 1)
		text_head(s, events->t, &events->nameless, of);
	else
		text_head_events(s, events, n);
	if (markdown) {
		puts("```\n");
		cr_write_sheet_markdown(sheet, stdout);
	} else {
		cr_write_sheet_text(sheet, stdout);
	}
	put_left_out(markdown ? "\n" : "# ", left_out);
}

void
cr_sheets_put(struct cr_sheets *s, const struct cr_tree *t, const struct cr_nameless *nameless,
	const char *of, const struct cr_sheet *sheet, uint32_t left_out)
{
	const struct cr_sheets_event event = {t, *nameless};

	put_sheet(s, &event, 1, of, sheet, left_out);
	s->n++;
}

void
cr_sheets_put_events(struct cr_sheets *s, const struct cr_sheets_event *events, uint32_t n,
	const struct cr_sheet *sheet, uint32_t left_out)
{
	put_sheet(s, events, n, NULL, sheet, left_out);
	s->n++;
}

void
cr_sheets_end(struct cr_sheets *s)
{
	if (s->o->json && s->n)
		json_end(s);
}

void
cr_sheets_put_lines(const struct cr_sheet_lines *l, uint32_t cells, uint32_t limit)
{
	const uint32_t rows = l->sheet->n_rows, n = limit && limit < rows ? limit : rows;
	struct cr_text line = {0};

	cr_sheet_lines_head(l, cells, &line);
	printf("%s\n", line.p ? line.p : "");
	for (uint32_t i = 0; i < n; i++) {
		cr_text_clear(&line);
		cr_sheet_lines_row(l, i, cells, &line);
		printf("%s\n", line.p ? line.p : "");
	}
	put_left_out("# ", rows - n);
	cr_text_fini(&line);
}
