#include "job_p.h"
#include "sheet_out_p.h"

#include "query/table/thread_list.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>

int cr_cmd_threads(const struct cr_options *o);

#define RANGES_MOST 6 /* of processors that are named one by one */

struct list {
	const struct cr_thread_list *threads;
	struct cr_str event;
	struct cr_text *text; /* of the cell at hand */
};

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
	const struct list *l = s->user;
	const struct cr_thread *t = &l->threads->threads[row];

	out->kind = CR_CELL_NUMBER;
	cr_text_clear(l->text);
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
		put_cpus(l->threads, t, l->text);
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = cr_text_view(l->text)};
		return;
	case FIRST:
	case LAST:
		if (t->has_time)
			put_seconds(l->text, column == FIRST ? t->first_ns : t->last_ns);
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = cr_text_view(l->text)};
		return;
	case FIRST_NS:
	case LAST_NS:
		out->kind = t->has_time ? CR_CELL_NUMBER : CR_CELL_NONE;
		out->number = column == FIRST_NS ? t->first_ns : t->last_ns;
		return;
	}
}

static void
put_threads(const struct cr_options *o, const struct cr_profile *p, const struct cr_tree *t,
	const struct cr_thread_list *all)
{
	const uint32_t limit = cr_sheets_limit(o);
	struct cr_text text = {0};
	struct list list = {all, t->event, &text};
	const struct cr_nameless nameless = cr_nameless_of(t);
	struct cr_sheets sheets;
	const struct cr_sheet s = {.columns = columns,
		.n_columns = CR_LEN(columns),
		.separator = o->table.separator,
		.n_rows = limit && limit < all->n ? limit : all->n,
		.cell = threads_cell,
		.user = &list};

	cr_sheets_begin(&sheets, o, p);
	cr_sheets_put(&sheets, t, &nameless, NULL, &s, all->n - s.n_rows);
	cr_sheets_end(&sheets);
	cr_text_fini(&text);
}

static int
print_threads(const struct cr_options *o, struct cr_profile *p)
{
	const struct cr_filter *f = cr_query_filter(&o->query);
	struct cr_thread_list threads = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_tree *t = NULL;
	int code, rc = cr_store_fetch(p,
			  cr_job_parts(o) | cr_load_parts(cr_thread_list_needs(p, f)), &log, &err);

	cr_job_warn(o->args[0], &log);
	if (rc == CR_OK)
		rc = cr_thread_list_make(p, f, &threads, &err);
	if (rc == CR_OK)
		rc = cr_fold(p, f, &CR_FOLD_USUAL, &t, &err);
	if (rc < 0) {
		code = cr_job_fail_query(o->args[0], &err);
	} else {
		if (!cr_job_none_left(o, threads.n))
			put_threads(o, p, t, &threads);
		code = threads.n ? EXIT_DONE : EXIT_NOTHING;
	}
	cr_tree_free(t);
	cr_thread_list_fini(&threads);
	return code;
}

int
cr_cmd_threads(const struct cr_options *o)
{
	struct cr_profile *p;
	int code = cr_sheets_check(o);

	if (code == EXIT_DONE)
		code = cr_job_load(o, o->args[0], CR_STORE_OUTLINE, &p);
	if (code != EXIT_DONE)
		return code;
	code = cr_job_end(o, p, print_threads(o, p));
	cr_profile_free(p);
	return code;
}
