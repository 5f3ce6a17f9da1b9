#ifndef CR_SESSION_VIEWS_VIEW_SAMPLES_P_H
#define CR_SESSION_VIEWS_VIEW_SAMPLES_P_H

#include "session/state_p.h"

/*
 * For views that are made from the samples: of a difference from those of the second profile.
 */
struct cr_profile *cr_view_profile(const struct cr_session *s);

/* The session's query with the event that is shown. cr_query_fini() it. */
int cr_view_query(const struct cr_session *s, struct cr_query *out, struct cr_err *err);

/* Read what is needed, bits as of cr_filter_needs(), of a stored profile. Fails as reading does. */
int cr_view_fetch(const struct cr_session *s, unsigned needs, struct cr_err *err);

#endif
