#include "testing.h"
#include "testing_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/sanitizer.h"

/*
 * A process cannot be freed again, so each case is a child. It says with its exit code what went
 * wrong: 0 nothing, else the number of the check.
 */
#define check(number, condition)       \
	do {                           \
		if (!(condition))      \
			_exit(number); \
	} while (0)

static char *const words[] = {(char[]){"true"}, NULL};

#define REFUSED(call) ((errno = 0), (call) < 0 && errno == EACCES)
#define NOT_PERMITTED(call) ((errno = 0), (call) < 0 && errno == EPERM)

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
	char *dir = strdup("/tmp/test_confine.XXXXXX");

	if (!mkdtemp(dir))
		return -1;
	*state = dir;
	return directory_shell(dir,
		       "mkdir read write list none && echo text >read/file && echo text "
		       ">write/file && "
		       "echo text >list/file && echo text >none/file && echo text >one "
		       "&& ln -s ../none/file read/link")
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

/* Is there a filter of system calls for this machine, and does the kernel have them? */
static void
needs_seccomp(void)
{
	const pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(cr_confine_calls(0) ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WEXITSTATUS(status))
		testing_skip("no seccomp filters here");
}

/* ---- files */

static int version; /* of Landlock's interface, for the next child */

static void
confine_to_bed(const char *dir)
{
	struct cr_confine c;

	check(1, chdir(dir) == 0);
	cr_confine_open(&c, version);
	cr_confine_allow(&c, "read", CR_CONFINE_READ);
	cr_confine_allow(&c, "write", CR_CONFINE_READ | CR_CONFINE_WRITE);
	cr_confine_allow(&c, "list", CR_CONFINE_LIST);
	cr_confine_allow(&c, "one", CR_CONFINE_READ);
	cr_confine_allow(&c, "nowhere", CR_CONFINE_READ);
	cr_confine_allow(&c, NULL, CR_CONFINE_READ);
	check(2, cr_confine_files(&c));
	check(3, cr_confined() & CR_CONFINED_FILES);
}

static void
reading(const char *dir)
{
	confine_to_bed(dir);
	check(10, REFUSED(open("/etc/passwd", O_RDONLY)));
	check(11, REFUSED(open("none/file", O_RDONLY)));
	check(12, REFUSED(open("list/file", O_RDONLY)));
	check(13, REFUSED(open("read/link", O_RDONLY))); /* leads out */
	check(14, REFUSED(open("read/../none/file", O_RDONLY)));
	check(15, REFUSED(open(".", O_RDONLY | O_DIRECTORY)));
	check(16, open("read/file", O_RDONLY) >= 0);
	check(17, open("one", O_RDONLY) >= 0);
	check(18, open("read", O_RDONLY | O_DIRECTORY) >= 0);
	check(19, open("list", O_RDONLY | O_DIRECTORY) >= 0);
	check(20, access("none/file", F_OK) == 0);
}

static void
writing(const char *dir)
{
	confine_to_bed(dir);
	check(10, REFUSED(open("read/file", O_WRONLY)));
	check(11, REFUSED(open("read/new", O_WRONLY | O_CREAT, 0600)));
	check(12, REFUSED(unlink("read/file")));
	check(13, REFUSED(mkdir("read/new", 0700)));
	check(14, REFUSED(open("none/new", O_WRONLY | O_CREAT, 0600)));
	check(15, REFUSED(symlink("/etc", "write/link")));
	check(16, rename("write/file", "read/moved") < 0);
	check(17, link("none/file", "write/stolen") < 0);
	check(18, open("write/new", O_WRONLY | O_CREAT, 0600) >= 0);
	check(19, rename("write/new", "write/moved") == 0);
	check(20, mkdir("write/dir", 0700) == 0 && rmdir("write/dir") == 0);
	check(21, unlink("write/moved") == 0);
	if (version >= 3)
		check(22, REFUSED(truncate("read/file", 0)));
}

