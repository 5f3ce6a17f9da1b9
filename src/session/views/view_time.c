#include "session/views/view.h"

#include "session/argument_p.h"
#include "session/load.h"
#include "session/print_p.h"
#include "session/profiles_p.h"
#include "session/session_p.h"

#include "base/hash.h"
#include "model/profile.h"
#include "query/time/series.h"
#include "store/store.h"
#include "view/style/chart.h"
#include "view/style/label.h"
#include "view/style/spark.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * When the cost was spent: a lane for each thread, program, processor or function, or a map of the
 * seconds. A range of time is marked here; then all views can be filtered by it.
 */
extern const struct cr_view_ops cr_view_time;

#define PRINT_CELLS 80u
#define PRINT_ROWS 24
#define SHARE_CELLS 8u
#define NAME_LEAST 6u
#define NAME_MOST 32u
#define CHART_LEAST 4u
#define LABEL_CELLS 9u /* of the rows of the map */
#define SECOND_NS UINT64_C(1000000000)

enum { ROW_ALL, ROW_RULER, ROWS_ABOVE }; /* of the lanes; below them a row a lane */

struct timeline {
	enum cr_lane_key by;
	bool is_map;             /* the map of seconds, not lanes */
	uint64_t from_ns, to_ns; /* the part that is shown; to 0: all of it */
	uint64_t cursor_ns;
	bool marking; /* the mark reaches from the anchor to the cursor, and follows it */
	uint64_t anchor_ns;

	bool made;
	int32_t width, height; /* that it was made for */
	struct cr_series series;
	struct cr_heat map;
	bool has_series, has_map;
	uint64_t *bins; /* cost of all lanes together: of bins, or of seconds in samples */
	uint32_t n_bins, name_cells;
	uint32_t bin_cells; /* of a bin: 1 in lanes; wider in a map of few seconds */
	uint32_t first_bin; /* the leftmost one that is shown */
	uint64_t bin_ns, start_ns, most, lane_most, whole;
	struct cr_text why; /* there is nothing to show */
	struct cr_sheet_surface surface;
	const struct cr_session *s;
};

/* ---- sizes */

static uint32_t
width_of(const struct cr_view *v)
{
	return v->width > 0 ? (uint32_t)v->width : PRINT_CELLS;
}

static int32_t
rows_of(const struct cr_view *v)
{
	return v->height > 0 ? cr_view_rows_shown(v) : PRINT_ROWS;
}

/* The cell that charts begin in. */
static uint32_t
chart_cell(const struct timeline *m)
{
	return m->is_map ? LABEL_CELLS : SHARE_CELLS + 2 + m->name_cells + 2;
}

static uint32_t
chart_cells(const struct cr_view *v, const struct timeline *m)
{
	const uint32_t used = chart_cell(m);

	return width_of(v) > used + CHART_LEAST ? width_of(v) - used : CHART_LEAST;
}

static uint64_t
bin_start(const struct timeline *m, uint32_t bin)
{
	return m->start_ns + bin * m->bin_ns;
}

/* The bin that a time is in, or the nearest one. */
static uint32_t
bin_of(const struct timeline *m, uint64_t ns)
{
	const uint64_t bin = ns > m->start_ns && m->bin_ns ? (ns - m->start_ns) / m->bin_ns : 0;

	return (uint32_t)CR_MIN(bin, (uint64_t)(m->n_bins ? m->n_bins - 1 : 0));
}

/* ---- making */

/* "3s..5.25s" */
static void
put_range(uint64_t from_ns, uint64_t to_ns, struct cr_text *out)
{
	const struct cr_selection range = {
		.parts = CR_SELECTED_TIME, .from_ns = from_ns, .to_ns = to_ns};

	cr_selection_put_time(&range, out);
}

/* What is shown: the session's query and its event, of the part of the time that is shown. */
static int
query_make(const struct cr_session *s, const struct timeline *m, struct cr_query *out,
	struct cr_err *err)
{
	const struct cr_profile *p = s->profile[s->sides - 1];
	const struct cr_str event = p->events[cr_session_event_of(s, s->sides - 1).i].name;
	char *name = cr_memdup(event.len ? event.p : "", event.len);
	struct cr_text range = {0};
	int rc;

	cr_query_copy(&s->query, out);
	rc = cr_query_add(out, CR_WORD_EVENT, name, err);
	if (rc == CR_OK && m->to_ns) {
		put_range(m->from_ns, m->to_ns, &range);
		cr_query_remove(out, CR_WORD_TIME);
		rc = cr_query_add(out, CR_WORD_TIME, range.p, err);
	}
	cr_text_fini(&range);
	free(name);
	return rc;
}

