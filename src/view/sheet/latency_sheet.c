#include "view/sheet/latency_sheet.h"

#include "base/vec.h"
#include "view/style/chart.h"
#include "view/style/spark.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 9u /* width of a number */
#define BAR_CELLS 40u
#define POWERS (CR_LATENCY_BUCKETS / CR_LATENCY_STEPS)

struct cr_latency_row {
	const struct cr_latency_lane *lane; /* NULL in a histogram */
	uint32_t bucket;                    /* or power */
	uint64_t count, sum;
};

static const struct mark {
	const char *name, *id;
} marks[CR_LATENCY_MARKS] = {
	[CR_LATENCY_P50] = {"50 %", "p50"},
	[CR_LATENCY_P90] = {"90 %", "p90"},
	[CR_LATENCY_P99] = {"99 %", "p99"},
	[CR_LATENCY_P999] = {"99.9 %", "p99_9"},
	[CR_LATENCY_MAX] = {"LONGEST", "longest"},
};

const char *
cr_latency_mark_id(enum cr_latency_mark mark)
{
	return marks[mark].id;
}

/* ---- cells */

static void
text_cell(const struct cr_latency_sheet *s, struct cr_cell *out)
{
	*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = cr_text_view(s->text)};
}

static void
time_cell(const struct cr_latency_sheet *s, uint64_t v, struct cr_cell *out)
{
	cr_text_clear(s->text);
	cr_chart_cost(s->text, v, s->latency->unit, 0);
	text_cell(s, out);
}

static void
count_cell(const struct cr_latency_sheet *s, uint64_t v, struct cr_cell *out)
{
	cr_text_clear(s->text);
	cr_chart_cost(s->text, v, CR_STR("samples"), 0);
	text_cell(s, out);
}

static void
number_cell(uint64_t v, struct cr_cell *out)
{
	*out = (struct cr_cell){.kind = CR_CELL_NUMBER, .number = v};
}

static void
name_cell(const struct cr_latency_sheet *s, const struct cr_latency_lane *lane, struct cr_cell *out)
{
	*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = lane->name};
	if (!lane->is_rest)
		return;
	cr_text_clear(s->text);
	cr_text_printf(s->text, "%" PRIu32 " more", lane->keys);
	text_cell(s, out);
}

/* ---- by key */

enum key_column {
	KEY_COUNT,
	KEY_SUM,
	KEY_MEAN,
	KEY_MARKS,
	KEY_NAME = KEY_MARKS + CR_LATENCY_MARKS
};

static void
keys_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_latency_sheet *s = sheet->user;
	const struct cr_latency_lane *lane = s->rows[row].lane;

	if (column == KEY_COUNT)
		count_cell(s, lane->count, out);
	else if (column == KEY_SUM)
		time_cell(s, lane->sum, out);
	else if (column == KEY_MEAN)
		time_cell(s, lane->count ? lane->sum / lane->count : 0, out);
	else if (column == KEY_NAME)
		name_cell(s, lane, out);
	else
		time_cell(s, lane->at[column - KEY_MARKS], out);
}

static void
keys_ref(const struct cr_sheet *sheet, uint32_t row, struct cr_row_ref *out)
{
	const struct cr_latency_sheet *s = sheet->user;

	if (!s->rows[row].lane->is_rest)
		*out = (struct cr_row_ref){
			.kind = CR_ROW_KEY, .id = row, .name = s->rows[row].lane->name};
}

/* ---- the histogram */

enum power_column { POWER_FROM, POWER_BELOW, POWER_COUNT, POWER_SUM, POWER_BAR };

static uint64_t
power_from(uint32_t power)
{
	return cr_latency_least(power * CR_LATENCY_STEPS);
}

/* The last power of two has no value above its largest. */
static uint64_t
power_below(uint32_t power)
{
	return cr_latency_most(power * CR_LATENCY_STEPS + CR_LATENCY_STEPS - 1) +
	       (power + 1 < POWERS);
}

static void
power_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_latency_sheet *s = sheet->user;
	const struct cr_latency_row *r = &s->rows[row];

	switch ((enum power_column)column) {
	case POWER_FROM: time_cell(s, power_from(r->bucket), out); return;
	case POWER_BELOW: time_cell(s, power_below(r->bucket), out); return;
	case POWER_COUNT: count_cell(s, r->count, out); return;
	case POWER_SUM: time_cell(s, r->sum, out); return;
	case POWER_BAR:
		cr_text_clear(s->text);
		cr_spark_bar(s->text, r->count, s->most, BAR_CELLS, s->unicode);
		text_cell(s, out);
		return;
	}
}

static void
power_ref(const struct cr_sheet *sheet, uint32_t row, struct cr_row_ref *out)
{
	const struct cr_latency_sheet *s = sheet->user;

	*out = (struct cr_row_ref){.kind = CR_ROW_RANGE,
		.from = power_from(s->rows[row].bucket),
		.to = power_below(s->rows[row].bucket)};
}

/* ---- buckets */

enum bucket_column { BUCKET_KEY, BUCKET_FROM, BUCKET_TO, BUCKET_COUNT, BUCKET_SUM };

static void
bucket_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_latency_sheet *s = sheet->user;
	const struct cr_latency_row *r = &s->rows[row];

	switch ((enum bucket_column)column) {
	case BUCKET_KEY:
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = r->lane->name};
		return;
	case BUCKET_FROM: number_cell(cr_latency_least(r->bucket), out); return;
	case BUCKET_TO: number_cell(cr_latency_most(r->bucket), out); return;
	case BUCKET_COUNT: number_cell(r->count, out); return;
	case BUCKET_SUM: number_cell(r->sum, out); return;
	}
}

/* ---- */

