#include "query/lang/search.h"

#include "base/hash.h"
#include "query/lang/pattern.h"

#include <stdlib.h>

/* Frames of one name in one dso are one function, inlined or not. */
static uint32_t
function_of(const struct cr_tree *t, struct cr_index *seen, uint32_t frame)
{
	const struct cr_frame *f = &t->frames[frame];
	const uint64_t h = cr_hash(f->name.p, f->name.len); /* few dsos have the same name */
	uint32_t row;

	cr_index_each(seen, h, row) {
		const struct cr_frame *g = &t->frames[row];

		if (f->kind == g->kind && cr_str_eq(f->name, g->name) && cr_str_eq(f->dso, g->dso))
			return row;
	}
	cr_index_add(seen, h, frame);
	return frame;
}

/*
 * The functions of the matching frames; CR_NO_ROW for groups and marks such as [truncated]. used:
 * by frame, 1 if a node has it.
 */
static void
find_functions(const struct cr_tree *t, const uint8_t *used, struct cr_search *out)
{
	uint8_t *counted = cr_alloc(t->n_frames, 1);
	struct cr_index seen = {0};

	out->function = cr_alloc(t->n_frames, sizeof(*out->function));
	for (uint32_t f = 0; f < t->n_frames; f++) {
		if (!out->hit[f])
			continue;
		out->function[f] = CR_NO_ROW;
		if (t->frames[f].kind == CR_KIND_GROUP)
			continue;
		out->function[f] = function_of(t, &seen, f);
		out->n_functions += used[f] && !counted[out->function[f]];
		counted[out->function[f]] |= used[f];
	}
	cr_index_fini(&seen);
	free(counted);
}

static void
collect_nodes(const struct cr_tree *t, uint8_t *used, struct cr_search *out)
{
	uint32_t *nodes = cr_alloc(t->n, sizeof(*nodes)), n_nodes = 0;
	uint32_t covered = 0; /* end of the subtree of the last outermost match */

	for (uint32_t n = 0; n < t->n; n++) {
		nodes[n_nodes] = n; /* is overwritten if n does not match: no branch to predict */
		n_nodes += out->hit[t->frame[n]];
		used[t->frame[n]] = 1;
	}
	out->nodes = cr_realloc(nodes, CR_MAX(n_nodes, 1u), sizeof(*nodes));
	out->n_nodes = n_nodes;
	for (uint32_t i = 0; i < n_nodes; i++) {
		const uint32_t n = out->nodes[i];

		if (n < covered)
			continue;
		covered = t->end[n];
		for (uint32_t s = 0; s < t->sides; s++) {
			out->weight[s] = cr_add_sat(out->weight[s], t->total[s][n]);
			out->samples[s] = cr_add_sat(out->samples[s], t->total_samples[s][n]);
		}
	}
}

int
cr_search_make(const struct cr_tree *t, const char *pattern, bool literal, struct cr_search *out,
	struct cr_err *err)
{
	uint8_t *used;
	int rc;

	*out = (struct cr_search){.hit = cr_alloc(t->n_frames, 1)};
	if (literal) {
		cr_frames_named(t, cr_str_of(pattern), out->hit);
	} else if ((rc = cr_frames_match(t, pattern, out->hit, err)) < 0) {
		cr_search_fini(out);
		return rc;
	}
	used = cr_alloc(t->n_frames, 1);
	collect_nodes(t, used, out);
	find_functions(t, used, out);
	free(used);
	return CR_OK;
}

/* The first match at or after a node, as an index of s->nodes. */
static uint32_t
first_from(const struct cr_search *s, uint32_t node)
{
	uint32_t lo = 0, hi = s->n_nodes;

	while (lo < hi) {
		const uint32_t mid = lo + (hi - lo) / 2;

		if (s->nodes[mid] < node)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

uint32_t
cr_search_functions(const struct cr_search *s, const struct cr_tree *t, uint32_t root)
{
	uint8_t *counted;
	uint32_t n = 0;

	if (root == 0)
		return s->n_functions;
	counted = cr_alloc(t->n_frames, 1);
	for (uint32_t i = first_from(s, root); i < s->n_nodes && s->nodes[i] < t->end[root]; i++) {
		const uint32_t function = s->function[t->frame[s->nodes[i]]];

		if (function == CR_NO_ROW || counted[function])
			continue;
		counted[function] = 1;
		n++;
	}
	free(counted);
	return n;
}

uint64_t
cr_search_under(const struct cr_search *s, const struct cr_tree *t, uint32_t root, uint32_t side)
{
	uint64_t weight = 0;
	uint32_t covered = 0;

	/* A match at or above the root includes it completely. */
	for (uint32_t n = root;; n = t->parent[n]) {
		if (s->n_nodes && s->hit[t->frame[n]])
			return t->total[side][root];
		if (n == 0)
			break;
	}
	for (uint32_t i = first_from(s, root); i < s->n_nodes && s->nodes[i] < t->end[root]; i++) {
		if (s->nodes[i] < covered)
			continue;
		covered = t->end[s->nodes[i]];
		weight = cr_add_sat(weight, t->total[side][s->nodes[i]]);
	}
	return weight;
}

void
cr_search_fini(struct cr_search *s)
{
	free(s->hit);
	free(s->nodes);
	free(s->function);
	*s = (struct cr_search){0};
}