static void
sum_lanes(struct timeline *m)
{
	const struct cr_series *s = &m->series;

	m->bins = cr_alloc(CR_MAX(s->n_bins, 1u), sizeof(*m->bins));
	m->n_bins = s->n_bins;
	m->bin_cells = 1;
	m->bin_ns = s->bin_ns;
	m->start_ns = s->span.from_ns;
	m->whole = s->weight;
	for (uint32_t i = 0; i < s->n_lanes; i++)
		for (uint32_t b = 0; b < s->n_bins; b++) {
			const uint64_t w = s->lanes[i].bin_weight[b];

			m->bins[b] = cr_add_sat(m->bins[b], w);
			if (!s->lanes[i].is_rest || i == 0)
				m->lane_most = CR_MAX(m->lane_most, w);
		}
}

static uint32_t
widest_name(const struct cr_series *s, uint32_t most)
{
	uint32_t cells = NAME_LEAST;
	struct cr_text t = {0};

	for (uint32_t i = 0; i < s->n_lanes; i++) {
		cr_text_clear(&t);
		cells = CR_MAX(cells, cr_label_fit(&t, s->lanes[i].name, most));
	}
	cr_text_fini(&t);
	return cells;
}

/* The names first: how wide they are decides how many bins there is room for. */
static int
lanes_make(struct cr_view *v, struct cr_session *s, struct timeline *m, struct cr_err *err)
{
	struct cr_profile *p = s->profile[s->sides - 1];
	struct cr_series_opts o = {.by = {m->by, NULL}, .bins = 1};
	struct cr_log log = {0};
	struct cr_query q = {0};
	int rc;

	o.top = (uint32_t)CR_MAX(rows_of(v) - ROWS_ABOVE, 1) - (rows_of(v) > ROWS_ABOVE + 1);
	o.top = CR_MAX(o.top, 1u);
	for (int pass = 0; pass < 2; pass++) {
		if ((rc = query_make(s, m, &q, err)) == CR_OK &&
			(rc = cr_store_fetch(
				 p, cr_load_parts(cr_series_needs(&q, &o)), &log, err)) == CR_OK)
			rc = cr_series_make(p, &q, &o, &m->series, err);
		cr_query_fini(&q);
		if (rc < 0)
			return rc;
		if (pass == 0) {
			m->name_cells = widest_name(
				&m->series, CR_MIN(CR_MAX(width_of(v) / 4, NAME_LEAST), NAME_MOST));
			o.bins = chart_cells(v, m);
			cr_series_fini(&m->series);
		}
	}
	m->has_series = true;
	sum_lanes(m);
	v->n = ROWS_ABOVE + m->series.n_lanes;
	return CR_OK;
}

/* How many parts of a second are shown one above the other. */
static uint32_t
map_rows(const struct cr_view *v)
{
	static const uint32_t parts[] = {50, 40, 25, 20, 10, 5, 4, 2};

	for (size_t i = 0; i < CR_LEN(parts); i++)
		if (parts[i] + 1 <= (uint32_t)CR_MAX(rows_of(v), 1) && parts[i] <= 20)
			return parts[i];
	return 1;
}

static int
map_make(struct cr_view *v, struct cr_session *s, struct timeline *m, struct cr_err *err)
{
	struct cr_profile *p = s->profile[s->sides - 1];
	struct cr_log log = {0};
	struct cr_query q = {0};
	const struct cr_heat *h = &m->map;
	int rc;

	if ((rc = query_make(s, m, &q, err)) == CR_OK &&
		(rc = cr_store_fetch(p, cr_load_parts(cr_heat_needs(&q)), &log, err)) == CR_OK)
		rc = cr_heat_make(p, &q, map_rows(v), &m->map, err);
	cr_query_fini(&q);
	if (rc < 0)
		return rc;
	m->has_map = true;
	m->bins = cr_alloc(CR_MAX(h->columns, 1u), sizeof(*m->bins));
	m->n_bins = h->columns;
	m->bin_ns = SECOND_NS;
	m->start_ns = h->span.from_ns;
	m->whole = h->whole;
	m->bin_cells = CR_MAX(chart_cells(v, m) / CR_MAX(h->columns, 1u), 1u);
	m->bin_cells = CR_MIN(m->bin_cells, 4u);
	for (uint32_t i = 0; i < h->columns; i++)
		for (uint32_t row = 0; row < h->rows; row++)
			m->bins[i] += h->samples[(size_t)i * h->rows + row];
	v->n = 1 + h->rows;
	return CR_OK;
}

static void
made_fini(struct timeline *m)
{
	if (m->has_series)
		cr_series_fini(&m->series);
	if (m->has_map)
		cr_heat_fini(&m->map);
	m->has_series = m->has_map = false;
	free(m->bins);
	m->bins = NULL;
	m->n_bins = m->first_bin = 0;
	m->most = m->lane_most = m->whole = 0;
	cr_text_clear(&m->why);
}

