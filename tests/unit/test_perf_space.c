#include "testing.h"

#include <stdio.h>
#include <time.h>

#include "read/perf_data/perf_space_p.h"

struct world {
	struct cr_builder *b;
	struct perf_spaces s;
	struct cr_log log;
};

static cr_location_id
located(struct world *w, struct perf_space *space, uint64_t ip)
{
	const struct cr_location_at at = cr_perf_space_locate(&w->s, space, ip);

	return cr_builder_location(w->b, at.dso, at.addr, at.ordinal);
}

static struct world *
world_new(uint64_t len)
{
	struct world *w = calloc(1, sizeof(*w));

	w->b = cr_builder_new(NULL);
	cr_perf_spaces_init(&w->s, w->b, &w->log, len);
	return w;
}

static void
world_free(struct world *w)
{
	cr_perf_spaces_fini(&w->s);
	cr_builder_free(w->b);
	free(w);
}

static cr_dso_id
dso(struct world *w, const char *name)
{
	return cr_builder_dso(
		w->b, &(struct cr_dso){.name = cr_str_of(name), .kind = CR_KIND_USER});
}

static void
map_at_offset(struct world *w, struct perf_space *space, uint64_t start, uint64_t end,
	uint64_t pgoff, const char *name)
{
	cr_perf_space_map(&w->s, space,
		&(struct perf_map){
			.start = start, .end = end, .pgoff = pgoff, .dso = dso(w, name)});
}

static void
map(struct world *w, struct perf_space *space, uint64_t start, uint64_t end, const char *name)
{
	map_at_offset(w, space, start, end, start, name);
}

/* "[1,4)a [4,6)b", and ":pgoff" where that is not the start. */
static void
assert_maps(struct world *w, const struct perf_space *space, const char *want)
{
	static const char *const names[] = {"a", "b", "c", "d"};
	struct cr_text have = {0};

	cr_text_puts(&have, "");
	for (size_t i = 0; i < perf_space_maps(space); i++) {
		const struct perf_map *m = perf_space_at(space, i);

		cr_text_printf(&have, "%s[%d,%d)", i ? " " : "", (int)m->start, (int)m->end);
		if (m->pgoff != m->start)
			cr_text_printf(&have, ":%d", (int)m->pgoff);
		for (size_t k = 0; k < CR_LEN(names); k++)
			if (dso(w, names[k]).i == m->dso.i)
				cr_text_puts(&have, names[k]);
	}
	assert_string_equal(have.p, want);
	cr_text_fini(&have);
}

static void
test_a_new_mapping_wins_over_what_was_there(void **state)
{
	static const struct {
		int start, end;
		const char *want;
	} cases[] = {
		{0, 10, "[0,10)b [10,20)a [30,40)c"},            /* before, touching */
		{5, 15, "[5,15)b [15,20)a [30,40)c"},            /* over its left end */
		{15, 25, "[10,15)a [15,25)b [30,40)c"},          /* over its right end */
		{12, 18, "[10,12)a [12,18)b [18,20)a [30,40)c"}, /* in its middle */
		{10, 20, "[10,20)b [30,40)c"},                   /* the same */
		{10, 15, "[10,15)b [15,20)a [30,40)c"}, {15, 20, "[10,15)a [15,20)b [30,40)c"},
		{15, 35, "[10,15)a [15,35)b [35,40)c"}, /* over two */
		{0, 50, "[0,50)b"},                     /* over all */
		{20, 30, "[10,20)a [20,30)b [30,40)c"}, /* in between */
		{50, 60, "[10,20)a [30,40)c [50,60)b"}, {15, 15, "[10,20)a [30,40)c"}, /* nothing */
		{15, 12, "[10,20)a [30,40)c"}, /* less than nothing */
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct world *w = world_new(0);
		struct perf_space *space = cr_perf_spaces_thread(&w->s, 1, 1)->space;

		map(w, space, 10, 20, "a");
		map(w, space, 30, 40, "c");
		map(w, space, (uint64_t)cases[i].start, (uint64_t)cases[i].end, "b");
		assert_maps(w, space, cases[i].want);
		world_free(w);
	}
}

