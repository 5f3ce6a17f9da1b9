#include "pane_p.h"

#include "base/hash.h"
#include "base/mem.h"

#include <string.h>

/* A change of the share of self, in millionths, from which a row of a difference is coloured. */
#define CHANGE_PPM 1000

/* The head that a word of the line of heads begins with; NULL for none. */
static const struct cr_sheet_column_head *
head_of(const struct cr_sheet_surface *s, const char *field, size_t len)
{
	for (const struct cr_sheet_column_head *h = s->heads; h->word; h++)
		if (len >= strlen(h->word) && memcmp(field, h->word, strlen(h->word)) == 0)
			return h;
	return NULL;
}

/* Mark the column that the rows are sorted by, and which way. */
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
 * The line of heads: words apart by two blanks or more. Numbers stand under the end of their word,
 * so a numeric column reaches from the end of the one before; a column of text from its start. A
 * click sorts by the column; a second one turns the order round.
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
	/* The rest of the line is the last column's. */
	if (s->heads->word && p->zones->n)
		p->zones->p[p->zones->n - 1].x1 = p->x + p->width;
	cr_text_fini(&text);
}

static struct cr_look
row_look(const struct cr_sheet_surface *s, const struct cr_pane *p, uint32_t row)
{
	const struct cr_row_look what = s->look(s, row);
	const bool colors = p->term->colors > CR_COLORS_NONE;
	struct cr_look look = what.strong ? CR_LOOK_BOLD : CR_LOOK_PLAIN;

	if (row == s->view->row)
		return cr_pane_look_selected(p);
	if (what.hit) {
		look.attr = colors ? CR_ATTR_BOLD : CR_ATTR_BOLD | CR_ATTR_UNDERLINE;
		look.fg = colors ? CR_COLOR_HIT : CR_COLOR_DEFAULT;
	} else if (colors && (what.change >= CHANGE_PPM || what.change <= -CHANGE_PPM)) {
		look.fg = cr_palette_diff(what.change, 1);
		/* Of the eight colours the blue one alone is too dark to be read. */
		if (p->term->colors == CR_COLORS_8)
			look.attr |= CR_ATTR_BOLD;
	}
	return look;
}

void
cr_pane_sheet_draw(const struct cr_sheet_surface *s, const struct cr_pane *p)
{
	struct cr_text text = {0};

	draw_head(s, p);
	for (int32_t y = 1; y < p->height; y++) {
		const uint32_t row = (uint32_t)(s->view->first + y - 1);
		struct cr_look look;

		if (row >= s->view->n)
			break;
		look = row_look(s, p, row);
		cr_text_clear(&text);
		s->row(s, row, (uint32_t)p->width, p->term->unicode, &text);
		cr_grid_fill(p->g, p->x, p->y + y, p->width, 1, ' ', look);
		if (text.len)
			cr_grid_text(p->g, p->x, p->y + y, p->width, cr_text_view(&text), look);
	}
	if (!s->view->n)
		cr_grid_text(p->g, p->x + 1, p->y + 1, p->width, cr_str_of(s->empty), CR_LOOK_DIM);
	cr_text_fini(&text);
}

uint32_t
cr_pane_sheet_at(const struct cr_sheet_surface *s, const struct cr_pane *p, int32_t y)
{
	const int32_t row = s->view->first + y - p->y - 1;

	if (y <= p->y || y >= p->y + p->height || row < 0 || row >= (int32_t)s->view->n)
		return CR_NO_ROW;
	return (uint32_t)row;
}
