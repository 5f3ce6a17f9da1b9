#ifndef CR_TUI_GRID_H
#define CR_TUI_GRID_H

#include "base/str.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A screen in memory: what panes draw into and terminals draw from. A cell holds one character,
 * the marks on it, and its look; the right half of a wide character is a cell with ch 0.
 */
enum cr_attr { CR_ATTR_BOLD = 1, CR_ATTR_REVERSE = 2, CR_ATTR_UNDERLINE = 4, CR_ATTR_DIM = 8 };

#define CR_COLOR_DEFAULT UINT32_MAX /* else 0xRRGGBB */

#define CR_CELL_MARKS 4 /* more than any script has on a letter, and what curses can show */

struct cr_cell {
	uint32_t ch;
	uint32_t fg, bg;
	uint8_t attr;
	uint32_t marks[CR_CELL_MARKS]; /* combining characters, in their order; 0 where there are
					  fewer */
};

struct cr_grid {
	int32_t width, height;
	struct cr_cell *cells;      /* row-major */
	int32_t cursor_x, cursor_y; /* shown there; -1 is hidden */
};

void cr_grid_init(struct cr_grid *g, int32_t width, int32_t height);
void cr_grid_resize(struct cr_grid *g, int32_t width, int32_t height);
void cr_grid_clear(struct cr_grid *g);
void cr_grid_to_ascii(struct cr_grid *g); /* all else gets a stand-in */
void cr_grid_fini(struct cr_grid *g);

struct cr_look {
	uint32_t fg, bg;
	uint8_t attr;
};

/* One character; out of the grid is allowed and draws nothing. */
void cr_grid_put(struct cr_grid *g, int32_t x, int32_t y, uint32_t ch, struct cr_look look);

/* Another look for what is there; out of the grid is allowed. */
void cr_grid_look(struct cr_grid *g, int32_t x, int32_t y, struct cr_look look);

/* Text, made safe, cut at max cells or the border; returns the cells used. */
int32_t cr_grid_text(
	struct cr_grid *g, int32_t x, int32_t y, int32_t max, struct cr_str s, struct cr_look look);
void cr_grid_fill(struct cr_grid *g, int32_t x, int32_t y, int32_t width, int32_t height,
	uint32_t ch, struct cr_look look);

/*
 * The characters as lines of text, blanks at line ends cut: golden screens. with_looks adds a map
 * of attributes and colours below.
 */
void cr_grid_dump(const struct cr_grid *g, bool with_looks, struct cr_text *out);

#endif
