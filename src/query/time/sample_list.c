#include "query/time/sample_list.h"

#include "base/hash.h"
#include "model/columns.h"

#include <stdlib.h>

struct timed {
	uint64_t time_ns, row, of_event;
};

unsigned
cr_sample_list_needs(const struct cr_query *q)
{
	return cr_query_needs(NULL, q) | CR_NEEDS_SAMPLES | CR_NEEDS_TREE | CR_NEEDS_FIELDS;
}

static int
by_time(const void *x, const void *y)
{
	const struct timed *a = x, *b = y;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* The selected samples, sorted. */
static struct timed *
timed_make(const struct cr_profile *p, struct cr_sample_list *l, uint64_t *n)
{
	const bool has_time = p->flags & CR_PROFILE_HAS_TIME;
	const uint64_t *time_ns = has_time ? cr_column_times(p) : NULL;
	const struct cr_event_column events = cr_column_events(p);
	uint64_t *at = cr_alloc(CR_MAX(p->n_events, 1u), sizeof(*at));
	struct timed *all = cr_alloc(CR_MAX(p->samples.n, (uint64_t)1), sizeof(*all));

	*n = 0;
	l->first_ns = UINT64_MAX;
	for (uint64_t i = 0; i < p->samples.n; i++) {
		const uint64_t time = time_ns ? time_ns[i] : 0,
			       number = at[cr_event_of(&events, i)]++;

		if (time)
			l->first_ns = CR_MIN(l->first_ns, time);
		if (l->node[i] != CR_NO_ROW)
			all[(*n)++] = (struct timed){time, i, number};
	}
	l->first_ns = l->first_ns == UINT64_MAX ? 0 : l->first_ns;
	qsort(all, (size_t)*n, sizeof(*all), by_time);
	free(at);
	return all;
}

int
cr_sample_list_make(const struct cr_profile *p, const struct cr_query *q, bool reverse,
	uint64_t most, struct cr_sample_list *out, uint64_t *left_out, struct cr_err *err)
{
	struct timed *all;
	uint64_t n;
	int rc;

	*out = (struct cr_sample_list){0};
	if ((rc = cr_query_place(p, q, false, &out->tree, &out->node, err)) < 0)
		return rc;
	all = timed_make(p, out, &n);
	out->n = most ? CR_MIN(most, n) : n;
	*left_out = n - out->n;
	out->row = cr_alloc(CR_MAX(out->n, (uint64_t)1), sizeof(*out->row));
	out->of_event = cr_alloc(CR_MAX(out->n, (uint64_t)1), sizeof(*out->of_event));
	for (uint64_t i = 0; i < out->n; i++) {
		const struct timed *t = &all[reverse ? n - 1 - i : i];

		out->row[i] = t->row;
		out->of_event[i] = t->of_event;
	}
	free(all);
	return CR_OK;
}

void
cr_sample_list_fini(struct cr_sample_list *l)
{
	free(l->row);
	free(l->node);
	free(l->of_event);
	cr_tree_free(l->tree);
	*l = (struct cr_sample_list){0};
}
