#include "testing.h"
#include "testing_directory.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"
#include "symbol/files/gate_p.h"
#include "symbol/files/opener.h"
#include "symbol/files/opener_ask_p.h"
#include "symbol/jit/process_p.h"

/*
 * A child that confines itself to nothing and has an opener: what it opens, the opener has opened.
 * Its exit code is 0, or the number of the check that failed.
 */
#define check(number, condition)       \
	do {                           \
		if (!(condition))      \
			_exit(number); \
	} while (0)

static void
in_child(void (*body)(const char *dir), const char *dir)
{
	const pid_t pid = fork();
	int status;

	if (pid == 0) {
		body(dir);
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int
bed_make(void **state)
{
	char *dir = strdup("/tmp/test_opener.XXXXXX");

	if (!mkdtemp(dir))
		return -1;
	*state = dir;
	return directory_shell(dir,
		       "chmod 755 . && echo text >file && ln -s file link && mkfifo fifo && "
		       "(umask 077; echo secret >secret; printf '\\177ELF...' >elf; echo 1 2 f "
		       ">perf-17.map)")
		       ? 0
		       : -1;
}

static int
bed_remove(void **state)
{
	char *dir = *state;

	directory_remove(dir);
	free(dir);
	return 0;
}

static void
needs_landlock(void)
{
	if (!cr_confine_landlock())
		testing_skip("this kernel has no Landlock");
}

/* opts gets the opener. */
static void
confine(struct cr_symbol_opts *opts, const char *const *inputs, int n)
{
	struct cr_confine c;

	opts->opener = cr_opener_start(opts, inputs, n);
	check(1, opts->opener);
	cr_confine_open(&c, cr_confine_landlock());
	check(2, cr_confine_files(&c));
}

static int
gate(const struct cr_symbol_opts *opts, const char *dir, const char *name, unsigned rules)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return cr_gate_open(opts, path, rules, CR_GATE_NOBODY);
}

static void
opening(const char *dir)
{
	struct cr_symbol_opts opts = {.home = "/nonexistent"};
	struct cr_symbol_opts alone;
	char text[8];
	int fd;

	confine(&opts, NULL, 0);
	alone = opts;
	alone.opener = NULL;
	check(10, gate(&alone, dir, "file", 0) < 0); /* confined it is */
	fd = gate(&opts, dir, "file", 0);
	check(11, fd >= 0);
	check(12, read(fd, text, sizeof(text)) == 5 && memcmp(text, "text\n", 5) == 0);
	check(13, fcntl(fd, F_GETFD) & FD_CLOEXEC);
	check(14, gate(&opts, dir, "link", 0) < 0);
	check(15, gate(&opts, dir, "fifo", 0) < 0);
	check(16, gate(&opts, dir, "nothing", 0) < 0);
	check(17, gate(&opts, dir, "../../etc/passwd", 0) >=
			  0); /* anybody can read it, without the sandbox too */
	check(18, gate(&opts, dir, "elf", 0) >= 0);
	check(19, gate(&opts, dir, "perf-17.map", CR_GATE_OWNED) >= 0);
	check(20, gate(&opts, dir, "secret", 0) < 0); /* no ELF */
	check(21, (gate(&opts, dir, "secret", CR_GATE_PUBLIC) >= 0) == (geteuid() != 0));
	cr_opener_stop(opts.opener);
}

/* As root: that the recording is of some user is believed only when an input is. */
static void
owners(const char *dir)
{
	struct cr_symbol_opts opts = {.home = "/nonexistent"};
	char input[256], path[256];

	snprintf(input, sizeof(input), "%s/file", dir);
	snprintf(path, sizeof(path), "%s/secret", dir);
	check(10, chown(path, 4711, 4711) == 0);
	for (int is = 0; is <= 1; is++) {
		const char *inputs[] = {input};

		check(11, chown(input, is ? 4711 : 4712, 0) == 0);
		opts.opener = cr_opener_start(&opts, inputs, 1);
		opts.has_owner = true;
		opts.owner = 4711;
		check(12 + is, (cr_opener_file(opts.opener, &opts, path, CR_GATE_PUBLIC,
					CR_GATE_NOBODY) >= 0) == is);
		cr_opener_stop(opts.opener);
		opts.has_owner = false;
	}
}

static pid_t other;

static void
processes(const char *dir)
{
	struct cr_symbol_opts opts = {.home = "/nonexistent"};
	FILE *f = fopen("/proc/self/maps", "r");
	struct cr_process_map map = {.start = 0};
	char *line = NULL;
	size_t room = 0;
	uint64_t end;

	(void)dir;
	/* A child has what its parent had mapped where it was. */
	while (f && !map.path.len && getline(&line, &room, f) > 0)
		if (strchr(line, '/') && sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64,
						 &map.start, &end, &map.pgoff) == 3)
			map.path = (struct cr_str){
				strchr(line, '/'), (uint32_t)strcspn(strchr(line, '/'), "\n")};
	check(10, map.path.len);
	confine(&opts, NULL, 0);
	check(11, !cr_process_has(NULL, other, &map, 1));
	check(12, cr_process_has(opts.opener, other, &map, 1));
	check(13, !cr_process_has(opts.opener, 1 << 30, &map, 1));
	check(14, cr_process_own_pid(opts.opener, other) == other);
	cr_opener_stop(opts.opener);
}

