#ifndef CR_CMD_PERF_RUN_P_H
#define CR_CMD_PERF_RUN_P_H

#include "base/text.h"

/* Starts perf, which is found in PATH, and reports why it failed. */

/*
 * Run a program and wait for it. It reads and writes /dev/null; *messages gets the end of what it
 * prints to standard error, a few kB. Returns 0 and its wait status, or an errno if it cannot be
 * started.
 */
int cr_perf_run_quietly(const char *const *argv, int *status, struct cr_text *messages);

/*
 * Run a program with the standard streams of this one, and wait for it. Meanwhile Ctrl-C and
 * SIGTERM end that program, not this one; *stopped is set to true then. Returns as above.
 */
int cr_perf_run_here(const char *const *argv, int *status, bool *stopped);

/* Report that perf, or the program that should start it, cannot be started. Returns EXIT_INPUT. */
int cr_perf_complain_start(const char *program, int why);

/*
 * Report why a run failed: the kernel forbids it, or the command or perf itself failed. command:
 * NULL if it was perf, because the command cannot fail. paranoid: the value of
 * kernel.perf_event_paranoid that would allow this recording. advice: what else helps then, or "".
 * Returns EXIT_INPUT.
 */
int cr_perf_complain_run(const char *command, int status, const struct cr_text *messages,
	int paranoid, const char *advice);

#endif