/* Move the map so that the cursor can be seen. */
static void
show_cursor(const struct cr_view *v, struct timeline *m)
{
	const uint32_t shown = CR_MAX(chart_cells(v, m) / CR_MAX(m->bin_cells, 1u), 1u);
	const uint32_t at = bin_of(m, m->cursor_ns);

	if (at < m->first_bin)
		m->first_bin = at;
	if (at >= m->first_bin + shown)
		m->first_bin = at - shown + 1;
}

static int
make_now(struct cr_view *v, struct cr_session *s, struct cr_err *err)
{
	struct timeline *m = v->state;
	int rc;

	made_fini(m);
	v->n = 0;
	m->made = true;
	m->width = v->width;
	m->height = v->height;
	rc = m->is_map ? map_make(v, s, m, err) : lanes_make(v, s, m, err);
	if (rc < 0) {
		made_fini(m);
		v->n = 0;
		cr_text_safe(&m->why, cr_str_of(err->text));
		return rc;
	}
	for (uint32_t i = 0; i < m->n_bins; i++)
		m->most = CR_MAX(m->most, m->bins[i]);
	m->cursor_ns = bin_start(m, bin_of(m, m->cursor_ns));
	v->row = m->is_map || v->row >= v->n || v->row == ROW_RULER ? 0 : v->row;
	show_cursor(v, m);
	return CR_OK;
}

static void
time_make(struct cr_view *v, struct cr_session *s)
{
	struct timeline *m = v->state;
	struct cr_err err = CR_ERR_INIT;

	m->s = s;
	if (m->by == CR_LANE_ALL)
		m->by = s->profile[0]->flags & CR_PROFILE_HAS_TASK ? CR_LANE_COMM
								   : CR_LANE_FUNCTION;
	if (!m->made || m->width != v->width || m->height != v->height)
		make_now(v, s, &err);
}

static void
time_drop(struct cr_view *v, unsigned changed)
{
	struct timeline *m = v->state;

	if (changed & CR_CHANGED_TREE)
		m->made = false;
}

static void
time_fini(struct cr_view *v)
{
	struct timeline *m = v->state;

	made_fini(m);
	cr_text_fini(&m->why);
}

/* ---- the mark */

static bool
is_marked(const struct cr_session *s)
{
	return s->selection.parts & CR_SELECTED_TIME;
}

/* The bins that the mark has; false where none is. */
static bool
marked_bins(const struct timeline *m, uint32_t *from, uint32_t *to)
{
	const struct cr_selection *n = &m->s->selection;
	const uint64_t end = bin_start(m, m->n_bins);

	if (!is_marked(m->s) || n->to_ns <= m->start_ns || n->from_ns >= end || !m->n_bins)
		return false;
	*from = bin_of(m, n->from_ns);
	*to = bin_of(m, CR_MIN(n->to_ns, end) - 1) + 1;
	return true;
}

static void
mark_to_cursor(struct cr_session *s, const struct timeline *m)
{
	const uint64_t a = CR_MIN(m->anchor_ns, m->cursor_ns),
		       b = CR_MAX(m->anchor_ns, m->cursor_ns);

	cr_session_select_time(s, a, b + m->bin_ns);
}

static void
cursor_to(struct cr_view *v, struct cr_session *s, uint64_t ns)
{
	struct timeline *m = v->state;

	m->cursor_ns = bin_start(m, bin_of(m, ns));
	show_cursor(v, m);
	if (m->marking)
		mark_to_cursor(s, m);
}

/* ---- moving */

static void
step_bin(struct cr_view *v, struct cr_session *s, int64_t by)
{
	const struct timeline *m = v->state;
	const int64_t at = (int64_t)bin_of(m, m->cursor_ns) + by;
	const int64_t last = m->n_bins ? (int64_t)m->n_bins - 1 : 0;

	cursor_to(v, s, bin_start(m, (uint32_t)CR_MIN(CR_MAX(at, (int64_t)0), last)));
}

static void
time_select_row(struct cr_view *v, struct cr_session *s, uint32_t row)
{
	const struct timeline *m = v->state;

	time_make(v, s);
	if (m->is_map || row >= v->n)
		return;
	v->row = row == ROW_RULER ? ROW_ALL : row;
}

static void
time_move(struct cr_view *v, struct cr_session *s, enum cr_move to)
{
	const struct timeline *m = v->state;
	uint32_t row;

	time_make(v, s);
	switch (to) {
	case CR_MOVE_LEFT: step_bin(v, s, -1); return;
	case CR_MOVE_RIGHT: step_bin(v, s, 1); return;
	case CR_MOVE_FIRST: step_bin(v, s, -(int64_t)m->n_bins); return;
	case CR_MOVE_LAST: step_bin(v, s, m->n_bins); return;
	default: break;
	}
	row = cr_view_row_after(v, to);
	if (row == ROW_RULER && v->n > ROWS_ABOVE)
		row = v->row > ROW_RULER ? ROW_ALL : ROWS_ABOVE;
	time_select_row(v, s, row);
}