static void
init(const struct cr_latency *l, uint32_t n_columns, struct cr_latency_sheet *out)
{
	*out = (struct cr_latency_sheet){.latency = l};
	out->columns = cr_alloc(n_columns, sizeof(*out->columns));
	out->text = cr_alloc(1, sizeof(*out->text));
	*out->text = (struct cr_text){0};
	out->sheet =
		(struct cr_sheet){.columns = out->columns, .n_columns = n_columns, .user = out};
}

static struct cr_sheet_column
number_column(const char *head)
{
	return (struct cr_sheet_column){head, head, CR_SHEET_PEOPLE, true, CELLS, .fixed = true};
}

void
cr_latency_keys(const struct cr_latency *l, const char *key, struct cr_latency_sheet *out)
{
	const uint32_t n = key ? l->n_lanes : 1;

	init(l, KEY_NAME + (key != NULL), out);
	out->columns[KEY_COUNT] = number_column("COUNT");
	out->columns[KEY_SUM] = number_column("IN ALL");
	out->columns[KEY_MEAN] = number_column("MEAN");
	for (uint32_t i = 0; i < CR_LATENCY_MARKS; i++)
		out->columns[KEY_MARKS + i] = number_column(marks[i].name);
	if (key)
		out->columns[KEY_NAME] = (struct cr_sheet_column){
			.head = key, .id = key, .audience = CR_SHEET_PEOPLE, .is_name = true};
	out->rows = cr_alloc(CR_MAX(n, 1u), sizeof(*out->rows));
	for (uint32_t i = 0; i < n; i++)
		out->rows[i] = (struct cr_latency_row){.lane = key ? &l->lanes[i] : &l->all};
	out->sheet.n_rows = n;
	out->sheet.cell = keys_cell;
	if (key)
		out->sheet.stands_for = keys_ref;
}

/* Add up the steps between powers of two. */
static void
powers_of(const struct cr_latency_lane *lane, struct cr_latency_row rows[POWERS])
{
	for (uint32_t i = 0; i < POWERS; i++)
		rows[i] = (struct cr_latency_row){.bucket = i};
	for (uint32_t i = 0; i < CR_LATENCY_BUCKETS; i++) {
		struct cr_latency_row *r = &rows[i / CR_LATENCY_STEPS];

		r->count += lane->bucket_count[i];
		r->sum = cr_add_sat(r->sum, lane->bucket_sum[i]);
	}
}

void
cr_latency_histogram(const struct cr_latency *l, bool unicode, struct cr_latency_sheet *out)
{
	uint32_t first = 0, last = POWERS - 1;

	init(l, POWER_BAR + 1, out);
	out->unicode = unicode;
	out->columns[POWER_FROM] = number_column("FROM");
	out->columns[POWER_BELOW] = number_column("BELOW");
	out->columns[POWER_COUNT] = number_column("COUNT");
	out->columns[POWER_SUM] = number_column("IN ALL");
	out->columns[POWER_BAR] = (struct cr_sheet_column){
		"", "bar", CR_SHEET_PEOPLE, false, BAR_CELLS, .fixed = true};
	out->rows = cr_alloc(POWERS, sizeof(*out->rows));
	powers_of(&l->all, out->rows);
	for (; first < last && !out->rows[first].count; first++)
		;
	for (; last > first && !out->rows[last].count; last--)
		;
	for (uint32_t i = first; i <= last; i++)
		out->most = CR_MAX(out->most, out->rows[i].count);
	out->sheet.n_rows = last - first + 1;
	memmove(out->rows, out->rows + first, out->sheet.n_rows * sizeof(*out->rows));
	out->sheet.cell = power_cell;
	out->sheet.stands_for = power_ref;
}

static char *
unit_head(const char *before, struct cr_str unit)
{
	struct cr_text t = {0};
	char *head;

	cr_text_puts(&t, before);
	cr_text_str(&t, unit);
	head = cr_memdup(t.p, t.len);
	cr_text_fini(&t);
	return head;
}

static struct cr_sheet_column
bucket_column(const char *id)
{
	return (struct cr_sheet_column){id, id, CR_SHEET_ALL, true, 0};
}

void
cr_latency_buckets(const struct cr_latency *l, const char *key, struct cr_latency_sheet *out)
{
	CR_VEC(struct cr_latency_row) rows = {0};

	init(l, BUCKET_SUM + 1, out);
	out->from_head = unit_head("from_", l->unit);
	out->to_head = unit_head("to_", l->unit);
	out->columns[BUCKET_KEY] =
		(struct cr_sheet_column){.head = key, .id = key, .audience = CR_SHEET_ALL};
	out->columns[BUCKET_FROM] = bucket_column(out->from_head);
	out->columns[BUCKET_TO] = bucket_column(out->to_head);
	out->columns[BUCKET_COUNT] = bucket_column("count");
	out->columns[BUCKET_SUM] = bucket_column("sum");
	for (uint32_t i = 0; i < l->n_lanes; i++)
		for (uint32_t k = 0; k < CR_LATENCY_BUCKETS; k++)
			if (l->lanes[i].bucket_count[k])
				cr_vec_push(&rows, ((struct cr_latency_row){.lane = &l->lanes[i],
							   .bucket = k,
							   .count = l->lanes[i].bucket_count[k],
							   .sum = l->lanes[i].bucket_sum[k]}));
	out->rows = rows.p;
	out->sheet.n_rows = (uint32_t)rows.n;
	out->sheet.cell = bucket_cell;
}

void
cr_latency_sheet_fini(struct cr_latency_sheet *s)
{
	if (s->text)
		cr_text_fini(s->text);
	free(s->text);
	free(s->columns);
	free(s->rows);
	free(s->from_head);
	free(s->to_head);
	*s = (struct cr_latency_sheet){0};
}
