#include "testing.h"

#include "base/hash.h"
#include "store/format/tree_streams_p.h"

#define NODES 6000u
#define KEYS 900u

struct tree {
	uint32_t n, n_keys;
	uint32_t parent[NODES], key[NODES];
};

/*
 * A tree in preorder: a path that is followed, left, and gone on with. wide: keys have hundreds of
 * ways; deep: paths have hundreds of nodes.
 */
static void
tree_make(struct tree *t, uint32_t seed, uint32_t n_keys, bool deep, bool wide)
{
	uint32_t at = 0;

	t->n = NODES;
	t->n_keys = n_keys;
	t->parent[0] = t->key[0] = 0;
	for (uint32_t i = 1; i < NODES; i++) {
		const uint64_t h = cr_digest_mix(i, seed);
		uint32_t up = h % (deep ? 400 : 3) ? 0 : (uint32_t)(h >> 32) % (deep ? 400 : 6);

		for (; up && at; up--)
			at = t->parent[at];
		t->parent[i] = at;
		t->key[i] = (t->key[at] * 7 + (uint32_t)(h >> 20) % (h >> 40 & 7 ? 3 : n_keys)) %
			    n_keys;
		if (wide) /* most nodes have one of four keys, and these have all ways */
			t->key[i] = (uint32_t)(h >> 20) % (h >> 50 & 3 ? 4 : n_keys);
		at = i;
	}
}

/* A key has different ways: children of one node may have the same key, as here. */
static void
write_tree(const struct tree *t, uint32_t block, struct cr_tree_code *w, struct cr_buf *out,
	size_t *ends)
{
	uint32_t *first;
	struct cr_tree_streams *s;

	cr_tree_code_make(t->parent, t->key, t->n, t->n_keys, w);
	first = cr_tree_code_ways(w, t->n_keys);
	s = cr_tree_streams_new(first, t->n_keys);
	for (uint32_t row = 0; row < t->n; row += block) {
		struct cr_cuts cuts = {0};
		const size_t from = out->n;

		cr_tree_streams_write(
			s, t->parent, t->key, w->way, row, CR_MIN(t->n, row + block), out, &cuts);
		assert_true(out->n - from <= CR_TREE_STREAMS_HEAD + 17 * (size_t)block);
		for (uint32_t i = 0; i < cuts.n; i++)
			assert_true(from + cuts.at[i] <= out->n + from &&
				    (i == 0 || cuts.at[i - 1] < cuts.at[i]));
		ends[row / block] = out->n;
	}
	cr_tree_streams_free(s);
	free(first);
}

static bool
read_tree(const struct tree *t, uint32_t block, const struct cr_tree_code *w,
	const struct cr_buf *in, const size_t *ends, uint32_t deep, struct tree *out, uint32_t *end)
{
	uint32_t *first = cr_tree_code_ways(w, t->n_keys);
	struct cr_tree_streams *s = cr_tree_streams_new(first, t->n_keys);
	bool good = true;
	size_t at = 0;

	for (uint32_t row = 0; row < t->n && good; row += block) {
		const size_t len = ends[row / block] - at;
		unsigned char *exact = cr_memdup(in->p + at, CR_MAX(len, 1u));
		struct cr_cursor c;

		cr_cursor_init(&c, exact, len);
		good = cr_tree_streams_read(s, &c, w->to, row, CR_MIN(t->n, row + block), deep,
			out->parent, out->key, end);
		free(exact);
		at += len;
	}
	if (good && end)
		cr_tree_streams_end(s, out->parent, t->n, end);
	cr_tree_streams_free(s);
	free(first);
	return good;
}

static const struct {
	uint32_t n_keys, block;
	bool deep, wide;
} cases[] = {{3, 6000, false, false}, {40, 100, false, false}, {KEYS, 6000, false, false},
	{KEYS, 7, true, false}, {40, 6000, true, false}, {1, 1000, true, false},
	{40, 500, false, true}, {100, 6000, false, true}, {100, 700, true, true}};

/* The ways from the key that has the most. */
static uint32_t
most_ways(const struct tree *t, const struct cr_tree_code *w)
{
	uint32_t *first = cr_tree_code_ways(w, t->n_keys), most = 0;

	for (uint32_t k = 0; k <= t->n_keys; k++)
		most = CR_MAX(most, first[k + 1] - first[k]);
	free(first);
	return most;
}

static void
test_a_tree_comes_back_from_its_streams(void **state)
{
	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		static struct tree t, got;
		static uint32_t end[NODES];
		static size_t ends[NODES];
		struct cr_tree_code w;
		struct cr_buf out = {0};

		tree_make(&t, (uint32_t)i, cases[i].n_keys, cases[i].deep, cases[i].wide);
		write_tree(&t, cases[i].block, &w, &out, ends);
		if (cases[i].wide)
			assert_int_equal(most_ways(&t, &w) > 64, cases[i].n_keys > 64);
		assert_true(read_tree(&t, cases[i].block, &w, &out, ends, 65535, &got, end));
		assert_memory_equal(got.parent, t.parent, sizeof(t.parent));
		assert_memory_equal(got.key, t.key, sizeof(t.key));
		for (uint32_t k = 0; k < NODES; k++) {
			uint32_t at = k + 1;

			while (at < NODES && (k == 0 || t.parent[at] >= k))
				at++;
			assert_int_equal(end[k], at);
		}
		assert_true(read_tree(&t, cases[i].block, &w, &out, ends, 65535, &got, NULL));
		assert_false(read_tree(&t, cases[i].block, &w, &out, ends, 2, &got, NULL));
		cr_tree_code_fini(&w);
		free(out.p);
	}
}

/* The last byte missing, one too many, and any bytes changed: refused, or another tree. */
static void
test_damaged_streams_are_no_tree(void **state)
{
	static struct tree t, got;
	static uint32_t end[NODES];
	size_t ends[1], whole;
	struct cr_tree_code w;
	struct cr_buf out = {0};

	(void)state;
	tree_make(&t, 5, KEYS, false, false);
	write_tree(&t, NODES, &w, &out, ends);
	whole = ends[0]--;
	assert_false(read_tree(&t, NODES, &w, &out, ends, 65535, &got, end));
	ends[0] = whole + 1;
	cr_buf_int(&out, 0, 1);
	assert_false(read_tree(&t, NODES, &w, &out, ends, 65535, &got, end));
	ends[0] = whole;
	for (uint32_t i = 0; i < 3000; i++) {
		const uint64_t h = cr_digest_mix(i, 9);
		const size_t at = (h >> 8) % (i % 2 ? whole : 200);
		const unsigned char keep = out.p[at];

		out.p[at] = (unsigned char)h;
		if (read_tree(&t, NODES, &w, &out, ends, 65535, &got, end))
			for (uint32_t k = 1; k < NODES; k++)
				assert_true(got.parent[k] < k && got.key[k] < KEYS);
		out.p[at] = keep;
	}
	cr_tree_code_fini(&w);
	free(out.p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_tree_comes_back_from_its_streams),
		cmocka_unit_test(test_damaged_streams_are_no_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
