#ifndef CR_SESSION_COPIED_P_H
#define CR_SESSION_COPIED_P_H

#include "session/session.h"

/* Maximum number of bytes copied: what xterm accepts in base64. */
#define CR_COPIED_BYTES 65536u

/*
 * Copy what a word names: the name, the stack, the address or the source line of the selected
 * frame, or a command line that shows this view again. Control characters become \xHH; a stack has
 * one line for each frame, the sampled one first. The text is left for the browser, see
 * cr_session_collect(); without one it is printed to out. CR_EUSAGE for other words, CR_ENOTFOUND
 * if the recording does not know it.
 */
int cr_copied_make(struct cr_session *s, const char *what, FILE *out, struct cr_err *err);

/*
 * Append commands that lead from the first screen of the profile to what is shown: event, query,
 * zoom, search, selection and view, but neither colours nor panes.
 */
void cr_copied_put_place(struct cr_session *s, struct cr_text *out);

#endif
