#include "view/waiting/timehist_sheet.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

enum column {
	PID,
	TID,
	COMM,
	SWITCHES,
	RUN, /* in ms; in the same order in ns below */
	WAIT,
	DELAY,
	RUN_MOST,
	DELAY_MOST,
	RUN_NS,
	WAIT_NS,
	DELAY_NS,
	RUN_MOST_NS,
	DELAY_MOST_NS
};

static const struct cr_sheet_column columns[] = {
	[PID] = {"Pid", "pid", CR_SHEET_ALL, true, 7},
	[TID] = {"Tid", "tid", CR_SHEET_ALL, true, 7},
	[COMM] = {"Command", "comm", CR_SHEET_ALL, false, 0},
	[SWITCHES] = {"Switches", "switches", CR_SHEET_ALL, true, 0},
	[RUN] = {"Run time", "run", CR_SHEET_PEOPLE, true, 9},
	[WAIT] = {"Wait time", "wait", CR_SHEET_PEOPLE, true, 9},
	[DELAY] = {"Sch delay", "delay", CR_SHEET_PEOPLE, true, 9},
	[RUN_MOST] = {"Max run", "run_max", CR_SHEET_PEOPLE, true, 9},
	[DELAY_MOST] = {"Max delay", "delay_max", CR_SHEET_PEOPLE, true, 9},
	[RUN_NS] = CR_SHEET_RAW("run_ns"),
	[WAIT_NS] = CR_SHEET_RAW("wait_ns"),
	[DELAY_NS] = CR_SHEET_RAW("delay_ns"),
	[RUN_MOST_NS] = CR_SHEET_RAW("run_max_ns"),
	[DELAY_MOST_NS] = CR_SHEET_RAW("delay_max_ns"),
};

static uint64_t
ns_of(const struct cr_timehist_row *r, uint32_t column)
{
	switch (column) {
	case RUN_NS: return r->run;
	case WAIT_NS: return r->wait;
	case DELAY_NS: return r->delay;
	case RUN_MOST_NS: return r->run_most;
	default: return r->delay_most;
	}
}

static void
timehist_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_timehist_sheet *s = sheet->user;
	const bool is_sum = s->with_sums && row + 1 == sheet->n_rows;
	const struct cr_timehist_row *r = is_sum ? &s->times->all : &s->times->rows[row];

	*out = (struct cr_cell){.kind = CR_CELL_NUMBER};
	if (column == PID || column == TID) {
		out->kind = is_sum ? CR_CELL_NONE : CR_CELL_SIGNED;
		out->number = (uint64_t)(int64_t)(column == PID ? r->pid : r->tid);
	} else if (column == COMM) {
		out->kind = CR_CELL_TEXT;
		out->text = is_sum ? CR_STR("all threads") : r->comm;
	} else if (column == SWITCHES) {
		out->number = r->switches;
	} else if (column >= RUN_NS) {
		out->number = ns_of(r, column);
	} else {
		const uint64_t ns = ns_of(r, column + (RUN_NS - RUN));

		cr_text_clear(s->text);
		cr_text_printf(s->text, "%" PRIu64 ".%03" PRIu64, ns / 1000000, ns / 1000 % 1000);
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = cr_text_view(s->text)};
	}
}

static void
timehist_ref(const struct cr_sheet *sheet, uint32_t row, struct cr_row_ref *out)
{
	const struct cr_timehist_sheet *s = sheet->user;
	const bool is_sum = s->with_sums && row + 1 == sheet->n_rows;
	const struct cr_timehist_row *r = is_sum ? &s->times->all : &s->times->rows[row];

	*out = (struct cr_row_ref){.kind = is_sum ? CR_ROW_NONE : CR_ROW_THREAD,
		.id = (uint32_t)r->tid,
		.other = (uint32_t)r->pid,
		.name = r->comm};
}

void
cr_timehist_sheet_init(const struct cr_timehist *times, uint32_t limit, bool with_sums,
	struct cr_timehist_sheet *out)
{
	const uint32_t n = limit ? CR_MIN(limit, times->n) : times->n;

	*out = (struct cr_timehist_sheet){
		.times = times, .with_sums = with_sums, .n_left_out = times->n - n};
	out->text = cr_alloc(1, sizeof(*out->text));
	*out->text = (struct cr_text){0};
	out->sheet = (struct cr_sheet){.columns = columns,
		.n_columns = CR_LEN(columns),
		.n_rows = n + with_sums,
		.cell = timehist_cell,
		.stands_for = timehist_ref,
		.user = out};
}

void
cr_timehist_sheet_fini(struct cr_timehist_sheet *s)
{
	if (s->text)
		cr_text_fini(s->text);
	free(s->text);
	*s = (struct cr_timehist_sheet){0};
}
