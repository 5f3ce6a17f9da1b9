#include "view/sheet/function_sheet.h"

#include "base/utf8.h"
#include "view/style/change.h"
#include "view/style/label.h"
#include "view/style/spark.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_UNIT_CELLS 10u
#define MIN_COST_CELLS 8u
#define BAR_FROM 72u /* narrower lines have no bar */
#define BAR_CELLS 6u /* of self cost; the row with the highest one has a full bar */

enum what {
	SELF,
	BAR,
	TOTAL,
	COST,
	SELF_WAS,
	SELF_NOW,
	SELF_DELTA,
	TOTAL_WAS,
	TOTAL_NOW,
	TOTAL_DELTA,
	MARK,
	NAME,
	BESIDE,
	/* numbers for programs; of two sides the first one */
	SELF_WEIGHT,
	TOTAL_WEIGHT,
	SELF_SAMPLES,
	/* of the second side */
	SELF_WEIGHT_NOW,
	TOTAL_WEIGHT_NOW,
};

/* A column of numbers, or the mark. */
#define NUMBER(head_, id_, cells_, rank_)                                                 \
	{                                                                                 \
		.head = (head_), .id = (id_), .audience = CR_SHEET_PEOPLE, .right = true, \
		.cells = (cells_), .fixed = true, .rank = (rank_)                         \
	}
#define RAW(id_)                                                          \
	{                                                                 \
		.head = (id_), .id = (id_), .audience = CR_SHEET_PROGRAMS \
	}
#define TEXT(head_, id_, is_name_, closer_)                                                    \
	{                                                                                      \
		.head = (head_), .id = (id_), .audience = CR_SHEET_ALL, .is_name = (is_name_), \
		.closer = (closer_)                                                            \
	}

/* Columns in display order. */
static const struct {
	uint8_t what;
	uint32_t sides;
	struct cr_sheet_column column;
} shown[] = {
	{SELF, 1, NUMBER("SELF %", "self_percent", 6, 0)},
	{BAR, 1,
		{.head = "",
			.id = "bar",
			.audience = CR_SHEET_PEOPLE,
			.cells = BAR_CELLS,
			.fixed = true,
			.rank = 2,
			.from = BAR_FROM,
			.closer = 1}},
	{TOTAL, 1, NUMBER("TOTAL %", "total_percent", 8, 1)},
	{COST, 1, NUMBER("SAMPLES", "cost", MIN_COST_CELLS, 2)},
	{SELF_WAS, 2, NUMBER("SELF WAS", "self_was", 8, 2)},
	{SELF_NOW, 2, NUMBER("SELF NOW", "self_now", 8, 2)},
	{SELF_DELTA, 2, NUMBER("SELF +-", "self_delta", 8, 0)},
	{TOTAL_WAS, 2, NUMBER("TOTAL WAS", "total_was", 9, 3)},
	{TOTAL_NOW, 2, NUMBER("TOTAL NOW", "total_now", 9, 3)},
	{TOTAL_DELTA, 2, NUMBER("TOTAL +-", "total_delta", 8, 1)},
	{MARK, 2, NUMBER("", "mark", 1, 0)},
	{NAME, 1, TEXT("FUNCTION", "name", true, 0)},
	{NAME, 2, TEXT("FUNCTION", "name", true, 1)},
	{BESIDE, 1, TEXT("DSO", "dso", false, 0)},
	{BESIDE, 2, TEXT("DSO", "dso", false, 0)},
	{SELF_WEIGHT, 1, RAW("self")},
	{TOTAL_WEIGHT, 1, RAW("total")},
	{SELF_SAMPLES, 1, RAW("samples")},
	{SELF_WEIGHT, 2, RAW("self_before")},
	{SELF_WEIGHT_NOW, 2, RAW("self_after")},
	{TOTAL_WEIGHT, 2, RAW("total_before")},
	{TOTAL_WEIGHT_NOW, 2, RAW("total_after")},
};

/* ---- cells */

/* Millionths as percent with two decimals. */
static void
put_percent(struct cr_text *out, uint32_t ppm)
{
	const uint32_t hundredths = (ppm + 50) / 100;

	cr_text_printf(out, "%" PRIu32 ".%02" PRIu32, hundredths / 100, hundredths % 100);
}

static void
put_cost(const struct cr_function_sheet *s, uint64_t weight, uint64_t samples, struct cr_text *out)
{
	if (s->shows_weights)
		cr_text_weight(out, weight, s->unit);
	else
		cr_text_u64(out, samples);
}

