#include "pane_p.h"

#include "base/hash.h"
#include "base/mem.h"
#include "view/style/color.h"
#include "view/style/label.h"

/*
 * Boxes in cells. On terminals that support it, edges are drawn at eighths of a cell:
 *
 *	units    0       8       16      24          first box [0, 19), second [19, 32)
 *	cells    [box 1 ][box 1 ][▍  ][box 2 ]       19 is 2 cells and 3 eighths:
 *	                                             ▍ in box 1's colour on box 2's
 *
 * Boxes are at least a cell wide. So a cell holds at most the end of one box, a gap, and the start
 * of the next. On other terminals edges are at cell borders, and a bar marks the start of a box.
 */
#define CELL CR_CELL_UNITS

#define COLOR_SELECTED 0xfff04du
#define COLOR_GATHERED 0x8a8a8au
#define COLOR_TEXTURE 0x5f5f5fu

#define MARKED_CELLS 8 /* a blank follows the mark of a change in boxes of so many cells */

/* Left 1/8 to 7/8 of a cell. */
static const uint32_t left_blocks[CELL] = {
	' ', 0x258f, 0x258e, 0x258d, 0x258c, 0x258b, 0x258a, 0x2589};

#define RIGHT_HAIRLINE 0x2595

struct painter {
	const struct cr_scene_surface *s;
	const struct cr_pane *p;
	const struct cr_scene *scene;
	uint32_t selected; /* index of the box; CR_NO_ROW if it is not drawn */
	bool fine;         /* edges at eighths of a cell */
};

/* ---- looks */

static uint32_t
palette_color(const struct painter *w, uint32_t node)
{
	const struct cr_tree *t = w->s->tree;
	const struct cr_frame *f = &t->frames[t->frame[node]];
	const enum cr_color_depth depth = w->p->term->colors;

	if (w->s->change)
		return cr_change_color_of(w->s->change, node);
	if (depth == CR_COLORS_8)
		return cr_palette_frame_8(w->s->palette, f);
	if (depth == CR_COLORS_16)
		return cr_palette_frame_16(w->s->palette, f);
	return w->p->theme ? cr_theme_fill(w->p->theme, cr_palette_frame(w->s->palette, f))
			   : cr_palette_frame(w->s->palette, f);
}

/* A theme without a colour for matches has dark ones among its pale frames. */
static uint32_t
match_color(const struct painter *w)
{
	const uint32_t rgb = cr_pane_color(w->p, CR_THEME_MATCH);

	return rgb == CR_COLOR_DEFAULT ? 0x5f00af : rgb;
}

/* Where the terminal's own colours are set for it, yellow. */
static struct cr_look
selected_look(const struct painter *w)
{
	const struct cr_look look = cr_pane_look_selected(w->p);

	if (look.bg == CR_COLOR_DEFAULT && w->p->term->colors >= CR_COLORS_256)
		return cr_pane_look_on(w->p, COLOR_SELECTED, CR_ATTR_BOLD);
	return look;
}

static uint32_t
box_color(const struct painter *w, uint32_t i)
{
	const struct cr_box *b = &w->scene->boxes[i];
	uint32_t rgb;

	if (i == w->selected)
		return selected_look(w).bg;
	if (b->flags & CR_BOX_HIT)
		rgb = match_color(w);
	else if (b->flags & CR_BOX_GATHERED)
		return COLOR_GATHERED;
	else
		rgb = palette_color(w, b->node);
	if (w->p->term->colors < CR_COLORS_256)
		return rgb;
	if (b->flags & CR_BOX_GATHERED)
		rgb = cr_color_mix(rgb, COLOR_GATHERED, 512);
	return b->flags & CR_BOX_ANCESTOR ? cr_color_mix(rgb, 0x707070, 512) : rgb;
}

static struct cr_look
look_without_color(const struct painter *w, uint32_t i)
{
	const uint32_t flags = w->scene->boxes[i].flags;
	struct cr_look look = CR_LOOK_PLAIN;

	if (flags & CR_BOX_HIT)
		look.attr |= CR_ATTR_BOLD | CR_ATTR_UNDERLINE;
	else if (flags & (CR_BOX_ANCESTOR | CR_BOX_GATHERED))
		look.attr |= CR_ATTR_DIM;
	if (i == w->selected)
		look.attr |= CR_ATTR_REVERSE;
	return look;
}

static struct cr_look
box_look(const struct painter *w, uint32_t i)
{
	if (w->p->term->colors == CR_COLORS_NONE)
		return look_without_color(w, i);
	if (i == w->selected)
		return selected_look(w);
	return cr_pane_look_on(w->p, box_color(w, i), 0);
}

