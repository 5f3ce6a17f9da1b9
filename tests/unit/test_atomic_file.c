#include "testing.h"

#include "base/access.h"
#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ACL "system.posix_acl_access"

struct bed {
	char dir[64], path[80];
	struct cr_err err;
};

static int
setup(void **state)
{
	struct bed *b = calloc(1, sizeof(*b));

	if (!b)
		return -1;
	strcpy(b->dir, "/tmp/test_atomic_file.XXXXXX");
	if (!mkdtemp(b->dir))
		return -1;
	snprintf(b->path, sizeof(b->path), "%s/file", b->dir);
	b->err = (struct cr_err)CR_ERR_INIT;
	umask(022);
	*state = b;
	return 0;
}

static int
teardown(void **state)
{
	struct bed *b = *state;
	char command[128];
	int rc;

	snprintf(command, sizeof(command), "rm -rf '%s'", b->dir);
	rc = system(command);
	free(b);
	return rc;
}

static void
make(const struct bed *b, const char *text, mode_t mode)
{
	const int fd = open(b->path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static int
put(struct bed *b, enum cr_atomic_how how, uint32_t mode, const struct cr_access *access)
{
	struct cr_atomic_file f;
	int rc = cr_atomic_open(b->path, mode, access, &f, &b->err);

	if (rc < 0)
		return rc;
	if ((rc = cr_atomic_write(&f, "new", 3, &b->err)) == CR_OK)
		rc = cr_atomic_commit(&f, how, &b->err);
	cr_atomic_close(&f);
	return rc;
}

static struct stat
look(const struct bed *b)
{
	struct stat st;

	assert_int_equal(stat(b->path, &st), 0);
	return st;
}

static unsigned
mode_of(const struct bed *b)
{
	return look(b).st_mode & 07777;
}

static void
assert_holds(const struct bed *b, const char *want)
{
	char text[32] = "";
	const int fd = open(b->path, O_RDONLY);

	assert_true(fd >= 0);
	assert_true(read(fd, text, sizeof(text) - 1) >= 0);
	close(fd);
	assert_string_equal(text, want);
}

static void
assert_alone(const struct bed *b)
{
	char command[128];

	snprintf(command, sizeof(command), "test \"$(ls -A '%s')\" = file", b->dir);
	assert_int_equal(system(command), 0);
}

/* ---- */

static void
test_a_new_file_has_the_mode_and_no_more_than_the_input(void **state)
{
	const uint32_t gid = getegid(), other = gid + 1;
	const struct {
		struct cr_access access;
		uint32_t mode, umask, want;
	} cases[] = {
		{{CR_READERS_ALL, 0}, 0644, 022, 0644},
		{{CR_READERS_ALL, 0}, 0666, 002, 0664},
		{{CR_READERS_ALL, 0}, 0666, 077, 0600},
		{{CR_READERS_ALL, 0}, 0600, 022, 0600},
		{{CR_READERS_OWNER, 0}, 0644, 022, 0600},
		{{CR_READERS_GROUP, gid}, 0644, 022, 0640},
		{{CR_READERS_GROUP, gid}, 0644, 077, 0600},
		{{CR_READERS_GROUP, other}, 0644, 022, 0600},
	};
	struct bed *b = *state;

	for (size_t i = 0; i < CR_LEN(cases); i++) {
		unlink(b->path);
		umask(cases[i].umask);
		assert_int_equal(put(b, CR_ATOMIC_NEW, cases[i].mode, &cases[i].access), CR_OK);
		assert_int_equal(mode_of(b), cases[i].want);
		assert_holds(b, "new");
		assert_alone(b);
	}
}

static void
test_new_does_not_replace(void **state)
{
	struct bed *b = *state;

	make(b, "old", 0604);
	assert_int_equal(put(b, CR_ATOMIC_NEW, 0644, NULL), CR_EEXISTS);
	assert_holds(b, "old");
	assert_int_equal(mode_of(b), 0604);
	assert_alone(b);
}

static void
test_a_replaced_file_keeps_its_mode(void **state)
{
	static const unsigned modes[] = {0600, 0640, 0644, 0664, 0666, 0400, 0755};
	struct bed *b = *state;

	for (size_t i = 0; i < CR_LEN(modes); i++) {
		make(b, "old", modes[i]);
		assert_int_equal(put(b, CR_ATOMIC_REPLACE, 0644, NULL), CR_OK);
		assert_holds(b, "new");
		assert_int_equal(mode_of(b), modes[i]);
		unlink(b->path);
	}
	make(b, "old", 0666);
	assert_int_equal(put(b, CR_ATOMIC_FORCE, 0600, NULL), CR_OK);
	assert_int_equal(mode_of(b), 0600);
	assert_alone(b);
}

static void
test_what_replaces_a_file_is_never_wider_than_its_input(void **state)
{
	const struct cr_access owner = {CR_READERS_OWNER, 0}, group = {CR_READERS_GROUP, getegid()};
	struct bed *b = *state;

	make(b, "old", 0666);
	assert_int_equal(put(b, CR_ATOMIC_REPLACE, 0644, &group), CR_OK);
	assert_int_equal(mode_of(b), 0660);
	assert_int_equal(put(b, CR_ATOMIC_REPLACE, 0644, &owner), CR_OK);
	assert_int_equal(mode_of(b), 0600);
}

/* While it is written nobody else may open the file that takes the place of a narrow one. */
static void
test_the_temporary_file_is_narrow(void **state)
{
	struct bed *b = *state;
	struct cr_atomic_file f;
	struct stat st;

	make(b, "old", 0600);
	assert_int_equal(cr_atomic_open(b->path, 0644, NULL, &f, &b->err), CR_OK);
	assert_int_equal(fstat(f.fd, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	cr_atomic_close(&f);
	assert_holds(b, "old");
	assert_alone(b);
}

static void
test_a_replaced_file_keeps_owner_and_group(void **state)
{
	struct bed *b = *state;

	if (geteuid() != 0)
		testing_skip("only root can give files away");
	make(b, "old", 0640);
	assert_int_equal(chown(b->path, 12345, 23456), 0);
	assert_int_equal(put(b, CR_ATOMIC_REPLACE, 0644, NULL), CR_OK);
	assert_holds(b, "new");
	assert_int_equal(look(b).st_uid, 12345);
	assert_int_equal(look(b).st_gid, 23456);
	assert_int_equal(mode_of(b), 0640);
	assert_alone(b);
}

/* Neither the bytes of root's input nor the permission to become root are given to another user. */
static void
test_what_not_everybody_may_read_is_given_to_nobody(void **state)
{
	const struct cr_access owner = {CR_READERS_OWNER, 0};
	struct bed *b = *state;

	make(b, "old", 04755);
	assert_int_equal(put(b, CR_ATOMIC_REPLACE, 0644, NULL), CR_OK);
	assert_int_equal(mode_of(b), 0755);
	if (geteuid() != 0)
		testing_skip("only root can give files away");
	make(b, "old", 0600);
	assert_int_equal(chown(b->path, 12345, 0), 0);
	assert_int_equal(put(b, CR_ATOMIC_REPLACE, 0644, &owner), CR_EIO);
	assert_non_null(strstr(b->err.text, "it belongs to user 12345"));
	assert_holds(b, "old");
	assert_alone(b);
}

/* Another user may exchange the file meanwhile: what is kept is of the file that was read. */
static void
test_the_permissions_are_those_of_the_file_that_was_read(void **state)
{
	struct bed *b = *state;
	struct cr_atomic_file f;

	make(b, "old", 0600);
	assert_int_equal(cr_atomic_open(b->path, 0600, NULL, &f, &b->err), CR_OK);
	f.old = open(b->path, O_RDONLY);
	assert_true(f.old >= 0);
	assert_int_equal(unlink(b->path), 0);
	make(b, "other", 0666);
	assert_int_equal(cr_atomic_commit(&f, CR_ATOMIC_REPLACE, &b->err), CR_OK);
	close(f.old);
	cr_atomic_close(&f);
	assert_int_equal(mode_of(b), 0600);
}

/* Who is not the owner cannot keep the owner, and replaces nothing. */
static void
test_a_file_of_another_user_is_not_replaced(void **state)
{
	struct bed *b = *state;

	if (geteuid() != 0)
		testing_skip("only root can become another user");
	make(b, "old", 0666);
	assert_int_equal(chmod(b->dir, 0777), 0);
	assert_int_equal(seteuid(12345), 0);
	assert_int_equal(put(b, CR_ATOMIC_REPLACE, 0644, NULL), CR_EIO);
	assert_int_equal(seteuid(0), 0);
	assert_non_null(strstr(b->err.text, "cannot keep its owner"));
	assert_holds(b, "old");
	assert_int_equal(look(b).st_uid, 0);
	assert_alone(b);
}

static void
test_a_replaced_file_keeps_its_attributes(void **state)
{
	struct bed *b = *state;
	char value[300], got[300];

	make(b, "old", 0644);
	memset(value, 'v', sizeof(value));
	if (setxattr(b->path, "user.origin", "web1", 4, 0) < 0)
		testing_skip("/tmp has no extended attributes");
	assert_int_equal(setxattr(b->path, "user.long", value, sizeof(value), 0), 0);
	assert_int_equal(setxattr(b->path, "user.empty", "", 0, 0), 0);
	assert_int_equal(put(b, CR_ATOMIC_REPLACE, 0644, NULL), CR_OK);
	assert_holds(b, "new");
	assert_int_equal(getxattr(b->path, "user.origin", got, sizeof(got)), 4);
	assert_memory_equal(got, "web1", 4);
	assert_int_equal(getxattr(b->path, "user.long", got, sizeof(got)), sizeof(value));
	assert_memory_equal(got, value, sizeof(value));
	assert_int_equal(getxattr(b->path, "user.empty", got, sizeof(got)), 0);
	assert_int_equal(put(b, CR_ATOMIC_FORCE, 0644, NULL), CR_OK);
	assert_int_equal(getxattr(b->path, "user.origin", got, sizeof(got)), -1);
}

/* Linux stores a list as a version and entries: tag, permissions, id. */
struct acl {
	uint32_t version;
	struct {
		uint16_t tag, permissions;
		uint32_t id;
	} entry[5];
};

/* user::rw-, user:12345:r--, group::---, mask::r--, other::--- */
static const struct acl list = {2, {{1, 6, UINT32_MAX}, {2, 4, 12345}, {4, 0, UINT32_MAX},
					   {16, 4, UINT32_MAX}, {32, 0, UINT32_MAX}}};

static void
test_a_replaced_file_keeps_its_access_control_list(void **state)
{
	const struct cr_access owner = {CR_READERS_OWNER, 0};
	struct bed *b = *state;
	struct acl got;

	make(b, "old", 0600);
	if (setxattr(b->path, ACL, &list, sizeof(list), 0) < 0)
		testing_skip("/tmp has no access control lists");
	assert_int_equal(mode_of(b), 0640); /* of the group is the mask */
	assert_int_equal(put(b, CR_ATOMIC_REPLACE, 0644, NULL), CR_OK);
	assert_holds(b, "new");
	assert_int_equal(getxattr(b->path, ACL, &got, sizeof(got)), sizeof(list));
	assert_memory_equal(&got, &list, sizeof(list));
	/* From an input that is the owner's alone: the mask takes away what the list gives. */
	assert_int_equal(put(b, CR_ATOMIC_REPLACE, 0644, &owner), CR_OK);
	assert_int_equal(mode_of(b), 0600);
	assert_int_equal(getxattr(b->path, ACL, &got, sizeof(got)), sizeof(list));
	assert_int_equal(got.entry[1].id, 12345);
	assert_int_equal(got.entry[3].permissions, 0);
}

/* A directory may give all its files a list; a file that had none gets none. */
static void
test_a_replaced_file_without_a_list_gets_none(void **state)
{
	struct bed *b = *state;

	make(b, "old", 0640);
	if (setxattr(b->dir, "system.posix_acl_default", &list, sizeof(list), 0) < 0)
		testing_skip("/tmp has no access control lists");
	assert_int_equal(put(b, CR_ATOMIC_REPLACE, 0644, NULL), CR_OK);
	assert_int_equal(getxattr(b->path, ACL, NULL, 0), -1);
	assert_int_equal(errno, ENODATA);
	assert_int_equal(mode_of(b), 0640);
}

/* ---- who may read an input */

static struct cr_access
access_of(const char *path)
{
	const int fd = open(path, O_RDONLY);
	struct cr_access a;
	struct stat st;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	a = cr_access_of(fd, &st);
	close(fd);
	return a;
}

static void
test_who_may_read_an_input(void **state)
{
	static const struct {
		unsigned mode;
		uint32_t readers;
	} cases[] = {
		{0600, CR_READERS_OWNER},
		{0400, CR_READERS_OWNER},
		{0604, CR_READERS_OWNER}, /* the group may not */
		{0622, CR_READERS_OWNER},
		{0640, CR_READERS_GROUP},
		{0660, CR_READERS_GROUP},
		{0644, CR_READERS_ALL},
		{0666, CR_READERS_ALL},
	};
	struct bed *b = *state;
	int pipes[2];
	struct stat st;

	for (size_t i = 0; i < CR_LEN(cases); i++) {
		make(b, "text", 0600 | cases[i].mode);
		assert_int_equal(access_of(b->path).readers, cases[i].readers);
		if (cases[i].readers == CR_READERS_GROUP)
			assert_int_equal(access_of(b->path).gid, look(b).st_gid);
	}
	assert_int_equal(chmod(b->dir, 0744), 0); /* may list, may not search */
	assert_int_equal(access_of(b->dir).readers, CR_READERS_OWNER);
	assert_int_equal(chmod(b->dir, 0711), 0);
	assert_int_equal(access_of(b->dir).readers, CR_READERS_ALL);
	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(fstat(pipes[0], &st), 0);
	assert_int_equal(cr_access_of(pipes[0], &st).readers, CR_READERS_ALL);
	close(pipes[0]);
	close(pipes[1]);
}

/* With a list the group's bits are the mask, and others than the group are let in. */
static void
test_an_input_with_a_list_is_its_owners(void **state)
{
	struct bed *b = *state;

	make(b, "text", 0600);
	if (setxattr(b->path, ACL, &list, sizeof(list), 0) < 0)
		testing_skip("/tmp has no access control lists");
	assert_int_equal(access_of(b->path).readers, CR_READERS_OWNER);
}

static void
test_of_several_inputs_who_may_read_all(void **state)
{
	const struct cr_access all = {0}, one = {CR_READERS_GROUP, 1}, two = {CR_READERS_GROUP, 2},
			       owner = {CR_READERS_OWNER, 0};
	const struct {
		struct cr_access a, b;
		uint32_t readers, gid;
	} cases[] = {
		{all, all, CR_READERS_ALL, 0},
		{all, one, CR_READERS_GROUP, 1},
		{one, one, CR_READERS_GROUP, 1},
		{one, two, CR_READERS_OWNER, 0},
		{one, owner, CR_READERS_OWNER, 0},
		{all, owner, CR_READERS_OWNER, 0},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_access x = cr_access_join(cases[i].a, cases[i].b),
				       y = cr_access_join(cases[i].b, cases[i].a);

		assert_int_equal(x.readers, cases[i].readers);
		assert_int_equal(y.readers, cases[i].readers);
		assert_int_equal(x.gid, cases[i].gid);
		assert_int_equal(y.gid, cases[i].gid);
	}
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_new_file_has_the_mode_and_no_more_than_the_input),
		TEST(new_does_not_replace),
		TEST(a_replaced_file_keeps_its_mode),
		TEST(what_replaces_a_file_is_never_wider_than_its_input),
		TEST(the_temporary_file_is_narrow),
		TEST(a_replaced_file_keeps_owner_and_group),
		TEST(what_not_everybody_may_read_is_given_to_nobody),
		TEST(the_permissions_are_those_of_the_file_that_was_read),
		TEST(a_file_of_another_user_is_not_replaced),
		TEST(a_replaced_file_keeps_its_attributes),
		TEST(a_replaced_file_keeps_its_access_control_list),
		TEST(a_replaced_file_without_a_list_gets_none),
		TEST(who_may_read_an_input),
		TEST(an_input_with_a_list_is_its_owners),
		TEST(of_several_inputs_who_may_read_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
