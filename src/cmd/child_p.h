#ifndef CR_CMD_CHILD_P_H
#define CR_CMD_CHILD_P_H

#include "options_p.h"

/*
 * Run a subcommand in a child process, with its standard output to descriptor out. A process that
 * starts other programs has no sandbox, so whatever reads an input runs in a child that confines
 * itself. given: its options; args: its n arguments. Returns its exit code, or EXIT_INPUT if it was
 * ended by a signal.
 */
int cr_child_run(
	const struct cr_options *given, const char *cmd, const char *const *args, int n, int out);

/* The same with the standard output discarded. */
int cr_child_run_silently(
	const struct cr_options *given, const char *cmd, const char *const *args, int n);

#endif
