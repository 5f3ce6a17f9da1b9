#include "view/sheet/sheet.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "view/style/label.h"
#include "view/style/paint.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define TEXT_LEAST 12u /* minimum width of a text */

/* As printf("0x%016x") does: millions of them are printed. */
static void
put_address(uint64_t addr, struct cr_text *out)
{
	char digits[18] = "0x";

	for (uint32_t i = 0; i < 16; i++)
		digits[2 + i] = "0123456789abcdef"[addr >> (60 - 4 * i) & 15];
	cr_text_put(out, digits, sizeof(digits));
}

/* Rounds like printf("%.2f%%"), which is called only near the middle between two hundredths. */
static void
put_percent(double percent, struct cr_text *out)
{
	const double hundredths = percent * 100;
	const uint32_t below = percent < 1000 ? (uint32_t)hundredths : 0;
	const double rest = hundredths - below;
	const uint32_t n = below + (rest > 0.5);

	if (percent >= 1000 || (rest > 0.499 && rest < 0.501)) {
		cr_text_printf(out, "%.2f%%", percent);
		return;
	}
	cr_text_u64(out, n / 100);
	cr_text_put(
		out, (const char[]){'.', (char)('0' + n / 10 % 10), (char)('0' + n % 10), '%'}, 4);
}

void
cr_cell_put(const struct cr_cell *c, struct cr_text *out)
{
	switch ((enum cr_cell_kind)c->kind) {
	case CR_CELL_NONE: return;
	case CR_CELL_TEXT:
		cr_text_pad(out, ' ', c->indent);
		cr_text_puts(out, c->before);
		cr_text_safe(out, c->text);
		if (c->behind)
			cr_text_puts(out, c->behind);
		return;
	case CR_CELL_NUMBER: cr_text_u64(out, c->number); return;
	case CR_CELL_PADDED: cr_text_printf(out, "%03" PRIu64, c->number); return;
	case CR_CELL_SIGNED: cr_text_printf(out, "%" PRId64, (int64_t)c->number); return;
	case CR_CELL_HEX:
		cr_text_puts(out, c->before);
		put_address(c->number, out);
		return;
	case CR_CELL_SHARE:
		put_percent(c->whole ? 100.0 * (double)c->number / (double)c->whole : 0.0, out);
		return;
	case CR_CELL_BOOL: cr_text_puts(out, c->number ? "true" : "false"); return;
	case CR_CELL_REAL:
		if (!isnan(c->real))
			cr_text_printf(out, "%.8g", c->real);
		return;
	}
}

static uint32_t
cells_from(const struct cr_text *t, size_t from)
{
	return t->len > from
		       ? cr_utf8_cells((struct cr_str){t->p + from, (uint32_t)(t->len - from)})
		       : 0;
}

/* The text is shortened; what surrounds it is dropped if too little of the text would remain. */
static void
fit_text(const struct cr_cell *c, uint32_t cells, struct cr_text *out)
{
	const uint32_t before = (uint32_t)strlen(c->before),
		       behind = c->behind ? (uint32_t)strlen(c->behind) : 0;
	const uint32_t indent = CR_MIN(c->indent, cells - CR_MIN(cells, before + TEXT_LEAST));
	const uint32_t room = cells - CR_MIN(cells, indent + before);

	cr_text_pad(out, ' ', indent);
	cr_text_puts(out, c->before);
	if (behind && room >= 2 * behind) {
		cr_label_fit(out, c->text, room - behind);
		cr_text_puts(out, c->behind);
	} else {
		cr_label_fit(out, c->text, room);
	}
}

#define GOOD_PPM 5000 /* the threshold of perf report for green */

uint8_t
cr_cell_ink(const struct cr_cell *c)
{
	uint32_t ppm;
	enum cr_ink ink;

	if (c->ink || c->kind != CR_CELL_SHARE)
		return c->ink;
	ppm = cr_share_ppm(c->number, c->whole);
	ink = cr_ink_of_share(ppm);
	return (uint8_t)(ink == CR_INK_PLAIN && ppm >= GOOD_PPM ? CR_INK_GOOD : ink);
}

