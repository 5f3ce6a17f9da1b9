#ifndef CR_SESSION_VIEWS_SHEET_VIEW_P_H
#define CR_SESSION_VIEWS_SHEET_VIEW_P_H

#include "session/views/view.h"

/* What views that are sheets have in common. */

/* The cells that a row has: those of the pane, or of a usual screen if there is no pane. */
uint32_t cr_sheet_view_width(const struct cr_view *v);

/*
 * Append the line of heads and all rows as text, as wide as the view's pane (as wide as needed if
 * it has none); or the lines for an empty sheet. The surface has paint().
 */
void cr_sheet_view_print(const struct cr_sheet_surface *surface, struct cr_text *out);

/* Append " of FUNCTION" for the title, the name cut to some cells; nothing for NULL. */
void cr_sheet_view_put_of(const char *function, struct cr_text *out);

/* The function with the largest self cost: its frame; 0, the root, if there is none. */
uint32_t cr_sheet_view_hottest(const struct cr_tree *t);

#endif