/* True if two colours are too similar to distinguish neighbours. */
static bool
near(const struct painter *w, uint32_t a, uint32_t b)
{
	int apart = 0;

	if (a == CR_COLOR_DEFAULT || b == CR_COLOR_DEFAULT)
		return a == b;
	for (unsigned shift = 0; shift < 24; shift += 8) {
		const int d = (int)(a >> shift & 0xff) - (int)(b >> shift & 0xff);

		apart += d < 0 ? -d : d;
	}
	return apart < 40 ||
	       (w->p->term->colors == CR_COLORS_256 && cr_color_256(a) == cr_color_256(b));
}

/* ---- edges at eighths of a cell */

/*
 * Draw the left `units` of a cell in colour a and the rest in b. The default colour means no box.
 * Similar colours are separated by a hairline, which is possible only at the border of a cell.
 */
static void
put_edge(const struct painter *w, int32_t cell, int32_t y, int32_t units, uint32_t a, uint32_t b)
{
	const int32_t x = w->p->x + cell;

	if (a == CR_COLOR_DEFAULT)
		cr_grid_put(w->p->g, x, y, left_blocks[units],
			(struct cr_look){b, CR_COLOR_DEFAULT, CR_ATTR_REVERSE});
	else if (!near(w, a, b))
		cr_grid_put(w->p->g, x, y, left_blocks[units], (struct cr_look){a, b, 0});
	else if (units < CELL / 2)
		cr_grid_put(w->p->g, x, y, left_blocks[1], cr_pane_look_on(w->p, b, 0));
	else
		cr_grid_put(w->p->g, x, y, RIGHT_HAIRLINE, cr_pane_look_on(w->p, a, 0));
}

/*
 * Paint a cell in which box `after` starts or box `before` ends. A cell shows two colours only, so
 * the narrowest of the end, the gap and the start is left out.
 */
static void
paint_edge_cell(const struct painter *w, int32_t cell, int32_t y, uint32_t before, uint32_t after)
{
	const struct cr_box *a = before != CR_NO_ROW ? &w->scene->boxes[before] : NULL;
	const struct cr_box *b = after != CR_NO_ROW ? &w->scene->boxes[after] : NULL;
	const int32_t from = cell * CELL;
	int32_t end = a ? a->x1 - from : 0, start = b ? b->x0 - from : CELL;
	const uint32_t left = a ? box_color(w, before) : CR_COLOR_DEFAULT;
	const uint32_t right = b ? box_color(w, after) : CR_COLOR_DEFAULT;
	const int32_t gap = start - end;

	if (gap > 0 && end > 0 && start < CELL) {
		if (gap <= end && gap <= CELL - start)
			end = start; /* no gap */
		else if (end <= CELL - start)
			end = 0; /* gap, and the start of b */
		else
			start = CELL; /* the end of a, and gap */
	}
	if (end == 0 && start == CELL)
		return;
	if (end == 0)
		put_edge(w, cell, y, start, CR_COLOR_DEFAULT, right);
	else
		put_edge(w, cell, y, end, left, start == CELL ? CR_COLOR_DEFAULT : right);
}

/* ---- the text in a box */

static void
paint_label(const struct painter *w, uint32_t i, int32_t cell, int32_t cells, int32_t y)
{
	const struct cr_box *b = &w->scene->boxes[i];
	const struct cr_tree *t = w->s->tree;
	struct cr_look look = box_look(w, i);
	char mark[2] = {w->s->change ? cr_change_mark(w->s->change, b->node) : 0, 0};
	const int32_t mark_cells = cells < MARKED_CELLS ? 1 : 2;
	struct cr_text text = {0};

	if (b->flags & CR_BOX_GATHERED) {
		if (w->p->term->colors >= CR_COLORS_256)
			look.fg = COLOR_TEXTURE;
		cr_grid_fill(w->p->g, w->p->x + cell, y, cells, 1,
			w->p->term->unicode ? 0x2591 : ':', look);
		return;
	}
	if (*mark && cells > 0) {
		cr_grid_text(w->p->g, w->p->x + cell, y, 1, cr_str_of(mark), look);
		cell += mark_cells;
		cells -= mark_cells;
	}
	cr_label_fit(&text, t->frames[t->frame[b->node]].name, cells > 0 ? (uint32_t)cells : 0);
	if (text.len)
		cr_grid_text(w->p->g, w->p->x + cell, y, cells, cr_text_view(&text), look);
	cr_text_fini(&text);
}

/* Paint the cells that a box fills, and a hairline if it starts at the border of a cell. */
static void
paint_fine_box(const struct painter *w, uint32_t i, int32_t y)
{
	const struct cr_box *b = &w->scene->boxes[i];
	int32_t cell = (b->x0 + CELL - 1) / CELL;
	int32_t cells = b->x1 / CELL - cell;
	const struct cr_look look = box_look(w, i);

	if (cells <= 0)
		return;
	cr_grid_fill(w->p->g, w->p->x + cell, y, cells, 1, ' ', look);
	if (b->x0 % CELL == 0 && cells > 1 && !(b->flags & CR_BOX_GATHERED)) {
		cr_grid_put(w->p->g, w->p->x + cell, y, left_blocks[1], look);
		cell++;
		cells--;
	}
	paint_label(w, i, cell, cells, y);
}

