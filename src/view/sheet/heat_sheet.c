#include "view/sheet/heat_sheet.h"

#include "base/vec.h"
#include "view/style/chart.h"

#include <stdlib.h>

#define SECOND_NS UINT64_C(1000000000)

enum column { SECOND, OFFSET, SAMPLES };

static const struct cr_sheet_column columns[] = {
	[SECOND] = {"second", "second", CR_SHEET_ALL, true, 0},
	[OFFSET] = {"offset_s", "offset_s", CR_SHEET_ALL, true, 0},
	[SAMPLES] = {"samples", "samples", CR_SHEET_ALL, true, 0},
};

/* Start of the second that contains a cell. */
static uint64_t
second_of(const struct cr_heat *h, uint32_t cell)
{
	return h->span.from_ns + cell / h->rows * SECOND_NS;
}

static uint64_t
offset_of(const struct cr_heat *h, uint32_t row)
{
	return row * SECOND_NS / h->rows;
}

static void
heat_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_heat_sheet *s = sheet->user;
	const uint32_t cell = s->cells[row];

	if (column == SAMPLES) {
		*out = (struct cr_cell){.kind = CR_CELL_NUMBER, .number = s->heat->samples[cell]};
		return;
	}
	cr_text_clear(s->text);
	cr_chart_seconds(s->text, column == SECOND ? second_of(s->heat, cell)
						   : offset_of(s->heat, cell % s->heat->rows));
	*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = cr_text_view(s->text)};
}

static void
heat_ref(const struct cr_sheet *sheet, uint32_t row, struct cr_row_ref *out)
{
	const struct cr_heat_sheet *s = sheet->user;
	const uint32_t cell = s->cells[row], at = cell % s->heat->rows;
	const uint64_t second = second_of(s->heat, cell);

	*out = (struct cr_row_ref){.kind = CR_ROW_RANGE,
		.from = second + offset_of(s->heat, at),
		.to = second + offset_of(s->heat, at + 1)};
}

void
cr_heat_sheet_init(const struct cr_heat *h, struct cr_heat_sheet *out)
{
	CR_VEC(uint32_t) cells = {0};

	for (uint32_t i = 0; i < h->columns * h->rows; i++)
		if (h->samples[i])
			cr_vec_push(&cells, i);
	*out = (struct cr_heat_sheet){.heat = h, .cells = cells.p};
	out->text = cr_alloc(1, sizeof(*out->text));
	*out->text = (struct cr_text){0};
	out->sheet = (struct cr_sheet){.columns = columns,
		.n_columns = CR_LEN(columns),
		.n_rows = (uint32_t)cells.n,
		.cell = heat_cell,
		.stands_for = heat_ref,
		.user = out};
}

void
cr_heat_sheet_fini(struct cr_heat_sheet *s)
{
	if (s->text)
		cr_text_fini(s->text);
	free(s->text);
	free(s->cells);
	*s = (struct cr_heat_sheet){0};
}
