#include "query/table/thread_list.h"

#include "base/hash.h"
#include "base/vec.h"
#include "model/columns.h"
#include "query/table/task_names.h"

#include <stdlib.h>

/* A thread on a cpu. */
struct place {
	uint32_t thread;
	uint16_t cpu;
};

struct maker {
	const struct cr_profile *p;
	CR_VEC(struct cr_thread) threads;
	uint32_t *thread_of; /* by task */
	CR_VEC(struct place) places;
	struct cr_index place_ix;
};

unsigned
cr_thread_list_needs(const struct cr_profile *p, const struct cr_filter *f)
{
	unsigned needs = cr_filter_needs(f) | CR_NEEDS_EVENT | CR_NEEDS_TASK | CR_NEEDS_WEIGHT;

	if (p->flags & CR_PROFILE_HAS_TIME)
		needs |= CR_NEEDS_TIME;
	if (p->flags & CR_PROFILE_HAS_CPU)
		needs |= CR_NEEDS_CPU;
	return needs;
}

/* Tasks are threads with one name: merge those of one thread. */
static void
join_tasks(struct maker *m, struct cr_arena *arena)
{
	struct cr_task_names names;
	struct cr_text t = {0};

	cr_task_names_make(m->p, CR_TASKS_BY_PID_TID, &names);
	for (uint32_t i = 0; i < names.n; i++) {
		const struct cr_task *task = &m->p->tasks[names.task[i]];
		struct cr_thread thread = {.pid = task->pid, .tid = task->tid};

		cr_text_clear(&t);
		cr_task_name_put(&names, i, &t);
		thread.comm = (struct cr_str){cr_arena_copy(arena, t.p, t.len), (uint32_t)t.len};
		cr_vec_push(&m->threads, thread);
	}
	m->thread_of = names.of;
	names.of = NULL;
	cr_task_names_fini(&names);
	cr_text_fini(&t);
}

static void
add_place(struct maker *m, uint32_t thread, uint16_t cpu)
{
	const uint64_t h = cr_hash_mix(thread, cpu);
	uint32_t k;

	cr_index_each(&m->place_ix, h, k)
		if (m->places.p[k].thread == thread && m->places.p[k].cpu == cpu)
			return;
	cr_vec_push(&m->places, ((struct place){thread, cpu}));
	cr_index_add(&m->place_ix, h, (uint32_t)m->places.n - 1);
}

static uint64_t
first_time(const uint64_t *time_ns, uint64_t n)
{
	uint64_t base = UINT64_MAX;

	for (uint64_t i = 0; time_ns && i < n; i++)
		if (time_ns[i])
			base = CR_MIN(base, time_ns[i]);
	return base;
}

static void
add_samples(struct maker *m, const uint8_t *sel)
{
	const uint64_t n = m->p->samples.n, *weight = cr_column_weights(m->p);
	const uint64_t *time_ns = m->p->flags & CR_PROFILE_HAS_TIME ? cr_column_times(m->p) : NULL;
	const uint64_t base = first_time(time_ns, n);
	const uint16_t *cpu = m->p->flags & CR_PROFILE_HAS_CPU ? cr_column_cpus(m->p) : NULL;
	const uint32_t *task = cr_column_tasks(m->p);

	for (uint64_t i = 0; i < n; i++) {
		cr_samples_sweep(&m->p->samples, i);
		const uint32_t thread = m->thread_of[task[i]];
		struct cr_thread *t = &m->threads.p[thread];

		if (!sel[i])
			continue;
		t->samples++;
		t->weight = cr_add_sat(t->weight, weight[i]);
		if (cpu && cpu[i] < CR_CPU_UNKNOWN)
			add_place(m, thread, cpu[i]);
		if (!time_ns || !time_ns[i])
			continue;
		t->first_ns =
			t->has_time ? CR_MIN(t->first_ns, time_ns[i] - base) : time_ns[i] - base;
		t->last_ns = CR_MAX(t->last_ns, time_ns[i] - base);
		t->has_time = true;
	}
}

static int
by_thread_and_cpu(const void *x, const void *y)
{
	const struct place *a = x, *b = y;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static void
finish_places(struct maker *m, struct cr_thread_list *out)
{
	out->cpu = cr_alloc(m->places.n + 1, sizeof(*out->cpu));
	if (m->places.n)
		qsort(m->places.p, m->places.n, sizeof(*m->places.p), by_thread_and_cpu);
	for (uint32_t i = 0; i < m->places.n; i++) {
		struct cr_thread *t = &m->threads.p[m->places.p[i].thread];

		if (!t->cpus++)
			t->cpu_from = i;
		out->cpu[i] = m->places.p[i].cpu;
	}
}

static int
by_weight(const void *x, const void *y)
{
	const struct cr_thread *a = x, *b = y;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

int
cr_thread_list_make(const struct cr_profile *p, const struct cr_filter *f,
	struct cr_thread_list *out, struct cr_err *err)
{
	struct maker m = {.p = p};
	uint8_t *sel;
	int rc;

	*out = (struct cr_thread_list){0};
	if (!cr_profile_has_threads(p))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "the profile has no threads");
	if ((rc = cr_select(p, f, &sel, err)) < 0)
		return rc;
	join_tasks(&m, &out->names);
	add_samples(&m, sel);
	free(sel);
	finish_places(&m, out);
	out->threads = m.threads.p;
	for (size_t i = 0; i < m.threads.n; i++) {
		out->weight = cr_add_sat(out->weight, m.threads.p[i].weight);
		if (m.threads.p[i].samples)
			out->threads[out->n++] = m.threads.p[i];
	}
	if (out->n)
		qsort(out->threads, out->n, sizeof(*out->threads), by_weight);
	cr_vec_fini(&m.places);
	cr_index_fini(&m.place_ix);
	free(m.thread_of);
	return CR_OK;
}

void
cr_thread_list_fini(struct cr_thread_list *t)
{
	free(t->threads);
	free(t->cpu);
	cr_arena_fini(&t->names);
	*t = (struct cr_thread_list){0};
}
