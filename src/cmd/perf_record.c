#include "perf_record_p.h"

#include "exit_code_p.h"
#include "options_p.h"

#include "base/mem.h"
#include "base/temp.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHOWN_LINES 6     /* of what a failed run has printed */
#define SHOWN_BYTES 4096u /* at its end, in which these lines are looked for */

extern char **environ;

/* ---- child processes */

/*
 * Run a program of PATH and wait for it. Its standard error is appended to the file `messages`.
 * Returns 0 and its wait status, or an errno if it could not be started.
 */
static int
run(const char *const *argv, int messages, int *status)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t reset;
	pid_t pid;
	int why;

	sigemptyset(&reset);
	sigaddset(&reset, SIGXFSZ); /* cmd.c ignores it */
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &reset);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
	why = posix_spawnp(
		&pid, argv[0], &files, &attributes, (char *const *)(uintptr_t)argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	while (why == 0 && waitpid(pid, status, 0) < 0)
		if (errno != EINTR)
			why = errno;
	return why;
}

/* The end of a file as text, at most SHOWN_BYTES. */
static void
read_end(int fd, struct cr_text *out)
{
	char bytes[SHOWN_BYTES];
	const off_t size = lseek(fd, 0, SEEK_END);
	const off_t from = size > (off_t)sizeof(bytes) ? size - (off_t)sizeof(bytes) : 0;
	const ssize_t n = pread(fd, bytes, sizeof(bytes), from);

	cr_text_puts(out, "");
	if (n > 0)
		cr_text_put(out, bytes, (size_t)n);
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

/* ---- what goes wrong */

static int
complain_start(int why)
{
	struct cr_text t = {0};

	if (why == ENOENT)
		cr_text_puts(&t, "not found; it is in the package linux-perf (Debian), "
				 "linux-tools-generic (Ubuntu) or perf (Fedora, Arch)");
	else
		cr_text_printf(&t, "cannot be started: %s", strerror(why));
	cr_options_complain("perf", t.p);
	cr_text_fini(&t);
	return EXIT_INPUT;
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

/* Why a run failed: the kernel forbids it, or the command or perf itself. */
static void
complain_run(const char *command, int status, const struct cr_text *messages)
{
	struct cr_text t = {0};

	if (strstr(messages->p, "perf_event_paranoid")) {
		cr_text_printf(&t,
			"the kernel does not let you record; as root, run sysctl "
			"kernel.perf_event_paranoid=2 (it is %d now)",
			paranoid_level());
		cr_options_complain("perf", t.p);
	} else {
		if (WIFSIGNALED(status))
			cr_text_printf(&t, "perf record was ended by signal %d", WTERMSIG(status));
		else
			cr_text_printf(&t, "%s (exit code %d)", why_it_ended(WEXITSTATUS(status)),
				WEXITSTATUS(status));
		cr_options_complain(command, t.p);
	}
	print_end(messages);
	cr_text_fini(&t);
}

/* ---- */

/* Is a line of perf stat -x a count of cycles? "<not supported>,,cycles,0,100.00" is none. */
static bool
counts_cycles(const char *text)
{
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *name = strstr(line, "cycles");

		if (name && name < line + strcspn(line, "\n") && strtoull(line, NULL, 10) > 0)
			return true;
	}
	return false;
}

int
cr_perf_choose(struct cr_perf_opts *p)
{
	const char *const argv[] = {"perf", "stat", "-x,", "-e", "cycles", "--", "true", NULL};
	struct cr_text counts = {0};
	int status = 0, messages, why;

	if (p->event)
		return EXIT_DONE;
	messages = cr_temp_file();
	why = messages < 0 ? errno : run(argv, messages, &status);
	read_end(messages, &counts);
	p->event = counts_cycles(counts.p) ? "cycles" : "cpu-clock";
	cr_text_fini(&counts);
	if (messages >= 0)
		close(messages);
	return why ? complain_start(why) : EXIT_DONE;
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int
cr_perf_record(
	const struct cr_perf_opts *p, const char *const *command, const char *path, double *seconds)
{
	const char *const options[] = {"perf", "record", "-q", "-N", "-e", p->event, "-F",
		p->frequency ? p->frequency : "999", "--call-graph",
		p->call_graph ? p->call_graph : "fp", "-o", path, "--"};
	const char **argv;
	size_t words = 0;
	struct cr_text text = {0};
	int status = 0, messages = cr_temp_file(), why;

	while (command[words])
		words++;
	argv = cr_alloc(CR_LEN(options) + words + 1, sizeof(*argv));
	memcpy(argv, options, sizeof(options));
	memcpy(argv + CR_LEN(options), command, words * sizeof(*argv));
	*seconds = now();
	why = messages < 0 ? errno : run(argv, messages, &status);
	*seconds = now() - *seconds;
	free(argv);
	read_end(messages, &text);
	if (messages >= 0)
		close(messages);
	if (why)
		complain_start(why);
	else if (status)
		complain_run(command[0], status, &text);
	cr_text_fini(&text);
	return why || status ? EXIT_INPUT : EXIT_DONE;
}
