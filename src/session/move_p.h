#ifndef CR_SESSION_MOVE_P_H
#define CR_SESSION_MOVE_P_H

#include "session/session.h"

/* Where to, as seen on the screen. */
enum cr_move {
	CR_MOVE_UP,
	CR_MOVE_DOWN,
	CR_MOVE_LEFT,
	CR_MOVE_RIGHT,
	CR_MOVE_PAGE_UP,
	CR_MOVE_PAGE_DOWN,
	CR_MOVE_FIRST,
	CR_MOVE_LAST,
	CR_MOVE_TOP,
	CR_MOVE_BOTTOM,
};

/* Move the selection of the current view. At the border it stays. */
void cr_move(struct cr_session *s, enum cr_move to);

/*
 * Select the next match, or the previous one: a matching node of the zoomed flame graph, or a
 * matching row of the table. Wraps around at the end. False when nothing that is shown matches.
 */
bool cr_move_match(struct cr_session *s, bool backward);

#endif
