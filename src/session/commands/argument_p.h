#ifndef CR_SESSION_ARGUMENT_P_H
#define CR_SESSION_ARGUMENT_P_H

#include "session/state_p.h"

/* Parsing words of a command line. An invalid one is CR_EUSAGE, a missing object CR_ENOTFOUND. */

/* Fail with "no view 'x': one of flame, functions": the word is none of those wanted. */
int cr_argument_bad(struct cr_err *err, const char *what, const char *given, const char *wanted);

/* Parse a number in [from, to]; *rest is what follows it, a blank or the end. */
int cr_argument_number(
	const char *text, long from, long to, long *out, const char **rest, struct cr_err *err);

/*
 * Parse the number of a node, or the name of a function: the widest node with it, below the zoom if
 * possible.
 */
int cr_argument_node(
	const struct cr_session *s, const char *text, uint32_t *out, struct cr_err *err);

#endif
