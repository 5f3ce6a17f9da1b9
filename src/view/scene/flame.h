#ifndef CRESSET_VIEW_SCENE_FLAME_H
#define CRESSET_VIEW_SCENE_FLAME_H

#include "model/tree/tree.h"
#include "view/scene/scene.h"

struct cr_flame_opts {
	uint32_t zoom; /* node shown over the full width, with its ancestors above it; 0 is all */
	int32_t width; /* in units */
	/* In units; narrower boxes are combined with their neighbours into a wider one. */
	int32_t min_width;
	int32_t max_rows;   /* number of rows to lay out, from first_row; 0 is no limit */
	int32_t first_row;  /* rows before it are not laid out (scrolled past) */
	const uint8_t *hit; /* by frame, from cr_search; NULL for none */
	/* By node: the widths, of children together at most that of their parent; NULL: extents. */
	const uint64_t *widths;
	/*
	 * By node: how much of its parent's own width is left of it; NULL: all of it is at the
	 * right.
	 */
	const uint64_t *lead;
};

/*
 * Lay out a tree as a flame graph by its extents: a node's row is its depth. Visits only nodes that
 * are wide enough to see, and their children; a narrow subtree is skipped at once. A combined box
 * has nothing below it; zooming into its parent opens it. out is overwritten: call cr_scene_fini()
 * on an older scene first. The same tree and options give the same scene.
 */
void cr_flame_layout(const struct cr_tree *t, const struct cr_flame_opts *o, struct cr_scene *out);

#endif
