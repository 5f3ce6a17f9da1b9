#include "time_chart_p.h"

#include "timeline_p.h"

#include "base/hash.h"
#include "view/style/chart.h"
#include "view/style/paint.h"
#include "view/style/spark.h"

#include <inttypes.h>

#define SHARE_CELLS 8u
#define LABEL_CELLS 9u /* of the rows of the map */

static void
paint_mark(const struct cr_timeline *m, bool unicode, struct cr_paint *p)
{
	const uint32_t cursor = cr_timeline_bin_of(m, m->cursor_ns), x0 = p->x;
	uint32_t from = 0, to = 0;
	const bool marked = cr_timeline_marked_bins(m, &from, &to);

	for (uint32_t b = m->first_bin; b < m->n_bins; b++)
		for (uint32_t k = 0; k < m->bin_cells; k++) {
			const bool first = b == from && k == 0,
				   last = b + 1 == to && k + 1 == m->bin_cells;
			const char *line = unicode         ? first  ? "\xe2\x94\x94"
							     : last ? "\xe2\x94\x98"
								    : "\xe2\x94\x80"
					   : first || last ? "|"
							   : "-";

			if (b == cursor && k == 0)
				cr_paint_chart(p, CR_INK_STRONG, 0,
					unicode ? CR_STR("\xe2\x96\xb2") : CR_STR("^"));
			else if (marked && b >= from && b < to)
				cr_paint_chart(p, CR_INK_MARK, 0, cr_str_of(line));
			else
				cr_paint_to(p, x0 + (b - m->first_bin) * m->bin_cells + k + 1);
		}
}

/* A row of a chart that is `tall` rows high, counted from its foot. */
struct level {
	uint32_t row, tall;
};

/* Append the part of a column that is in this row: of 0 nothing but a blank. */
static void
put_height(struct cr_text *out, struct level at, uint64_t value, uint64_t most, bool unicode)
{
	const double rows = most ? (double)value / (double)most * at.tall - at.row : 0;
	uint64_t whole = 1000, part = rows > 0 ? (uint64_t)(CR_MIN(rows, 1.0) * 1000 + 0.5) : 0;

	if (at.tall == 1) {
		part = value;
		whole = most;
	} else if (value && at.row == 0) {
		part = CR_MAX(part, (uint64_t)1);
	}
	cr_spark_heights(out, &part, 1, whole, unicode);
}

/* The bins [from, to) of a side as heights. */
static void
paint_heights(const struct cr_timeline *m, uint32_t side, struct level at, uint32_t from,
	uint32_t to, enum cr_ink ink, bool unicode, struct cr_paint *p)
{
	struct cr_text t = {0};

	if (from >= to)
		return;
	for (uint32_t b = from; b < to; b++)
		put_height(&t, at, m->bins[side][b], m->most, unicode);
	cr_paint_chart(p, ink, CR_KIND_USER, cr_text_view(&t));
	cr_text_fini(&t);
}

/* From 1 for next to nothing to the highest level for the whole and more. */
static uint8_t
shade_level(uint64_t value, uint64_t most)
{
	const uint64_t ppm = most ? cr_share_ppm(CR_MIN(value, most), most) : 0;

	return (uint8_t)(1 + ppm * (UINT8_MAX - 1) / 1000000);
}

static void
paint_shade(uint64_t value, uint64_t most, uint32_t cells, bool unicode, struct cr_paint *p)
{
	const uint8_t level = shade_level(value, most);
	struct cr_text t = {0};

	cr_spark_shade(&t, value, most, unicode);
	for (uint32_t i = 0; i < cells; i++)
		if (value)
			cr_paint_chart(p, CR_INK_HEAT, level, cr_text_view(&t));
		else
			cr_paint_to(p, p->x + 1);
	cr_text_fini(&t);
}

/* The bins of a lane. Their heights are its cost over time, its colour the cost of all of them. */
static void
paint_bins(const struct cr_timeline *m, const struct cr_series_lane *l, struct level at,
	bool unicode, struct cr_paint *p)
{
	const uint8_t level = shade_level(l->weight, m->lane_weight);
	struct cr_text t = {0};

	for (uint32_t b = 0; b < m->n_bins; b++)
		put_height(&t, at, l->bin_weight[b], m->lane_most, unicode);
	cr_paint_chart(p, CR_INK_HEIGHT, level, cr_text_view(&t));
	cr_text_fini(&t);
}

