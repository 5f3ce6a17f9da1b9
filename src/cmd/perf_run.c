#include "perf_run_p.h"

#include "exit_code_p.h"
#include "options_p.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHOWN_LINES 6      /* of what a failed run has printed */
#define SHOWN_BYTES 32768u /* at its end, in which these lines are looked for */

extern char **environ;

/* ---- child processes */

/* Start a program of PATH; files: what its standard streams are. Returns 0 or an errno. */
static int
start(const char *const *argv, const posix_spawn_file_actions_t *files, pid_t *pid)
{
	posix_spawnattr_t attributes;
	sigset_t reset;
	int why;

	sigemptyset(&reset);
	sigaddset(&reset, SIGXFSZ); /* cmd.c ignores it */
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &reset);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	why = posix_spawnp(
		pid, argv[0], files, &attributes, (char *const *)(uintptr_t)argv, environ);
	posix_spawnattr_destroy(&attributes);
	return why;
}

static int
wait_for(pid_t pid, int *status)
{
	while (waitpid(pid, status, 0) < 0)
		if (errno != EINTR)
			return errno;
	return 0;
}

/* The end of a file as text, at most SHOWN_BYTES. */
static void
read_end(int fd, struct cr_text *out)
{
	char bytes[SHOWN_BYTES];
	const off_t size = lseek(fd, 0, SEEK_END);
	const off_t from = size > (off_t)sizeof(bytes) ? size - (off_t)sizeof(bytes) : 0;
	const ssize_t n = pread(fd, bytes, sizeof(bytes), from);

	if (n > 0)
		cr_text_put(out, bytes, (size_t)n);
}

int
cr_perf_run_quietly(const char *const *argv, int *status, struct cr_text *messages)
{
	const int fd = cr_temp_file();
	posix_spawn_file_actions_t files;
	pid_t pid;
	int why = fd < 0 ? errno : 0;

	*status = 0;
	cr_text_puts(messages, "");
	if (why)
		return why;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&files, fd, STDERR_FILENO);
	why = start(argv, &files, &pid);
	posix_spawn_file_actions_destroy(&files);
	if (why == 0)
		why = wait_for(pid, status);
	read_end(fd, messages);
	close(fd);
	return why;
}

/* A signal handler gets no pointer from us, so these are at file scope. */
static volatile sig_atomic_t running, stopped_by;

/* A terminal sends Ctrl-C to the child, too; what another process sends, only this one receives. */
static void
on_stop(int sig, siginfo_t *info, void *context)
{
	(void)context;
	stopped_by = sig;
	if (info->si_code <= 0 && running > 0)
		kill(running, sig);
}

int
cr_perf_run_here(const char *const *argv, int *status, bool *stopped)
{
	static const int signals[] = {SIGINT, SIGTERM};
	struct sigaction stop = {.sa_sigaction = on_stop, .sa_flags = SA_SIGINFO}, was[2];
	pid_t pid;
	int why;

	stopped_by = running = 0;
	for (size_t i = 0; i < CR_LEN(signals); i++)
		if (!cr_cleanup_ignored(signals[i]))
			sigaction(signals[i], &stop, &was[i]);
	why = start(argv, NULL, &pid);
	if (why == 0) {
		running = pid;
		why = wait_for(pid, status);
		running = 0;
	}
	for (size_t i = 0; i < CR_LEN(signals); i++)
		if (!cr_cleanup_ignored(signals[i]))
			sigaction(signals[i], &was[i], NULL);
	*stopped = stopped_by != 0;
	return why;
}

/* ---- why a run failed */

int
cr_perf_complain_start(const char *program, int why)
{
	struct cr_text t = {0};

	if (why == ENOENT && strcmp(program, "perf") == 0)
		cr_text_puts(&t, "not found; it is in the package linux-perf (Debian), "
				 "linux-tools-generic (Ubuntu) or perf (Fedora, Arch)");
	else
		cr_text_printf(&t, "cannot be started: %s", strerror(why));
	cr_options_complain(program, t.p);
	cr_text_fini(&t);
	return EXIT_INPUT;
}

/* Print the last lines, each indented, without the summary of all options that perf may add. */
static void
print_end(const struct cr_text *text)
{
	const char *usage = strstr(text->p, "\n Usage:");
	struct cr_str s = cr_text_view(text);
	struct cr_text safe = {0};
	size_t from, lines = 0;

	if (usage)
		s = cr_str_to(s, usage);
	while (s.len && s.p[s.len - 1] == '\n')
		s.len--;
	for (from = s.len; from > 0; from--)
		if (s.p[from - 1] == '\n' && ++lines == SHOWN_LINES)
			break;
	for (s = cr_str_from(s, s.p + from); s.len;) {
		const char *end = memchr(s.p, '\n', s.len);
		const struct cr_str line = end ? cr_str_to(s, end) : s;

		cr_text_clear(&safe);
		cr_text_safe(&safe, line);
		fprintf(stderr, "  %s\n", safe.p ? safe.p : "");
		s = cr_str_from(s, end ? end + 1 : s.p + s.len);
	}
	cr_text_fini(&safe);
}

static int
paranoid_level(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
	int level = 0;

	if (f && fscanf(f, "%d", &level) != 1)
		level = 0;
	if (f)
		fclose(f);
	return level;
}

/* The exit code of perf record is that of the command, unless one of these. */
static const char *
why_it_ended(int code)
{
	switch (code) {
	case 129: return "perf record does not accept its options";
	case 255: return "perf record has failed, or there is no such command";
	default: return "the command has failed";
	}
}

static void
put_end(const char *command, int status, struct cr_text *out)
{
	const int code = WEXITSTATUS(status);

	if (WIFSIGNALED(status))
		cr_text_printf(out, "perf record was ended by signal %d", WTERMSIG(status));
	else
		cr_text_printf(out, "%s (exit code %d)",
			command || code == 129 ? why_it_ended(code) : "perf record has failed",
			code);
}

/* Append why the kernel does not allow it; false if it does. */
static bool
put_forbidden(const char *messages, int paranoid, struct cr_text *out)
{
	if (strstr(messages, "perf_event_paranoid")) {
		cr_text_printf(out,
			"the kernel does not let you record; as root, run sysctl "
			"kernel.perf_event_paranoid=%d (it is %d now)",
			paranoid, paranoid_level());
		return true;
	}
	if (strstr(messages, "No permissions")) {
		cr_text_puts(out, "the kernel lets only root record tracepoints");
		return true;
	}
	return false;
}

int
cr_perf_complain_run(const char *command, int status, const struct cr_text *messages, int paranoid,
	const char *advice)
{
	struct cr_text t = {0};

	if (put_forbidden(messages->p, paranoid, &t)) {
		cr_text_puts(&t, advice);
		cr_options_complain("perf", t.p);
	} else {
		put_end(command, status, &t);
		cr_options_complain(command ? command : "perf", t.p);
		print_end(messages);
	}
	cr_text_fini(&t);
	return EXIT_INPUT;
}
