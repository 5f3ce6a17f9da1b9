#include "view/sheet/verdict_sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum what {
	BEFORE,
	AFTER,
	CHANGE,
	INTERVAL,
	ITSELF,
	SAMPLES,
	OTHER,
	WORD,
	NAME,
	DSO,
	/* for programs alone: */
	RAW_BEFORE,
	RAW_AFTER,
	RAW_DELTA,
	RAW_LOW,
	RAW_HIGH,
	RAW_P,
	RAW_Q,
	RAW_N_BEFORE,
	RAW_N_AFTER,
	RAW_SAMPLES_BEFORE,
	RAW_SAMPLES_AFTER,
	RAW_SMALLEST,
	RAW_WORD,
};

#define NUMBER(head_, cells_, rank_)                                                            \
	{                                                                                       \
		.head = (head_), .audience = CR_SHEET_PEOPLE, .right = true, .cells = (cells_), \
		.fixed = true, .rank = (rank_)                                                  \
	}
#define RAW(id_)                                           \
	{                                                  \
		.id = (id_), .audience = CR_SHEET_PROGRAMS \
	}

static const struct cr_sheet_column columns[] = {
	[BEFORE] = NUMBER("BEFORE", 6, 1),
	[AFTER] = NUMBER("AFTER", 6, 1),
	[CHANGE] = NUMBER("CHANGE", 7, 0),
	[INTERVAL] = NUMBER("95 % INTERVAL", 16, 3),
	[ITSELF] = NUMBER("OF ITSELF", 9, 4),
	[SAMPLES] = NUMBER("SAMPLES", 13, 5),
	[OTHER] = NUMBER("TOTAL +-", 8, 2),
	[WORD] = {.head = "VERDICT", .audience = CR_SHEET_PEOPLE, .cells = 18, .fixed = true},
	[NAME] = {.head = "FUNCTION", .id = "name", .audience = CR_SHEET_ALL, .is_name = true},
	[DSO] = {.head = "DSO", .id = "object", .audience = CR_SHEET_ALL},
	[RAW_BEFORE] = RAW("before"),
	[RAW_AFTER] = RAW("after"),
	[RAW_DELTA] = RAW("delta"),
	[RAW_LOW] = RAW("low"),
	[RAW_HIGH] = RAW("high"),
	[RAW_P] = RAW("p"),
	[RAW_Q] = RAW("q"),
	[RAW_N_BEFORE] = RAW("n_before"),
	[RAW_N_AFTER] = RAW("n_after"),
	[RAW_SAMPLES_BEFORE] = RAW("x_before"),
	[RAW_SAMPLES_AFTER] = RAW("x_after"),
	[RAW_SMALLEST] = RAW("mde"),
	[RAW_WORD] = RAW("word"),
};

/* ---- cells */

/*
 * Append a share as a percentage with 0 to 2 decimals. Halves are rounded away from zero: share is
 * first taken as a whole number of 1e-12, as printf would decide by the last bit of its fraction.
 */
static void
put_percent(struct cr_text *out, double share, uint32_t decimals, bool plus)
{
	static const int64_t units[] = {10000000000, 1000000000, 100000000};
	static const double scale[] = {1, 10, 100};
	const int64_t parts = llround(share * 1e12), half = units[decimals] / 2,
		      n = (parts + (parts < 0 ? -half : half)) / units[decimals];

	cr_text_printf(out, "%s%.*f", plus && n > 0 ? "+" : "", (int)decimals,
		(double)n / scale[decimals]);
}

static void
put_points(struct cr_text *out, double share)
{
	put_percent(out, share, 2, true);
}

/* ---- amounts */

/* How an amount that is no share is printed: in which unit, so that it has few digits. */
struct amount_unit {
	const char *name; /* "ms", "million "; the unit of the event follows the latter */
	double size;      /* in units of the event */
};

#define WHOLE_MOST 1e5 /* wholes of at least this are printed in a larger unit */

