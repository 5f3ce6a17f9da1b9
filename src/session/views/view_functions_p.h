#ifndef CR_SESSION_VIEWS_VIEW_FUNCTIONS_P_H
#define CR_SESSION_VIEWS_VIEW_FUNCTIONS_P_H

#include "session/views/view.h"

#include "view/sheet/function_sheet.h"
#include "view/sheet/verdict_sheet.h"

/* The table of functions: what each costs in the zoomed part of the tree. */
extern const struct cr_view_ops cr_view_functions;

struct cr_functions {
	struct cr_table table;
	/* The tree and the zoom that the table is of; tree 0 for none. */
	uint64_t tree;
	uint32_t zoom;
	struct {
		struct cr_table table;
		uint64_t tree;
		uint32_t zoom;
	} before;                         /* the table shown before, as undo often needs it again */
	struct cr_function_sheet sheet;   /* its order and direction are those of both sheets */
	bool borrows_table;               /* the table is that of the verdicts */
	const struct cr_judged *judged;   /* of a difference, borrowed; NULL: nothing is judged */
	struct cr_verdict_sheet verdicts; /* shown instead if something is judged */
	/* By row of the table: 1 if one of its frames matches the search; may be NULL. */
	uint8_t *row_hit;
	bool is_kept; /* the rows shown are those that `matches` asks for */
	bool matches; /* only rows that match the search are shown, if there is one */
	bool made;
	bool colors_noise; /* rows whose change may be noise have its colour, too */
	struct cr_sheet_surface surface;
};

/* Its rows, up to date; valid until the next command. */
const struct cr_functions *cr_view_functions_rows(struct cr_session *s);

#endif
