#ifndef CR_SESSION_ARGUMENT_P_H
#define CR_SESSION_ARGUMENT_P_H

#include "session/state_p.h"

/* Words of a command line. What is wrong with one is CR_EUSAGE, what is not there CR_ENOTFOUND. */

/* The error for a word that is none of those wanted: "no view 'x': one of flame, functions". */
int cr_argument_bad(struct cr_err *err, const char *what, const char *given, const char *wanted);

/* A number from `from` to `to`; *rest gets what follows it, which is a blank or nothing. */
int cr_argument_number(
	const char *text, long from, long to, long *out, const char **rest, struct cr_err *err);

/* A node by its number, or the widest one that bears the name: under the zoom, else anywhere. */
int cr_argument_node(
	const struct cr_session *s, const char *text, uint32_t *out, struct cr_err *err);

#endif
