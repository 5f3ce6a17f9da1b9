#include "query/table/thread_rows.h"

#include "base/hash.h"
#include "base/vec.h"
#include "model/columns.h"
#include "query/fold/lanes.h"
#include "query/fold/select_p.h"
#include "query/fold/stack_filter.h"
#include "query/table/task_names.h"
#include "query/time/latency.h"

#include <stdlib.h>

static const char *const by_names[CR_THREAD_BYS] = {"thread", "process", "comm"};

const char *
cr_thread_by_name(enum cr_thread_by by)
{
	return by_names[by];
}

/* ---- which samples */

/* The event of the times off the CPU; false where there are none. */
static bool
off_event(const struct cr_profile *p, cr_event_id *out)
{
	const struct cr_filter any = {0};
	struct cr_err unused = CR_ERR_INIT;

	return cr_latency_event(p, &any, out, &unused) == CR_OK;
}

unsigned
cr_thread_rows_need(const struct cr_profile *p, const struct cr_query *q)
{
	unsigned needs = cr_filter_needs(cr_query_filter(q)) | cr_stack_filter_needs(q) |
			 CR_NEEDS_EVENT | CR_NEEDS_TASK;
	cr_event_id event;
	uint64_t weight;

	if (!cr_column_one_weight(p, &weight))
		needs |= CR_NEEDS_WEIGHT;
	if (off_event(p, &event))
		needs |= CR_NEEDS_NODE | CR_NEEDS_TREE;

	if (p->flags & CR_PROFILE_HAS_TIME)
		needs |= CR_NEEDS_TIME;
	if (p->flags & CR_PROFILE_HAS_CPU)
		needs |= CR_NEEDS_CPU;
	return needs;
}

/* The samples of an event that q leaves; free() them. */
static int
select_of(const struct cr_profile *p, const struct cr_query *q, const cr_event_id *event,
	uint8_t **sel, struct cr_err *err)
{
	struct cr_filter f = *cr_query_filter(q);
	struct cr_text name = {0};
	int rc;

	if (event) {
		cr_text_puts(&name, "");
		cr_text_str(&name, p->events[event->i].name);
		f.event = name.p;
		f.wheres = (struct cr_strs){0}; /* they are about fields of another event */
	}
	if ((rc = cr_select(p, &f, sel, err)) == CR_OK &&
		(rc = cr_stack_filter(p, q, *sel, err)) < 0) {
		free(*sel);
		*sel = NULL;
	}
	cr_text_fini(&name);
	return rc;
}

/* ---- rows of tasks */

struct maker {
	const struct cr_profile *p;
	struct cr_thread_rows *out;
	CR_VEC(struct cr_thread_row) rows;
	uint32_t *row_of; /* by task */
	uint64_t base_ns; /* of the first sample */
};

/* The name of a row of names, in the memory of the rows. */
static struct cr_str
name_kept(struct maker *m, const struct cr_task_names *names, uint32_t row)
{
	struct cr_text t = {0};
	struct cr_str s;

	cr_text_puts(&t, "");
	cr_task_name_put(names, row, &t);
	s = (struct cr_str){cr_arena_copy(&m->out->arena, t.p, t.len), (uint32_t)t.len};
	cr_text_fini(&t);
	return s;
}

static void
rows_by_id(struct maker *m, enum cr_tasks_by by)
{
	struct cr_task_names names;

	cr_task_names_make(m->p, by, &names);
	for (uint32_t i = 0; i < names.n; i++) {
		const struct cr_task *task = &m->p->tasks[names.task[i]];

		cr_vec_push(&m->rows, ((struct cr_thread_row){.pid = task->pid,
					      .tid = task->tid,
					      .comm = name_kept(m, &names, i)}));
	}
	m->row_of = names.of;
	names.of = NULL;
	cr_task_names_fini(&names);
}