static void
paint_label(const struct cr_timeline *m, uint32_t side, uint64_t weight, enum cr_ink ink,
	struct cr_str name, struct cr_paint *p)
{
	struct cr_text share = {0};

	cr_text_share(&share, weight, m->whole[side]);
	cr_paint_right(p, CR_INK_PLAIN, cr_text_view(&share), SHARE_CELLS);
	cr_paint_to(p, SHARE_CELLS + 2);
	cr_paint_fit(p, ink, name, m->name_cells);
	cr_paint_to(p, cr_timeline_chart_cell(m));
	cr_text_fini(&share);
}

static void
paint_lane(const struct cr_timeline *m, uint32_t side, const struct cr_series_lane *l,
	struct level at, bool unicode, struct cr_paint *p)
{
	struct cr_text rest = {0};

	if (l->is_rest)
		cr_text_counted(&rest, l->keys, "other", "others");
	if (at.row == 0)
		paint_label(m, side, l->weight, l->is_rest ? CR_INK_DIM : CR_INK_PLAIN,
			l->is_rest ? cr_text_view(&rest) : l->name, p);
	cr_paint_to(p, cr_timeline_chart_cell(m));
	paint_bins(m, l, at, unicode, p);
	cr_text_fini(&rest);
}

/* All lanes of a side together. */
static void
paint_all(const struct cr_timeline *m, uint32_t side, struct level at, bool unicode,
	struct cr_paint *p)
{
	const char *name = !m->is_diff ? "all" : side ? "after" : "before";
	uint32_t from = 0, to = 0;

	if (at.row == 0)
		paint_label(m, side, m->whole[side], CR_INK_STRONG, cr_str_of(name), p);
	cr_paint_to(p, cr_timeline_chart_cell(m));
	if (!cr_timeline_marked_bins(m, &from, &to))
		from = to = m->n_bins;
	paint_heights(m, side, at, 0, from, CR_INK_BAR, unicode, p);
	paint_heights(m, side, at, from, to, CR_INK_MARK, unicode, p);
	paint_heights(m, side, at, to, m->n_bins, CR_INK_BAR, unicode, p);
}

static void
paint_lanes(const struct cr_timeline *m, uint32_t row, bool unicode, struct cr_paint *p)
{
	const uint32_t block = cr_timeline_block(m, row);
	const struct cr_series_lane *lane = cr_timeline_lane(m, block);
	/* Tall blocks have a blank row above them. */
	const struct level at = {
		cr_timeline_row(m, block) - row, m->tall > 2 ? m->tall - 1 : m->tall};

	if (block == CR_TIMELINE_RULER) {
		cr_paint_to(p, cr_timeline_chart_cell(m));
		paint_mark(m, unicode, p);
	} else if (lane) {
		paint_lane(m, cr_timeline_side(m, block), lane, at, unicode, p);
	} else {
		paint_all(m, cr_timeline_side(m, block), at, unicode, p);
	}
}

/* The end of each second on top, its start at the bottom, and below it the mark. */
static void
paint_map(const struct cr_timeline *m, uint32_t row, bool unicode, struct cr_paint *p)
{
	const struct cr_heat *h = &m->map;
	const uint32_t part = h->rows - 1 - CR_MIN(row, h->rows - 1);
	struct cr_text label = {0};

	if (row < h->rows) {
		cr_text_printf(&label, "%" PRIu32 " ms", part * 1000 / h->rows);
		cr_paint_right(p, CR_INK_DIM, cr_text_view(&label), LABEL_CELLS - 2);
	}
	cr_paint_to(p, LABEL_CELLS);
	if (row == h->rows)
		paint_mark(m, unicode, p);
	for (uint32_t b = m->first_bin; row < h->rows && b < h->columns; b++)
		paint_shade(
			h->samples[(size_t)b * h->rows + part], h->most, m->bin_cells, unicode, p);
	cr_text_fini(&label);
}

static void
time_paint(const struct cr_sheet_surface *surface, uint32_t row, bool unicode, struct cr_paint *p)
{
	const struct cr_timeline *m = surface->view->state;

	if (m->is_map)
		paint_map(m, row, unicode, p);
	else
		paint_lanes(m, row, unicode, p);
}

