#include "query/table/thread_waits.h"

#include "base/hash.h"
#include "base/vec.h"
#include "model/columns.h"
#include "model/field.h"
#include "query/fold/select_p.h"
#include "query/table/task_names.h"

#include <stdlib.h>

/* How long the thread `waker` ended waits of `thread`. */
struct woken {
	uint32_t thread;
	uint64_t waker, tid, ns;
};

struct maker {
	const struct cr_profile *p;
	const struct cr_filter *f;
	struct cr_thread_waits *out;
	CR_VEC(struct cr_thread_waits_row) rows;
	uint32_t *thread_of;     /* by task */
	struct cr_range *within; /* times in ns of the recording, disjoint; to is exclusive */
	size_t n_within;
	CR_VEC(struct woken) woken;
	struct cr_index woken_ix;
};

/* A field of the event that is read; NULL if there is none. */
struct reading {
	const struct cr_field *state, *queued, *waker, *waker_tid, *ran, *open;
};

unsigned
cr_thread_waits_needs(const struct cr_filter *f)
{
	return cr_filter_needs(f) | CR_NEEDS_EVENT | CR_NEEDS_TASK | CR_NEEDS_WEIGHT |
	       CR_NEEDS_TIME | CR_NEEDS_FIELDS;
}

/* ---- times */

static int
by_from(const void *x, const void *y)
{
	const struct cr_range *a = x, *b = y;

	return (a->from > b->from) - (a->from < b->from);
}

static void
join_ranges(struct maker *m)
{
	size_t n = 0;

	qsort(m->within, m->n_within, sizeof(*m->within), by_from);
	for (size_t i = 0; i < m->n_within; i++) {
		if (n && m->within[i].from <= m->within[n - 1].to)
			m->within[n - 1].to = CR_MAX(m->within[n - 1].to, m->within[i].to);
		else
			m->within[n++] = m->within[i];
	}
	m->n_within = n;
}

static void
times_make(struct maker *m)
{
	uint64_t first, last, whole;

	if (!m->f->times.n)
		return;
	cr_selector_span(m->p, &first, &last);
	whole = last > first ? last - first : 0;
	m->within = cr_alloc(m->f->times.n, sizeof(*m->within));
	for (size_t i = 0; i < m->f->times.n; i++) {
		struct cr_time t = m->f->times.p[i];

		if (t.is_share) {
			t.from = cr_selector_share(whole, t.from);
			t.to = t.to >= 1000000 ? UINT64_MAX : cr_selector_share(whole, t.to);
		}
		if (t.from < t.to)
			m->within[m->n_within++] = (struct cr_range){
				cr_add_sat(first, t.from), cr_add_sat(first, t.to)};
	}
	join_ranges(m);
}

/* Length of the part of [end - ns, end) that was asked for. */
static uint64_t
within(const struct maker *m, uint64_t end, uint64_t ns)
{
	const uint64_t from = end > ns ? end - ns : 0;
	uint64_t sum = 0;

	if (!m->f->times.n)
		return end - from;
	for (size_t i = 0; i < m->n_within; i++) {
		const uint64_t a = CR_MAX(from, m->within[i].from),
			       b = CR_MIN(end, m->within[i].to);

		sum += b > a ? b - a : 0;
	}
	return sum;
}

/* ---- samples of the two events */

static enum cr_wait
wait_of(const struct cr_profile *p, uint64_t text)
{
	const struct cr_str s = text < p->n_texts ? p->texts[text] : CR_STR("");

	switch (s.len ? s.p[0] : 0) {
	case 'S':
	case 'I': return CR_WAIT_SLEEP;
	case 'D': return CR_WAIT_DISK;
	case 'R': return CR_WAIT_PREEMPTED;
	case 0: return CR_WAIT_OFF;
	default: return CR_WAIT_STOPPED;
	}
}

/* The value of a number; 0 if the sample has none. */
static uint64_t
number(const struct cr_field *f, uint64_t at)
{
	const uint64_t v = f && f->value && at < f->n ? f->value[at] : UINT64_MAX;

	return v == UINT64_MAX ? 0 : v;
}

static uint64_t
text(const struct cr_field *f, uint64_t at)
{
	return f && f->value && at < f->n ? f->value[at] : UINT64_MAX;
}

static void
plus(uint64_t *sum, uint64_t ns)
{
	*sum = cr_add_sat(*sum, ns);
}

