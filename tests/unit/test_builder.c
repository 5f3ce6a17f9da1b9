#include "testing.h"

#include <time.h>

static struct cr_profile *
finished(struct cr_builder *b)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

/* A builder with an event, a space and a task, all of row 0. */
static struct cr_builder *
started(const struct cr_limits *lim)
{
	struct cr_builder *b = cr_builder_new(lim);

	cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	return b;
}

static cr_location_id
place(struct cr_builder *b, uint64_t addr)
{
	return cr_builder_location(b, CR_DSO_UNKNOWN, addr, 0);
}

static void
sample_at(struct cr_builder *b, cr_node_id node)
{
	cr_builder_sample(b, &(struct cr_sample){.weight = 1, .node = node, .cpu = UINT16_MAX});
}

static void
test_the_same_thing_twice_has_one_row(void **state)
{
	struct cr_builder *b = started(NULL);
	const struct cr_dso o = {.name = CR_STR("/bin/x"), .kind = CR_KIND_USER};
	struct cr_dso other = o;
	cr_dso_id x, y;

	(void)state;
	x = cr_builder_dso(b, &o);
	assert_int_equal(cr_builder_dso(b, &o).i, x.i);
	other.build_id_len = 1;
	y = cr_builder_dso(b, &other);
	assert_int_not_equal(y.i, x.i);
	other.build_id[0] = 1;
	assert_int_not_equal(cr_builder_dso(b, &other).i, y.i);
	other = o;
	other.kind = CR_KIND_JIT;
	assert_int_not_equal(cr_builder_dso(b, &other).i, x.i);
	assert_int_equal(cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("[unknown]")}).i,
		CR_DSO_UNKNOWN.i);

	assert_int_equal(cr_builder_event(b, CR_STR("cycles"), CR_STR("")).i, 0);
	assert_int_equal(cr_builder_event(b, CR_STR("cycle"), CR_STR("")).i, 1);
	assert_int_equal(cr_builder_location(b, x, 7, 0).i, cr_builder_location(b, x, 7, 0).i);
	assert_int_not_equal(cr_builder_location(b, x, 7, 0).i, cr_builder_location(b, x, 7, 1).i);
	assert_int_not_equal(cr_builder_location(b, x, 7, 0).i, cr_builder_location(b, y, 7, 0).i);
	assert_int_equal(
		cr_builder_named(b, CR_STR("f"), x).i, cr_builder_named(b, CR_STR("f"), x).i);
	assert_int_not_equal(
		cr_builder_named(b, CR_STR("f"), x).i, cr_builder_named(b, CR_STR("f"), y).i);
	assert_int_not_equal(
		cr_builder_named(b, CR_STR("f"), x).i, cr_builder_location(b, x, 0, 0).i);
	cr_builder_free(b);
}

static void
test_a_task_is_another_when_its_name_or_space_changes(void **state)
{
	struct cr_builder *b = started(NULL);
	const cr_address_space_id other = cr_builder_address_space(b);

	(void)state;
	assert_int_equal(cr_builder_task(b, 1, 1, CR_STR("x"), (cr_address_space_id){0}).i, 0);
	assert_int_equal(cr_builder_task(b, 1, 1, CR_STR("y"), (cr_address_space_id){0}).i, 1);
	assert_int_equal(cr_builder_task(b, 1, 1, CR_STR("x"), other).i, 2);
	assert_int_equal(cr_builder_task(b, 1, 2, CR_STR("x"), other).i, 3);
	assert_int_equal(cr_builder_task(b, 1, 1, CR_STR("x"), other).i, 2);
	cr_builder_free(b);
}

/*
 * Keys that differ in one part alone, each part in turn: were it not hashed, this would take
 * minutes.
 */
