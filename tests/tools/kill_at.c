/*
 * Runs a command and kills it, with SIGKILL, at a given moment.
 *
 *	kill_at -c N -- COMMAND [ARGUMENT...]     before its Nth system call, of all its threads
 *	                                          together
 *	kill_at -t N -- COMMAND [ARGUMENT...]     the same with SIGTERM, of which it dies or not
 *	kill_at -u N -- COMMAND [ARGUMENT...]     N microseconds after it began
 *	kill_at -w N -- COMMAND [ARGUMENT...]     never
 *
 * Exit code 0 when it was killed, 2 when SIGTERM ended it in another way, 1 when it had ended by
 * itself; then -c and -t say on standard output how many calls there were. 77 when a process cannot
 * be traced here.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t
start(char **argv, int traced)
{
	const pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (traced && ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
		_exit(77);
	if (traced)
		raise(SIGSTOP);
	execvp(argv[0], argv);
	_exit(127);
}

/* All threads of it die; those that are traced have to be waited for. */
static int
end(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	while (waitpid(-1, &status, __WALL) > 0 || errno == EINTR)
		continue;
	return 0;
}

/* What a stop has to hand on: a signal of the process itself, nothing of the tracing. */
static int
signal_of(int status)
{
	const int sig = WSTOPSIG(status) & ~0x80;

	return sig == SIGTRAP || sig == SIGSTOP ? 0 : sig;
}

/* A process in exit_group(2) has ended by itself: no signal reaches it any more. */
static int
is_leaving(pid_t who)
{
	struct __ptrace_syscall_info info;

	return ptrace(PTRACE_GET_SYSCALL_INFO, who, sizeof(info), &info) > 0 &&
	       info.op == PTRACE_SYSCALL_INFO_ENTRY && info.entry.nr == SYS_exit_group;
}

/* Send it to the process; then it runs untraced. */
static int
end_by(pid_t pid, pid_t stopped, int sig)
{
	int status, was = 0;
	pid_t who;

	kill(pid, sig);
	ptrace(PTRACE_CONT, stopped, NULL, NULL);
	while ((who = waitpid(-1, &status, __WALL)) > 0) {
		if (who == pid && !WIFSTOPPED(status))
			was = status;
		else if (WIFSTOPPED(status))
			ptrace(PTRACE_CONT, who, NULL, (void *)(long)signal_of(status));
	}
	return WIFSIGNALED(was) && WTERMSIG(was) == sig ? 0 : 2;
}

/* Each call stops its thread twice, on the way in and on the way out. */
static int
kill_at_call(char **argv, unsigned long n, int by)
{
	const pid_t pid = start(argv, 1);
	unsigned long stops = 0;
	int status;
	pid_t who;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return 77;
	if (ptrace(PTRACE_SETOPTIONS, pid, NULL,
		    (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL)) <
			0 ||
		ptrace(PTRACE_SYSCALL, pid, NULL, NULL) < 0)
		return 77;
	while ((who = waitpid(-1, &status, __WALL)) > 0) {
		if (!WIFSTOPPED(status)) {
			if (who == pid)
				break;
			continue;
		}
		if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
			if (stops++ / 2 + 1 >= n && (by == SIGKILL || !is_leaving(who)))
				return by == SIGKILL ? end(pid) : end_by(pid, who, by);
		}
		ptrace(PTRACE_SYSCALL, who, NULL, (void *)(long)signal_of(status));
	}
	printf("%lu\n", stops / 2);
	return 1;
}

static int
kill_after(char **argv, unsigned long us)
{
	const struct timespec wait = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};
	const pid_t pid = start(argv, 0);
	int status;

	nanosleep(&wait, NULL);
	if (waitpid(pid, &status, WNOHANG) == pid)
		return 1;
	return end(pid);
}

int
main(int argc, char **argv)
{
	const unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;

	if (argc < 5 || strcmp(argv[3], "--") != 0) {
		fprintf(stderr, "usage: kill_at -c N|-t N|-u N -- COMMAND...\n");
		return 2;
	}
	if (strcmp(argv[1], "-w") == 0)
		return execvp(argv[4], argv + 4);
	if (strcmp(argv[1], "-u") == 0)
		return kill_after(argv + 4, n);
	return kill_at_call(argv + 4, n, strcmp(argv[1], "-t") == 0 ? SIGTERM : SIGKILL);
}