static void
put_number(const struct cr_function_sheet *s, enum what what, uint32_t row, struct cr_text *out)
{
	const struct cr_table *h = s->table;
	const struct cr_table_row *r = &h->rows[row];

	switch (what) {
	case SELF:
	case SELF_WAS: put_percent(out, cr_share_ppm(r->cost[0].self, h->whole[0])); return;
	case SELF_NOW: put_percent(out, cr_share_ppm(r->cost[1].self, h->whole[1])); return;
	case SELF_DELTA: cr_change_put_points(cr_table_delta_self_ppm(h, row), out); return;
	case TOTAL:
	case TOTAL_WAS: put_percent(out, cr_share_ppm(r->cost[0].total, h->whole[0])); return;
	case TOTAL_NOW: put_percent(out, cr_share_ppm(r->cost[1].total, h->whole[1])); return;
	case TOTAL_DELTA: cr_change_put_points(cr_table_delta_total_ppm(h, row), out); return;
	case BAR: cr_spark_bar(out, r->cost[0].self, s->most, BAR_CELLS, !s->sheet.ascii); return;
	case COST: put_cost(s, r->cost[0].self, r->cost[0].self_samples, out); return;
	case MARK:
		if (r->cost[0].total == 0 && r->cost[1].total > 0)
			cr_text_char(out, '+');
		else if (r->cost[1].total == 0 && r->cost[0].total > 0)
			cr_text_char(out, '-');
		return;
	default: return;
	}
}

/* A dso is shown by its base name if its path does not fit. */
static void
beside_cell(const struct cr_function_sheet *s, const struct cr_table_value *v, struct cr_cell *out)
{
	*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = v->dso};
	if (v->key == CR_TABLE_FUNCTION)
		out->brief = v->kind == CR_KIND_KERNEL ? CR_STR("[kernel]")
						       : cr_dso_name(v->dso, v->kind, s->brief);
}

static uint64_t
raw_number(const struct cr_table_row *r, enum what what)
{
	switch (what) {
	case SELF_WEIGHT: return r->cost[0].self;
	case TOTAL_WEIGHT: return r->cost[0].total;
	case SELF_SAMPLES: return r->cost[0].self_samples;
	case SELF_WEIGHT_NOW: return r->cost[1].self;
	case TOTAL_WEIGHT_NOW: return r->cost[1].total;
	default: return 0;
	}
}

/* The ink of a cell; rows of two sides are coloured as a whole. */
static enum cr_ink
ink_of(const struct cr_function_sheet *s, enum what what, uint32_t row, uint8_t *level)
{
	const struct cr_table_row *r = &s->table->rows[row];
	const struct cr_frame *frame = &s->tree->frames[cr_table_frame(s->table, row)];
	enum cr_ink ink;

	*level = 0;
	if (s->table->sides == 2)
		return CR_INK_PLAIN;
	switch (what) {
	case SELF: return cr_ink_of_share(cr_share_ppm(r->cost[0].self, s->table->whole[0]));
	case BAR: *level = frame->kind; return CR_INK_BAR;
	case NAME:
		ink = cr_ink_of_name(frame);
		if (ink == CR_INK_NAME || ink == CR_INK_NAME_INLINED)
			ink = r->inlined ? CR_INK_NAME_INLINED : CR_INK_NAME;
		return ink;
	case BESIDE: return CR_INK_DIM;
	default: return CR_INK_PLAIN;
	}
}

static void
function_cell(const struct cr_sheet *sheet, uint32_t line, uint32_t column, struct cr_cell *out)
{
	const struct cr_function_sheet *s = sheet->user;
	const uint32_t row = s->order[line];
	const struct cr_table_value *v =
		cr_table_value(s->table, row, (enum cr_table_column)s->table->spec->keys[0]);

	if (s->what[column] == NAME) {
		*out = (struct cr_cell){.kind = CR_CELL_TEXT,
			.text = v->text,
			.behind = s->table->rows[row].inlined ? " (inlined)" : NULL};
	} else if (s->what[column] == BESIDE) {
		beside_cell(s, v, out);
	} else if (s->what[column] >= SELF_WEIGHT) {
		*out = (struct cr_cell){.kind = CR_CELL_NUMBER,
			.number = raw_number(&s->table->rows[row], (enum what)s->what[column])};
	} else {
		cr_text_clear(s->text);
		put_number(s, (enum what)s->what[column], row, s->text);
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = cr_text_view(s->text)};
	}
	if (s->is_measured)
		out->ink = (uint8_t)ink_of(s, (enum what)s->what[column], row, &out->level);
}

