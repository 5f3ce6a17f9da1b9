#ifndef CR_SESSION_SPLIT_H
#define CR_SESSION_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * One pane, or two, side by side or one above the other. Each shows a view; they share selection,
 * zoom, filter and search. One pane has the keyboard focus: its view is the current one. No view is
 * in both panes.
 */
struct cr_session;

#define CR_PANES 2
#define CR_SPLIT_WIDTH 160 /* cells; from this width on two panes are shown by default */

enum cr_split_how {
	CR_SPLIT_NONE,
	CR_SPLIT_BESIDE,
	CR_SPLIT_BELOW,
	CR_SPLIT_AUTO, /* side by side from CR_SPLIT_WIDTH on, else one pane */
};

/* The user's choice; undo restores it too. */
struct cr_split {
	enum cr_split_how how;
	uint32_t other; /* row in views.def of the view in the pane without the focus */
	bool second;    /* the right or lower pane has the focus */
	/* Of the first pane, in per mille: [0] of the width, [1] of the height. */
	uint16_t share[2];
};

/* A pane on the screen, in cells. With two panes, the line above a view has its name. */
struct cr_split_pane {
	uint32_t view; /* row in views.def */
	bool has_keys;
	int32_t x, y, width, height; /* of the view, without the line above it */
};

struct cr_split_layout {
	uint32_t n;  /* panes: 1, or 2, the left or upper one first */
	bool beside; /* two panes side by side: the column left of the second is the divider */
	struct cr_split_pane pane[CR_PANES];
};

/*
 * The positions of the panes in the area of the views; x and y count from its top left corner. If
 * two panes would be too small, there is one, and it has the focus.
 */
struct cr_split_layout cr_split_layout(const struct cr_session *s);

/* Set the size of the area of the views, in cells, at least 1 each, and inform the views. */
void cr_split_resize(struct cr_session *s, int32_t width, int32_t height);

#endif
