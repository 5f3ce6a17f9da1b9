#include "view/sheet/call_lines.h"

#include "base/utf8.h"
#include "view/style/chart.h"
#include "view/style/label.h"
#include "view/style/spark.h"

#include <string.h>

#define SHARE_CELLS 8u     /* " 100.00" and a blank */
#define COST_CELLS 10u     /* weights: " 12.3 ms" */
#define SECOND_FROM 40u    /* narrower lines have one share */
#define BAR_FROM 50u       /* narrower lines have no bar */
#define DSO_FROM 64u       /* narrower lines have no dso */
#define SAMPLES_FROM 72u   /* narrower lines have no samples */
#define WIDE_FROM 110u     /* wider lines have longer bars and names of dsos */
#define UNLIMITED_NAME 48u /* width of a name, before the dso, if nothing is shortened */
#define INLINED " (inlined)"

/* Columns of a line with a given width, and their widths; 0: hidden. */
struct columns {
	uint32_t bar, second, cost, name, dso;
};

/* If a line of the input stands for many samples, the number of lines is meaningless. */
static bool
shows_samples(const struct cr_tree *t)
{
	return !t->summed || cr_str_eq(t->unit, CR_STR("samples"));
}

static uint32_t
cost_cells(const struct cr_tree *t)
{
	struct cr_text all = {0};
	uint32_t cells;

	if (!shows_samples(t))
		return COST_CELLS;
	cr_text_grouped(&all, t->total_samples[0][0]);
	cells = (uint32_t)all.len + 2;
	cr_text_fini(&all);
	return CR_MAX(cells, SHARE_CELLS + 1);
}

static struct columns
columns_of(const struct cr_call_lines *l, uint32_t cells)
{
	const bool any = cells == 0;
	const bool wide = any || cells >= WIDE_FROM;
	struct columns c = {0};
	uint32_t used;

	c.dso = any || cells >= DSO_FROM ? (wide ? 24 : 12) : 0;
	if (l->of->sides == 2) {
		used = cr_change_cells_width(cells, l->verdicts);
	} else {
		c.second = any || cells >= SECOND_FROM ? SHARE_CELLS : 0;
		c.bar = any || cells >= BAR_FROM ? (wide ? 12 : 6) : 0;
		c.cost = any || cells >= SAMPLES_FROM ? cost_cells(l->of) : 0;
		used = SHARE_CELLS + 2 + c.second + (c.bar ? c.bar + 1 : 0) + c.cost;
	}
	used += c.dso ? c.dso + 2 : 0;
	c.name = any ? UNLIMITED_NAME : cells > used ? cells - used : 1;
	return c;
}

uint32_t
cr_call_lines_guide_cells(const struct cr_call_lines *l, uint32_t cells)
{
	if (!cells)
		return UNLIMITED_NAME;
	return columns_of(l, cells).name / (cells < BAR_FROM ? 3 : 2);
}

/* ---- headings */

static void
put_number_heads(const struct cr_call_lines *l, const struct columns *c, struct cr_text *out)
{
	cr_chart_right(out, cr_str_of(l->share_head), SHARE_CELLS);
	cr_text_pad(out, ' ', c->bar ? c->bar + 1 : 0);
	if (c->second)
		cr_chart_right(out, cr_str_of(l->second_head), c->second);
	if (c->cost)
		cr_chart_right(
			out, shows_samples(l->of) ? CR_STR("SAMPLES") : CR_STR("COST"), c->cost);
	cr_text_puts(out, "  ");
}

void
cr_call_lines_head(const struct cr_call_lines *l, uint32_t cells, struct cr_text *out)
{
	const struct columns c = columns_of(l, cells);
	const size_t from = out->len;

	if (l->of->sides == 2)
		cr_change_cells_head(cells, l->verdicts, "FUNCTION'S VERDICT", out);
	else
		put_number_heads(l, &c, out);
	cr_text_puts(out, l->name_head);
	if (c.dso) {
		const uint32_t used = cr_utf8_cells(cr_str_of(l->name_head));

		cr_text_pad(out, ' ', c.name - CR_MIN(c.name, used) + 2);
		cr_text_puts(out, "DSO");
	}
	if (cells && out->len - from > cells) {
		out->len = from + cells;
		out->p[out->len] = '\0';
	}
}

/* ---- one line */

