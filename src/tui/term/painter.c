#include "painter_p.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define REPEAT_LEAST 7  /* equal characters that are repeated, not written */
#define ERASE_LEAST 10  /* blanks within a line that are erased, not written */
#define CLEAR_LEAST 4   /* the same at the end of a line */
#define JUMP_MOST 3     /* cells that are written again rather than jumped over */
#define SCROLL_LEAST 40 /* cells that scrolling must save */
#define SHIFT_LEAST 12  /* cells that shifting a line must save */
#define SHIFT_MOST 8    /* columns that a line is shifted by */
#define SCROLL_ROWS 3   /* changed rows below which scrolling is not tried */
#define NO_COLOR (-1)   /* the terminal's default colour */
#define UNKNOWN (-1)    /* position of the cursor */

/* Attributes that are visible on a blank. */
#define ATTRS_OF_BLANKS (CR_ATTR_UNDERLINE | CR_ATTR_REVERSE)

/* Colours are numbers of the terminal, or NO_COLOR. */
struct look {
	int32_t fg, bg;
	uint8_t attr;
};

static const struct look plain = {NO_COLOR, NO_COLOR, 0};

struct cr_painter {
	struct cr_painter_terminal t;
	struct cr_grid shown; /* on the terminal */
	bool all;             /* what the terminal shows is unknown */
	struct look look;     /* of the terminal */
	int32_t x, y;         /* the cursor; UNKNOWN after the last column */
	bool cursor_hidden;
	uint64_t *hashes;                   /* of rows: the shown ones, then the new ones */
	struct cr_text by_reset, by_change; /* scratch */
};

struct cr_painter *
cr_painter_new(const struct cr_painter_terminal *t)
{
	struct cr_painter *p = cr_alloc(1, sizeof(*p));

	p->t = *t;
	p->all = true;
	return p;
}

void
cr_painter_free(struct cr_painter *p)
{
	if (!p)
		return;
	cr_grid_fini(&p->shown);
	cr_text_fini(&p->by_reset);
	cr_text_fini(&p->by_change);
	free(p->hashes);
	free(p);
}

void
cr_painter_forget(struct cr_painter *p)
{
	p->all = true;
}

/* ---- looks */

static int32_t
color_number(const struct cr_painter *p, uint32_t rgb)
{
	if (rgb == CR_COLOR_DEFAULT)
		return NO_COLOR;
	switch (p->t.colors) {
	case CR_COLORS_NONE: return NO_COLOR;
	case CR_COLORS_8: return cr_color_8(rgb);
	case CR_COLORS_16: return cr_color_16(rgb);
	case CR_COLORS_256: return cr_color_256(rgb);
	case CR_COLORS_DIRECT:
		/* Terminals with 24-bit colours use 0 to 7 for the basic colours. */
		return rgb < 8 ? 0 : (int32_t)rgb;
	}
	return NO_COLOR;
}

static struct look
look_of(const struct cr_painter *p, const struct cr_cell *cell)
{
	struct look l = {color_number(p, cell->fg), color_number(p, cell->bg), cell->attr};

	l.attr &= p->t.attrs;
	if (l.fg != NO_COLOR || l.bg != NO_COLOR)
		l.attr &= (uint8_t)~p->t.plain_attrs;
	return l;
}

static bool
look_same(struct look a, struct look b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attr == b.attr;
}

/* True if a blank looks the same with both. */
static bool
look_same_blank(struct look a, struct look b)
{
	if ((a.attr | b.attr) & ATTRS_OF_BLANKS)
		return look_same(a, b);
	return a.bg == b.bg;
}

static bool
is_blank(const struct cr_cell *cell)
{
	return cell->ch == ' ' && !cell->marks[0];
}

