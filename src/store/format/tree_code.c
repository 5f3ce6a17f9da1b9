#include "tree_code_p.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/vec.h"

/* A way, in the order of discovery. */
struct found {
	uint32_t from, to;
	uint32_t number; /* index among the ways from the same key */
};

struct finding {
	struct cr_index index;
	CR_VEC(struct found) ways;
	uint32_t *leading; /* by key, including the root's: number of ways from it */
};

static uint32_t
way_of(struct finding *f, uint32_t from, uint32_t to, uint64_t h)
{
	uint32_t row;

	cr_index_each(&f->index, h, row)
		if (f->ways.p[row].from == from && f->ways.p[row].to == to)
			return f->ways.p[row].number;
	cr_index_add(&f->index, h, (uint32_t)f->ways.n);
	cr_vec_push(&f->ways, ((struct found){from, to, f->leading[from]}));
	return f->leading[from]++;
}

static uint32_t
key_of(const uint32_t *key, uint32_t n_keys, uint32_t node)
{
	return node ? key[node] : n_keys;
}

static uint64_t
way_hash(const uint32_t *parent, const uint32_t *key, uint32_t n_keys, uint32_t node)
{
	return cr_hash_mix(key_of(key, n_keys, parent[node]), key[node]);
}

/* Sort the ways by parent key, keeping the order of discovery. */
static void
put_in_order(const struct finding *f, uint32_t n_keys, struct cr_tree_code *out)
{
	uint32_t *first = cr_alloc((uint64_t)n_keys + 2, sizeof(*first));

	for (uint32_t k = 0; k <= n_keys; k++)
		first[k + 1] = first[k] + f->leading[k];
	for (size_t i = 0; i < f->ways.n; i++) {
		const struct found *w = &f->ways.p[i];

		out->from[first[w->from] + w->number] = w->from;
		out->to[first[w->from] + w->number] = w->to;
	}
	free(first);
}

#define AHEAD 16u /* prefetch distance in nodes; a power of two */

void
cr_tree_code_make(const uint32_t *parent, const uint32_t *key, uint32_t nodes, uint32_t n_keys,
	struct cr_tree_code *out)
{
	struct finding f = {.leading = cr_alloc((uint64_t)n_keys + 1, sizeof(*f.leading))};
	uint64_t hashes[AHEAD]; /* of the next nodes' ways, by low bits of the node */

	out->up = cr_alloc(nodes, sizeof(*out->up));
	out->way = cr_alloc(nodes, sizeof(*out->way));
	for (uint32_t i = 1, next = 1; i < nodes; i++) {
		for (; next < nodes && next < i + AHEAD; next++) {
			hashes[next % AHEAD] = way_hash(parent, key, n_keys, next);
			cr_index_prefetch(&f.index, hashes[next % AHEAD]);
		}
		for (uint32_t at = i - 1; at != parent[i]; at = parent[at]) {
			assert(at > parent[i]);
			out->up[i]++;
		}
		out->way[i] = way_of(&f, key_of(key, n_keys, parent[i]), key[i], hashes[i % AHEAD]);
	}
	out->n = (uint32_t)f.ways.n;
	out->from = cr_alloc(out->n, sizeof(*out->from));
	out->to = cr_alloc(out->n, sizeof(*out->to));
	put_in_order(&f, n_keys, out);
	cr_index_fini(&f.index);
	cr_vec_fini(&f.ways);
	free(f.leading);
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
