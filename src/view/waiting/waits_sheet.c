#include "view/waiting/waits_sheet.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum column {
	PID,
	TID,
	COMM,
	LIFETIME,
	PART,                       /* and the other members of enum cr_wait */
	REST = PART + CR_WAIT_REST, /* the last of them */
	SWITCHES,
	QUEUED,
	QUEUE_MOST,
	OPEN,
	STATE,
	WAKER,
	LIFETIME_NS,
	PART_NS,
	REST_NS = PART_NS + CR_WAIT_REST,
	QUEUE_MOST_NS,
	OPEN_NS,
	WAKER_COMM,
	WAKER_TID,
	WAKER_NS,
	COLUMNS
};

_Static_assert(COLUMNS <= CR_WAITS_COLUMNS, "room for all columns");

#define MS(head_, id_)                                   \
	{                                                \
		(head_), (id_), CR_SHEET_PEOPLE, true, 0 \
	}

static const struct cr_sheet_column columns[COLUMNS] = {
	[PID] = {"Pid", "pid", CR_SHEET_ALL, true, 7},
	[TID] = {"Tid", "tid", CR_SHEET_ALL, true, 7},
	[COMM] = {"Command", "comm", CR_SHEET_ALL, false, 0},
	[LIFETIME] = MS("Lifetime", "lifetime"),
	[PART + CR_WAIT_ON] = MS("On CPU", "on"),
	[PART + CR_WAIT_SLEEP] = MS("Sleep", "sleep"),
	[PART + CR_WAIT_DISK] = MS("Disk", "disk"),
	[PART + CR_WAIT_QUEUE] = MS("Queue", "queue"),
	[PART + CR_WAIT_PREEMPTED] = MS("Preempted", "preempted"),
	[PART + CR_WAIT_STOPPED] = MS("Stopped", "stopped"),
	[PART + CR_WAIT_OFF] = MS("Off CPU", "off"),
	[REST] = MS("Remainder", "remainder"),
	[SWITCHES] = {"Switches", "switches", CR_SHEET_ALL, true, 0},
	[QUEUED] = {"queued", "queued", CR_SHEET_PROGRAMS, true, 0},
	[QUEUE_MOST] = MS("Max queue", "queue_max"),
	[OPEN] = {"At the end", "at_end", CR_SHEET_PEOPLE, false, 0},
	[STATE] = CR_SHEET_RAW("end_state"),
	[WAKER] = {"Woken by", "woken_by", CR_SHEET_PEOPLE, false, 0},
	[LIFETIME_NS] = CR_SHEET_RAW("lifetime_ns"),
	[PART_NS + CR_WAIT_ON] = CR_SHEET_RAW("on_ns"),
	[PART_NS + CR_WAIT_SLEEP] = CR_SHEET_RAW("sleep_ns"),
	[PART_NS + CR_WAIT_DISK] = CR_SHEET_RAW("disk_ns"),
	[PART_NS + CR_WAIT_QUEUE] = CR_SHEET_RAW("queue_ns"),
	[PART_NS + CR_WAIT_PREEMPTED] = CR_SHEET_RAW("preempted_ns"),
	[PART_NS + CR_WAIT_STOPPED] = CR_SHEET_RAW("stopped_ns"),
	[PART_NS + CR_WAIT_OFF] = CR_SHEET_RAW("off_ns"),
	[REST_NS] = CR_SHEET_RAW("remainder_ns"),
	[QUEUE_MOST_NS] = CR_SHEET_RAW("queue_max_ns"),
	[OPEN_NS] = CR_SHEET_RAW("end_ns"),
	[WAKER_COMM] = CR_SHEET_RAW("waker"),
	[WAKER_TID] = CR_SHEET_RAW("waker_tid"),
	[WAKER_NS] = CR_SHEET_RAW("waker_ns"),
};

/* ---- cells */

/* In ms, as perf sched timehist prints times. */
static void
put_ms(struct cr_text *t, uint64_t ns)
{
	const uint64_t us = ns / 1000 + (ns % 1000 >= 500);

	cr_text_printf(t, "%" PRIu64 ".%03" PRIu64, us / 1000, us % 1000);
}

/* What a thread does at the end of the recording, in words. */
static const char *
state_word(struct cr_str state)
{
	switch (state.len ? state.p[0] : 0) {
	case 'S':
	case 'I': return "sleep";
	case 'D': return "disk";
	case 'R': return "preempted";
	case 'T':
	case 't':
	case 'P': return "stopped";
	default: return cr_str_eq(state, CR_STR("on")) ? "on CPU" : "off CPU";
	}
}

static void
put_end(const struct cr_thread_waits_row *r, struct cr_text *t)
{
	if (!r->open || !r->state.len)
		return;
	cr_text_puts(t, state_word(r->state));
	cr_text_char(t, ' ');
	put_ms(t, r->open);
}

static void
put_waker(const struct cr_thread_waits_row *r, struct cr_text *t)
{
	if (!r->waker_ns)
		return;
	cr_text_str(t, r->waker);
	cr_text_printf(t, "[%" PRIu64 "]", r->waker_tid);
}

