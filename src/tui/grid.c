#include "tui/grid.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static const struct cr_cell blank = {.ch = ' ', .fg = CR_COLOR_DEFAULT, .bg = CR_COLOR_DEFAULT};

void
cr_grid_init(struct cr_grid *g, int32_t width, int32_t height)
{
	*g = (struct cr_grid){0};
	cr_grid_resize(g, width, height);
}

void
cr_grid_resize(struct cr_grid *g, int32_t width, int32_t height)
{
	g->width = CR_MAX(width, 0);
	g->height = CR_MAX(height, 0);
	g->cells = cr_realloc(
		g->cells, (uint64_t)g->width * (uint64_t)g->height + 1, sizeof(*g->cells));
	cr_grid_clear(g);
}

void
cr_grid_clear(struct cr_grid *g)
{
	const size_t n = (size_t)g->width * (size_t)g->height;

	for (size_t i = 0; i < n; i++)
		g->cells[i] = blank;
	g->cursor_x = g->cursor_y = -1;
}

void
cr_grid_to_ascii(struct cr_grid *g)
{
	const size_t n = (size_t)g->width * (size_t)g->height;

	for (size_t i = 0; i < n; i++) {
		uint32_t *ch = &g->cells[i].ch;

		if (*ch == 0x2026)
			*ch = '~'; /* the ellipsis of a shortened name */
		else if (*ch > 126 || *ch == 0)
			*ch = '?';
		memset(g->cells[i].marks, 0, sizeof(g->cells[i].marks));
	}
}

void
cr_grid_fini(struct cr_grid *g)
{
	free(g->cells);
	*g = (struct cr_grid){0};
}

static struct cr_cell *
grid_cell(struct cr_grid *g, int32_t x, int32_t y)
{
	if (x < 0 || y < 0 || x >= g->width || y >= g->height)
		return NULL;
	return &g->cells[(size_t)y * (size_t)g->width + (size_t)x];
}

/* If half of a wide character is overwritten, replace the other half by a blank. */
static void
grid_split_wide(struct cr_grid *g, int32_t x, int32_t y)
{
	struct cr_cell *at = grid_cell(g, x, y), *next = grid_cell(g, x + 1, y);

	if (at->ch == 0 && x > 0) {
		at[-1].ch = ' ';
		memset(at[-1].marks, 0, sizeof(at[-1].marks));
	}
	if (at->ch != 0 && next && next->ch == 0)
		next->ch = ' ';
}

void
cr_grid_put(struct cr_grid *g, int32_t x, int32_t y, uint32_t ch, struct cr_look look)
{
	struct cr_cell *c = grid_cell(g, x, y);
	const unsigned width = cr_utf8_width(ch);

	if (!c || width == 0)
		return;
	if (width == 2 && !grid_cell(g, x + 1, y))
		ch = ' ';
	grid_split_wide(g, x, y);
	*c = (struct cr_cell){.ch = ch, .fg = look.fg, .bg = look.bg, .attr = look.attr};
	if (width == 1 || ch == ' ')
		return;
	grid_split_wide(g, x + 1, y);
	c[1] = (struct cr_cell){.ch = 0, .fg = look.fg, .bg = look.bg, .attr = look.attr};
}

void
cr_grid_look(struct cr_grid *g, int32_t x, int32_t y, struct cr_look look)
{
	struct cr_cell *c = grid_cell(g, x, y);

	if (!c)
		return;
	c->fg = look.fg;
	c->bg = look.bg;
	c->attr = look.attr;
}

/* Add a combining mark to the character at (x, y); too many are dropped. */
static void
grid_mark(struct cr_grid *g, int32_t x, int32_t y, uint32_t mark)
{
	struct cr_cell *c = grid_cell(g, x, y);

	for (size_t i = 0; c && i < CR_CELL_MARKS; i++) {
		if (c->marks[i])
			continue;
		c->marks[i] = mark;
		return;
	}
}

int32_t
cr_grid_text(
	struct cr_grid *g, int32_t x, int32_t y, int32_t max, struct cr_str s, struct cr_look look)
{
	struct cr_text safe = {0};
	int32_t used = 0, last = x;
	unsigned len;