static struct amount_unit
amount_unit(double whole, struct cr_str unit)
{
	static const char *const times[] = {"ns", "us", "ms", "s"}, *const powers[] = {"",
									    "thousand ", "million ",
									    "billion "};
	const char *const *names = powers;
	struct amount_unit u = {.size = 1};
	size_t i = 0;

	if (cr_diff_is_time(unit)) {
		names = times;
		while (!cr_str_eq(unit, cr_str_of(times[i])))
			i++;
	}
	for (; i + 1 < CR_LEN(times) && whole / u.size >= WHOLE_MOST; i++)
		u.size *= 1000;
	u.name = names[i];
	return u;
}

void
cr_verdict_amounts(
	const struct cr_judged *j, const struct cr_tree *t, bool narrowed, struct cr_text *out)
{
	const struct amount_unit u = amount_unit(j->amount, t->unit);

	switch (j->norm.kind) {
	case CR_NORM_SHARE:
		cr_text_printf(out, "shares refer to %s; differences are in percentage points",
			narrowed ? "what the query selects on each side"
				 : "the total of each side");
		return;
	case CR_NORM_FUNCTION:
		cr_text_puts(out, "costs are percentages of the total cost of ");
		cr_text_safe(out, cr_str_of(j->norm.function));
		return;
	case CR_NORM_TIME: cr_text_printf(out, "costs are CPU time in %s", u.name); return;
	default: break;
	}
	cr_text_printf(out, "costs are in %s", u.name);
	if (!cr_diff_is_time(t->unit))
		cr_text_safe(out, t->unit);
	cr_text_puts(out,
		j->norm.kind == CR_NORM_SECOND ? " per second of the recording" : ", as recorded");
}

/* Set what shares are printed as, and make room for it. */
static void
set_amounts(struct cr_verdict_sheet *s, const struct cr_judged *j, const struct cr_tree *t)
{
	static const uint8_t wide[] = {BEFORE, AFTER, CHANGE, OTHER};

	s->raw = s->shown = j->amount;
	s->is_share = j->norm.kind == CR_NORM_SHARE || j->norm.kind == CR_NORM_FUNCTION;
	if (s->is_share)
		return;
	s->shown = j->amount / amount_unit(j->amount, t->unit).size / 100;
	for (size_t i = 0; i < CR_LEN(wide); i++)
		s->columns[wide[i]].cells = 10;
	s->columns[INTERVAL].cells = 24;
	s->columns[WORD].cells = 22;
}

/* ---- cells of a row */

static void
put_itself(struct cr_text *out, const struct cr_verdict *v)
{
	if (v->share[0] <= 0 || v->share[1] <= 0)
		return;
	if (v->delta >= 1000 * v->share[0]) {
		cr_text_puts(out, ">+99999 %");
		return;
	}
	put_percent(out, v->delta / v->share[0], 0, true);
	cr_text_puts(out, " %");
}

static void
put_samples(struct cr_text *out, const struct cr_verdict *v)
{
	cr_text_printf(out, "%.0f/%.0f", v->samples[0], v->samples[1]);
}

static void
put_word(struct cr_text *out, const struct cr_verdict *v, double shown, bool ascii)
{
	const char *sign = v->delta > 0 ? " +" : " -";

	cr_text_puts(out, cr_verdict_word(v->word));
	if (v->word == CR_VERDICT_CHANGED || v->word == CR_VERDICT_LIKELY_CHANGED)
		cr_text_puts(out, sign);
	/* An interval that is wider than everything says nothing. */
	if (v->word == CR_VERDICT_CANNOT_TELL && v->high - v->low < 2) {
		const double half = (v->high - v->low) / 2 * shown;

		cr_text_puts(out, ascii ? " (+-" : " (\xc2\xb1");
		put_percent(out, half, half < 0.0995, false); /* decimals, if it is below 10 */
		cr_text_char(out, ')');
	}
}

static void
put_interval(const struct cr_verdict *v, double shown, struct cr_text *out)
{
	put_points(out, v->low * shown);
	cr_text_puts(out, " .. ");
	put_points(out, v->high * shown);
}