static void
function_ref(const struct cr_sheet *sheet, uint32_t line, struct cr_row_ref *out)
{
	const struct cr_function_sheet *s = sheet->user;
	const uint32_t row = s->order[line];

	*out = (struct cr_row_ref){.kind = CR_ROW_FRAME,
		.id = cr_table_frame(s->table, row),
		.name = cr_table_value(s->table, row, (enum cr_table_column)s->table->spec->keys[0])
				->text};
}

/* ---- columns */

/* "SAMPLES", or the unit: "US". */
static void
put_cost_head(const struct cr_function_sheet *s, struct cr_text *out)
{
	if (!s->shows_weights || cr_str_eq(s->unit, CR_STR("millionths"))) {
		cr_text_puts(out, "SAMPLES");
		return;
	}
	cr_label_fit(out, s->unit, MAX_UNIT_CELLS);
	for (size_t i = 0; i < out->len; i++)
		if (out->p[i] >= 'a' && out->p[i] <= 'z')
			out->p[i] = (char)(out->p[i] - 'a' + 'A');
}

/* No row is wider than the whole, except for a fraction. */
static void
set_cost_column(struct cr_function_sheet *s, struct cr_sheet_column *c)
{
	struct cr_text all = {0};

	put_cost_head(s, s->cost_head);
	put_cost(s, s->table->whole[0], s->table->whole_samples[0], &all);
	c->head = s->cost_head->p;
	c->cells = CR_MAX((uint32_t)all.len, cr_utf8_cells(cr_text_view(s->cost_head)));
	if (cr_str_eq(s->unit, CR_STR("millionths")))
		c->cells += (uint32_t)strlen(".000000");
	c->cells = CR_MAX(c->cells, MIN_COST_CELLS);
	cr_text_fini(&all);
}

static void
make_columns(struct cr_function_sheet *s, const char *head)
{
	uint32_t n = 0;

	for (size_t i = 0; i < CR_LEN(shown); i++) {
		if (shown[i].sides != s->table->sides)
			continue;
		s->columns[n] = shown[i].column;
		s->what[n] = shown[i].what;
		if (shown[i].what == COST)
			set_cost_column(s, &s->columns[n]);
		if (shown[i].what == NAME)
			s->columns[n].head = head;
		n++;
	}
	s->sheet.columns = s->columns;
	s->sheet.n_columns = n;
}

static struct cr_text *
text_new(void)
{
	struct cr_text *t = cr_alloc(1, sizeof(*t));

	*t = (struct cr_text){0};
	return t;
}

static void
text_free(struct cr_text *t)
{
	if (t)
		cr_text_fini(t);
	free(t);
}

void
cr_function_sheet_init(const struct cr_tree *t, const struct cr_table *table, const char *head,
	struct cr_function_sheet *out)
{
	*out = (struct cr_function_sheet){.tree = t,
		.table = table,
		.unit = t->unit,
		.shows_weights =
			t->summed && t->unit.len && !cr_str_eq(t->unit, CR_STR("samples"))};
	out->cost_head = text_new();
	out->text = text_new();
	out->brief = text_new();
	out->order = cr_alloc(CR_MAX(table->n, 1u), sizeof(*out->order));
	for (uint32_t i = 0; i < table->n; i++)
		out->order[i] = i;
	for (uint32_t i = 0; i < table->n; i++)
		out->most = CR_MAX(out->most, table->rows[i].cost[0].self);
	make_columns(out, head);
	out->sheet.n_rows = table->n;
	out->sheet.cell = function_cell;
	out->sheet.stands_for = function_ref;
	out->sheet.user = out;
	cr_sheet_lines_init(&out->lines, &out->sheet);
	out->is_measured = true;
}

void
cr_function_sheet_fini(struct cr_function_sheet *s)
{
	free(s->order);
	text_free(s->cost_head);
	text_free(s->text);
	text_free(s->brief);
	*s = (struct cr_function_sheet){.order = NULL};
}

void
cr_function_sheet_sort(struct cr_function_sheet *s, enum cr_table_sort sort, bool reverse)
{
	uint32_t n = 0;

	cr_table_order(s->table, sort, reverse, s->order);
	s->sort = sort;
	s->reverse = reverse;
	for (uint32_t i = 0; i < s->table->n; i++)
		if (!s->kept || s->kept[s->order[i]])
			s->order[n++] = s->order[i];
	s->sheet.n_rows = n;
}

void
cr_function_sheet_keep(struct cr_function_sheet *s, const uint8_t *rows)
{
	s->kept = rows;
	cr_function_sheet_sort(s, s->sort, s->reverse);
}
