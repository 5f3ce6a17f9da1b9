#include "testing.h"

#include <stdio.h>
#include <unistd.h>

#include "jit_maker.h"
#include "read/perf_data/perf_jit_p.h"

/* A process 5 with a dump in a directory of its own. */
struct world {
	struct cr_builder *b;
	struct perf_spaces s;
	struct perf_jits j;
	struct cr_log log;
	struct cr_symbol_opts opts;
	char directory[64], path[96];
};

static struct world *
world_new(const struct made_jit *j)
{
	struct world *w = calloc(1, sizeof(*w));
	FILE *out;

	w->b = cr_builder_new(NULL);
	cr_perf_spaces_init(&w->s, w->b, &w->log, 1000);
	strcpy(w->directory, "/tmp/test_perf_jit.XXXXXX");
	assert_non_null(mkdtemp(w->directory));
	snprintf(w->path, sizeof(w->path), "%s/jit-5.dump", w->directory);
	assert_non_null(out = fopen(w->path, "wb"));
	assert_int_equal(fwrite(j->t.p, 1, j->t.len, out), j->t.len);
	fclose(out);
	return w;
}

static void
world_free(struct world *w)
{
	unlink(w->path);
	rmdir(w->directory);
	cr_perf_jits_fini(&w->j);
	cr_perf_spaces_fini(&w->s);
	cr_builder_free(w->b);
	free(w);
}

static void
marker(struct world *w, int32_t pid, bool comparable)
{
	cr_perf_jits_open(&w->j, &w->s, &w->opts,
		&(struct cr_jit_marker){cr_str_of(w->path), pid, 0x1000, NULL}, comparable);
}

static void
play(struct world *w, uint64_t time)
{
	if (perf_jits_due(&w->j, time))
		cr_perf_jits_play(&w->j, &w->s, time);
}

/* The dso address of ip in the dump; 0 where it is not of one. */
static uint64_t
offset_of(struct world *w, int32_t pid, uint64_t ip)
{
	struct perf_space *space = cr_perf_spaces_thread(&w->s, pid, pid)->space;
	const struct cr_location_at at = cr_perf_space_locate(&w->s, space, ip);

	if (w->j.dumps.n == 0 || at.dso.i != w->j.dumps.p[0].dso.i)
		return 0;
	assert_int_equal(at.ordinal, 0);
	return at.addr;
}

/* f at 0x7000 from 10 on, moved to 0x7100 at 20, g at 0x7000 from 30 on. */
static void
test_code_is_there_from_its_time_on(void **state)
{
	struct made_jit j = {.foreign = false};
	struct world *w;
	uint64_t f, g;

	(void)state;
	made_jit_all(&j);
	w = world_new(&j);
	marker(w, 5, true);
	f = w->j.dumps.p[0].dump.code.p[0].offset;
	g = w->j.dumps.p[0].dump.code.p[2].offset;
	assert_false(perf_jits_due(&w->j, 9));
	assert_int_equal(offset_of(w, 5, 0x7004), 0);
	play(w, 10);
	assert_int_equal(offset_of(w, 5, 0x7004), f + 4);
	assert_int_equal(offset_of(w, 5, 0x7010), 0);
	play(w, 20);
	assert_int_equal(offset_of(w, 5, 0x7004), 0);
	assert_int_equal(offset_of(w, 5, 0x7104), f + 4);
	play(w, 1000);
	assert_int_equal(offset_of(w, 5, 0x7004), g + 4);
	assert_int_equal(offset_of(w, 5, 0x7104), f + 4);
	assert_false(perf_jits_due(&w->j, UINT64_MAX));
	assert_int_equal(w->log.n, 0);
	world_free(w);
	cr_text_fini(&j.t);
}

static void
test_on_another_clock_all_code_is_there_at_once(void **state)
{
	(void)state;
	for (uint64_t flags = 0; flags <= 1; flags++) {
		struct made_jit j = {.foreign = false};
		struct world *w;

		made_jit_header(&j, 5, flags);
		made_jit_load(
			&j, &(struct made_code){
				    .time = 99, .pid = 5, .addr = 0x7000, .size = 16, .name = "f"});
		w = world_new(&j);
		marker(w, 5, flags);
		assert_int_equal(offset_of(w, 5, 0x7000), j.t.len - 16);
		assert_false(perf_jits_due(&w->j, UINT64_MAX));
		assert_int_equal(w->log.n, 1);
		world_free(w);
		cr_text_fini(&j.t);
	}
}

