#include "view/waiting/syscalls_sheet.h"

#include "base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum column {
	PID,
	TID,
	COMM,
	NAME,
	CALLS,
	ERRORS,
	TOTAL,
	LEAST,
	MEAN,
	MOST,
	DEVIATION,
	TOTAL_NS,
	LEAST_NS,
	MEAN_NS,
	MOST_NS,
	DEVIATION_NS,
	COLUMNS
};

_Static_assert(COLUMNS <= CR_SYSCALLS_COLUMNS, "room for all columns");

static const struct cr_sheet_column columns[COLUMNS] = {
	[PID] = {"Pid", "pid", CR_SHEET_ALL, true, 7},
	[TID] = {"Tid", "tid", CR_SHEET_ALL, true, 7},
	[COMM] = {"Command", "comm", CR_SHEET_ALL, false, 0},
	[NAME] = {"Syscall", "syscall", CR_SHEET_ALL, false, 16},
	[CALLS] = {"Calls", "calls", CR_SHEET_ALL, true, 8},
	[ERRORS] = {"Errors", "errors", CR_SHEET_ALL, true, 7},
	[TOTAL] = {"Total", "total", CR_SHEET_PEOPLE, true, 9},
	[LEAST] = {"Min", "min", CR_SHEET_PEOPLE, true, 9},
	[MEAN] = {"Avg", "avg", CR_SHEET_PEOPLE, true, 9},
	[MOST] = {"Max", "max", CR_SHEET_PEOPLE, true, 9},
	[DEVIATION] = {"Stddev", "stddev", CR_SHEET_PEOPLE, true, 8},
	[TOTAL_NS] = CR_SHEET_RAW("total_ns"),
	[LEAST_NS] = CR_SHEET_RAW("min_ns"),
	[MEAN_NS] = CR_SHEET_RAW("avg_ns"),
	[MOST_NS] = CR_SHEET_RAW("max_ns"),
	[DEVIATION_NS] = CR_SHEET_RAW("stddev_ns"),
};

static void
put_ms(struct cr_text *t, double ns)
{
	cr_text_printf(t, "%.3f", ns / 1e6);
}

static void
times_cell(const struct cr_syscall *r, uint32_t column, struct cr_text *t)
{
	switch (column) {
	case TOTAL: put_ms(t, (double)r->sum); break;
	case LEAST: put_ms(t, (double)r->least); break;
	case MEAN: put_ms(t, r->mean); break;
	case MOST: put_ms(t, (double)r->most); break;
	default: cr_text_printf(t, "%.2f%%", r->mean > 0 ? 100 * r->deviation / r->mean : 0.0);
	}
}

static void
number_cell(const struct cr_syscall *r, uint32_t column, struct cr_cell *out)
{
	out->kind = column == MEAN_NS || column == DEVIATION_NS ? CR_CELL_REAL : CR_CELL_NUMBER;
	switch (column) {
	case CALLS: out->number = r->calls; break;
	case ERRORS: out->number = r->errors; break;
	case TOTAL_NS: out->number = r->sum; break;
	case LEAST_NS: out->number = r->least; break;
	case MOST_NS: out->number = r->most; break;
	case MEAN_NS: out->real = r->mean; break;
	default: out->real = r->deviation;
	}
}

static void
syscalls_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_syscalls_sheet *s = sheet->user;
	const bool is_last = s->with_sums && row + 1 == sheet->n_rows;
	const struct cr_syscall *r = is_last ? &s->calls->all : &s->calls->rows[row];

	cr_text_clear(s->text);
	*out = (struct cr_cell){.kind = CR_CELL_TEXT};
	if (column == PID || column == TID) {
		out->kind = is_last ? CR_CELL_NONE : CR_CELL_SIGNED;
		out->number = (uint64_t)(int64_t)(column == PID ? r->pid : r->tid);
	} else if (column == COMM || column == NAME) {
		out->text = column == COMM ? r->comm : r->is_sum ? CR_STR("all calls") : r->name;
	} else if (column >= TOTAL && column <= DEVIATION) {
		times_cell(r, column, s->text);
		out->text = cr_text_view(s->text);
	} else {
		number_cell(r, column, out);
	}
}

static void
syscalls_ref(const struct cr_sheet *sheet, uint32_t row, struct cr_row_ref *out)
{
	const struct cr_syscalls_sheet *s = sheet->user;
	const struct cr_syscall *r = row < s->calls->n ? &s->calls->rows[row] : &s->calls->all;

	*out = (struct cr_row_ref){.kind = r->tid < 0 ? CR_ROW_NONE : CR_ROW_THREAD,
		.id = (uint32_t)r->tid,
		.other = (uint32_t)r->pid,
		.name = r->comm};
}

void
cr_syscalls_sheet_init(const struct cr_syscalls *calls, uint32_t limit, bool by_thread,
	bool with_sums, struct cr_syscalls_sheet *out)
{
	const uint32_t n = limit ? CR_MIN(limit, calls->n) : calls->n;

	*out = (struct cr_syscalls_sheet){
		.calls = calls, .with_sums = with_sums, .n_left_out = calls->n - n};
	out->text = cr_alloc(1, sizeof(*out->text));
	*out->text = (struct cr_text){0};
	memcpy(out->columns, columns, sizeof(columns));
	for (uint32_t i = PID; i <= COMM && !by_thread; i++)
		out->columns[i].audience = 0;
	out->sheet = (struct cr_sheet){.columns = out->columns,
		.n_columns = COLUMNS,
		.n_rows = n + with_sums,
		.cell = syscalls_cell,
		.stands_for = syscalls_ref,
		.user = out};
}

void
cr_syscalls_sheet_fini(struct cr_syscalls_sheet *s)
{
	if (s->text)
		cr_text_fini(s->text);
	free(s->text);
	*s = (struct cr_syscalls_sheet){0};
}
