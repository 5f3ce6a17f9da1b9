#include "testing.h"
#include "testing_directory.h"

#include <sys/stat.h>

#include "base/log.h"
#include "store/cache.h"
#include "store/proven_p.h"
#include "store/store.h"
#include "store_samples.h"

/* A directory with the cache, a stored profile "good" and one that contradicts itself, "bad". */
struct bed {
	char dir[64], good[100], bad[100], other[100], list[100];
};

static int
setup(void **state)
{
	struct bed *bed = cr_alloc(1, sizeof(*bed));
	struct cr_profile *p = sample_profile(40);
	struct cr_err err = CR_ERR_INIT;

	assert_true(directory_make(bed->dir, ""));
	snprintf(bed->good, sizeof(bed->good), "%s/good.cresset", bed->dir);
	snprintf(bed->bad, sizeof(bed->bad), "%s/bad.cresset", bed->dir);
	snprintf(bed->other, sizeof(bed->other), "%s/other.cresset", bed->dir);
	snprintf(bed->list, sizeof(bed->list), "%s/cresset/" CR_CACHE_PROVEN, bed->dir);
	assert_int_equal(setenv("XDG_CACHE_HOME", bed->dir, 1), 0);
	directory_must(bed->dir, "umask 022 && cp \"$FIX\"/bad-outline.cresset bad.cresset && "
				 "chmod 644 bad.cresset && mkdir -m 700 cresset");
	assert_int_equal(cr_store_write(bed->good, p, CR_STORE_NEW, &err), CR_OK);
	cr_profile_free(p);
	*state = bed;
	return 0;
}

static int
teardown(void **state)
{
	struct bed *bed = *state;

	directory_remove(bed->dir);
	free(bed);
	return 0;
}

/* Is it opened without a word? */
static bool
opens(const char *path)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_profile *p;

	assert_int_equal(
		cr_store_open(path, CR_STORE_PROOF | CR_STORE_RECALL, &p, &log, &err), CR_OK);
	cr_profile_free(p);
	return log.n == 0;
}

static struct cr_proven_id
id_of(const char *path)
{
	struct cr_proven_id id;
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	assert_true(cr_proven_id_of(&st, &id));
	return id;
}

static bool
has(const char *path)
{
	const struct cr_proven_id id = id_of(path);

	return cr_proven_has(&id);
}

static void
add(const char *path)
{
	const struct cr_proven_id id = id_of(path);

	cr_proven_add(&id);
}

static void
wait_until_old(const char *path)
{
	const struct cr_proven_id id = id_of(path);

	while (cr_proven_is_recent(&id))
		usleep(50000);
}

static void
test_what_agrees_is_remembered_and_nothing_else(void **state)
{
	const struct bed *bed = *state;

	assert_true(opens(bed->good));
	assert_false(has(bed->good)); /* changed just now */
	wait_until_old(bed->good);
	wait_until_old(bed->bad);
	assert_false(opens(bed->bad));
	assert_false(opens(bed->bad));
	assert_false(has(bed->bad));
	assert_true(opens(bed->good));
	assert_true(has(bed->good));
	assert_false(has(bed->bad));
}

static void
test_what_is_written_with_its_samples_is_remembered(void **state)
{
	const struct bed *bed = *state;
	struct cr_profile *p = sample_profile(41);
	struct cr_err err = CR_ERR_INIT;

	assert_int_equal(
		cr_store_write(bed->good, p, CR_STORE_REPLACE | CR_STORE_REMEMBER, &err), CR_OK);
	assert_true(has(bed->good));
	assert_int_equal(cr_store_write(bed->good, p, CR_STORE_REPLACE, &err), CR_OK);
	assert_false(has(bed->good));
	cr_profile_free(p);
}