/* Memory without a file is asked for, and protected anew, around code that is there. */
static void
test_code_stays_when_its_memory_is_mapped_and_goes_when_a_file_is(void **state)
{
	struct made_jit j = {.foreign = false};
	struct perf_space *space;
	struct perf_map map = {.start = 0x6000, .end = 0x9000, .identity = true};
	struct world *w;

	(void)state;
	made_jit_all(&j);
	w = world_new(&j);
	marker(w, 5, true);
	play(w, 10);
	space = cr_perf_spaces_thread(&w->s, 5, 5)->space;
	map.dso = cr_builder_dso(w->b, &(struct cr_dso){.name = CR_STR("//anon")});
	cr_perf_space_map(&w->s, space, &map);
	assert_int_not_equal(offset_of(w, 5, 0x7004), 0);
	assert_int_equal(cr_perf_space_locate(&w->s, space, 0x8000).dso.i, map.dso.i);
	map.identity = false;
	map.memory = true;
	cr_perf_space_map(&w->s, space, &map);
	assert_int_not_equal(offset_of(w, 5, 0x7004), 0);
	map.memory = false;
	cr_perf_space_map(&w->s, space, &map);
	assert_int_equal(offset_of(w, 5, 0x7004), 0);
	world_free(w);
	cr_text_fini(&j.t);
}

static void
test_a_child_has_the_code_of_the_fork_and_what_it_writes_itself(void **state)
{
	struct made_jit j = {.foreign = false};
	struct world *w;

	(void)state;
	made_jit_header(&j, 5, 0);
	made_jit_load(
		&j, &(struct made_code){
			    .time = 10, .pid = 5, .addr = 0x7000, .size = 16, .name = "both"});
	made_jit_load(
		&j, &(struct made_code){
			    .time = 20, .pid = 6, .addr = 0x8000, .size = 16, .name = "child"});
	made_jit_load(
		&j, &(struct made_code){
			    .time = 20, .pid = 5, .addr = 0x9000, .size = 16, .name = "parent"});
	w = world_new(&j);
	marker(w, 5, true);
	play(w, 10);
	cr_perf_spaces_fork(&w->s, 6, 6, 5, 5, true);
	play(w, 20);
	for (uint64_t i = 0; i < 3; i++) {
		assert_int_equal(offset_of(w, 5, 0x7000 + i * 0x1000) != 0, i != 1);
		assert_int_equal(offset_of(w, 6, 0x7000 + i * 0x1000) != 0, i != 2);
	}
	world_free(w);
	cr_text_fini(&j.t);
}

/* Outside of its container process 5 is process 77. */
static void
test_code_of_a_container_is_of_the_process_with_the_marker(void **state)
{
	struct made_jit j = {.foreign = false};
	struct world *w;

	(void)state;
	made_jit_all(&j);
	w = world_new(&j);
	marker(w, 77, true);
	play(w, 10);
	assert_int_not_equal(offset_of(w, 77, 0x7004), 0);
	assert_int_equal(offset_of(w, 5, 0x7004), 0);
	world_free(w);
	cr_text_fini(&j.t);
}

static void
test_a_dump_is_opened_once_and_a_missing_one_is_told(void **state)
{
	struct made_jit j = {.foreign = false};
	struct world *w;

	(void)state;
	made_jit_all(&j);
	w = world_new(&j);
	marker(w, 5, true);
	marker(w, 5, true);
	assert_int_equal(w->j.dumps.n, 1);
	unlink(w->path);
	marker(w, 6, true);
	assert_int_equal(w->j.dumps.n, 1);
	assert_int_equal(w->log.n, 1);
	for (uint32_t i = 0; i < PERF_JIT_DUMPS; i++)
		marker(w, 6, true);
	assert_int_equal(w->log.n, 2);
	world_free(w);
	cr_text_fini(&j.t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_is_there_from_its_time_on),
		cmocka_unit_test(test_on_another_clock_all_code_is_there_at_once),
		cmocka_unit_test(test_code_stays_when_its_memory_is_mapped_and_goes_when_a_file_is),
		cmocka_unit_test(test_a_child_has_the_code_of_the_fork_and_what_it_writes_itself),
		cmocka_unit_test(test_code_of_a_container_is_of_the_process_with_the_marker),
		cmocka_unit_test(test_a_dump_is_opened_once_and_a_missing_one_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
