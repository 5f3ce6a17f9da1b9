#include "pane_p.h"

#include "base/hash.h"
#include "base/mem.h"

#include <inttypes.h>

void
cr_pane_put_view(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const int32_t shown = cr_view_rows_shown(v), all = cr_view_rows(v, s);

	cr_text_puts(out, v->ops->name);
	if (v->ops->put_title)
		v->ops->put_title(v, s, out);
	if (v->ops->ignores_zoom && cr_session_zoom(s))
		cr_text_puts(out, ", not zoomed");
	if (all > shown)
		cr_text_printf(out, " %d-%d/%d", v->first + 1, CR_MIN(v->first + shown, all), all);
}

static void
mark_scene(const struct cr_scene_surface *s, int32_t first, const struct cr_pane *p)
{
	const int32_t leaves = s->scene->rows - first - p->height;

	cr_pane_mark_beyond(p, p->y, s->root_up ? first : leaves, true);
	cr_pane_mark_beyond(p, p->y + p->height - 1, s->root_up ? leaves : first, false);
}

void
cr_pane_view_draw(struct cr_view *v, struct cr_session *s, const struct cr_pane *p)
{
	const void *surface = v->ops->surface_of(v, s);

	switch (v->ops->surface) {
	case CR_SURFACE_SCENE:
		cr_pane_scene_draw(surface, v->first, p);
		mark_scene(surface, v->first, p);
		return;
	case CR_SURFACE_SHEET: cr_pane_sheet_draw(surface, p); return;
	}
}

bool
cr_pane_view_at(struct cr_view *v, struct cr_session *s, const struct cr_pane *p, int32_t x,
	int32_t y, struct cr_text *out)
{
	const void *surface = v->ops->surface_of(v, s);
	uint32_t at = CR_NO_ROW;

	if (x < p->x || x >= p->x + p->width || y < p->y || y >= p->y + p->height)
		return false;
	switch (v->ops->surface) {
	case CR_SURFACE_SCENE:
		at = cr_pane_scene_at(surface, v->first, p, x, y);
		cr_text_printf(out, "select %" PRIu32, at);
		break;
	case CR_SURFACE_SHEET:
		at = cr_pane_sheet_at(surface, p, x, y, out);
		if (!out->len)
			cr_text_printf(out, "row %" PRIu32, at + 1);
		break;
	}
	return at != CR_NO_ROW;
}

bool
cr_pane_view_drag(struct cr_view *v, struct cr_session *s, const struct cr_pane *p, int32_t from,
	int32_t to, struct cr_text *out)
{
	const struct cr_sheet_surface *surface;

	if (v->ops->surface != CR_SURFACE_SHEET)
		return false;
	surface = v->ops->surface_of(v, s);
	if (surface->put_drag)
		surface->put_drag(surface, from - p->x,
			CR_MAX(CR_MIN(to, p->x + p->width - 1) - p->x, 0), out);
	return out->len > 0;
}
