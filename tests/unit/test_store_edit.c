#include "testing.h"

#include "store_samples.h"
#include "testing_same.h"

#include "store/catalog.h"
#include "store/edit.h"
#include "store/store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct bed {
	char dir[64], path[96];
	struct cr_profile *p;
};

static int
setup(void **state)
{
	struct bed *bed = calloc(1, sizeof(*bed));
	struct cr_err err = CR_ERR_INIT;

	if (!bed)
		return -1;
	*state = bed;
	snprintf(bed->dir, sizeof(bed->dir), "/tmp/test_store_edit.XXXXXX");
	if (!mkdtemp(bed->dir))
		return -1;
	snprintf(bed->path, sizeof(bed->path), "%s/x.cresset", bed->dir);
	bed->p = sample_profile(40);
	return cr_store_write(bed->path, bed->p, CR_STORE_REPLACE, &err);
}

static int
teardown(void **state)
{
	struct bed *bed = *state;
	char command[128];
	int rc;

	snprintf(command, sizeof(command), "rm -rf '%s'", bed->dir);
	rc = system(command);
	cr_profile_free(bed->p);
	free(bed);
	return rc;
}

static struct cr_profile *
opened(const char *path)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_profile *p;

	assert_int_equal(cr_store_open(path, CR_STORE_ALL, &p, &log, &err), CR_OK);
	assert_int_equal(log.n, 0);
	return p;
}

static int
edit(const char *path, const char *key, struct cr_str value, bool remove)
{
	const struct cr_edit e = {cr_str_of(key), value, remove};
	struct cr_err err = CR_ERR_INIT;

	return cr_store_edit(path, &e, 1, &err);
}

static void
test_facts_change_and_nothing_else_does(void **state)
{
	static const struct {
		const char *key;
		struct cr_str value;
		bool remove;
		int more;
	} steps[] = {
		{"tag.a", {"1", 1}, false, 1},
		{"tag.b", {"x\0\x1b\xff", 4}, false, 2},
		{"tag.a", {"22", 2}, false, 2},
		{"tag.a", {"", 0}, true, 1},
		{"tag.a", {"", 0}, true, 1},
		{"hostname", {"other", 5}, false, 1},
		{"empty", {"", 0}, true, 0},
		{"tag.b", {"", 0}, true, -1},
		{"cmdline", {"", 0}, true, -2},
		{"hostname", {"", 0}, true, -3},
		{"", {"", 0}, false, -2},
	};
	struct bed *bed = *state;

	for (size_t i = 0; i < CR_LEN(steps); i++) {
		struct cr_profile *p;

		assert_int_equal(
			edit(bed->path, steps[i].key, steps[i].value, steps[i].remove), CR_OK);
		p = opened(bed->path);
		assert_int_equal((int)p->n_facts, (int)bed->p->n_facts + steps[i].more);
		if (!steps[i].remove)
			assert_same_str(cr_profile_fact(p, steps[i].key), steps[i].value);
		assert_same_profile(bed->p, p);
		cr_profile_free(p);
	}
}

static void
test_a_large_fact_and_back_gives_the_same_file(void **state)
{
	struct bed *bed = *state;
	char *large = calloc(1, 1 << 20);
	struct stat before, after;
	struct cr_profile *p;

	assert_non_null(large);
	for (size_t i = 0; i < 1 << 20; i++)
		large[i] = (char)(i * 2654435761u >> 13);
	assert_int_equal(stat(bed->path, &before), 0);
	assert_int_equal(edit(bed->path, "note", (struct cr_str){large, 1 << 20}, false), CR_OK);
	p = opened(bed->path);
	assert_same_str(cr_profile_fact(p, "note"), ((struct cr_str){large, 1 << 20}));
	cr_profile_free(p);
	assert_int_equal(edit(bed->path, "note", (struct cr_str){0}, true), CR_OK);
	assert_int_equal(stat(bed->path, &after), 0);
	assert_int_equal(before.st_size, after.st_size);
	free(large);
}

static void
flip(const char *path, off_t at)
{
	const int fd = open(path, O_RDWR);
	unsigned char c;

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &c, 1, at), 1);
	c ^= 0xff;
	assert_int_equal(pwrite(fd, &c, 1, at), 1);
	close(fd);
}

