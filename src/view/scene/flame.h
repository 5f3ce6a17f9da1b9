#ifndef CRESSET_VIEW_SCENE_FLAME_H
#define CRESSET_VIEW_SCENE_FLAME_H

#include "model/tree/tree.h"
#include "view/scene/scene.h"

struct cr_flame_opts {
	uint32_t zoom;      /* node shown over the full width, its ancestors above it; 0 is all */
	int32_t width;      /* units */
	int32_t min_width;  /* narrower boxes are gathered with their neighbours into a wider one */
	int32_t max_rows;   /* rows laid out, counted from first_row; 0 is no limit */
	int32_t first_row;  /* rows above it are not laid out (scrolled past) */
	const uint8_t *hit; /* by frame, from cr_search; NULL for none */
};

/*
 * Lay a tree out as a flame graph by its extents: a node's row is its depth. Touches only nodes
 * that are wide enough to see and their children: a narrow subtree is skipped by one jump.
 * A gathered box has nothing below it; zooming into its parent opens it. out is overwritten:
 * cr_scene_fini() an older scene first. Same tree and options, same scene.
 */
void cr_flame_layout(const struct cr_tree *t, const struct cr_flame_opts *o, struct cr_scene *out);

#endif
