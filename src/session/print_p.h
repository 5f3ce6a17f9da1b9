#ifndef CR_SESSION_PRINT_P_H
#define CR_SESSION_PRINT_P_H

#include "session/state_p.h"

/* Prints what a session shows as lines of text, for a pipe or a mail. Views print themselves. */
void cr_print_selected(struct cr_session *s, struct cr_text *out);

/*
 * Everything about a recording: the page of `cresset doctor`, all counts of missing data, and what
 * the recording says about itself. Reads all of a stored profile. title: its name for the user.
 * event: the event to examine; UINT32_MAX for a profile without events.
 */
void cr_print_profile(
	struct cr_profile *p, const char *title, cr_event_id event, struct cr_text *out);
/* The same of the open recording, or of both of a difference. */
void cr_print_recording(struct cr_session *s, struct cr_text *out);

/* "nginx  cycles:u  198 342 samples", and the zoomed function: the line above each view. */
void cr_print_heading(const struct cr_session *s, struct cr_text *out);

/* "total     12.30 %  1 234 samples", by side; shares refer to `whole`. */
void cr_print_cost(const struct cr_tree *t, struct cr_text *out, const char *key,
	const uint64_t weight[], const uint64_t samples[], const uint64_t whole[]);

/*
 * The cost of a function by caller: by frame of the tree, followed by the cost of stacks in which
 * nothing calls it.
 */
#define CR_CALLERS_OUTERMOST UINT32_MAX

struct cr_callers {
	const struct cr_session *s;
	uint64_t *weight[CR_SIDES];
};

/* No callers yet; weights are 0. cr_callers_put() frees the arrays. */
void cr_callers_init(const struct cr_session *s, struct cr_callers *c);
/* Add the weight of a node to a caller: a frame, or CR_CALLERS_OUTERMOST. */
void cr_callers_add(struct cr_callers *c, uint32_t frame, const uint64_t *const weight[CR_SIDES],
	uint32_t node);
/* "called by  60.00 %  main", the costliest first; shares are of `whole`. Frees what c holds. */
void cr_callers_put(struct cr_callers *c, const uint64_t whole[], struct cr_text *out);

#endif
