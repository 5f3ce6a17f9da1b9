#ifndef CR_SESSION_PRINT_P_H
#define CR_SESSION_PRINT_P_H

#include "session/session.h"

/* What a session shows, as lines of text for a pipe or a mail. */
void cr_print_flame(struct cr_session *s, struct cr_text *out);
void cr_print_functions(struct cr_session *s, struct cr_text *out);
void cr_print_selected(struct cr_session *s, struct cr_text *out);
void cr_print_recording(struct cr_session *s, struct cr_text *out); /* facts, and what is missing */

#endif