static void
paint_fine_row(const struct painter *w, int32_t row, int32_t y)
{
	const struct cr_scene *scene = w->scene;
	uint32_t before = CR_NO_ROW;

	for (uint32_t i = scene->row_first[row]; i < scene->row_first[row + 1]; i++) {
		const struct cr_box *b = &scene->boxes[i];
		const int32_t end = before != CR_NO_ROW ? scene->boxes[before].x1 : 0;

		/* The end of the box before, if this one does not start in the same cell. */
		if (before != CR_NO_ROW && end % CELL &&
			(b->x0 % CELL == 0 || end / CELL != b->x0 / CELL))
			paint_edge_cell(w, end / CELL, y, before, CR_NO_ROW);
		if (b->x0 % CELL)
			paint_edge_cell(w, b->x0 / CELL, y,
				before != CR_NO_ROW && end / CELL == b->x0 / CELL && end % CELL
					? before
					: CR_NO_ROW,
				i);
		paint_fine_box(w, i, y);
		before = i;
	}
	if (before != CR_NO_ROW && scene->boxes[before].x1 % CELL)
		paint_edge_cell(w, scene->boxes[before].x1 / CELL, y, before, CR_NO_ROW);
}

/* ---- edges at cell borders */

/*
 * The bar at the start of a box. With few colours or none it shows whether the box has no name, is
 * of the kernel, or is inlined.
 */
static uint32_t
bar_of(const struct painter *w, uint32_t i)
{
	const struct cr_box *b = &w->scene->boxes[i];
	const struct cr_frame *f = &w->s->tree->frames[w->s->tree->frame[b->node]];

	if (b->flags & CR_BOX_GATHERED)
		return cr_pane_bar(w->p->term, false, false);
	if (cr_frame_is_nameless(f))
		return CR_PANE_BAR_NAMELESS;
	return cr_pane_bar(w->p->term, cr_kind_is_kernel(f->kind), f->inlined);
}

static void
paint_coarse_row(const struct painter *w, int32_t row, int32_t y)
{
	const struct cr_scene *scene = w->scene;
	const uint32_t bar = cr_pane_bar(w->p->term, false, false);
	int32_t x = 0;

	for (uint32_t i = scene->row_first[row]; i < scene->row_first[row + 1]; i++) {
		const int32_t from = scene->boxes[i].x0 / CELL, to = scene->boxes[i].x1 / CELL;
		const struct cr_look look = box_look(w, i);

		/* The bar of a gap: where the box before it ends. */
		if (from > x && x > 0)
			cr_grid_put(w->p->g, w->p->x + x, y, bar, CR_LOOK_PLAIN);
		cr_grid_fill(w->p->g, w->p->x + from, y, to - from, 1, ' ', look);
		cr_grid_put(w->p->g, w->p->x + from, y, bar_of(w, i), look);
		paint_label(w, i, from + 1, to - from - 1, y);
		x = to;
	}
	if (x > 0 && x < w->p->width)
		cr_grid_put(w->p->g, w->p->x + x, y, bar, CR_LOOK_PLAIN);
}

/* ---- the pane */

/* The row of the scene that is drawn on line y of the pane. */
static int32_t
row_at(const struct cr_scene_surface *s, int32_t first, const struct cr_pane *p, int32_t y)
{
	return first + (s->root_up ? y : p->height - 1 - y);
}

void
cr_pane_scene_draw(const struct cr_scene_surface *s, int32_t first, const struct cr_pane *p)
{
	struct painter w = {
		.s = s,
		.p = p,
		.scene = s->scene,
		.fine = cr_pane_fine(p->term),
	};

	w.selected = cr_scene_find(w.scene, s->selected);
	for (int32_t y = 0; y < p->height; y++) {
		const int32_t row = row_at(s, first, p, y);

		if (row < 0 || row >= w.scene->rows)
			continue;
		if (w.fine)
			paint_fine_row(&w, row, p->y + y);
		else
			paint_coarse_row(&w, row, p->y + y);
	}
}

uint32_t
cr_pane_scene_at(const struct cr_scene_surface *s, int32_t first, const struct cr_pane *p,
	int32_t x, int32_t y)
{
	const int32_t row = row_at(s, first, p, y - p->y);
	/* Try the middle of the cell, then its borders. */
	static const int32_t tries[] = {CELL / 2, 0, CELL - 1};

	if (row < 0 || row >= s->scene->rows)
		return CR_NO_ROW;
	for (size_t i = 0; i < CR_LEN(tries); i++) {
		const uint32_t box = cr_scene_at(s->scene, (x - p->x) * CELL + tries[i], row);

		if (box != CR_NO_ROW)
			return s->scene->boxes[box].node;
	}
	return CR_NO_ROW;
}