/* ---- painting */

static void
paint_mark(const struct timeline *m, bool unicode, struct cr_paint *p)
{
	const uint32_t cursor = bin_of(m, m->cursor_ns), x0 = p->x;
	uint32_t from = 0, to = 0;
	const bool marked = marked_bins(m, &from, &to);

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

/* The bins [from, to) as heights. */
static void
paint_heights(const struct timeline *m, uint32_t from, uint32_t to, enum cr_ink ink, bool unicode,
	struct cr_paint *p)
{
	struct cr_text t = {0};

	if (from >= to)
		return;
	cr_spark_heights(&t, m->bins + from, to - from, m->most, unicode);
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

static void
paint_label(const struct timeline *m, uint64_t weight, enum cr_ink ink, struct cr_str name,
	struct cr_paint *p)
{
	struct cr_text share = {0};

	cr_text_share(&share, weight, m->whole);
	cr_paint_right(p, CR_INK_PLAIN, cr_text_view(&share), SHARE_CELLS);
	cr_paint_to(p, SHARE_CELLS + 2);
	cr_paint_fit(p, ink, name, m->name_cells);
	cr_paint_to(p, chart_cell(m));
	cr_text_fini(&share);
}

static void
paint_lane(
	const struct timeline *m, const struct cr_series_lane *l, bool unicode, struct cr_paint *p)
{
	struct cr_text rest = {0};

	if (l->is_rest)
		cr_text_counted(&rest, l->keys, "other", "others");
	paint_label(m, l->weight, l->is_rest ? CR_INK_DIM : CR_INK_PLAIN,
		l->is_rest ? cr_text_view(&rest) : l->name, p);
	for (uint32_t b = 0; b < m->n_bins; b++)
		paint_shade(l->bin_weight[b], m->lane_most, 1, unicode, p);
	cr_text_fini(&rest);
}

static void
paint_lanes(const struct timeline *m, uint32_t row, bool unicode, struct cr_paint *p)
{
	uint32_t from = 0, to = 0;

	if (row == ROW_RULER) {
		cr_paint_to(p, chart_cell(m));
		paint_mark(m, unicode, p);
		return;
	}
	if (row >= ROWS_ABOVE) {
		paint_lane(m, &m->series.lanes[row - ROWS_ABOVE], unicode, p);
		return;
	}
	paint_label(m, m->whole, CR_INK_STRONG, CR_STR("all"), p);
	if (!marked_bins(m, &from, &to))
		from = to = m->n_bins;
	paint_heights(m, 0, from, CR_INK_BAR, unicode, p);
	paint_heights(m, from, to, CR_INK_MARK, unicode, p);
	paint_heights(m, to, m->n_bins, CR_INK_BAR, unicode, p);
}

/* The end of each second on top, its start at the bottom, and below it the mark. */
static void
paint_map(const struct timeline *m, uint32_t row, bool unicode, struct cr_paint *p)
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
	const struct timeline *m = surface->view->state;

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
	const struct timeline *m = surface->view->state;
	const uint32_t shown =
		CR_MIN((m->n_bins - m->first_bin) * m->bin_cells, chart_cells(surface->view, m));
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
	cr_paint_to(&p, chart_cell(m));
	if (!m->n_bins)
		return;
	cr_chart_axis(&axis, bin_start(m, m->first_bin),
		bin_start(m, m->first_bin + CR_MAX(shown / m->bin_cells, 1u)), shown);
	cr_paint_text(&p, CR_INK_PLAIN, axis.p);
	cr_text_fini(&axis);
}

static void
time_chosen(const struct cr_sheet_surface *surface, uint32_t cells, int32_t *x, int32_t *n)
{
	const struct timeline *m = surface->view->state;

	*x = 0;
	*n = m->is_map ? 0 : (int32_t)CR_MIN(chart_cell(m) - 1, cells);
}

static struct cr_row_look
time_look(const struct cr_sheet_surface *surface, uint32_t row)
{
	(void)surface, (void)row;
	return (struct cr_row_look){.hit = false};
}

/* The bin at a cell of the pane; false left of the chart. */
static bool
bin_at(const struct timeline *m, int32_t x, uint32_t *bin)
{
	if (x < (int32_t)chart_cell(m) || !m->n_bins)
		return false;
	*bin = m->first_bin + ((uint32_t)x - chart_cell(m)) / m->bin_cells;
	*bin = CR_MIN(*bin, m->n_bins - 1);
	return true;
}

static void
time_put_click(const struct cr_sheet_surface *surface, uint32_t row, int32_t x, uint32_t cells,
	struct cr_text *out)
{
	const struct timeline *m = surface->view->state;
	uint32_t bin;

	(void)cells;
	if (!m->is_map)
		cr_text_printf(out, "row %" PRIu32 "; ", row + 1);
	if (bin_at(m, x, &bin))
		cr_text_printf(out, "cursor %" PRIu64 "ns", bin_start(m, bin));
}

static void
time_put_drag(const struct cr_sheet_surface *surface, int32_t x0, int32_t x1, struct cr_text *out)
{
	const struct timeline *m = surface->view->state;
	uint32_t a, b;

	if (!bin_at(m, CR_MIN(x0, x1), &a) || !bin_at(m, CR_MAX(x0, x1), &b))
		return;
	cr_text_puts(out, "mark ");
	put_range(bin_start(m, a), bin_start(m, b + 1), out);
	cr_text_printf(out, "; cursor %" PRIu64 "ns", bin_start(m, x0 < x1 ? b : a));
}

static const void *
time_surface(struct cr_view *v, struct cr_session *s)
{
	static const struct cr_sheet_column_head no_heads[1];
	struct timeline *m = v->state;

	time_make(v, s);
	m->surface = (struct cr_sheet_surface){
		.empty = m->why.len ? m->why.p : "no samples here",
		.heads = no_heads,
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

/* ---- Enter */

/* "comm zstd": only what the lane has. */
static void
put_lane_filter(const struct timeline *m, const struct cr_series_lane *l, struct cr_text *out)
{
	static const enum cr_word words[CR_LANE_KEYS] = {
		[CR_LANE_COMM] = CR_WORD_COMM,
		[CR_LANE_PID] = CR_WORD_PID,
		[CR_LANE_TID] = CR_WORD_TID,
		[CR_LANE_CPU] = CR_WORD_CPU,
		[CR_LANE_DSO] = CR_WORD_DSO,
	};
	char *name;

	if (l->is_rest || (l->name.len && memchr(l->name.p, '\0', l->name.len)))
		return;
	name = cr_memdup(l->name.p, l->name.len);
	if (m->by == CR_LANE_PID || m->by == CR_LANE_TID || m->by == CR_LANE_CPU)
		cr_text_printf(out, "%s %" PRIu64, cr_word_info(words[m->by])->name, l->number);
	else if (m->by == CR_LANE_COMM || m->by == CR_LANE_DSO)
		cr_query_put_step(words[m->by], name, out);
	else if (m->by == CR_LANE_FUNCTION)
		cr_text_puts(out, "select-lane");
	else if (m->by == CR_LANE_EVENT)
		cr_text_printf(out, "event %s", name);
	free(name);
}

static const struct cr_series_lane *
lane_selected(const struct cr_view *v)
{
	const struct timeline *m = v->state;

	if (!m->has_series || v->row < ROWS_ABOVE || v->row >= v->n)
		return NULL;
	return &m->series.lanes[v->row - ROWS_ABOVE];
}

static void
time_put_open(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct timeline *m = v->state;

	time_make(v, s);
	if (is_marked(s))
		cr_text_puts(out, "only-mark");
	else if (lane_selected(v))
		put_lane_filter(m, lane_selected(v), out);
	else
		cr_text_puts(&s->message, "nothing is marked: m marks from here");
}

static bool
time_is_match(struct cr_view *v, struct cr_session *s)
{
	(void)v, (void)s;
	return true;
}

static bool
time_find(struct cr_view *v, struct cr_session *s, bool backward)
{
	(void)v, (void)s, (void)backward;
	return false;
}

/* ---- texts */

static void
put_cost(const struct timeline *m, uint64_t cost, struct cr_text *out)
{
	cr_text_puts(out, "   ");
	cr_text_share(out, cost, m->whole);
	cr_text_puts(out, " of the cost   ");
	if (m->is_map)
		cr_text_counted(out, cost, "sample", "samples");
	else
		cr_text_measure(out, cost, m->series.unit);
}

static uint64_t
cost_of_bins(const struct timeline *m, uint32_t from, uint32_t to)
{
	uint64_t cost = 0;

	for (uint32_t b = from; b < to; b++)
		cost = cr_add_sat(cost, m->bins[b]);
	return cost;
}

/* The mark, or what is at the cursor. */
static void
put_here(const struct timeline *m, struct cr_text *out)
{
	const struct cr_selection *n = &m->s->selection;
	uint32_t from = bin_of(m, m->cursor_ns), to = from + 1;
	const bool marked = marked_bins(m, &from, &to);

	if (marked) {
		cr_text_puts(out, "marked ");
		cr_text_duration(out, n->from_ns);
		cr_text_puts(out, " to ");
		if (n->to_ns != UINT64_MAX) {
			cr_text_duration(out, n->to_ns);
			cr_text_puts(out, "   ");
			cr_text_duration(out, n->to_ns - n->from_ns);
		} else {
			cr_text_puts(out, "the end");
		}
	} else {
		cr_text_puts(out, "at ");
		cr_text_duration(out, m->cursor_ns);
	}
	put_cost(m, cost_of_bins(m, from, to), out);
}

static void
put_lane_here(const struct cr_view *v, const struct timeline *m, struct cr_text *out)
{
	const struct cr_series_lane *l = lane_selected(v);
	uint32_t from = bin_of(m, m->cursor_ns), to = from + 1;
	uint64_t cost = 0;

	if (!l) {
		cr_text_puts(out, m->is_map ? "each column is a second; " : "a cell is ");
		if (!m->is_map)
			cr_text_duration(out, m->bin_ns);
		cr_text_puts(out, is_marked(m->s) ? m->is_map ? "Enter: only the mark"
							      : "; Enter: only the mark"
				  : m->is_map     ? "m: mark from here"
						  : "; m: mark from here");
		return;
	}
	marked_bins(m, &from, &to);
	for (uint32_t b = from; b < to; b++)
		cost = cr_add_sat(cost, l->bin_weight[b]);
	cr_text_safe(out, l->name);
	cr_text_puts(out, "   ");
	cr_text_share(out, l->weight, m->whole);
	cr_text_puts(out, is_marked(m->s) ? ", of the mark " : ", here ");
	cr_text_share(out, cost, cost_of_bins(m, from, to));
}

static bool
time_put_about(struct cr_view *v, struct cr_session *s, int line, struct cr_text *out)
{
	const struct timeline *m = v->state;

	time_make(v, s);
	if (!m->n_bins)
		return true;
	if (line == 0)
		put_here(m, out);
	else
		put_lane_here(v, m, out);
	return true;
}

static void
time_put_title(const struct cr_view *v, const struct cr_session *s, struct cr_text *out)
{
	const struct timeline *m = v->state;
	const struct cr_lane_by by = {m->by, NULL};

	(void)s;
	if (!m->is_map)
		cr_text_printf(out, " by %s", cr_lane_word(&by));
	else
		cr_text_puts(out, " map");
}

static void
time_save(const struct cr_view *v, struct cr_text *out)
{
	const struct timeline *m = v->state;

	cr_text_printf(
		out, "%d %d %" PRIu64 " %" PRIu64, (int)m->by, m->is_map, m->from_ns, m->to_ns);
}

static void
time_restore(struct cr_view *v, struct cr_session *s, const char *text)
{
	struct timeline *m = v->state;
	int by, is_map;

	(void)s;
	if (sscanf(text, "%d %d %" SCNu64 " %" SCNu64, &by, &is_map, &m->from_ns, &m->to_ns) == 4 &&
		by >= 0 && by < CR_LANE_KEYS) {
		m->by = (enum cr_lane_key)by;
		m->is_map = is_map != 0;
	}
	m->marking = false;
	m->made = false;
}

static void
print_line(const struct cr_view *v, uint32_t row, const struct timeline *m, struct cr_text *out)
{
	struct cr_text line = {0};
	struct cr_paint p = {&line, NULL, 0, width_of(v)};

	if (row == CR_NO_ROW)
		time_head(&m->surface, width_of(v), true, &line);
	else
		time_paint(&m->surface, row, true, &p);
	while (line.len && line.p[line.len - 1] == ' ')
		line.len--;
	cr_text_put(out, line.p, line.len);
	cr_text_char(out, '\n');
	cr_text_fini(&line);
}

static void
time_print(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct timeline *m = v->state;

	time_surface(v, s);
	cr_print_heading(s, out);
	if (!v->n) {
		cr_text_printf(out, "%s\n", m->surface.empty);
		return;
	}
	print_line(v, CR_NO_ROW, m, out);
	for (uint32_t row = 0; row < v->n; row++)
		print_line(v, row, m, out);
	put_here(m, out);
	cr_text_char(out, '\n');
}

/* ---- its commands */

static struct cr_view *
time_view(struct cr_session *s)
{
	struct cr_view *v = cr_view_of(s, &cr_view_time);

	time_make(v, s);
	return v;
}

/* Other lanes, or another form; as it was if that cannot be made. */
static int
remake(struct cr_session *s, enum cr_lane_key by, bool is_map, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_time);
	struct timeline *m = v->state;
	const enum cr_lane_key was_by = m->by;
	const bool was_map = m->is_map;
	struct cr_err ignored = CR_ERR_INIT;
	int rc;

	m->by = by;
	m->is_map = is_map;
	m->s = s;
	if ((rc = make_now(v, s, err)) < 0) {
		m->by = was_by;
		m->is_map = was_map;
		make_now(v, s, &ignored);
	}
	return rc;
}

static const char *
lane_word_at(size_t i)
{
	const struct cr_lane_by by = {(enum cr_lane_key)(i + CR_LANE_COMM), NULL};

	return i + CR_LANE_COMM < CR_LANE_FIELD ? cr_lane_word(&by) : NULL;
}

static int
run_lanes(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct timeline *m = time_view(s)->state;
	const int n = CR_LANE_FIELD - CR_LANE_COMM, step = *args == 'p' ? n - 1 : 1;
	struct cr_text words = {0};
	int rc;

	(void)out;
	if (strcmp(args, "next") == 0 || strcmp(args, "previous") == 0) {
		/* Some keys are not recorded. */
		for (int i = 1, k = (int)m->by - CR_LANE_COMM; i < n; i++) {
			struct cr_err ignored = CR_ERR_INIT;

			k = (k + step) % n;
			if (remake(s, (enum cr_lane_key)(k + CR_LANE_COMM), false, &ignored) ==
				CR_OK)
				return CR_OK;
		}
		return CR_OK;
	}
	for (size_t i = 0; lane_word_at(i); i++) {
		cr_text_printf(&words, "%s%s", i ? ", " : "", lane_word_at(i));
		if (strcmp(args, lane_word_at(i)) == 0) {
			cr_text_fini(&words);
			return remake(s, (enum cr_lane_key)(i + CR_LANE_COMM), false, err);
		}
	}
	rc = cr_argument_bad(err, "lanes", args, words.p);
	cr_text_fini(&words);
	return rc;
}

static int
run_chart(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct timeline *m = cr_view_of(s, &cr_view_time)->state;

	(void)out;
	if (strcmp(args, "toggle") == 0)
		return remake(s, m->by, !m->is_map, err);
	if (strcmp(args, "lanes") != 0 && strcmp(args, "map") != 0)
		return cr_argument_bad(err, "chart", args, "lanes, map, toggle");
	return remake(s, m->by, *args == 'm', err);
}

/* A time after the first sample, given as for the filter `time`. */
static int
parse_time(const char *text, uint64_t *ns, struct cr_err *err)
{
	struct cr_query q = {0};
	struct cr_text range = {0};
	int rc;

	cr_text_printf(&range, "%s..", text);
	if ((rc = cr_query_add(&q, CR_WORD_TIME, range.p, err)) == CR_OK) {
		*ns = cr_query_filter(&q)->times.p[0].from;
		if (cr_query_filter(&q)->times.p[0].is_share)
			rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
				"cursor: give a time such as 3.5s, not a percentage");
	}
	cr_query_fini(&q);
	cr_text_fini(&range);
	return rc;
}

static int
run_cursor(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = time_view(s);
	uint64_t ns = 0;
	int rc;

	(void)out;
	if ((rc = parse_time(args, &ns, err)) == CR_OK)
		cursor_to(v, s, ns);
	return rc;
}

static int
run_mark_here(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct timeline *m = time_view(s)->state;

	(void)args, (void)out, (void)err;
	if (!m->n_bins)
		return CR_OK;
	m->marking = !m->marking;
	if (!m->marking)
		return CR_OK;
	m->anchor_ns = m->cursor_ns;
	mark_to_cursor(s, m);
	cr_text_puts(&s->message, "marking: Left and Right move its end, m ends it, Enter filters");
	return CR_OK;
}

static int
run_mark_off(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct timeline *m = cr_view_of(s, &cr_view_time)->state;

	(void)args, (void)out, (void)err;
	m->marking = false;
	cr_session_unselect(s, CR_SELECTED_TIME);
	return CR_OK;
}

/* One step for undo: the filter takes the place of the mark. */
static int
run_only_mark(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_selection *n = &s->selection;
	struct timeline *m = cr_view_of(s, &cr_view_time)->state;
	struct cr_text range = {0};
	struct cr_query q;
	int rc;

	(void)args, (void)out;
	if (!is_marked(s))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "only-mark: no time is marked");
	put_range(n->from_ns, n->to_ns, &range);
	cr_query_copy(&s->query, &q);
	cr_query_remove(&q, CR_WORD_TIME);
	m->from_ns = m->to_ns = 0;
	if ((rc = cr_query_add(&q, CR_WORD_TIME, range.p, err)) == CR_OK &&
		(rc = cr_session_set_query(s, s->event, &q, err)) == CR_OK)
		run_mark_off(s, "", NULL, err);
	cr_query_fini(&q);
	cr_text_fini(&range);
	return rc;
}

