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

	for (uint32_t k = 0, at = 0; k <= n_keys; k++)
		for (uint32_t n = 0; at < ends[k]; at++) {
			const uint32_t node = order[at];
			struct way_seen *s = &seen[key[node]];

			if (at + AHEAD < nodes - 1) {
				__builtin_prefetch(&key[order[at + AHEAD]]);
				__builtin_prefetch(&out->way[order[at + AHEAD]], 1);
			}
			if (at + AHEAD / 2 < nodes - 1)
				__builtin_prefetch(&seen[key[order[at + AHEAD / 2]]]);
			if (s->from1 != k + 1) {
				*s = (struct way_seen){k + 1, n++};
				cr_vec_push(&from, k);
				cr_vec_push(&to, key[node]);
			}
			out->way[node] = s->number;
		}
	out->from = from.p;
	out->to = to.p;
	out->n = (uint32_t)to.n;
	free(seen);
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

/*
 * By key: the index of its first way, plus one element at the end. NULL if the ways are not sorted.
 */
static uint32_t *
ways_by_key(const struct cr_tree_code *w, uint32_t n_keys)
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
	uint32_t *first = ways_by_key(w, n_keys);
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
