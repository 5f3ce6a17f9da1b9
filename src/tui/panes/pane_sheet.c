#include "pane_p.h"

#include "base/hash.h"
#include "base/mem.h"

#include <string.h>

/*
 * A row of a difference is coloured if its share of self changed by at least this, in millionths.
 */
#define CHANGE_PPM 1000

/* The column head of a word in the heading line; NULL if none. */
static const struct cr_sheet_column_head *
head_of(const struct cr_sheet_surface *s, const char *field, size_t len)
{
	for (const struct cr_sheet_column_head *h = s->heads; h && h->word; h++)
		if (len >= strlen(h->word) && memcmp(field, h->word, strlen(h->word)) == 0)
			return h;
	return NULL;
}

/* Mark the column that the rows are sorted by, and the direction. */
static void
mark_sorted(
	const struct cr_sheet_surface *s, const struct cr_pane *p, int32_t x, struct cr_str word)
{
	const struct cr_look look = {
		CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, CR_ATTR_UNDERLINE | CR_ATTR_BOLD};

	x += cr_grid_text(p->g, x, p->y, p->width, word, look);
	cr_grid_text(p->g, x, p->y, 1,
		cr_str_of(s->falls ? cr_pane_mark(p, "\xe2\x96\xbe", "v")
				   : cr_pane_mark(p, "\xe2\x96\xb4", "^")),
		look);
}

/*
 * Draw the heading line: words separated by two blanks or more. Numbers are aligned to the end of
 * their word, so a numeric column reaches from the end of the column before. A column of text
 * starts at its word. A click sorts by the column; a second one reverses the order.
 */
static void
draw_head(const struct cr_sheet_surface *s, const struct cr_pane *p)
{
	const struct cr_look head_look = {CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, CR_ATTR_UNDERLINE};
	struct cr_text text = {0};
	int32_t x = 0, column = 0, len;
	bool marked = false;

	s->head(s, (uint32_t)p->width, p->term->unicode, &text);
	cr_grid_fill(p->g, p->x, p->y, p->width, 1, ' ', head_look);
	for (const char *at = text.p ? text.p : ""; *at; at += len, x += len) {
		const char *end = strstr(at, "  ");
		const struct cr_sheet_column_head *head;
		bool sorted;

		len = *at == ' ' ? (int32_t)strspn(at, " ")
				 : (int32_t)(end ? (size_t)(end - at) : strlen(at));
		if (*at == ' ')
			continue;
		cr_grid_text(
			p->g, p->x + x, p->y, len, (struct cr_str){at, (uint32_t)len}, head_look);
		head = head_of(s, at, (size_t)len);
		if (!head)
			continue;
		sorted = s->sorted && strcmp(head->line, s->sorted) == 0;
		if (head->is_text)
			column = x;
		if (sorted && !marked)
			mark_sorted(s, p, p->x + x, (struct cr_str){at, (uint32_t)len});
		marked |= sorted;
		cr_pane_zone(
			p, p->x + column, p->x + x + len, p->y, sorted ? "reverse" : head->line);
		column = x + len;
	}
	/* The rest of the line belongs to the last column. */
	if (s->heads && p->zones->n)
		p->zones->p[p->zones->n - 1].x1 = p->x + p->width;
	cr_text_fini(&text);
}

static struct cr_look
row_look(const struct cr_sheet_surface *s, const struct cr_pane *p, uint32_t row)
{
	const struct cr_row_look what = s->look(s, row);
	const bool colors = p->term->colors > CR_COLORS_NONE;
	struct cr_look look = what.strong ? CR_LOOK_BOLD : CR_LOOK_PLAIN;

	if (row == s->view->row && !s->paint)
		return cr_pane_look_selected(p);
	if (what.hit && !s->paint) {
		look = cr_pane_look_match(p);
	} else if (what.noise) {
		look = CR_LOOK_DIM;
	} else if (colors && (what.change >= CHANGE_PPM || what.change <= -CHANGE_PPM)) {
		look.fg = cr_palette_diff(what.change, 1);
		/* With 8 or 16 colours, black text is unreadable only on blue. */
		if (p->term->colors < CR_COLORS_256)
			look.attr |= CR_ATTR_BOLD;
	}
	return look;
}

/* ---- painted rows */

static void
draw_span(const struct cr_pane *p, int32_t y, const struct cr_ink_span *span, bool hit)
{
	const bool is_name = span->ink >= CR_INK_NAME && span->ink <= CR_INK_NAME_GROUP;
	const struct cr_look look = hit && is_name ? cr_pane_look_match(p)
						   : cr_pane_look_ink(p, span->ink, span->level);

	for (uint32_t i = 0; i < span->cells; i++) {
		const int64_t x = (int64_t)span->x + i;

		if (x >= p->width)
			return;
		cr_grid_look(p->g, p->x + (int32_t)x, y, look);
		if (look.bg != CR_COLOR_DEFAULT)
			cr_grid_put(p->g, p->x + (int32_t)x, y, ' ', look);
	}
}