static void
telling(const char *dir)
{
	struct cr_err err = CR_ERR_INIT;

	confine_to_bed(dir);
	check(10, REFUSED(open("none/new", O_WRONLY | O_CREAT, 0600)));
	cr_fail_errno(&err, CR_EIO, "cannot write");
	cr_confine_report(&err, "none/new", W_OK);
	check(11, strstr(err.text, "--no-sandbox"));
	check(12, REFUSED(open("none/file", O_RDONLY)));
	cr_fail_errno(&err, CR_EIO, "cannot open");
	cr_confine_report(&err, "none/file", R_OK);
	check(13, strstr(err.text, "--no-sandbox"));
	check(14, open("read/nothing", O_RDONLY) < 0);
	cr_fail_errno(&err, CR_EIO, "cannot open");
	cr_confine_report(&err, "read/nothing", R_OK);
	check(15, !strstr(err.text, "--no-sandbox"));
}

/*
 * A kernel refuses what an older interface does not know, so an old kernel is like a new one that
 * is asked in old words.
 */
static void
each_version(void (*body)(const char *dir), const char *dir)
{
	needs_landlock();
	for (version = 1; version <= cr_confine_landlock(); version++)
		in_child(body, dir);
}

static void
test_only_what_is_allowed_can_be_read(void **state)
{
	each_version(reading, *state);
}

static void
test_only_what_is_allowed_can_be_written(void **state)
{
	each_version(writing, *state);
}

static void
test_a_refusal_of_the_sandbox_is_told_from_others(void **state)
{
	each_version(telling, *state);
}

static void
unconfined(const char *dir)
{
	struct cr_confine c;

	(void)dir;
	cr_confine_open(&c, 0);
	cr_confine_allow(&c, "/", CR_CONFINE_READ);
	check(10, !cr_confine_files(&c));
	check(11, cr_confined() == 0);
	check(12, open("/etc/passwd", O_RDONLY) >= 0);
}

static void
test_without_landlock_nothing_is_confined(void **state)
{
	in_child(unconfined, *state);
}

/* ---- system calls */

static void
confine_calls(unsigned allow)
{
	check(1, cr_confine_calls(allow));
	check(2, cr_confined() == CR_CONFINED_CALLS);
}

static void
programs(const char *dir)
{
	(void)dir;
	confine_calls(0);
	check(10, NOT_PERMITTED(execve("/bin/true", words, words)));
	check(11, NOT_PERMITTED(syscall(SYS_execveat, AT_FDCWD, "/bin/true", words, words, 0)));
#if !CR_SANITIZED
	check(12, fork() < 0);
	check(13, NOT_PERMITTED(ptrace(PTRACE_TRACEME, 0, NULL, NULL)));
	check(14,
		NOT_PERMITTED(syscall(SYS_clone, SIGCHLD | CLONE_NEWUSER, NULL, NULL, NULL, NULL)));
	check(15, NOT_PERMITTED(syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL)));
#endif
	check(16, NOT_PERMITTED(unshare(CLONE_NEWUSER)));
	check(17, NOT_PERMITTED(syscall(SYS_setns, 0, 0)));
}

static int pair[2];

static void
network(const char *dir)
{
	const struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = 1};
	int unused[2];

	(void)dir;
	confine_calls(0);
	check(10, NOT_PERMITTED(socket(AF_INET, SOCK_STREAM, 0)));
	check(11, NOT_PERMITTED(socket(AF_UNIX, SOCK_STREAM, 0)));
	check(12, NOT_PERMITTED(socketpair(AF_UNIX, SOCK_STREAM, 0, unused)));
	check(13, NOT_PERMITTED(connect(pair[0], (const struct sockaddr *)&at, sizeof(at))));
	check(14, NOT_PERMITTED(bind(pair[0], (const struct sockaddr *)&at, sizeof(at))));
	check(15, send(pair[0], "x", 1, 0) == 1); /* what is open stays usable */
}

