#include "query/lang/search.h"

#include "query/lang/pattern.h"

#include <stdlib.h>

static void
collect_nodes(const struct cr_tree *t, struct cr_search *out)
{
	uint8_t *counted = cr_alloc(t->n_frames, 1);
	uint32_t covered = 0; /* end of the subtree of the last outermost match */

	for (uint32_t n = 0; n < t->n; n++)
		out->n_nodes += out->hit[t->frame[n]];
	out->nodes = cr_alloc(out->n_nodes, sizeof(*out->nodes));
	out->n_nodes = 0;
	for (uint32_t n = 0; n < t->n; n++) {
		if (!out->hit[t->frame[n]])
			continue;
		out->nodes[out->n_nodes++] = n;
		out->n_frames += !counted[t->frame[n]];
		counted[t->frame[n]] = 1;
		if (n < covered)
			continue;
		covered = t->end[n];
		for (uint32_t s = 0; s < t->sides; s++) {
			out->weight[s] = cr_add_sat(out->weight[s], t->total[s][n]);
			out->samples[s] = cr_add_sat(out->samples[s], t->total_samples[s][n]);
		}
	}
	free(counted);
}

int
cr_search_make(const struct cr_tree *t, const char *pattern, bool literal, struct cr_search *out,
	struct cr_err *err)
{
	int rc;

	*out = (struct cr_search){.hit = cr_alloc(t->n_frames, 1)};
	if (literal) {
		cr_frames_named(t, cr_str_of(pattern), out->hit);
	} else if ((rc = cr_frames_match(t, pattern, out->hit, err)) < 0) {
		cr_search_fini(out);
		return rc;
	}
	collect_nodes(t, out);
	return CR_OK;
}

uint64_t
cr_search_under(const struct cr_search *s, const struct cr_tree *t, uint32_t root, uint32_t side)
{
	uint64_t weight = 0;
	uint32_t lo = 0, hi = s->n_nodes, covered = 0;

	/* A match at or above the root includes it completely. */
	for (uint32_t n = root;; n = t->parent[n]) {
		if (s->n_nodes && s->hit[t->frame[n]])
			return t->total[side][root];
		if (n == 0)
			break;
	}
	while (lo < hi) {
		const uint32_t mid = lo + (hi - lo) / 2;

		if (s->nodes[mid] < root)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < s->n_nodes && s->nodes[lo] < t->end[root]; lo++) {
		if (s->nodes[lo] < covered)
			continue;
		covered = t->end[s->nodes[lo]];
		weight = cr_add_sat(weight, t->total[side][s->nodes[lo]]);
	}
	return weight;
}

void
cr_search_fini(struct cr_search *s)
{
	free(s->hit);
	free(s->nodes);
	*s = (struct cr_search){0};
}