/* The cells from..to of the selected row; a bar in them keeps a colour of its own. */
static void
draw_chosen_part(const struct cr_pane *p, int64_t from, int64_t to, int32_t y, struct cr_look look)
{
	for (int64_t x = CR_MAX(from, 0); x < CR_MIN(to, (int64_t)p->width); x++)
		cr_grid_look(p->g, p->x + (int32_t)x, y, look);
}

static void
draw_chosen(const struct cr_sheet_surface *s, const struct cr_pane *p, const cr_ink_spans *spans,
	int32_t y)
{
	int32_t from = 0, n = p->width;
	int64_t to;

	if (s->chosen)
		s->chosen(s, (uint32_t)p->width, &from, &n);
	to = (int64_t)from + n;
	draw_chosen_part(p, from, to, y, cr_pane_look_selected(p));
	for (size_t i = 0; i < spans->n; i++) {
		const struct cr_ink_span *span = &spans->p[i];
		const int64_t end = (int64_t)span->x + span->cells;

		if (span->ink == CR_INK_BAR)
			draw_chosen_part(p, CR_MAX((int64_t)from, (int64_t)span->x),
				CR_MIN(to, end), y, cr_pane_look_selected_bar(p, span->level));
	}
}

static void
draw_painted(const struct cr_sheet_surface *s, const struct cr_pane *p, uint32_t row, int32_t y)
{
	struct cr_text text = {0};
	cr_ink_spans spans = {0};
	struct cr_paint line = {&text, &spans, 0, (uint32_t)p->width};
	const struct cr_look look = row_look(s, p, row);
	const bool hit = s->look(s, row).hit;

	s->paint(s, row, p->term->unicode, &line);
	if (text.len)
		cr_grid_text(p->g, p->x, y, p->width, cr_text_view(&text), look);
	for (size_t i = 0; i < spans.n; i++)
		draw_span(p, y, &spans.p[i], hit);
	if (row == s->view->row)
		draw_chosen(s, p, &spans, y);
	cr_text_fini(&text);
	cr_vec_fini(&spans);
}

static void
draw_row(const struct cr_sheet_surface *s, const struct cr_pane *p, uint32_t row, int32_t y)
{
	const struct cr_look look = row_look(s, p, row);
	struct cr_text text = {0};

	s->row(s, row, (uint32_t)p->width, p->term->unicode, &text);
	cr_grid_fill(p->g, p->x, y, p->width, 1, ' ', look);
	if (text.len)
		cr_grid_text(p->g, p->x, y, p->width, cr_text_view(&text), look);
	cr_text_fini(&text);
}

static int32_t
heads_of(const struct cr_sheet_surface *s)
{
	return s->view->ops->no_heads ? 0 : 1;
}

/* Lines apart by '\n'; a single one is no more than a remark. */
static void
draw_empty(const struct cr_sheet_surface *s, const struct cr_pane *p, int32_t y)
{
	const char *at = s->empty ? s->empty : "";
	const struct cr_look look = strchr(at, '\n') ? CR_LOOK_PLAIN : CR_LOOK_DIM;

	for (; *at && y < p->height; y++) {
		const size_t len = strcspn(at, "\n");

		if (len)
			cr_grid_text(p->g, p->x + 1, p->y + y, p->width - 1,
				(struct cr_str){at, (uint32_t)len}, look);
		at += len + (at[len] == '\n');
	}
}

void
cr_pane_sheet_draw(const struct cr_sheet_surface *s, const struct cr_pane *p)
{
	const int32_t heads = heads_of(s);

	if (heads)
		draw_head(s, p);
	for (int32_t y = heads; y < p->height; y++) {
		const uint32_t row = (uint32_t)(s->view->first + y - heads);

		if (row >= s->view->n)
			break;
		if (s->paint)
			draw_painted(s, p, row, p->y + y);
		else
			draw_row(s, p, row, p->y + y);
	}
	if (!s->view->n)
		draw_empty(s, p, heads);
}

uint32_t
cr_pane_sheet_at(const struct cr_sheet_surface *s, const struct cr_pane *p, int32_t x, int32_t y,
	struct cr_text *click)
{
	const int32_t line = y - p->y - heads_of(s), row = s->view->first + line;

	if (line < 0 || y >= p->y + p->height || row < 0 || row >= (int32_t)s->view->n)
		return CR_NO_ROW;
	if (s->put_click)
		s->put_click(s, (uint32_t)row, x - p->x, (uint32_t)p->width, click);
	return (uint32_t)row;
}
