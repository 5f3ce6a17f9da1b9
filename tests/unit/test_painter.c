/* The painter, on a terminal in memory that knows the sequences it may send. */
#include "testing.h"

#include "tui/term/painter_p.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 40
#define HEIGHT 12

/* ---- a terminal: what it shows, and what was sent to it */

struct screen {
	struct cr_grid g;
	struct cr_look look;
	int32_t x, y, top, bottom;
	uint32_t last; /* character, for REP */
	size_t bytes;
};

static void
put_color(int32_t color, bool background, struct cr_text *out)
{
	cr_text_printf(out, "%d;2;%d;%d;%d", background ? 48 : 38, (int)(color >> 16),
		(int)(color >> 8 & 255), (int)(color & 255));
}

static struct cr_painter_terminal
terminal(void)
{
	return (struct cr_painter_terminal){.colors = CR_COLORS_DIRECT,
		.unicode = true,
		.ansi = true,
		.turns_off = true,
		.default_colors = true,
		.fills = true,
		.erases = true,
		.repeats = true,
		.scrolls = true,
		.shifts = true,
		.attrs = CR_ATTR_BOLD | CR_ATTR_DIM | CR_ATTR_REVERSE | CR_ATTR_UNDERLINE,
		.clear = "\033[H\033[2J",
		.reset = "\033[m",
		.bold = "\033[1m",
		.dim = "\033[2m",
		.reverse = "\033[7m",
		.underline = "\033[4m",
		.show_cursor = "\033[?25h",
		.hide_cursor = "\033[?25l",
		.put_color = put_color};
}

static const struct cr_look erased = {CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, 0};

static void
screen_init(struct screen *s)
{
	*s = (struct screen){.look = erased, .bottom = HEIGHT - 1};
	cr_grid_init(&s->g, WIDTH, HEIGHT);
}

static void
color_apply(struct cr_look *look, const int *n, size_t *i)
{
	const uint32_t rgb =
		(uint32_t)n[*i + 2] << 16 | (uint32_t)n[*i + 3] << 8 | (uint32_t)n[*i + 4];

	assert_int_equal(n[*i + 1], 2);
	if (n[*i] == 38)
		look->fg = rgb;
	else
		look->bg = rgb;
	*i += 4;
}

static void
looks_apply(struct screen *s, const int *n, size_t count)
{
	struct cr_look *l = &s->look;

	for (size_t i = 0; i < count; i++)
		switch (n[i]) {
		case 0: *l = erased; break;
		case 1: l->attr |= CR_ATTR_BOLD; break;
		case 2: l->attr |= CR_ATTR_DIM; break;
		case 4: l->attr |= CR_ATTR_UNDERLINE; break;
		case 7: l->attr |= CR_ATTR_REVERSE; break;
		case 22: l->attr &= (uint8_t) ~(CR_ATTR_BOLD | CR_ATTR_DIM); break;
		case 24: l->attr &= (uint8_t)~CR_ATTR_UNDERLINE; break;
		case 27: l->attr &= (uint8_t)~CR_ATTR_REVERSE; break;
		case 39: l->fg = CR_COLOR_DEFAULT; break;
		case 49: l->bg = CR_COLOR_DEFAULT; break;
		default: color_apply(l, n, &i);
		}
}

static void
scroll(struct screen *s, bool up)
{
	const size_t row = WIDTH * sizeof(*s->g.cells);
	struct cr_cell *top = s->g.cells + s->top * WIDTH;
	const size_t rows = (size_t)(s->bottom - s->top);

	assert_int_equal(s->look.bg, CR_COLOR_DEFAULT);
	if (up)
		memmove(top, top + WIDTH, rows * row);
	else
		memmove(top + WIDTH, top, rows * row);
	cr_grid_fill(&s->g, 0, up ? s->bottom : s->top, WIDTH, 1, ' ', erased);
}

static void
put(struct screen *s, uint32_t ch)
{
	assert_in_range(s->x, 0, WIDTH - (int32_t)cr_utf8_width(ch));
	cr_grid_put(&s->g, s->x, s->y, ch, s->look);
	s->x += (int32_t)cr_utf8_width(ch);
	s->last = ch;
}

