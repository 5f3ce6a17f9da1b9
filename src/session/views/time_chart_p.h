#ifndef CR_SESSION_VIEWS_TIME_CHART_P_H
#define CR_SESSION_VIEWS_TIME_CHART_P_H

#include "session/views/view.h"

/* The surface of the time view: its timeline drawn as charts, and what clicks and drags do. */
const void *cr_time_chart_surface(struct cr_view *v, struct cr_session *s);

#endif
