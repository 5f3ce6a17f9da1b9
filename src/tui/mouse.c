#include "browser_p.h"
#include "keymap_p.h"

#include "base/hash.h"

#include <string.h>

#define WHEEL_ROWS 3 /* rows scrolled by a turn of the wheel */

static const char *
zone_at(const struct cr_browser *u, int32_t x, int32_t y)
{
	for (size_t i = 0; i < u->zones.n; i++)
		if (y == u->zones.p[i].y && x >= u->zones.p[i].x0 && x < u->zones.p[i].x1)
			return u->zones.p[i].line;
	return NULL;
}

/* Select what is drawn at a cell of a view. Returns false if there is nothing. */
static bool
select_at(struct cr_browser *u, const struct cr_pane *view, int32_t x, int32_t y)
{
	struct cr_text line = {0};
	const bool hit = cr_pane_view_at(cr_view_current(u->s), u->s, view, x, y, &line);

	if (hit)
		cr_browser_command(u, line.p);
	cr_text_fini(&line);
	return hit;
}

/*
 * Move the line between two panes to the mouse. Returns true if that was intended: a click on the
 * line without a move is a click on the heading of the lower pane.
 */
static bool
drag(struct cr_browser *u, const struct cr_input_event *e)
{
	const char *heading = zone_at(u, e->x, e->y);
	struct cr_text line = {0};

	if (!u->dragging && e->mouse == CR_MOUSE_DRAG && u->pressed.width &&
		cr_pane_view_drag(
			cr_view_current(u->s), u->s, &u->pressed, u->pressed_x, e->x, &line))
		cr_browser_command(u, line.p);
	cr_text_clear(&line);
	if (e->mouse == CR_MOUSE_CLICK) {
		u->pressed.width = 0;
		u->dragging = cr_pane_on_divider(u->s, &u->views, e->x, e->y);
		u->dragged = false;
		cr_text_fini(&line);
		return u->dragging;
	}
	if (u->dragging && e->mouse == CR_MOUSE_DRAG) {
		cr_pane_put_divider(u->s, &u->views, e->x, e->y, &line);
		cr_browser_command(u, line.p);
		u->dragged = true;
	}
	if (e->mouse == CR_MOUSE_RELEASE) {
		if (u->dragging && !u->dragged && heading)
			cr_browser_run_bound(u, heading);
		u->dragging = false;
	}
	cr_text_fini(&line);
	return e->mouse == CR_MOUSE_DRAG || e->mouse == CR_MOUSE_RELEASE;
}

/* The wheel scrolls what is under the mouse, even in the pane without the keys. */
static void
scroll_other(struct cr_browser *u, enum cr_mouse mouse)
{
	struct cr_text line = {0};

	cr_text_printf(
		&line, "scroll-other %d", mouse == CR_MOUSE_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
	cr_browser_command(u, line.p);
	cr_text_fini(&line);
}

static void
mouse_in_page(struct cr_browser *u, const struct cr_input_event *e, const char *line)
{
	if (e->mouse == CR_MOUSE_WHEEL_UP || e->mouse == CR_MOUSE_WHEEL_DOWN) {
		cr_pager_scroll_to(&u->page,
			u->page.first + (e->mouse == CR_MOUSE_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS));
	} else if (line) {
		cr_session_clear_message(u->s);
		cr_browser_run_bound(u, line);
	}
}

/* A click in the other pane first gives it the keys. */
static void
mouse_in_views(struct cr_browser *u, const struct cr_input_event *e, const char *line)
{
	const struct cr_mouse_binding *b = cr_keymap_mouse_at(e->mouse);
	const bool click = e->mouse == CR_MOUSE_CLICK || e->mouse == CR_MOUSE_DOUBLE;
	struct cr_pane view = u->views;
	const uint32_t at = cr_pane_split_at(u->s, &u->views, e->x, e->y, &view);
	const bool other = at != CR_NO_ROW && !cr_split_layout(u->s).pane[at].has_keys;

	cr_session_clear_message(u->s);
	if (drag(u, e))
		return;
	if (other && !click && e->mouse != CR_MOUSE_RIGHT) {
		scroll_other(u, e->mouse);
		return;
	}
	if (other)
		cr_browser_command(u, "pane next");
	if (click && at != CR_NO_ROW) {
		u->pressed = view;
		u->pressed_x = e->x;
	}
	if (line && !(other && strcmp(line, "pane next") == 0))
		cr_browser_run_bound(u, line);
	else if (!line && (!click || select_at(u, &view, e->x, e->y)) && *b->line)
		cr_browser_run(u, b->line);
}

void
cr_browser_mouse(struct cr_browser *u, const struct cr_input_event *e)
{
	const bool click = e->mouse == CR_MOUSE_CLICK || e->mouse == CR_MOUSE_DOUBLE;
	const char *line = click ? zone_at(u, e->x, e->y) : NULL;

	if (u->asking)
		return;
	if (u->page.title)
		mouse_in_page(u, e, line);
	else
		mouse_in_views(u, e, line);
}
