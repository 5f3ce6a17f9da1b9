#include "view/listing/annotate_sheet.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum column {
	KIND,
	FILE_NAME,
	LINE,
	FUNCTION,
	INLINED,
	ADDRESS,
	SELF,
	SELF_SAMPLES,
	TOTAL,
	TOTAL_SAMPLES,
	SELF_SHARE,
	TOTAL_SHARE,
	TEXT,
	CYCLES,
	BLOCKS,
	CYCLES_MIN,
	CYCLES_MAX,
	IPC,
	TYPE,
	COLUMNS
};

static const struct cr_sheet_column columns[] = {
	[KIND] = {.head = "Kind", .id = "kind", .audience = CR_SHEET_ALL},
	[FILE_NAME] = {.head = "File", .id = "file", .audience = CR_SHEET_ALL},
	[LINE] = {.head = "Line", .id = "line", .audience = CR_SHEET_ALL},
	[FUNCTION] = {.head = "Function", .id = "function", .audience = CR_SHEET_ALL},
	[INLINED] = {.head = "Inlined", .id = "inlined", .audience = CR_SHEET_ALL},
	[ADDRESS] = {.head = "Address", .id = "address", .audience = CR_SHEET_ALL},
	[SELF] = {.head = "Self", .id = "self", .audience = CR_SHEET_ALL},
	[SELF_SAMPLES] = {.head = "Self samples", .id = "self_samples", .audience = CR_SHEET_ALL},
	[TOTAL] = {.head = "Total", .id = "total", .audience = CR_SHEET_ALL},
	[TOTAL_SAMPLES] = {.head = "Total samples",
		.id = "total_samples",
		.audience = CR_SHEET_ALL},
	[SELF_SHARE] = {.head = "Self share", .id = "self_share", .audience = CR_SHEET_ALL},
	[TOTAL_SHARE] = {.head = "Total share", .id = "total_share", .audience = CR_SHEET_ALL},
	[TEXT] = {.head = "Text", .id = "text", .audience = CR_SHEET_ALL},
	/* Only if the profile has cycles of blocks: */
	[CYCLES] = {.head = "Cycles", .id = "cycles", .audience = CR_SHEET_ALL},
	[BLOCKS] = {.head = "Blocks", .id = "blocks", .audience = CR_SHEET_ALL},
	[CYCLES_MIN] = {.head = "Min cycles", .id = "cycles_min", .audience = CR_SHEET_ALL},
	[CYCLES_MAX] = {.head = "Max cycles", .id = "cycles_max", .audience = CR_SHEET_ALL},
	[IPC] = {.head = "IPC", .id = "ipc", .audience = CR_SHEET_ALL},
	/* Only if it has types of data: */
	[TYPE] = {.head = "Type", .id = "type", .audience = CR_SHEET_ALL},
};

_Static_assert(CR_LEN(columns) == CR_ANNOTATE_COLUMNS, "all columns");

static void
line_cell(const struct cr_annotate_sheet *x, const struct cr_annotate_line *l, enum column column,
	struct cr_cell *out)
{
	if (column == FILE_NAME && l->file.len)
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = l->file};
	else if (column == LINE && l->line)
		*out = (struct cr_cell){.kind = CR_CELL_NUMBER, .number = l->line};
	else if (column == FUNCTION)
		*out = (struct cr_cell){
			.kind = CR_CELL_TEXT, .text = x->in->p->functions[l->function.i].name};
	else if (column == INLINED)
		*out = (struct cr_cell){.kind = CR_CELL_BOOL, .number = l->at != CR_NO_ROW};
}

static void
cost_cell(const struct cr_annotate_sheet *x, const struct cr_cost *c, enum column column,
	struct cr_cell *out)
{
	const bool hits = x->opts.hits;
	const uint64_t numbers[] = {c->self, c->self_samples, c->total, c->total_samples,
		hits ? c->self_samples : c->self, hits ? c->total_samples : c->total};

	*out = (struct cr_cell){.kind = column >= SELF_SHARE ? CR_CELL_SHARE : CR_CELL_NUMBER,
		.number = numbers[column - SELF],
		.whole = x->opts.whole};
}

/* Nothing where no block ends, and of lines no instructions each cycle. */
static void
block_cell(const struct cr_block_sum *b, const struct cr_annotate_address *addr, enum column column,
	struct cr_cell *out)
{
	const uint64_t numbers[] = {b->n ? b->cycles / b->n : 0, b->n, b->least, b->most};

