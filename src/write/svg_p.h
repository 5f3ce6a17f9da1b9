#ifndef CR_WRITE_SVG_P_H
#define CR_WRITE_SVG_P_H

#include "base/text.h"
#include "view/scene/scene.h"
#include "view/style/change.h"
#include "view/style/palette.h"
#include "write/writer.h"

/*
 * The SVG writer: svg_box.c writes the frames; write_svg.c computes the layout and writes the rest.
 */
#define CR_SVG_PITCH 18  /* height of a row in pixels; the same as in data/flame.js */
#define CR_SVG_TENTHS 10 /* a scene's unit is a tenth of a pixel */

struct cr_svg_options {
	const char *title;          /* NULL: made from the header fields */
	uint32_t width_px, palette; /* enum cr_palette */
	bool icicle;                /* root at the top */
};

struct cr_svg {
	const struct cr_write_in *in;
	const struct cr_svg_options *o;
	const struct cr_tree *t;
	struct cr_scene scene;
	uint64_t *at;                 /* by node: its left edge, as a sum of extents */
	struct cr_change_look change; /* of a difference */
	int32_t width_px, top_px, rows;
	struct cr_text x; /* output */
};

static inline bool
cr_svg_is_diff(const struct cr_svg *s)
{
	return s->t->sides == 2;
}

/* A box of the scene: <g> with its title, rectangle and label. */
void cr_svg_box(struct cr_svg *s, const struct cr_box *b);

/*
 * Append "1,234"; a difference of shares, "+1.23"; the cost of a node, "1,234 samples" or "1,234
 * us".
 */
void cr_svg_commas(struct cr_text *t, uint64_t v);
void cr_svg_points(struct cr_text *t, int32_t ppm);
void cr_svg_cost(struct cr_svg *s, uint32_t side, uint64_t weight, uint64_t samples);

#endif
