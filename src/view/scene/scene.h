#ifndef CRESSET_VIEW_SCENE_SCENE_H
#define CRESSET_VIEW_SCENE_SCENE_H

#include "base/str.h"

#include <stdint.h>

/*
 * Boxes to draw on any device, in whole units (eighths of a cell on a terminal, tenths of a pixel
 * in SVG). Edges are rounded from running sums, so that siblings leave no gaps and a tree gives the
 * same scene everywhere.
 */
enum cr_box_flags {
	CR_BOX_ANCESTOR = 1, /* above the zoomed node: drawn over the full width */
	CR_BOX_GATHERED = 2, /* combines `count` narrow neighbours; node is the first */
	CR_BOX_HIT = 4,      /* matches the search; combined: a match is somewhere below */
};

struct cr_box {
	uint32_t node; /* of the tree */
	/* The box stands for [node, node_end): a subtree, or those of neighbours. */
	uint32_t node_end;
	uint32_t count; /* 1, or the number of siblings combined */
	int32_t x0, x1; /* in units, [x0, x1) */
	int32_t row;    /* 0 is the root's row; the device decides whether rows go up or down */
	uint32_t flags; /* bits of enum cr_box_flags */
};

struct cr_scene {
	struct cr_box *boxes; /* sorted by row, then x0 */
	uint32_t n;
	int32_t width; /* in units */
	int32_t rows;  /* deepest drawn row + 1; rows scrolled past are empty */
	/* Rows + 1 elements: boxes of row r are [row_first[r], row_first[r + 1]). */
	uint32_t *row_first;
};

void cr_scene_fini(struct cr_scene *s);

/* The box at (x, row); UINT32_MAX if there is none. */
uint32_t cr_scene_at(const struct cr_scene *s, int32_t x, int32_t row);

/*
 * The box of a node, or the combined one that contains it or an ancestor; UINT32_MAX if it is not
 * in the scene. A binary search per row.
 */
uint32_t cr_scene_find(const struct cr_scene *s, uint32_t node);

#endif
