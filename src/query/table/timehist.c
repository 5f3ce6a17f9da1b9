#include "query/table/timehist.h"

#include "base/hash.h"
#include "base/vec.h"
#include "model/columns.h"
#include "model/field.h"
#include "query/table/task_names.h"

#include <stdlib.h>

/* A thread while samples are read. Times are 0 if unknown. */
struct state {
	uint64_t left, ready;
	bool selected;
};

struct maker {
	const struct cr_profile *p;
	struct cr_timehist *out;
	struct cr_task_names tasks;
	struct state *states;          /* by thread */
	uint32_t switches;             /* the event sched:sched_switch */
	const struct cr_field **woken; /* by event: who is woken; NULL if it is no waking */
	uint64_t *at;                  /* by event: number of its samples so far */
	struct cr_index tids;          /* threads by tid */
	CR_VEC(uint64_t) last;         /* by cpu: time of its last switch */
};

unsigned
cr_timehist_needs(const struct cr_filter *f)
{
	return cr_filter_needs(f) | CR_NEEDS_EVENT | CR_NEEDS_TASK | CR_NEEDS_TIME | CR_NEEDS_CPU |
	       CR_NEEDS_FIELDS;
}

static bool
has_samples_of(const struct cr_profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		if (p->events[i].samples && cr_str_eq(p->events[i].name, cr_str_of(name)))
			return true;
	return false;
}

/* sched_waking precedes sched_wakeup; if it was recorded, that is not needed. */
static void
events_find(struct maker *m)
{
	const bool has_waking = has_samples_of(m->p, "sched:sched_waking");

	m->switches = UINT32_MAX;
	m->at = cr_alloc(CR_MAX(m->p->n_events, 1u), sizeof(*m->at));
	m->woken = cr_alloc(CR_MAX(m->p->n_events, 1u), sizeof(*m->woken));
	for (uint32_t i = 0; i < m->p->n_events; i++) {
		const struct cr_str name = m->p->events[i].name;

		if (cr_str_eq(name, CR_STR("sched:sched_switch")))
			m->switches = i;
		if (cr_str_eq(name, CR_STR("sched:sched_waking")) ||
			cr_str_eq(name, CR_STR("sched:sched_wakeup_new")) ||
			(!has_waking && cr_str_eq(name, CR_STR("sched:sched_wakeup"))))
			m->woken[i] = cr_field_find(m->p, (cr_event_id){i}, CR_STR("pid"));
	}
}

static void
threads_make(struct maker *m)
{
	struct cr_text t = {0};

	cr_task_names_make(m->p, CR_TASKS_BY_TID, &m->tasks);
	m->states = cr_alloc(CR_MAX(m->tasks.n, 1u), sizeof(*m->states));
	m->out->rows = cr_alloc(CR_MAX(m->tasks.n, 1u), sizeof(*m->out->rows));
	for (uint32_t i = 0; i < m->tasks.n; i++) {
		const struct cr_task *task = &m->p->tasks[m->tasks.task[i]];

		cr_text_clear(&t);
		cr_task_name_put(&m->tasks, i, &t);
		m->out->rows[i] = (struct cr_timehist_row){.pid = task->pid,
			.tid = task->tid,
			.comm = {cr_arena_copy(&m->out->names, t.p, t.len), (uint32_t)t.len}};
		cr_index_add(&m->tids, cr_hash_mix((uint32_t)task->tid, 0), i);
	}
	cr_text_fini(&t);
}

static void
wake(struct maker *m, uint32_t event, uint64_t at, uint64_t time)
{
	const struct cr_field *f = m->woken[event];
	const uint64_t tid = f->value && at < f->n ? f->value[at] : 0;
	uint32_t k;

	if (tid == 0 || tid > INT32_MAX)
		return;
	cr_index_each(&m->tids, cr_hash_mix(tid, 0), k)
		if ((uint64_t)(int64_t)m->out->rows[k].tid == tid && !m->states[k].ready)
			m->states[k].ready = time;
}

static void
leave(struct maker *m, uint32_t thread, uint16_t cpu, uint64_t time)
{
	struct cr_timehist_row *r = &m->out->rows[thread];
	struct state *s = &m->states[thread];
	uint64_t previous;

	while (m->last.n <= cpu)
		cr_vec_push(&m->last, 0);
	previous = m->last.p[cpu];
	m->last.p[cpu] = time;
	if (r->tid != 0) {
		r->switches++;
		s->selected = true;
	}
	if (previous && time >= previous) {
		r->run = cr_add_sat(r->run, time - previous);
		r->run_most = CR_MAX(r->run_most, time - previous);
	}
	if (previous && s->ready && s->ready <= previous) {
		r->delay = cr_add_sat(r->delay, previous - s->ready);
		r->delay_most = CR_MAX(r->delay_most, previous - s->ready);
	}
	if (previous && s->left && s->left <= previous)
		r->wait = cr_add_sat(r->wait, previous - s->left);
	s->left = time;
	s->ready = 0;
}