static void
erase(struct screen *s, int32_t cells)
{
	const struct cr_look look = {CR_COLOR_DEFAULT, s->look.bg, 0};

	assert_in_range(s->x, 0, WIDTH - 1);
	cr_grid_fill(&s->g, s->x, s->y, cells, 1, ' ', look);
}

/* Delete cells at the cursor, or insert some if n is negative. */
static void
shift(struct screen *s, int32_t n)
{
	struct cr_cell *at = s->g.cells + s->y * WIDTH + s->x;
	const size_t kept = (size_t)(WIDTH - s->x - abs(n)) * sizeof(*at);

	assert_int_equal(s->look.bg, CR_COLOR_DEFAULT);
	if (n > 0)
		memmove(at, at + n, kept);
	else
		memmove(at - n, at, kept);
	cr_grid_fill(&s->g, n > 0 ? WIDTH - n : s->x, s->y, abs(n), 1, ' ', erased);
}

/* ESC [ numbers final */
static const char *
csi(struct screen *s, const char *p)
{
	int n[16] = {0};
	size_t count = 0;

	if (*p == '?')
		return strpbrk(p, "hl") + 1;
	do
		n[count++] = (int)strtol(p, (char **)(uintptr_t)&p, 10);
	while (*p == ';' && p++ && count < CR_LEN(n));
	switch (*p) {
	case 'm': looks_apply(s, n, count); break;
	case 'H':
		s->y = CR_MAX(n[0], 1) - 1;
		s->x = CR_MAX(n[1], 1) - 1;
		break;
	case 'C': s->x += CR_MAX(n[0], 1); break;
	case 'J': cr_grid_clear(&s->g); break;
	case 'K': erase(s, WIDTH - s->x); break;
	case 'X': erase(s, n[0]); break;
	case 'P': shift(s, n[0]); break;
	case '@': shift(s, -n[0]); break;
	case 'r':
		s->top = CR_MAX(n[0], 1) - 1;
		s->bottom = (n[1] ? n[1] : HEIGHT) - 1;
		s->x = s->y = 0;
		break;
	case 'b':
		for (int i = 0; i < n[0]; i++)
			put(s, s->last);
		break;
	default: fail_msg("unknown sequence: %c", *p);
	}
	return p + 1;
}

static void
feed(struct screen *s, const struct cr_text *bytes)
{
	const char *p = bytes->p, *end = p + bytes->len;

	s->bytes = bytes->len;
	while (p < end) {
		unsigned used;
		uint32_t ch;

		if (*p == '\033' && p[1] == '[') {
			p = csi(s, p + 2);
		} else if (*p == '\033' && p[1] == 'M') {
			scroll(s, false);
			p += 2;
		} else if (*p == '\r') {
			s->x = 0;
			p++;
		} else if (*p == '\n') {
			if (s->y == s->bottom)
				scroll(s, true);
			else
				s->y++;
			p++;
		} else {
			ch = cr_utf8_decode(p, (size_t)(end - p), &used);
			p += used;
			put(s, ch);
		}
	}
}

/* ---- tests */

/* What one sees of a cell: two colours in reverse are the same as exchanged. */
static struct cr_cell
seen(struct cr_cell c)
{
	const uint32_t fg = c.fg;

	if (c.attr == CR_ATTR_REVERSE && c.fg != CR_COLOR_DEFAULT && c.bg != CR_COLOR_DEFAULT) {
		c.fg = c.bg;
		c.bg = fg;
		c.attr = 0;
	}
	return c;
}

static bool
same_cell(const struct cr_cell *of_grid, const struct cr_cell *of_screen)
{
	const struct cr_cell a = seen(*of_grid), b = seen(*of_screen);
	const uint8_t on_blanks = CR_ATTR_UNDERLINE | CR_ATTR_REVERSE;

	if (a.ch == ' ' && !((a.attr | b.attr) & on_blanks))
		return b.ch == ' ' && a.bg == b.bg;
	return a.ch == b.ch && a.fg == b.fg && a.bg == b.bg && a.attr == b.attr;
}