static void
add_waker(struct maker *m, uint32_t thread, const struct reading *f, uint64_t at, uint64_t ns)
{
	const uint64_t waker = text(f->waker, at), tid = number(f->waker_tid, at);
	const uint64_t h = cr_hash_mix(cr_hash_mix(thread, waker), tid);
	uint32_t k;

	if (waker >= m->p->n_texts)
		return;
	cr_index_each(&m->woken_ix, h, k) {
		struct woken *w = &m->woken.p[k];

		if (w->thread == thread && w->waker == waker && w->tid == tid) {
			plus(&w->ns, ns);
			return;
		}
	}
	cr_index_add(&m->woken_ix, h, (uint32_t)m->woken.n);
	cr_vec_push(&m->woken, ((struct woken){thread, waker, tid, ns}));
}

static void
add_queue(struct maker *m, struct cr_thread_waits_row *r, uint64_t end, uint64_t ns)
{
	const uint64_t in = within(m, end, ns);

	if (!ns || !in)
		return;
	m->out->has_queue = true;
	plus(&r->ns[CR_WAIT_QUEUE], in);
	r->queued++;
	r->queue_most = CR_MAX(r->queue_most, ns);
}

/* [ran] left the CPU [off ... woken, queued] is back at `end` */
static void
add_off(struct maker *m, uint32_t thread, const struct reading *f, uint64_t at, uint64_t end,
	uint64_t weight)
{
	struct cr_thread_waits_row *r = &m->rows.p[thread];
	const uint64_t off = CR_MIN(weight, end), queued = CR_MIN(number(f->queued, at), off);
	const uint64_t waited = within(m, end - queued, off - queued);
	const uint64_t ran = CR_MIN(number(f->ran, at), end - off);

	plus(&r->ns[CR_WAIT_ON], within(m, end - off, ran));
	if (within(m, end, off + ran))
		r->switches++;
	if (number(f->open, at))
		return;
	plus(&r->ns[wait_of(m->p, text(f->state, at))], waited);
	add_queue(m, r, end, queued);
	add_waker(m, thread, f, at, waited);
}

static void
add_life(struct maker *m, uint32_t thread, const struct reading *f, uint64_t at, uint64_t end,
	uint64_t weight)
{
	struct cr_thread_waits_row *r = &m->rows.p[thread];
	const uint64_t life = CR_MIN(weight, end), ran = CR_MIN(number(f->ran, at), life);
	const uint64_t queued = CR_MIN(number(f->queued, at), life - ran);
	const uint64_t open = within(m, end, CR_MIN(number(f->open, at), life)),
		       state = text(f->state, at);

	plus(&r->lifetime, within(m, end, life));
	plus(&r->ns[CR_WAIT_ON], within(m, end, ran));
	add_queue(m, r, end - life + queued, queued);
	if (open && state < m->p->n_texts) {
		plus(&r->open, open);
		r->state = m->p->texts[state];
	}
}

static struct reading
reading_of(const struct cr_profile *p, cr_event_id e)
{
	return (struct reading){cr_field_find(p, e, CR_STR("state")),
		cr_field_find(p, e, CR_STR("queued")), cr_field_find(p, e, CR_STR("waker")),
		cr_field_find(p, e, CR_STR("waker_tid")), cr_field_find(p, e, CR_STR("ran")),
		cr_field_find(p, e, CR_STR("open"))};
}

/* All samples of an event of selected threads. */
static int
add_event(struct maker *m, const char *event, bool is_life, struct cr_err *err)
{
	const struct cr_filter one = {
		.event = event, .comms = m->f->comms, .pids = m->f->pids, .tids = m->f->tids};
	const struct cr_event_column events = cr_column_events(m->p);
	const uint64_t *time_ns = cr_column_times(m->p), *weight = cr_column_weights(m->p);
	const uint32_t *task = cr_column_tasks(m->p);
	struct reading fields;
	cr_event_id e;
	uint64_t at = 0;
	uint8_t *sel;
	int rc;

	if ((rc = cr_filter_event(m->p, &one, &e, err)) < 0 ||
		(rc = cr_select(m->p, &one, &sel, err)) < 0)
		return rc;
	fields = reading_of(m->p, e);
	for (uint64_t i = 0; i < m->p->samples.n; i++) {
		if (cr_event_of(&events, i) != e.i)
			continue;
		if (sel[i] && is_life)
			add_life(m, m->thread_of[task[i]], &fields, at, time_ns[i], weight[i]);
		else if (sel[i])
			add_off(m, m->thread_of[task[i]], &fields, at, time_ns[i], weight[i]);
		at++;
	}
	free(sel);
	return CR_OK;
}

/* ---- rows */

