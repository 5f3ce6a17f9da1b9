#ifndef CR_SESSION_CHANGES_P_H
#define CR_SESSION_CHANGES_P_H

#include "query/diff/evidence.h"
#include "session/state_p.h"
#include "view/sheet/change_cells.h"
#include "view/style/change.h"

/*
 * What has changed in a difference, and how that is shown. Computed when a view needs it, and kept
 * until the tree changes. All functions but _new() and _free() are for sessions with two sides,
 * unless they say otherwise.
 */
struct cr_changes;

struct cr_changes *cr_changes_new(void);
void cr_changes_free(struct cr_changes *c); /* NULL is allowed */

/* Discard what was computed, because the tree has changed. Also for one side. */
void cr_changes_drop(struct cr_session *s);

/*
 * The tree is another one: let its shares refer to what the session compares costs as. Does nothing
 * for shares of the whole, and for one side. If it is not possible, say so in the message.
 */
void cr_changes_normalise(struct cr_session *s);

/* Fail if the tree could not be normalised, with the reason. */
int cr_changes_check_norm(struct cr_session *s, struct cr_err *err);

/*
 * The verdicts about the functions of the tree, by row of *table, which is cr_table_make() of the
 * whole tree by function. Both are borrowed until the tree changes. NULL if nothing could be
 * tested, or if the work was cancelled; *table is set all the same.
 */
const struct cr_judged *cr_changes_judged(struct cr_session *s, const struct cr_table **table);

/*
 * How the changes of the tree look with the present options; _of_totals: of total cost, whatever
 * the options are. Borrows what the session owns.
 */
struct cr_change_look cr_changes_look(struct cr_session *s);
struct cr_change_look cr_changes_look_of_totals(struct cr_session *s);

/*
 * The verdict about the function of a frame of the tree, about its self or total cost; NULL if
 * nothing was tested.
 */
const struct cr_verdict *cr_changes_verdict(struct cr_session *s, uint32_t frame, bool totals);

/*
 * What lines of a tree show, with a look of the tree, or of one that was derived from it and has
 * its wholes: the columns of a node; whether its function is not known to have changed, so that it
 * is grey.
 */
struct cr_change_cells cr_changes_cells(
	struct cr_session *s, const struct cr_change_look *look, uint32_t node);
bool cr_changes_is_noise(const struct cr_change_look *look, uint32_t node);

/*
 * Append line 0 or 1 about a node, as fields three blanks apart: its name and where it is; the
 * verdict about its function. False, and nothing, if nothing was
 * tested. Also for one side.
 */
bool cr_changes_put_place(struct cr_session *s, const struct cr_tree *t, uint32_t node, int line,
	bool unicode, struct cr_text *out);

/* By frame: not 0 if its function is not known to have changed; NULL if nothing was tested. */
const uint8_t *cr_changes_noise(struct cr_session *s);

/* By node: its width in a flame graph with the present options; NULL: its extent. */
const uint64_t *cr_changes_widths(struct cr_session *s);

/*
 * By node: not 0 if it or a node below it has changed, with CR_SHOWN_ONLY; otherwise NULL: all
 * nodes are shown.
 */
const uint8_t *cr_changes_kept(struct cr_session *s);

/*
 * Select the next or previous function in the order of the size of the change: its node with the
 * largest change within the zoom. Only functions that are known to have changed count, if there are
 * any. *of is set to their number, *place to the rank of the selected one, from 1. Returns false if
 * nothing has changed.
 */
bool cr_changes_select_next(struct cr_session *s, bool backward, uint32_t *place, uint32_t *of);

/* As cr_session_unjudged() and cr_session_judge(). Also for one side. */
bool cr_changes_wait(const struct cr_session *s);
void cr_changes_judge(struct cr_session *s);

/* Set the options, except for `swapped`, and let the views show that. */
void cr_changes_set(struct cr_session *s, struct cr_change_opts opts);

/* Exchange before and after. The caller must set the query for the other event at once. */
void cr_changes_swap_sides(struct cr_session *s);

#endif
