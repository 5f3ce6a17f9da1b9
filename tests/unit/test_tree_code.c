#include "testing.h"

#include "store/format/tree_code_p.h"

/* The tree of tree_code.h, one that is a root alone, a chain, and a key under itself. */
static const struct {
	uint32_t nodes, n_keys, parent[8], key[8], up[8], way[8], ways;
} trees[] = {
	{5, 3, {0, 0, 1, 1, 3}, {0, 0, 1, 2, 1}, {0, 0, 0, 1, 0}, {0, 0, 0, 1, 0}, 4},
	{1, 0, {0}, {0}, {0}, {0}, 0},
	{4, 2, {0, 0, 1, 2}, {0, 1, 1, 1}, {0}, {0}, 2},
	{6, 2, {0, 0, 1, 0, 3, 0}, {0, 0, 1, 1, 0, 0}, {0, 0, 0, 2, 0, 2}, {0, 0, 0, 1, 0, 0}, 4},
};

static bool
follow(const struct cr_tree_code *w, const uint32_t *up, uint32_t nodes, uint32_t n_keys,
	uint32_t deep, uint32_t *parent, uint32_t *key, uint32_t *end)
{
	for (uint32_t i = 0; i < nodes; i++) { /* in place, as the store reads them */
		parent[i] = up[i];
		key[i] = w->way[i];
	}
	return cr_tree_code_follow(&(struct cr_tree_code){parent, key, w->from, w->to, w->n}, nodes,
		n_keys, deep, parent, key, end);
}

static void
test_a_tree_comes_back_from_its_ways(void **state)
{
	(void)state;
	for (size_t i = 0; i < CR_LEN(trees); i++) {
		const uint32_t n = trees[i].nodes;
		uint32_t up[8], parent[8], key[8], end[8];
		struct cr_tree_code w;

		cr_tree_code_make(trees[i].parent, trees[i].key, n, trees[i].n_keys, &w);
		assert_int_equal(w.n, trees[i].ways);
		for (uint32_t k = 0; k < n; k += 2) /* in parts, as the store writes them */
			cr_tree_code_up(trees[i].parent, k, CR_MIN(n - k, 2u), up + k);
		assert_memory_equal(up, trees[i].up, n * sizeof(*up));
		assert_memory_equal(w.way, trees[i].way, n * sizeof(*w.way));
		assert_true(follow(&w, up, n, trees[i].n_keys, 8, parent, key, end));
		assert_memory_equal(parent, trees[i].parent, n * sizeof(*parent));
		assert_memory_equal(key, trees[i].key, n * sizeof(*key));
		for (uint32_t k = 0; k < n;
			k++) { /* the subtree of k ends with the first that is none of its */
			uint32_t at = k + 1;

			while (at < n && (k == 0 || trees[i].parent[at] >= k))
				at++;
			assert_int_equal(end[k], at);
		}
		cr_tree_code_fini(&w);
	}
}

static void
test_what_is_no_tree_is_refused(void **state)
{
	static const struct {
		uint32_t up[4], way[4], from[4], to[4], deep;
		bool good;
	} cases[] = {
		{{0, 0, 0, 1}, {0, 0, 0, 0}, {0, 2}, {1, 0}, 9, true},
		{{1, 0, 0, 1}, {0, 0, 0, 0}, {0, 2}, {1, 0}, 9, false}, /* a root under something */
		{{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 2}, {1, 0}, 9, false},
		{{0, 0, 0, 3}, {0, 0, 0, 0}, {0, 2}, {1, 0}, 9, false}, /* up past the root */
		{{0, 0, 0, UINT32_MAX}, {0, 0, 0, 0}, {0, 2}, {1, 0}, 9, false},
		{{0, 0, 0, 1}, {0, 0, 1, 0}, {0, 2}, {1, 0}, 9,
			false}, /* a way that is not there */
		{{0, 0, 0, 1}, {0, UINT32_MAX, 0, 0}, {0, 2}, {1, 0}, 9, false},
		{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 2}, {1, 0}, 9,
			false}, /* from a key that none leads from */
		{{0, 0, 0, 1}, {0, 0, 0, 0}, {2, 0}, {0, 1}, 9, false}, /* out of order */
		{{0, 0, 0, 1}, {0, 0, 0, 0}, {0, 3}, {1, 0}, 9, false}, /* from no key */
		{{0, 0, 0, 1}, {0, 0, 0, 0}, {0, 2}, {1, 0}, 1, false}, /* too deep */
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_tree_code w = {(uint32_t *)(uintptr_t)cases[i].up,
			(uint32_t *)(uintptr_t)cases[i].way, (uint32_t *)(uintptr_t)cases[i].from,
			(uint32_t *)(uintptr_t)cases[i].to, 2};
		uint32_t *exact = calloc(12, sizeof(*exact));

		assert_int_equal(follow(&w, w.up, 4, 2, cases[i].deep, exact, exact + 4, exact + 8),
			cases[i].good);
		free(exact);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_tree_comes_back_from_its_ways),
		cmocka_unit_test(test_what_is_no_tree_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
