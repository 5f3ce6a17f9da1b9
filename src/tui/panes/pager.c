#include "pager_p.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "query/lang/pattern.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CONTINUATION_CELLS 2 /* further indent of continuation rows of a wrapped line */
#define SAMPLE_AT 2          /* cells from the left */
#define SAMPLE_CELLS 4       /* the width of a sample in cells */
#define NARROW_CELLS 40      /* in a narrower pane only the percentage is printed */

/* ---- rows */

/*
 * The length of a row in bytes. It ends before the last blank in its second half, or where the
 * width ends.
 */
static uint32_t
row_len(struct cr_str rest, uint32_t cells)
{
	const uint32_t fit = CR_MAX(cr_utf8_fit(rest, cells), 1u);

	for (uint32_t n = fit; fit < rest.len && n > fit / 2; n--)
		if (rest.p[n] == ' ')
			return n;
	return fit;
}

static uint32_t
indent_of(struct cr_str line, uint32_t cells)
{
	uint32_t n = 0;

	while (n < line.len && line.p[n] == ' ')
		n++;
	return CR_MIN(n + CONTINUATION_CELLS, cells / 2);
}

static void
add_wrapped(struct cr_pager *p, uint32_t number, struct cr_str line)
{
	const uint32_t cells = (uint32_t)CR_MAX(p->width, 1), hang = indent_of(line, cells);
	struct cr_pager_row row = {.line = number, .from = (uint32_t)(line.p - p->text.p)};
	const uint32_t end = row.from + line.len;

	do {
		const struct cr_str rest = {p->text.p + row.from, end - row.from};

		row.len = rest.len ? row_len(rest, CR_MAX(cells - row.indent, 1u)) : 0;
		cr_vec_push(&p->rows, row);
		row.from += row.len;
		while (row.from < end && p->text.p[row.from] == ' ')
			row.from++;
		row.indent = hang;
	} while (row.from < end);
}

static void
rows_make(struct cr_pager *p)
{
	const char *at = p->text.p ? p->text.p : "";

	p->rows.n = 0;
	p->widest = 0;
	for (uint32_t number = 0; *at; number++) {
		const struct cr_str line = {at, (uint32_t)strcspn(at, "\n")};

		p->widest = CR_MAX(p->widest, cr_utf8_cells(line));
		if (p->cut) {
			const struct cr_pager_row row = {.line = number,
				.from = (uint32_t)(at - p->text.p),
				.len = line.len};

			cr_vec_push(&p->rows, row);
		} else {
			add_wrapped(p, number, line);
		}
		at += line.len + (at[line.len] == '\n');
	}
}

/* The first row of a line of the text. */
static int32_t
row_of(const struct cr_pager *p, uint32_t line)
{
	size_t i = 0;

	while (i < p->rows.n && p->rows.p[i].line < line)
		i++;
	return (int32_t)i;
}

static uint32_t
top_line(const struct cr_pager *p)
{
	return p->first < (int32_t)p->rows.n ? p->rows.p[p->first].line : 0;
}

/* Wrap the text again for the current width; the line at the top stays there. */
static void
rows_renew(struct cr_pager *p)
{
	const uint32_t line = top_line(p);

	rows_make(p);
	cr_pager_scroll_to(p, row_of(p, line));
}

void
cr_pager_fit(struct cr_pager *p, int32_t width, int32_t height)
{
	const bool other = width != p->width;

	p->width = width;
	p->height = CR_MAX(height, 0);
	if (other)
		rows_renew(p);
	cr_pager_scroll_to(p, p->first);
}

void
cr_pager_scroll_to(struct cr_pager *p, int32_t row)
{
	const int32_t last = (int32_t)p->rows.n - p->height;

	p->first = CR_MAX(CR_MIN(row, last), 0);
}

void
cr_pager_go(struct cr_pager *p, const char *line)
{
	const size_t len = strlen(line);

	for (size_t i = 0; i < p->rows.n; i++)
		if (p->rows.p[i].len == len &&
			memcmp(p->text.p + p->rows.p[i].from, line, len) == 0)
			cr_pager_scroll_to(p, (int32_t)i);
}

