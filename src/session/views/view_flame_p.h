#ifndef CR_SESSION_VIEWS_VIEW_FLAME_P_H
#define CR_SESSION_VIEWS_VIEW_FLAME_P_H

#include "session/views/view.h"

/* The flame graph. */
extern const struct cr_view_ops cr_view_flame;

/*
 * Its boxes, for the width of its pane (otherwise $COLUMNS or 80 cells); valid until the next
 * command.
 */
const struct cr_scene *cr_view_flame_scene(struct cr_session *s);

#endif