static void
network_allowed(const char *dir)
{
	(void)dir;
	confine_calls(CR_CONFINE_NETWORK);
	check(10, socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
	check(11, NOT_PERMITTED(execve("/bin/true", words, words)));
}

static void
kernel(const char *dir)
{
	(void)dir;
	confine_calls(0);
	check(10, NOT_PERMITTED(mount("none", "/nonexistent", "tmpfs", 0, NULL)));
	check(11, NOT_PERMITTED(chroot("/nonexistent")));
	check(12, NOT_PERMITTED(syscall(SYS_bpf, 0, NULL, 0)));
	check(13, NOT_PERMITTED(syscall(425, 1, NULL))); /* io_uring_setup() */
	check(14, NOT_PERMITTED(syscall(SYS_userfaultfd, 0)));
	check(15, NOT_PERMITTED(syscall(SYS_keyctl, 0, 0)));
	check(16, NOT_PERMITTED(syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0)));
	check(17, NOT_PERMITTED(syscall(SYS_process_vm_readv, getpid(), NULL, 0, NULL, 0, 0)));
	check(18, NOT_PERMITTED(syscall(SYS_finit_module, 0, "", 0)));
	check(19, NOT_PERMITTED(syscall(SYS_open_by_handle_at, 0, NULL, 0)));
	check(20, NOT_PERMITTED(ioctl(0, TIOCSTI, "x")));
	check(21, NOT_PERMITTED(chmod("/nonexistent", 0666)));
	check(22, NOT_PERMITTED(chown("/nonexistent", 0, 0)));
	check(23, NOT_PERMITTED(truncate("/nonexistent", 0)));
	check(24, NOT_PERMITTED(syscall(SYS_setuid, getuid())));
}

static void
signals(const char *dir)
{
	struct sigaction sa = {.sa_handler = SIG_IGN};

	(void)dir;
	confine_calls(0);
	check(10, NOT_PERMITTED(kill(getppid(), SIGCONT)));
	check(11, kill(getppid(), 0) == 0);
	check(12, sigaction(SIGUSR1, &sa, NULL) == 0 && kill(getpid(), SIGUSR1) == 0);
	check(13, raise(SIGUSR1) == 0);
}

static void *
thread(void *user)
{
	const int fd = open("/dev/null", O_RDONLY);

	*(int *)user = fd >= 0 && NOT_PERMITTED(execve("/bin/true", words, words));
	return NULL;
}

static void
threads(const char *dir)
{
	pthread_t t;
	int ok = 0;

	(void)dir;
	confine_calls(0);
	check(10, pthread_create(&t, NULL, thread, &ok) == 0);
	check(11, pthread_join(t, NULL) == 0);
	check(12, ok);
}

static void
test_no_program_is_started(void **state)
{
	needs_seccomp();
	in_child(programs, *state);
}

static void
test_no_socket_is_made_or_connected(void **state)
{
	needs_seccomp();
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	in_child(network, *state);
	close(pair[0]);
	close(pair[1]);
	in_child(network_allowed, *state);
}

static void
test_the_kernel_is_asked_for_nothing_special(void **state)
{
	needs_seccomp();
	in_child(kernel, *state);
}

static void
test_signals_are_for_oneself(void **state)
{
	needs_seccomp();
	in_child(signals, *state);
}

static void
test_threads_can_be_started_and_are_confined(void **state)
{
	needs_seccomp();
	in_child(threads, *state);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bed_make, bed_remove)
	const struct CMUnitTest tests[] = {
		TEST(test_only_what_is_allowed_can_be_read),
		TEST(test_only_what_is_allowed_can_be_written),
		TEST(test_a_refusal_of_the_sandbox_is_told_from_others),
		TEST(test_without_landlock_nothing_is_confined),
		TEST(test_no_program_is_started),
		TEST(test_no_socket_is_made_or_connected),
		TEST(test_the_kernel_is_asked_for_nothing_special),
		TEST(test_signals_are_for_oneself),
		TEST(test_threads_can_be_started_and_are_confined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
