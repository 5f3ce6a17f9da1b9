#include "pane_p.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/utf8.h"

/* A pane's view in the coordinates of the screen; views begin at (p->x, p->y). */
static struct cr_pane
view_pane(const struct cr_pane *p, const struct cr_split_pane *at)
{
	struct cr_pane v = *p;

	v.x += at->x;
	v.y += at->y;
	v.width = at->width;
	v.height = at->height;
	return v;
}

/*
 * "─ Functions in main 1-38/207 ───────": the name of the view, reversed if it has the keyboard
 * focus.
 */
static void
draw_heading(struct cr_session *s, const struct cr_split_pane *at, const struct cr_pane *v)
{
	struct cr_look look = CR_LOOK_BOLD;
	struct cr_text text = {0};

	cr_text_char(&text, ' ');
	cr_pane_put_view(cr_view_at(s, at->view), s, &text);
	cr_text_char(&text, ' ');
	if (at->has_keys)
		look.attr |= CR_ATTR_REVERSE;
	else
		look = CR_LOOK_PLAIN;
	cr_grid_fill(
		v->g, v->x, v->y - 1, v->width, 1, v->term->unicode ? 0x2500 : '-', CR_LOOK_DIM);
	cr_grid_text(v->g, v->x + 1, v->y - 1, v->width - 2, cr_text_view(&text), look);
	if (!at->has_keys)
		cr_pane_zone(v, v->x, v->x + v->width, v->y - 1, "pane next");
	cr_text_fini(&text);
}

static void
draw_divider(const struct cr_pane *p, int32_t x)
{
	for (int32_t y = 0; y < p->height; y++)
		cr_grid_put(p->g, p->x + x, p->y + y,
			!p->term->unicode ? '|'
			: y == 0          ? 0x252c
					  : 0x2502,
			CR_LOOK_DIM);
}

void
cr_pane_split_draw(struct cr_session *s, const struct cr_pane *p)
{
	const struct cr_split_layout l = cr_split_layout(s);

	for (uint32_t i = 0; i < l.n; i++) {
		const struct cr_pane v = view_pane(p, &l.pane[i]);

		if (l.n > 1)
			draw_heading(s, &l.pane[i], &v);
		cr_pane_view_draw(cr_view_at(s, l.pane[i].view), s, &v);
	}
	if (l.beside)
		draw_divider(p, l.pane[1].x - 1);
}

static bool
is_in(const struct cr_pane *p, int32_t x, int32_t y)
{
	return x >= p->x && x < p->x + p->width && y >= p->y && y < p->y + p->height;
}

uint32_t
cr_pane_split_at(const struct cr_session *s, const struct cr_pane *p, int32_t x, int32_t y,
	struct cr_pane *out)
{
	const struct cr_split_layout l = cr_split_layout(s);

	for (uint32_t i = 0; i < l.n; i++) {
		struct cr_pane whole = view_pane(p, &l.pane[i]);

		*out = whole;
		if (l.n > 1) {
			whole.y--;
			whole.height++;
		}
		if (is_in(&whole, x, y))
			return i;
	}
	return CR_NO_ROW;
}

bool
cr_pane_on_divider(const struct cr_session *s, const struct cr_pane *p, int32_t x, int32_t y)
{
	const struct cr_split_layout l = cr_split_layout(s);

	if (l.n < 2 || !is_in(p, x, y))
		return false;
	return l.beside ? x == p->x + l.pane[1].x - 1 : y == p->y + l.pane[1].y - 1;
}

void
cr_pane_put_divider(const struct cr_session *s, const struct cr_pane *p, int32_t x, int32_t y,
	struct cr_text *out)
{
	const bool beside = cr_split_layout(s).beside;
	const int32_t all = CR_MAX(beside ? p->width - 1 : p->height, 1);
	const int32_t first = beside ? x - p->x : y - p->y;
	/* Rounded up, so that the split comes out at the requested cell. */
	const int32_t per_mille = (CR_MAX(first, 0) * 1000 + all - 1) / all;

	cr_text_printf(
		out, "pane %d.%d", CR_MIN(per_mille, 1000) / 10, CR_MIN(per_mille, 1000) % 10);
}