/* True if the terminal shows both cells alike. */
static bool
cell_same(const struct cr_painter *p, const struct cr_cell *a, const struct cr_cell *b)
{
	if (a->ch != b->ch || memcmp(a->marks, b->marks, sizeof(a->marks)) != 0)
		return false;
	if (a->fg == b->fg && a->bg == b->bg && a->attr == b->attr)
		return true;
	return is_blank(a) ? look_same_blank(look_of(p, a), look_of(p, b))
			   : look_same(look_of(p, a), look_of(p, b));
}

static void
put_param(struct cr_text *out, const char *param)
{
	cr_text_puts(out, out->len ? ";" : "");
	cr_text_puts(out, param);
}

static void
put_color(const struct cr_painter *p, int32_t color, bool background, struct cr_text *out)
{
	if (color == NO_COLOR) {
		put_param(out, background ? "49" : "39");
		return;
	}
	put_param(out, "");
	p->t.put_color(color, background, out);
}

/* The SGR parameters that change one look to another. */
static void
put_change(const struct cr_painter *p, struct look from, struct look to, struct cr_text *out)
{
	static const struct {
		uint8_t attrs;
		const char *on, *off;
	} codes[] = {
		{CR_ATTR_BOLD, "1", "22"},
		{CR_ATTR_DIM, "2", "22"},
		{CR_ATTR_UNDERLINE, "4", "24"},
		{CR_ATTR_REVERSE, "7", "27"},
	};
	const uint8_t intensity = CR_ATTR_BOLD | CR_ATTR_DIM;

	if (from.attr & ~to.attr & intensity) { /* 22 turns off both */
		put_param(out, "22");
		from.attr &= (uint8_t)~intensity;
	}
	for (size_t i = 0; i < CR_LEN(codes); i++)
		if ((from.attr ^ to.attr) & codes[i].attrs)
			put_param(out, to.attr & codes[i].attrs ? codes[i].on : codes[i].off);
	if (from.fg != to.fg)
		put_color(p, to.fg, false, out);
	if (from.bg != to.bg)
		put_color(p, to.bg, true, out);
}

/* For terminals with other sequences, which have no colours here. */
static void
set_other_look(struct cr_painter *p, struct look to, struct cr_text *out)
{
	const struct {
		uint8_t attr;
		const char *on;
	} sequences[] = {
		{CR_ATTR_BOLD, p->t.bold},
		{CR_ATTR_DIM, p->t.dim},
		{CR_ATTR_UNDERLINE, p->t.underline},
		{CR_ATTR_REVERSE, p->t.reverse},
	};

	cr_text_puts(out, p->t.reset);
	for (size_t i = 0; i < CR_LEN(sequences); i++)
		if (to.attr & sequences[i].attr)
			cr_text_puts(out, sequences[i].on);
}

/* Set the look by changes or from a reset, whichever needs fewer bytes. */
static void
set_look(struct cr_painter *p, struct look to, struct cr_text *out)
{
	const struct look from = p->look;
	const bool may_change =
		(p->t.turns_off || !(from.attr & ~to.attr)) &&
		(p->t.default_colors || ((from.fg == to.fg || to.fg != NO_COLOR) &&
						(from.bg == to.bg || to.bg != NO_COLOR)));

	if (look_same(from, to))
		return;
	p->look = to;
	if (!p->t.ansi) {
		set_other_look(p, to, out);
		return;
	}
	cr_text_clear(&p->by_reset);
	cr_text_clear(&p->by_change);
	if (!look_same(to, plain)) {
		cr_text_puts(&p->by_reset, "0");
		put_change(p, plain, to, &p->by_reset);
	}
	put_change(p, from, to, &p->by_change);
	cr_text_puts(out, "\033[");
	cr_text_str(out,
		cr_text_view(may_change && p->by_change.len <= p->by_reset.len ? &p->by_change
									       : &p->by_reset));
	cr_text_char(out, 'm');
}

