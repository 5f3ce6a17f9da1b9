#include "difference_p.h"

#include "job_p.h"
#include "reply_p.h"
#include "sheet_out_p.h"
#include "terminal_p.h"

#include "base/utf8.h"
#include "view/sheet/function_sheet.h"
#include "view/sheet/verdict_sheet.h"
#include "write/write_sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void
cr_difference_amounts(
	const struct cr_options *o, const struct cr_tree *t, const struct cr_judged *judged)
{
	static const struct cr_judged shares = {.amount = 1};
	struct cr_text line = {0};

	cr_query_print(&o->query, &line);
	if (line.len)
		printf("# query: %s\n", line.p);
	cr_text_clear(&line);
	cr_verdict_amounts(judged ? judged : &shares, t,
		cr_query_has(&o->query, CR_WORD_SELECTS | CR_WORD_TRANSFORMS), &line);
	printf("# %s\n", line.p);
	cr_text_fini(&line);
}

void
cr_difference_lines(const char *lines, void (*put)(struct cr_str line, void *user), void *user)
{
	for (const char *at = lines; at && *at;) {
		const size_t n = strcspn(at, "\n");

		put((struct cr_str){at, (uint32_t)n}, user);
		at += n + (at[n] == '\n');
	}
}

/* The heading of the names. */
static const char *
head_of(const struct cr_options *o)
{
	const enum cr_granularity granularity = cr_query_opts(&o->query).granularity;

	if (o->key == CR_TABLE_GROUP)
		return "COMM";
	if (o->key == CR_TABLE_DSO_PATH || granularity == CR_GRANULARITY_DSO)
		return "DSO";
	return granularity == CR_GRANULARITY_FILE ? "FILE" : "FUNCTION";
}

/* Sorted by the size of the change. */
void
cr_difference_table(const struct cr_options *o, const struct cr_tree *t)
{
	struct cr_function_sheet s;
	struct cr_table table;

	cr_table_make(NULL, t, 0, cr_table_by(o->key), &table);
	cr_function_sheet_init(t, &table, head_of(o), &s);
	s.sheet.ascii = !cr_utf8_locale();
	s.sheet.inks = cr_stdout_colors(o);
	cr_function_sheet_sort(&s, o->has_order ? o->order : CR_SORT_DELTA_SELF, false);
	cr_sheets_put_lines(&s.lines, cr_stdout_name_cells(o), o->limit);
	cr_function_sheet_fini(&s);
	cr_table_fini(&table);
}

/* ---- with verdicts */

/* user: what is printed before the line. */
static void
print_line(struct cr_str line, void *user)
{
	printf("# %s%.*s\n", (const char *)user, (int)line.len, line.p);
}

static void
json_side(struct cr_json_out *j, const char *key, const char *name, const struct cr_judged *judged,
	const struct cr_table *table, int side)
{
	cr_json_out_key(j, key);
	cr_json_out_open(j, '{');
	cr_json_out_text_of(j, "profile", cr_str_of(name));
	cr_json_out_u64_of(j, "recordings", judged->recordings[side]);
	cr_json_out_key(j, "n");
	cr_json_out_number(j, judged->samples[side]);
	cr_json_out_u64_of(j, "samples", table->whole_samples[side]);
	cr_json_out_u64_of(j, "weight", table->whole[side]);
	cr_json_out_close(j);
	cr_json_out_line(j, "");
}

/* Of data that have no place for it, warn on standard error and in the reply. */
static void
warn_of_lacks(const struct cr_options *o, unsigned lacks)
{
	static const struct {
		unsigned lack;
		const char *text;
	} warnings[] = {
		{CR_LACK_COUNTS, "weights without a number of samples: nothing is tested"},
		{CR_LACK_TIMES, "recorded without times: phases cannot be seen"},
		{CR_LACK_SAMPLES, "fewer than 500 samples on a side"},
	};

	for (size_t i = 0; i < CR_LEN(warnings); i++)
		if (lacks & warnings[i].lack)
			cr_job_warn_of(o, "diff", warnings[i].text);
}

static void
json_real(struct cr_json_out *j, const char *key, double v)
{
	cr_json_out_key(j, key);
	if (isnan(v))
		cr_json_out_null(j);
	else
		cr_json_out_number(j, v);
}

