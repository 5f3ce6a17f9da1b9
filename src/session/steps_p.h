#ifndef CR_SESSION_STEPS_P_H
#define CR_SESSION_STEPS_P_H

#include "session/session.h"

/*
 * The query of a session, step by step; each change makes a new tree. CR_EEMPTY if no samples would
 * be left.
 */

/*
 * Append a step. A step that selects samples takes the place of earlier steps with its word; for
 * `where`, of those with its field. A transform that needs a pattern or a name, given "", uses that
 * of the selected function. `recursion` without argument cycles through none, direct and all.
 * Inverting an inverted tree removes that step. The message says that nothing has changed, or, on a
 * screen, how much is left.
 */
int cr_steps_add(struct cr_session *s, enum cr_word word, const char *args, struct cr_err *err);

/*
 * Append a step that selects samples, as text, "comm nginx", and keep the earlier steps with its
 * word: samples that match any of them are selected. CR_EUSAGE for other words.
 */
int cr_steps_also(struct cr_session *s, const char *step, struct cr_err *err);

/* Keep only the first n steps. */
int cr_steps_keep(struct cr_session *s, size_t n, struct cr_err *err);

/*
 * Select only the samples of one selected part: CR_SELECTED_TIME, _THREAD or _DSO. CR_EUSAGE if the
 * part is not selected or cannot be written as a step.
 */
int cr_steps_only(struct cr_session *s, unsigned part, struct cr_err *err);

/* Remove all steps of a word. Does nothing but report it if there are none. */
int cr_steps_remove(struct cr_session *s, enum cr_word word, struct cr_err *err);

/* Append the event and all steps, as a text that options and commands accept. */
void cr_steps_print(const struct cr_session *s, struct cr_text *out);

#endif
