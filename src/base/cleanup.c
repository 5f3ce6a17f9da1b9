#include "base/cleanup.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Signals that end a program by default. SIGXFSZ is ignored, so that a write fails instead. */
static const int fatal[] = {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
	SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGVTALRM, SIGPROF, SIGXCPU, SIGSYS};

#define WRITABLE_MS 200

/*
 * A signal handler gets no pointer from us, so this is at file scope. An entry is marked as used
 * after it is filled, and signals are blocked meanwhile.
 */
static struct {
	char path[PATH_MAX];
	atomic_flag taken; /* by a thread that fills it, or that did */
	volatile sig_atomic_t used;
} files[4];

static struct {
	int fd;
	char bytes[256];
	size_t len;
	struct termios modes;
	bool has_modes;
	volatile sig_atomic_t used;
} terminal;

/*
 * A signal may reach one thread while another creates a file. The handler waits for that thread, so
 * that the file is known. Once the program is ending, no more files are created.
 */
static atomic_int creating, ending;

#define CREATED_WITHIN_MS 200

static void
create_enter(void)
{
	atomic_fetch_add(&creating, 1);
	if (!atomic_load(&ending))
		return;
	atomic_fetch_sub(&creating, 1);
	for (;;)
		pause();
}

static void
create_leave(void)
{
	atomic_fetch_sub(&creating, 1);
}

static void
create_end(void)
{
	const struct timespec ms = {0, 1000000};

	atomic_store(&ending, 1);
	for (int i = 0; i < CREATED_WITHIN_MS && atomic_load(&creating); i++)
		nanosleep(&ms, NULL);
}

static void
terminal_restore(void)
{
	struct pollfd out = {.fd = terminal.fd, .events = POLLOUT};
	const char *p = terminal.bytes;
	size_t left = terminal.len;
	ssize_t n;

	/*
	 * In the background the terminal belongs to the shell. A terminal that accepts no output
	 * must not block us.
	 */
	if (tcgetpgrp(terminal.fd) != getpgrp() || poll(&out, 1, WRITABLE_MS) <= 0)
		return;
	while (left > 0 && (n = write(terminal.fd, p, left)) > 0) {
		p += n;
		left -= (size_t)n;
	}
	if (terminal.has_modes)
		tcsetattr(terminal.fd, TCSANOW, &terminal.modes);
}

void
cr_cleanup_run(void)
{
	const int saved = errno;

	for (size_t i = 0; i < CR_LEN(files); i++)
		if (files[i].used)
			unlink(files[i].path);
	if (terminal.used)
		terminal_restore();
	terminal.used = 0; /* exit() runs this again, which would move the cursor */
	errno = saved;
}

void
cr_cleanup_die(int sig)
{
	sigset_t set;

	if (cr_cleanup_ignored(sig))
		return;
	create_end();
	cr_cleanup_run();
	signal(sig, SIG_DFL);
	raise(sig);
	/* If this is the signal's handler, the signal is delivered when the handler returns. */
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void
on_fatal(int sig)
{
	cr_cleanup_die(sig);
}

bool
cr_cleanup_ignored(int sig)
{
	struct sigaction now;

	return sigaction(sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void
cr_cleanup_setup(void)
{
	struct sigaction sa = {.sa_handler = on_fatal}, now;

	sigfillset(&sa.sa_mask);
	for (size_t i = 0; i < CR_LEN(fatal); i++)
		if (sigaction(fatal[i], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
			now.sa_handler == SIG_DFL)
			sigaction(fatal[i], &sa, NULL);
	atexit(cr_cleanup_run);
}

static void
block_all(sigset_t *was)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, was);
}

/* Call it with signals blocked. */
static void
remember(const char *path)
{
	const size_t len = strlen(path);

	for (size_t i = 0; len < PATH_MAX && i < CR_LEN(files); i++) {
		if (atomic_flag_test_and_set(&files[i].taken))
			continue;
		memcpy(files[i].path, path, len + 1);
		files[i].used = 1;
		break;
	}
}

int
cr_cleanup_create(const char *path, int flags, mode_t mode)
{
	sigset_t was;
	int fd, why;

	block_all(&was);
	create_enter();
	fd = open(path, flags, mode);
	why = errno;
	if (fd >= 0)
		remember(path);
	create_leave();
	sigprocmask(SIG_SETMASK, &was, NULL);
	errno = why;
	return fd;
}

void
cr_cleanup_name(const char *path)
{
	sigset_t was;

	block_all(&was);
	create_enter();
	remember(path);
	create_leave();
	sigprocmask(SIG_SETMASK, &was, NULL);
}

void
cr_cleanup_forget(const char *path)
{
	const int saved = errno;

	for (size_t i = 0; i < CR_LEN(files); i++)
		if (files[i].used && strcmp(files[i].path, path) == 0) {
			files[i].used = 0;
			atomic_flag_clear(&files[i].taken);
		}
	errno = saved;
}

void
cr_cleanup_terminal(int fd, const char *bytes, size_t len, const struct termios *modes)
{
	sigset_t was;

	block_all(&was);
	terminal.used = 0;
	if (len > 0 && len <= sizeof(terminal.bytes)) {
		memcpy(terminal.bytes, bytes, len);
		terminal.len = len;
		terminal.fd = fd;
		terminal.has_modes = modes;
		if (modes)
			terminal.modes = *modes;
		terminal.used = 1;
	}
	sigprocmask(SIG_SETMASK, &was, NULL);
}