static void
rows_by_comm(struct maker *m)
{
	struct cr_index index = {0};

	m->row_of = cr_alloc(m->p->n_tasks, sizeof(*m->row_of));
	for (uint32_t i = 0; i < m->p->n_tasks; i++) {
		const struct cr_task *task = &m->p->tasks[i];
		const uint64_t h = cr_hash(task->comm.p, task->comm.len);
		uint32_t row, found = CR_NO_ROW;

		cr_index_each(&index, h, row)
			if (cr_str_eq(m->rows.p[row].comm, task->comm))
				found = row;
		if (found == CR_NO_ROW) {
			found = (uint32_t)m->rows.n;
			cr_index_add(&index, h, found);
			cr_vec_push(&m->rows,
				((struct cr_thread_row){
					.pid = task->pid, .tid = task->tid, .comm = task->comm}));
		}
		m->row_of[i] = found;
	}
	cr_index_fini(&index);
}

/* A thread of a row. */
struct member {
	uint32_t row, thread;
};

/*
 * Of each row: the threads that have samples; one that changed its comm is in several rows. seen:
 * by task.
 */
static void
count_threads(struct maker *m, const uint8_t *seen)
{
	struct cr_task_names names;
	struct cr_index index = {0};
	CR_VEC(struct member) all = {0};

	cr_task_names_make(m->p, CR_TASKS_BY_PID_TID, &names);
	for (uint32_t i = 0; i < m->p->n_tasks; i++) {
		const struct member new = {m->row_of[i], names.of[i]};
		const uint64_t h = cr_hash_mix(new.row, new.thread);
		bool is_new = seen[i];
		uint32_t k;

		cr_index_each(&index, h, k)
			is_new &= all.p[k].row != new.row || all.p[k].thread != new.thread;
		if (!is_new)
			continue;
		cr_index_add(&index, h, (uint32_t)all.n);
		cr_vec_push(&all, new);
		m->rows.p[new.row].threads++;
	}
	cr_vec_fini(&all);
	cr_index_fini(&index);
	cr_task_names_fini(&names);
}

/* ---- cost */

static void
span_make(struct maker *m)
{
	uint64_t first, last;

	cr_selector_span(m->p, &first, &last);
	m->out->has_times = first <= last;
	m->base_ns = first;
	m->out->span = (struct cr_span){
		.first_ns = first, .from_ns = 0, .len_ns = first <= last ? last - first + 1 : 1};
}

static uint64_t
bin_width(const struct maker *m)
{
	return m->out->span.len_ns / CR_THREAD_BINS + 1;
}

/* The samples were taken from first_ns to last_ns, and are in one bin. */
static void
add_time(struct maker *m, struct cr_thread_row *r, uint64_t first_ns, uint64_t last_ns,
	uint64_t weight)
{
	const uint64_t first = first_ns - m->base_ns, last = last_ns - m->base_ns;
	const uint64_t bin = first / bin_width(m);

	r->first_ns = r->has_time ? CR_MIN(r->first_ns, first) : first;
	r->last_ns = CR_MAX(r->last_ns, last);
	r->has_time = true;
	if (!r->bins)
		r->bins = cr_arena_array(&m->out->arena, CR_THREAD_BINS, sizeof(*r->bins));
	r->bins[bin] = cr_add_sat(r->bins[bin], weight);
}

/* Processors, one bit each of a row, as many as there are numbers. */
struct cpu_set {
	uint8_t *bits;
	uint64_t stride; /* bytes of a row */
};

static uint32_t
cpus_count(const struct maker *m, const uint16_t *cpu)
{
	uint32_t n = 0;

	for (uint64_t i = 0; cpu && i < m->p->samples.n; i++) {
		cr_samples_sweep(&m->p->samples, i);
		if (cpu[i] < CR_CPU_UNKNOWN)
			n = CR_MAX(n, (uint32_t)cpu[i] + 1);
	}
	return n;
}

/* n: one more than the largest number. */
static struct cpu_set
cpus_make(const struct maker *m, uint32_t n)
{
	struct cpu_set set = {NULL, (n + 7) / 8};

	if (set.stride)
		set.bits = cr_alloc(m->rows.n * set.stride, 1);
	return set;
}

static void
add_cpu(const struct cpu_set *set, struct cr_thread_row *r, uint64_t row, uint16_t cpu)
{
	uint8_t *byte;

	if (!set->bits || cpu >= CR_CPU_UNKNOWN)
		return;
	byte = &set->bits[row * set->stride + cpu / 8];
	r->cpus += !(*byte >> cpu % 8 & 1);
	*byte |= (uint8_t)(1u << cpu % 8);
}