/* Set what is visible of the look of a blank. */
static void
set_blank_look(struct cr_painter *p, struct look to, struct cr_text *out)
{
	if (look_same_blank(p->look, to))
		return;
	if (!(to.attr & ATTRS_OF_BLANKS)) {
		to.fg = p->look.fg;
		to.attr = p->look.attr & (uint8_t)~ATTRS_OF_BLANKS;
	}
	set_look(p, to, out);
}

/* ---- the cursor */

/* Move the cursor within its row by writing again what is there. False if that is impossible. */
static bool
go_by_writing(struct cr_painter *p, int32_t x, struct cr_text *out)
{
	const struct cr_cell *row = p->shown.cells + (size_t)p->y * (size_t)p->shown.width;

	if (x - p->x > JUMP_MOST)
		return false;
	for (int32_t i = p->x; i < x; i++) {
		const struct look l = look_of(p, &row[i]);

		if (row[i].ch < ' ' || row[i].ch > '~' || row[i].marks[0] ||
			!(is_blank(&row[i]) ? look_same_blank(p->look, l) : look_same(p->look, l)))
			return false;
	}
	for (; p->x < x; p->x++)
		cr_text_char(out, (char)row[p->x].ch);
	return true;
}

static void
go(struct cr_painter *p, int32_t x, int32_t y, struct cr_text *out)
{
	if (p->x == x && p->y == y)
		return;
	if (!p->t.ansi)
		p->t.go(x, y, out);
	else if (p->y == y && p->x != UNKNOWN && x > p->x) {
		if (go_by_writing(p, x, out))
			return;
		cr_text_printf(out, "\033[%dC", (int)(x - p->x));
	} else if (p->y != UNKNOWN && y == p->y + 1 && x == 0)
		cr_text_puts(out, "\r\n");
	else if (x == 0)
		cr_text_printf(out, "\033[%dH", (int)y + 1);
	else
		cr_text_printf(out, "\033[%d;%dH", (int)y + 1, (int)x + 1);
	p->x = x;
	p->y = y;
}

/* ---- rows */

static void
put_cell(const struct cr_painter *p, const struct cr_cell *cell, struct cr_text *out)
{
	char bytes[4];

	if (cell->ch < ' ' || cell->ch == 127 || (cell->ch > 127 && !p->t.unicode)) {
		cr_text_char(out, '?');
		return;
	}
	cr_text_put(out, bytes, cr_utf8_encode(cell->ch, bytes));
	for (size_t i = 0; i < CR_CELL_MARKS && cell->marks[i]; i++)
		cr_text_put(out, bytes, cr_utf8_encode(cell->marks[i], bytes));
}

/* True if erasing gives a blank this look. */
static bool
may_erase(const struct cr_painter *p, const struct cr_cell *cell)
{
	const struct look l = look_of(p, cell);

	return p->t.ansi && is_blank(cell) && !(l.attr & ATTRS_OF_BLANKS) &&
	       (l.bg == NO_COLOR || p->t.fills);
}

/* True for a cell that was drawn as the other one, and is a single character. */
static bool
repeats(const struct cr_painter *p, const struct cr_cell *a, const struct cr_cell *b)
{
	return !a->marks[0] && cell_same(p, a, b);
}

/* Write a character n times. Some terminals, such as tmux, repeat only ASCII. */
static void
put_run(const struct cr_painter *p, const struct cr_cell *cell, int32_t n, struct cr_text *out)
{
	put_cell(p, cell, out);
	if (p->t.repeats && n >= REPEAT_LEAST && cell->ch < 127) {
		cr_text_printf(out, "\033[%db", (int)n - 1);
		return;
	}
	for (int32_t i = 1; i < n; i++)
		put_cell(p, cell, out);
}

/* Draw the run of equal cells that begins at x, up to `end`. Returns the number of cells. */
static int32_t
draw_run(struct cr_painter *p, const struct cr_cell *row, int32_t x, int32_t y, int32_t end,
	struct cr_text *out)
{
	const struct cr_cell *shown = p->shown.cells + (size_t)y * (size_t)p->shown.width;
	const bool blank = is_blank(&row[x]);
	int32_t n = 1;

