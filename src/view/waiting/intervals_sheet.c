#include "view/waiting/intervals_sheet.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum column { PAIR, KEY, COUNT, TOTAL, LEAST, MEAN, MOST, TOTAL_NS, LEAST_NS, MEAN_NS, MOST_NS };

static const struct cr_sheet_column columns[] = {
	[PAIR] = {"Interval", "interval", CR_SHEET_ALL, false, 9},
	[KEY] = {"Function", "key", CR_SHEET_ALL, false, 0},
	[COUNT] = {"Count", "count", CR_SHEET_ALL, true, 7},
	[TOTAL] = {"Total", "total", CR_SHEET_PEOPLE, true, 9},
	[LEAST] = {"Min", "min", CR_SHEET_PEOPLE, true, 9},
	[MEAN] = {"Avg", "avg", CR_SHEET_PEOPLE, true, 9},
	[MOST] = {"Max", "max", CR_SHEET_PEOPLE, true, 9},
	[TOTAL_NS] = CR_SHEET_RAW("total_ns"),
	[LEAST_NS] = CR_SHEET_RAW("min_ns"),
	[MEAN_NS] = CR_SHEET_RAW("avg_ns"),
	[MOST_NS] = CR_SHEET_RAW("max_ns"),
};

_Static_assert(CR_LEN(columns) == CR_INTERVALS_COLUMNS, "all columns");

static double
time_of(const struct cr_interval_row *r, uint32_t column)
{
	switch (column) {
	case TOTAL:
	case TOTAL_NS: return (double)r->sum;
	case LEAST:
	case LEAST_NS: return (double)r->least;
	case MEAN:
	case MEAN_NS: return r->count ? (double)r->sum / (double)r->count : 0;
	default: return (double)r->most;
	}
}

static void
intervals_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_intervals_sheet *s = sheet->user;
	const bool is_sum = s->with_sums && row + 1 == sheet->n_rows;
	const struct cr_interval_row *r = is_sum ? &s->intervals->all : &s->intervals->rows[row];

	*out = (struct cr_cell){.kind = CR_CELL_TEXT};
	if (column == PAIR) {
		out->text = is_sum ? CR_STR("all") : r->pair;
	} else if (column == KEY) {
		out->text = r->key;
	} else if (column == COUNT || column == TOTAL_NS || column == LEAST_NS ||
		   column == MOST_NS) {
		out->kind = CR_CELL_NUMBER;
		out->number = column == COUNT      ? r->count
			      : column == TOTAL_NS ? r->sum
			      : column == LEAST_NS ? r->least
						   : r->most;
	} else if (column == MEAN_NS) {
		out->kind = CR_CELL_REAL;
		out->real = time_of(r, column);
	} else {
		cr_text_clear(s->text);
		cr_text_printf(s->text, "%.3f", time_of(r, column) / 1e6);
		out->text = cr_text_view(s->text);
	}
}

void
cr_intervals_sheet_init(const struct cr_intervals *intervals, uint32_t limit,
	enum cr_interval_by by, bool with_sums, struct cr_intervals_sheet *out)
{
	static const char *const heads[] = {"Function", "Stack", "Command", "Tid", "CPU", ""};
	const uint32_t n = limit ? CR_MIN(limit, intervals->n) : intervals->n;

	*out = (struct cr_intervals_sheet){
		.intervals = intervals, .with_sums = with_sums, .n_left_out = intervals->n - n};
	out->text = cr_alloc(1, sizeof(*out->text));
	*out->text = (struct cr_text){0};
	memcpy(out->columns, columns, sizeof(columns));
	out->columns[KEY].head = heads[by];
	if (by == CR_INTERVAL_BY_ALL)
		out->columns[KEY].audience = 0;
	out->sheet = (struct cr_sheet){.columns = out->columns,
		.n_columns = CR_LEN(columns),
		.n_rows = n + with_sums,
		.cell = intervals_cell,
		.user = out};
}

void
cr_intervals_sheet_fini(struct cr_intervals_sheet *s)
{
	if (s->text)
		cr_text_fini(s->text);
	free(s->text);
	*s = (struct cr_intervals_sheet){0};
}