static void
print_json(const struct cr_options *o, const struct cr_difference_in *in,
	const struct cr_judged *judged, const struct cr_verdict_sheet *s)
{
	const struct cr_verdict_summary *sum = o->totals ? &judged->of_total : &judged->of_self;
	struct cr_reply r;
	struct cr_json_out *j = &r.json;

	warn_of_lacks(o, judged->lacks);
	cr_reply_begin(&r, o, CR_REPLY_ALL);
	cr_json_out_open(j, '{');
	cr_json_out_text_of(j, "event", in->both->event);
	cr_json_out_text_of(j, "unit", in->both->unit);
	cr_json_out_text_of(j, "norm", cr_str_of(cr_norm_name(&judged->norm)));
	cr_json_out_text_of(j, "cost", cr_str_of(o->totals ? "total" : "self"));
	cr_json_out_line(j, "");
	json_side(j, "before", in->names[0], judged, s->table, 0);
	json_side(j, "after", in->names[1], judged, s->table, 1);
	cr_json_out_u64_of(j, "tested", sum->tested);
	cr_json_out_u64_of(j, "called", sum->called);
	json_real(j, "noise", sum->noise);
	json_real(j, "noise_seen", sum->noise_seen);
	json_real(j, "smallest", sum->smallest);
	json_real(j, "smallest_of_three", sum->smallest_of_three);
	cr_json_out_line(j, "");
	cr_json_out_key(j, "rows");
	cr_write_sheet_json(&s->sheet, j, stdout);
	cr_json_out_close(j);
	cr_reply_end(&r);
}

static void
print_data(const struct cr_options *o, const struct cr_difference_in *in,
	const struct cr_judged *judged, struct cr_verdict_sheet *s)
{
	if (o->has_limit && o->limit)
		s->sheet.n_rows = CR_MIN(s->sheet.n_rows, o->limit);
	if (o->json) {
		print_json(o, in, judged, s);
		return;
	}
	cr_write_sheet_csv_head(&s->sheet, stdout);
	cr_write_sheet_csv(&s->sheet, stdout);
}

/* Print the lines above the table; verdicts: those of cr_verdict_head(). */
static void
print_above(const struct cr_options *o, const struct cr_difference_in *in,
	const struct cr_judged *judged, const char *verdicts)
{
	in->print_head(in->user);
	cr_difference_amounts(o, in->both, judged);
	cr_difference_lines(in->warnings, print_line, (void *)(uintptr_t) "warning: ");
	cr_difference_lines(verdicts, print_line, (void *)(uintptr_t) "");
}

static uint32_t
count_lines(const char *lines)
{
	uint32_t n = 0;

	for (; lines && *lines; lines++)
		n += *lines == '\n';
	return n;
}

#define MARKDOWN_LINES 30 /* of all output, if no limit is given: what a comment has room for */
#define MARKDOWN_LEAST 3  /* rows that are printed in any case */
/* Two of fences, of sides and of the table's head, the amounts, two blank ones, and "N more". */
#define MARKDOWN_FIXED 10

static uint32_t
markdown_rows(const struct cr_options *o, const struct cr_difference_in *in, const char *verdicts)
{
	const uint32_t above = MARKDOWN_FIXED + (in->both->paired[0].len > 0) + (o->query.n > 0) +
			       count_lines(in->warnings) + count_lines(verdicts);

	return above + MARKDOWN_LEAST < MARKDOWN_LINES ? MARKDOWN_LINES - above : MARKDOWN_LEAST;
}

static void
print_markdown(const struct cr_options *o, const struct cr_difference_in *in,
	const struct cr_judged *judged, struct cr_verdict_sheet *s, const char *verdicts)
{
	const uint32_t rows = s->sheet.n_rows,
		       limit = o->has_limit ? o->limit : markdown_rows(o, in, verdicts);
	uint32_t called = o->totals ? judged->of_total.called : judged->of_self.called;

	if (limit && limit < rows)
		s->sheet.n_rows = limit;
	puts("```");
	print_above(o, in, judged, verdicts);
	puts("```\n");
	cr_write_sheet_markdown(&s->sheet, stdout);
	if (s->sheet.n_rows == rows)
		return;
	printf("\n%" PRIu32 " more", rows - s->sheet.n_rows);
	called -= CR_MIN(called, s->sheet.n_rows);
	if (called && !o->has_order)
		printf(" (%" PRIu32 " of them changed)", called);
	puts(", --limit 0 shows all");
}

