#ifndef CR_SESSION_VIEWS_VIEW_SAMPLES_P_H
#define CR_SESSION_VIEWS_VIEW_SAMPLES_P_H

#include "session/state_p.h"

/*
 * For views that are made from the samples: of a difference from those of the second profile.
 */
struct cr_profile *cr_view_profile(const struct cr_session *s);

/* The session's query with the event that is shown. cr_query_fini() it. */
int cr_view_query(const struct cr_session *s, struct cr_query *out, struct cr_err *err);

/* True if the samples of both sides can be compared: of two profiles, or of two times of one. */
bool cr_view_has_sides(const struct cr_session *s);

/*
 * A view that keeps rows of samples keeps in *made_of a text that describes what they were computed
 * from: query, event and profiles. Return true if that is still the session's state, as after undo.
 * Otherwise return false and replace *made_of, which may be NULL, by a text for the present state:
 * the caller computes its rows again, and frees *made_of at the end.
 */
bool cr_view_is_made_of(const struct cr_session *s, char **made_of);

/*
 * Sums of the samples that views are made from, for a query; they are made once. NULL if the query
 * needs the samples themselves. Borrowed until the profiles change.
 */
const struct cr_slices *cr_view_slices(struct cr_session *s, const struct cr_query *q);

/*
 * The data quality of the profile for one of its events; it is made once. NULL if the samples
 * cannot be read or the work (base/work.h) is cancelled. Borrowed until it is called for another
 * event, or the profiles change.
 */
const struct cr_health *cr_view_health(struct cr_session *s, cr_event_id event, struct cr_err *err);

/*
 * The costs by node of the samples that q selects, which are made once for each event. NULL if q
 * selects samples by more than their event, or the work is cancelled. The samples must have been
 * read. Borrowed until it is called for another event, or the profiles change.
 */
const struct cr_node_costs *cr_view_node_costs(struct cr_session *s, const struct cr_query *q);

/* Free what cr_view_slices(), cr_view_health() and cr_view_node_costs() have made. */
void cr_view_drop_samples(struct cr_session *s);

/*
 * Read what is needed, bits as of cr_filter_needs(), of a stored profile; _of: of that of a side.
 * Fails as reading does.
 */
int cr_view_fetch(const struct cr_session *s, unsigned needs, struct cr_err *err);
int cr_view_fetch_of(const struct cr_session *s, uint32_t side, unsigned needs, struct cr_err *err);

#endif
