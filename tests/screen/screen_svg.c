#include "screen_svg.h"

#include "base/utf8.h"
#include "view/style/color.h"

/* A picture of a screen: a rectangle for each background, a text for each run of one look. */
#define CELL_WIDTH 8.4
#define CELL_HEIGHT 18.0
#define BASELINE 13.5
#define MARGIN 10.0
#define COLOR_FRONT 0xd4d4d4u
#define COLOR_BACK 0x1e1e1eu

static uint32_t
front_of(const struct cr_cell *c)
{
	const uint32_t front = c->fg == CR_COLOR_DEFAULT ? COLOR_FRONT : c->fg;
	const uint32_t back = c->bg == CR_COLOR_DEFAULT ? COLOR_BACK : c->bg;

	return c->attr & CR_ATTR_REVERSE ? back : front;
}

static uint32_t
back_of(const struct cr_cell *c)
{
	struct cr_cell turned = *c;

	turned.attr ^= CR_ATTR_REVERSE;
	return front_of(&turned);
}

static void
put_rect(double x, double y, double width, double height, uint32_t color, double opacity,
	struct cr_text *out)
{
	cr_text_printf(out,
		"<rect x=\"%.1f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06x\"", x, y,
		width, height, color);
	if (opacity < 1)
		cr_text_printf(out, " fill-opacity=\"%.2f\"", opacity);
	cr_text_puts(out, "/>\n");
}

/*
 * Block characters, which fonts draw with gaps: *width and *height are the part of the cell that is
 * filled, from the left and from the bottom. False for other characters.
 */
static bool
block_of(uint32_t ch, double *width, double *height, double *opacity)
{
	*width = *height = *opacity = 1;
	if (ch >= 0x2581 && ch <= 0x2588)
		*height = (ch - 0x2580) / 8.0;
	else if (ch >= 0x2589 && ch <= 0x258f)
		*width = (0x2590 - ch) / 8.0;
	else if (ch >= 0x2591 && ch <= 0x2593)
		*opacity = (ch - 0x2590) / 4.0;
	else
		return false;
	return true;
}

static bool
is_block(const struct cr_cell *c)
{
	double unused[3];

	return block_of(c->ch, &unused[0], &unused[1], &unused[2]);
}

static void
put_backs(const struct cr_grid *g, int32_t y, struct cr_text *out)
{
	const struct cr_cell *row = &g->cells[(size_t)y * (size_t)g->width];

	for (int32_t x = 0, end; x < g->width; x = end) {
		for (end = x + 1; end < g->width && back_of(&row[end]) == back_of(&row[x]);)
			end++;
		if (back_of(&row[x]) != COLOR_BACK)
			put_rect(MARGIN + x * CELL_WIDTH, MARGIN + y * CELL_HEIGHT,
				(end - x) * CELL_WIDTH, CELL_HEIGHT, back_of(&row[x]), 1, out);
	}
}

static void
put_blocks(const struct cr_grid *g, int32_t y, struct cr_text *out)
{
	const struct cr_cell *row = &g->cells[(size_t)y * (size_t)g->width];
	double width, height, opacity;

	for (int32_t x = 0; x < g->width; x++)
		if (block_of(row[x].ch, &width, &height, &opacity))
			put_rect(MARGIN + x * CELL_WIDTH, MARGIN + (y + 1 - height) * CELL_HEIGHT,
				width * CELL_WIDTH, height * CELL_HEIGHT, front_of(&row[x]),
				opacity, out);
}

static void
put_character(uint32_t ch, struct cr_text *out)
{
	char utf8[4];

	switch (ch) {
	case '<': cr_text_puts(out, "&lt;"); return;
	case '>': cr_text_puts(out, "&gt;"); return;
	case '&': cr_text_puts(out, "&amp;"); return;
	default: cr_text_put(out, utf8, cr_utf8_encode(ch, utf8)); return;
	}
}

/* True if the cell continues a text in the look of `first`; blanks always do. */
static bool
continues(const struct cr_cell *first, const struct cr_cell *c)
{
	if (is_block(c))
		return false;
	return (c->ch == ' ' && !(c->attr & CR_ATTR_UNDERLINE)) ||
	       (front_of(c) == front_of(first) && c->attr == first->attr);
}

static void
put_run(const struct cr_cell *row, int32_t x, int32_t end, int32_t y, struct cr_text *out)
{
	cr_text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" textLength=\"%.1f\" fill=\"#%06x\"%s%s%s>",
		MARGIN + x * CELL_WIDTH, MARGIN + y * CELL_HEIGHT + BASELINE,
		(end - x) * CELL_WIDTH, front_of(&row[x]),
		row[x].attr & CR_ATTR_BOLD ? " font-weight=\"bold\"" : "",
		row[x].attr & CR_ATTR_DIM ? " fill-opacity=\"0.6\"" : "",
		row[x].attr & CR_ATTR_UNDERLINE ? " text-decoration=\"underline\"" : "");
	for (; x < end; x++)
		if (row[x].ch)
			put_character(row[x].ch, out);
	cr_text_puts(out, "</text>\n");
}

static void
put_texts(const struct cr_grid *g, int32_t y, struct cr_text *out)
{
	const struct cr_cell *row = &g->cells[(size_t)y * (size_t)g->width];

	for (int32_t x = 0, end, last; x < g->width; x = end) {
		end = x + 1;
		if (row[x].ch == ' ' || is_block(&row[x]))
			continue;
		/* A browser draws two blanks as one and stretches the text, so they end it. */
		for (last = x; end < last + 3 && end < g->width && continues(&row[x], &row[end]);
			end++)
			if (row[end].ch != ' ')
				last = end;
		put_run(row, x, last + 1, y, out);
	}
}

void
screen_put_svg(const struct cr_grid *g, struct cr_text *out)
{
	const double width = 2 * MARGIN + g->width * CELL_WIDTH,
		     height = 2 * MARGIN + g->height * CELL_HEIGHT;

	cr_text_printf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
		"width=\"%.0f\" "
		"height=\"%.0f\">\n",
		width, height, width, height);
	put_rect(0, 0, width, height, COLOR_BACK, 1, out);
	cr_text_puts(out,
		"<g font-family=\"ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace\" "
		"font-size=\"14\" xml:space=\"preserve\" style=\"white-space:pre\">\n");
	for (int32_t y = 0; y < g->height; y++) {
		put_backs(g, y, out);
		put_blocks(g, y, out);
		put_texts(g, y, out);
	}
	cr_text_puts(out, "</g>\n</svg>\n");
}
