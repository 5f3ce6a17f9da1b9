#include "fleet_p.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- leaves */

static struct cr_merged_leaf
leaf_of(struct cr_merge *m, const struct cr_merged_group *g)
{
	struct cr_merged_leaf leaf = {.in = g->in,
		.recordings = g->recordings,
		.n_events = (uint32_t)m->events.n,
		.event_samples = cr_alloc(CR_MAX(m->events.n, 1u), sizeof(uint64_t))};
	struct cr_text name = {0};

	cr_text_printf(&name, "batch %u", g->batch + 1);
	leaf.in.name = cr_merge_keep(m, cr_text_view(&name));
	leaf.in.command = leaf.in.host = (struct cr_str){"", 0};
	for (uint32_t k = 0; k < m->fleet->by.n_keys; k++)
		if (cr_str_eq(m->fleet->by.keys[k], CR_STR("host")))
			leaf.in.host = g->values[k];
	leaf.in.samples = 0;
	cr_text_fini(&name);
	return leaf;
}

void
cr_merge_fleet_leaves(struct cr_merge *m)
{
	struct cr_merge_fleet *f = m->fleet;

	for (size_t i = 0; i < f->groups.n; i++)
		cr_vec_push(&m->leaves, leaf_of(m, &f->groups.p[i]));
	for (size_t e = 0; e < m->events.n; e++) {
		m->events.p[e].samples = m->events.p[e].weight = 0;
		m->events.p[e].summed = true;
	}
	for (size_t i = 0; i < f->sums.n; i++) {
		const struct cr_fleet_sum *s = &f->sums.p[i];
		struct cr_merged_event *e = &m->events.p[s->event];

		e->samples++;
		e->weight = cr_add_sat(e->weight, s->weight);
		m->leaves.p[s->group].event_samples[s->event]++;
		m->leaves.p[s->group].in.samples++;
	}
	m->n_samples = f->sums.n;
}

/* ---- rows */

/* A comparison of the sums, with the places of what they refer to. */
struct sorting {
	const struct cr_merge_ordering *o;
	const uint32_t *comm; /* by row of the comms: its place */
};

static int
comm_cmp(const void *x, const void *y, void *comms)
{
	const struct cr_strings *s = comms;

	return cr_str_cmp(s->rows.p[*(const uint32_t *)x], s->rows.p[*(const uint32_t *)y]);
}

static int
sum_cmp(const void *x, const void *y, void *sorting)
{
	const struct cr_fleet_sum *a = x, *b = y;
	const struct sorting *s = sorting;

	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->group, b->group));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->time_ns, b->time_ns));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(s->comm[a->comm], s->comm[b->comm]));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(s->o->event[a->event], s->o->event[b->event]));
	return cr_merge_cmp_numbers(s->o->node[a->node], s->o->node[b->node]);
}

static void
sort_sums(struct cr_merge_ordering *o)
{
	struct cr_merge_fleet *f = o->m->fleet;
	const size_t n = f->comms.rows.n;
	uint32_t *order = cr_alloc(n, sizeof(*order)), *place;

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	if (n)
		qsort_r(order, n, sizeof(*order), comm_cmp, &f->comms);
	place = cr_merge_places_of(order, n);
	if (f->sums.n)
		qsort_r(f->sums.p, f->sums.n, sizeof(*f->sums.p), sum_cmp,
			&(struct sorting){o, place});
	free(order);
	free(place);
}

/* The task of a comm within the leaf. Leaves have few comms, and rows come sorted by time, comm. */
static uint32_t
task_of(struct cr_merge *m, struct cr_merged_leaf *leaf, uint32_t *task_at, uint32_t comm)
{
	struct cr_str name = leaf->in.flags & CR_PROFILE_HAS_TASK ? m->fleet->comms.rows.p[comm]
								  : CR_STR("[unknown]");

	if (task_at[comm] == CR_NO_ROW) {
		task_at[comm] = leaf->n_tasks++;
		cr_vec_push(&m->tasks,
			((struct cr_task){.pid = -1, .tid = -1, .comm = cr_merge_keep(m, name)}));
	}
	return task_at[comm];
}

static void
push_row(struct cr_merge *m, const struct cr_fleet_sum *s, uint32_t task)
{
	const uint16_t cpu = CR_CPU_NONE, event = (uint16_t)s->event;
	struct cr_mapped_vector *columns = m->columns;

	cr_mapped_vector_push(&columns[CR_SAMPLE_TIME], &s->time_ns, sizeof(s->time_ns));
	cr_mapped_vector_push(&columns[CR_SAMPLE_WEIGHT], &s->weight, sizeof(s->weight));
	cr_mapped_vector_push(&columns[CR_SAMPLE_TASK], &task, sizeof(task));
	cr_mapped_vector_push(&columns[CR_SAMPLE_NODE], &s->node, sizeof(s->node));
	cr_mapped_vector_push(&columns[CR_SAMPLE_CPU], &cpu, sizeof(cpu));
	cr_mapped_vector_push(&columns[CR_SAMPLE_EVENT], &event, sizeof(event));
}

