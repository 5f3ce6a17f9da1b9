#include "query/time/syscalls.h"

#include "base/hash.h"
#include "base/vec.h"
#include "model/columns.h"
#include "model/field.h"
#include "query/table/task_names.h"
#include "query/time/syscall_names.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* What an event of the profile is. */
struct role {
	bool enters, exits;
	uint32_t name;              /* of syscalls:sys_enter_NAME; NONE for raw_syscalls */
	const struct cr_field *id;  /* number of the system call */
	const struct cr_field *ret; /* its result */
	uint64_t at;                /* number of its samples so far */
};

/* The call that a thread is in. */
struct pending {
	uint64_t time;
	uint32_t name;
	bool is_in;
};

/* A name with its number; the rows of numbers and of names are the same. */
struct named {
	struct cr_str name;
	uint64_t id; /* UINT64_MAX if it has none */
};

/* Sums of a system call in a thread; `mean` and `m2` as Welford computes them. */
struct sums {
	uint32_t name, thread; /* name: NONE for all calls of a thread */
	uint64_t calls, errors, sum, least, most;
	double mean, m2;
	struct cr_str label; /* the name, for sorting; and the place of the thread */
	uint32_t rank;
};

struct maker {
	const struct cr_profile *p;
	struct cr_syscalls *out;
	struct cr_str arch;
	const struct cr_syscalls_opts *o;
	struct role *roles; /* by event */
	struct cr_task_names tasks;
	struct pending *pending; /* by thread */
	CR_VEC(struct named) names;
	struct cr_index name_ix, id_ix;
	CR_VEC(struct sums) sums;
	struct cr_index sums_ix;
};

unsigned
cr_syscalls_needs(const struct cr_filter *f)
{
	return cr_filter_needs(f) | CR_NEEDS_EVENT | CR_NEEDS_TASK | CR_NEEDS_TIME |
	       CR_NEEDS_FIELDS;
}

/* ---- names */

static uint32_t
name_row(struct maker *m, struct cr_str name)
{
	const uint64_t h = cr_hash(name.p, name.len);
	uint32_t k;

	cr_index_each(&m->name_ix, h, k)
		if (cr_str_eq(m->names.p[k].name, name))
			return k;
	k = (uint32_t)m->names.n;
	cr_vec_push(&m->names, ((struct named){name, UINT64_MAX}));
	cr_index_add(&m->name_ix, h, k);
	return k;
}

static uint32_t
id_row(struct maker *m, uint64_t id)
{
	const uint64_t h = cr_hash_mix(id, 0);
	struct cr_str name;
	uint32_t k;

	cr_index_each(&m->id_ix, h, k)
		if (m->names.p[k].id == id)
			return k;
	name = cr_syscall_name(m->arch, id);
	if (!name.len) {
		struct cr_text t = {0};

		cr_text_printf(&t, "syscall %" PRIu64, id);
		name = (struct cr_str){cr_arena_copy(&m->out->names, t.p, t.len), (uint32_t)t.len};
		cr_text_fini(&t);
	}
	k = name_row(m, name);
	m->names.p[k].id = id;
	cr_index_add(&m->id_ix, h, k);
	return k;
}

/* ---- events */

static bool
cut_prefix(struct cr_str *s, const char *prefix)
{
	if (!cr_str_starts(*s, prefix))
		return false;
	s->p += strlen(prefix);
	s->len -= (uint32_t)strlen(prefix);
	return true;
}

static struct role
role_of(struct maker *m, uint32_t event)
{
	const cr_event_id e = {event};
	struct cr_str name = m->p->events[event].name;
	struct role r = {.name = NONE};

	r.enters = cr_str_eq(name, CR_STR("raw_syscalls:sys_enter"));
	r.exits = cr_str_eq(name, CR_STR("raw_syscalls:sys_exit"));
	if (!r.enters && !r.exits) {
		r.enters = cut_prefix(&name, "syscalls:sys_enter_");
		r.exits = !r.enters && cut_prefix(&name, "syscalls:sys_exit_");
		if (r.enters || r.exits)
			r.name = name_row(m, name);
	}
	r.id = cr_field_find(m->p, e, CR_STR("id"));
	r.ret = cr_field_find(m->p, e, CR_STR("ret"));
	return r;
}

static bool
roles_make(struct maker *m)
{
	uint64_t most = 0;

	m->roles = cr_alloc(CR_MAX(m->p->n_events, 1u), sizeof(*m->roles));
	for (uint32_t i = 0; i < m->p->n_events; i++) {
		m->roles[i] = role_of(m, i);
		if (!m->roles[i].exits || m->p->events[i].samples <= most)
			continue;
		most = m->p->events[i].samples;
		m->out->event = m->p->events[i].name;
	}
	return most != 0;
}

