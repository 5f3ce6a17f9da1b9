#include "cresset/view/sheet.h"

#include "cresset/base/mem.h"
#include "cresset/base/utf8.h"

#include <inttypes.h>
#include <string.h>

void
cr_cell_put(const struct cr_cell *c, struct cr_text *out)
{
	switch ((enum cr_cell_kind)c->kind) {
	case CR_CELL_NONE: return;
	case CR_CELL_TEXT:
		cr_text_puts(out, c->before);
		cr_text_safe(out, c->text);
		if (c->behind)
			cr_text_puts(out, c->behind);
		return;
	case CR_CELL_NUMBER: cr_text_u64(out, c->number); return;
	case CR_CELL_PADDED: cr_text_printf(out, "%03" PRIu64, c->number); return;
	case CR_CELL_SIGNED: cr_text_printf(out, "%" PRId64, (int64_t)c->number); return;
	case CR_CELL_HEX: cr_text_printf(out, "%s0x%016" PRIx64, c->before, c->number); return;
	case CR_CELL_SHARE:
		cr_text_printf(out, "%.2f%%", c->whole ? 100.0 * (double)c->number / (double)c->whole : 0.0);
		return;
	case CR_CELL_BOOL: cr_text_puts(out, c->number ? "true" : "false"); return;
	}
}

static uint32_t
column_width(const struct cr_sheet *s, uint32_t column, struct cr_text *scratch)
{
	const struct cr_sheet_column *c = &s->columns[column];
	uint32_t width = CR_MAX((uint32_t)strlen(c->head), (uint32_t)c->cells);

	for (uint32_t row = 0; row < s->n_rows; row++) {
		struct cr_cell cell = {0};

		cr_text_clear(scratch);
		s->cell(s, row, column, &cell);
		cr_cell_put(&cell, scratch);
		width = CR_MAX(width, cr_utf8_cells(cr_text_view(scratch)));
	}
	return width;
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
	return widths;
}