static void
test_the_gate_opens_through_the_opener_by_its_rules(void **state)
{
	needs_landlock();
	in_child(opening, *state);
}

static void
test_only_owners_of_inputs_are_believed(void **state)
{
	if (geteuid() != 0)
		testing_skip("only root can give files away");
	in_child(owners, *state);
}

static void
test_other_processes_are_looked_at_through_the_opener(void **state)
{
	needs_landlock();
	other = fork();
	if (other == 0) {
		pause();
		_exit(0);
	}
	assert_true(other > 0);
	in_child(processes, *state);
	kill(other, SIGKILL);
	assert_int_equal(waitpid(other, NULL, 0), other);
}

static void
test_an_opener_that_is_gone_opens_nothing(void **state)
{
	struct cr_symbol_opts opts = {.home = "/nonexistent"};
	char path[256], why[64];
	struct cr_build_id id = {.len = 4};

	snprintf(path, sizeof(path), "%s/file", (const char *)*state);
	opts.opener = cr_opener_start(&opts, NULL, 0);
	assert_non_null(opts.opener);
	assert_int_equal(kill(cr_opener_pid(opts.opener), SIGKILL), 0);
	while (cr_opener_file(opts.opener, &opts, path, 0, CR_GATE_NOBODY) >=
		0) /* until it is dead */
		sched_yield();
	assert_null(cr_opener_debuginfod(opts.opener, &id, NULL, why, sizeof(why)));
	assert_string_not_equal(why, "");
	cr_opener_stop(opts.opener);
}

/* The file has its number as text: one that was mixed up with another is told by it. */
static bool
is_number(int fd, int number)
{
	char text[16] = "";
	const bool same = fd >= 0 && read(fd, text, sizeof(text) - 1) > 0 && atoi(text) == number;

	if (fd >= 0)
		close(fd);
	return same;
}

static int
next_fd(void)
{
	const int fd = fcntl(0, F_DUPFD_CLOEXEC, 3);

	close(fd);
	return fd;
}

#define EXPECTED 100

/* Asked for in any order, with some that are not there, some not allowed, and one twice. */
static void
expecting(const char *dir)
{
	struct cr_symbol_opts opts = {.home = "/nonexistent"};
	const char *paths[EXPECTED];
	char room[EXPECTED][256];
	int first;

	confine(&opts, NULL, 0);
	for (int i = 0; i < EXPECTED; i++) {
		snprintf(room[i], sizeof(room[i]), "%s/%s%d", dir, i % 2 ? "many/" : "more/", i);
		paths[i] = room[i];
	}
	paths[7] = paths[9];
	first = next_fd();
	cr_opener_expect(opts.opener, paths, EXPECTED);
	for (int k = 0; k < EXPECTED; k++) {
		const int i = k * 37 % EXPECTED;
		const int fd = cr_gate_open(&opts, paths[i], 0, CR_GATE_NOBODY);
		const int number = i == 7 ? 9 : i;

		if (number % 10 == 0 || number % 10 == 5) /* links, and none */
			check(70, fd < 0);
		else
			check(71, is_number(fd, number));
	}
	check(72, is_number(cr_gate_open(&opts, paths[1], 0, CR_GATE_NOBODY), 1));
	/* With other rules it is not what was expected. */
	check(73, is_number(cr_gate_open(&opts, paths[11], CR_GATE_PUBLIC, CR_GATE_NOBODY), 11));
	/* What nobody takes is closed. */
	cr_opener_expect(opts.opener, paths, EXPECTED);
	check(74, is_number(cr_gate_open(&opts, paths[1], 0, CR_GATE_NOBODY), 1));
	cr_opener_expect(opts.opener, NULL, 0);
	check(75, next_fd() == first);
	cr_opener_stop(opts.opener);
}

static void
test_files_that_are_expected_come_together(void **state)
{
	const char *dir = *state;

	needs_landlock();
	assert_true(directory_shell(dir,
		"mkdir many more && for i in 1 3 7 9; do for k in '' 1 2 3 4 5 6 7 8 9; do "
		"echo $k$i >many/$k$i; done; done; for i in 2 4 6 8; do for k in '' 1 2 3 "
		"4 5 6 7 8 9; "
		"do echo $k$i >more/$k$i; done; done; for k in '' 1 2 3 4; do ln -s "
		"../many/1 "
		"more/${k}0; done"));
	in_child(expecting, dir);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bed_make, bed_remove)
	const struct CMUnitTest tests[] = {
		TEST(test_the_gate_opens_through_the_opener_by_its_rules),
		TEST(test_only_owners_of_inputs_are_believed),
		TEST(test_other_processes_are_looked_at_through_the_opener),
		TEST(test_an_opener_that_is_gone_opens_nothing),
		TEST(test_files_that_are_expected_come_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