static void
test_many_of_a_kind_are_found_soon(void **state)
{
	struct cr_builder *b = started(NULL);
	uint32_t(*ids)[9] = calloc(100000, sizeof(*ids));
	const clock_t start = clock();
	char name[16];

	(void)state;
	assert_non_null(ids);
	for (uint32_t k = 0; k < 200000; k++) { /* all of them twice: what is there is found */
		const uint32_t i = k % 100000;
		const struct cr_dso o = {
			.name = {name, (uint32_t)snprintf(name, sizeof(name), "%u", i)}};
		const uint32_t now[9] = {
			cr_builder_push(b, CR_ROOT, cr_builder_named(b, o.name, CR_DSO_UNKNOWN)).i,
			cr_builder_location(b, CR_DSO_UNKNOWN, i, 0).i,
			cr_builder_location(b, CR_DSO_UNKNOWN, (uint64_t)i << 32, 0).i,
			cr_builder_location(b, cr_builder_dso(b, &o), 0, 0).i,
			cr_builder_location(b, CR_DSO_UNKNOWN, 0, (uint16_t)i).i,
			cr_builder_task(b, 1, (int32_t)i, CR_STR("x"), (cr_address_space_id){0}).i,
			cr_builder_task(b, (int32_t)i, 1, CR_STR("x"), (cr_address_space_id){0}).i,
			cr_builder_task(b, 1, 1, CR_STR("x"), (cr_address_space_id){i}).i,
			cr_builder_task(b, 1, 1, o.name, (cr_address_space_id){0}).i,
		};

		cr_builder_fact(b, name, CR_STR("value"));
		if (i < 60000)
			assert_int_equal(cr_builder_event(b, o.name, CR_STR("ns")).i, i + 1);
		if (k == i)
			memcpy(ids[i], now, sizeof(now));
		else
			assert_memory_equal(ids[i], now, sizeof(now));
		if (k == i && i > 0 && i != 1) /* a new one each, but what 0 and 1 say twice */
			for (size_t c = 0; c < CR_LEN(now); c++)
				assert_true(now[c] > ids[i - 1][c] || (c == 4 && i > UINT16_MAX));
	}
	testing_cpu_within(start, 20);
	free(ids);
	cr_builder_free(b);
}

static void
test_what_a_text_says_of_a_frame_makes_the_location(void **state)
{
	struct cr_builder *b = started(NULL);
	const cr_dso_id x = CR_DSO_UNKNOWN;
	const struct cr_named plain = {.name = CR_STR("f")};
	const struct cr_named lined = {.name = CR_STR("f"), .file = CR_STR("f.c"), .line = 7};
	const struct cr_named chain[] = {
		{.name = CR_STR("in"), .file = CR_STR("in.h"), .line = 3}, {.name = CR_STR("f")}};
	const cr_location_id bare = cr_builder_named(b, CR_STR("f"), x);
	cr_location_id at, with_line, inlined;
	struct cr_profile *p;
	const struct cr_location *l;

	(void)state;
	assert_int_equal(cr_builder_named_at(b, x, 0, &plain, 1).i, bare.i);
	at = cr_builder_named_at(b, x, 16, &plain, 1);
	assert_int_not_equal(at.i, bare.i);
	with_line = cr_builder_named_at(b, x, 16, &lined, 1);
	assert_int_not_equal(with_line.i, at.i);
	assert_int_equal(cr_builder_named_at(b, x, 16, &lined, 1).i, with_line.i);
	inlined = cr_builder_named_at(b, x, 16, chain, 2);
	assert_int_equal(cr_builder_named_at(b, x, 16, chain, 2).i, inlined.i);
	assert_int_not_equal(cr_builder_named_at(b, x, 16, chain + 1, 1).i, inlined.i);
	sample_at(b, cr_builder_push(b, CR_ROOT, inlined));
	place(b, 16);
	p = finished(b);
	l = &p->locations[inlined.i];
	assert_int_equal(l->addr, 16);
	assert_int_equal(l->lines, 2);
	assert_true(cr_str_eq(p->functions[p->lines[l->first_line].function.i].name, CR_STR("in")));
	assert_true(p->functions[p->lines[l->first_line].function.i].addr == CR_ADDR_INLINED);
	assert_int_equal(p->lines[l->first_line].line, 3);
	assert_true(cr_str_eq(p->lines[l->first_line].file, CR_STR("in.h")));
	assert_int_equal(p->lines[l->first_line + 1].function.i,
		p->lines[p->locations[bare.i].first_line].function.i);
	assert_int_equal(p->lines[p->locations[with_line.i].first_line].line, 7);
	cr_profile_free(p);
}