static void
put_share(struct cr_paint *out, uint64_t part, uint64_t whole, bool hot)
{
	struct cr_text text = {0};
	const enum cr_ink ink = cr_ink_of_share(cr_share_ppm(part, whole));

	cr_text_printf(&text, "%.2f", whole ? 100.0 * (double)part / (double)whole : 0.0);
	cr_paint_right(out, ink == CR_INK_HOT && !hot ? CR_INK_PLAIN : ink, cr_text_view(&text),
		SHARE_CELLS);
	cr_text_fini(&text);
}

static void
put_bar(const struct cr_call_line *line, uint32_t cells, bool unicode, struct cr_paint *out)
{
	struct cr_text bar = {0};
	const double steps = (unicode ? 8.0 : 1.0) * cells;
	/* A thin bar before each of a hundred small shares would only be noise. */
	const bool any = line->whole && steps * (double)line->part / (double)line->whole >= 0.5;

	cr_paint_to(out, out->x + 1);
	cr_spark_bar(&bar, any ? line->part : 0, line->whole, cells, unicode);
	cr_paint_chart(out, CR_INK_BAR, line->frame->kind, cr_text_view(&bar));
	cr_text_fini(&bar);
}

static void
put_cost(const struct cr_call_lines *l, const struct cr_call_line *line, uint32_t cells,
	struct cr_paint *out)
{
	struct cr_text text = {0};

	if (shows_samples(l->of))
		cr_text_grouped(&text, line->samples);
	else
		cr_chart_cost(&text, line->weight, l->of->unit, cells - 2);
	cr_paint_right(out, CR_INK_PLAIN, cr_text_view(&text), cells);
	cr_text_fini(&text);
}

/* The guide and the name. */
static void
put_name(const struct cr_call_lines *l, const struct cr_call_line *line, uint32_t cells,
	struct cr_paint *out)
{
	/* Lines of two sides are coloured by their change. */
	const enum cr_ink ink = line->strong        ? CR_INK_NAME_GROUP
				: l->of->sides == 2 ? CR_INK_PLAIN
						    : cr_ink_of_name(line->frame);
	const uint32_t end = out->x + cells;

	cr_paint_chart(out, CR_INK_DIM, 0, line->guide);
	if (out->width)
		cr_paint_fit(out, ink, line->frame->name, end - CR_MIN(end, out->x));
	else
		cr_paint_str(out, ink, line->frame->name);
	if (line->inlined && (!out->width || out->x + strlen(INLINED) <= end))
		cr_paint_text(out, CR_INK_DIM, INLINED);
}

static void
put_dso(const struct cr_frame *f, uint32_t x, uint32_t cells, struct cr_paint *out)
{
	struct cr_text made = {0};
	const struct cr_str dso = cr_dso_name(f->dso, (enum cr_kind)f->kind, &made);

	if (dso.len)
		cr_paint_to(out, x);
	if (!out->width)
		cr_paint_str(out, CR_INK_DIM, dso);
	else if (dso.len > cells && f->kind == CR_KIND_KERNEL)
		cr_paint_text(out, CR_INK_DIM, "[kernel]");
	else
		cr_paint_fit(out, CR_INK_DIM, dso, cells);
	cr_text_fini(&made);
}

static void
put_numbers(const struct cr_call_lines *l, const struct cr_call_line *line, const struct columns *c,
	bool unicode, struct cr_paint *out)
{
	put_share(out, line->part, line->whole, false);
	if (c->bar)
		put_bar(line, c->bar, unicode, out);
	if (c->second)
		put_share(out, line->second_part, line->second_whole, true);
	if (c->cost)
		put_cost(l, line, c->cost, out);
	cr_paint_to(out, out->x + 2);
}

void
cr_call_lines_put(const struct cr_call_lines *l, const struct cr_call_line *line, bool unicode,
	struct cr_paint *out)
{
	const struct columns c = columns_of(l, out->width);
	uint32_t name;

	if (l->of->sides == 2)
		cr_change_cells_put(&line->change, l->verdicts, unicode, out);
	else
		put_numbers(l, line, &c, unicode, out);
	name = out->x;
	put_name(l, line, c.name, out);
	if (c.dso)
		put_dso(line->frame, CR_MAX(name + c.name, out->x) + 2, c.dso, out);
}
