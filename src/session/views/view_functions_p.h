#ifndef CR_SESSION_VIEWS_VIEW_FUNCTIONS_P_H
#define CR_SESSION_VIEWS_VIEW_FUNCTIONS_P_H

#include "session/views/rows/function_rows_p.h"

/* The table of functions: what each costs in the zoomed part of the tree. */
extern const struct cr_view_ops cr_view_functions;

/* Its rows, up to date; valid until the next command. */
const struct cr_functions *cr_view_functions_rows(struct cr_session *s);

#endif