static void
test_the_tree_comes_out_in_preorder(void **state)
{
	struct cr_builder *b = started(NULL);
	const cr_node_id a = cr_builder_push(b, CR_ROOT, place(b, 1)),
			 c = cr_builder_push(b, CR_ROOT, place(b, 2));
	const cr_node_id ab = cr_builder_push(b, a, place(b, 3)),
			 cd = cr_builder_push(b, c, place(b, 4));
	const cr_node_id abe = cr_builder_push(b, ab, place(b, 5)),
			 af = cr_builder_push(b, a, place(b, 6));
	/* By hand: root, a, ab, abe, af, c, cd. */
	static const uint64_t addr[] = {0, 1, 3, 5, 6, 2, 4};
	static const uint32_t parent[] = {0, 0, 1, 2, 1, 0, 5}, end[] = {7, 5, 4, 4, 5, 7, 7};
	const cr_node_id nodes[] = {CR_ROOT, a, ab, abe, af, c, cd};
	struct cr_profile *p;

	(void)state;
	for (size_t i = CR_LEN(nodes); i-- > 0;)
		sample_at(b, nodes[i]);
	p = finished(b);
	assert_int_equal(p->n_nodes, CR_LEN(nodes));
	for (uint32_t n = 0; n < p->n_nodes; n++) {
		assert_int_equal(p->node_parent[n], parent[n]);
		assert_int_equal(p->node_end[n], end[n]);
		assert_true(n == 0 || p->locations[p->node_location[n]].addr == addr[n]);
		assert_int_equal(p->samples.node[CR_LEN(nodes) - 1 - n], n);
	}
	cr_profile_free(p);
}

static void
test_locations_are_sorted_by_dso_and_address(void **state)
{
	struct cr_builder *b = started(NULL);
	const cr_dso_id x =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/bin/x"), .kind = CR_KIND_USER});
	const cr_node_id high = cr_builder_push(b, CR_ROOT, cr_builder_location(b, x, 9, 0)),
			 low = cr_builder_push(b, high, cr_builder_location(b, x, 3, 0)),
			 other = cr_builder_push(b, low, place(b, 7));
	struct cr_profile *p;

	(void)state;
	cr_builder_flags(b, CR_PROFILE_HAS_ADDR);
	sample_at(b, other);
	p = finished(b);
	assert_int_equal(p->n_locations, 3);
	for (uint32_t i = 0; i < p->n_locations; i++) {
		static const uint64_t addr[] = {7, 3, 9};

		assert_int_equal(p->locations[i].addr, addr[i]);
		assert_int_equal(p->locations[i].first_line, i);
	}
	assert_int_equal(p->node_location[1], 2); /* the stacks are the same: 9, 3, 7 */
	assert_int_equal(p->node_location[2], 1);
	assert_int_equal(p->node_location[3], 0);
	cr_profile_free(p);
}

static void
test_random_stacks_keep_their_frames(void **state)
{
	struct cr_builder *b = started(NULL);
	uint64_t want[500][6], random = 1;
	struct cr_profile *p;

	(void)state;
	for (size_t i = 0; i < CR_LEN(want); i++) {
		cr_node_id node = CR_ROOT;

		for (size_t d = 0; d < CR_LEN(want[0]); d++) {
			want[i][d] = testing_random(&random) % 3;
			node = cr_builder_push(b, node, place(b, want[i][d]));
		}
		sample_at(b, node);
	}
	p = finished(b);
	for (size_t i = 0; i < CR_LEN(want); i++) {
		uint32_t node = p->samples.node[i];

		for (size_t d = CR_LEN(want[0]); d-- > 0; node = p->node_parent[node]) {
			assert_int_equal(p->locations[p->node_location[node]].addr, want[i][d]);
			assert_true(p->node_parent[node] < node &&
				    node < p->node_end[p->node_parent[node]]);
		}
		assert_int_equal(node, 0);
	}
	cr_profile_free(p);
}

