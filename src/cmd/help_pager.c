#include "help_pager_p.h"

#include "base/secure.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The user's pager as a command of the shell; NULL for none. */
static const char *
command(void)
{
	const char *pager = getenv("CRESSET_PAGER"), *term = getenv("TERM");

	if (!isatty(STDOUT_FILENO) || cr_secure() || !term || strcmp(term, "dumb") == 0)
		return NULL;
	if (!pager)
		pager = getenv("PAGER");
	if (!pager)
		pager = "less";
	return !*pager || strcmp(pager, "cat") == 0 ? NULL : pager;
}

/* In the child: run the pager with its standard input from descriptor `in`. */
static void
become(const char *pager, int in)
{
	if (dup2(in, STDIN_FILENO) < 0)
		_exit(127);
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	signal(SIGPIPE, SIG_DFL);
	execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
	_exit(127);
}

void
cr_pager_start(struct cr_pager *pager)
{
	const char *line = command();
	int ends[2];

	*pager = (struct cr_pager){.out = stdout};
	if (!line || pipe(ends) < 0)
		return;
	fflush(NULL);
	pager->pid = fork();
	if (pager->pid == 0) {
		close(ends[1]);
		become(line, ends[0]);
	}
	close(ends[0]);
	if (pager->pid > 0)
		pager->out = fdopen(ends[1], "w");
	else
		pager->pid = 0;
	if (pager->pid && pager->out) {
		signal(SIGPIPE, SIG_IGN); /* the user may leave the pager before the end */
		return;
	}
	close(ends[1]);
	pager->out = stdout;
}

void
cr_pager_stop(struct cr_pager *pager)
{
	int status;

	if (!pager->pid)
		return;
	if (pager->out != stdout)
		fclose(pager->out);
	while (waitpid(pager->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	*pager = (struct cr_pager){.out = stdout};
}
