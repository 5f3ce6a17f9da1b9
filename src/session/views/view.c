#include "session/views/view.h"

#include "session/state_p.h"

#include "base/hash.h"

#include <stdlib.h>

/* rows of ancestors that stay visible above a zoom when it is scrolled to */
#define ANCESTORS_SHOWN 2

#define VIEW(digit, id) extern const struct cr_view_ops cr_view_##id;
#include "views.def"
#undef VIEW

#define VIEW(digit, id) &cr_view_##id,
static const struct cr_view_ops *const views[] = {
#include "views.def"
};
#undef VIEW

#define VIEW(digit, id) #digit[0],
static const char digits[] = {
#include "views.def"
};
#undef VIEW

const struct cr_view_ops *
cr_view_ops_at(uint32_t i)
{
	return i < CR_LEN(views) ? views[i] : NULL;
}

uint32_t
cr_view_key_at(uint32_t i)
{
	return i < CR_LEN(digits) ? (uint32_t)digits[i] : 0;
}

struct cr_view *
cr_view_new_all(void)
{
	struct cr_view *all = cr_alloc(CR_LEN(views), sizeof(*all));

	for (size_t i = 0; i < CR_LEN(views); i++) {
		all[i].ops = views[i];
		all[i].state = cr_alloc(1, views[i]->state_bytes);
	}
	return all;
}

void
cr_view_free_all(struct cr_view *all)
{
	for (size_t i = 0; all && i < CR_LEN(views); i++) {
		views[i]->fini(&all[i]);
		free(all[i].state);
	}
	free(all);
}

struct cr_view *
cr_view_at(const struct cr_session *s, uint32_t i)
{
	return &s->views[i];
}

uint32_t
cr_view_index(const struct cr_session *s)
{
	return s->view;
}

struct cr_view *
cr_view_current(const struct cr_session *s)
{
	return &s->views[s->view];
}

struct cr_view *
cr_view_of(const struct cr_session *s, const struct cr_view_ops *ops)
{
	uint32_t i = 0;

	while (views[i] != ops)
		i++;
	return &s->views[i];
}

void
cr_view_make(struct cr_view *v, struct cr_session *s)
{
	if (v->ops->surface == CR_SURFACE_SHEET)
		v->ops->make(v, s);
}

void
cr_view_drop_all(struct cr_session *s, unsigned changed)
{
	for (size_t i = 0; i < CR_LEN(views); i++)
		views[i]->drop(&s->views[i], changed);
}

/* ---- size and scrolling */

static int32_t
clamp(int32_t v, int32_t from, int32_t to)
{
	if (v > to)
		v = to;
	return v < from ? from : v;
}

int32_t
cr_view_rows(struct cr_view *v, struct cr_session *s)
{
	if (v->ops->surface == CR_SURFACE_SCENE)
		return ((const struct cr_scene_surface *)v->ops->surface_of(v, s))->scene->rows;
	cr_view_make(v, s);
	return (int32_t)v->n;
}

/* A sheet has a line of headings above its rows. */
int32_t
cr_view_rows_shown(const struct cr_view *v)
{
	const bool heads = v->ops->surface == CR_SURFACE_SHEET && !v->ops->no_heads;

	return CR_MAX(heads ? v->height - 1 : v->height, 1);
}

/* The first of `shown` rows such that `at` is visible, with minimal scrolling. */
static int32_t
scrolled(int32_t first, int32_t at, int32_t shown, int32_t all)
{
	if (at < first)
		first = at;
	if (at >= first + shown)
		first = at - shown + 1;
	return clamp(first, 0, all - shown);
}

void
cr_view_follow(struct cr_view *v, struct cr_session *s, bool zoomed)
{
	int32_t all, at;

	if (v->height <= 0)
		return;
	all = cr_view_rows(v, s);
	at = v->ops->row_of ? v->ops->row_of(v, s, s->selection.node) : (int32_t)v->row;
	if (zoomed && v->ops->row_of)
		v->first = CR_MAX(v->ops->row_of(v, s, s->zoom) - ANCESTORS_SHOWN, 0);
	v->first = scrolled(v->first, at, cr_view_rows_shown(v), all);
}

void
cr_view_scroll(struct cr_view *v, struct cr_session *s, int32_t rows)
{
	/* Down on the screen is towards the root if that is at the bottom. */
	const bool upward = v->ops->surface == CR_SURFACE_SCENE && !s->root_up;

	v->first = clamp(
		v->first + (upward ? -rows : rows), 0, cr_view_rows(v, s) - cr_view_rows_shown(v));
}

bool
cr_view_resize(struct cr_view *v, int32_t width, int32_t height)
{
	if (v->width == width && v->height == height)
		return false;
	v->width = width;
	v->height = height;
	return true;
}

/* ---- moving */

uint32_t
cr_view_page(const struct cr_view *v)
{
	return v->height > 3 ? (uint32_t)v->height - 2 : 1;
}

uint32_t
cr_view_row_after(const struct cr_view *v, enum cr_move to)
{
	const uint32_t last = v->n ? v->n - 1 : 0;

	switch (to) {
	case CR_MOVE_UP: return v->row ? v->row - 1 : 0;
	case CR_MOVE_DOWN: return CR_MIN(v->row + 1, last);
	case CR_MOVE_PAGE_UP: return v->row > cr_view_page(v) ? v->row - cr_view_page(v) : 0;
	case CR_MOVE_PAGE_DOWN:
		return last - v->row > cr_view_page(v) ? v->row + cr_view_page(v) : last;
	case CR_MOVE_FIRST:
	case CR_MOVE_TOP: return 0;
	case CR_MOVE_LAST:
	case CR_MOVE_BOTTOM: return last;
	case CR_MOVE_LEFT:
	case CR_MOVE_RIGHT: return v->row;
	}
	return v->row;
}

/* ---- the selection */

uint32_t
cr_view_frame(const struct cr_session *s)
{
	const struct cr_view *v = cr_view_current(s);

	return v->ops->frame ? v->ops->frame(v, s) : s->tree->frame[s->selection.node];
}

bool
cr_view_inlined(const struct cr_session *s)
{
	const struct cr_view *v = cr_view_current(s);

	return v->ops->inlined ? v->ops->inlined(v, s)
			       : s->tree->frames[s->tree->frame[s->selection.node]].inlined;
}

enum cr_view_whole
cr_view_whole(const struct cr_session *s)
{
	if (!s->zoom)
		return CR_WHOLE_ALL;
	return s->sides == 1 ? CR_WHOLE_ZOOM : CR_WHOLE_NO_ZOOM;
}

struct cr_view_costs
cr_view_costs(const struct cr_session *s)
{
	const struct cr_view *v = cr_view_current(s);
	const struct cr_tree *t = s->tree;
	struct cr_view_costs c = {.in_zoom = false};

	for (uint32_t side = 0; side < s->sides; side++) {
		c.whole[side] = cr_tree_whole(t, side);
		c.zoom[side] = t->total[side][s->zoom];
	}
	if (v->ops->costs && v->ops->costs(v, s, &c))
		return c;
	c.in_zoom = s->zoom && !v->ops->ignores_zoom && s->selection.node >= s->zoom &&
		    s->selection.node < t->end[s->zoom];
	for (uint32_t side = 0; side < s->sides; side++) {
		c.total[side] = t->total[side][s->selection.node];
		c.self[side] = t->self[side][s->selection.node];
		c.samples[side] = t->total_samples[side][s->selection.node];
	}
	return c;
}
