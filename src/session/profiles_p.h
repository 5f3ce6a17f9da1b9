#ifndef CR_SESSION_PROFILES_P_H
#define CR_SESSION_PROFILES_P_H

#include "session/state_p.h"

/*
 * Open a profile, or two as a difference (after NULL for one), each a name of the store or a path,
 * in the place of what the session shows. That stays open, and cr_session_turn() comes back to it.
 * On failure nothing is changed; the message begins with the name.
 */
int cr_session_open(
	struct cr_session *s, const char *before, const char *after, struct cr_err *err);

/*
 * Show the difference between the marked time and the rest of the time that is selected, in the
 * same way. A time must be marked. CR_EUSAGE in a difference.
 */
int cr_session_compare_time(struct cr_session *s, struct cr_err *err);

/*
 * Show the profile again that was open before, with its zoom, query and history; forward: the one
 * that this leads back to. False when there is none.
 */
bool cr_session_turn(struct cr_session *s, bool forward);

#endif
