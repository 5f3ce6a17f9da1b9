#ifndef CR_SESSION_VIEWS_VIEW_FUNCTIONS_P_H
#define CR_SESSION_VIEWS_VIEW_FUNCTIONS_P_H

#include "session/views/view.h"

#include "view/sheet/function_sheet.h"

/* The table of functions: what each costs in the zoomed part of the tree. */
extern const struct cr_view_ops cr_view_functions;

struct cr_functions {
	struct cr_table table;
	struct cr_function_sheet sheet;
	/* By row of the table: 1 if one of its frames matches the search; may be NULL. */
	uint8_t *row_hit;
	bool matches; /* only rows that match the search are shown, if there is one */
	bool made;
	struct cr_sheet_surface surface;
};

/* Its rows, up to date; valid until the next command. */
const struct cr_functions *cr_view_functions_rows(struct cr_session *s);

#endif