/* The column of weights; where all are the same it is not read. */
struct weights {
	const uint64_t *at; /* NULL: they are all `same` */
	uint64_t same;
};

static struct weights
weights_of(const struct cr_profile *p)
{
	struct weights w = {NULL, 0};

	if (!cr_column_one_weight(p, &w.same))
		w.at = cr_column_weights(p);
	return w;
}

static uint64_t
weight_at(const struct weights *w, uint64_t row)
{
	return w->at ? w->at[row] : w->same;
}

static void
add_samples(struct maker *m, const uint8_t *sel, uint8_t *seen)
{
	const struct cr_profile *p = m->p;
	const struct weights weights = weights_of(p);
	const uint64_t *time_ns = m->out->has_times ? cr_column_times(p) : NULL;
	const uint16_t *cpu = m->out->has_cpus ? cr_column_cpus(p) : NULL;
	const uint32_t *task = cr_column_tasks(p);
	const struct cpu_set cpus = cpus_make(m, cpus_count(m, cpu));

	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		struct cr_thread_row *r;

		if (!sel[i])
			continue;
		r = &m->rows.p[m->row_of[task[i]]];
		seen[task[i]] = 1;
		r->samples++;
		r->weight = cr_add_sat(r->weight, weight_at(&weights, i));
		if (cpu)
			add_cpu(&cpus, r, m->row_of[task[i]], cpu[i]);
		if (time_ns && time_ns[i])
			add_time(m, r, time_ns[i], time_ns[i], weight_at(&weights, i));
	}
	free(cpus.bits);
}

/* ---- the same from sums */

/*
 * The first and the last sample of a row have to be looked for in slices that may have them: those
 * that begin before another slice with samples of the row ends, and the reverse.
 */
struct limits {
	uint64_t first_by_ns, last_from_ns;
};

struct summer {
	struct maker *m;
	struct limits *limits; /* by row */
	uint8_t *exact;        /* by slice */
	uint8_t *seen;         /* by task */
	struct cpu_set cpus;
};

static void
limit_sum(void *user, uint32_t slice, const struct cr_slices_sum *sum)
{
	const struct summer *a = user;
	struct limits *l = &a->limits[a->m->row_of[sum->task]];

	(void)slice;
	if (!sum->is_timed)
		return;
	l->first_by_ns = CR_MIN(l->first_by_ns, sum->last_ns);
	l->last_from_ns = CR_MAX(l->last_from_ns, sum->first_ns);
}

static void
mark_sum(void *user, uint32_t slice, const struct cr_slices_sum *sum)
{
	const struct summer *a = user;
	const struct limits *l = &a->limits[a->m->row_of[sum->task]];

	a->exact[slice] |= sum->is_timed &&
			   (sum->first_ns <= l->first_by_ns || sum->last_ns >= l->last_from_ns);
}

static void
add_sum(void *user, uint32_t slice, const struct cr_slices_sum *sum)
{
	const struct summer *a = user;
	const uint32_t row = a->m->row_of[sum->task];
	struct cr_thread_row *r = &a->m->rows.p[row];

	(void)slice;
	a->seen[sum->task] = 1;
	r->samples += sum->rows;
	r->weight = cr_add_sat(r->weight, sum->weight);
	add_cpu(&a->cpus, r, row, sum->cpu);
	if (a->m->out->has_times && sum->is_timed)
		add_time(a->m, r, sum->first_ns, sum->last_ns, sum->weight);
}

static void
add_sums(struct maker *m, const struct cr_slices *slices, struct cr_selector *selector,
	uint8_t *seen)
{
	const struct cr_slices_bins bins = {m->base_ns, bin_width(m), CR_THREAD_BINS};
	struct summer a = {.m = m,
		.seen = seen,
		.limits = cr_alloc(CR_MAX(m->rows.n, (size_t)1), sizeof(*a.limits)),
		.exact = cr_alloc(cr_slices_count(slices), 1),
		.cpus = cpus_make(m, m->out->has_cpus ? cr_slices_cpus(slices) : 0)};

	for (size_t i = 0; i < m->rows.n; i++)
		a.limits[i].first_by_ns = UINT64_MAX;
	if (m->out->has_times) {
		cr_slices_each(slices, selector, NULL, NULL, limit_sum, &a);
		cr_slices_each(slices, selector, NULL, NULL, mark_sum, &a);
	}
	cr_slices_each(slices, selector, m->out->has_times ? &bins : NULL, a.exact, add_sum, &a);
	free(a.limits);
	free(a.exact);
	free(a.cpus.bits);
}

