#include "query/table/task_names.h"

#include "base/hash.h"
#include "model/columns.h"

#include <stdlib.h>

struct making {
	struct cr_task_names *out;
	enum cr_tasks_by by;
	struct cr_index index;
	uint32_t *first; /* by row: its first task */
};

static bool
is_same(const struct making *m, uint32_t a, uint32_t b)
{
	const struct cr_task *x = &m->out->p->tasks[a], *y = &m->out->p->tasks[b];

	if (m->out->recording[a] != m->out->recording[b])
		return false;
	return (m->by == CR_TASKS_BY_TID || x->pid == y->pid) &&
	       (m->by == CR_TASKS_BY_PID || x->tid == y->tid);
}

static uint32_t
row_of(struct making *m, uint32_t task)
{
	const struct cr_task *t = &m->out->p->tasks[task];
	const uint64_t h = cr_hash_mix(
		(uint32_t)(m->by == CR_TASKS_BY_PID ? t->pid : t->tid), m->out->recording[task]);
	uint32_t row;

	cr_index_each(&m->index, h, row)
		if (is_same(m, m->first[row], task))
			return row;
	row = m->out->n++;
	cr_index_add(&m->index, h, row);
	m->first[row] = task;
	return row;
}

/* False for ":123", which stands for a name that the recording does not have. */
static bool
is_name(const struct cr_named_thread *t)
{
	return t->comm.len && t->comm.p[0] != ':';
}

/* By task: the row of its last sample + 1; 0 if it has no samples. */
static uint64_t *
last_samples(const struct cr_profile *p)
{
	const uint32_t *task = cr_column_tasks(p);
	uint64_t *last = cr_alloc(p->n_tasks, sizeof(*last));

	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		last[task[i]] = i + 1;
	}
	return last;
}

/* True if b is the better task to take the name from. */
static bool
names_better(const struct making *m, const uint64_t *last, uint32_t a, uint32_t b)
{
	const struct cr_task *x = &m->out->p->tasks[a], *y = &m->out->p->tasks[b];
	const bool main_x = last[a] && x->pid == x->tid, main_y = last[b] && y->pid == y->tid;

	if (m->by == CR_TASKS_BY_PID && main_x != main_y)
		return main_y;
	return last[b] >= last[a];
}

/* Find the main threads of processes among all threads that the recording names. */
static void
find_leaders(struct cr_task_names *out)
{
	const struct cr_profile *p = out->p;
	struct cr_index index = {0};

	for (uint32_t i = 0; i < p->n_threads; i++)
		if (p->threads[i].tid == p->threads[i].pid && is_name(&p->threads[i]))
			cr_index_add(&index, cr_hash_mix((uint32_t)p->threads[i].pid, 0), i);
	for (uint32_t row = 0; row < out->n; row++) {
		const int32_t pid = p->tasks[out->task[row]].pid;
		uint32_t i;

		out->leader[row] = CR_NO_ROW;
		cr_index_each(&index, cr_hash_mix((uint32_t)pid, 0), i)
			if (p->threads[i].pid == pid)
				out->leader[row] = i;
	}
	cr_index_fini(&index);
}

void
cr_task_names_make(const struct cr_profile *p, enum cr_tasks_by by, struct cr_task_names *out)
{
	struct making m = {.out = out, .by = by, .first = cr_alloc(p->n_tasks, sizeof(*m.first))};
	uint64_t *last = last_samples(p);

	*out = (struct cr_task_names){.p = p,
		.of = cr_alloc(p->n_tasks, sizeof(*out->of)),
		.task = cr_alloc(p->n_tasks, sizeof(*out->task)),
		.recording = cr_alloc(p->n_tasks, sizeof(*out->recording))};
	cr_merge_inputs(p, &out->inputs);
	cr_merge_recordings(p, out->recording);
	for (uint32_t i = 0; i < p->n_tasks; i++) {
		const uint32_t row = out->of[i] = row_of(&m, i);

		if (m.first[row] == i || names_better(&m, last, out->task[row], i))
			out->task[row] = i;
	}
	out->leader = cr_alloc(CR_MAX(out->n, 1u), sizeof(*out->leader));
	for (uint32_t i = 0; i < out->n; i++)
		out->leader[i] = CR_NO_ROW;
	if (by == CR_TASKS_BY_PID)
		find_leaders(out);
	cr_index_fini(&m.index);
	free(m.first);
	free(last);
}

void
cr_task_name_put(const struct cr_task_names *n, uint32_t row, struct cr_text *out)
{
	const uint32_t task = n->task[row];
	const uint32_t leader = n->leader[row];
	const struct cr_str comm =
		leader == CR_NO_ROW ? n->p->tasks[task].comm : n->p->threads[leader].comm;
	const struct cr_merge_input *in = n->inputs.n > 1 ? &n->inputs.p[n->recording[task]] : NULL;

	cr_text_str(out, comm);
	if (!in)
		return;
	cr_text_puts(out, comm.len ? " (" : "(");
	cr_text_str(out, in->host.len ? in->host : in->name);
	cr_text_char(out, ')');
}

void
cr_task_names_fini(struct cr_task_names *n)
{
	free(n->of);
	free(n->task);
	free(n->recording);
	free(n->leader);
	cr_merge_inputs_fini(&n->inputs);
	*n = (struct cr_task_names){0};
}