	max = CR_MIN(max, g->width - x);
	cr_text_safe(&safe, s);
	for (size_t i = 0; i < safe.len; i += len) {
		const uint32_t ch = cr_utf8_decode(safe.p + i, safe.len - i, &len);
		const int32_t width = (int32_t)cr_utf8_width(ch);

		if (used + width > max)
			break;
		if (width == 0) {
			grid_mark(g, last, y, ch);
			continue;
		}
		last = x + used;
		cr_grid_put(g, last, y, ch, look);
		used += width;
	}
	cr_text_fini(&safe);
	return used;
}

void
cr_grid_fill(struct cr_grid *g, int32_t x, int32_t y, int32_t width, int32_t height, uint32_t ch,
	struct cr_look look)
{
	for (int32_t j = y; j < y + height; j++)
		for (int32_t i = x; i < x + width; i++)
			cr_grid_put(g, i, j, ch, look);
}

/* ---- dump */

static void
dump_trim(struct cr_text *out, size_t from)
{
	while (out->len > from && out->p[out->len - 1] == ' ')
		out->p[--out->len] = '\0';
	cr_text_char(out, '\n');
}

static void
dump_characters(const struct cr_grid *g, struct cr_text *out)
{
	for (int32_t y = 0; y < g->height; y++) {
		const size_t from = out->len;

		for (int32_t x = 0; x < g->width; x++) {
			const struct cr_cell *c =
				&g->cells[(size_t)y * (size_t)g->width + (size_t)x];
			char utf8[4];

			if (c->ch)
				cr_text_put(out, utf8, cr_utf8_encode(c->ch, utf8));
			for (size_t i = 0; i < CR_CELL_MARKS && c->marks[i]; i++)
				cr_text_put(out, utf8, cr_utf8_encode(c->marks[i], utf8));
		}
		dump_trim(out, from);
	}
}

static bool
look_same(const struct cr_cell *a, const struct cr_cell *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attr == b->attr;
}

static void
dump_color(struct cr_text *out, const char *what, uint32_t rgb)
{
	if (rgb != CR_COLOR_DEFAULT)
		cr_text_printf(out, " %s#%06x", what, (unsigned)rgb);
}

static void
dump_look(struct cr_text *out, char sign, const struct cr_cell *c)
{
	cr_text_printf(out, "%c", sign);
	dump_color(out, "", c->fg);
	dump_color(out, "on ", c->bg);
	cr_text_puts(out, c->attr & CR_ATTR_BOLD ? " bold" : "");
	cr_text_puts(out, c->attr & CR_ATTR_REVERSE ? " reverse" : "");
	cr_text_puts(out, c->attr & CR_ATTR_UNDERLINE ? " underline" : "");
	cr_text_puts(out, c->attr & CR_ATTR_DIM ? " dim" : "");
	cr_text_char(out, '\n');
}

/*
 * One letter per look, in order of appearance, then the meaning of the letters. Blank is the plain
 * look.
 */
static void
dump_looks(const struct cr_grid *g, struct cr_text *out)
{
	static const char signs[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	const struct cr_cell *looks[sizeof(signs) - 1];
	size_t n = 0, k;

	for (int32_t y = 0; y < g->height; y++) {
		const size_t from = out->len;

		for (int32_t x = 0; x < g->width; x++) {
			const struct cr_cell *c =
				&g->cells[(size_t)y * (size_t)g->width + (size_t)x];

			if (look_same(c, &blank)) {
				cr_text_char(out, ' ');
				continue;
			}
			for (k = 0; k < n && !look_same(looks[k], c); k++)
				;
			if (k == n && n < CR_LEN(looks))
				looks[n++] = c;
			cr_text_char(out, k < n ? signs[k] : '?');
		}
		dump_trim(out, from);
	}
	for (k = 0; k < n; k++)
		dump_look(out, signs[k], looks[k]);
}

void
cr_grid_dump(const struct cr_grid *g, bool with_looks, struct cr_text *out)
{
	dump_characters(g, out);
	if (with_looks)
		dump_looks(g, out);
}
