#include "view/sheet/sheet_lines.h"

#include "base/hash.h"
#include "base/utf8.h"
#include "view/style/ink_codes.h"
#include "view/style/label.h"

#include <string.h>

#define GAP_CELLS 2u
#define MIN_TEXT_CELLS 24u /* minimum width of names before columns of the next rank are shown */
#define MIN_BESIDE_CELLS 8u
/* If nothing is shortened: one long name should not push everything to the right. */
#define MAX_PAD_CELLS 60u
#define RANKS 6u

/* Columns of a line, and their widths. */
struct layout {
	uint32_t name, beside; /* the text columns; CR_SHEET_LINES_COLUMNS if none */
	uint32_t width[CR_SHEET_LINES_COLUMNS]; /* 0: hidden */
	bool limited;                           /* texts are shortened to their width */
	bool brief;                             /* the second text column uses its brief form */
};

static uint32_t
n_columns(const struct cr_sheet *s)
{
	return CR_MIN(s->n_columns, CR_SHEET_LINES_COLUMNS);
}

static bool
is_shown(const struct cr_sheet *s, uint32_t column)
{
	return s->columns[column].audience & CR_SHEET_PEOPLE;
}

/* A column whose texts may be shortened. */
static bool
is_text(const struct cr_sheet *s, uint32_t column)
{
	return is_shown(s, column) && !s->columns[column].right && !s->columns[column].fixed;
}

static uint32_t
head_cells(const struct cr_sheet *s, uint32_t column)
{
	return (uint32_t)cr_utf8_cells(cr_str_of(s->columns[column].head));
}

static uint32_t
gap(const struct cr_sheet *s, uint32_t column)
{
	return GAP_CELLS - CR_MIN(GAP_CELLS, (uint32_t)s->columns[column].closer);
}

/* ---- measuring */

/* Most texts need not be printed to know how wide they are. */
static uint32_t
cell_cells(const struct cr_cell *c, struct cr_text *scratch)
{
	if (c->kind == CR_CELL_TEXT && cr_utf8_plain(c->text) == c->text.len)
		return c->indent + (uint32_t)strlen(c->before) + c->text.len +
		       (c->behind ? (uint32_t)strlen(c->behind) : 0);
	cr_text_clear(scratch);
	cr_cell_put(c, scratch);
	return scratch->len ? cr_utf8_cells(cr_text_view(scratch)) : 0;
}

static void
measure(struct cr_sheet_lines *l, uint32_t column, struct cr_text *scratch)
{
	const struct cr_sheet *s = l->sheet;

	for (uint32_t row = 0; row < s->n_rows; row++) {
		struct cr_cell cell = {0};
		uint32_t cells;

		s->cell(s, row, column, &cell);
		cells = cell_cells(&cell, scratch);
		l->widest[column] = CR_MAX(l->widest[column], cells);
		if (cell.brief.len) {
			cell.text = cell.brief;
			cells = cell_cells(&cell, scratch);
		}
		l->briefest[column] = CR_MAX(l->briefest[column], cells);
	}
}

void
cr_sheet_lines_init(struct cr_sheet_lines *l, const struct cr_sheet *s)
{
	struct cr_text scratch = {0};

	*l = (struct cr_sheet_lines){.sheet = s};
	for (uint32_t i = 0; i < n_columns(s); i++)
		if (is_shown(s, i) && !s->columns[i].fixed)
			measure(l, i, &scratch);
	cr_text_fini(&scratch);
}

/* ---- layout */

static uint32_t
number_cells(const struct cr_sheet_lines *l, uint32_t column)
{
	const struct cr_sheet_column *c = &l->sheet->columns[column];
	const uint32_t least = CR_MAX((uint32_t)c->cells, head_cells(l->sheet, column));

	return c->fixed ? c->cells : CR_MAX(least, l->widest[column]);
}

/*
 * True if the column has this rank, is not one of the texts, and may be shown in lines of `cells`
 * cells.
 */
static bool
is_ranked(const struct cr_sheet *s, uint32_t column, uint32_t rank, uint32_t cells,
	const struct layout *out)
{
	return is_shown(s, column) && column != out->name && column != out->beside &&
	       s->columns[column].rank == rank && (!cells || cells >= s->columns[column].from);
}

/* Show the columns of a rank if enough is left for the texts. Returns their width. */
static uint32_t
layout_rank(const struct cr_sheet_lines *l, uint32_t rank, uint32_t used, uint32_t cells,
	struct layout *out)
{
	const struct cr_sheet *s = l->sheet;
	uint32_t more = 0;

	for (uint32_t i = 0; i < n_columns(s); i++)
		if (is_ranked(s, i, rank, cells, out))
			more += gap(s, i) + number_cells(l, i);
	if (rank > 0 && cells > 0 && used + more + MIN_TEXT_CELLS > cells)
		return 0;
	for (uint32_t i = 0; i < n_columns(s); i++)
		if (is_ranked(s, i, rank, cells, out))
			out->width[i] = number_cells(l, i);
	return more;
}