/* Half, or twice, of what is shown, around the mark or the cursor. */
static void
zoom_window(const struct timeline *m, bool in, uint64_t *from, uint64_t *to)
{
	const uint64_t len = m->bin_ns * m->n_bins, half = in ? len / 4 : len;
	const uint64_t middle = m->cursor_ns + m->bin_ns / 2;

	*from = middle > half ? middle - half : 0;
	*to = middle + CR_MAX(half, (uint64_t)1);
}

static int
run_zoom_time(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = time_view(s);
	struct timeline *m = v->state;
	const struct cr_selection *n = &s->selection;
	const uint64_t was_from = m->from_ns, was_to = m->to_ns;
	struct cr_err why = CR_ERR_INIT;

	(void)out;
	if (strcmp(args, "all") == 0)
		m->from_ns = m->to_ns = 0;
	else if (strcmp(args, "in") == 0 && is_marked(s) && n->to_ns != UINT64_MAX)
		m->from_ns = n->from_ns, m->to_ns = n->to_ns;
	else if (strcmp(args, "in") == 0 || strcmp(args, "out") == 0)
		zoom_window(m, *args == 'i', &m->from_ns, &m->to_ns);
	else
		return cr_argument_bad(err, "zoom-time", args, "in, out, all");
	if (make_now(v, s, &why) == CR_OK)
		return CR_OK;
	m->from_ns = was_from;
	m->to_ns = was_to;
	make_now(v, s, err);
	return CR_OK;
}

