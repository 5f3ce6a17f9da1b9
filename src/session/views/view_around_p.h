#ifndef CR_SESSION_VIEWS_VIEW_AROUND_P_H
#define CR_SESSION_VIEWS_VIEW_AROUND_P_H

#include "session/views/view.h"

/* Callers and callees of the selected function. */
extern const struct cr_view_ops cr_view_around;

#endif