/* Divide `left` cells between the two text columns. */
static void
layout_texts(const struct cr_sheet_lines *l, uint32_t left, struct layout *out)
{
	const uint32_t names = CR_MAX(l->widest[out->name], head_cells(l->sheet, out->name));
	const uint32_t beside = out->beside < CR_SHEET_LINES_COLUMNS ? l->widest[out->beside] : 0;

	out->limited = true;
	if (beside == 0 || left < MIN_TEXT_CELLS) {
		out->width[out->name] = left;
		return;
	}
	if (names + GAP_CELLS + beside <= left) {
		out->width[out->name] = names;
	} else {
		const uint32_t brief =
			CR_MIN(l->briefest[out->beside], CR_MAX(left / 3, MIN_BESIDE_CELLS));

		out->brief = true;
		out->width[out->name] = CR_MIN(names, left - GAP_CELLS - brief);
	}
	out->width[out->beside] = left - GAP_CELLS - out->width[out->name];
}

static void
find_texts(const struct cr_sheet *s, struct layout *out)
{
	out->name = out->beside = CR_SHEET_LINES_COLUMNS;
	for (uint32_t i = 0; i < n_columns(s); i++) {
		if (!is_text(s, i))
			continue;
		if (out->name == CR_SHEET_LINES_COLUMNS)
			out->name = i;
		else if (out->beside == CR_SHEET_LINES_COLUMNS)
			out->beside = i;
	}
}

static struct layout
layout_of(const struct cr_sheet_lines *l, uint32_t cells)
{
	struct layout out = {.limited = false};
	uint32_t used;

	find_texts(l->sheet, &out);
	used = out.name < CR_SHEET_LINES_COLUMNS ? gap(l->sheet, out.name) : 0;
	for (uint32_t rank = 0; rank < RANKS; rank++)
		used += layout_rank(l, rank, used, cells, &out);
	if (out.name == CR_SHEET_LINES_COLUMNS)
		return out;
	if (cells > 0) {
		layout_texts(l, cells > used ? cells - used : 1, &out);
		return out;
	}
	out.width[out.name] =
		CR_MIN(CR_MAX(l->widest[out.name], head_cells(l->sheet, out.name)), MAX_PAD_CELLS);
	if (out.beside < CR_SHEET_LINES_COLUMNS)
		out.width[out.beside] = l->widest[out.beside];
	return out;
}

/* ---- drawing */

/* One cell in its column: numbers are right-aligned, and only texts are shortened. */
static void
put_cell(const struct cr_sheet_lines *l, const struct layout *at, uint32_t column,
	struct cr_cell *cell, struct cr_text *scratch, struct cr_paint *out)
{
	const struct cr_sheet_column *c = &l->sheet->columns[column];
	const bool is_flexible = column == at->name || column == at->beside;
	const bool cut = is_flexible ? at->limited : !c->right;
	const uint32_t from = out->x + gap(l->sheet, column);
	uint32_t cells;

	if (column == at->beside && at->brief && cell->brief.len)
		cell->text = cell->brief;
	cr_text_clear(scratch);
	if (cut)
		cr_cell_fit(cell, at->width[column], scratch);
	else
		cr_cell_put(cell, scratch);
	if (l->sheet->ascii)
		cr_label_ascii(scratch, 0);
	cells = scratch->len ? cr_utf8_cells(cr_text_view(scratch)) : 0;
	cr_paint_to(
		out, from + (c->right ? at->width[column] - CR_MIN(cells, at->width[column]) : 0));
	if (scratch->len)
		cr_paint_chart(out, (enum cr_ink)(l->sheet->inks ? cr_cell_ink(cell) : cell->ink),
			cell->level, cr_text_view(scratch));
	cr_paint_to(out, from + at->width[column]);
}

static void
end_line(struct cr_text *out)
{
	while (out->len && out->p[out->len - 1] == ' ')
		out->len--;
	if (out->p)
		out->p[out->len] = '\0';
}

/* row CR_NO_ROW: the headings. cells 0: as wide as needed. */
static void
put_line(const struct cr_sheet_lines *l, uint32_t row, uint32_t cells, struct cr_paint *out)
{
	const struct cr_sheet *s = l->sheet;
	const struct layout at = layout_of(l, cells);
	struct cr_text scratch = {0};

	for (uint32_t i = 0; i < n_columns(s); i++) {
		struct cr_cell cell = {0};

		if (!at.width[i])
			continue;
		if (row == CR_NO_ROW)
			cell = (struct cr_cell){.kind = CR_CELL_TEXT,
				.text = cr_str_of(s->columns[i].head),
				.ink = CR_INK_HEADING};
		else
			s->cell(s, row, i, &cell);
		put_cell(l, &at, i, &cell, &scratch, out);
	}
	cr_text_fini(&scratch);
}

static void
put_text(const struct cr_sheet_lines *l, uint32_t row, uint32_t cells, struct cr_text *out)
{
	struct cr_text text = {0};
	cr_ink_spans spans = {0};
	struct cr_paint paint = {.out = &text, .spans = l->sheet->inks ? &spans : NULL};

	put_line(l, row, cells, &paint);
	end_line(&text);
	cr_ink_codes_line(out, cr_text_view(&text), &spans);
	cr_vec_fini(&spans);
	cr_text_fini(&text);
}

void
cr_sheet_lines_head(const struct cr_sheet_lines *l, uint32_t cells, struct cr_text *out)
{
	put_text(l, CR_NO_ROW, cells, out);
}

void
cr_sheet_lines_row(
	const struct cr_sheet_lines *l, uint32_t row, uint32_t cells, struct cr_text *out)
{
	put_text(l, row, cells, out);
}

void
cr_sheet_lines_paint(const struct cr_sheet_lines *l, uint32_t row, struct cr_paint *out)
{
	put_line(l, row, out->width, out);
}