static void
test_what_is_cut_keeps_its_offset_in_the_object(void **state)
{
	struct world *w = world_new(0);
	struct perf_space *space = cr_perf_spaces_thread(&w->s, 1, 1)->space;

	(void)state;
	map_at_offset(w, space, 10, 20, 100, "a");
	cr_perf_space_unmap(&w->s, space, 13, 15);
	assert_maps(w, space, "[10,13):100a [15,20):105a");
	cr_perf_space_unmap(&w->s, space, 0, 11);
	assert_maps(w, space, "[11,13):101a [15,20):105a");
	cr_perf_space_map(&w->s, space,
		&(struct perf_map){.start = 30, .end = 40, .identity = true, .dso = dso(w, "b")});
	cr_perf_space_unmap(&w->s, space, 32, 34);
	assert_maps(w, space, "[11,13):101a [15,20):105a [30,32):0b [34,40):0b");
	world_free(w);
}

/* The maps of a random history against an array with an entry for each address. */
static void
test_random_mappings_agree_with_a_slow_model(void **state)
{
	uint64_t random = 9;

	(void)state;
	for (unsigned run = 0; run < 50; run++) {
		struct world *w = world_new(0);
		struct perf_space *space = cr_perf_spaces_thread(&w->s, 1, 1)->space;
		struct {
			uint32_t object1;
			uint64_t addr;
		} model[200] = {{0}};

		for (unsigned i = 0; i < 60; i++) {
			const uint64_t start = testing_random(&random) % 190,
				       end = start + 1 + testing_random(&random) % 10;
			const uint64_t pgoff = 1000 * i;
			const bool gone = i % 5 == 4;
			char name[8];
			cr_dso_id o;

			snprintf(name, sizeof(name), "o%u", i % 3);
			o = dso(w, name);
			if (gone)
				cr_perf_space_unmap(&w->s, space, start, end);
			else
				map_at_offset(w, space, start, end, pgoff, name);
			for (uint64_t at = start; at < end; at++) {
				model[at].object1 = gone ? 0 : o.i + 1;
				model[at].addr = pgoff + at - start;
			}
		}
		for (uint64_t at = 0; at < 200; at++) {
			const cr_location_id l = located(w, space, at);
			const cr_location_id want =
				model[at].object1
					? cr_builder_location(w->b,
						  (cr_dso_id){model[at].object1 - 1},
						  model[at].addr, 0)
					: cr_builder_location(w->b, CR_DSO_UNKNOWN, at, 0);

			assert_int_equal(l.i, want.i);
		}
		world_free(w);
	}
}

static void
assert_comm(const struct perf_thread *t, const char *want)
{
	char room[PERF_THREAD_ROOM];

	assert_str(cr_perf_thread_comm(t, room), want);
}

static void
test_a_fork_copies_what_is_mapped_and_the_name(void **state)
{
	struct world *w = world_new(0);
	struct perf_thread *t;

	(void)state;
	cr_perf_spaces_comm(&w->s, 1, 1, CR_STR("parent"));
	map(w, cr_perf_spaces_thread(&w->s, 1, 1)->space, 10, 20, "a");
	cr_perf_spaces_fork(&w->s, 2, 2, 1, 1, true);
	t = cr_perf_spaces_thread(&w->s, 2, 2);
	assert_comm(t, "parent");
	assert_maps(w, t->space, "[10,20)a");
	map(w, t->space, 10, 15, "b");
	assert_maps(w, t->space, "[10,15)b [15,20)a");
	assert_maps(w, cr_perf_spaces_thread(&w->s, 1, 1)->space, "[10,20)a");
	world_free(w);
}

/* The row in the builder of map i of a space; CR_NO_ROW if it has none. */
static uint32_t
row_of(const struct perf_space *space, size_t i)
{
	return perf_space_row(space, space->maps->order.p[i]);
}

/* Each space makes the maps that it is asked for known to the builder, whoever is asked first. */
static void
test_forks_share_maps_and_have_rows_of_their_own(void **state)
{
	struct world *w = world_new(0);
	struct perf_space *space[4] = {cr_perf_spaces_thread(&w->s, 1, 1)->space};
	const uint64_t limit = w->s.left.copies;

	(void)state;
	map(w, space[0], 10, 20, "a");
	map(w, space[0], 30, 40, "b");
	cr_perf_space_locate(&w->s, space[0], 12);
	for (int32_t i = 1; i < 4; i++) {
		cr_perf_spaces_fork(&w->s, 1 + i, 1 + i, 1, 1, true);
		space[i] = cr_perf_spaces_thread(&w->s, 1 + i, 1 + i)->space;
		assert_ptr_equal(space[i]->maps, space[0]->maps);
	}
	assert_int_equal(w->s.left.copies, limit);
	cr_perf_space_locate(&w->s, space[2], 12);
	assert_int_equal(w->s.left.copies, limit - 1);
	cr_perf_space_locate(&w->s, space[0], 12); /* is known already */
	assert_int_equal(w->s.left.copies, limit - 1);
	cr_perf_space_locate(&w->s, space[0], 32);
	cr_perf_space_locate(&w->s, space[1], 12);
	cr_perf_space_locate(&w->s, space[3], 12);
	for (int i = 0; i < 4; i++) {
		assert_maps(w, space[i], "[10,20)a [30,40)b");
		assert_ptr_equal(space[i]->maps, space[0]->maps);
		assert_int_not_equal(row_of(space[i], 0), CR_NO_ROW);
		for (int k = 0; k < i; k++)
			assert_int_not_equal(row_of(space[i], 0), row_of(space[k], 0));
		assert_true((row_of(space[i], 1) == CR_NO_ROW) == (i != 0));
	}
	world_free(w);
}