void
cr_cell_fit(const struct cr_cell *c, uint32_t cells, struct cr_text *out)
{
	const size_t from = out->len;

	cr_cell_put(c, out);
	if (cells_from(out, from) <= cells)
		return;
	if (c->kind == CR_CELL_TEXT) {
		struct cr_cell shown = *c;

		if (c->brief.len)
			shown.text = c->brief;
		out->len = from;
		fit_text(&shown, cells, out);
	}
	if (cells_from(out, from) > cells)
		out->len = from +
			   cr_utf8_fit((struct cr_str){out->p + from, (uint32_t)(out->len - from)},
				   cells);
	out->p[out->len] = '\0';
}

struct cr_row_ref
cr_sheet_row_ref(const struct cr_sheet *s, uint32_t row)
{
	struct cr_row_ref ref = {.kind = CR_ROW_NONE};

	if (s->stands_for)
		s->stands_for(s, row, &ref);
	return ref;
}

/* Cells of the longest share that is not more than all. */
#define SHARE_CELLS 7u

static uint32_t
column_width(const struct cr_sheet *s, uint32_t column, struct cr_text *scratch)
{
	const struct cr_sheet_column *c = &s->columns[column];
	uint32_t width = CR_MAX((uint32_t)strlen(c->head), (uint32_t)c->cells);

	for (uint32_t row = 0; row < s->n_rows; row++) {
		struct cr_cell cell = {0};

		cr_text_clear(scratch);
		s->cell(s, row, column, &cell);
		if (cell.kind == CR_CELL_SHARE && width >= SHARE_CELLS && cell.number <= cell.whole)
			continue;
		cr_cell_put(&cell, scratch);
		width = CR_MAX(width, cr_utf8_cells(cr_text_view(scratch)));
	}
	return width;
}

/* True for text columns without a requested width. */
static bool
is_flexible(const struct cr_sheet *s, uint32_t column, uint32_t shown)
{
	return (s->columns[column].audience & CR_SHEET_PEOPLE) && !s->columns[column].right &&
	       !(shown < s->n_widths && s->widths[shown]);
}

static uint32_t
claim(const struct cr_sheet *s, const uint32_t *widths, uint32_t column)
{
	return s->columns[column].is_name ? widths[column] / 2 : widths[column];
}

/* Narrow the widest column that can be narrowed, by one cell. */
static bool
narrow_widest(const struct cr_sheet *s, uint32_t *widths)
{
	uint32_t widest = s->n_columns, shown = 0;

	for (uint32_t i = 0; i < s->n_columns; i++) {
		const struct cr_sheet_column *c = &s->columns[i];
		const uint32_t least =
			CR_MAX(CR_MAX((uint32_t)strlen(c->head), (uint32_t)c->cells), TEXT_LEAST);

		if (is_flexible(s, i, shown) && widths[i] > least &&
			(widest == s->n_columns || claim(s, widths, i) > claim(s, widths, widest)))
			widest = i;
		shown += (c->audience & CR_SHEET_PEOPLE) != 0;
	}
	if (widest < s->n_columns)
		widths[widest]--;
	return widest < s->n_columns;
}

static void
narrow(const struct cr_sheet *s, uint32_t *widths)
{
	uint64_t cells = s->indent ? s->head_indent : 0;

	for (uint32_t i = 0; i < s->n_columns; i++)
		if (s->columns[i].audience & CR_SHEET_PEOPLE)
			cells += 2 + (uint64_t)widths[i];
	while (cells > s->line_cells && narrow_widest(s, widths))
		cells--;
}

uint32_t *
cr_sheet_widths(const struct cr_sheet *s)
{
	uint32_t *widths = cr_alloc(s->n_columns, sizeof(*widths)), shown = 0;
	struct cr_text scratch = {0};

	for (uint32_t i = 0; i < s->n_columns; i++) {
		if (!(s->columns[i].audience & CR_SHEET_PEOPLE))
			continue;
		if (shown < s->n_widths && s->widths[shown])
			widths[i] = s->widths[shown];
		else
			widths[i] = column_width(s, i, &scratch);
		shown++;
	}
	cr_text_fini(&scratch);
	if (s->line_cells)
		narrow(s, widths);
	return widths;
}
