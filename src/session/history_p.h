#ifndef CR_SESSION_HISTORY_P_H
#define CR_SESSION_HISTORY_P_H

#include "session/state_p.h"

/* What undo brings back. */
struct cr_place {
	uint32_t event, zoom, n_trail;
	struct cr_selection selection;
	struct cr_query query;
	uint32_t *trail;
	char *pattern;
	bool literal, root_up;
	uint32_t view;
	struct cr_split split;
	enum cr_palette palette;
	char **own; /* what each view wants back; NULL past the last */
};

struct cr_history *cr_history_new(const struct cr_session *s);
void cr_history_free(struct cr_history *h);

/*
 * Called after each command: when the session is not where it was, that is a step. Moves of the
 * selection right after each other are one step, and so are changes of the size of the panes, so
 * that undo goes back over what one did, not over every press of an arrow key.
 */
void cr_history_note(struct cr_history *h, const struct cr_session *s);

/* Where the last noted command left the session. */
const struct cr_place *cr_history_here(const struct cr_history *h);

/*
 * The place to go to, by one step back or forward; NULL at the end. Once there, say so with
 * _moved.
 */
const struct cr_place *cr_history_peek(const struct cr_history *h, bool forward);
void cr_history_moved(struct cr_history *h, bool forward);

#endif
