#include "testing.h"

#include "base/cleanup.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

static void
no_core(void)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

/* A child that sets up, does what it is told, and says by how it ends what became of it. */
static int
status_of(void (*work)(void *user), void *user)
{
	const pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		no_core();
		cr_cleanup_setup();
		work(user);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

struct job {
	char path[64];
	int sig;
	bool forget, ignore;
};

static void
create_and_raise(void *user)
{
	const struct job *j = user;

	if (cr_cleanup_create(j->path, O_WRONLY | O_CREAT | O_EXCL, 0600) < 0)
		_exit(1);
	if (j->forget)
		cr_cleanup_forget(j->path);
	raise(j->sig);
}

static void
job_path(struct job *j)
{
	static unsigned n;

	snprintf(j->path, sizeof(j->path), "/tmp/cresset-cleanup.%ld.%u", (long)getpid(), n++);
}

static void
test_a_signal_removes_the_file_and_ends_the_program(void **state)
{
	static const int signals[] = {
		SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU, SIGABRT, SIGUSR1, SIGALRM};

	(void)state;
	for (size_t i = 0; i < CR_LEN(signals); i++) {
		struct job j = {.sig = signals[i]};
		int status;

		job_path(&j);
		status = status_of(create_and_raise, &j);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), signals[i]);
		assert_int_equal(access(j.path, F_OK), -1);
	}
}

static void
test_a_file_that_is_done_stays(void **state)
{
	struct job j = {.sig = SIGTERM, .forget = true};
	int status;

	(void)state;
	job_path(&j);
	status = status_of(create_and_raise, &j);
	assert_int_equal(WTERMSIG(status), SIGTERM);
	assert_int_equal(access(j.path, F_OK), 0);
	unlink(j.path);
}

static void
test_a_file_of_somebody_else_is_not_taken(void **state)
{
	struct job j = {.sig = SIGTERM};
	FILE *f;

	(void)state;
	job_path(&j);
	f = fopen(j.path, "w");
	assert_non_null(f);
	fclose(f);
	assert_int_equal(WEXITSTATUS(status_of(create_and_raise, &j)), 1);
	assert_int_equal(access(j.path, F_OK), 0);
	unlink(j.path);
}

/* As nohup does, or a script that starts it in the background. */
static void
test_a_signal_that_was_ignored_stays_so(void **state)
{
	struct job j = {.sig = SIGHUP};

	(void)state;
	job_path(&j);
	signal(SIGHUP, SIG_IGN);
	assert_int_equal(status_of(create_and_raise, &j), 0);
	signal(SIGHUP, SIG_DFL);
	assert_int_equal(access(j.path, F_OK), 0);
	unlink(j.path);
}

/* A job on a terminal of its own that has set it up its way when the signal comes. */
static void
raise_on_terminal(int sig)
{
	struct termios was, raw;

	no_core();
	tcgetattr(STDOUT_FILENO, &was);
	raw = was;
	cfmakeraw(&raw);
	tcsetattr(STDOUT_FILENO, TCSANOW, &raw);
	cr_cleanup_setup();
	cr_cleanup_terminal(STDOUT_FILENO, "restored", strlen("restored"), &was);
	raise(sig);
	_exit(0);
}

/*
 * A session of its own on the terminal, which stays until it is killed: a terminal ends with its
 * session.
 */
static void
session(int slave, int sig, int told)
{
	int status = 0;
	pid_t pid;

	if (login_tty(slave) < 0)
		_exit(1);
	signal(sig, SIG_DFL); /* a sanitizer may have taken it */
	pid = fork();
	if (pid == 0)
		raise_on_terminal(sig);
	waitpid(pid, &status, 0);
	if (write(told, &status, sizeof(status)) < 0)
		_exit(1);
	for (;;)
		pause();
}

static void
test_a_signal_gives_the_terminal_back(void **state)
{
	static const int signals[] = {SIGTERM, SIGQUIT, SIGSEGV};

	(void)state;
	for (size_t i = 0; i < CR_LEN(signals); i++) {
		struct termios before, after;
		int fd, slave, status, told[2];
		char text[64] = "";
		struct pollfd in;
		pid_t pid;

		assert_int_equal(openpty(&fd, &slave, NULL, NULL, NULL), 0);
		assert_int_equal(tcgetattr(slave, &before), 0);
		assert_int_equal(pipe(told), 0);
		pid = fork();
		if (pid == 0)
			session(slave, signals[i], told[1]);
		assert_int_equal(read(told[0], &status, sizeof(status)), sizeof(status));
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), signals[i]);
		in = (struct pollfd){.fd = fd, .events = POLLIN};
		assert_int_equal(poll(&in, 1, 10000), 1);
		assert_true(read(fd, text, sizeof(text) - 1) > 0);
		assert_string_equal(text, "restored");
		assert_int_equal(tcgetattr(slave, &after), 0);
		assert_int_equal(after.c_lflag, before.c_lflag);
		assert_int_equal(after.c_oflag, before.c_oflag);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		close(told[0]);
		close(told[1]);
		close(slave);
		close(fd);
	}
}

/* Signals that the caller ignored, as nohup does, would stay ignored in the children. */
static void
signals_reset(void)
{
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_signal_removes_the_file_and_ends_the_program),
		cmocka_unit_test(test_a_file_that_is_done_stays),
		cmocka_unit_test(test_a_file_of_somebody_else_is_not_taken),
		cmocka_unit_test(test_a_signal_that_was_ignored_stays_so),
		cmocka_unit_test(test_a_signal_gives_the_terminal_back),
	};

	signals_reset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
