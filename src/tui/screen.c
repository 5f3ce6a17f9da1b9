#include "browser_p.h"

#include "view/style/label.h"

/*
 *	title
 *	the view, or a page of text
 *	the selection: two lines, one on a low screen
 *	labels; or the line being typed; or a message
 */
#define TITLE_CELLS 6 /* minimum width for the title of a page */
#define LOW_SCREEN 10 /* with fewer lines, the selection gets one line */

static struct cr_pane
pane(struct cr_browser *u, int32_t y, int32_t height)
{
	return (struct cr_pane){.g = u->g,
		.theme = cr_session_theme(u->s),
		.term = u->t,
		.zones = &u->zones,
		.y = y,
		.width = u->g->width,
		.height = CR_MAX(height, 0)};
}

void
cr_browser_layout(struct cr_browser *u)
{
	const int32_t h = u->g->height;
	const int32_t status = h < LOW_SCREEN ? 1 : 2;

	u->views = pane(u, 1, h - status - 2);
	u->status = pane(u, h - 1 - status, status);
	u->bottom = pane(u, h - 1, 1);
	cr_split_resize(u->s, CR_MAX(u->views.width, 1), CR_MAX(u->views.height, 1));
}

/* A message that is too long for the bottom line also uses the lines of the selection. */
static void
draw_message(struct cr_browser *u)
{
	const int32_t width = CR_MAX(u->g->width - 2, 1);
	const struct cr_text *message = cr_session_message(u->s);
	struct cr_pager lines = {0};

	cr_pager_set(&lines, "", cr_text_view(message));
	cr_pager_fit(&lines, width, 1 + u->status.height);
	for (int32_t i = 0, n = CR_MIN((int32_t)lines.rows.n, lines.height); i < n; i++) {
		const struct cr_pager_row *row = &lines.rows.p[i];
		const int32_t y = u->bottom.y - n + 1 + i;

		cr_grid_fill(u->g, 0, y, u->g->width, 1, ' ', CR_LOOK_PLAIN);
		if (row->len)
			cr_grid_text(u->g, 1 + (int32_t)row->indent, y, width,
				(struct cr_str){lines.text.p + row->from, row->len}, CR_LOOK_BOLD);
	}
	cr_pager_close(&lines);
}

static void
draw_bottom(struct cr_browser *u)
{
	if (u->asking == CR_ASK_PANE)
		cr_status_pane_labels(&u->bottom);
	else if (u->asking)
		cr_prompt_draw(&u->prompt, &u->bottom, u->hint.len ? u->hint.p : NULL);
	else if (cr_session_message(u->s)->len)
		draw_message(u);
	else
		cr_status_labels(u->s, &u->bottom, u->page.title != NULL);
}

/* If space is short, the title is shortened in favour of the position. */
static void
draw_page(struct cr_browser *u)
{
	const struct cr_pane text = pane(u, 1, u->g->height - 2);
	struct cr_text left = {0}, right = {0};
	int32_t x;

	if (u->page.pattern) {
		cr_pager_put_matches(&u->page, &right);
		cr_text_puts(&right, "  ");
	}
	cr_pager_put_place(&u->page, &right);
	x = CR_MAX(u->g->width - 1 - (int32_t)right.len, 0);
	cr_grid_fill(u->g, 0, 0, u->g->width, 1, ' ', CR_LOOK_REVERSE);
	if (x > 2 + TITLE_CELLS || !right.len) {
		cr_label_fit(&left, cr_str_of(u->page.title), (uint32_t)CR_MAX(x - 3, 1));
		cr_grid_text(u->g, 1, 0, CR_MAX(x - 3, 0), cr_text_view(&left), CR_LOOK_REVERSE);
	}
	if (right.len)
		cr_grid_text(u->g, x, 0, u->g->width, cr_text_view(&right), CR_LOOK_REVERSE);
	cr_pager_draw(&u->page, &text);
	draw_bottom(u);
	cr_text_fini(&left);
	cr_text_fini(&right);
}

void
cr_browser_draw(struct cr_browser *u)
{
	const struct cr_pane title = pane(u, 0, 1);

	u->zones.n = 0;
	cr_browser_layout(u);
	cr_grid_clear(u->g);
	if (u->page.title) {
		draw_page(u);
	} else {
		cr_title_bar_draw(u->s, &title);
		cr_pane_split_draw(u->s, &u->views);
		cr_status_selected(u->s, &u->status);
		draw_bottom(u);
	}
	if (!u->t->unicode)
		cr_grid_to_ascii(u->g);
}
