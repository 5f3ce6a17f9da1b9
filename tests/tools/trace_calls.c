/*
 * Runs a command and says what it did after it had confined itself.
 *
 *	trace_calls OUT COMMAND [ARGUMENT...]
 *
 * Each line of OUT is WHO WHAT [PATH]. WHO is "main", the process of the command with its threads,
 * or "child", any that it has started. WHAT is
 *
 *	confined          it has installed a filter of system calls; what follows came after that
 *	exec, socket      the system call was made, with whatever result
 *	read, write       a file was opened, PATH is where it is
 *	refused PATH      the system did not permit to open it; PATH is as it was given
 *
 * What is opened only to be looked at (O_PATH) is left out. The exit code is the command's; 77 when
 * a process cannot be traced here.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 4096

/* A thread that is traced. */
static struct tracee {
	pid_t pid;
	bool child, confined;
	unsigned long long nr, args[6]; /* of the call that it is in */
} tracees[MOST];

static FILE *out;

static struct tracee *
tracee(pid_t pid)
{
	for (int i = 0; i < MOST; i++)
		if (tracees[i].pid == pid || tracees[i].pid == 0) {
			tracees[i].pid = pid;
			return &tracees[i];
		}
	exit(1);
}

static void
say(const struct tracee *t, const char *what, const char *path)
{
	fprintf(out, "%s %s%s%s\n", t->child ? "child" : "main", what, path ? " " : "",
		path ? path : "");
}

/* The flags that it was opened with. */
static int
flags_of(pid_t pid, int fd)
{
	char path[64], line[128];
	int flags = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", (int)pid, fd);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "flags: %o", (unsigned *)&flags) == 1)
			break;
	if (f)
		fclose(f);
	return flags;
}

static void
say_opened(const struct tracee *t, int fd)
{
	const int flags = flags_of(t->pid, fd);
	char path[64], real[PATH_MAX];
	ssize_t n;

	if (flags & O_PATH)
		return;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)t->pid, fd);
	n = readlink(path, real, sizeof(real) - 1);
	real[n > 0 ? n : 0] = '\0';
	say(t, (flags & O_ACCMODE) == O_RDONLY ? "read" : "write", real);
}

static void
say_refused(const struct tracee *t, unsigned long long at)
{
	char path[PATH_MAX] = "";

	for (size_t i = 0; i + sizeof(long) <= sizeof(path) && strlen(path) >= i;
		i += sizeof(long)) {
		const long word = ptrace(PTRACE_PEEKDATA, t->pid, (void *)(at + i), NULL);

		memcpy(path + i, &word, sizeof(word));
	}
	path[sizeof(path) - 1] = '\0';
	say(t, "refused", path);
}

static void
opened(const struct tracee *t, long long rv, unsigned long long path)
{
	if (rv >= 0)
		say_opened(t, (int)rv);
	else if (rv == -EACCES || rv == -EPERM)
		say_refused(t, path);
}

static void
after(struct tracee *t, long long rv)
{
	if (t->nr == SYS_prctl && t->args[0] == PR_SET_SECCOMP && rv == 0) {
		t->confined = true;
		say(t, "confined", NULL);
	}
	if (!t->confined)
		return;
	if (t->nr == SYS_openat || t->nr == SYS_openat2)
		opened(t, rv, t->args[1]);
#ifdef SYS_open
	if (t->nr == SYS_open)
		opened(t, rv, t->args[0]);
#endif
	if (t->nr == SYS_execve || t->nr == SYS_execveat)
		say(t, "exec", NULL);
	if (t->nr == SYS_socket || t->nr == SYS_socketpair || t->nr == SYS_connect)
		say(t, "socket", NULL);
}

static void
on_call(struct tracee *t)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, t->pid, (void *)sizeof(info), &info) < 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY || info.op == PTRACE_SYSCALL_INFO_SECCOMP) {
		t->nr = info.entry.nr;
		memcpy(t->args, info.entry.args, sizeof(t->args));
	} else if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
		after(t, info.exit.rval);
	}
}

/* A thread is as confined as what started it; a process that is started before that is not. */
static void
on_start(const struct tracee *by, bool child)
{
	unsigned long pid = 0;
	struct tracee *t;

	if (ptrace(PTRACE_GETEVENTMSG, by->pid, NULL, &pid) < 0 || !pid)
		return;
	t = tracee((pid_t)pid);
	t->child = by->child || child;
	t->confined = by->confined;
}

static int
trace(pid_t first)
{
	int status, code = 1;
	pid_t who;

	if (waitpid(first, &status, 0) != first || !WIFSTOPPED(status))
		return 77;
	if (ptrace(PTRACE_SETOPTIONS, first, NULL,
		    (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
			     PTRACE_O_TRACEVFORK | PTRACE_O_EXITKILL)) < 0 ||
		ptrace(PTRACE_SYSCALL, first, NULL, NULL) < 0)
		return 77;
	tracee(first);
	while ((who = waitpid(-1, &status, __WALL)) > 0) {
		const int event = status >> 16;
		int sig = 0;

		if (!WIFSTOPPED(status)) {
			if (who == first)
				code = WIFEXITED(status) ? WEXITSTATUS(status)
							 : 128 + WTERMSIG(status);
			continue;
		}
		if (WSTOPSIG(status) == (SIGTRAP | 0x80))
			on_call(tracee(who));
		else if (event == PTRACE_EVENT_CLONE)
			on_start(tracee(who), false);
		else if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK)
			on_start(tracee(who), true);
		else if (WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGSTOP)
			sig = WSTOPSIG(status);
		ptrace(PTRACE_SYSCALL, who, NULL, (void *)(long)sig);
	}
	return code;
}

int
main(int argc, char **argv)
{
	int code;
	pid_t pid;

	if (argc < 3 || !(out = fopen(argv[1], "we"))) {
		fprintf(stderr, "usage: trace_calls OUT COMMAND...\n");
		return 2;
	}
	pid = fork();
	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(77);
		raise(SIGSTOP);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	code = pid < 0 ? 77 : trace(pid);
	return fclose(out) == 0 ? code : 1;
}
