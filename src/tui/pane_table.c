#include "pane_p.h"

#include "base/hash.h"
#include "base/mem.h"

#include <string.h>

/* A change of the share of self, in millionths, from which a line of a difference is coloured. */
#define CHANGE_PPM 1000

/* Words of the head line, and what a click on their column sorts by. */
static const struct {
	const char *word;
	enum cr_table_sort sort;
	const char *line;
} heads[] = {
	{"SELF +-", CR_SORT_DELTA_SELF, "sort delta-self"},
	{"TOTAL +-", CR_SORT_DELTA_TOTAL, "sort delta-total"},
	{"SELF", CR_SORT_SELF, "sort self"},
	{"SAMPLES", CR_SORT_SELF, "sort self"},
	{"TOTAL", CR_SORT_TOTAL, "sort total"},
	{"FUNCTION", CR_SORT_NAME, "sort name"},
	{"OBJECT", CR_SORT_OBJECT, "sort object"},
};

static size_t
head_of(const char *field, size_t len)
{
	for (size_t i = 0; i < CR_LEN(heads); i++)
		if (len >= strlen(heads[i].word) &&
			memcmp(field, heads[i].word, strlen(heads[i].word)) == 0)
			return i;
	return CR_LEN(heads);
}

/* The column that the table is sorted by, and which way. */
static void
mark_sorted(const struct cr_table *t, const struct cr_pane *p, int32_t x, struct cr_str word)
{
	const struct cr_look look = {
		CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, CR_ATTR_UNDERLINE | CR_ATTR_BOLD};
	const bool by_text = t->sort == CR_SORT_NAME || t->sort == CR_SORT_OBJECT;
	const bool falls = t->reverse == by_text;

	x += cr_grid_text(p->g, x, p->y, p->width, word, look);
	cr_grid_text(p->g, x, p->y, 1,
		cr_str_of(falls ? cr_pane_mark(p, "\xe2\x96\xbe", "v")
				: cr_pane_mark(p, "\xe2\x96\xb4", "^")),
		look);
}

/*
 * The head line: words apart by two blanks or more. Numbers stand under the end of their word, so
 * a numeric column reaches from the end of the one before; the two text columns from their start.
 * A second click on a column turns its order round.
 */
static void
draw_head(const struct cr_table *t, const struct cr_pane *p)
{
	const struct cr_look head_look = {CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, CR_ATTR_UNDERLINE};
	struct cr_text text = {0};
	int32_t x = 0, column = 0, len;
	bool marked = false;

	cr_table_head(t, (uint32_t)p->width, &text);
	cr_grid_fill(p->g, p->x, p->y, p->width, 1, ' ', head_look);
	for (const char *at = text.p ? text.p : ""; *at; at += len, x += len) {
		const char *end = strstr(at, "  ");
		size_t head;

		len = *at == ' ' ? (int32_t)strspn(at, " ")
				 : (int32_t)(end ? (size_t)(end - at) : strlen(at));
		if (*at == ' ')
			continue;
		head = head_of(at, (size_t)len);
		if (head == CR_LEN(heads))
			head = 2; /* "NOW %": goes with the one before */
		else if (heads[head].sort == CR_SORT_NAME || heads[head].sort == CR_SORT_OBJECT)
			column = x;
		cr_grid_text(
			p->g, p->x + x, p->y, len, (struct cr_str){at, (uint32_t)len}, head_look);
		if (heads[head].sort == t->sort && !marked)
			mark_sorted(t, p, p->x + x, (struct cr_str){at, (uint32_t)len});
		marked |= heads[head].sort == t->sort;
		cr_pane_zone(p, p->x + column, p->x + x + len, p->y,
			heads[head].sort == t->sort ? "reverse" : heads[head].line);
		column = x + len;
	}
	/* The rest of the line is the last column's. */
	if (p->zones->n)
		p->zones->p[p->zones->n - 1].x1 = p->x + p->width;
	cr_text_fini(&text);
}

static struct cr_look
line_look(const struct cr_session *s, const struct cr_pane *p, uint32_t line)
{
	const uint32_t row = s->table.order[line];
	const bool colors = p->term->colors > CR_COLORS_NONE;
	struct cr_look look = CR_LOOK_PLAIN;
	int32_t change;

	if (s->row_hit && s->row_hit[row]) {
		look.attr = colors ? CR_ATTR_BOLD : CR_ATTR_BOLD | CR_ATTR_UNDERLINE;
		look.fg = colors ? CR_COLOR_HIT : CR_COLOR_DEFAULT;
	} else if (s->sides == 2 && colors) {
		change = cr_table_delta_self_ppm(&s->top, row);
		if (change >= CHANGE_PPM || change <= -CHANGE_PPM)
			look.fg = cr_palette_diff(change, 1);
		/* Of the eight colours the blue one alone is too dark to be read. */
		if (look.fg != CR_COLOR_DEFAULT && p->term->colors == CR_COLORS_8)
			look.attr |= CR_ATTR_BOLD;
	}
	if (line == s->row)
		look = cr_pane_look_selected(p);
	return look;
}

void
cr_pane_table_draw(struct cr_session *s, const struct cr_pane *p)
{
	const struct cr_table *t = cr_session_table(s);
	struct cr_text text = {0};

	draw_head(t, p);
	for (int32_t y = 1; y < p->height; y++) {
		const uint32_t line = (uint32_t)(s->table_first + y - 1);
		struct cr_look look;

		if (line >= t->n)
			break;
		look = line_look(s, p, line);
		cr_text_clear(&text);
		cr_table_row(t, line, (uint32_t)p->width, &text);
		cr_grid_fill(p->g, p->x, p->y + y, p->width, 1, ' ', look);
		if (text.len)
			cr_grid_text(p->g, p->x, p->y + y, p->width, cr_text_view(&text), look);
	}
	if (!t->n)
		cr_grid_text(p->g, p->x + 1, p->y + 1, p->width, CR_STR("no functions here"),
			CR_LOOK_DIM);
	cr_text_fini(&text);
}

uint32_t
cr_pane_table_at(struct cr_session *s, const struct cr_pane *p, int32_t y)
{
	const int32_t line = s->table_first + y - p->y - 1;

	if (y <= p->y || y >= p->y + p->height || line >= (int32_t)cr_session_table(s)->n)
		return CR_NO_ROW;
	return (uint32_t)line;
}
