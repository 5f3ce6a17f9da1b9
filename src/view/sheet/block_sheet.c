#include "view/sheet/block_sheet.h"

#include "base/hash.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	SHARE,
	CYCLES,
	MEAN,
	LEAST,
	MOST,
	N,
	RANGE,
	SYMBOL,
	FROM,
	TO,
	LINE_FROM,
	LINE_TO,
	DSO,
	COLUMNS
};

static const struct cr_sheet_column columns[COLUMNS] = {
	[SHARE] = {"Sampled Cycles%", "sampled_cycles_share", CR_SHEET_ALL, true, 15},
	[CYCLES] = {"Sampled Cycles", "sampled_cycles", CR_SHEET_ALL, true, 14},
	[MEAN] = {"Avg Cycles", "avg_cycles", CR_SHEET_ALL, true, 10},
	[LEAST] = {"Min", "min_cycles", CR_SHEET_ALL, true, 6},
	[MOST] = {"Max", "max_cycles", CR_SHEET_ALL, true, 6},
	[N] = CR_SHEET_RAW("branches"),
	[RANGE] = {"[Program Block Range]", "range", CR_SHEET_PEOPLE, false, 0, true},
	[SYMBOL] = CR_SHEET_RAW("sym"),
	[FROM] = CR_SHEET_RAW("start"),
	[TO] = CR_SHEET_RAW("end"),
	[LINE_FROM] = CR_SHEET_RAW("start_line"),
	[LINE_TO] = CR_SHEET_RAW("end_line"),
	[DSO] = {"Shared Object", "dso", CR_SHEET_ALL, false, 0},
};

/* The address where the block starts, or its function if that is not known. */
static uint64_t
start_of(const struct cr_profile *p, const struct cr_block_end *b)
{
	const struct cr_function *f = &p->functions[cr_block_function(p, b->location).i];

	if (b->start_location != CR_NO_ROW)
		return p->locations[b->start_location].addr;
	return f->name.len && f->addr != CR_ADDR_INLINED ? f->addr : p->locations[b->location].addr;
}

/* "x.c:12"; nothing if the line is not known. */
static void
put_line(const struct cr_profile *p, uint32_t location, struct cr_text *out)
{
	const struct cr_line *l =
		location == CR_NO_ROW ? NULL : &p->lines[p->locations[location].first_line];

	if (!l || !l->line || !cr_line_file(p, l).len)
		return;
	cr_text_str(out, cr_str_basename(cr_line_file(p, l)));
	cr_text_printf(out, ":%" PRIu32, l->line);
}

/* "main+0x14", or the address of code without a name. */
static void
put_place(const struct cr_profile *p, uint32_t location, uint64_t addr, struct cr_text *out)
{
	const struct cr_function *f = &p->functions[cr_block_function(p, location).i];

	if (f->name.len && f->addr != CR_ADDR_INLINED && addr >= f->addr) {
		cr_text_str(out, f->name);
		addr -= f->addr;
		cr_text_char(out, '+');
	}
	cr_text_printf(out, "0x%" PRIx64, addr);
}

static void
put_range(const struct cr_profile *p, const struct cr_block_end *b, struct cr_text *out)
{
	struct cr_text to = {0};

	cr_text_char(out, '[');
	put_line(p, b->start_location, out);
	put_line(p, b->location, &to);
	if (out->len == 1 || !to.len) {
		out->len = 1;
		cr_text_clear(&to);
		put_place(p, b->location, start_of(p, b), out);
		put_place(p, b->location, p->locations[b->location].addr, &to);
	}
	cr_text_puts(out, " -> ");
	cr_text_str(out, cr_text_view(&to));
	cr_text_char(out, ']');
	cr_text_fini(&to);
}

static void
put_text(const struct cr_profile *p, const struct cr_block_end *b, uint32_t column,
	struct cr_text *out)
{
	const struct cr_dso *dso = &p->dsos[p->locations[b->location].dso.i];
	struct cr_text made = {0};
	struct cr_str name;

	switch (column) {
	case RANGE: put_range(p, b, out); return;
	case SYMBOL:
		cr_text_str(out, p->functions[cr_block_function(p, b->location).i].name);
		return;
	case LINE_FROM: put_line(p, b->start_location, out); return;
	case LINE_TO: put_line(p, b->location, out); return;
	default:
		name = cr_dso_name(dso->name, (enum cr_kind)dso->kind, &made);
		cr_text_str(out, name.len ? name : CR_STR("[unknown]"));
		cr_text_fini(&made);
	}
}

static void
block_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_block_sheet *s = sheet->user;
	const struct cr_block_end *b = &s->blocks->ends.p[row];
	const uint64_t numbers[] = {[SHARE] = b->cycles,
		[CYCLES] = b->cycles,
		[MEAN] = b->cycles / b->n,
		[LEAST] = b->least,
		[MOST] = b->most,
		[N] = b->n,
		[FROM] = start_of(s->p, b),
		[TO] = s->p->locations[b->location].addr};

	*out = (struct cr_cell){.kind = CR_CELL_NUMBER, .whole = s->blocks->cycles};
	if (column == SHARE)
		out->kind = CR_CELL_SHARE;
	else if (column == FROM || column == TO)
		out->kind = CR_CELL_HEX;
	else if ((column == LEAST || column == MOST) && !numbers[column])
		out->kind = CR_CELL_NONE;
	else if (column > N)
		out->kind = CR_CELL_TEXT;
	if (out->kind == CR_CELL_NONE)
		return;
	if (out->kind != CR_CELL_TEXT) {
		out->number = numbers[column];
		return;
	}
	cr_text_clear(s->text);
	put_text(s->p, b, column, s->text);
	out->text = cr_text_view(s->text);
}

void
cr_block_sheet_init(const struct cr_profile *p, const struct cr_block_cycles *blocks,
	uint32_t limit, struct cr_block_sheet *out)
{
	const uint32_t all = (uint32_t)blocks->ends.n, n = limit ? CR_MIN(limit, all) : all;

	*out = (struct cr_block_sheet){.p = p, .blocks = blocks, .n_left_out = all - n};
	out->text = cr_alloc(1, sizeof(*out->text));
	out->sheet.columns = columns;
	out->sheet.n_columns = COLUMNS;
	out->sheet.n_rows = n;
	out->sheet.cell = block_cell;
	out->sheet.user = out;
}

void
cr_block_sheet_fini(struct cr_block_sheet *s)
{
	cr_text_fini(s->text);
	free(s->text);
	*s = (struct cr_block_sheet){.text = NULL};
}