static const char *
head_of(enum cr_lane_key by)
{
	static const char *const heads[CR_LANE_KEYS] = {
		[CR_LANE_COMM] = "COMM",
		[CR_LANE_PID] = "PROCESS",
		[CR_LANE_TID] = "THREAD",
		[CR_LANE_CPU] = "CPU",
		[CR_LANE_DSO] = "DSO",
		[CR_LANE_FUNCTION] = "FUNCTION",
		[CR_LANE_EVENT] = "EVENT",
	};

	return heads[by] ? heads[by] : "";
}

/* The times above the chart are those of its start, middle and end. */
static void
time_head(const struct cr_sheet_surface *surface, uint32_t cells, bool unicode, struct cr_text *out)
{
	const struct cr_timeline *m = surface->view->state;
	const uint32_t shown = CR_MIN((m->n_bins - m->first_bin) * m->bin_cells,
		cr_timeline_chart_cells(surface->view, m));
	struct cr_paint p = {out, NULL, 0, cells};
	struct cr_text axis = {0};

	(void)unicode;
	if (m->is_map) {
		cr_paint_right(&p, CR_INK_PLAIN, CR_STR("WITHIN"), LABEL_CELLS - 2);
	} else {
		cr_paint_right(&p, CR_INK_PLAIN, CR_STR("SHARE"), SHARE_CELLS);
		cr_paint_to(&p, SHARE_CELLS + 2);
		cr_paint_text(&p, CR_INK_PLAIN, head_of(m->by));
	}
	cr_paint_to(&p, cr_timeline_chart_cell(m));
	if (!m->n_bins)
		return;
	cr_chart_axis(&axis, cr_timeline_bin_start(m, m->first_bin),
		cr_timeline_bin_start(m, m->first_bin + CR_MAX(shown / m->bin_cells, 1u)), shown);
	cr_paint_text(&p, CR_INK_PLAIN, axis.p);
	cr_text_fini(&axis);
}

static void
time_chosen(const struct cr_sheet_surface *surface, uint32_t cells, int32_t *x, int32_t *n)
{
	const struct cr_timeline *m = surface->view->state;

	*x = 0;
	*n = m->is_map ? 0 : (int32_t)CR_MIN(cr_timeline_chart_cell(m) - 1, cells);
}

static struct cr_row_look
time_look(const struct cr_sheet_surface *surface, uint32_t row)
{
	(void)surface, (void)row;
	return (struct cr_row_look){.hit = false};
}

/* The bin at a cell of the pane; false left of the chart. */
static bool
bin_at(const struct cr_timeline *m, int32_t x, uint32_t *bin)
{
	if (x < (int32_t)cr_timeline_chart_cell(m) || !m->n_bins)
		return false;
	*bin = m->first_bin + ((uint32_t)x - cr_timeline_chart_cell(m)) / m->bin_cells;
	*bin = CR_MIN(*bin, m->n_bins - 1);
	return true;
}

static void
time_put_click(const struct cr_sheet_surface *surface, uint32_t row, int32_t x, uint32_t cells,
	struct cr_text *out)
{
	const struct cr_timeline *m = surface->view->state;
	uint32_t bin;

	(void)cells;
	if (!m->is_map)
		cr_text_printf(out, "row %" PRIu32 "; ", row + 1);
	if (bin_at(m, x, &bin))
		cr_text_printf(out, "cursor %" PRIu64 "ns", cr_timeline_bin_start(m, bin));
}

static void
time_put_drag(const struct cr_sheet_surface *surface, int32_t x0, int32_t x1, struct cr_text *out)
{
	const struct cr_timeline *m = surface->view->state;
	uint32_t a, b;

	if (!bin_at(m, CR_MIN(x0, x1), &a) || !bin_at(m, CR_MAX(x0, x1), &b))
		return;
	cr_text_puts(out, "mark ");
	cr_timeline_put_range(cr_timeline_bin_start(m, a), cr_timeline_bin_start(m, b + 1), out);
	cr_text_printf(out, "; cursor %" PRIu64 "ns", cr_timeline_bin_start(m, x0 < x1 ? b : a));
}

const void *
cr_time_chart_surface(struct cr_view *v, struct cr_session *s)
{
	struct cr_timeline *m = v->state;

	cr_timeline_make(v, s);
	m->surface = (struct cr_sheet_surface){
		.empty = m->why.len ? m->why.p : "no samples here",
		.view = v,
		.head = time_head,
		.look = time_look,
		.paint = time_paint,
		.chosen = time_chosen,
		.put_click = time_put_click,
		.put_drag = time_put_drag,
	};
	return &m->surface;
}
