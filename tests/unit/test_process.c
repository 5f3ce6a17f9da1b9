#include "testing.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbol/jit/process_p.h"

/* The mapping of this program that main() lies in, as /proc has it. */
static struct cr_process_map
own_map(char path[4096])
{
	FILE *f = fopen("/proc/self/maps", "r");
	struct cr_process_map m = {0, 0, {path, 0}};
	struct cr_process_map (*const code)(char *) = own_map;
	unsigned long long start, end, offset;
	uintptr_t here;
	char line[8192];

	memcpy(&here, &code, sizeof(here));
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx-%llx %*s %llx %*s %*s %4095[^\n]", &start, &end, &offset,
			    path) == 4 &&
			here >= start && here < end) {
			m = (struct cr_process_map){start, offset, cr_str_of(path)};
			break;
		}
	fclose(f);
	assert_int_not_equal(m.start, 0);
	return m;
}

static void
test_a_process_is_known_by_a_mapping_to_the_byte(void **state)
{
	char path[4096];
	const struct cr_process_map own = own_map(path);
	const struct cr_process_map inside = {own.start + 64, own.pgoff + 64, own.path};
	const struct cr_process_map elsewhere = {own.start + 4096, own.pgoff, own.path};
	const struct cr_process_map another = {own.start, own.pgoff, CR_STR("/bin/another")};
	const struct cr_process_map both[] = {another, own};

	(void)state;
	assert_true(cr_process_has(NULL, getpid(), &own, 1));
	assert_true(cr_process_has(NULL, getpid(), &inside, 1));
	assert_true(cr_process_has(NULL, getpid(), both, 2));
	assert_false(cr_process_has(NULL, getpid(), both, 1));
	assert_false(cr_process_has(NULL, getpid(), &elsewhere, 1));
	assert_false(cr_process_has(NULL, getpid(), NULL, 0));
	assert_false(cr_process_has(NULL, 1 << 30, &own, 1)); /* above every pid there can be */
	assert_false(cr_process_has(NULL, 0, &own, 1));
	assert_false(cr_process_has(NULL, -1, &own, 1));
}

static void
test_a_process_is_known_by_what_was_recorded_of_it(void **state)
{
	char path[4096];
	const struct cr_process_map own = own_map(path);

	(void)state;
	for (int moved = 0; moved <= 1; moved++) {
		struct cr_builder *b = cr_builder_new(NULL);
		const cr_dso_id dso =
			cr_builder_dso(b, &(struct cr_dso){.name = own.path, .kind = CR_KIND_USER});
		const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
		struct cr_sample s = {.weight = 1, .event = event, .cpu = UINT16_MAX};
		struct cr_err err = CR_ERR_INIT;
		struct cr_profile *p;

		for (int32_t pid = getpid(); pid >= getpid() - 1; pid--) {
			const cr_address_space_id space = cr_builder_address_space(b);
			const uint64_t start = own.start + (moved ? 4096 : 0);

			s.task = cr_builder_task(b, pid, pid, CR_STR("t"), space);
			cr_builder_map(b, space, start, start + 4096, own.pgoff, dso);
			cr_builder_sample(b, &s);
		}
		assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
		assert_int_equal(cr_process_recorded(NULL, getpid(), p), !moved);
		assert_false(cr_process_recorded(NULL, 1 << 30, p));
		assert_false(cr_process_recorded(NULL, 1, p)); /* lives, is not in the recording */
		cr_builder_free(b);
		cr_profile_free(p);
	}
}

static void
test_the_pid_of_a_process_without_a_namespace_is_its_own(void **state)
{
	(void)state;
	assert_int_equal(cr_process_own_pid(NULL, 1 << 30), 1 << 30);
	assert_int_equal(cr_process_own_pid(NULL, -1), -1);
	assert_int_equal(cr_process_own_pid(NULL, getpid()), getpid());
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_process_is_known_by_a_mapping_to_the_byte),
		cmocka_unit_test(test_a_process_is_known_by_what_was_recorded_of_it),
		cmocka_unit_test(test_the_pid_of_a_process_without_a_namespace_is_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