static void
test_an_equal_stack_is_one_node_wherever_its_rows_lie(void **state)
{
	struct cr_builder *b = started(NULL);
	cr_node_id node[3][3][3];
	struct cr_profile *p;

	(void)state;
	/* Second children are pushed before third ones, so rows of one stack are apart. */
	for (int again = 0; again < 2; again++)
		for (unsigned i = 0; i < 27; i++) {
			const unsigned x = i % 3, y = i / 3 % 3, z = i / 9;
			const cr_location_id path[] = {place(b, x), place(b, y), place(b, z)};
			cr_node_id leaf, at[3];

			leaf = cr_builder_push(b, CR_ROOT, path[0]);
			leaf = cr_builder_push(b, leaf, path[1]);
			leaf = cr_builder_push(b, leaf, path[2]);
			cr_builder_push_path(b, CR_ROOT, path, 3, at);
			assert_int_equal(at[2].i, leaf.i);
			if (again)
				assert_int_equal(leaf.i, node[x][y][z].i);
			node[x][y][z] = leaf;
			sample_at(b, leaf);
		}
	p = finished(b);
	assert_int_equal(p->n_nodes, 1 + 3 + 9 + 27);
	cr_profile_free(p);
}

static void
test_stacks_past_the_limits_end_early_and_are_counted(void **state)
{
	static const struct {
		struct cr_limits lim;
		uint32_t nodes;
		const char *what;
		uint64_t count;
	} cases[] = {
		{{.depth = 3}, 7, "frames beyond the limit of depth, dropped", 14},
		{{.nodes = 5}, 5, "frames beyond the limit of distinct stacks, dropped", 16},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_builder *b = started(&cases[i].lim);
		struct cr_profile *p;

		for (uint64_t s = 0; s < 2; s++) {
			cr_node_id node = CR_ROOT;

			for (uint64_t d = 0; d < 10; d++)
				node = cr_builder_push(b, node, place(b, 100 * s + d));
			sample_at(b, node);
		}
		p = finished(b);
		assert_int_equal(p->n_nodes, cases[i].nodes);
		assert_int_equal(p->samples.n, 2);
		assert_int_equal(p->events[0].weight, 2);
		assert_int_equal(p->n_quality, 1);
		assert_str(p->quality[0].what, cases[i].what);
		assert_int_equal(p->quality[0].count, cases[i].count);
		cr_profile_free(p);
	}
}

static void
test_weights_of_an_event_add_up_and_stop_at_the_top(void **state)
{
	struct cr_builder *b = started(NULL);
	const cr_event_id huge = cr_builder_event(b, CR_STR("huge"), CR_STR(""));
	struct cr_profile *p;

	(void)state;
	cr_builder_sample(b, &(struct cr_sample){.weight = 5});
	cr_builder_sample(b, &(struct cr_sample){.weight = UINT64_MAX - 1, .event = huge});
	cr_builder_sample(b, &(struct cr_sample){.weight = 2, .event = huge});
	assert_int_equal(cr_builder_samples(b), 3);
	p = finished(b);
	assert_int_equal(p->events[0].samples, 1);
	assert_int_equal(p->events[0].weight, 5);
	assert_int_equal(p->events[1].samples, 2);
	assert_int_equal(p->events[1].weight, UINT64_MAX);
	cr_profile_free(p);
}