static int
run_select_lane(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_series_lane *l = lane_selected(time_view(s));

	(void)args, (void)out, (void)err;
	if (l && cr_session_select_function(s, l->name, CR_STR("")))
		cr_session_set_view(s, s->views);
	else
		cr_text_puts(&s->message, "the function is in no stack here");
	return CR_OK;
}

static int
run_compare_mark(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out;
	if (!is_marked(s))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "compare-mark: no time is marked");
	return cr_session_compare_time(s, err);
}

static const struct cr_command time_commands[] = {
	{"lanes", "next|previous|KEY", "show a lane for each comm, thread, processor, function ...",
		false, run_lanes, lane_word_at},
	{"chart", "lanes|map|toggle", "show lanes over time, or a map of the seconds", false,
		run_chart, NULL},
	{"cursor", "TIME", "go to a time after the first sample: 3.5s", false, run_cursor, NULL},
	{"mark-here", "", "mark from here on; again: the mark ends here", false, run_mark_here,
		NULL},
	{"mark-off", "", "remove the mark", false, run_mark_off, NULL},
	{"only-mark", "", "show only the marked time, in every view, and remove the mark", false,
		run_only_mark, NULL},
	{"zoom-time", "in|out|all", "show less time, or more, around the mark or the cursor", false,
		run_zoom_time, NULL},
	{"select-lane", "", "select the function of the lane, and show the flame graph", false,
		run_select_lane, NULL},
	{"compare-mark", "", "show the difference between the marked time and the rest", false,
		run_compare_mark, NULL},
	{0},
};