/* What is on the list is not compared, which here only a lie can tell. */
static void
test_a_change_of_any_kind_is_noticed(void **state)
{
	static const char *const changes[] = {"touch bad.cresset",
		"touch -r good.cresset bad.cresset", "cp bad.cresset b && cat b >bad.cresset",
		"cp bad.cresset b && mv b bad.cresset", "chmod 600 bad.cresset",
		"ln bad.cresset b"};
	const struct bed *bed = *state;

	for (size_t i = 0; i < CR_LEN(changes); i++) {
		add(bed->bad);
		assert_true(opens(bed->bad));
		usleep(20000); /* the clock of files ticks */
		directory_must(bed->dir, "%s", changes[i]);
		assert_false(opens(bed->bad));
	}
	add(bed->bad);
	assert_true(opens(bed->bad));
	directory_must(bed->dir, "cp bad.cresset other.cresset");
	assert_false(opens(bed->other));
}

static void
test_verify_asks_no_list(void **state)
{
	const struct bed *bed = *state;
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};

	add(bed->bad);
	assert_int_equal(cr_store_verify(bed->bad, &log, &err), CR_EFORMAT);
}

static void
test_what_others_may_write_to_is_not_believed(void **state)
{
	const struct bed *bed = *state;
	struct cr_proven_id id;
	struct stat st;

	for (int i = 0; i < 2; i++) {
		directory_must(bed->dir, "chmod %s bad.cresset", i ? "g+w" : "o+w");
		assert_int_equal(stat(bed->bad, &st), 0);
		assert_false(cr_proven_id_of(&st, &id));
		cr_proven_add(&id);
		assert_false(opens(bed->bad));
		directory_must(bed->dir, "chmod 644 bad.cresset");
	}
	add(bed->bad);
	assert_true(opens(bed->bad));
	directory_must(bed->dir, "chmod g+w cresset/" CR_CACHE_PROVEN);
	assert_false(opens(bed->bad));
	directory_must(bed->dir, "chmod g-w cresset/" CR_CACHE_PROVEN "; chmod o+w cresset");
	assert_false(opens(bed->bad));
	directory_must(bed->dir, "chmod o-w cresset; cd cresset; mv " CR_CACHE_PROVEN
				 " p; ln -s p " CR_CACHE_PROVEN);
	assert_false(opens(bed->bad));
}

static void
test_without_a_cache_nothing_is_remembered(void **state)
{
	const struct bed *bed = *state;
	struct cr_err err = CR_ERR_INIT;
	char dir[80];

	snprintf(dir, sizeof(dir), "%s/cresset", bed->dir);
	assert_int_equal(cr_cache_set_limit(dir, 0, &err), CR_OK);
	add(bed->good);
	assert_int_equal(access(bed->list, F_OK), -1);
	directory_must(bed->dir, "rm -r cresset");
	add(bed->good);
	assert_false(has(bed->good));
	assert_int_equal(access(bed->list, F_OK), -1);
}

/* Many more than there is room for: the last one is there, and the file does not grow. */
static void
test_the_list_is_bounded(void **state)
{
	const struct bed *bed = *state;
	struct cr_proven_id id = id_of(bed->good);
	struct stat st;

	for (uint64_t i = 0; i < 10000; i++) {
		id.inode = i;
		cr_proven_add(&id);
		assert_true(cr_proven_has(&id));
		id.changed_ns++;
		assert_false(cr_proven_has(&id));
	}
	assert_int_equal(stat(bed->list, &st), 0);
	assert_in_range(st.st_size, 1, 256 << 10);
}

#define WITH_BED(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_BED(test_what_agrees_is_remembered_and_nothing_else),
		WITH_BED(test_what_is_written_with_its_samples_is_remembered),
		WITH_BED(test_a_change_of_any_kind_is_noticed),
		WITH_BED(test_verify_asks_no_list),
		WITH_BED(test_what_others_may_write_to_is_not_believed),
		WITH_BED(test_without_a_cache_nothing_is_remembered),
		WITH_BED(test_the_list_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
