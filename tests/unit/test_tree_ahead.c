#include "testing.h"

#include "base/thread_pool.h"
#include "model/tree/default_tree.h"
#include "model/tree/tree_ahead.h"

/* Samples of three functions in stacks of different depth, of two comms. */
static struct cr_profile *
profile_of(uint32_t samples)
{
	struct cr_text t = {0};
	struct cr_profile *p;

	for (uint32_t i = 0; i < samples; i++)
		cr_text_printf(
			&t, "@%c;f;g%u;h%u %u\n", 'x' + (int)(i % 2), i % 50, i % 7, i % 9 + 1);
	p = testing_profile(t.p);
	cr_text_fini(&t);
	return p;
}

static void
assert_same_tree(const struct cr_default_tree *a, const struct cr_default_tree *b)
{
	assert_non_null(a);
	assert_int_equal(a->n, b->n);
	assert_int_equal(a->n_frames, b->n_frames);
	assert_memory_equal(a->parent, b->parent, a->n * sizeof(*a->parent));
	assert_memory_equal(a->frame, b->frame, a->n * sizeof(*a->frame));
	assert_memory_equal(a->self, b->self, a->n * sizeof(*a->self));
	assert_memory_equal(a->self_samples, b->self_samples, a->n * sizeof(*a->self_samples));
}

static void
test_the_tree_is_the_same_with_any_number_of_threads(void **state)
{
	static const uint32_t samples[] = {5, 70000};

	(void)state;
	for (size_t i = 0; i < CR_LEN(samples); i++)
		for (unsigned threads = 1; threads <= 3; threads++) {
			struct cr_profile *p = profile_of(samples[i]);
			const struct cr_default_tree *plain;

			plain = cr_default_tree_compute(
				p, cr_default_tree_most_nodes(p), &p->arena);
			cr_thread_pool_limit(threads);
			if (threads > 2) /* else it is begun only when it is started */
				cr_tree_ahead_begin(p);
			cr_tree_ahead_start(p);
			/* Few samples, or one processor: it is there at once. */
			assert_int_equal(p->ahead != NULL, samples[i] > 5 && threads > 1);
			cr_tree_ahead_wait(p);
			assert_null(p->ahead);
			assert_same_tree(p->default_tree, plain);
			cr_profile_free(p);
		}
	cr_thread_pool_limit(0);
}

static void
test_a_tree_that_was_begun_can_be_dropped(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= 2; threads++) {
		struct cr_profile *p = profile_of(70000);

		cr_thread_pool_limit(threads);
		cr_tree_ahead_begin(p);
		assert_int_equal(p->ahead != NULL, threads > 1);
		cr_tree_ahead_drop(p);
		assert_null(p->ahead);
		assert_null(p->default_tree);
		cr_profile_free(p);
	}
	cr_thread_pool_limit(0);
}

/* Of a profile whose tree nobody makes. */
static void
test_a_wait_for_nothing_returns(void **state)
{
	struct cr_profile *p = profile_of(3);

	(void)state;
	cr_tree_ahead_wait(p);
	assert_null(p->default_tree);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_tree_is_the_same_with_any_number_of_threads),
		cmocka_unit_test(test_a_tree_that_was_begun_can_be_dropped),
		cmocka_unit_test(test_a_wait_for_nothing_returns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