static void
print_text(const struct cr_options *o, const struct cr_difference_in *in,
	const struct cr_judged *judged, struct cr_verdict_sheet *s)
{
	struct cr_text verdicts = {0};

	cr_verdict_head(judged, o->totals, &verdicts);
	if (o->table.markdown) {
		print_markdown(o, in, judged, s, verdicts.p);
	} else {
		print_above(o, in, judged, verdicts.p);
		cr_sheets_put_lines(&s->lines, cr_stdout_name_cells(o), o->limit);
	}
	cr_text_fini(&verdicts);
}

/* The smallest size of the change within the interval; 0 if the interval contains 0. */
static double
least_change(const struct cr_verdict *v)
{
	if (v->low > 0)
		return v->low;
	return v->high < 0 ? -v->high : 0;
}

/* True if --fail-over and --fail-worse make this row fail the command. */
static bool
fails(const struct cr_options *o, const struct cr_verdict *v, struct cr_str name)
{
	if (!cr_verdict_is_call(v->word) || (o->fail_worse && v->delta < 0))
		return false;
	for (uint32_t i = 0; i < o->n_gates; i++) {
		const struct cr_gate *g = &o->gates[i];

		if (least_change(v) >= g->points && (!g->name.len || cr_str_eq(g->name, name)))
			return true;
	}
	return !o->n_gates;
}

static int
check_runs(const struct cr_options *o, const struct cr_judged *judged)
{
	char why[96];

	if (judged->recordings[0] >= o->min_runs && judged->recordings[1] >= o->min_runs)
		return EXIT_DONE;
	snprintf(why, sizeof(why),
		"%" PRIu32 " and %" PRIu32 " recordings, but --min-runs wants %" PRIu32 " a side",
		judged->recordings[0], judged->recordings[1], o->min_runs);
	cr_options_complain("diff", why);
	return EXIT_USAGE;
}

static struct cr_str
name_of(const struct cr_table *table, uint32_t row)
{
	return cr_table_value(table, row, (enum cr_table_column)table->spec->keys[0])->text;
}

/* Warn of each limit for a name that is not in the table: it may be misspelled. */
static void
check_names(const struct cr_options *o, const struct cr_table *table)
{
	for (uint32_t i = 0; i < o->n_gates; i++) {
		const struct cr_str name = o->gates[i].name;
		struct cr_text text = {0};
		uint32_t row = 0;

		while (row < table->n && !cr_str_eq(name_of(table, row), name))
			row++;
		if (!name.len || row < table->n)
			continue;
		cr_text_puts(&text, "--fail-over: neither side has '");
		cr_text_safe(&text, name);
		cr_text_puts(&text, "'");
		cr_job_warn_of(o, "diff", text.p);
		cr_text_fini(&text);
	}
}

static int
code_of_rows(
	const struct cr_options *o, const struct cr_table *table, const struct cr_judged *judged)
{
	const struct cr_verdict *v = o->totals ? judged->total : judged->self;

	for (uint32_t i = 0; i < table->n; i++)
		if (fails(o, &v[i], name_of(table, i)))
			return EXIT_DIFFERENCE;
	return EXIT_DONE;
}

int
cr_difference_judge(const struct cr_options *o, const struct cr_difference_in *in)
{
	struct cr_verdict_sheet s;
	struct cr_judged judged;
	struct cr_table table;
	struct cr_err err = CR_ERR_INIT;
	int code;

	cr_table_make(NULL, in->both, 0, cr_table_by(o->key), &table);
	if (cr_evidence_judge(in->side, in->opts, in->both, &table, &o->norm, o->noise / 100.0,
		    &judged, &err) < 0) {
		cr_table_fini(&table);
		return cr_job_fail(NULL, &err);
	}
	if ((code = check_runs(o, &judged)) == EXIT_DONE) {
		cr_verdict_sheet_init(
			in->both, &table, &judged, o->totals, o->all_rows, head_of(o), &s);
		if (o->has_order)
			cr_verdict_sheet_sort(&s, o->order, false);
		s.sheet.ascii = !cr_utf8_locale();
		s.sheet.inks = cr_stdout_colors(o);
		check_names(o, &table);
		if (o->csv || o->json)
			print_data(o, in, &judged, &s);
		else
			print_text(o, in, &judged, &s);
		cr_verdict_sheet_fini(&s);
		code = code_of_rows(o, &table, &judged);
	}
	cr_judged_fini(&judged);
	cr_table_fini(&table);
	return code;
}
