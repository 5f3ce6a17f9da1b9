#include "view/sheet/node_sheet.h"

enum what {
	PART,
	DEPTH,
	NAME,
	DSO,
	INLINED,
	SELF,
	TOTAL,
	SELF_SAMPLES,
	TOTAL_SAMPLES,
	AFTER = 16, /* added: of the second side */
};

/* sides: the number of sides of trees that have the column; 0: any. */
static const struct {
	uint8_t what;
	uint32_t sides;
	const char *id;
} all[] = {
	{PART, 0, "part"},
	{DEPTH, 0, "depth"},
	{NAME, 0, "name"},
	{DSO, 0, "dso"},
	{INLINED, 0, "inlined"},
	{SELF, 1, "self"},
	{TOTAL, 1, "total"},
	{SELF_SAMPLES, 1, "self_samples"},
	{TOTAL_SAMPLES, 1, "total_samples"},
	{SELF, 2, "self_before"},
	{SELF + AFTER, 2, "self_after"},
	{TOTAL, 2, "total_before"},
	{TOTAL + AFTER, 2, "total_after"},
	{SELF_SAMPLES, 2, "self_samples_before"},
	{SELF_SAMPLES + AFTER, 2, "self_samples_after"},
	{TOTAL_SAMPLES, 2, "total_samples_before"},
	{TOTAL_SAMPLES + AFTER, 2, "total_samples_after"},
};

static const uint64_t *
costs_of(const struct cr_tree *t, enum what what, uint32_t side)
{
	switch (what) {
	case SELF: return t->self[side];
	case TOTAL: return t->total[side];
	case SELF_SAMPLES: return t->self_samples[side];
	default: return t->total_samples[side];
	}
}

static void
node_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_node_sheet *s = sheet->user;
	const struct cr_node_row *r = &s->rows.p[row];
	const struct cr_frame *f = &r->tree->frames[r->tree->frame[r->node]];
	const uint8_t what = s->what[column];

	out->kind = CR_CELL_NUMBER;
	if (what == DEPTH) {
		out->number = r->depth;
	} else if (what == INLINED) {
		*out = (struct cr_cell){.kind = CR_CELL_BOOL, .number = f->inlined};
	} else if (what <= DSO) {
		*out = (struct cr_cell){.kind = CR_CELL_TEXT,
			.text = what == NAME  ? f->name
				: what == DSO ? f->dso
					      : cr_str_of(r->part)};
	} else {
		out->number = costs_of(r->tree, (enum what)(what % AFTER), what >= AFTER)[r->node];
	}
}

static void
node_ref(const struct cr_sheet *sheet, uint32_t row, struct cr_row_ref *out)
{
	const struct cr_node_row *r = &((const struct cr_node_sheet *)sheet->user)->rows.p[row];

	*out = (struct cr_row_ref){.kind = CR_ROW_NODE,
		.id = r->node,
		.name = r->tree->frames[r->tree->frame[r->node]].name};
}

void
cr_node_sheet_init(uint32_t sides, bool parts, struct cr_node_sheet *out)
{
	uint32_t n = 0;

	*out = (struct cr_node_sheet){.rows = {0}};
	for (size_t i = 0; i < CR_LEN(all); i++) {
		if ((all[i].sides && all[i].sides != sides) || (all[i].what == PART && !parts))
			continue;
		out->what[n] = all[i].what;
		out->columns[n++] = (struct cr_sheet_column)CR_SHEET_RAW(all[i].id);
	}
	out->sheet = (struct cr_sheet){.columns = out->columns,
		.n_columns = n,
		.cell = node_cell,
		.stands_for = node_ref,
		.user = out};
}

void
cr_node_sheet_fini(struct cr_node_sheet *s)
{
	cr_vec_fini(&s->rows);
}

void
cr_node_sheet_add(struct cr_node_sheet *s, struct cr_node_row row)
{
	cr_vec_push(&s->rows, row);
	s->sheet.n_rows = (uint32_t)s->rows.n;
}