/* The first row has a place of its own; the others make a table, which grows with the maps. */
static void
test_every_used_map_has_its_row(void **state)
{
	struct world *w = world_new(0);
	struct perf_space *space = cr_perf_spaces_thread(&w->s, 1, 1)->space;
	uint32_t rows[100];

	(void)state;
	for (uint32_t i = 0; i < CR_LEN(rows); i++)
		map(w, space, 10 + 20 * i, 20 + 20 * i, "a");
	for (uint32_t i = CR_LEN(rows); i-- > 0;) {
		if (i == 40)
			map(w, space, 100000, 100010, "b");
		cr_perf_space_locate(&w->s, space, 12 + 20 * i);
		rows[i] = row_of(space, i);
		assert_int_not_equal(rows[i], CR_NO_ROW);
	}
	for (uint32_t i = 0; i < CR_LEN(rows); i++)
		assert_int_equal(row_of(space, i), rows[i]);
	cr_perf_space_unmap(&w->s, space, 0, 25);
	assert_int_equal(row_of(space, 0), rows[1]);
	world_free(w);
}

/* The maps of a process that has ended stay those of its children, and its rows are not theirs. */
static void
test_shared_maps_outlive_their_process(void **state)
{
	struct world *w = world_new(0);
	struct perf_space *child;
	uint32_t row;

	(void)state;
	map(w, cr_perf_spaces_thread(&w->s, 1, 1)->space, 10, 20, "a");
	cr_perf_space_locate(&w->s, cr_perf_spaces_thread(&w->s, 1, 1)->space, 12);
	row = row_of(cr_perf_spaces_thread(&w->s, 1, 1)->space, 0);
	cr_perf_spaces_fork(&w->s, 2, 2, 1, 1, true);
	cr_perf_spaces_fork(&w->s, 1, 1, 9, 9, true); /* the number is used again */
	child = cr_perf_spaces_thread(&w->s, 2, 2)->space;
	assert_maps(w, child, "[10,20)a");
	cr_perf_space_locate(&w->s, child, 12);
	assert_int_not_equal(row_of(child, 0), row);
	assert_maps(w, cr_perf_spaces_thread(&w->s, 1, 1)->space, "");
	world_free(w);
}

static void
test_a_fork_that_the_recorder_made_up_copies_no_maps(void **state)
{
	struct world *w = world_new(0);

	(void)state;
	map(w, cr_perf_spaces_thread(&w->s, 1, 1)->space, 10, 20, "a");
	cr_perf_spaces_fork(&w->s, 2, 2, 1, 1, false);
	assert_maps(w, cr_perf_spaces_thread(&w->s, 2, 2)->space, "");
	world_free(w);
}

static void
test_threads_of_a_process_share_its_maps(void **state)
{
	struct world *w = world_new(0);
	struct perf_space *space = cr_perf_spaces_thread(&w->s, 1, 1)->space;

	(void)state;
	cr_perf_spaces_fork(&w->s, 1, 5, 1, 1, true);
	map(w, space, 10, 20, "a");
	assert_ptr_equal(cr_perf_spaces_thread(&w->s, 1, 5)->space, space);
	assert_ptr_equal(cr_perf_spaces_thread(&w->s, 1, 6)->space, space); /* never heard of */
	assert_comm(cr_perf_spaces_thread(&w->s, 1, 6), ":6");
	assert_comm(cr_perf_spaces_thread(&w->s, 0, 0), "swapper");
	world_free(w);
}