/* The samples that q leaves, from sums where those have the answer. */
static int
add_all(struct maker *m, const struct cr_query *q, const struct cr_slices *slices, uint8_t *seen,
	struct cr_err *err)
{
	struct cr_selector selector;
	uint8_t *sel;
	int rc;

	if (!cr_slices_can(slices, q)) {
		if ((rc = select_of(m->p, q, NULL, &sel, err)) < 0)
			return rc;
		add_samples(m, sel, seen);
		free(sel);
		return CR_OK;
	}
	if ((rc = cr_selector_init(&selector, m->p, cr_query_filter(q), err)) == CR_OK)
		add_sums(m, slices, &selector, seen);
	cr_selector_fini(&selector);
	return rc;
}

/* ---- time off the CPU */

#define NO_REASON "[unknown]"

/*
 * The functions that take a thread off the CPU, whatever it waits for: what it waits in is their
 * caller.
 */
static bool
is_scheduler(struct cr_str name)
{
	static const char *const names[] = {"schedule", "__schedule", "__schedule_loop",
		"schedule_idle", "schedule_preempt_disabled", "schedule_timeout",
		"schedule_hrtimeout_range", "schedule_hrtimeout_range_clock", "io_schedule",
		"io_schedule_timeout", "preempt_schedule", "preempt_schedule_common",
		"preempt_schedule_irq", "preempt_schedule_notrace", "finish_task_switch",
		"context_switch", "__switch_to", "__switch_to_asm", "perf_event_task_sched_out",
		"__perf_event_task_sched_out", "__traceiter_sched_switch",
		"perf_trace_sched_switch", "trace_event_raw_event_sched_switch"};
	const char *dot = name.len ? memchr(name.p, '.', name.len) : NULL;

	if (dot && dot > name.p)
		name.len = (uint32_t)(dot - name.p);
	for (size_t i = 0; i < CR_LEN(names); i++)
		if (cr_str_eq(name, cr_str_of(names[i])))
			return true;
	return false;
}

/*
 * By node, free() it: the lane of the function that a stack ends in; off: without the scheduler's
 * functions at its end. Parents come before their children.
 */
static uint32_t *
functions_of(const struct cr_profile *p, const struct cr_lanes *lanes, bool off)
{
	uint32_t *of = cr_alloc(CR_MAX(p->n_nodes, 1u), sizeof(*of));

	for (uint32_t n = 0; n < p->n_nodes; n++) {
		of[n] = lanes->of[n];
		if (off && n > 0 && is_scheduler(lanes->lanes[of[n]].name))
			of[n] = of[p->node_parent[n]];
	}
	return of;
}

/* What a row has of a function. */
struct part {
	uint32_t row, lane;
	uint64_t cost;
};

struct parts {
	CR_VEC(struct part) all;
	struct cr_index index;
};

static void
part_add(struct parts *parts, uint32_t row, uint32_t lane, uint64_t cost)
{
	const uint64_t h = cr_hash_mix(row, lane);
	uint32_t k;

	cr_index_each(&parts->index, h, k)
		if (parts->all.p[k].row == row && parts->all.p[k].lane == lane) {
			parts->all.p[k].cost = cr_add_sat(parts->all.p[k].cost, cost);
			return;
		}
	cr_index_add(&parts->index, h, (uint32_t)parts->all.n);
	cr_vec_push(&parts->all, ((struct part){row, lane, cost}));
}

static void
parts_fini(struct parts *parts)
{
	cr_vec_fini(&parts->all);
	cr_index_fini(&parts->index);
}

static void
add_waits(struct maker *m, const uint8_t *sel, const uint32_t *function, uint8_t *seen,
	struct parts *parts)
{
	const struct cr_profile *p = m->p;
	const struct weights weights = weights_of(p);
	const uint32_t *task = cr_column_tasks(p), *node = cr_column_nodes(p);

	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		struct cr_thread_row *r;

