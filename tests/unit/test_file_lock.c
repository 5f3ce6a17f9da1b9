#include "testing.h"

#include "store/file_lock_p.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct bed {
	char dir[64], path[80], lock[96];
	struct cr_err err;
};

static int
setup(void **state)
{
	struct bed *b = calloc(1, sizeof(*b));

	if (!b)
		return -1;
	strcpy(b->dir, "/tmp/test_file_lock.XXXXXX");
	if (!mkdtemp(b->dir))
		return -1;
	snprintf(b->path, sizeof(b->path), "%s/one.cresset", b->dir);
	snprintf(b->lock, sizeof(b->lock), "%s.lock", b->path);
	b->err = (struct cr_err)CR_ERR_INIT;
	setenv("CRESSET_LOCK_SECONDS", "0", 1);
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

/* A process that has the lock until it is killed. */
static pid_t
holder(struct bed *b)
{
	int pipes[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(pipes), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct cr_file_lock l;

		if (cr_file_lock_open(b->path, &l, &b->err) < 0 || write(pipes[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(pipes[1]);
	assert_int_equal(read(pipes[0], &byte, 1), 1);
	close(pipes[0]);
	return pid;
}

static void
end(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void
test_the_lock_is_a_file_of_its_own_and_goes(void **state)
{
	struct bed *b = *state;
	struct cr_file_lock l;
	struct stat st;

	assert_int_equal(cr_file_lock_open(b->path, &l, &b->err), CR_OK);
	assert_int_equal(stat(b->lock, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(access(b->path, F_OK), -1);
	cr_file_lock_close(&l);
	assert_int_equal(access(b->lock, F_OK), -1);
	cr_file_lock_close(&l);
}

static void
test_who_has_it_is_named(void **state)
{
	struct bed *b = *state;
	struct cr_file_lock l;
	char want[64];
	const pid_t pid = holder(b);

	assert_int_equal(cr_file_lock_open(b->path, &l, &b->err), CR_ELOCKED);
	snprintf(want, sizeof(want), "locked by process %ld of user %ld since ", (long)pid,
		(long)geteuid());
	assert_non_null(strstr(b->err.text, want));
	end(pid);
}

static void
test_a_killed_process_has_no_lock(void **state)
{
	struct bed *b = *state;
	struct cr_file_lock l;

	end(holder(b));
	assert_int_equal(access(b->lock, F_OK), 0);
	assert_int_equal(cr_file_lock_open(b->path, &l, &b->err), CR_OK);
	cr_file_lock_close(&l);
	assert_int_equal(access(b->lock, F_OK), -1);
}

/* Each adds one to a number in a file: none is lost. */
static void
test_they_take_turns(void **state)
{
	enum { N = 8, ROUNDS = 25 };
	struct bed *b = *state;
	uint32_t n = 0;
	int fd = open(b->path, O_RDWR | O_CREAT, 0600);

	assert_int_equal(write(fd, &n, sizeof(n)), sizeof(n));
	setenv("CRESSET_LOCK_SECONDS", "1000", 1);
	for (int i = 0; i < N; i++) {
		if (fork())
			continue;
		for (int k = 0; k < ROUNDS; k++) {
			struct cr_file_lock l;

			if (cr_file_lock_open(b->path, &l, &b->err) < 0 ||
				pread(fd, &n, sizeof(n), 0) != sizeof(n))
				_exit(1);
			n++;
			if (pwrite(fd, &n, sizeof(n), 0) != sizeof(n))
				_exit(1);
			cr_file_lock_close(&l);
		}
		_exit(0);
	}
	for (int i = 0; i < N; i++) {
		int status;

		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(pread(fd, &n, sizeof(n), 0), sizeof(n));
	assert_int_equal(n, N * ROUNDS);
	assert_int_equal(access(b->lock, F_OK), -1);
	close(fd);
}

static void
test_two_locks_in_any_order(void **state)
{
	struct bed *b = *state;
	struct cr_file_lock l[2];
	char other[96];

	snprintf(other, sizeof(other), "%s/two.cresset", b->dir);
	for (int turn = 0; turn < 2; turn++) {
		assert_int_equal(cr_file_lock_open_two(turn ? other : b->path,
					 turn ? b->path : other, l, &b->err),
			CR_OK);
		assert_true(l[0].fd >= 0 && l[1].fd >= 0);
		cr_file_lock_close(&l[0]);
		cr_file_lock_close(&l[1]);
	}
	assert_int_equal(cr_file_lock_open_two(b->path, b->path, l, &b->err), CR_OK);
	cr_file_lock_close(&l[0]);
	cr_file_lock_close(&l[1]);
	assert_int_equal(access(b->lock, F_OK), -1);
}

static void
test_without_a_place_for_it_there_is_none(void **state)
{
	struct bed *b = *state;
	struct cr_file_lock l;

	assert_int_equal(cr_file_lock_open("/nonexistent/x.cresset", &l, &b->err), CR_OK);
	assert_int_equal(l.fd, -1);
	cr_file_lock_close(&l);
}

static void
test_a_link_is_no_lock(void **state)
{
	struct bed *b = *state;
	struct cr_file_lock l;

	assert_int_equal(symlink("elsewhere", b->lock), 0);
	assert_int_equal(cr_file_lock_open(b->path, &l, &b->err), CR_ELOCKED);
	assert_int_equal(access("elsewhere", F_OK), -1);
}

/*
 * Another user may make a second name of a file of ours: it is neither waited for longer nor
 * written.
 */
static void
test_a_second_name_of_a_file_is_no_lock(void **state)
{
	struct bed *b = *state;
	struct cr_file_lock l;
	char text[16] = "", precious[96];
	int fd;

	snprintf(precious, sizeof(precious), "%s/precious", b->dir);
	fd = open(precious, O_RDWR | O_CREAT, 0600);
	assert_int_equal(write(fd, "text", 4), 4);
	assert_int_equal(link(precious, b->lock), 0);
	assert_int_equal(cr_file_lock_open(b->path, &l, &b->err), CR_ELOCKED);
	assert_int_equal(pread(fd, text, sizeof(text) - 1, 0), 4);
	assert_string_equal(text, "text");
	close(fd);
}

/*
 * A lock that a killed process of another user left belongs to that user and says who has it now.
 */
static void
test_the_holder_is_named_and_not_the_owner(void **state)
{
	struct bed *b = *state;
	struct cr_file_lock l;
	char who[64];
	pid_t pid;

	if (geteuid() != 0)
		testing_skip("only root can give files away");
	close(open(b->lock, O_WRONLY | O_CREAT, 0600));
	assert_int_equal(chown(b->lock, 12345, 12345), 0);
	pid = holder(b);
	assert_int_equal(cr_file_lock_open(b->path, &l, &b->err), CR_ELOCKED);
	snprintf(who, sizeof(who), "process %d of user 0 since", (int)pid);
	assert_non_null(strstr(b->err.text, who));
	end(pid);
}

/*
 * What another user's killed process left cannot be opened: it counts for a time and not for ever.
 */
static void
test_what_cannot_be_opened_is_removed_when_it_is_old(void **state)
{
	const struct timespec old[2] = {{time(NULL) - 700, 0}, {time(NULL) - 700, 0}};
	struct bed *b = *state;
	int status;
	pid_t pid;

	if (geteuid() != 0)
		testing_skip("only root can become another user");
	close(open(b->lock, O_WRONLY | O_CREAT, 0600));
	assert_int_equal(chmod(b->dir, 0777), 0);
	pid = fork();
	if (pid == 0) {
		struct cr_file_lock l;

		if (setgid(12345) < 0 || setuid(12345) < 0)
			_exit(1);
		if (cr_file_lock_open(b->path, &l, &b->err) != CR_ELOCKED ||
			!strstr(b->err.text, "of user 0 since"))
			_exit(2);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(utimensat(AT_FDCWD, b->lock, old, 0), 0);
	pid = fork();
	if (pid == 0) {
		struct cr_file_lock l;

		if (setgid(12345) < 0 || setuid(12345) < 0)
			_exit(1);
		if (cr_file_lock_open(b->path, &l, &b->err) != CR_OK || l.fd < 0)
			_exit(2);
		cr_file_lock_close(&l);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
test_sweeping_leaves_what_is_held(void **state)
{
	struct bed *b = *state;
	const pid_t pid = holder(b);
	const int dir = open(b->dir, O_RDONLY | O_DIRECTORY);

	assert_true(cr_file_lock_is("one.cresset.lock"));
	assert_false(cr_file_lock_is(".cresset.lock"));
	assert_false(cr_file_lock_is("one.lock"));
	cr_file_lock_sweep(dir, "one.cresset.lock");
	assert_int_equal(access(b->lock, F_OK), 0);
	end(pid);
	cr_file_lock_sweep(dir, "one.cresset.lock");
	assert_int_equal(access(b->lock, F_OK), -1);
	close(dir);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_lock_is_a_file_of_its_own_and_goes),
		TEST(who_has_it_is_named),
		TEST(a_killed_process_has_no_lock),
		TEST(they_take_turns),
		TEST(two_locks_in_any_order),
		TEST(without_a_place_for_it_there_is_none),
		TEST(a_link_is_no_lock),
		TEST(a_second_name_of_a_file_is_no_lock),
		TEST(the_holder_is_named_and_not_the_owner),
		TEST(what_cannot_be_opened_is_removed_when_it_is_old),
		TEST(sweeping_leaves_what_is_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