static void
test_every_tid_is_found_however_many_there_are(void **state)
{
	struct world *w = world_new(0);
	char name[16];

	(void)state;
	for (int again = 0; again < 2; again++)
		for (int32_t tid = 1; tid < 3000; tid++) {
			struct perf_thread *t = cr_perf_spaces_thread(&w->s, tid, tid);

			snprintf(name, sizeof(name), ":%d", tid);
			assert_int_equal(t->tid, tid);
			assert_comm(t, name);
		}
	assert_int_equal(w->s.threads.n, 3000); /* and swapper */
	world_free(w);
}

static void
test_a_tid_that_is_used_again_is_another_thread(void **state)
{
	struct world *w = world_new(0);

	(void)state;
	cr_perf_spaces_comm(&w->s, 1, 1, CR_STR("parent"));
	cr_perf_spaces_comm(&w->s, 2, 2, CR_STR("old"));
	map(w, cr_perf_spaces_thread(&w->s, 2, 2)->space, 10, 20, "a");
	cr_perf_spaces_fork(&w->s, 2, 2, 1, 1, true);
	assert_comm(cr_perf_spaces_thread(&w->s, 2, 2), "parent");
	assert_maps(w, cr_perf_spaces_thread(&w->s, 2, 2)->space, "");
	/* A parent of another pid than we knew: its tid was used again. */
	cr_perf_spaces_fork(&w->s, 9, 9, 7, 2, true);
	assert_int_equal(cr_perf_spaces_thread(&w->s, 7, 2)->pid, 7);
	assert_comm(cr_perf_spaces_thread(&w->s, 7, 2), ":2");
	world_free(w);
}

static void
test_a_name_changes_the_task_and_keeps_the_space(void **state)
{
	struct world *w = world_new(0);
	struct perf_thread *t = cr_perf_spaces_thread(&w->s, 1, 1);
	struct perf_space *space = t->space;
	const cr_task_id before = cr_perf_thread_task(&w->s, t, 1);

	(void)state;
	map(w, space, 10, 20, "a");
	cr_perf_spaces_comm(&w->s, 1, 1, CR_STR("after exec"));
	t = cr_perf_spaces_thread(&w->s, 1, 1);
	assert_int_not_equal(cr_perf_thread_task(&w->s, t, 1).i, before.i);
	assert_ptr_equal(t->space, space);
	assert_maps(w, space, "[10,20)a"); /* as perf has it: new mappings will win over these */
	world_free(w);
}

static void
test_twins_are_counted_from_the_lowest(void **state)
{
	struct world *w = world_new(0);
	struct perf_space *space = cr_perf_spaces_thread(&w->s, 1, 1)->space;
	const cr_dso_id a = dso(w, "a");

	(void)state;
	map_at_offset(w, space, 50, 60, 100, "a");
	assert_int_equal(located(w, space, 53).i, cr_builder_location(w->b, a, 103, 0).i);
	map_at_offset(w, space, 10, 20, 100, "a");
	map_at_offset(w, space, 30, 35, 105, "a"); /* the second half */
	assert_int_equal(located(w, space, 13).i, cr_builder_location(w->b, a, 103, 0).i);
	assert_int_equal(located(w, space, 53).i, cr_builder_location(w->b, a, 103, 1).i);
	assert_int_equal(located(w, space, 17).i, cr_builder_location(w->b, a, 107, 0).i);
	assert_int_equal(located(w, space, 32).i, cr_builder_location(w->b, a, 107, 1).i);
	assert_int_equal(located(w, space, 57).i, cr_builder_location(w->b, a, 107, 2).i);
	cr_perf_space_unmap(&w->s, space, 10, 20);
	assert_int_equal(located(w, space, 53).i, cr_builder_location(w->b, a, 103, 0).i);
	world_free(w);
}

static void
test_offsets_at_the_end_of_all_numbers_do_not_wrap(void **state)
{
	struct world *w = world_new(0);
	struct perf_space *space = cr_perf_spaces_thread(&w->s, 1, 1)->space;

	(void)state;
	map_at_offset(w, space, 0, UINT64_MAX, UINT64_MAX - 4, "a");
	map_at_offset(w, space, 100, 200, 0, "a");
	cr_perf_space_locate(&w->s, space, 50);
	cr_perf_space_locate(&w->s, space, 150);
	cr_perf_space_locate(&w->s, space, UINT64_MAX);
	assert_int_equal(perf_space_maps(space), 3);
	world_free(w);
}

/* ---- what hostile records may cost */

