#include "testing.h"

#include "base/thread_pool.h"
#include "model/build/stack_queue.h"

/* The same stacks, by a queue and by the builder alone, must make the same profile. */

#define STACKS 30000u
#define DEEPEST 12u

struct maker {
	struct cr_builder *b;
	bool queued;
	/* The last stack of each family: addresses, root first. */
	uint64_t last[CR_STACK_FAMILIES][DEEPEST];
	uint32_t depth[CR_STACK_FAMILIES];
	uint64_t at_place[64]; /* the address that a place was given, + 1 */
};

static cr_node_id
push(struct cr_builder *b, cr_node_id from, const uint64_t *addr, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		from = cr_builder_push(b, from, cr_builder_location(b, CR_DSO_UNKNOWN, addr[i], 0));
	return from;
}

static cr_node_id
queue(struct maker *m, uint32_t family, bool truncated, const uint64_t *addr, uint32_t n)
{
	struct cr_stack_frame frames[DEEPEST];
	struct cr_location_at at[DEEPEST];
	struct cr_stack s = {.family = family, .truncated = truncated, .frames = frames, .at = at};

	while (!truncated && s.shared < n && s.shared < m->depth[family] &&
		m->last[family][s.shared] == addr[s.shared])
		s.shared++;
	for (uint32_t i = s.shared; i < n; i++) {
		const uint32_t place = addr[i] % CR_LEN(m->at_place);
		const bool is_new = m->at_place[place] != addr[i] + 1;

		frames[s.n++] = (struct cr_stack_frame){place & INT32_MAX, is_new};
		if (is_new)
			at[s.n_at++] = (struct cr_location_at){CR_DSO_UNKNOWN, 0, addr[i]};
		m->at_place[place] = addr[i] + 1;
	}
	m->depth[family] = truncated ? 0 : n; /* its frames are below another node */
	memcpy(m->last[family], addr, n * sizeof(*addr));
	return cr_stack_queue_stack(m->b, &s);
}

static cr_node_id
truncated_node(struct maker *m, uint32_t family, const uint64_t *addr, uint32_t n)
{
	if (!m->queued)
		return push(
			m->b, cr_builder_push(m->b, CR_ROOT, cr_builder_truncated(m->b)), addr, n);
	cr_stack_queue_truncated(m->b);
	return queue(m, family, true, addr, n);
}

static struct cr_profile *
made(bool queued, const struct cr_limits *lim)
{
	struct maker m = {.b = cr_builder_new(lim), .queued = queued};
	const cr_event_id event = cr_builder_event(m.b, CR_STR("cycles"), CR_STR(""));
	const cr_task_id task =
		cr_builder_task(m.b, 1, 1, CR_STR("a"), cr_builder_address_space(m.b));
	struct cr_err err = CR_ERR_INIT;
	uint64_t random = 3, sp[DEEPEST];
	struct cr_profile *p;

	if (queued)
		cr_stack_queue_begin(m.b);
	for (uint32_t i = 0; i < STACKS; i++) {
		const uint32_t family = (uint32_t)testing_random(&random) % CR_STACK_FAMILIES,
			       n = (uint32_t)testing_random(&random) % (DEEPEST + 1);
		const bool is_cut = i > STACKS / 3 && testing_random(&random) % 7 == 0;
		cr_node_id node;
		uint64_t addr[DEEPEST];

		for (uint32_t k = 0; k < n; k++) {
			addr[k] = testing_random(&random) % (k + 2) + k * 30;
			sp[n - 1 - k] = 1000 - k * 8;
		}
		if (is_cut)
			node = truncated_node(&m, family, addr, n);
		else
			node = queued ? queue(&m, family, false, addr, n)
				      : push(m.b, CR_ROOT, addr, n);
		if (i % 50 == 0 && queued)
			cr_stack_queue_location(m.b, &(struct cr_location_at){.addr = 7777 + i});
		else if (i % 50 == 0)
			cr_builder_location(m.b, CR_DSO_UNKNOWN, 7777 + i, 0);
		cr_builder_sample(
			m.b, &(struct cr_sample){
				     .event = event, .task = task, .node = node, .weight = i});
		if (is_cut && n)
			cr_builder_cut(m.b, sp[n - 1]);
		else
			cr_builder_whole(m.b, sp, n);
	}
	cr_stack_queue_end(m.b);
	cr_builder_stitch(m.b);
	assert_int_equal(cr_builder_finish(m.b, NULL, &p, &err), CR_OK);
	cr_builder_free(m.b);
	return p;
}

static void
assert_same(const struct cr_profile *a, const struct cr_profile *b)
{
	assert_int_equal(a->n_nodes, b->n_nodes);
	assert_memory_equal(a->node_parent, b->node_parent, a->n_nodes * sizeof(uint32_t));
	assert_memory_equal(a->node_location, b->node_location, a->n_nodes * sizeof(uint32_t));
	assert_int_equal(a->n_locations, b->n_locations);
	for (uint32_t i = 0; i < a->n_locations; i++)
		assert_int_equal(a->locations[i].addr, b->locations[i].addr);
	assert_int_equal(a->samples.n, b->samples.n);
	assert_memory_equal(a->samples.node, b->samples.node, a->samples.n * sizeof(uint32_t));
	assert_int_equal(a->n_quality, b->n_quality);
	for (uint32_t i = 0; i < a->n_quality; i++)
		assert_int_equal(a->quality[i].count, b->quality[i].count);
}

static void
test_a_queue_makes_the_rows_that_the_builder_makes(void **state)
{
	struct cr_profile *want = made(false, NULL);

	(void)state;
	for (unsigned threads = 1; threads <= 2; threads++) {
		struct cr_profile *have;

		cr_thread_pool_limit(threads);
		have = made(true, NULL);
		assert_same(have, want);
		cr_profile_free(have);
	}
	cr_thread_pool_limit(0);
	cr_profile_free(want);
}

static void
test_beyond_the_limit_of_nodes_the_numbers_of_threads_agree(void **state)
{
	const struct cr_limits lim = {.nodes = 500, .depth = 9};
	struct cr_profile *one, *two;

	(void)state;
	cr_thread_pool_limit(1);
	one = made(true, &lim);
	cr_thread_pool_limit(2);
	two = made(true, &lim);
	cr_thread_pool_limit(0);
	assert_int_equal(one->n_nodes <= 500, true);
	assert_same(one, two);
	cr_profile_free(one);
	cr_profile_free(two);
}

static void
test_a_queue_that_was_not_ended_is_freed_with_its_builder(void **state)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const struct cr_stack_frame frame = {0, 1};
	const struct cr_location_at at = {.addr = 5};

	(void)state;
	cr_stack_queue_begin(b);
	for (unsigned i = 0; i < 100; i++)
		cr_stack_queue_stack(
			b, &(struct cr_stack){.frames = &frame, .n = 1, .at = &at, .n_at = 1});
	cr_builder_free(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_queue_makes_the_rows_that_the_builder_makes),
		cmocka_unit_test(test_beyond_the_limit_of_nodes_the_numbers_of_threads_agree),
		cmocka_unit_test(test_a_queue_that_was_not_ended_is_freed_with_its_builder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
