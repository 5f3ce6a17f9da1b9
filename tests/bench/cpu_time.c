/*
 * cpu_time COMMAND...: what a command costs, with all that it started, also what it did not wait
 * for (perf leaves the addr2line that it asked behind). Prints to descriptor 3 seconds of wall, of
 * user and of system time, and the most KiB of memory that one of them had; the exit code is the
 * command's.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <errno.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
main(int argc, char **argv)
{
	const double start = now();
	struct rusage used;
	double wall = 0;
	int code = 126, status;
	pid_t first, pid;

	if (argc < 2)
		return 2;
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); /* orphans become ours */
	first = fork();
	if (first == 0) {
		close(3);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	while (first > 0 && ((pid = wait(&status)) > 0 || errno == EINTR)) {
		if (pid != first)
			continue;
		code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		wall = now() - start;
	}
	getrusage(RUSAGE_CHILDREN, &used);
	dprintf(3, "%.4f %.4f %.4f %ld\n", wall, seconds(used.ru_utime), seconds(used.ru_stime),
		used.ru_maxrss);
	return code;
}