static void
times_cell(const struct cr_thread_waits_row *r, uint32_t column, struct cr_text *t)
{
	if (column == LIFETIME)
		put_ms(t, r->lifetime);
	else if (column >= PART && column <= REST)
		put_ms(t, r->ns[column - PART]);
	else if (column == QUEUE_MOST)
		put_ms(t, r->queue_most);
	else if (column == OPEN)
		put_end(r, t);
	else if (column == WAKER)
		put_waker(r, t);
}

static uint64_t
number_of(const struct cr_thread_waits_row *r, uint32_t column)
{
	if (column >= PART_NS && column <= REST_NS)
		return r->ns[column - PART_NS];
	switch (column) {
	case LIFETIME_NS: return r->lifetime;
	case SWITCHES: return r->switches;
	case QUEUED: return r->queued;
	case QUEUE_MOST_NS: return r->queue_most;
	case OPEN_NS: return r->open;
	case WAKER_TID: return r->waker_tid;
	default: return r->waker_ns;
	}
}

static const struct cr_thread_waits_row *
row_of(const struct cr_waits_sheet *s, uint32_t row, bool *is_sum)
{
	*is_sum = s->only_sums || row >= s->waits->n - s->n_left_out;
	return *is_sum ? &s->waits->all : &s->waits->rows[row];
}

static void
waits_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_waits_sheet *s = sheet->user;
	bool is_sum;
	const struct cr_thread_waits_row *r = row_of(s, row, &is_sum);

	cr_text_clear(s->text);
	*out = (struct cr_cell){.kind = CR_CELL_TEXT};
	if (column == PID || column == TID) {
		out->kind = is_sum ? CR_CELL_NONE : CR_CELL_SIGNED;
		out->number = (uint64_t)(int64_t)(column == PID ? r->pid : r->tid);
	} else if (column == COMM) {
		out->text = is_sum ? CR_STR("all threads") : r->comm;
	} else if (column == STATE || column == WAKER_COMM) {
		out->text = column == STATE ? r->state : r->waker;
	} else if (s->sheet.columns[column].audience == CR_SHEET_PEOPLE || column == WAKER ||
		   column <= REST || column == OPEN || column == QUEUE_MOST) {
		times_cell(r, column, s->text);
		out->text = cr_text_view(s->text);
	} else {
		out->kind = CR_CELL_NUMBER;
		out->number = number_of(r, column);
	}
	if (column == WAKER_TID && !r->waker_ns)
		out->kind = CR_CELL_NONE;
}

static void
waits_ref(const struct cr_sheet *sheet, uint32_t row, struct cr_row_ref *out)
{
	bool is_sum;
	const struct cr_thread_waits_row *r = row_of(sheet->user, row, &is_sum);

	*out = (struct cr_row_ref){.kind = is_sum ? CR_ROW_NONE : CR_ROW_THREAD,
		.id = (uint32_t)r->tid,
		.other = (uint32_t)r->pid,
		.name = r->comm};
}

/* ---- the sheet */

/* Columns without any value are not shown. */
static void
columns_choose(struct cr_waits_sheet *s)
{
	const struct cr_thread_waits_row *all = &s->waits->all;
	bool has_waker = false;

	memcpy(s->columns, columns, sizeof(columns));
	for (uint32_t k = CR_WAIT_SLEEP; k < CR_WAIT_REST; k++)
		if (!all->ns[k])
			s->columns[PART + k].audience = 0;
	if (!all->queue_most)
		s->columns[QUEUE_MOST].audience = 0;
	if (!all->open)
		s->columns[OPEN].audience = 0;
	for (uint32_t i = 0; i < s->waits->n; i++)
		has_waker |= s->waits->rows[i].waker_ns != 0;
	if (!has_waker)
		s->columns[WAKER].audience = 0;
}

void
cr_waits_sheet_init(const struct cr_thread_waits *waits, uint32_t limit, bool with_sums,
	struct cr_waits_sheet *out)
{
	const uint32_t n = limit ? CR_MIN(limit, waits->n) : waits->n;

	*out = (struct cr_waits_sheet){.waits = waits, .n_left_out = waits->n - n};
	out->text = cr_alloc(1, sizeof(*out->text));
	*out->text = (struct cr_text){0};
	columns_choose(out);
	out->sheet = (struct cr_sheet){.columns = out->columns,
		.n_columns = COLUMNS,
		.n_rows = n + with_sums,
		.cell = waits_cell,
		.stands_for = waits_ref,
		.user = out};
}

void
cr_waits_sheet_sums(const struct cr_thread_waits *waits, struct cr_waits_sheet *out)
{
	cr_waits_sheet_init(waits, 0, false, out);
	out->only_sums = true;
	out->sheet.n_rows = 1;
}

void
cr_waits_sheet_fini(struct cr_waits_sheet *s)
{
	if (s->text)
		cr_text_fini(s->text);
	free(s->text);
	*s = (struct cr_waits_sheet){0};
}
