#ifndef CR_SESSION_SPLIT_LAYOUT_P_H
#define CR_SESSION_SPLIT_LAYOUT_P_H

#include "session/split.h"

struct cr_view;

/* A single pane. If the user splits it, the views are the first two rows of views.def. */
struct cr_split cr_split_initial(void);

/*
 * Make a view the current one. `to` is its row in views.def. If the other pane shows it, that pane
 * gets the focus. Changes s->view and s->split only.
 */
void cr_split_show(struct cr_session *s, uint32_t to);

/* Set the size of each view: that of its pane, or that of the whole area for a view in no pane. */
void cr_split_apply(struct cr_session *s);

/* The view in the pane without the focus; NULL if one pane is shown. */
struct cr_view *cr_split_other(const struct cr_session *s);

/* The share of the first pane along the side that is divided now, in per mille. */
int32_t cr_split_share_now(const struct cr_session *s);

/*
 * Move the divider so that the first pane has this share, in per mille. The share is limited so
 * that both panes are large enough.
 */
void cr_split_share(struct cr_session *s, int32_t per_mille);

#endif
