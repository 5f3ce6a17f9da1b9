#ifndef CR_SESSION_SELECTION_SET_P_H
#define CR_SESSION_SELECTION_SET_P_H

#include "session/state_p.h"
#include "view/sheet/sheet.h"

struct cr_view;

/*
 * The only functions that change s->selection. Each informs the views of what changed. Parts that
 * are not mentioned keep their values: thread, time and profile are independent of each other and
 * of the node.
 */

/* Select a node of s->tree, and with it the function and the dso of its frame. */
void cr_session_select_node(struct cr_session *s, uint32_t node);

/*
 * Select the widest node of a function: within the zoom if the function occurs there. dso ""
 * matches any dso. Returns false, and changes nothing, if the tree has no such function.
 */
bool cr_session_select_function(struct cr_session *s, struct cr_str name, struct cr_str dso);

/*
 * Select a dso. If the selected node is not in it, the widest node of the dso is selected too, if
 * there is one.
 */
void cr_session_select_dso(struct cr_session *s, struct cr_str dso);

/* Select a line of a source file, counted from 1. The names are copied. */
void cr_session_select_line(struct cr_session *s, struct cr_str file, uint32_t line);

/* Select a thread by its numbers; -1 is an unknown pid. */
void cr_session_select_thread(struct cr_session *s, int32_t pid, int32_t tid);

/* Mark the time from from_ns to before to_ns, both in ns after the first sample. from < to. */
void cr_session_select_time(struct cr_session *s, uint64_t from_ns, uint64_t to_ns);

/* Select a stored profile by its name, which is copied. */
void cr_session_select_profile(struct cr_session *s, struct cr_str name);

/* Select what a row of a sheet refers to; does nothing if the row refers to nothing. */
void cr_session_select_row(struct cr_session *s, const struct cr_row_ref *row);

/* Unset parts: bits of enum cr_selected. Without a node the root is selected. */
void cr_session_unselect(struct cr_session *s, unsigned parts);

/* Restore an earlier selection of this session. Its node must be of s->tree. */
void cr_session_select_again(struct cr_session *s, const struct cr_selection *earlier);

/* True if both have the same parts with the same values. */
bool cr_selection_same(const struct cr_selection *a, const struct cr_selection *b);

/*
 * Of `root` and the nodes below it, the one with the largest cost for whose frame `match` returns
 * true; CR_NO_ROW if there is none. arg is passed to match.
 */
uint32_t cr_session_widest(const struct cr_session *s, uint32_t root,
	bool (*match)(const struct cr_session *s, uint32_t frame, uint32_t arg), uint32_t arg);

/*
 * _node_searched(): the widest node of the zoom whose function has the text of the search as its
 * name; CR_NO_ROW if there is none. _find_best(): select it, else the widest match; find_best() of
 * views of the tree.
 */
uint32_t cr_session_node_searched(const struct cr_session *s);
void cr_session_find_best(struct cr_view *v, struct cr_session *s);

/*
 * The names in all selections of a session. Free them with cr_selection_names_free() after the
 * history.
 */
struct cr_selection_names *cr_selection_names_new(void);
void cr_selection_names_free(struct cr_selection_names *names);

#endif
