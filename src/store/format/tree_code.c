#include "tree_code_p.h"

#include <assert.h>
#include <stdlib.h>

#include "base/vec.h"

/* By key: where the nodes whose parent has this key begin, plus one element at the end. */
static uint32_t *
nodes_by_parent(const uint32_t *parent, const uint32_t *key, uint32_t nodes, uint32_t n_keys)
{
	uint32_t *first = cr_alloc((uint64_t)n_keys + 2, sizeof(*first));

	for (uint32_t i = 1; i < nodes; i++)
		first[(parent[i] ? key[parent[i]] : n_keys) + 1]++;
	for (uint32_t k = 0; k <= n_keys; k++)
		first[k + 1] += first[k];
	return first;
}

/*
 * The nodes except the root, sorted by the key of their parent; nodes with equal ones keep their
 * order. Advances first[k] to first[k + 1].
 */
static uint32_t *
put_in_order(const uint32_t *parent, const uint32_t *key, uint32_t nodes, uint32_t n_keys,
	uint32_t *first)
{
	uint32_t *order = cr_alloc(CR_MAX(nodes, 1u), sizeof(*order));

	for (uint32_t i = 1; i < nodes; i++)
		order[first[parent[i] ? key[parent[i]] : n_keys]++] = i;
	return order;
}

/* The ways from one key: how often each is used. */
struct way_counts {
	uint32_t *p;
	size_t n, cap;
	uint64_t *sorted; /* cap of them */
	uint32_t *rank;   /* cap of them: by way, its new number */
	size_t cap_sorted;
};

static int
by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Number the ways from one key by their counts, the most used first; `to`: where they lead. Returns
 * false if all keep their numbers.
 */
static bool
ways_sort(struct way_counts *c, uint32_t *to)
{
	const uint32_t n = (uint32_t)c->n;
	bool in_order = true;

	for (uint32_t i = 1; i < n; i++)
		in_order &= c->p[i - 1] >= c->p[i];
	if (in_order)
		return false;
	if (c->cap_sorted < n) {
		c->cap_sorted = c->cap;
		free(c->sorted);
		free(c->rank);
		c->sorted = cr_alloc(c->cap, sizeof(*c->sorted));
		c->rank = cr_alloc(c->cap, sizeof(*c->rank));
	}
	for (uint32_t i = 0; i < n; i++)
		c->sorted[i] = (uint64_t)(UINT32_MAX - c->p[i]) << 32 | i;
	if (n > 2)
		qsort(c->sorted, n, sizeof(*c->sorted), by_number);
	else
		c->sorted[0] = 1, c->sorted[1] = 0;
	for (uint32_t i = 0; i < n; i++)
		c->rank[(uint32_t)c->sorted[i]] = i;
	for (uint32_t i = 0; i < n; i++)
		c->sorted[c->rank[i]] = to[i];
	for (uint32_t i = 0; i < n; i++)
		to[i] = (uint32_t)c->sorted[i];
	return true;
}

/* The last parent's key, + 1, from which there was a way to this key; and that way's number. */
struct way_seen {
	uint32_t from1, number;
};

#define AHEAD 16u /* prefetch distance in nodes */

/*
 * Number the ways from each key. Nothing is looked up by a hash: the ways from one key are adjacent
 * in `order`, so one entry for each key to which they lead is enough.
 */