	if (!row[x].ch) /* the right half of a wide character is drawn with the left one */
		return 1;
	if (x + 1 < p->shown.width && !row[x + 1].ch)
		n = 2;
	else
		while (x + n < end && repeats(p, &row[x], &row[x + n]))
			n++;
	while (n > 1 && row[x + n - 1].ch && cell_same(p, &row[x + n - 1], &shown[x + n - 1]))
		n--;
	go(p, x, y, out);
	if (blank)
		set_blank_look(p, look_of(p, &row[x]), out);
	else
		set_look(p, look_of(p, &row[x]), out);
	if (blank && p->t.erases && n >= ERASE_LEAST && may_erase(p, &row[x])) {
		cr_text_printf(out, "\033[%dX", (int)n);
		return n;
	}
	put_run(p, &row[x], n > 1 && !row[x + 1].ch ? 1 : n, out);
	p->x += n;
	if (p->x >= p->shown.width)
		p->x = p->y = UNKNOWN;
	return n;
}

/* The first of the blanks at the end of a row that erasing to the end of the line would draw. */
static int32_t
tail_of(const struct cr_painter *p, const struct cr_cell *row, int32_t width)
{
	int32_t x = width;

	if (!may_erase(p, &row[width - 1]))
		return width;
	while (x > 0 && is_blank(&row[x - 1]) && cell_same(p, &row[x - 1], &row[width - 1]))
		x--;
	return x;
}

/* The number of cells from x on that differ if the shown line is shifted left by `by` there. */
static int32_t
shift_changes(const struct cr_painter *p, const struct cr_cell *row, const struct cr_cell *shown,
	int32_t x, int32_t by)
{
	const int32_t width = p->shown.width;
	int32_t n = 0;

	for (int32_t i = x; i < width; i++) {
		const int32_t from = i + by;

		n += from >= x && from < width ? !cell_same(p, &row[i], &shown[from])
					       : !is_blank(&row[i]);
	}
	return n;
}

/* Shift the rest of a line, if most of what has changed has moved some columns. */
static void
shift(struct cr_painter *p, const struct cr_cell *row, int32_t y, struct cr_text *out)
{
	struct cr_cell *shown = p->shown.cells + (size_t)y * (size_t)p->shown.width;
	const int32_t width = p->shown.width;
	int32_t x = 0, by = 0, before, best;
	size_t kept;

	while (x < width && cell_same(p, &row[x], &shown[x]))
		x++;
	best = before = shift_changes(p, row, shown, x, 0);
	for (int32_t i = -SHIFT_MOST; before >= SHIFT_LEAST && i <= SHIFT_MOST; i++) {
		const int32_t n = i ? shift_changes(p, row, shown, x, i) : before;

		if (n < best) {
			best = n;
			by = i;
		}
	}
	if (before - best < SHIFT_LEAST || width - x <= abs(by))
		return;
	for (int32_t i = x; i < width; i++)
		if (!shown[i].ch) /* half of a wide character could remain */
			return;
	go(p, x, y, out);
	set_blank_look(p, plain, out); /* of the cells that come in */
	cr_text_printf(out, "\033[%d%c", (int)abs(by), by > 0 ? 'P' : '@');
	kept = (size_t)(width - x - abs(by)) * sizeof(*shown);
	if (by > 0)
		memmove(&shown[x], &shown[x + by], kept);
	else
		memmove(&shown[x - by], &shown[x], kept);
	cr_grid_fill(&p->shown, by > 0 ? width - by : x, y, abs(by), 1, ' ',
		(struct cr_look){CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, 0});
}

