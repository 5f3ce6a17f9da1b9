#include "painter_p.h"

#include "pen_p.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define REPEAT_LEAST 7   /* equal characters that are repeated, not written */
#define ERASE_LEAST 10   /* blanks within a line that are erased, not written */
#define CLEAR_LEAST 4    /* the same at the end of a line */
#define JUMP_MOST 3      /* cells that are written again rather than jumped over */
#define SCROLL_LEAST 40  /* cells that scrolling must save */
#define SHIFT_LEAST 12   /* cells that shifting a line must save */
#define SHIFT_MOST 8     /* columns that a line is shifted by */
#define SCROLL_ROWS 3    /* changed rows below which scrolling is not tried */
#define LOOKS_MOST 12    /* of the cells of a row that are drawn look by look */
#define SWITCHES_LEAST 8 /* changes of the look within such a row */
#define UNKNOWN (-1)     /* position of the cursor */

struct cr_painter {
	struct cr_painter_terminal t;
	struct cr_grid shown; /* on the terminal */
	bool all;             /* what the terminal shows is unknown */
	struct cr_pen pen;
	int32_t x, y; /* the cursor; UNKNOWN after the last column */
	bool cursor_hidden;
	uint64_t *hashes;          /* of rows: the shown ones, then the new ones */
	struct cr_text trial[2];   /* scratch: a row drawn in two ways */
	struct cr_cell *shown_row; /* scratch: a row as it was before */
};

struct cr_painter *
cr_painter_new(const struct cr_painter_terminal *t)
{
	struct cr_painter *p = cr_alloc(1, sizeof(*p));

	p->t = *t;
	cr_pen_init(&p->pen, &p->t);
	p->all = true;
	return p;
}

void
cr_painter_free(struct cr_painter *p)
{
	if (!p)
		return;
	cr_grid_fini(&p->shown);
	cr_pen_fini(&p->pen);
	cr_text_fini(&p->trial[0]);
	cr_text_fini(&p->trial[1]);
	free(p->shown_row);
	free(p->hashes);
	free(p);
}

void
cr_painter_forget(struct cr_painter *p)
{
	p->all = true;
}

/* ---- cells */

static bool
is_blank(const struct cr_cell *cell)
{
	return cell->ch == ' ' && !cell->marks[0];
}

/* True if the terminal shows both cells alike. */
static bool
cell_same(const struct cr_painter *p, const struct cr_cell *a, const struct cr_cell *b)
{
	struct cr_pen_look of_a, of_b;

	if (a->ch != b->ch || memcmp(a->marks, b->marks, sizeof(a->marks)) != 0)
		return false;
	if (a->fg == b->fg && a->bg == b->bg && a->attr == b->attr)
		return true;
	of_a = cr_pen_look_of(&p->pen, a);
	of_b = cr_pen_look_of(&p->pen, b);
	return is_blank(a) ? cr_pen_same_blank(of_a, of_b) : cr_pen_same(of_a, of_b);
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
		const struct cr_pen_look l = cr_pen_look_of(&p->pen, &row[i]);

		if (row[i].ch < ' ' || row[i].ch > '~' || row[i].marks[0] ||
			!cr_pen_writes(&p->pen, l, is_blank(&row[i])))
			return false;
	}
	for (; p->x < x; p->x++)
		cr_text_char(out, (char)row[p->x].ch);
	return true;
}