static void
number_ways(const uint32_t *key, uint32_t nodes, uint32_t n_keys, const uint32_t *ends,
	const uint32_t *order, struct cr_tree_code *out)
{
	struct way_seen *seen = cr_alloc(CR_MAX(n_keys, 1u), sizeof(*seen));
	CR_VEC(uint32_t) from = {0}, to = {0};
	struct way_counts counts = {0};

	for (uint32_t k = 0, at = 0; k <= n_keys; k++) {
		const uint32_t begin = at;

		counts.n = 0;
		for (; at < ends[k]; at++) {
			const uint32_t node = order[at];
			struct way_seen *s = &seen[key[node]];

			if (at + AHEAD < nodes - 1) {
				__builtin_prefetch(&key[order[at + AHEAD]]);
				__builtin_prefetch(&out->way[order[at + AHEAD]], 1);
			}
			if (at + AHEAD / 2 < nodes - 1)
				__builtin_prefetch(&seen[key[order[at + AHEAD / 2]]]);
			if (s->from1 != k + 1) {
				*s = (struct way_seen){k + 1, (uint32_t)counts.n};
				cr_vec_push(&from, k);
				cr_vec_push(&to, key[node]);
				cr_vec_push(&counts, 0);
			}
			out->way[node] = s->number;
			counts.p[s->number]++;
		}
		if (counts.n > 1 && ways_sort(&counts, to.p + to.n - counts.n))
			for (uint32_t i = begin; i < at; i++)
				out->way[order[i]] = counts.rank[out->way[order[i]]];
	}
	out->from = from.p;
	out->to = to.p;
	out->n = (uint32_t)to.n;
	free(seen);
	free(counts.p);
	free(counts.sorted);
	free(counts.rank);
}

void
cr_tree_code_make(const uint32_t *parent, const uint32_t *key, uint32_t nodes, uint32_t n_keys,
	struct cr_tree_code *out)
{
	uint32_t *first = nodes_by_parent(parent, key, nodes, n_keys);
	uint32_t *order = put_in_order(parent, key, nodes, n_keys, first);

	out->up = NULL;
	out->way = cr_alloc(nodes, sizeof(*out->way));
	number_ways(key, nodes, n_keys, first, order, out);
	free(first);
	free(order);
}

void
cr_tree_code_up(const uint32_t *parent, uint32_t from, uint32_t n, uint32_t *up)
{
	for (uint32_t i = from; i < from + n; i++) {
		up[i - from] = 0;
		for (uint32_t at = i - 1; i && at != parent[i]; at = parent[at]) {
			assert(at > parent[i]);
			up[i - from]++;
		}
	}
}

void
cr_tree_code_fini(struct cr_tree_code *w)
{
	free(w->up);
	free(w->way);
	free(w->from);
	free(w->to);
	*w = (struct cr_tree_code){0};
}

uint32_t *
cr_tree_code_ways(const struct cr_tree_code *w, uint32_t n_keys)
{
	uint32_t *first = cr_alloc((uint64_t)n_keys + 2, sizeof(*first));
	bool in_order = true;

	for (uint32_t i = 0; i < w->n; i++) {
		in_order &= w->from[i] <= n_keys && (i == 0 || w->from[i - 1] <= w->from[i]);
		if (in_order)
			first[w->from[i] + 1]++;
	}
	for (uint32_t k = 0; k <= n_keys; k++)
		first[k + 1] += first[k];
	if (in_order)
		return first;
	free(first);
	return NULL;
}

bool
cr_tree_code_follow(const struct cr_tree_code *w, uint32_t nodes, uint32_t n_keys,
	uint32_t most_deep, uint32_t *parent, uint32_t *key, uint32_t *end)
{
	uint32_t *first = cr_tree_code_ways(w, n_keys);
	uint32_t at = 0, depth = 0; /* depth of the previous node, then of its ancestors */
	bool good = first && (nodes == 0 || (w->up[0] == 0 && w->way[0] == 0));

	if (good && nodes)
		parent[0] = key[0] = 0;
	for (uint32_t i = 1; i < nodes && good; i++) {
		const uint32_t way = w->way[i];
		uint32_t up = w->up[i], from;

		for (; up && at; up--, depth--) {
			if (end)
				end[at] = i;
			at = parent[at];
		}
		from = at ? key[at] : n_keys;
		good = up == 0 && ++depth <= most_deep && way < first[from + 1] - first[from];
		if (!good)
			break;
		parent[i] = at;
		key[i] = w->to[first[from] + way];
		at = i;
	}
	for (; end && good && at; at = parent[at])
		end[at] = nodes;
	if (end && nodes)
		end[0] = nodes;
	free(first);
	return good;
}
