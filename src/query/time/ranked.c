#include "ranked_p.h"

#include <stdlib.h>

struct rank {
	uint64_t weight, samples;
	struct cr_str name;
	uint32_t lane;
};

static int
by_weight(const void *x, const void *y)
{
	const struct rank *a = x, *b = y;
	int order;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	order = cr_str_cmp(a->name, b->name);
	return order ? order : (a->lane > b->lane) - (a->lane < b->lane);
}

void
cr_ranked_make(const struct cr_lanes *l, const uint64_t *weight, const uint64_t *samples,
	uint32_t top, struct cr_ranked *out)
{
	struct rank *ranks = cr_alloc(l->n, sizeof(*ranks));

	*out = (struct cr_ranked){.place = cr_alloc(l->n, sizeof(*out->place)),
		.lane = cr_alloc(l->n, sizeof(*out->lane))};
	for (uint32_t i = 0; i < l->n; i++)
		if (samples[i])
			ranks[out->used++] =
				(struct rank){weight[i], samples[i], l->lanes[i].name, i};
	qsort(ranks, out->used, sizeof(*ranks), by_weight);
	out->apart = top ? CR_MIN(top, out->used) : out->used;
	out->places = out->apart + (out->used > out->apart);
	for (uint32_t i = 0; i < out->used; i++) {
		out->place[ranks[i].lane] = CR_MIN(i, out->apart);
		if (i < out->apart)
			out->lane[i] = ranks[i].lane;
	}
	free(ranks);
}

void
cr_ranked_fini(struct cr_ranked *r)
{
	free(r->place);
	free(r->lane);
	*r = (struct cr_ranked){0};
}