void
cr_pager_wrap(struct cr_pager *p, bool wrap)
{
	p->cut = !wrap;
	p->left = 0;
	rows_renew(p);
}

void
cr_pager_sideways(struct cr_pager *p, int32_t cells)
{
	const int32_t most = CR_MAX((int32_t)p->widest - p->width, 0);

	if (!p->cut && most == 0)
		return; /* no line is too long */
	if (!p->cut)
		cr_pager_wrap(p, false);
	p->left = CR_MAX(CR_MIN(p->left + cells, most), 0);
}

/* ---- the text */

static void
hits_forget(struct cr_pager *p)
{
	free(p->pattern);
	p->pattern = NULL;
	p->hits.n = 0;
	p->hit = 0;
}

static void
hits_find(struct cr_pager *p, const struct cr_pattern *pattern)
{
	const char *at = p->text.p ? p->text.p : "";

	p->hits.n = 0;
	for (uint32_t number = 0; *at; number++) {
		const struct cr_str line = {at, (uint32_t)strcspn(at, "\n")};

		if (cr_pattern_match(pattern, line))
			cr_vec_push(&p->hits, number);
		at += line.len + (at[line.len] == '\n');
	}
	p->hit = p->hit < p->hits.n ? p->hit : 0;
}

void
cr_pager_set(struct cr_pager *p, const char *title, struct cr_str text)
{
	struct cr_err ignored = CR_ERR_INIT;
	struct cr_pattern *pattern;

	p->title = title;
	cr_text_clear(&p->text);
	for (uint32_t i = 0, len; i < text.len; i += len + 1) {
		const char *end = memchr(text.p + i, '\n', text.len - i);

		len = end ? (uint32_t)(end - text.p) - i : text.len - i;
		if (len)
			cr_text_safe(&p->text, (struct cr_str){text.p + i, len});
		cr_text_char(&p->text, '\n');
	}
	rows_renew(p);
	if (p->pattern && cr_pattern_new(p->pattern, &pattern, &ignored) == CR_OK) {
		hits_find(p, pattern);
		cr_pattern_free(pattern);
	}
}

void
cr_pager_close(struct cr_pager *p)
{
	hits_forget(p);
	cr_text_fini(&p->text);
	cr_vec_fini(&p->samples);
	cr_vec_fini(&p->rows);
	cr_vec_fini(&p->hits);
	*p = (struct cr_pager){0};
}

/* ---- search */

/* Scroll to the line of the current match, with some lines above it. */
static void
hit_show(struct cr_pager *p)
{
	const int32_t row = row_of(p, p->hits.p[p->hit]);

	if (row < p->first || row >= p->first + p->height)
		cr_pager_scroll_to(p, row - p->height / 3);
}

int
cr_pager_search(struct cr_pager *p, const char *text, struct cr_err *err)
{
	struct cr_pattern *pattern;
	int rc;

	hits_forget(p);
	if (!*text)
		return CR_OK;
	if ((rc = cr_pattern_new(text, &pattern, err)) < 0)
		return rc;
	p->pattern = cr_strdup(text);
	hits_find(p, pattern);
	cr_pattern_free(pattern);
	while (p->hit + 1 < p->hits.n && p->hits.p[p->hit] < top_line(p))
		p->hit++;
	if (p->hits.n)
		hit_show(p);
	return CR_OK;
}

void
cr_pager_next(struct cr_pager *p, int32_t by)
{
	const uint32_t n = (uint32_t)p->hits.n;

	if (!n)
		return;
	p->hit = by > 0 ? (p->hit + 1) % n : (p->hit + n - 1) % n;
	hit_show(p);
}

void
cr_pager_put_matches(const struct cr_pager *p, struct cr_text *out)
{
	if (!p->hits.n)
		cr_text_puts(out, "no line");
	else
		cr_text_printf(out, "%" PRIu32 " of %zu line%s", p->hit + 1, p->hits.n,
			p->hits.n == 1 ? "" : "s");
}

/* ---- drawing */

