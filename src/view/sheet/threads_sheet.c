#include "view/sheet/threads_sheet.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

#define RANGES_MOST 6 /* maximum number of ranges printed */

enum column {
	EVENT,
	PID,
	TID,
	COMM,
	SHARE,
	SAMPLES,
	WEIGHT,
	FIRST,
	LAST,
	FIRST_NS,
	LAST_NS,
	CPUS,
	CPU_COUNT
};

static const struct cr_sheet_column columns[] = {
	[EVENT] = {"event", "event", CR_SHEET_PROGRAMS, false, 0},
	[PID] = {"Pid", "pid", CR_SHEET_ALL, true, 7},
	[TID] = {"Tid", "tid", CR_SHEET_ALL, true, 7},
	[COMM] = {"Command", "comm", CR_SHEET_ALL, false, 0},
	[SHARE] = {"Overhead", "overhead", CR_SHEET_ALL, true, 8},
	[SAMPLES] = {"Samples", "samples", CR_SHEET_ALL, true, 8},
	[WEIGHT] = {"Period", "weight", CR_SHEET_PROGRAMS, true, 0},
	[FIRST] = {"First s", "first", CR_SHEET_PEOPLE, true, 9},
	[LAST] = {"Last s", "last", CR_SHEET_PEOPLE, true, 9},
	[FIRST_NS] = {"first_ns", "first_ns", CR_SHEET_PROGRAMS, true, 0},
	[LAST_NS] = {"last_ns", "last_ns", CR_SHEET_PROGRAMS, true, 0},
	[CPUS] = {"CPUs", "cpus", CR_SHEET_ALL, false, 0},
	[CPU_COUNT] = {"cpu_count", "cpu_count", CR_SHEET_PROGRAMS, true, 0},
};

static void
put_seconds(struct cr_text *t, uint64_t ns)
{
	cr_text_printf(t, "%" PRIu64 ".%03" PRIu64, ns / 1000000000, ns / 1000000 % 1000);
}

/* "0-3,7" */
static void
put_cpus(const struct cr_thread_list *all, const struct cr_thread *t, struct cr_text *out)
{
	const uint16_t *cpu = all->cpu + t->cpu_from;
	uint32_t from = 0, ranges = 0;

	while (from < t->cpus) {
		uint32_t to = from;

		while (to + 1 < t->cpus && cpu[to + 1] == cpu[to] + 1)
			to++;
		if (ranges++ == RANGES_MOST) {
			cr_text_printf(out, " and %" PRIu32 " more", t->cpus - from);
			return;
		}
		cr_text_printf(out, "%s%u", from ? "," : "", cpu[from]);
		if (to > from)
			cr_text_printf(out, "-%u", cpu[to]);
		from = to + 1;
	}
}

static void
threads_cell(const struct cr_sheet *s, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_threads_sheet *l = s->user;
	const struct cr_thread *t = &l->threads->threads[row];
	struct cr_text *text = l->text;

	out->kind = CR_CELL_NUMBER;
	cr_text_clear(text);
	switch ((enum column)column) {
	case EVENT: *out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = l->event}; return;
	case PID:
		*out = (struct cr_cell){
			.kind = CR_CELL_SIGNED, .number = (uint64_t)(int64_t)t->pid};
		return;
	case TID:
		*out = (struct cr_cell){
			.kind = CR_CELL_SIGNED, .number = (uint64_t)(int64_t)t->tid};
		return;
	case COMM: *out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = t->comm}; return;
	case SHARE:
		*out = (struct cr_cell){
			.kind = CR_CELL_SHARE, .number = t->weight, .whole = l->threads->weight};
		return;
	case SAMPLES: out->number = t->samples; return;
	case WEIGHT: out->number = t->weight; return;
	case CPU_COUNT: out->number = t->cpus; return;
	case CPUS:
		put_cpus(l->threads, t, text);
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = cr_text_view(text)};
		return;
	case FIRST:
	case LAST:
		if (t->has_time)
			put_seconds(text, column == FIRST ? t->first_ns : t->last_ns);
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = cr_text_view(text)};
		return;
	case FIRST_NS:
	case LAST_NS:
		out->kind = t->has_time ? CR_CELL_NUMBER : CR_CELL_NONE;
		out->number = column == FIRST_NS ? t->first_ns : t->last_ns;
		return;
	}
}

static void
threads_ref(const struct cr_sheet *s, uint32_t row, struct cr_row_ref *out)
{
	const struct cr_threads_sheet *l = s->user;
	const struct cr_thread *t = &l->threads->threads[row];

	*out = (struct cr_row_ref){.kind = CR_ROW_THREAD,
		.id = (uint32_t)t->tid,
		.other = (uint32_t)t->pid,
		.name = t->comm};
}

void
cr_threads_sheet_init(const struct cr_thread_list *threads, struct cr_str event, uint32_t limit,
	struct cr_threads_sheet *out)
{
	*out = (struct cr_threads_sheet){.threads = threads, .event = event};
	out->text = cr_alloc(1, sizeof(*out->text));
	*out->text = (struct cr_text){0};
	out->sheet = (struct cr_sheet){.columns = columns,
		.n_columns = CR_LEN(columns),
		.n_rows = limit ? CR_MIN(limit, threads->n) : threads->n,
		.cell = threads_cell,
		.stands_for = threads_ref,
		.user = out};
	out->n_left_out = threads->n - out->sheet.n_rows;
}

void
cr_threads_sheet_fini(struct cr_threads_sheet *s)
{
	if (s->text)
		cr_text_fini(s->text);
	free(s->text);
	*s = (struct cr_threads_sheet){0};
}