static void
put_text(const struct cr_verdict_sheet *s, const struct cr_verdict *v, enum what what)
{
	const double shown = s->shown;
	struct cr_text *out = s->text;

	switch (what) {
	case BEFORE: put_percent(out, v->share[0] * shown, 2, false); return;
	case AFTER: put_percent(out, v->share[1] * shown, 2, false); return;
	case CHANGE: put_points(out, v->delta * shown); return;
	case INTERVAL:
		if (!isnan(v->low))
			put_interval(v, shown, out);
		return;
	case ITSELF: put_itself(out, v); return;
	case SAMPLES: put_samples(out, v); return;
	case WORD: put_word(out, v, shown, s->sheet.ascii); return;
	default: return;
	}
}

static void
put_line(const struct cr_verdict *v, double shown, bool is_share, bool ascii, struct cr_text *out)
{
	const char *unit = is_share ? " %" : "", *points = is_share ? " points" : "";

	put_percent(out, v->share[0] * shown, 2, false);
	cr_text_printf(out, "%s to ", unit);
	put_percent(out, v->share[1] * shown, 2, false);
	cr_text_printf(out, "%s   ", unit);
	put_word(out, v, shown, ascii);
	if (!isnan(v->low)) {
		cr_text_puts(out, "   95 % interval ");
		put_interval(v, shown, out);
	}
	if (!isnan(v->smallest)) {
		cr_text_puts(out, "   could show ");
		put_percent(out, v->smallest * shown, 1, false);
		cr_text_puts(out, points);
	}
}

void
cr_verdict_put_line(const struct cr_verdict_sheet *s, uint32_t row, struct cr_text *out)
{
	put_line(&s->verdicts[row], s->shown, s->is_share, s->sheet.ascii, out);
}

void
cr_verdict_put_shares(const struct cr_verdict *v, bool unicode, struct cr_text *out)
{
	put_line(v, 1, true, !unicode, out);
}

void
cr_verdict_put_word(const struct cr_verdict *v, bool unicode, struct cr_text *out)
{
	put_word(out, v, 1, !unicode);
}

void
cr_verdict_put_called(const struct cr_verdict_summary *s, struct cr_text *out)
{
	cr_text_printf(out, " %" PRIu32 "/%" PRIu32 " changed", s->called, s->tested);
}

static double
raw(const struct cr_verdict_sheet *s, const struct cr_verdict *v, enum what what)
{
	const double amount = s->raw;

	switch (what) {
	case RAW_BEFORE: return v->share[0] * amount;
	case RAW_AFTER: return v->share[1] * amount;
	case RAW_DELTA: return v->delta * amount;
	case RAW_LOW: return v->low * amount;
	case RAW_HIGH: return v->high * amount;
	case RAW_P: return v->p;
	case RAW_Q: return v->q;
	case RAW_N_BEFORE: return s->samples[0];
	case RAW_N_AFTER: return s->samples[1];
	case RAW_SAMPLES_BEFORE: return v->samples[0];
	case RAW_SAMPLES_AFTER: return v->samples[1];
	case RAW_SMALLEST: return v->smallest * amount;
	default: return NAN;
	}
}

static const struct cr_table_value *
value_of(const struct cr_verdict_sheet *s, uint32_t row)
{
	return cr_table_value(s->table, row, (enum cr_table_column)s->table->spec->keys[0]);
}

/* A higher cost is hot, a lower one good, and what is not known to have changed dim. */
static enum cr_ink
ink_of(const struct cr_verdict *v)
{
	if (!cr_verdict_is_call(v->word))
		return CR_INK_DIM;
	return v->delta > 0 ? CR_INK_HOT : CR_INK_GOOD;
}

