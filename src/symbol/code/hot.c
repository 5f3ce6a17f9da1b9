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

/* Self cost by event and function. If there are too many events, only the first ones count. */
static void
add_up(const struct cr_profile *p, uint32_t events, uint64_t *cost, uint64_t *whole)
{
	for (uint64_t i = 0; i < p->samples.n; i++) {
		const uint32_t event = p->samples.event[i], node = p->samples.node[i];
		uint64_t *c;

		cr_samples_sweep(&p->samples, i);
		if (event >= events)
			continue;
		whole[event] = cr_add_sat(whole[event], p->samples.weight[i]);
		if (node == 0)
			continue;
		c = &cost[(size_t)event * p->n_functions +
			  cr_hot_owner(p, &p->locations[p->node_location[node]])];
		*c = cr_add_sat(*c, p->samples.weight[i]);
	}
}

void
cr_hot_find(const struct cr_profile *p, cr_hots *out)
{
	const uint32_t events = (uint32_t)CR_MIN((size_t)p->n_events, MOST_CELLS / p->n_functions);
	uint64_t *cost = cr_alloc((uint64_t)events * p->n_functions, sizeof(*cost));
	uint64_t *whole = cr_alloc(events, sizeof(*whole));

	add_up(p, events, cost, whole);
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