static void
draw_row(struct cr_painter *p, const struct cr_grid *g, int32_t y, struct cr_text *out)
{
	const size_t at = (size_t)y * (size_t)g->width;
	const struct cr_cell *row = g->cells + at, *shown = p->shown.cells + at;
	int32_t clear = tail_of(p, row, g->width), end = g->width;

	if (p->t.shifts)
		shift(p, row, y, out);
	if (p->t.no_corner && y == g->height - 1)
		end--;
	while (end > 0 && cell_same(p, &row[end - 1], &shown[end - 1]))
		end--;
	while (clear < end && cell_same(p, &row[clear], &shown[clear]))
		clear++;
	if (end - clear < CLEAR_LEAST)
		clear = end;
	for (int32_t x = 0; x < clear;)
		x += cell_same(p, &row[x], &shown[x]) ? 1 : draw_run(p, row, x, y, clear, out);
	if (clear < end) {
		go(p, clear, y, out);
		set_blank_look(p, look_of(p, &row[clear]), out);
		cr_text_puts(out, "\033[K");
	}
}

/* ---- scrolling */

static uint64_t
row_hash(const struct cr_grid *g, int32_t y)
{
	const struct cr_cell *row = g->cells + (size_t)y * (size_t)g->width;
	uint64_t h = 0;

	for (int32_t x = 0; x < g->width; x++)
		h = cr_hash_mix(h ^ ((uint64_t)row[x].ch << 32 | row[x].attr),
			(uint64_t)row[x].fg << 32 | row[x].bg);
	return h;
}

/* The number of cells in which row y of the new screen differs from row `from` of the shown one. */
static int32_t
row_changes(const struct cr_painter *p, const struct cr_grid *g, int32_t y, int32_t from)
{
	const struct cr_cell *a = g->cells + (size_t)y * (size_t)g->width;
	const struct cr_cell *b = p->shown.cells + (size_t)from * (size_t)g->width;
	int32_t n = 0;

	for (int32_t x = 0; x < g->width; x++)
		n += !cell_same(p, &a[x], &b[x]);
	return n;
}

static int32_t
row_cells(const struct cr_grid *g, int32_t y)
{
	int32_t n = 0;

	for (int32_t x = 0; x < g->width; x++)
		n += !is_blank(&g->cells[(size_t)y * (size_t)g->width + (size_t)x]);
	return n;
}

/* Lines [top, bottom] that move up by `by`, or down if that is negative. */
struct scroll {
	int32_t top, bottom, by;
};

/* How far most of the changed rows have moved; 0 for not at all. */
static int32_t
distance_of(const struct cr_painter *p, const struct cr_grid *g)
{
	const uint64_t *was = p->hashes, *now = p->hashes + g->height;
	int32_t best = 0, best_rows = 0;

	for (int32_t by = 1 - g->height; by < g->height; by++) {
		int32_t rows = 0;

		for (int32_t y = CR_MAX(0, -by); y < CR_MIN(g->height, g->height - by); y++)
			rows += now[y] == was[y + by] && now[y] != was[y];
		if (rows > best_rows) {
			best = by;
			best_rows = rows;
		}
	}
	return best;
}

/* The lines to scroll by a distance so that the fewest cells have to be drawn; false for none. */
static bool
scroll_find(const struct cr_painter *p, const struct cr_grid *g, int32_t by, struct scroll *out)
{
	int32_t sum = 0, from = 0, best = 0;

	for (int32_t y = CR_MAX(0, -by); y < CR_MIN(g->height, g->height - by); y++) {
		if (sum <= 0) {
			sum = 0;
			from = y;
		}
		sum += row_changes(p, g, y, y) - row_changes(p, g, y, y + by);
		if (sum > best) {
			best = sum;
			*out = (struct scroll){CR_MIN(from, from + by), CR_MAX(y, y + by), by};
		}
	}
	/* The lines that scrolling leaves blank have to be drawn. */
	for (int32_t i = 0; best > 0 && i < abs(by); i++) {
		const int32_t y = by > 0 ? out->bottom - i : out->top + i;

		best -= row_cells(g, y) - row_changes(p, g, y, y);
	}
	return best >= SCROLL_LEAST;
}

