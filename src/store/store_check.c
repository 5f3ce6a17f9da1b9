#include "store_check.h"

#include <stdlib.h>

bool
cr_store_check_preorder(const uint32_t *parent, uint32_t n, uint32_t *end)
{
	uint32_t at = 0, depth = 0; /* at: the node before, then its ancestors */

	if (n && parent[0] != 0)
		return false;
	for (uint32_t i = 1; i < n; i++) {
		for (; at != parent[i]; at = parent[at], depth--) {
			if (at == 0)
				return false;
			if (end)
				end[at] = i;
		}
		at = i;
		if (++depth > CR_STORE_DEPTH_MAX)
			return false;
	}
	for (; end && at != 0; at = parent[at])
		end[at] = n;
	if (end && n)
		end[0] = n;
	return true;
}

bool
cr_store_check_outline(const struct cr_outline *o, const struct cr_event *events)
{
	if (o->n == 0 || o->frame[0] != 0 || o->frame_function[0] != CR_NO_ROW)
		return false;
	for (uint32_t e = 0; e < o->n_events; e++) {
		const uint64_t *self = o->self + (size_t)e * o->n;
		const uint64_t *self_samples = o->self_samples + (size_t)e * o->n;
		uint64_t weight = 0, samples = 0;

		for (uint32_t i = 0; i < o->n; i++) {
			weight = cr_add_sat(weight, self[i]);
			samples = cr_add_sat(samples, self_samples[i]);
		}
		if (weight != events[e].weight || samples != cr_event_samples(&events[e]))
			return false;
	}
	return cr_store_check_preorder(o->parent, o->n, NULL);
}

bool
cr_store_check_locations(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		if (l->lines == 0 || l->lines > p->n_lines - l->first_line)
			return false;
	}
	return true;
}

static int
map_order(const struct cr_map *a, const struct cr_map *b)
{
	if (a->space.i != b->space.i)
		return a->space.i < b->space.i ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->born > b->born) - (a->born < b->born);
}

bool
cr_store_check_maps(const struct cr_map *maps, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (maps[i].start > maps[i].end || (i && map_order(&maps[i - 1], &maps[i]) > 0))
			return false;
	return true;
}

bool
cr_store_check_samples(const struct cr_samples *s, const struct cr_event *events, uint32_t n_events)
{
	struct {
		uint64_t samples, weight;
	} *sum = cr_alloc(n_events, sizeof(*sum));
	bool same = true;

	for (uint64_t i = 0; i < s->n; i++) {
		sum[s->event[i]].samples++;
		sum[s->event[i]].weight = cr_add_sat(sum[s->event[i]].weight, s->weight[i]);
	}
	for (uint32_t e = 0; e < n_events; e++)
		same &= sum[e].samples == events[e].samples && sum[e].weight == events[e].weight;
	free(sum);
	return same;
}