		if (!sel[i])
			continue;
		r = &m->rows.p[m->row_of[task[i]]];
		seen[task[i]] = 1;
		r->waits++;
		r->off_ns = cr_add_sat(r->off_ns, weight_at(&weights, i));
		r->longest_ns = CR_MAX(r->longest_ns, weight_at(&weights, i));
		part_add(parts, m->row_of[task[i]], function[node[i]], weight_at(&weights, i));
	}
}

static struct cr_str
kept(struct cr_arena *arena, struct cr_str name)
{
	return (struct cr_str){cr_arena_copy(arena, name.p, name.len), name.len};
}

/* The root stands for stacks of which nothing is known but the scheduler. */
static struct cr_str
function_name(const struct cr_lanes *lanes, uint32_t lane)
{
	return lane == lanes->of[0] || is_scheduler(lanes->lanes[lane].name)
		       ? CR_STR(NO_REASON)
		       : lanes->lanes[lane].name;
}

static int
off_make(struct maker *m, const struct cr_query *q, cr_event_id event, uint8_t *seen,
	struct cr_err *err)
{
	const struct cr_lane_by by = {.key = CR_LANE_FUNCTION};
	struct cr_lanes lanes = {0};
	struct parts parts = {.index = {0}};
	uint32_t *function = NULL;
	uint8_t *sel = NULL;
	int rc;

	if ((rc = select_of(m->p, q, &event, &sel, err)) < 0)
		return rc;
	if ((rc = cr_lanes_find(m->p, cr_query_filter(q), &by, NULL, &lanes, err)) < 0)
		goto out;
	function = functions_of(m->p, &lanes, true);
	add_waits(m, sel, function, seen, &parts);
	for (size_t i = 0; i < parts.all.n; i++) {
		struct cr_thread_row *r = &m->rows.p[parts.all.p[i].row];

		if (parts.all.p[i].cost <= r->waits_in_ns)
			continue;
		r->waits_in_ns = parts.all.p[i].cost;
		r->waits_in = function_name(&lanes, parts.all.p[i].lane);
	}
	for (size_t i = 0; i < m->rows.n; i++) {
		struct cr_thread_row *r = &m->rows.p[i];

		m->out->has_reasons |=
			r->waits_in.len && !cr_str_eq(r->waits_in, CR_STR(NO_REASON));
		r->waits_in = kept(&m->out->arena, r->waits_in);
	}
out:
	free(function);
	parts_fini(&parts);
	cr_lanes_fini(&lanes);
	free(sel);
	return rc;
}

/* ---- all of it */

static int
by_cost(const void *x, const void *y)
{
	const struct cr_thread_row *a = x, *b = y;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	if (a->off_ns != b->off_ns)
		return a->off_ns < b->off_ns ? 1 : -1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static void
rows_sum(struct cr_thread_rows *out)
{
	for (uint32_t i = 0; i < out->n; i++) {
		const struct cr_thread_row *r = &out->rows[i];

		out->weight = cr_add_sat(out->weight, r->weight);
		out->samples += r->samples;
		out->off_ns = cr_add_sat(out->off_ns, r->off_ns);
		for (uint32_t k = 0; r->bins && k < CR_THREAD_BINS; k++)
			out->most_bin = CR_MAX(out->most_bin, r->bins[k]);
	}
}

/* Only rows with samples stay, sorted. */
static void
rows_settle(struct maker *m)
{
	struct cr_thread_rows *out = m->out;
	uint32_t *place = cr_alloc(CR_MAX(m->rows.n, (size_t)1), sizeof(*place));
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->rows.n; i++) {
		place[i] = CR_NO_ROW;
		m->rows.p[i].number = i;
		if (m->rows.p[i].samples || m->rows.p[i].waits)
			m->rows.p[n++] = m->rows.p[i];
	}
	if (n)
		qsort(m->rows.p, n, sizeof(*m->rows.p), by_cost);
	for (uint32_t i = 0; i < n; i++)
		place[m->rows.p[i].number] = i;
	for (uint32_t i = 0; i < m->p->n_tasks; i++)
		m->row_of[i] = place[m->row_of[i]];
	free(place);
	out->rows = m->rows.p;
	out->n = n;
	out->row_of = m->row_of;
	rows_sum(out);
}