/* ---- samples */

/* The value of a number as the kernel's long; false if the sample has none. */
static bool
value_of(const struct cr_field *f, uint64_t at, int64_t *out)
{
	if (!f || !f->value || at >= f->n || f->form == CR_FORM_TEXT ||
		f->value[at] == cr_form_none((enum cr_form)f->form))
		return false;
	*out = (int64_t)f->value[at];
	return true;
}

/* The system call of a sample; NONE if it has no number, as at the end of rt_sigreturn. */
static uint32_t
call_of(struct maker *m, const struct role *r)
{
	int64_t id;

	if (r->name != NONE)
		return r->name;
	return value_of(r->id, r->at, &id) && id >= 0 ? id_row(m, (uint64_t)id) : NONE;
}

static struct sums *
sums_of(struct maker *m, uint32_t name, uint32_t thread)
{
	const uint64_t h = cr_hash_mix(name, thread);
	uint32_t k;

	cr_index_each(&m->sums_ix, h, k)
		if (m->sums.p[k].name == name && m->sums.p[k].thread == thread)
			return &m->sums.p[k];
	cr_index_add(&m->sums_ix, h, (uint32_t)m->sums.n);
	cr_vec_push(&m->sums, ((struct sums){.name = name, .thread = thread, .least = UINT64_MAX}));
	return &m->sums.p[m->sums.n - 1];
}

static void
add_call(struct sums *s, uint64_t ns, bool failed)
{
	const double was = s->mean;

	s->calls++;
	s->errors += failed;
	s->sum = cr_add_sat(s->sum, ns);
	s->least = CR_MIN(s->least, ns);
	s->most = CR_MAX(s->most, ns);
	s->mean += ((double)ns - was) / (double)s->calls;
	s->m2 += ((double)ns - was) * ((double)ns - s->mean);
}

static void
call_ends(struct maker *m, uint32_t thread, const struct role *r, uint64_t time)
{
	struct pending *in = &m->pending[thread];
	const uint32_t name = call_of(m, r);
	int64_t ret = 0;
	bool failed;

	value_of(r->ret, r->at, &ret);
	failed = ret < 0 && ret >= -4095; /* a larger one is an address, as of mmap */
	if (!in->is_in && name == NONE)
		return;
	m->out->half += !in->is_in;
	add_call(sums_of(m, name != NONE ? name : in->name, m->o->by_thread ? thread : 0),
		in->is_in && time > in->time ? time - in->time : 0, failed);
}

static void
add_samples(struct maker *m, const uint8_t *sel)
{
	const struct cr_event_column events = cr_column_events(m->p);
	const uint64_t *time_ns = cr_column_times(m->p);
	const uint32_t *task = cr_column_tasks(m->p);

	for (uint64_t i = 0; i < m->p->samples.n; i++) {
		struct role *r = &m->roles[cr_event_of(&events, i)];
		const uint32_t thread = m->tasks.of[task[i]];

		if (r->enters)
			m->pending[thread] = (struct pending){time_ns[i], call_of(m, r), true};
		if (r->exits) {
			if (sel[i])
				call_ends(m, thread, r, time_ns[i]);
			m->pending[thread].is_in = false;
		}
		r->at++;
	}
	for (uint32_t i = 0; i < m->tasks.n; i++)
		m->out->open += m->pending[i].is_in;
}

/* ---- rows */

/* The sum of two sets of durations, by the method of Chan and others. */
static void
join(struct sums *all, const struct sums *s)
{
	const double n = (double)all->calls, k = (double)s->calls, gap = s->mean - all->mean;

	if (!s->calls)
		return;
	all->m2 += s->m2 + gap * gap * n * k / (n + k);
	all->mean += gap * k / (n + k);
	all->calls += s->calls;
	all->errors += s->errors;
	all->sum = cr_add_sat(all->sum, s->sum);
	all->least = CR_MIN(all->least, s->least);
	all->most = CR_MAX(all->most, s->most);
}

static struct cr_syscall
row_of(const struct maker *m, const struct sums *s)
{
	const double n = (double)s->calls;
	struct cr_syscall r = {.pid = -1,
		.tid = -1,
		.calls = s->calls,
		.errors = s->errors,
		.sum = s->sum,
		.least = s->calls ? s->least : 0,
		.most = s->most,
		.mean = s->mean,
		.deviation = s->calls > 1 ? sqrt(s->m2 / (n - 1) / n) : 0,
		.is_sum = s->name == NONE};

	if (s->name != NONE)
		r.name = m->names.p[s->name].name;
	if (m->o->by_thread && s->thread != NONE) {
		const struct cr_task *task = &m->p->tasks[m->tasks.task[s->thread]];

		r.pid = task->pid;
		r.tid = task->tid;
		r.comm = task->comm;
	}
	return r;
}

