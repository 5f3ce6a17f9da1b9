#ifndef CR_SESSION_HISTORY_P_H
#define CR_SESSION_HISTORY_P_H

#include "session/state_p.h"

/* A state that undo restores. */
struct cr_place {
	uint32_t event, zoom, n_trail;
	struct cr_selection selection;
	struct cr_query query;
	uint32_t *trail;
	struct cr_sketching sketching; /* of the tree whose nodes these are */
	char *pattern;
	bool literal, root_up;
	uint32_t view;
	struct cr_split split;
	enum cr_palette palette;
	struct cr_theme theme;
	struct cr_change_opts change;
	char **own; /* by view: its text from save(); NULL past the last */
};

/* A history with the present state of s as its first step. */
struct cr_history *cr_history_new(const struct cr_session *s);
void cr_history_free(struct cr_history *h);

/*
 * Call it after each command: a changed state is a new step. Consecutive moves of the selection
 * are one step, and so are changes of pane sizes. So one undo reverts a series of arrow keys.
 */
void cr_history_note(struct cr_history *h, const struct cr_session *s);

/* The present state is the one that was noted last, with other numbers of nodes. */
void cr_history_renumber(struct cr_history *h, const struct cr_session *s);

/* The state after the last noted command. */
const struct cr_place *cr_history_here(const struct cr_history *h);

/* The state one step back or forward; NULL at the end. Call _moved() after restoring it. */
const struct cr_place *cr_history_peek(const struct cr_history *h, bool forward);
void cr_history_moved(struct cr_history *h, bool forward);

#endif