static void
draw(struct cr_painter *p, struct screen *s, const struct cr_grid *g)
{
	struct cr_text bytes = {0};

	cr_text_puts(&bytes, "");
	cr_painter_draw(p, g, &bytes);
	feed(s, &bytes);
	for (int i = 0; i < WIDTH * HEIGHT; i++)
		if (!same_cell(&g->cells[i], &s->g.cells[i]))
			fail_msg("cell %d,%d differs after: %s", i % WIDTH, i / WIDTH, bytes.p);
	cr_text_fini(&bytes);
}

static uint32_t
random_below(uint32_t n)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return (state >> 8) % n;
}

static void
random_change(struct cr_grid *g)
{
	static const uint32_t chars[] = {' ', ' ', ' ', 'a', 'b', 0x2588, 0x4e2d};
	static const uint32_t colors[] = {CR_COLOR_DEFAULT, 0xff0000, 0x00ff00};
	const struct cr_look look = {colors[random_below(3)], colors[random_below(3)],
		(uint8_t)(random_below(3) ? 0 : random_below(16))};
	const int32_t x = (int32_t)random_below(WIDTH), y = (int32_t)random_below(HEIGHT);

	if (random_below(8) == 0) { /* a part of a row moves */
		const struct cr_grid was = *g;

		for (int32_t i = 3; i < WIDTH; i++) {
			const struct cr_cell *c = &was.cells[y * WIDTH + i];

			if (c->ch && cr_utf8_width(c->ch) == 1)
				cr_grid_put(g, i - 1, y, c->ch,
					(struct cr_look){c->fg, c->bg, c->attr});
		}
	} else if (random_below(8) == 0) { /* rows move */
		memmove(g->cells, g->cells + WIDTH, (HEIGHT - 1) * WIDTH * sizeof(*g->cells));
		cr_grid_fill(g, 0, HEIGHT - 1, WIDTH, 1, 'x', look);
	} else if (random_below(3) == 0) {
		cr_grid_put(g, x, y, chars[random_below(CR_LEN(chars))], look);
	} else {
		cr_grid_fill(g, x, y, CR_MIN((int32_t)random_below(30) + 1, WIDTH - x),
			(int32_t)random_below(2) + 1, chars[random_below(6)], look);
	}
}

static void
test_any_change_of_the_screen_is_drawn(void **state)
{
	static const bool has[] = {true, false};

	(void)state;
	for (size_t i = 0; i < CR_LEN(has); i++) {
		struct cr_painter_terminal t = terminal();
		struct cr_painter *p;
		struct cr_grid g;
		struct screen s;

		t.repeats = t.erases = t.scrolls = t.shifts = t.turns_off = t.default_colors =
			has[i];
		p = cr_painter_new(&t);
		screen_init(&s);
		cr_grid_init(&g, WIDTH, HEIGHT);
		g.cursor_x = g.cursor_y = -1;
		for (int step = 0; step < 3000; step++) {
			for (uint32_t n = random_below(6) + 1; n; n--)
				random_change(&g);
			draw(p, &s, &g);
		}
		cr_grid_fini(&g);
		cr_grid_fini(&s.g);
		cr_painter_free(p);
	}
}

static void
fill_rows(struct cr_grid *g, int32_t first)
{
	char line[64];

	for (int32_t y = 1; y < HEIGHT - 1; y++) {
		snprintf(line, sizeof(line), "%d, a row with some text in it", (int)(y + first));
		cr_grid_fill(g, 0, y, WIDTH, 1, ' ', erased);
		cr_grid_text(g, 0, y, WIDTH, cr_str_of(line), erased);
	}
}