/* Append the rows of a leaf, which begin at sum `at`. Returns the end of its rows. */
static size_t
leaf_rows(struct cr_merge *m, uint32_t group, size_t at, uint32_t *task_at)
{
	const struct cr_merge_fleet *f = m->fleet;
	struct cr_merged_leaf *leaf = &m->leaves.p[group];

	leaf->first_row = at;
	leaf->first_task = (uint32_t)m->tasks.n;
	memset(task_at, 0xff, f->comms.rows.n * sizeof(*task_at));
	for (; at < f->sums.n && f->sums.p[at].group == group; at++)
		push_row(m, &f->sums.p[at], task_of(m, leaf, task_at, f->sums.p[at].comm));
	leaf->first_values = (uint32_t)m->values_of.n;
	for (uint32_t k = 0; k < f->by.n_keys; k++)
		cr_merge_put_field(m, leaf, f->by.keys[k], f->groups.p[group].values[k]);
	return at;
}

void
cr_merge_fleet_rows(struct cr_merge_ordering *o)
{
	struct cr_merge *m = o->m;
	uint32_t *task_at = cr_alloc(m->fleet->comms.rows.n, sizeof(*task_at));
	size_t at = 0;

	sort_sums(o);
	for (uint32_t i = 0; i < m->leaves.n; i++)
		at = leaf_rows(m, i, at, task_at);
	free(task_at);
	m->p->flags |= CR_PROFILE_FLEET | CR_PROFILE_ADDED_UP | CR_PROFILE_HAS_SAMPLES |
		       (m->fleet->by.bucket_ns ? CR_PROFILE_HAS_TIME : 0u);
	for (uint32_t i = 0; i < m->leaves.n; i++) {
		m->p->flags |= m->leaves.p[i].in.flags & CR_PROFILE_HAS_TASK;
		m->leaves.p[i].in.flags |= m->p->flags & CR_PROFILE_HAS_TIME;
	}
}

/* ---- facts */

static void
by_fact(struct cr_merge *m)
{
	const struct cr_fleet_by *by = &m->fleet->by;
	struct cr_text t = {0};

	cr_text_printf(&t, "%d\t%" PRIu64, by->comm, by->bucket_ns);
	for (uint32_t k = 0; k < by->n_keys; k++)
		cr_merge_put_text(&t, by->keys[k]);
	cr_merge_put_fact(m, CR_FLEET_BY, &t);
	cr_text_fini(&t);
}

static int
count_cmp(const void *x, const void *y)
{
	const struct cr_merged_count *a = x, *b = y;

	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->group, b->group));
	return cr_merge_cmp_numbers(a->event, b->event);
}

/* Counts with the places of their groups and events. */
static void
counts_fact(struct cr_merge_ordering *o, const uint32_t *place)
{
	struct cr_merge_fleet *f = o->m->fleet;
	struct cr_text t = {0};

	for (size_t i = 0; i < f->counts.n; i++) {
		f->counts.p[i].group = place[f->counts.p[i].group];
		f->counts.p[i].event = o->event[f->counts.p[i].event];
	}
	if (f->counts.n)
		qsort(f->counts.p, f->counts.n, sizeof(*f->counts.p), count_cmp);
	for (size_t i = 0; i < f->counts.n; i++) {
		const struct cr_merged_count *c = &f->counts.p[i];

		cr_text_printf(&t, "%u\t%u\t%" PRIu64 "\t%" PRIu64 "\n", c->group, c->event,
			c->count.samples, c->count.effective);
	}
	cr_merge_put_fact(o->m, CR_FLEET_COUNTS, &t);
	cr_text_fini(&t);
}

void
cr_merge_fleet_facts(struct cr_merge_ordering *o)
{
	struct cr_merge *m = o->m;
	uint32_t *place = cr_alloc(m->leaves.n, sizeof(*place));
	struct cr_text t = {0};

	for (uint32_t i = 0; i < m->leaves.n; i++) {
		const uint32_t group = (uint32_t)(o->leaves[i] - m->leaves.p);
		const struct cr_merged_group *g = &m->fleet->groups.p[group];

		place[group] = i;
		cr_text_printf(&t, "%u\t%" PRIu64, g->batch, g->recordings);
		for (uint32_t k = 0; k < m->fleet->by.n_keys; k++)
			cr_merge_put_text(&t, g->values[k]);
		cr_text_char(&t, '\n');
	}
	by_fact(m);
	cr_merge_put_fact(m, CR_FLEET_GROUPS, &t);
	counts_fact(o, place);
	cr_text_fini(&t);
	free(place);
}