static void
add_samples(struct maker *m)
{
	const struct cr_event_column events = cr_column_events(m->p);
	const uint64_t *time_ns = cr_column_times(m->p);
	const uint32_t *task = cr_column_tasks(m->p);
	const uint16_t *cpu = cr_column_cpus(m->p);

	for (uint64_t i = 0; i < m->p->samples.n; i++) {
		const uint32_t e = cr_event_of(&events, i);

		if (m->woken[e])
			wake(m, e, m->at[e], time_ns[i]);
		if (e == m->switches && cpu[i] < CR_CPU_UNKNOWN)
			leave(m, m->tasks.of[task[i]], cpu[i], time_ns[i]);
		m->at[e]++;
	}
}

static int
by_run(const void *x, const void *y)
{
	const struct cr_timehist_row *a = x, *b = y;

	if (a->run != b->run)
		return a->run < b->run ? 1 : -1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

/* Keep the rows of threads that f selects. */
static int
rows_keep(struct maker *m, const struct cr_filter *f, struct cr_err *err)
{
	const struct cr_filter one = {
		.event = "sched:sched_switch", .comms = f->comms, .pids = f->pids, .tids = f->tids};
	const struct cr_event_column events = cr_column_events(m->p);
	const uint32_t *task = cr_column_tasks(m->p);
	struct cr_timehist *out = m->out;
	bool *keep = cr_alloc(CR_MAX(m->tasks.n, 1u), sizeof(*keep));
	uint8_t *sel = NULL;
	int rc = cr_select(m->p, &one, &sel, err);

	for (uint64_t i = 0; rc == CR_OK && i < m->p->samples.n; i++)
		if (sel[i] && cr_event_of(&events, i) == m->switches)
			keep[m->tasks.of[task[i]]] = true;
	for (uint32_t i = 0; rc == CR_OK && i < m->tasks.n; i++) {
		const struct cr_timehist_row r = out->rows[i];

		if (!keep[i] || !m->states[i].selected)
			continue;
		out->rows[out->n++] = r;
		out->all.switches += r.switches;
		out->all.run = cr_add_sat(out->all.run, r.run);
		out->all.wait = cr_add_sat(out->all.wait, r.wait);
		out->all.delay = cr_add_sat(out->all.delay, r.delay);
		out->all.run_most = CR_MAX(out->all.run_most, r.run_most);
		out->all.delay_most = CR_MAX(out->all.delay_most, r.delay_most);
	}
	if (out->n)
		qsort(out->rows, out->n, sizeof(*out->rows), by_run);
	free(sel);
	free(keep);
	return rc;
}

static int
usable(const struct cr_profile *p, const struct cr_filter *f, struct cr_err *err)
{
	if (f->event || f->dsos.n || f->cpus.n || f->modes || f->wheres.n || f->times.n)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"--as-perf selects threads by --comm, --pid and --tid only");
	if (!has_samples_of(p, "sched:sched_switch") || !(p->flags & CR_PROFILE_HAS_CPU) ||
		!(p->flags & CR_PROFILE_HAS_TIME) || !cr_profile_has_threads(p))
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"--as-perf needs the tracepoint sched:sched_switch of the whole machine "
			"(perf sched record)");
	return CR_OK;
}

int
cr_timehist_make(const struct cr_profile *p, const struct cr_filter *f, struct cr_timehist *out,
	struct cr_err *err)
{
	struct maker m = {.p = p, .out = out};
	int rc;

	*out = (struct cr_timehist){.all = {.pid = -1, .tid = -1}};
	if ((rc = usable(p, f, err)) < 0)
		return rc;
	events_find(&m);
	threads_make(&m);
	add_samples(&m);
	rc = rows_keep(&m, f, err);
	free(m.states);
	free(m.woken);
	free(m.at);
	cr_task_names_fini(&m.tasks);
	cr_index_fini(&m.tids);
	cr_vec_fini(&m.last);
	if (rc < 0)
		cr_timehist_fini(out);
	return rc;
}

void
cr_timehist_fini(struct cr_timehist *t)
{
	free(t->rows);
	cr_arena_fini(&t->names);
	*t = (struct cr_timehist){0};
}