static void
threads_make(struct maker *m)
{
	struct cr_task_names names;
	struct cr_text t = {0};

	cr_task_names_make(m->p, CR_TASKS_BY_PID_TID, &names);
	for (uint32_t i = 0; i < names.n; i++) {
		const struct cr_task *task = &m->p->tasks[names.task[i]];
		struct cr_thread_waits_row r = {.pid = task->pid, .tid = task->tid};

		cr_text_clear(&t);
		cr_task_name_put(&names, i, &t);
		r.comm =
			(struct cr_str){cr_arena_copy(&m->out->names, t.p, t.len), (uint32_t)t.len};
		cr_vec_push(&m->rows, r);
	}
	m->thread_of = names.of;
	names.of = NULL;
	cr_task_names_fini(&names);
	cr_text_fini(&t);
}

static void
wakers_find(struct maker *m)
{
	for (size_t i = 0; i < m->woken.n; i++) {
		const struct woken *w = &m->woken.p[i];
		struct cr_thread_waits_row *r = &m->rows.p[w->thread];

		if (w->ns <= r->waker_ns)
			continue;
		r->waker = m->p->texts[w->waker];
		r->waker_tid = w->tid;
		r->waker_ns = w->ns;
	}
}

/* What is known of a thread is within its lifetime, but not so in a hostile file. */
static void
remainder_find(struct cr_thread_waits_row *r)
{
	uint64_t known = 0;

	for (int k = 0; k < CR_WAIT_REST; k++)
		plus(&known, r->ns[k]);
	r->lifetime = CR_MAX(r->lifetime, known);
	r->ns[CR_WAIT_REST] = r->lifetime - known;
}

static void
sum_up(struct cr_thread_waits_row *all, const struct cr_thread_waits_row *r)
{
	for (int k = 0; k < CR_WAITS_ALL; k++)
		plus(&all->ns[k], r->ns[k]);
	plus(&all->lifetime, r->lifetime);
	plus(&all->open, r->open);
	all->switches += r->switches;
	all->queued += r->queued;
	all->queue_most = CR_MAX(all->queue_most, r->queue_most);
}

static int
by_time_on(const void *x, const void *y)
{
	const struct cr_thread_waits_row *a = x, *b = y;

	if (a->ns[CR_WAIT_ON] != b->ns[CR_WAIT_ON])
		return a->ns[CR_WAIT_ON] < b->ns[CR_WAIT_ON] ? 1 : -1;
	if (a->lifetime != b->lifetime)
		return a->lifetime < b->lifetime ? 1 : -1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static void
rows_take(struct maker *m)
{
	struct cr_thread_waits *out = m->out;

	wakers_find(m);
	out->all = (struct cr_thread_waits_row){.pid = -1, .tid = -1};
	out->rows = m->rows.p;
	for (size_t i = 0; i < m->rows.n; i++) {
		struct cr_thread_waits_row *r = &m->rows.p[i];

		remainder_find(r);
		if (!r->lifetime)
			continue;
		sum_up(&out->all, r);
		out->rows[out->n++] = *r;
	}
	if (out->n)
		qsort(out->rows, out->n, sizeof(*out->rows), by_time_on);
}

static bool
has_event(const struct cr_profile *p, struct cr_str name)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		if (p->events[i].samples && cr_str_eq(p->events[i].name, name))
			return true;
	return false;
}

static int
usable(const struct cr_profile *p, const struct cr_filter *f, struct cr_err *err)
{
	if (f->event || f->dsos.n || f->cpus.n || f->modes || f->wheres.n)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"threads are selected by --comm, --pid, --tid and --time only");
	if (has_event(p, CR_STR(CR_LIFETIME)))
		return CR_OK;
	if (has_event(p, CR_STR("off-cpu")))
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"the profile lacks the lifetimes of threads; ingest its recording again");
	return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
		"no switches of threads were recorded (perf sched record, or perf record "
		"--switch-events)");
}

int
cr_thread_waits_make(const struct cr_profile *p, const struct cr_filter *f,
	struct cr_thread_waits *out, struct cr_err *err)
{
	struct maker m = {.p = p, .f = f, .out = out};
	int rc;

	*out = (struct cr_thread_waits){0};
	if ((rc = usable(p, f, err)) < 0)
		return rc;
	threads_make(&m);
	times_make(&m);
	rc = add_event(&m, CR_LIFETIME, true, err);
	if (rc == CR_OK && has_event(p, CR_STR("off-cpu")))
		rc = add_event(&m, "off-cpu", false, err);
	rows_take(&m);
	cr_vec_fini(&m.woken);
	cr_index_fini(&m.woken_ix);
	free(m.thread_of);
	free(m.within);
	if (rc < 0)
		cr_thread_waits_fini(out);
	return rc;
}

void
cr_thread_waits_fini(struct cr_thread_waits *w)
{
	free(w->rows);
	cr_arena_fini(&w->names);
	*w = (struct cr_thread_waits){0};
}