static void
verdict_cell(const struct cr_sheet *sheet, uint32_t line, uint32_t column, struct cr_cell *out)
{
	const struct cr_verdict_sheet *s = sheet->user;
	const uint32_t row = s->order[line];
	const struct cr_verdict *v = &s->verdicts[row];
	const struct cr_table_value *value = value_of(s, row);

	if (column == NAME) {
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = value->text};
	} else if (column == DSO) {
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = value->dso};
		if (value->key == CR_TABLE_FUNCTION)
			out->brief = cr_dso_name(value->dso, value->kind, s->brief);
	} else if (column == OTHER) {
		cr_text_clear(s->text);
		put_points(s->text, s->other[row].delta * s->shown);
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = cr_text_view(s->text)};
	} else if (column == RAW_WORD) {
		*out = (struct cr_cell){
			.kind = CR_CELL_TEXT, .text = cr_str_of(cr_verdict_word(v->word))};
	} else if (column > DSO) {
		*out = (struct cr_cell){.kind = CR_CELL_REAL, .real = raw(s, v, (enum what)column)};
	} else {
		cr_text_clear(s->text);
		put_text(s, v, (enum what)column);
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = cr_text_view(s->text)};
		if (sheet->inks && (column == CHANGE || column == WORD))
			out->ink = (uint8_t)ink_of(v);
	}
}

static void
verdict_ref(const struct cr_sheet *sheet, uint32_t line, struct cr_row_ref *out)
{
	const struct cr_verdict_sheet *s = sheet->user;
	const uint32_t row = s->order[line];

	*out = (struct cr_row_ref){.kind = CR_ROW_FRAME,
		.id = cr_table_frame(s->table, row),
		.name = value_of(s, row)->text};
}

/* ---- rows */

struct ranked {
	const struct cr_verdict_sheet *s;
	double size, other; /* of the change, and of that of the other cost */
	uint32_t row;
	bool call;
};

static int
ranked_cmp(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	int rc;

	if (x->call != y->call)
		return x->call ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if (x->other != y->other)
		return x->other > y->other ? -1 : 1;
	rc = cr_table_value_cmp(value_of(x->s, x->row), value_of(y->s, y->row));
	return rc ? rc : (x->row > y->row) - (x->row < y->row);
}

static void
sort_rows(struct cr_verdict_sheet *s, bool all)
{
	struct ranked *ranked = cr_alloc(s->table->n, sizeof(*ranked));
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->table->n; i++)
		if (all || s->verdicts[i].delta != 0 || s->other[i].delta != 0)
			ranked[n++] = (struct ranked){s, fabs(s->verdicts[i].delta),
				fabs(s->other[i].delta), i,
				cr_verdict_is_call(s->verdicts[i].word)};
	if (n)
		qsort(ranked, n, sizeof(*ranked), ranked_cmp);
	for (uint32_t i = 0; i < n; i++)
		s->order[i] = ranked[i].row;
	s->sheet.n_rows = n;
	free(ranked);
}

void
cr_verdict_sheet_only_called(struct cr_verdict_sheet *s)
{
	uint32_t n = 0;

	while (n < s->sheet.n_rows && cr_verdict_is_call(s->verdicts[s->order[n]].word))
		n++;
	s->sheet.n_rows = n;
}

void
cr_verdict_sheet_keep(struct cr_verdict_sheet *s, const uint8_t *rows)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->sheet.n_rows; i++)
		if (rows[s->order[i]])
			s->order[n++] = s->order[i];
	s->sheet.n_rows = n;
}

void
cr_verdict_sheet_set_order(struct cr_verdict_sheet *s, const uint32_t *order, uint32_t n_order)
{
	uint8_t *shown = cr_alloc(s->table->n, 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->sheet.n_rows; i++)
		shown[s->order[i]] = 1;
	for (uint32_t i = 0; i < n_order; i++)
		if (shown[order[i]])
			s->order[n++] = order[i];
	s->sheet.n_rows = n;
	free(shown);
}

