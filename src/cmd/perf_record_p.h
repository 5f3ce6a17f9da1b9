#ifndef CR_CMD_PERF_RECORD_P_H
#define CR_CMD_PERF_RECORD_P_H

#include "option_values_p.h"

/* Records commands by starting perf record, which is found in PATH. */

/* Samples a second, as a number or the word max. */
const char *cr_perf_frequency(const struct cr_perf_opts *p);

/*
 * Choose the event if none is given: cycles if this machine counts them, otherwise cpu-clock, or
 * task-clock if there is only that. Returns EXIT_DONE, or EXIT_INPUT after reporting that perf
 * cannot be started.
 */
int cr_perf_choose(struct cr_perf_opts *p);

/*
 * Record one run of a command, a NULL-terminated list of words, into the file at path. The command
 * reads and writes /dev/null; of what it and perf print to standard error, the last lines are shown
 * if the run fails. *seconds gets how long it took.
 *
 * Returns EXIT_DONE, or EXIT_INPUT after reporting why perf could not record, or that the command
 * ended with an error.
 */
int cr_perf_record(const struct cr_perf_opts *p, const char *const *command, const char *path,
	double *seconds);

#endif
