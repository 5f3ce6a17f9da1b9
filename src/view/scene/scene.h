#ifndef CRESSET_VIEW_SCENE_SCENE_H
#define CRESSET_VIEW_SCENE_SCENE_H

#include "base/str.h"

#include <stdint.h>

/*
 * What is to be drawn, for any device, in whole units (eighths of a cell on a terminal, tenths
 * of a pixel in an SVG). Edges are rounded from running sums, so that siblings tile without
 * gaps and the same tree gives the same scene everywhere.
 */
enum cr_box_flags {
	CR_BOX_ANCESTOR = 1, /* above the zoom: drawn over the full width */
	CR_BOX_GATHERED = 2, /* stands for `count` narrow neighbours; node is the first */
	CR_BOX_HIT = 4,      /* matches the search; gathered: a match is somewhere below */
};

struct cr_box {
	uint32_t node;     /* of the tree */
	uint32_t node_end; /* the box stands for [node, node_end): a subtree, or neighbours' */
	uint32_t count;    /* 1, or how many siblings are gathered here */
	int32_t x0, x1;    /* units, [x0, x1) */
	int32_t row;       /* 0 is the root's row; the device decides which way rows run */
	uint32_t flags;    /* enum cr_box_flags */
};

struct cr_scene {
	struct cr_box *boxes; /* by row, then x0 */
	uint32_t n;
	int32_t width;       /* units */
	int32_t rows;        /* in use: deepest drawn row + 1; those scrolled past are empty */
	uint32_t *row_first; /* rows + 1: boxes of row r are [row_first[r], row_first[r + 1]) */
};

void cr_scene_fini(struct cr_scene *s);

/* The box at (x, row); UINT32_MAX when there is none. */
uint32_t cr_scene_at(const struct cr_scene *s, int32_t x, int32_t row);

/*
 * The box of a node, or the one that it was gathered into, be it itself or by an ancestor;
 * UINT32_MAX when it is not in the scene. A binary search a row.
 */
uint32_t cr_scene_find(const struct cr_scene *s, uint32_t node);

#endif