void
cr_verdict_sheet_sort(struct cr_verdict_sheet *s, enum cr_table_sort sort, bool reverse)
{
	uint32_t *order = cr_alloc(s->table->n, sizeof(*order));

	cr_table_order(s->table, sort, reverse, order);
	cr_verdict_sheet_set_order(s, order, s->table->n);
	free(order);
}

void
cr_verdict_sheet_init(const struct cr_tree *t, const struct cr_table *table,
	const struct cr_judged *judged, bool totals, bool all, const char *head,
	struct cr_verdict_sheet *out)
{
	*out = (struct cr_verdict_sheet){.table = table,
		.verdicts = totals ? judged->total : judged->self,
		.other = totals ? judged->self : judged->total,
		.samples = {judged->samples[0], judged->samples[1]}};
	out->text = cr_alloc(1, sizeof(*out->text));
	out->brief = cr_alloc(1, sizeof(*out->brief));
	out->order = cr_alloc(table->n, sizeof(*out->order));
	for (size_t i = 0; i < CR_LEN(columns); i++)
		out->columns[i] = columns[i];
	out->columns[NAME].head = head;
	out->columns[OTHER].head = totals ? "SELF +-" : "TOTAL +-";
	set_amounts(out, judged, t);
	sort_rows(out, all);
	out->sheet.columns = out->columns;
	out->sheet.n_columns = CR_LEN(columns);
	out->sheet.cell = verdict_cell;
	out->sheet.stands_for = verdict_ref;
	out->sheet.user = out;
	cr_sheet_lines_init(&out->lines, &out->sheet);
}

void
cr_verdict_sheet_fini(struct cr_verdict_sheet *s)
{
	free(s->order);
	cr_text_fini(s->text);
	cr_text_fini(s->brief);
	free(s->text);
	free(s->brief);
	*s = (struct cr_verdict_sheet){.order = NULL};
}

/* ---- the head */

static void
put_noise(const struct cr_verdict_summary *s, struct cr_text *out)
{
	cr_text_printf(out, "Run-to-run noise: %.0f %% of a function's share", 100 * s->noise);
	if (s->noise > s->noise_seen)
		cr_text_printf(
			out, " (assumed; these recordings show %.0f %%).\n", 100 * s->noise_seen);
	else
		cr_text_puts(out, " (estimated from these recordings).\n");
}

static void
put_lacks(const struct cr_judged *j, struct cr_text *out)
{
	if (j->lacks & CR_LACK_COUNTS)
		cr_text_puts(out, "Nothing is tested: the input has weights, and the number of "
				  "samples does not follow from them. --unit samples "
				  "says that counts are samples.\n");
	if (j->lacks & CR_LACK_TIMES)
		cr_text_puts(
			out, "Recorded without times: phases of the program cannot be seen.\n");
	if (j->lacks & CR_LACK_SAMPLES)
		cr_text_puts(out, "Few samples: a longer recording shows smaller changes.\n");
}

void
cr_verdict_head(const struct cr_judged *j, bool totals, struct cr_text *out)
{
	const struct cr_verdict_summary *s = totals ? &j->of_total : &j->of_self;

	cr_text_printf(
		out, "%" PRIu32 " v %" PRIu32 " recordings", j->recordings[0], j->recordings[1]);
	if (!(j->lacks & CR_LACK_COUNTS))
		cr_text_printf(out, ", %.0f and %.0f samples", j->samples[0], j->samples[1]);
	cr_text_puts(out, ".\n");
	put_lacks(j, out);
	if (!s->tested)
		return;
	put_noise(s, out);
	cr_text_printf(out, "%" PRIu32 " of %" PRIu32 " functions %s by %s cost.", s->called,
		s->tested, s->single ? "likely changed" : "changed", totals ? "total" : "self");
	cr_text_printf(out, " Smallest change that could be shown: %.1f points at a share of 5 %%.",
		100 * s->smallest);
	if (j->recordings[0] < 3 || j->recordings[1] < 3)
		cr_text_printf(out, " With three recordings a side and the same noise: about %.1f.",
			100 * s->smallest_of_three);
	cr_text_char(out, '\n');
}
