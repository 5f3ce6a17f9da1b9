#ifndef CR_WRITE_SVG_P_H
#define CR_WRITE_SVG_P_H

#include "base/json_out.h"
#include "base/text.h"
#include "base/vec.h"
#include "view/scene/scene.h"
#include "view/style/change.h"
#include "view/style/palette.h"
#include "write/svg/svg_values_p.h"
#include "write/writer.h"

/*
 * The SVG writer: svg_box.c writes the frames, svg_data.c the tree as data, write_svg.c computes
 * the layout and writes the rest; write/svg has the head, styles and flame charts.
 */
#define CR_SVG_TENTHS 10 /* a scene's unit is a tenth of a pixel */

struct cr_svg_options {
	const char *title;                        /* NULL: made from the header fields */
	uint32_t width_px, palette;               /* enum cr_palette */
	uint32_t order;                           /* enum cr_write_order: of siblings */
	bool icicle;                              /* root at the top */
	const char *subtitle, *notes, *name_type; /* NULL for none */
	const char *count_name; /* what weights count, instead of the unit of the event */
	double factor;          /* that counts are shown times; 0: 1 */
	const char *font;
	double font_px, font_width; /* 0: the default; the width is a part of the size */
	uint32_t height_px;         /* of a row; 0: the default */
	struct cr_svg_width least;
	struct cr_svg_background background;
	uint32_t search1, stroke1, ui1; /* as cr_svg_parse_color() says; 0: the default */
	bool cut_right;                 /* labels end in an ellipsis */
	bool diffusion;                 /* colour by width */
	bool no_script;                 /* only the picture */
};

/* The left edge of a node, as a sum of extents. */
struct cr_svg_edge {
	uint32_t node;
	uint64_t at;
};

struct cr_svg {
	const struct cr_write_in *in;
	const struct cr_svg_options *o;
	const struct cr_tree *t;   /* siblings in the order of the picture */
	uint32_t root;             /* of t: the node over the full width */
	enum cr_write_order order; /* of siblings in t */
	struct cr_scene scene;
	CR_VEC(struct cr_svg_edge) edges; /* of the nodes that may be drawn, in preorder */
	/* By node: the part of its parent's own cost that is left of it; NULL: none. */
	const uint64_t *lead;
	uint32_t *kept; /* the nodes that are written as data, in preorder */
	uint32_t n_kept;
	uint64_t threshold;           /* extent of the narrowest of them; 0: all are written */
	uint64_t left_out;            /* weight of the others, on the last side */
	struct cr_change_look change; /* of a difference */
	int32_t width_px, top_px, rows;
	struct cr_text x; /* output */
};

static inline bool
cr_svg_is_diff(const struct cr_svg *s)
{
	return s->t->sides == 2;
}

/*
 * The class of a frame for colours and the legend: that of the palette, or CR_SVG_NAMED for a
 * function of unknown kind, which gets a warm colour by its name. Grey is for what has no name.
 */
#define CR_SVG_NAMED CR_KINDS
#define CR_SVG_CLASSES (CR_KINDS + 1)
uint32_t cr_svg_class(const struct cr_svg *s, const struct cr_frame *f);
uint32_t cr_svg_color(const struct cr_svg *s, const struct cr_frame *f);

/* A box of the scene: <g> with its title, rectangle and label. */
void cr_svg_box(struct cr_svg *s, const struct cr_box *b);

/*
 * Choose the nodes that are written as data: those that are wide enough, and not too many. Sets
 * s->kept, which the caller frees, s->n_kept, s->threshold and s->left_out.
 */
void cr_svg_choose(struct cr_svg *s);

/*
 * Append a sentence about the frames that are not in the data, "12 frames narrower than 0.001 %
 * ...", or nothing if all are.
 */
void cr_svg_left_out(const struct cr_svg *s, struct cr_text *t);

/* Write the tree as data for the script. CR_EIO if the sink accepts no more. */
int cr_svg_data(struct cr_svg *s, struct cr_sink *out, struct cr_err *err);

/* Write a member of a JSON object: a text that is made safe first. */
void cr_svg_put_safe(struct cr_json_out *j, const char *key, struct cr_str value);

/* Of an order: "weight", "name" or "time". */
const char *cr_svg_order_name(enum cr_write_order order);

/*
 * Append "1,234"; a difference of shares, "+1.23"; the cost of a node, "1,234 samples" or "1,234
 * us".
 */
void cr_svg_commas(struct cr_text *t, uint64_t v);
void cr_svg_points(struct cr_text *t, int32_t ppm);
void cr_svg_cost(struct cr_svg *s, uint32_t side, uint64_t weight, uint64_t samples);

#endif
