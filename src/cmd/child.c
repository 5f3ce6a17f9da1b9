#include "child_p.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int
cr_child_run(
	const struct cr_options *given, const char *cmd, const char *const *args, int n, int out)
{
	struct cr_options o = *given;
	int status = 0;
	pid_t pid;

	o.cmd = cr_cmd_find(cmd);
	o.args = (const char **)(uintptr_t)args;
	o.n_args = n;
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		if (dup2(out, STDOUT_FILENO) < 0)
			_exit(EXIT_INPUT);
		status = cr_cmd_run(&o);
		fflush(NULL);
		_exit(status);
	}
	if (pid < 0) {
		cr_options_complain(cmd, strerror(errno));
		return EXIT_INPUT;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_INPUT;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_INPUT;
}

int
cr_child_run_silently(
	const struct cr_options *given, const char *cmd, const char *const *args, int n)
{
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	const int code = cr_child_run(given, cmd, args, n, null);

	if (null >= 0)
		close(null);
	return code;
}