/* Wherever a byte is wrong: it is refused and left as it was, or still wrong afterwards. */
static void
test_damage_stays_damage(void **state)
{
	struct bed *bed = *state;
	unsigned refused = 0, taken = 0;
	struct stat st;

	assert_int_equal(stat(bed->path, &st), 0);
	for (off_t at = 0; at < st.st_size; at += 13) {
		struct cr_err err = CR_ERR_INIT;
		struct cr_log log = {0};

		assert_int_equal(cr_store_write(bed->path, bed->p, CR_STORE_REPLACE, &err), CR_OK);
		flip(bed->path, at);
		if (edit(bed->path, "tag.a", CR_STR("b"), false) == CR_OK)
			taken++;
		else
			refused++;
		assert_true(cr_store_verify(bed->path, &log, &err) < 0);
	}
	assert_true(refused > 10);
	assert_true(taken > 10);
}

static void
test_what_is_no_store_is_left_alone(void **state)
{
	struct bed *bed = *state;
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/nothing.cresset", bed->dir);
	assert_int_equal(edit(path, "a", CR_STR("b"), false), CR_ENOTFOUND);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(edit(path, "a", CR_STR("b"), false), CR_EFORMAT);
	assert_int_equal(write(fd, "text of some length, and that is no store at all", 48), 48);
	close(fd);
	assert_int_equal(edit(path, "a", CR_STR("b"), false), CR_EFORMAT);
	assert_int_equal(edit(bed->dir, "a", CR_STR("b"), false), CR_EFORMAT);
}

static void
test_many_who_change_one_profile_take_turns(void **state)
{
	struct bed *bed = *state;
	struct cr_profile *p;

	for (int i = 0; i < 8; i++)
		if (fork() == 0) {
			char key[16];

			snprintf(key, sizeof(key), "tag.%d", i);
			for (int k = 0; k < 10; k++)
				if (edit(bed->path, key, CR_STR("v"), false) < 0)
					_exit(1);
			_exit(0);
		}
	for (int i = 0; i < 8; i++) {
		int status;

		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	p = opened(bed->path);
	assert_int_equal(p->n_facts, bed->p->n_facts + 8);
	cr_profile_free(p);
}

static void
test_a_name_goes_to_the_first(void **state)
{
	struct bed *bed = *state;
	struct cr_err err = CR_ERR_INIT;
	char *name;

	assert_int_equal(cr_store_write(bed->path, bed->p, CR_STORE_NEW, &err), CR_EEXISTS);
	assert_int_equal(cr_catalog_put(bed->dir, "x", CR_STORE_NEW, bed->p, &err), CR_EEXISTS);
	assert_int_equal(cr_catalog_put(bed->dir, "x", CR_STORE_REPLACE, bed->p, &err), CR_OK);
	assert_int_equal(
		cr_catalog_put_fresh(bed->dir, "a/x.data", CR_STORE_NEW, bed->p, &name, &err),
		CR_OK);
	assert_string_equal(name, "x-2");
	free(name);
	assert_int_equal(cr_catalog_rename(bed->dir, "x", "x-2", false, &err), CR_EEXISTS);
	assert_int_equal(cr_catalog_rename(bed->dir, "x", "x-3", false, &err), CR_OK);
	assert_int_equal(cr_catalog_rename(bed->dir, "x", "y", true, &err), CR_ENOTFOUND);
	assert_int_equal(cr_catalog_rename(bed->dir, "x-3", "x-2", true, &err), CR_OK);
	assert_int_equal(cr_catalog_rename(bed->dir, "./x-2", "y", true, &err), CR_EUSAGE);
	assert_int_equal(cr_catalog_remove(bed->dir, "x-2", &err), CR_OK);
	assert_int_equal(cr_catalog_remove(bed->dir, "x-2", &err), CR_ENOTFOUND);
	assert_int_equal(access(bed->path, F_OK), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_facts_change_and_nothing_else_does, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_a_large_fact_and_back_gives_the_same_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damage_stays_damage, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_what_is_no_store_is_left_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_many_who_change_one_profile_take_turns, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_name_goes_to_the_first, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
