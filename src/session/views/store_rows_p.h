#ifndef CR_SESSION_VIEWS_STORE_ROWS_P_H
#define CR_SESSION_VIEWS_STORE_ROWS_P_H

#include "session/stored_list.h"
#include "session/views/view.h"
#include "view/sheet/sheet_lines.h"

/* The rows of the view of the store: the stored profiles, filtered and sorted, as a sheet. */

/* The profiles that the user picked, for a difference or to be merged. */
enum cr_store_pick { CR_STORE_BEFORE, CR_STORE_AFTER, CR_STORE_PICKS };

#define CR_STORE_ROW_COLUMNS 12u

/* The state of the view. All zero bytes is a view without rows yet. */
struct cr_store_rows {
	bool made;
	char *dir; /* NULL: no store can be read, and `why` is the reason */
	struct cr_stored_list list;
	uint32_t *shown; /* rows of the list that the filter leaves, v->n of them */
	const char *sort;
	bool reverse;
	char *match;                  /* the filter; NULL for none */
	char *picked[CR_STORE_PICKS]; /* names; NULL for none */
	struct cr_text why, empty;
	struct cr_sheet_column
		columns[CR_STORE_ROW_COLUMNS]; /* those where no profile has anything are hidden */
	struct cr_sheet sheet;
	struct cr_sheet_lines lines;
	struct cr_text *cell; /* of the cell that was asked for last */
	struct cr_sheet_surface surface;
	const struct cr_session *s; /* while the surface is in use */
};

/* Make the rows, if that is not done; v->n and v->row are right afterwards. */
void cr_store_rows_make(struct cr_view *v, struct cr_session *s);
void cr_store_rows_fini(struct cr_view *v);

/*
 * The store was changed: read it again, and select the profile of this name. NULL: stay at the
 * selected row.
 */
void cr_store_rows_again(struct cr_view *v, struct cr_session *s, const char *name);

/* The filter or the sort key was changed: put the rows that are shown in order. */
void cr_store_rows_order(struct cr_view *v);

/* Set v->row to the row of a name; if there is none or name is NULL, to the nearest row. */
void cr_store_rows_find(struct cr_view *v, const char *name);

/* A row that is shown, and the name of its profile; row < v->n. Borrowed until rows change. */
const struct cr_stored *cr_store_rows_at(const struct cr_store_rows *m, uint32_t row);
const char *cr_store_rows_name(const struct cr_store_rows *m, uint32_t row);

/* The selected profile; NULL if there are no rows. Borrowed until rows change. */
const struct cr_stored *cr_store_rows_selected(const struct cr_view *v);

bool cr_store_rows_is_picked(
	const struct cr_store_rows *m, enum cr_store_pick pick, const char *name);

/* The mark of a profile: "A" or "B" if it is picked, "*" if it is open, otherwise "". */
const char *cr_store_rows_mark(const struct cr_store_rows *m, const char *name);

#endif
