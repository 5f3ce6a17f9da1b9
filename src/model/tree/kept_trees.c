#include "model/tree/kept_trees.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The memory of the arrays by node that a tree owns; frames are mostly shared with other trees. */
static uint64_t
bytes_of(const struct cr_tree *t)
{
	uint64_t numbers = 2, costs = 2 * (uint64_t)t->sides + (t->sides > 1);

	if (!t->is_borrowed) {
		numbers += 2;
		costs += 2 * (uint64_t)t->sides;
	}
	for (uint32_t s = 0; s < t->sides; s++) {
		costs += t->self[s] == t->leaf[s] ? 0 : 2;
		costs += t->leaf[s] == t->weight[s] ? 0 : 2;
	}
	return t->n * (numbers * sizeof(uint32_t) + costs * sizeof(uint64_t));
}

/* Take the entry out of the list; its tree is not freed. */
static struct cr_tree *
remove_at(struct cr_kept_trees *k, size_t i)
{
	struct cr_tree *t = k->all.p[i].tree;

	free(k->all.p[i].key);
	k->bytes -= k->all.p[i].bytes;
	memmove(&k->all.p[i], &k->all.p[i + 1], (k->all.n - i - 1) * sizeof(k->all.p[i]));
	k->all.n--;
	return t;
}

void
cr_kept_trees_add(struct cr_kept_trees *k, const char *key, struct cr_tree *t)
{
	const struct cr_kept_tree new = {cr_strdup(key), t, bytes_of(t)};

	cr_tree_free(cr_kept_trees_take(k, key));
	cr_vec_push(&k->all, new);
	k->bytes += new.bytes;
	while (k->all.n && k->bytes > k->bytes_most)
		cr_tree_free(remove_at(k, 0));
}

struct cr_tree *
cr_kept_trees_take(struct cr_kept_trees *k, const char *key)
{
	for (size_t i = 0; i < k->all.n; i++)
		if (strcmp(k->all.p[i].key, key) == 0)
			return remove_at(k, i);
	return NULL;
}

void
cr_kept_trees_clear(struct cr_kept_trees *k)
{
	while (k->all.n)
		cr_tree_free(remove_at(k, k->all.n - 1));
	cr_vec_fini(&k->all);
}