/* ---- the view */

static const struct cr_binding time_keys[] = {
	{"Time", {'m'}, "mark-here", "begin or end a mark at the cursor; or drag the mouse", "mark",
		false},
	{"Time", {CR_KEY_ENTER}, "open",
		"show only the marked time in every view; without a mark: only this lane", "only",
		false},
	{"Time", {'b'}, "lanes next", "lanes by another key: comm, pid, tid, cpu, dso, function",
		"by", false},
	{"Time", {'t'}, "chart toggle", "lanes, or a map of the seconds", "map", false},
	{"Time", {'d'}, "compare-mark", "the difference between the marked time and the rest",
		"compare", false},
	{"Time", {'+', 'z'}, "zoom-time in", "show the mark, or half of the time, in full width",
		NULL, false},
	{"Time", {'-'}, "zoom-time out", "show twice the time", NULL, false},
	{"Time", {'0'}, "zoom-time all", "show all of the time", NULL, false},
	{"Time", {CR_KEY_LEFT, 'h'}, "left", "a cell back", NULL, false},
	{"Time", {CR_KEY_RIGHT, 'l'}, "right", "a cell on", NULL, false},
	{"Time", {CR_KEY_ESC}, "mark-off", "remove the mark", NULL, false},
	{0},
};

const struct cr_view_ops cr_view_time = {
	.name = "time",
	.label = "Time",
	.about = "the cost over time",
	.surface = CR_SURFACE_SHEET,
	.state_bytes = sizeof(struct timeline),
	.keys = time_keys,
	.commands = time_commands,
	.make = time_make,
	.drop = time_drop,
	.fini = time_fini,
	.surface_of = time_surface,
	.move = time_move,
	.select_row = time_select_row,
	.put_open = time_put_open,
	.is_match = time_is_match,
	.find = time_find,
	.put_about = time_put_about,
	.put_title = time_put_title,
	.save = time_save,
	.restore = time_restore,
	.print = time_print,
};
