#include "pane_p.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "view/style/palette.h"

#define SWATCH_CELLS 2
#define WIDTH_LEAST 60 /* narrower panes have no legend */

/* A line that is drawn from left to right; what does not fit is left out. */
struct line {
	const struct cr_pane *p;
	int32_t x;
};

static int32_t
room(const struct line *l)
{
	return l->p->x + l->p->width - 1 - l->x;
}

static void
put_text(struct line *l, const char *text, struct cr_look look, int32_t gap)
{
	const int32_t cells = (int32_t)cr_utf8_cells(cr_str_of(text));

	if (cells > room(l))
		return;
	cr_grid_text(l->p->g, l->x, l->p->y, cells, cr_str_of(text), look);
	l->x += cells + gap;
}

/* A sample of a colour, or a character that marks it, and a word about it. */
static void
put_swatch(struct line *l, uint32_t rgb, uint32_t bar, const char *word)
{
	const bool colors = l->p->term->colors > CR_COLORS_NONE;
	const int32_t cells = colors ? SWATCH_CELLS : 1;

	if (cells + 1 + (int32_t)cr_utf8_cells(cr_str_of(word)) > room(l))
		return;
	if (colors)
		cr_grid_fill(l->p->g, l->x, l->p->y, cells, 1, ' ', cr_pane_look_on(l->p, rgb, 0));
	else
		cr_grid_put(l->p->g, l->x, l->p->y, bar, CR_LOOK_PLAIN);
	l->x += cells + 1;
	put_text(l, word, CR_LOOK_PLAIN, 2);
}

/* Which classes of frames the scene shows, and whether inlined functions are among them. */
static void
find_classes(const struct cr_scene_surface *s, bool there[CR_KINDS], bool *inlined)
{
	for (uint32_t i = 0; i < s->scene->n; i++) {
		const struct cr_box *b = &s->scene->boxes[i];
		const struct cr_frame *f = &s->tree->frames[s->tree->frame[b->node]];

		if (b->flags & CR_BOX_GATHERED)
			continue;
		there[cr_palette_class(s->palette, f)] = true;
		*inlined |= f->inlined;
	}
}

/* The bar of a class without colours; 0: it has none of its own. */
static uint32_t
bar_of(const struct cr_pane *p, enum cr_kind kind)
{
	return kind == CR_KIND_KERNEL || kind == CR_KIND_USER
		       ? cr_pane_bar(p->term, kind == CR_KIND_KERNEL, false)
		       : 0;
}

static void
put_classes(struct line *l, const struct cr_scene_surface *s)
{
	static const enum cr_kind order[] = {CR_KIND_USER, CR_KIND_KERNEL, CR_KIND_MODULE,
		CR_KIND_VDSO, CR_KIND_JIT, CR_KIND_BPF, CR_KIND_UNKNOWN};
	const bool colors = l->p->term->colors > CR_COLORS_NONE;
	bool there[CR_KINDS] = {false}, inlined = false;

	find_classes(s, there, &inlined);
	for (size_t i = 0; i < CR_LEN(order); i++) {
		const char *name = cr_palette_class_name(s->palette, order[i]);

		if (there[order[i]] && name && (colors || bar_of(l->p, order[i])))
			put_swatch(l, colors ? cr_pane_kind_color(l->p, order[i]) : 0,
				bar_of(l->p, order[i]), name);
	}
	if (inlined && !cr_pane_fine(l->p->term))
		put_text(l, l->p->term->unicode ? "\xe2\x94\x8a inlined" : "; inlined",
			CR_LOOK_PLAIN, 2);
	else if (inlined)
		put_text(l, "paler: inlined", CR_LOOK_PLAIN, 2);
}

static void
put_changes(struct line *l)
{
	put_swatch(l, cr_palette_diff(1, 1), '+', "grew");
	put_swatch(l, cr_palette_diff(-1, 1), '-', "shrank");
	put_swatch(l, cr_palette_diff(0, 1), ' ', "unchanged");
}

bool
cr_pane_legend_draw(struct cr_session *s, const struct cr_pane *p)
{
	struct cr_view *v = cr_view_current(s);
	const struct cr_selection *n = cr_session_selection(s);
	const struct cr_scene_surface *surface;
	struct line l = {p, p->x + 1};

	if (v->ops->surface != CR_SURFACE_SCENE || p->width < WIDTH_LEAST || p->height < 2 ||
		n->parts != CR_SELECTED_NODE || n->node || cr_session_zoom(s) ||
		cr_session_pattern(s))
		return false;
	surface = v->ops->surface_of(v, s);
	put_text(&l, "all", CR_LOOK_BOLD, 3);
	put_text(&l,
		surface->root_up ? "width: cost, below: callees" : "width: cost, above: callees",
		CR_LOOK_PLAIN, 3);
	if (surface->tree->sides == 2)
		put_changes(&l);
	else
		put_classes(&l, surface);
	return true;
}

/* ---- rows beyond the edge */

static bool
is_blank(const struct cr_pane *p, int32_t x, int32_t y, int32_t cells)
{
	for (int32_t i = 0; i < cells; i++) {
		const struct cr_cell *c =
			&p->g->cells[(size_t)y * (size_t)p->g->width + (size_t)(x + i)];

		if (c->ch != ' ' || c->bg != CR_COLOR_DEFAULT || c->attr & CR_ATTR_REVERSE)
			return false;
	}
	return true;
}

void
cr_pane_mark_beyond(const struct cr_pane *p, int32_t y, int32_t rows, bool up)
{
	const char *mark =
		up ? cr_pane_mark(p, "\xe2\x96\xb2", "^") : cr_pane_mark(p, "\xe2\x96\xbc", "v");
	const int32_t last = p->x + p->width - 1;
	struct cr_text text = {0};
	int32_t cells;

	if (rows <= 0 || y < 0 || y >= p->g->height || last < 0 || last >= p->g->width)
		return;
	cr_text_printf(&text, "%d more row%s ", rows, rows == 1 ? "" : "s");
	cells = (int32_t)cr_utf8_cells(cr_text_view(&text));
	if (cells < p->width && is_blank(p, last - cells, y, cells + 1))
		cr_grid_text(p->g, last - cells, y, cells, cr_text_view(&text), CR_LOOK_DIM);
	cr_grid_text(p->g, last, y, 1, cr_str_of(mark), CR_LOOK_BOLD);
	cr_text_fini(&text);
}
