#ifndef CR_SESSION_SPLIT_LAYOUT_P_H
#define CR_SESSION_SPLIT_LAYOUT_P_H

#include "session/split.h"

struct cr_view;

/* A single pane; when there are two, the views in the first two rows of views.def. */
struct cr_split cr_split_initial(void);

/*
 * Make a view the current one: the view in the row `to` of views.def. If the other pane has it,
 * that pane gets the keys. Changes s->view and s->split only.
 */
void cr_split_show(struct cr_session *s, uint32_t to);

/* Give each view in a pane the size of its pane, and the others that of the whole area. */
void cr_split_apply(struct cr_session *s);

/* The view in the pane without the keys; NULL if one pane is shown. */
struct cr_view *cr_split_other(const struct cr_session *s);

/* The share of the first pane, in per mille, of the side that is divided now. */
int32_t cr_split_share_now(const struct cr_session *s);

/* Move the divider so that the first pane has this share, in per mille, within bounds. */
void cr_split_share(struct cr_session *s, int32_t per_mille);

#endif
