#ifndef CR_SESSION_SPLIT_H
#define CR_SESSION_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * One pane, or two side by side or one above the other. Each shows a view; they share selection,
 * zoom, filter and search. One pane has the keys: its view is the current one. No view is in both
 * panes.
 */
struct cr_session;

#define CR_PANES 2
#define CR_SPLIT_WIDTH 160 /* cells; from this width on two panes are shown by default */

enum cr_split_how {
	CR_SPLIT_NONE,
	CR_SPLIT_BESIDE,
	CR_SPLIT_BELOW,
	CR_SPLIT_AUTO, /* beside each other from CR_SPLIT_WIDTH on, else one pane */
};

/* What the user chose; a part of what undo restores. */
struct cr_split {
	enum cr_split_how how;
	uint32_t other;    /* row in views.def of the view in the pane without the keys */
	bool second;       /* the right or lower pane has the keys */
	uint16_t share[2]; /* of the first pane, in per mille: of the width, and of the height */
};

/* A pane on the screen, in cells. With two panes, a line above the view has its name. */
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
 * Where the panes are in the area of the views; x and y count from its corner. There is one pane,
 * with the keys, where two would be too small.
 */
struct cr_split_layout cr_split_layout(const struct cr_session *s);

/* Set the size of the area of the views, in cells, at least 1 each. The views are told. */
void cr_split_resize(struct cr_session *s, int32_t width, int32_t height);

#endif