static void
test_facts_are_replaced_and_quality_adds_up(void **state)
{
	struct cr_builder *b = started(NULL);
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_profile *p;

	(void)state;
	cr_builder_fact(b, "hostname", CR_STR("a"));
	cr_builder_fact(b, "hostname", CR_STR("b"));
	cr_builder_quality(b, CR_STR("lost"), UINT64_MAX);
	cr_builder_quality(b, CR_STR("lost"), 1);
	cr_log_warn(&log, "odd records", 3, "%s", "");
	cr_log_warn(&log, "odd records", 4, "%s", "");
	sample_at(b, CR_ROOT);
	assert_int_equal(cr_builder_finish(b, &log, &p, &err), CR_OK);
	cr_builder_free(b);
	assert_str(cr_profile_fact(p, "hostname"), "b");
	assert_str(cr_profile_fact(p, "host"), "");
	assert_int_equal(p->n_quality, 2);
	assert_int_equal(p->quality[0].count, UINT64_MAX);
	assert_str(p->quality[1].what, "odd records");
	assert_int_equal(p->quality[1].count, 2);
	cr_profile_free(p);
}

static void
test_nothing_sampled_is_no_profile(void **state)
{
	struct cr_builder *b = started(NULL);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p = (struct cr_profile *)&err;

	(void)state;
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_EFORMAT);
	assert_null(p);
	cr_builder_free(b);
	cr_builder_free(NULL);
}

static void
test_a_mapping_lives_from_its_birth_to_its_death(void **state)
{
	struct cr_builder *b = started(NULL);
	const cr_dso_id o =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("x"), .kind = CR_KIND_USER});
	const cr_node_id node = cr_builder_push(b, CR_ROOT, cr_builder_location(b, o, 0x10, 0));
	uint32_t first, never;
	struct cr_profile *p;

	(void)state;
	sample_at(b, node); /* row 0: not mapped yet */
	first = cr_builder_map(b, (cr_address_space_id){0}, 0x5000, 0x6000, 0, o);
	never = cr_builder_map(b, (cr_address_space_id){0}, 0x9000, 0xa000, 0, o);
	cr_builder_unmap(b, never);
	sample_at(b, node); /* row 1 */
	cr_builder_unmap(b, first);
	cr_builder_map(b, (cr_address_space_id){0}, 0x7000, 0x8000, 0, o);
	sample_at(b, node); /* row 2: mapped anew */
	cr_builder_map(
		b, (cr_address_space_id){0}, 0xb000, 0xc000, 0, o); /* after the last sample */
	p = finished(b);
	assert_int_equal(p->n_maps, 2);
	assert_int_equal(cr_profile_ip(p, 0, 1), 0x10);
	assert_int_equal(cr_profile_ip(p, 1, 1), 0x5010);
	assert_int_equal(cr_profile_ip(p, 2, 1), 0x7010);
	cr_profile_free(p);
}

static void
test_twin_mappings_are_told_by_their_ordinal(void **state)
{
	struct cr_builder *b = started(NULL);
	const cr_dso_id o =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("x"), .kind = CR_KIND_USER});
	const cr_dso_id k =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("k"), .kind = CR_KIND_KERNEL});
	struct cr_profile *p;

	(void)state;
	cr_builder_map(b, (cr_address_space_id){0}, 0x9000, 0xa000, 0x2000, o);
	cr_builder_map(b, (cr_address_space_id){0}, 0x5000, 0x6000, 0x2000, o);
	cr_builder_map(
		b, cr_builder_address_space(b), 0x1000, 0x2000, 0x2000, o); /* somebody else's */
	for (uint16_t ordinal = 0; ordinal < 3; ordinal++)
		sample_at(
			b, cr_builder_push(b, CR_ROOT, cr_builder_location(b, o, 0x2034, ordinal)));
	sample_at(b, cr_builder_push(b, CR_ROOT, cr_builder_location(b, o, 0x3000, 0)));
	sample_at(b, cr_builder_push(b, CR_ROOT, cr_builder_location(b, k, 0x2034, 0)));
	p = finished(b);
	assert_int_equal(cr_profile_ip(p, 0, 1), 0x5034);
	assert_int_equal(cr_profile_ip(p, 1, 2), 0x9034);
	assert_int_equal(cr_profile_ip(p, 2, 3), 0x2034); /* there is no third */
	assert_int_equal(cr_profile_ip(p, 3, 4), 0x3000); /* just behind both */
	assert_int_equal(cr_profile_ip(p, 4, 5), 0x2034); /* absolute already */
	assert_int_equal(cr_profile_ip(p, 0, 0), 0);      /* the root is nowhere */
	cr_profile_free(p);
}

