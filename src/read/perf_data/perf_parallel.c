#include "perf_parallel_p.h"

#define CPUS_MOST 65536u

void
cr_perf_parallel_fini(struct perf_parallel *m)
{
	cr_vec_fini(&m->on_cpu1);
	cr_vec_fini(&m->processes);
	cr_index_fini(&m->index);
	cr_vec_fini(&m->fields);
}

void
cr_perf_parallel_switch(struct perf_parallel *m, bool out)
{
	m->counted = true;
	m->others += out ? -1 : 1;
}

/* A thread that exits leaves its CPU without a SWITCH record. */
void
cr_perf_parallel_exit(struct perf_parallel *m)
{
	m->others--;
}

static uint32_t
process_row(struct perf_parallel *m, int32_t pid)
{
	const uint64_t h = cr_hash_mix((uint32_t)pid, 0);
	uint32_t row;

	cr_index_each(&m->index, h, row)
		if (m->processes.p[row].pid == pid)
			return row;
	row = (uint32_t)m->processes.n;
	cr_index_add(&m->index, h, row);
	cr_vec_push(&m->processes, ((struct perf_parallel_process){.pid = pid}));
	return row;
}

/* The row of the process. */
static uint32_t
run(struct perf_parallel *m, uint32_t cpu, int32_t pid)
{
	const uint32_t row = process_row(m, pid);
	uint32_t *was1;

	if (cpu >= CPUS_MOST)
		return row;
	while (m->on_cpu1.n <= cpu)
		cr_vec_push(&m->on_cpu1, 0);
	was1 = &m->on_cpu1.p[cpu];
	if (*was1 == row + 1)
		return row;
	if (*was1)
		m->processes.p[*was1 - 1].running--;
	m->processes.p[row].running++;
	*was1 = row + 1;
	return row;
}

void
cr_perf_parallel_run(struct perf_parallel *m, uint32_t cpu, int32_t pid)
{
	m->counted = m->wide = true;
	run(m, cpu, pid);
}

uint32_t
cr_perf_parallel_of(struct perf_parallel *m, uint32_t cpus, uint32_t cpu, int32_t pid)
{
	int64_t running;

	if (m->wide) {
		const uint32_t row = run(m, cpu, pid); /* may move the rows */

		running = m->processes.p[row].running;
	} else if (m->counted) {
		running = 1 + m->others;
	} else {
		return 0;
	}
	if (cpus)
		running = CR_MIN(running, (int64_t)cpus);
	return (uint32_t)CR_MAX(CR_MIN(running, (int64_t)CPUS_MOST), 1);
}

void
cr_perf_parallel_put(
	struct perf_parallel *m, struct cr_builder *b, cr_event_id event, uint32_t value)
{
	const cr_field_id none = {UINT32_MAX};

	while (m->fields.n <= event.i)
		cr_vec_push(&m->fields, none);
	if (m->fields.p[event.i].i == none.i)
		m->fields.p[event.i] =
			cr_builder_field(b, event, CR_STR("parallelism"), CR_FORM_NUMBER);
	cr_builder_value(b, m->fields.p[event.i], value);
}