static struct cr_look
look_of(const struct cr_pager *p, const struct cr_pane *pane, const struct cr_pager_row *row)
{
	if (p->hits.n && p->hits.p[p->hit] == row->line)
		return cr_pane_look_selected(pane);
	for (size_t i = 0; i < p->hits.n; i++)
		if (p->hits.p[i] == row->line)
			return cr_pane_look_match(pane);
	if (p->headings && row->len && !row->indent && p->text.p[row->from] != ' ')
		return CR_LOOK_BOLD;
	return CR_LOOK_PLAIN;
}

/* Draw a mark at the border to show that the line continues beyond it. */
static void
draw_cut(const struct cr_pager *p, const struct cr_pane *pane, struct cr_str line, int32_t y,
	struct cr_look look)
{
	uint32_t skip = cr_utf8_fit(line, (uint32_t)p->left), cells;
	struct cr_str rest;
	int32_t x;

	/* Draw a blank for a wide character that is half scrolled off. */
	cells = cr_utf8_cells((struct cr_str){line.p, skip});
	if (cells < (uint32_t)p->left && skip < line.len)
		skip = cr_utf8_fit(line, (uint32_t)p->left + 1);
	cells = cr_utf8_cells((struct cr_str){line.p, skip});
	rest = (struct cr_str){line.p + skip, line.len - skip};
	x = pane->x + CR_MAX((int32_t)cells - p->left, 0);
	if (rest.len)
		cr_grid_text(pane->g, x, y, pane->width - (x - pane->x), rest, look);
	if (p->left && line.len)
		cr_grid_text(pane->g, pane->x, y, 1,
			cr_str_of(cr_pane_mark(pane, "\xe2\x80\xb9", "<")), look);
	if (x - pane->x + (int32_t)cr_utf8_cells(rest) > pane->width)
		cr_grid_text(pane->g, pane->x + pane->width - 1, y, 1,
			cr_str_of(cr_pane_mark(pane, "\xe2\x80\xba", ">")), look);
}

static void
draw_sample(const struct cr_pager *p, const struct cr_pane *pane, const struct cr_pager_row *row,
	int32_t y)
{
	for (size_t i = 0; i < p->samples.n; i++)
		if (p->samples.p[i].line == row->line && !row->indent && !p->left)
			cr_grid_fill(pane->g, pane->x + SAMPLE_AT, y,
				CR_MIN(SAMPLE_CELLS, pane->width - SAMPLE_AT), 1,
				p->samples.p[i].ch, p->samples.p[i].look);
}

void
cr_pager_draw(const struct cr_pager *p, const struct cr_pane *pane)
{
	for (int32_t y = 0; y < pane->height; y++) {
		const size_t i = (size_t)(p->first + y);
		const struct cr_pager_row *row;
		struct cr_str line;
		struct cr_look look;

		if (i >= p->rows.n)
			break;
		row = &p->rows.p[i];
		line = (struct cr_str){p->text.p + row->from, row->len};
		look = look_of(p, pane, row);
		if (look.attr || look.fg != CR_COLOR_DEFAULT)
			cr_grid_fill(pane->g, pane->x, pane->y + y,
				look.bg != CR_COLOR_DEFAULT || look.attr & CR_ATTR_REVERSE
					? pane->width
					: 0,
				1, ' ', look);
		if (p->cut)
			draw_cut(p, pane, line, pane->y + y, look);
		else if (line.len)
			cr_grid_text(pane->g, pane->x + (int32_t)row->indent, pane->y + y,
				pane->width - (int32_t)row->indent, line, look);
		draw_sample(p, pane, row, pane->y + y);
	}
}

void
cr_pager_put_place(const struct cr_pager *p, struct cr_text *out)
{
	const int32_t rows = (int32_t)p->rows.n;

	const int32_t end = CR_MIN(p->first + p->height, rows);

	if (p->left)
		cr_text_printf(out, "+%" PRId32 "  ", p->left);
	if (rows > p->height && p->width >= NARROW_CELLS)
		cr_text_printf(
			out, "%" PRId32 "-%" PRId32 "/%" PRId32 "  ", p->first + 1, end, rows);
	if (rows > p->height)
		cr_text_printf(out, "%" PRId64 " %%", (int64_t)end * 100 / rows);
	while (out->len && out->p[out->len - 1] == ' ')
		out->p[--out->len] = '\0';
}