/* Each process is forked from the other, as threads of each: were maps added, they would double. */
static void
test_forks_cannot_make_maps_grow_without_end(void **state)
{
	struct world *w = world_new(0);

	(void)state;
	map(w, cr_perf_spaces_thread(&w->s, 1, 1)->space, 10, 20, "a");
	map(w, cr_perf_spaces_thread(&w->s, 2, 2)->space, 30, 40, "b");
	for (int32_t i = 0; i < 200; i++) {
		cr_perf_spaces_fork(&w->s, 1, 100 + i, 2, 2, true);
		cr_perf_spaces_fork(&w->s, 2, 400 + i, 1, 1, true);
	}
	assert_maps(w, cr_perf_spaces_thread(&w->s, 1, 1)->space, "[10,20)a");
	assert_maps(w, cr_perf_spaces_thread(&w->s, 2, 2)->space, "[30,40)b");
	world_free(w);
}

static void
test_forks_copy_no_more_maps_than_the_input_can_have_meant(void **state)
{
	struct world *w = world_new(1 << 20);
	struct perf_space *parent = cr_perf_spaces_thread(&w->s, 1, 1)->space;
	const uint64_t limit = w->s.left.copies;
	uint64_t copies = 0;

	(void)state;
	for (uint64_t i = 0; i < 10000; i++)
		map(w, parent, 16 * i, 16 * i + 8, "a");
	for (int32_t i = 0; i < 2000; i++) {
		struct perf_space *child;

		cr_perf_spaces_fork(&w->s, 1000 + i, 1000 + i, 1, 1, true);
		child = cr_perf_spaces_thread(&w->s, 1000 + i, 1000 + i)->space;
		assert_int_equal(perf_space_maps(child), 10000);
		map(w, child, 16 * 10000, 16 * 10000 + 8, "b");
		copies += perf_space_maps(child) - 1;
	}
	assert_true(copies > limit - 10000 && copies <= limit);
	assert_string_equal(w->log.entries[0].kind, "forks beyond the limit of mappings");
	assert_int_equal(copies / 10000 + w->log.entries[0].count, 2000);
	world_free(w);
}

static void
test_a_space_is_full_at_its_limit(void **state)
{
	struct world *w = world_new(0);
	struct perf_space *space = cr_perf_spaces_thread(&w->s, 1, 1)->space;
	const clock_t start = clock();

	(void)state;
	for (uint64_t i = PERF_SPACE_MAPS + 500; i-- > 0;)
		map_at_offset(w, space, 16 * i, 16 * i + 8, 0, "a"); /* all of them twins */
	assert_int_equal(perf_space_maps(space), PERF_SPACE_MAPS);
	for (uint64_t i = 600; i < PERF_SPACE_MAPS; i++)
		cr_perf_space_locate(&w->s, space, 16 * i);
	cr_perf_space_unmap(&w->s, space, 16 * 600 + 2,
		16 * 600 + 4); /* one more piece, for which there is no room */
	assert_int_equal(perf_space_maps(space), PERF_SPACE_MAPS);
	testing_cpu_within(start, 20);
	world_free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_new_mapping_wins_over_what_was_there),
		cmocka_unit_test(test_what_is_cut_keeps_its_offset_in_the_object),
		cmocka_unit_test(test_random_mappings_agree_with_a_slow_model),
		cmocka_unit_test(test_a_fork_copies_what_is_mapped_and_the_name),
		cmocka_unit_test(test_forks_share_maps_and_have_rows_of_their_own),
		cmocka_unit_test(test_every_used_map_has_its_row),
		cmocka_unit_test(test_shared_maps_outlive_their_process),
		cmocka_unit_test(test_a_fork_that_the_recorder_made_up_copies_no_maps),
		cmocka_unit_test(test_threads_of_a_process_share_its_maps),
		cmocka_unit_test(test_every_tid_is_found_however_many_there_are),
		cmocka_unit_test(test_a_tid_that_is_used_again_is_another_thread),
		cmocka_unit_test(test_a_name_changes_the_task_and_keeps_the_space),
		cmocka_unit_test(test_twins_are_counted_from_the_lowest),
		cmocka_unit_test(test_offsets_at_the_end_of_all_numbers_do_not_wrap),
		cmocka_unit_test(test_forks_cannot_make_maps_grow_without_end),
		cmocka_unit_test(test_forks_copy_no_more_maps_than_the_input_can_have_meant),
		cmocka_unit_test(test_a_space_is_full_at_its_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