	if (column == IPC && addr && addr->run_cycles)
		*out = (struct cr_cell){.kind = CR_CELL_REAL,
			.real = (double)addr->run_instructions / (double)addr->run_cycles};
	else if (column != IPC && b->n && (numbers[column - CYCLES] || column == CYCLES))
		*out = (struct cr_cell){.kind = CR_CELL_NUMBER, .number = numbers[column - CYCLES]};
}

static void
cell(const struct cr_sheet *s, uint32_t at_row, uint32_t at, struct cr_cell *out)
{
	const struct cr_annotate_sheet *x = s->user;
	const struct cr_annotate *a = x->in->a;
	const uint32_t row = x->rows[at_row];
	const enum column column = (enum column)at;
	const bool is_line = row < a->lines.n;
	const struct cr_annotate_address *addr = is_line ? NULL : &a->addresses.p[row - a->lines.n];
	const uint32_t line = is_line ? row : addr->line;
	uint64_t shown = addr ? addr->addr : 0;
	struct cr_str text = {"", 0};

	*out = (struct cr_cell){.kind = CR_CELL_NONE};
	if (addr && (column == ADDRESS || column == TEXT))
		x->in->code(x->in->user, addr, &shown, &text);
	if (column == KIND)
		*out = (struct cr_cell){
			.kind = CR_CELL_TEXT, .text = is_line ? CR_STR("line") : CR_STR("address")};
	else if (column >= SELF && column <= TOTAL_SHARE)
		cost_cell(x, is_line ? &a->lines.p[row].cost : &addr->cost, column, out);
	else if (column == TYPE && addr && addr->type.len)
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = addr->type};
	else if (column > TEXT && column < TYPE)
		block_cell(is_line ? &a->lines.p[row].blocks : &addr->blocks, addr, column, out);
	else if (column == ADDRESS && addr)
		*out = (struct cr_cell){.kind = CR_CELL_HEX, .number = shown};
	else if (column == TEXT && is_line)
		x->in->source(x->in->user, a->lines.p[row].file, a->lines.p[row].line, &text);
	else if (column == FUNCTION && addr)
		*out = (struct cr_cell){
			.kind = CR_CELL_TEXT, .text = x->in->p->functions[addr->function.i].name};
	else if (line != CR_NO_ROW)
		line_cell(x, &a->lines.p[line], column, out);
	if (column == TEXT)
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = text};
}

/* Instructions without cost are included, unless there is a minimum. */
static bool
is_asked_for(const struct cr_annotate_sheet *x, const struct cr_cost *c)
{
	return !x->opts.has_least || cr_listing_counts(x->in, c);
}

static uint32_t
choose_rows(struct cr_annotate_sheet *x)
{
	const struct cr_annotate *a = x->in->a;
	uint32_t n = 0;

	x->rows = cr_alloc(a->lines.n + a->addresses.n, sizeof(*x->rows));
	for (size_t i = 0; x->opts.lines && i < a->lines.n; i++)
		if (is_asked_for(x, &a->lines.p[i].cost))
			x->rows[n++] = (uint32_t)i;
	for (size_t i = 0; x->opts.addresses && i < a->addresses.n; i++)
		if (is_asked_for(x, &a->addresses.p[i].cost))
			x->rows[n++] = (uint32_t)(a->lines.n + i);
	return n;
}

static void
annotate_ref(const struct cr_sheet *s, uint32_t at_row, struct cr_row_ref *out)
{
	const struct cr_annotate_sheet *x = s->user;
	const struct cr_annotate *a = x->in->a;
	const uint32_t row = x->rows[at_row];

	if (row < a->lines.n)
		*out = (struct cr_row_ref){.kind = CR_ROW_LINE,
			.id = a->lines.p[row].line,
			.name = a->lines.p[row].file};
	else
		*out = (struct cr_row_ref){
			.kind = CR_ROW_ADDRESS, .from = a->addresses.p[row - a->lines.n].addr};
}

void
cr_annotate_sheet_init(const struct cr_listing_in *in, const struct cr_annotate_sheet_opts *opts,
	struct cr_annotate_sheet *out)
{
	*out = (struct cr_annotate_sheet){.in = in, .opts = *opts};
	memcpy(out->columns, columns, sizeof(columns));
	for (uint32_t i = CYCLES; i < TYPE && !in->a->has_blocks; i++)
		out->columns[i].audience = 0;
	if (!in->a->has_types)
		out->columns[TYPE].audience = 0;
	out->sheet = (struct cr_sheet){.columns = out->columns,
		.n_columns = COLUMNS,
		.n_rows = choose_rows(out),
		.cell = cell,
		.stands_for = annotate_ref,
		.user = out};
}

void
cr_annotate_sheet_fini(struct cr_annotate_sheet *s)
{
	free(s->rows);
	*s = (struct cr_annotate_sheet){.rows = NULL};
}