static void
go(struct cr_painter *p, int32_t x, int32_t y, struct cr_text *out)
{
	if (p->t.ansi && p->y != UNKNOWN && y == p->y + 1) { /* never longer than the position */
		cr_text_puts(out, "\r\n");
		p->x = 0;
		p->y = y;
	}
	if (p->x == x && p->y == y)
		return;
	if (!p->t.ansi)
		p->t.go(x, y, out);
	else if (p->y == y && p->x != UNKNOWN && x > p->x) {
		if (go_by_writing(p, x, out))
			return;
		if (x - p->x == 1)
			cr_text_puts(out, "\033[C");
		else
			cr_text_printf(out, "\033[%dC", (int)(x - p->x));
	} else if (x == 0)
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
	const struct cr_pen_look l = cr_pen_look_of(&p->pen, cell);

	return p->t.ansi && is_blank(cell) && !(l.attr & (CR_ATTR_UNDERLINE | CR_ATTR_REVERSE)) &&
	       (l.bg == CR_PEN_NO_COLOR || p->t.fills);
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

/* The look of the next characters to draw from x on, in *room; NULL for none before end. */
static struct cr_pen_look *
next_look(const struct cr_painter *p, const struct cr_cell *row, const struct cr_cell *shown,
	int32_t x, int32_t end, struct cr_pen_look *room)
{
	for (; x < end; x++)
		if (row[x].ch && !is_blank(&row[x]) && !cell_same(p, &row[x], &shown[x])) {
			*room = cr_pen_look_of(&p->pen, &row[x]);
			return room;
		}
	return NULL;
}

/*
 * Draw the run of equal cells that begins at x, up to `end`. Returns the number of cells. ahead:
 * the cells up to `end` are drawn next.
 */
static int32_t
draw_run(struct cr_painter *p, const struct cr_cell *row, int32_t x, int32_t y, int32_t end,
	bool ahead, struct cr_text *out)
{
	struct cr_cell *shown = p->shown.cells + (size_t)y * (size_t)p->shown.width;
	const bool blank = is_blank(&row[x]);
	struct cr_pen_look look, next_room, *next;
	int32_t n = 1;
	bool erase;

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
	look = cr_pen_look_of(&p->pen, &row[x]);
	next = ahead ? next_look(p, row, shown, x + n, end, &next_room) : NULL;
	memcpy(shown + x, row + x, (size_t)n * sizeof(*row));
	erase = blank && p->t.erases && n >= ERASE_LEAST && may_erase(p, &row[x]) &&
		!(next && p->t.repeats);
	if (erase) {
		cr_pen_set_erased(&p->pen, look, next, out);
		cr_text_printf(out, "\033[%dX", (int)n);
		return n;
	}
	if (blank)
		cr_pen_set_blank(&p->pen, look, next, out);
	else
		cr_pen_set(&p->pen, look, next, out);
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
	cr_pen_set_erased(&p->pen, CR_PEN_PLAIN, NULL, out); /* of the cells that come in */
	cr_text_printf(out, "\033[%d%c", (int)abs(by), by > 0 ? 'P' : '@');
	kept = (size_t)(width - x - abs(by)) * sizeof(*shown);
	if (by > 0)
		memmove(&shown[x], &shown[x + by], kept);
	else
		memmove(&shown[x - by], &shown[x], kept);
	cr_grid_fill(&p->shown, by > 0 ? width - by : x, y, abs(by), 1, ' ',
		(struct cr_look){CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, 0});
}

/* ---- the cells of a row: from left to right, or look by look */

static void
draw_in_order(struct cr_painter *p, const struct cr_cell *row, int32_t y, int32_t end,
	struct cr_text *out)
{
	const struct cr_cell *shown = p->shown.cells + (size_t)y * (size_t)p->shown.width;

	for (int32_t x = 0; x < end;)
		x += cell_same(p, &row[x], &shown[x]) ? 1 : draw_run(p, row, x, y, end, true, out);
}

static bool
looks_like(const struct cr_painter *p, const struct cr_cell *cell, struct cr_pen_look look)
{
	const struct cr_pen_look own = cr_pen_look_of(&p->pen, cell);

	return is_blank(cell) ? cr_pen_same_blank(own, look) : cr_pen_same(own, look);
}

/*
 * The looks of the cells to be drawn, at most LOOKS_MOST. *switches: how often neighbours differ in
 * it.
 */
static int32_t
looks_of(const struct cr_painter *p, const struct cr_cell *row, const struct cr_cell *shown,
	int32_t end, struct cr_pen_look *looks, int32_t *switches)
{
	int32_t n = 0, last = -1;

	*switches = 0;
	for (int32_t x = 0; x < end; x++) {
		int32_t i = 0;

		if (!row[x].ch || cell_same(p, &row[x], &shown[x]))
			continue;
		while (i < n && !looks_like(p, &row[x], looks[i]))
			i++;
		if (i == LOOKS_MOST)
			break;
		if (i == n)
			looks[n++] = cr_pen_look_of(&p->pen, &row[x]);
		*switches += i != last;
		last = i;
	}
	return n;
}

static void
draw_by_look(struct cr_painter *p, const struct cr_cell *row, int32_t y, int32_t end,
	const struct cr_pen_look *looks, int32_t n, struct cr_text *out)
{
	const struct cr_cell *shown = p->shown.cells + (size_t)y * (size_t)p->shown.width;

	for (int32_t i = 0; i < n; i++)
		for (int32_t x = 0; x < end;) {
			const bool skip = !row[x].ch || cell_same(p, &row[x], &shown[x]) ||
					  !looks_like(p, &row[x], looks[i]);

			x += skip ? 1 : draw_run(p, row, x, y, end, false, out);
		}
	draw_in_order(p, row, y, end, out); /* those of other looks */
}

/* Both ways where the look changes often, and the shorter one is sent. */
static void
draw_cells(struct cr_painter *p, const struct cr_cell *row, int32_t y, int32_t end,
	struct cr_text *out)
{
	struct cr_cell *shown = p->shown.cells + (size_t)y * (size_t)p->shown.width;
	const size_t bytes = (size_t)p->shown.width * sizeof(*shown);
	const struct cr_pen_look look = p->pen.look;
	const int32_t at_x = p->x, at_y = p->y;
	struct cr_pen_look looks[LOOKS_MOST], look_after;
	int32_t switches, n = looks_of(p, row, shown, end, looks, &switches), x;

	if (!p->t.ansi || n < 2 || switches < SWITCHES_LEAST || switches < 2 * n) {
		draw_in_order(p, row, y, end, out);
		return;
	}
	memcpy(p->shown_row, shown, bytes);
	cr_text_clear(&p->trial[0]);
	cr_text_clear(&p->trial[1]);
	draw_by_look(p, row, y, end, looks, n, &p->trial[1]);
	look_after = p->pen.look;
	x = p->x;
	memcpy(shown, p->shown_row, bytes);
	p->pen.look = look;
	p->x = at_x;
	p->y = at_y;
	draw_in_order(p, row, y, end, &p->trial[0]);
	if (p->trial[1].len < p->trial[0].len) {
		p->pen.look = look_after;
		p->x = x;
		p->y = x == UNKNOWN ? UNKNOWN : y;
		cr_text_str(out, cr_text_view(&p->trial[1]));
	} else {
		cr_text_str(out, cr_text_view(&p->trial[0]));
	}
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
	draw_cells(p, row, y, clear, out);
	if (clear < end) {
		go(p, clear, y, out);
		cr_pen_set_erased(&p->pen, cr_pen_look_of(&p->pen, &row[clear]), NULL, out);
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

	cr_pen_set_erased(&p->pen, CR_PEN_PLAIN, NULL, out); /* of the lines that come in */
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
	cr_pen_reset(&p->pen, out);
	cr_text_puts(out, p->t.clear);
	p->x = p->y = UNKNOWN;
	cr_grid_resize(&p->shown, g->width, g->height);
	cr_grid_clear(&p->shown);
	p->shown_row = cr_realloc(p->shown_row, (uint64_t)g->width, sizeof(*p->shown_row));
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
	cr_pen_set(&p->pen, CR_PEN_PLAIN, NULL, out);
	cr_text_puts(out, p->cursor_hidden ? p->t.show_cursor : "");
	p->cursor_hidden = false;
}