/* Move the lines on the terminal and in what is shown. */
static void
scroll_do(struct cr_painter *p, const struct scroll *s, struct cr_text *out)
{
	const size_t width = (size_t)p->shown.width;
	const size_t n = (size_t)abs(s->by), rows = (size_t)(s->bottom - s->top + 1);
	struct cr_cell *top = p->shown.cells + (size_t)s->top * width;

	set_blank_look(p, plain, out); /* of the lines that come in */
	cr_text_printf(out, "\033[%d;%dr", (int)s->top + 1, (int)s->bottom + 1);
	cr_text_printf(out, "\033[%dH", (int)(s->by > 0 ? s->bottom : s->top) + 1);
	for (size_t i = 0; i < n; i++)
		cr_text_puts(out, s->by > 0 ? "\n" : "\033M");
	cr_text_puts(out, "\033[r");
	p->x = p->y = UNKNOWN;
	if (s->by > 0)
		memmove(top, top + n * width, (rows - n) * width * sizeof(*top));
	else
		memmove(top + n * width, top, (rows - n) * width * sizeof(*top));
	cr_grid_fill(&p->shown, 0, s->by > 0 ? s->bottom - (int32_t)n + 1 : s->top, p->shown.width,
		(int32_t)n, ' ', (struct cr_look){CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, 0});
}

static void
scroll(struct cr_painter *p, const struct cr_grid *g, struct cr_text *out)
{
	struct scroll s = {0, 0, 0};
	int32_t changed = 0, by;

	for (int32_t y = 0; y < g->height; y++) {
		p->hashes[y] = row_hash(&p->shown, y);
		p->hashes[g->height + y] = row_hash(g, y);
		changed += p->hashes[y] != p->hashes[g->height + y];
	}
	if (changed >= SCROLL_ROWS && (by = distance_of(p, g)) != 0 && scroll_find(p, g, by, &s))
		scroll_do(p, &s, out);
}

/* ---- the screen */

static void
clear(struct cr_painter *p, const struct cr_grid *g, struct cr_text *out)
{
	p->look.attr = UINT8_MAX; /* unknown, too */
	set_look(p, plain, out);
	cr_text_puts(out, p->t.clear);
	p->x = p->y = UNKNOWN;
	cr_grid_resize(&p->shown, g->width, g->height);
	cr_grid_clear(&p->shown);
	p->hashes = cr_realloc(p->hashes, 2 * (uint64_t)g->height, sizeof(*p->hashes));
	p->all = false;
}

static void
put_cursor(struct cr_painter *p, const struct cr_grid *g, struct cr_text *out)
{
	const bool hidden = g->cursor_x < 0 || g->cursor_y < 0;

	if (!hidden)
		go(p, g->cursor_x, g->cursor_y, out);
	else if (!*p->t.hide_cursor) /* where it disturbs least */
		go(p, g->width - 1, g->height - 1, out);
	if (hidden != p->cursor_hidden)
		cr_text_puts(out, hidden ? p->t.hide_cursor : p->t.show_cursor);
	p->cursor_hidden = hidden;
}

void
cr_painter_draw(struct cr_painter *p, const struct cr_grid *g, struct cr_text *out)
{
	if (g->width < 1 || g->height < 1)
		return;
	if (p->all || p->shown.width != g->width || p->shown.height != g->height)
		clear(p, g, out);
	else if (p->t.scrolls)
		scroll(p, g, out);
	for (int32_t y = 0; y < g->height; y++)
		draw_row(p, g, y, out);
	memcpy(p->shown.cells, g->cells, (size_t)g->width * (size_t)g->height * sizeof(*g->cells));
	put_cursor(p, g, out);
}

void
cr_painter_leave(struct cr_painter *p, struct cr_text *out)
{
	set_look(p, plain, out);
	cr_text_puts(out, p->cursor_hidden ? p->t.show_cursor : "");
	p->cursor_hidden = false;
}