/* A recording tells of many processes that nothing was sampled in. */
static void
test_spaces_that_nothing_is_in_have_no_number(void **state)
{
	struct cr_builder *b = started(NULL);
	const cr_dso_id o =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("x"), .kind = CR_KIND_USER});
	cr_address_space_id space = {0};
	struct cr_profile *p;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		space = cr_builder_address_space(b);
		if (i == 500)
			cr_builder_map(b, space, 0x1000, 0x2000, 0, o);
	}
	cr_builder_task(b, 7, 7, CR_STR("y"), space);
	sample_at(b, CR_ROOT);
	p = finished(b);
	assert_int_equal(p->n_spaces, 3);
	assert_int_equal(p->tasks[0].space.i, 0);
	assert_int_equal(p->maps[0].space.i, 1);
	assert_int_equal(p->tasks[1].space.i, 2);
	cr_profile_free(p);
}

/* Rows of events have 16 bits. */
static void
test_events_past_the_limit_are_one(void **state)
{
	struct cr_builder *b = started(NULL);
	uint64_t past = 0;
	struct cr_profile *p;

	(void)state;
	for (uint32_t i = 1; i < 70000; i++) {
		char name[16];
		cr_event_id event;

		snprintf(name, sizeof(name), "e%u", i);
		event = cr_builder_event(b, cr_str_of(name), CR_STR("ns"));
		assert_in_range(event.i, 1, UINT16_MAX);
		past += event.i != i;
		cr_builder_sample(b, &(struct cr_sample){.weight = i, .event = event});
	}
	assert_int_equal(cr_builder_event(b, CR_STR("e1000"), CR_STR("ns")).i, 1000);
	p = finished(b);
	assert_in_range(p->n_events, 60000, UINT16_MAX);
	assert_int_equal(p->events[p->n_events - 1].samples, past + 1);
	assert_true(past > 4000);
	assert_int_equal(p->n_quality, 1);
	assert_int_equal(p->quality[0].count, past + 1);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_same_thing_twice_has_one_row),
		cmocka_unit_test(test_a_task_is_another_when_its_name_or_space_changes),
		cmocka_unit_test(test_many_of_a_kind_are_found_soon),
		cmocka_unit_test(test_what_a_text_says_of_a_frame_makes_the_location),
		cmocka_unit_test(test_the_tree_comes_out_in_preorder),
		cmocka_unit_test(test_locations_are_sorted_by_dso_and_address),
		cmocka_unit_test(test_random_stacks_keep_their_frames),
		cmocka_unit_test(test_an_equal_stack_is_one_node_wherever_its_rows_lie),
		cmocka_unit_test(test_stacks_past_the_limits_end_early_and_are_counted),
		cmocka_unit_test(test_weights_of_an_event_add_up_and_stop_at_the_top),
		cmocka_unit_test(test_facts_are_replaced_and_quality_adds_up),
		cmocka_unit_test(test_nothing_sampled_is_no_profile),
		cmocka_unit_test(test_a_mapping_lives_from_its_birth_to_its_death),
		cmocka_unit_test(test_twin_mappings_are_told_by_their_ordinal),
		cmocka_unit_test(test_spaces_that_nothing_is_in_have_no_number),
		cmocka_unit_test(test_events_past_the_limit_are_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
