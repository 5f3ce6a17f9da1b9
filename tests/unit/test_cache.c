#include "testing.h"
#include "testing_directory.h"

#include <sys/stat.h>

#include "store/cache.h"
#include "store_samples.h"

static char dir[64];

static int
setup(void **state)
{
	(void)state;
	assert_true(directory_make(dir, ""));
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	directory_remove(dir);
	return 0;
}

static void
put(const struct cr_profile *p, const char *key)
{
	struct cr_err err = CR_ERR_INIT;

	assert_int_equal(cr_cache_put(dir, key, p, &err), CR_OK);
}

/* Number of copies, and the size of all. */
static size_t
copies(uint64_t *bytes)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_catalog c;
	size_t n;

	assert_int_equal(cr_cache_list(dir, &c, &err), CR_OK);
	*bytes = 0;
	for (size_t i = 0; i < c.n; i++)
		*bytes += c.entries[i].size_bytes;
	n = c.n;
	cr_catalog_fini(&c);
	return n;
}

/* A limit for three copies of the profile; none are there afterwards. */
static void
allow_three(const struct cr_profile *p)
{
	struct cr_err err = CR_ERR_INIT;
	uint64_t bytes, n;

	put(p, "first");
	assert_int_equal(copies(&bytes), 1);
	assert_int_equal(cr_cache_set_limit(dir, 3 * bytes, &err), CR_OK);
	assert_int_equal(cr_cache_clear(dir, &n, &bytes, &err), CR_OK);
	assert_int_equal(copies(&bytes), 0);
}

static void
test_the_limit_holds_after_each_copy(void **state)
{
	struct cr_profile *p = sample_profile(40);
	char key[16];
	uint64_t bytes;

	(void)state;
	allow_three(p);
	for (size_t i = 0; i < 10; i++) {
		snprintf(key, sizeof(key), "%zu", i);
		put(p, key);
		assert_int_equal(copies(&bytes), CR_MIN(i + 1, (size_t)3));
		if (i % 3 == 2) /* what is known of the others may be missing or damaged */
			directory_must(dir, i == 2 ? "rm used" : "echo damaged >used");
	}
	put(p, "9"); /* once more: it takes the place of its old copy */
	assert_int_equal(copies(&bytes), 3);
	cr_profile_free(p);
}

/* Two programs that write at once may count one copy less. */
static void
test_a_count_that_is_too_low_is_mended(void **state)
{
	struct cr_profile *p = sample_profile(40);
	uint64_t bytes;

	(void)state;
	allow_three(p);
	put(p, "a");
	put(p, "b");
	put(p, "c");
	directory_must(dir, "printf '%%020d %%020d\\n' 0 1 >used");
	put(p, "d");
	assert_int_equal(copies(&bytes), 4);
	put(p, "e");
	assert_int_equal(copies(&bytes), 3);
	cr_profile_free(p);
}

/* One that somebody else has removed still counts: that is no harm. */
static void
test_a_copy_that_is_gone_does_no_harm(void **state)
{
	struct cr_profile *p = sample_profile(40);
	uint64_t bytes;

	(void)state;
	allow_three(p);
	put(p, "a");
	put(p, "b");
	directory_must(dir, "rm a.cresset; grep -q '^0*[1-9][0-9]* ' used");
	put(p, "c");
	assert_int_equal(copies(&bytes), 2);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_the_limit_holds_after_each_copy, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_a_count_that_is_too_low_is_mended, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_a_copy_that_is_gone_does_no_harm, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