static void
test_few_bytes_are_sent(void **state)
{
	const struct cr_painter_terminal t = terminal();
	const struct cr_look bar = {0x000000, 0xff8000, 0}, mark = {CR_COLOR_DEFAULT, 0xff8000, 0};
	struct cr_painter *p = cr_painter_new(&t);
	struct cr_grid g;
	struct screen s;

	(void)state;
	screen_init(&s);
	cr_grid_init(&g, WIDTH, HEIGHT);
	g.cursor_x = g.cursor_y = -1;
	fill_rows(&g, 0);
	draw(p, &s, &g);
	draw(p, &s, &g);
	assert_int_equal(s.bytes, 0); /* nothing has changed */
	fill_rows(&g, 1);
	draw(p, &s, &g);
	assert_in_range(s.bytes, 1, 80); /* one row, and the sequences that scroll */
	cr_grid_fill(&g, 0, 1, WIDTH, 1, ' ', erased);
	draw(p, &s, &g);
	assert_in_range(s.bytes, 1, 8); /* to the row, and erase it */
	cr_grid_fill(&g, 4, 2, 30, 1, '=', bar);
	draw(p, &s, &g);
	assert_in_range(s.bytes, 1, 60); /* a character that is repeated */
	cr_grid_fill(&g, 4, 2, 30, 1, ' ', mark);
	draw(p, &s, &g);
	assert_in_range(s.bytes, 1, 15); /* erased in the colour that is set */
	cr_grid_text(&g, 0, 5, WIDTH, CR_STR("6 a row with some text in it, moved"), erased);
	draw(p, &s, &g);
	assert_in_range(s.bytes, 1, 30); /* the text that has moved is not sent again */
	cr_grid_fini(&g);
	cr_grid_fini(&s.g);
	cr_painter_free(p);
}

/* The left edge of a box after a gap, its name, its right edge. */
static void
test_an_edge_sets_one_color(void **state)
{
	const struct cr_look name = {0x000000, 0xff8000, 0},
			     right = {0xff8000, CR_COLOR_DEFAULT, 0};
	const struct cr_look left = {0xff8000, CR_COLOR_DEFAULT, CR_ATTR_REVERSE};
	const struct cr_painter_terminal t = terminal();
	struct cr_painter *p = cr_painter_new(&t);
	struct cr_grid g;
	struct screen s;

	(void)state;
	screen_init(&s);
	cr_grid_init(&g, WIDTH, HEIGHT);
	g.cursor_x = g.cursor_y = -1;
	draw(p, &s, &g);
	cr_grid_put(&g, 3, 3, 0x258d, left);
	cr_grid_text(&g, 4, 3, 8, CR_STR("function"), name);
	cr_grid_put(&g, 12, 3, 0x258d, right);
	draw(p, &s, &g);
	/* To the cell, 3 characters, 2 colours, and the default one. */
	assert_in_range(s.bytes, 1, 6 + 3 + 8 + 3 + 20 + 13 + 8);
	cr_grid_fini(&g);
	cr_grid_fini(&s.g);
	cr_painter_free(p);
}

/* Cells of a few colours in turn are drawn colour by colour, with jumps between them. */
static void
test_a_row_of_alternating_colors_sets_each_once(void **state)
{
	const struct cr_painter_terminal t = terminal();
	struct cr_painter *p = cr_painter_new(&t);
	struct cr_grid g;
	struct screen s;

	(void)state;
	screen_init(&s);
	cr_grid_init(&g, WIDTH, HEIGHT);
	g.cursor_x = g.cursor_y = -1;
	draw(p, &s, &g);
	for (int32_t x = 0; x < 30; x++)
		cr_grid_put(&g, x, 4, 'a' + (uint32_t)x % 2,
			(struct cr_look){x % 3 ? 0xff0000 : 0x00ff00, CR_COLOR_DEFAULT, 0});
	draw(p, &s, &g);
	/* In order it would be 20 colours of 17 bytes. */
	assert_true(s.bytes < 130);
	cr_grid_fini(&g);
	cr_grid_fini(&s.g);
	cr_painter_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_change_of_the_screen_is_drawn),
		cmocka_unit_test(test_few_bytes_are_sent),
		cmocka_unit_test(test_an_edge_sets_one_color),
		cmocka_unit_test(test_a_row_of_alternating_colors_sets_each_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