int
cr_thread_rows_make(const struct cr_profile *p, const struct cr_query *q,
	const struct cr_slices *slices, enum cr_thread_by by, struct cr_thread_rows *out,
	struct cr_err *err)
{
	struct maker m = {.p = p, .out = out};
	uint8_t *seen;
	cr_event_id event;
	int rc;

	*out = (struct cr_thread_rows){.n = 0};
	if (!cr_profile_has_threads(p))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "the profile has no threads");
	if ((rc = cr_filter_event(p, cr_query_filter(q), &event, err)) < 0)
		return rc;
	out->unit = p->events[event.i].unit;
	out->has_cpus = p->flags & CR_PROFILE_HAS_CPU;
	if (p->flags & CR_PROFILE_HAS_TIME)
		span_make(&m);
	if (by == CR_THREAD_BY_COMM)
		rows_by_comm(&m);
	else
		rows_by_id(&m, by == CR_THREAD_BY_PROCESS ? CR_TASKS_BY_PID : CR_TASKS_BY_PID_TID);
	seen = cr_alloc(CR_MAX(p->n_tasks, 1u), 1);
	rc = add_all(&m, q, slices, seen, err);
	out->has_off = rc == CR_OK && off_event(p, &event);
	if (out->has_off)
		rc = off_make(&m, q, event, seen, err);
	count_threads(&m, seen);
	rows_settle(&m);
	free(seen);
	if (rc < 0)
		cr_thread_rows_fini(out);
	return rc;
}

void
cr_thread_rows_fini(struct cr_thread_rows *t)
{
	free(t->rows);
	free(t->row_of);
	cr_arena_fini(&t->arena);
	*t = (struct cr_thread_rows){.n = 0};
}

/* ---- functions of one row */

static int
by_part(const void *x, const void *y)
{
	const struct part *a = x, *b = y;

	if (a->cost != b->cost)
		return a->cost < b->cost ? 1 : -1;
	return (a->lane > b->lane) - (a->lane < b->lane);
}

static void
functions_settle(struct parts *parts, const struct cr_lanes *lanes, struct cr_thread_functions *out)
{
	if (parts->all.n)
		qsort(parts->all.p, parts->all.n, sizeof(*parts->all.p), by_part);
	for (size_t i = 0; i < parts->all.n; i++) {
		const struct part *part = &parts->all.p[i];

		out->whole = cr_add_sat(out->whole, part->cost);
		if (out->n == CR_THREAD_FUNCTIONS)
			continue;
		out->p[out->n++] = (struct cr_thread_function){
			kept(&out->names, function_name(lanes, part->lane)), part->cost};
	}
}

int
cr_thread_functions_make(const struct cr_profile *p, const struct cr_query *q,
	const struct cr_thread_rows *t, uint32_t row, bool off, struct cr_thread_functions *out,
	struct cr_err *err)
{
	const struct cr_lane_by by = {.key = CR_LANE_FUNCTION};
	const struct weights weights = weights_of(p);
	const uint32_t *task = cr_column_tasks(p), *node = cr_column_nodes(p);
	struct parts parts = {.index = {0}};
	struct cr_lanes lanes = {0};
	uint32_t *function = NULL;
	uint8_t *sel = NULL;
	cr_event_id event;
	int rc;

	*out = (struct cr_thread_functions){.n = 0};
	if (off && !off_event(p, &event))
		return CR_OK;
	if ((rc = select_of(p, q, off ? &event : NULL, &sel, err)) < 0)
		return rc;
	if ((rc = cr_lanes_find(p, cr_query_filter(q), &by, NULL, &lanes, err)) == CR_OK) {
		function = functions_of(p, &lanes, off);
		for (uint64_t i = 0; i < p->samples.n; i++) {
			cr_samples_sweep(&p->samples, i);
			if (sel[i] && t->row_of[task[i]] == row)
				part_add(&parts, 0, function[node[i]], weight_at(&weights, i));
		}
		functions_settle(&parts, &lanes, out);
	}
	free(function);
	parts_fini(&parts);
	cr_lanes_fini(&lanes);
	free(sel);
	return rc;
}

void
cr_thread_functions_fini(struct cr_thread_functions *f)
{
	cr_arena_fini(&f->names);
	*f = (struct cr_thread_functions){.n = 0};
}
