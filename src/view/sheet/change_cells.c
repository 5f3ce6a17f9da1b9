#include "view/sheet/change_cells.h"

#include "view/sheet/verdict_sheet.h"
#include "view/style/change.h"
#include "view/style/chart.h"

#define SHARE_CELLS 8u    /* "  100.00" */
#define VERDICT_CELLS 18u /* "cannot tell (±4.0)" */
#define MARK_CELLS 3u     /* with a blank on either side */
#define AFTER_FROM 30u    /* narrower lines have only the change */
#define BEFORE_FROM 46u   /* narrower lines have no share before */
#define VERDICT_FROM 100u /* narrower lines have no verdict */

struct columns {
	uint32_t before, after, change, verdict;
};

static struct columns
columns_of(uint32_t cells, bool verdicts)
{
	const bool any = cells == 0;

	return (struct columns){.before = any || cells >= BEFORE_FROM ? SHARE_CELLS : 0,
		.after = any || cells >= AFTER_FROM ? SHARE_CELLS : 0,
		.change = SHARE_CELLS,
		.verdict = verdicts && (any || cells >= VERDICT_FROM) ? 2 + VERDICT_CELLS : 0};
}

uint32_t
cr_change_cells_width(uint32_t cells, bool verdicts)
{
	const struct columns c = columns_of(cells, verdicts);

	return c.before + c.after + c.change + c.verdict + MARK_CELLS;
}

void
cr_change_cells_head(uint32_t cells, bool verdicts, const char *head, struct cr_text *out)
{
	const struct columns c = columns_of(cells, verdicts);

	if (c.before)
		cr_chart_right(out, CR_STR("BEFORE"), c.before);
	if (c.after)
		cr_chart_right(out, CR_STR("AFTER"), c.after);
	cr_chart_right(out, CR_STR("CHANGE"), c.change);
	if (c.verdict)
		cr_text_printf(out, "  %-*s", (int)VERDICT_CELLS, head);
	cr_text_pad(out, ' ', MARK_CELLS);
}

static void
put_share(const struct cr_change_cells *c, uint32_t side, uint32_t cells, struct cr_paint *out)
{
	struct cr_text text = {0};

	if (!cells)
		return;
	cr_text_printf(&text, "%.2f", cr_share_ppm(c->part[side], c->whole[side]) / 10000.0);
	cr_paint_right(out, CR_INK_PLAIN, cr_text_view(&text), cells);
	cr_text_fini(&text);
}

void
cr_change_cells_put(
	const struct cr_change_cells *c, bool verdicts, bool unicode, struct cr_paint *out)
{
	const struct columns columns = columns_of(out->width, verdicts);
	const uint32_t end = cr_change_cells_width(out->width, verdicts);
	const char mark = cr_change_mark_of(c->shown);
	struct cr_text text = {0};

	put_share(c, 0, columns.before, out);
	put_share(c, 1, columns.after, out);
	cr_change_put_points((int64_t)cr_share_ppm(c->part[1], c->whole[1]) -
				     (int64_t)cr_share_ppm(c->part[0], c->whole[0]),
		&text);
	cr_paint_right(out, CR_INK_PLAIN, cr_text_view(&text), columns.change);
	if (columns.verdict && c->verdict) {
		cr_text_clear(&text);
		cr_verdict_put_word(c->verdict, unicode, &text);
		cr_paint_to(out, out->x + 2);
		cr_paint_str(out, CR_INK_PLAIN, cr_text_view(&text));
	}
	cr_paint_to(out, end - 2);
	cr_paint_str(out, CR_INK_PLAIN, (struct cr_str){&mark, mark != 0});
	cr_paint_to(out, end);
	cr_text_fini(&text);
}