static int
by_time(const struct sums *a, const struct sums *b)
{
	if (a->sum != b->sum)
		return a->sum < b->sum ? 1 : -1;
	if (a->calls != b->calls)
		return a->calls < b->calls ? 1 : -1;
	return 0;
}

static int
threads_order(const void *x, const void *y)
{
	const struct sums *a = x, *b = y;
	const int d = by_time(a, b);

	return d ? d : (a->thread > b->thread) - (a->thread < b->thread);
}

/* The sum of a thread is its first row. */
static int
rows_order(const void *x, const void *y)
{
	const struct sums *a = x, *b = y;
	int d;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->name == NONE || b->name == NONE)
		return (b->name == NONE) - (a->name == NONE);
	d = by_time(a, b);
	return d ? d : cr_str_cmp(a->label, b->label);
}

/* Add the sum of each thread as a row, and give the rows the ranks of their threads. */
static void
threads_sum(struct maker *m)
{
	const uint32_t n = m->tasks.n;
	struct sums *all = cr_alloc(CR_MAX(n, 1u), sizeof(*all));
	uint32_t *rank = cr_alloc(CR_MAX(n, 1u), sizeof(*rank));

	for (uint32_t i = 0; i < n; i++)
		all[i] = (struct sums){.name = NONE, .thread = i, .least = UINT64_MAX};
	for (size_t i = 0; i < m->sums.n; i++)
		join(&all[m->sums.p[i].thread], &m->sums.p[i]);
	if (n)
		qsort(all, n, sizeof(*all), threads_order);
	for (uint32_t i = 0; i < n; i++) {
		rank[all[i].thread] = i;
		if (all[i].calls && m->o->with_sums)
			cr_vec_push(&m->sums, all[i]);
	}
	for (size_t i = 0; i < m->sums.n; i++)
		m->sums.p[i].rank = rank[m->sums.p[i].thread];
	free(all);
	free(rank);
}

static void
rows_make(struct maker *m)
{
	struct sums sum = {.name = NONE, .thread = NONE, .least = UINT64_MAX};
	struct cr_syscalls *out = m->out;

	for (size_t i = 0; i < m->sums.n; i++) {
		m->sums.p[i].label = m->names.p[m->sums.p[i].name].name;
		join(&sum, &m->sums.p[i]);
	}
	if (m->o->by_thread)
		threads_sum(m);
	if (m->sums.n)
		qsort(m->sums.p, m->sums.n, sizeof(*m->sums.p), rows_order);
	out->all = row_of(m, &sum);
	out->rows = cr_alloc(CR_MAX(m->sums.n, (size_t)1), sizeof(*out->rows));
	for (size_t i = 0; i < m->sums.n; i++)
		out->rows[out->n++] = row_of(m, &m->sums.p[i]);
}

static int
usable(const struct cr_filter *f, struct cr_err *err)
{
	if (f->event || f->dsos.n || f->modes || f->wheres.n)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"system calls are selected by --comm, --pid, --tid, --cpu and --time only");
	return CR_OK;
}

int
cr_syscalls_make(const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_syscalls_opts *o, struct cr_syscalls *out, struct cr_err *err)
{
	struct maker m = {.p = p, .out = out, .o = o, .arch = cr_profile_fact(p, "arch")};
	struct cr_filter all = *f;
	uint8_t *sel = NULL;
	int rc;

	*out = (struct cr_syscalls){0};
	if ((rc = usable(f, err)) < 0)
		return rc;
	all.all_events = true;
	if (!roles_make(&m) || !(p->flags & CR_PROFILE_HAS_TIME) || !cr_profile_has_threads(p))
		rc = cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"no system calls were recorded (perf trace record, or perf record -e "
			"'raw_syscalls:*')");
	else
		rc = cr_select(p, &all, &sel, err);
	if (rc == CR_OK) {
		cr_task_names_make(p, CR_TASKS_BY_PID_TID, &m.tasks);
		m.pending = cr_alloc(CR_MAX(m.tasks.n, 1u), sizeof(*m.pending));
		add_samples(&m, sel);
		rows_make(&m);
		free(m.pending);
		cr_task_names_fini(&m.tasks);
	}
	free(sel);
	free(m.roles);
	cr_vec_fini(&m.names);
	cr_vec_fini(&m.sums);
	cr_index_fini(&m.name_ix);
	cr_index_fini(&m.id_ix);
	cr_index_fini(&m.sums_ix);
	if (rc < 0)
		cr_syscalls_fini(out);
	return rc;
}

void
cr_syscalls_fini(struct cr_syscalls *s)
{
	free(s->rows);
	cr_arena_fini(&s->names);
	*s = (struct cr_syscalls){0};
}
