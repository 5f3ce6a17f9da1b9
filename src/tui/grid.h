#ifndef CR_TUI_GRID_H
#define CR_TUI_GRID_H

#include "base/str.h"
#include "base/text.h"
#include "view/style/color.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A screen in memory: panes draw into it, terminals display it. A cell has one character with its
 * combining marks, and its look. The right half of a wide character is a cell with ch 0.
 */
enum cr_attr { CR_ATTR_BOLD = 1, CR_ATTR_REVERSE = 2, CR_ATTR_UNDERLINE = 4, CR_ATTR_DIM = 8 };

#define CR_CELL_MARKS 4 /* more than any script needs, and as many as curses supports */

struct cr_cell {
	uint32_t ch;
	uint32_t fg, bg;
	uint8_t attr;
	uint32_t marks[CR_CELL_MARKS]; /* combining characters in order; 0 for unused ones */
};

struct cr_grid {
	int32_t width, height;
	struct cr_cell *cells;      /* row-major */
	int32_t cursor_x, cursor_y; /* position of the cursor; -1 if hidden */
};

/* _init() and _resize() make a grid of blanks, in cells; _clear() makes all cells blank. */
void cr_grid_init(struct cr_grid *g, int32_t width, int32_t height);
void cr_grid_resize(struct cr_grid *g, int32_t width, int32_t height);
void cr_grid_clear(struct cr_grid *g);
void cr_grid_to_ascii(struct cr_grid *g); /* replaces other characters by similar ones */
void cr_grid_fini(struct cr_grid *g);

struct cr_look {
	uint32_t fg, bg;
	uint8_t attr;
};

/* Draw one character; ignored outside the grid. */
void cr_grid_put(struct cr_grid *g, int32_t x, int32_t y, uint32_t ch, struct cr_look look);

/* Change the look of a cell; ignored outside the grid. */
void cr_grid_look(struct cr_grid *g, int32_t x, int32_t y, struct cr_look look);

/* Draw text, made safe, truncated at max cells or the border; returns the number of cells used. */
int32_t cr_grid_text(
	struct cr_grid *g, int32_t x, int32_t y, int32_t max, struct cr_str s, struct cr_look look);
void cr_grid_fill(struct cr_grid *g, int32_t x, int32_t y, int32_t width, int32_t height,
	uint32_t ch, struct cr_look look);

/*
 * For tests: append the characters as lines of text, without trailing blanks. with_looks: followed
 * by a map of attributes and colours.
 */
void cr_grid_dump(const struct cr_grid *g, bool with_looks, struct cr_text *out);

#endif
