#include "hot_p.h"

#include <stdlib.h>

#define HOT_PPM 1000
#define MOST_HOT 1024
#define MOST_CELLS ((size_t)1 << 23) /* maximum number of sums: events times functions */

static int
hottest_first(const void *a, const void *b)
{
	const struct cr_hot *x = a, *y = b;

	if (x->ppm != y->ppm)
		return x->ppm > y->ppm ? -1 : 1;
	return x->function < y->function ? -1 : x->function > y->function;
}

/* Rows before a sample counts when its location is looked up, and when its place is. */
#define LOCATION_AHEAD 96u
#define PLACE_AHEAD 40u

struct cr_hot_place *
cr_hot_places(const struct cr_profile *p)
{
	struct cr_hot_place *places = cr_alloc(p->n_locations, sizeof(*places));

	for (uint32_t i = 0; i < p->n_locations; i++)
		places[i].owner = cr_hot_owner(p, &p->locations[i]);
	return places;
}

/* Waiting for memory is nearly all of the cost of a sample. */
static void
prefetch(const struct cr_profile *p, const struct cr_hot_place *places, uint64_t row)
{
	const uint32_t *node = p->samples.node;

	if (p->samples.n - row <= LOCATION_AHEAD)
		return;
	__builtin_prefetch(&p->node_location[node[row + LOCATION_AHEAD]]);
	__builtin_prefetch(&places[p->node_location[node[row + PLACE_AHEAD]]]);
}

/*
 * Heat of the places, and self cost by event and function. If there are too many events, only the
 * first ones count for the cost.
 */
static void
add_up(const struct cr_profile *p, uint32_t events, struct cr_hot_place *places, uint64_t *cost,
	uint64_t *whole)
{
	for (uint64_t i = 0; i < p->samples.n; i++) {
		const uint32_t event = p->samples.event[i], node = p->samples.node[i];
		struct cr_hot_place *at = node ? &places[p->node_location[node]] : NULL;
		uint64_t *c;

		cr_samples_sweep(&p->samples, i);
		prefetch(p, places, i);
		if (at && at->heat < UINT32_MAX)
			at->heat++;
		if (event >= events)
			continue;
		whole[event] = cr_add_sat(whole[event], p->samples.weight[i]);
		if (!at)
			continue;
		c = &cost[(size_t)event * p->n_functions + at->owner];
		*c = cr_add_sat(*c, p->samples.weight[i]);
	}
}

void
cr_hot_find(const struct cr_profile *p, struct cr_hot_place *places, cr_hots *out)
{
	const uint32_t events = (uint32_t)CR_MIN((size_t)p->n_events, MOST_CELLS / p->n_functions);
	uint64_t *cost = cr_alloc((uint64_t)events * p->n_functions, sizeof(*cost));
	uint64_t *whole = cr_alloc(events, sizeof(*whole));

	add_up(p, events, places, cost, whole);
	for (uint32_t f = 0; f < p->n_functions; f++) {
		uint32_t ppm = 0;

		for (uint32_t e = 0; e < events; e++)
			ppm = CR_MAX(
				ppm, cr_share_ppm(cost[(size_t)e * p->n_functions + f], whole[e]));
		if (ppm >= HOT_PPM)
			cr_vec_push(out, ((struct cr_hot){f, ppm}));
	}
	if (out->n)
		qsort(out->p, out->n, sizeof(*out->p), hottest_first);
	out->n = CR_MIN(out->n, (size_t)MOST_HOT);
	free(whole);
	free(cost);
}
