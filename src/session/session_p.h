#ifndef CR_SESSION_SESSION_P_H
#define CR_SESSION_SESSION_P_H

#include "session/selection_set_p.h"
#include "session/session.h"
#include "session/state_p.h"

struct cr_place;

/*
 * Changes of the state, from which commands are made. Each leaves the state consistent: the
 * selection is in the tree, and the trail is above the zoom. If one fails, nothing has changed.
 */

/*
 * Set event and query, and so the tree. Zoom, trail and selection move to the same stacks in it.
 * CR_EEMPTY if the query leaves no samples.
 */
int cr_session_set_query(
	struct cr_session *s, uint32_t event, const struct cr_query *q, struct cr_err *err);

/*
 * If the tree is a sketch, replace it by the complete one. The numbers of its nodes change. The
 * same state is shown, so this is no step of undo.
 */
int cr_session_complete(struct cr_session *s, struct cr_err *err);

/*
 * If the tree is a sketch of very many stacks, and the selected node is closed, open it. The
 * numbers of nodes change. The same state is shown, so this is no step of undo.
 */
int cr_session_open_selected(struct cr_session *s, struct cr_err *err);

/*
 * Show *node over the full width. cr_session_zoom_out() returns to the previous zoom, if that
 * contains it. In a sketch the group of the node is completed, which may fail, and *node gets the
 * number that it has then.
 */
int cr_session_set_zoom(struct cr_session *s, uint32_t *node, struct cr_err *err);
void cr_session_zoom_out(struct cr_session *s);

/* Pattern NULL or "" ends the search. */
int cr_session_set_search(
	struct cr_session *s, const char *pattern, bool literal, struct cr_err *err);

/* Search for exactly the name of a frame. CR_EUSAGE for a name with a NUL. */
int cr_session_search_frame(struct cr_session *s, uint32_t frame, struct cr_err *err);

/* The event of a side that is shown: its row in the side's events, UINT32_MAX if it has none. */
cr_event_id cr_session_event_of(const struct cr_session *s, uint32_t side);

/*
 * A session that compares the time [from_ns, to_ns) of a profile, marked in the session `of`, with
 * the rest of its time, for the same query and event. It shares the profile. CR_EEMPTY if one of
 * them has no samples.
 */
int cr_session_new_by_time(const struct cr_session *of, uint64_t from_ns, uint64_t to_ns,
	struct cr_session **out, struct cr_err *err);

/* Make v the current view, in the pane with the focus or in the pane that shows it already. */
void cr_session_set_view(struct cr_session *s, const struct cr_view *v);
/* Restore a state of the history. */
int cr_session_go(struct cr_session *s, const struct cr_place *to, struct cr_err *err);

/* Undo starts from here. */
void cr_session_restart_history(struct cr_session *s);

#endif
