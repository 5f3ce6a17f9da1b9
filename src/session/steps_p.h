#ifndef CR_SESSION_STEPS_P_H
#define CR_SESSION_STEPS_P_H

#include "session/session.h"

/*
 * The query of a session, step by step; each changes the tree. CR_EEMPTY when no samples would be
 * left.
 */

/*
 * One more. A transform that wants a pattern or a name and is given "" takes that of the selected
 * function; `recursion` alone goes from none to direct to all and back; what is inverted at last is
 * turned back.
 */
int cr_steps_add(struct cr_session *s, enum cr_word word, const char *args, struct cr_err *err);

/* Only the first n stay. */
int cr_steps_keep(struct cr_session *s, size_t n, struct cr_err *err);

/* The event and all steps, as a text that options and sessions take. */
void cr_steps_print(const struct cr_session *s, struct cr_text *out);

#endif
