#include "timeline_p.h"

#include "sheet_view_p.h"
#include "view_samples_p.h"

#include "session/load.h"
#include "session/session_p.h"

#include "base/hash.h"
#include "model/profile.h"
#include "store/store.h"
#include "view/style/label.h"

#include <stdlib.h>

#define PRINT_ROWS 24
#define TALL_FROM 30 /* rows of the view; with fewer each lane has one */
#define TALL_MOST 8u
#define SHARE_CELLS 8u
#define NAME_LEAST 6u
#define NAME_MOST 32u
#define CHART_LEAST 4u
#define LABEL_CELLS 9u /* of the rows of the map */
#define SECOND_NS UINT64_C(1000000000)

/* ---- sizes */

static int32_t
rows_of(const struct cr_view *v)
{
	return v->height > 0 ? cr_view_rows_shown(v) : PRINT_ROWS;
}

uint32_t
cr_timeline_chart_cell(const struct cr_timeline *m)
{
	return m->is_map ? LABEL_CELLS : SHARE_CELLS + 2 + m->name_cells + 2;
}

uint32_t
cr_timeline_chart_cells(const struct cr_view *v, const struct cr_timeline *m)
{
	const uint32_t used = cr_timeline_chart_cell(m);

	return cr_sheet_view_width(v) > used + CHART_LEAST ? cr_sheet_view_width(v) - used
							   : CHART_LEAST;
}

uint64_t
cr_timeline_bin_start(const struct cr_timeline *m, uint32_t bin)
{
	return m->start_ns + bin * m->bin_ns;
}

uint32_t
cr_timeline_bin_of(const struct cr_timeline *m, uint64_t ns)
{
	const uint64_t bin = ns > m->start_ns && m->bin_ns ? (ns - m->start_ns) / m->bin_ns : 0;

	return (uint32_t)CR_MIN(bin, (uint64_t)(m->n_bins ? m->n_bins - 1 : 0));
}

/* ---- making */

void
cr_timeline_put_range(uint64_t from_ns, uint64_t to_ns, struct cr_text *out)
{
	const struct cr_selection range = {
		.parts = CR_SELECTED_TIME, .from_ns = from_ns, .to_ns = to_ns};

	cr_selection_put_time(&range, out);
}

/* What is shown of a side: the query and its event, of the part of the time that is shown. */
static int
query_make(const struct cr_session *s, const struct cr_timeline *m, uint32_t side,
	struct cr_query *out, struct cr_err *err)
{
	const struct cr_profile *p = s->profile[side];
	const struct cr_str event = p->events[cr_session_event_of(s, side).i].name;
	char *name = cr_memdup(event.len ? event.p : "", event.len);
	struct cr_text range = {0};
	int rc;

	cr_query_copy(&s->query, out);
	rc = cr_query_add(out, CR_WORD_EVENT, name, err);
	if (rc == CR_OK && m->to_ns) {
		cr_timeline_put_range(m->from_ns, m->to_ns, &range);
		cr_query_remove(out, CR_WORD_TIME);
		rc = cr_query_add(out, CR_WORD_TIME, range.p, err);
	}
	cr_text_fini(&range);
	free(name);
	return rc;
}

/* ---- lanes */

static void
sum_lanes(struct cr_timeline *m, uint32_t side, const struct cr_series *s)
{
	m->bins[side] = cr_alloc(CR_MAX(s->n_bins, 1u), sizeof(**m->bins));
	m->whole[side] = s->weight;
	for (uint32_t i = 0; i < s->n_lanes; i++) {
		if (!s->lanes[i].is_rest || i == 0)
			m->lane_weight = CR_MAX(m->lane_weight, s->lanes[i].weight);
		for (uint32_t b = 0; b < s->n_bins; b++) {
			const uint64_t w = s->lanes[i].bin_weight[b];

			m->bins[side][b] = cr_add_sat(m->bins[side][b], w);
			if (!s->lanes[i].is_rest || i == 0)
				m->lane_most = CR_MAX(m->lane_most, w);
		}
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

static int
side_make(struct cr_session *s, struct cr_timeline *m, uint32_t side, struct cr_series_opts *o,
	struct cr_err *err)
{
	struct cr_profile *p = s->profile[side];
	struct cr_query q = {0};
	int rc;

	if ((rc = query_make(s, m, side, &q, err)) == CR_OK &&
		(rc = cr_view_fetch_of(s, side, cr_series_needs(p, &q, o), err)) == CR_OK) {
		o->slices = side + 1 == s->sides ? cr_view_slices(s, &q) : NULL;
		rc = cr_series_make(p, &q, o, &m->side[side], err);
	}
	cr_query_fini(&q);
	return rc;
}

static void
sides_fini(struct cr_timeline *m)
{
	for (uint32_t side = 0; side < CR_SIDES; side++)
		cr_series_fini(&m->side[side]);
}

/* The lanes of the sides from `first` on, one below the other. */
static void
join_sides(struct cr_timeline *m, uint32_t first, uint32_t last)
{
	CR_VEC(struct cr_series_lane) lanes = {0};

	m->series = m->side[last];
	m->n_before = m->is_diff ? m->side[0].n_lanes : 0;
	for (uint32_t side = first; side <= last; side++) {
		for (uint32_t i = 0; i < m->side[side].n_lanes; i++)
			cr_vec_push(&lanes, m->side[side].lanes[i]);
		sum_lanes(m, m->is_diff ? side : 0, &m->side[side]);
	}
	m->series.lanes = lanes.p;
	m->series.n_lanes = (uint32_t)lanes.n;
	m->n_bins = m->series.n_bins;
	m->bin_cells = 1;
	m->bin_ns = m->series.bin_ns;
	m->start_ns = m->series.span.from_ns;
}

/* How many lanes fit; there is one more for the others. */
static uint32_t
lanes_most(const struct cr_view *v, const struct cr_timeline *m)
{
	const int32_t above = CR_TIMELINE_ABOVE + (m->is_diff ? 1 : 0);
	const int32_t room = CR_MAX(rows_of(v) - above, 1) / (m->is_diff ? CR_SIDES : 1);

	return (uint32_t)CR_MAX(room - (room > 1), 1);
}

/*
 * The names first: how wide they are decides how many bins there is room for. The longer recording
 * decides what time they cover.
 */
static int
lanes_make(struct cr_view *v, struct cr_session *s, struct cr_timeline *m, struct cr_err *err)
{
	struct cr_series_opts o = {.by = {m->by, NULL}, .bins = 1};
	const uint32_t last = s->sides - 1, first = m->is_diff ? 0 : last;
	uint32_t cells = NAME_LEAST, blocks;
	int rc;

	o.top = lanes_most(v, m);
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t side = first; side <= last; side++)
			if ((rc = side_make(s, m, side, &o, err)) < 0)
				return rc;
		if (pass > 0)
			break;
		for (uint32_t side = first; side <= last; side++) {
			cells = CR_MAX(cells,
				widest_name(&m->side[side],
					CR_MIN(CR_MAX(cr_sheet_view_width(v) / 4, NAME_LEAST),
						NAME_MOST)));
			if (m->is_diff)
				o.len_ns = CR_MAX(o.len_ns, m->side[side].span.len_ns);
		}
		m->name_cells = cells;
		o.bins = cr_timeline_chart_cells(v, m);
		sides_fini(m);
	}
	m->has_series = true;
	join_sides(m, first, last);
	blocks = CR_TIMELINE_ABOVE + m->series.n_lanes + (m->is_diff ? 1 : 0);
	m->tall = rows_of(v) >= TALL_FROM ? ((uint32_t)rows_of(v) - 1) / (blocks - 1) : 1;
	m->tall = CR_MIN(CR_MAX(m->tall, 1u), TALL_MOST);
	v->n = 1 + (blocks - 1) * m->tall;
	return CR_OK;
}

uint32_t
cr_timeline_block(const struct cr_timeline *m, uint32_t row)
{
	if (m->is_map || !m->tall)
		return row;
	if (row <= m->tall)
		return row == m->tall;
	return CR_TIMELINE_ABOVE + (row - m->tall - 1) / m->tall;
}

uint32_t
cr_timeline_row(const struct cr_timeline *m, uint32_t block)
{
	if (m->is_map || !m->tall)
		return block;
	return block ? block * m->tall : m->tall - 1;
}

const struct cr_series_lane *
cr_timeline_lane(const struct cr_timeline *m, uint32_t block)
{
	uint32_t at = block - CR_TIMELINE_ABOVE;

	if (!m->has_series || block < CR_TIMELINE_ABOVE || (m->is_diff && at == m->n_before))
		return NULL;
	at -= m->is_diff && at > m->n_before;
	return at < m->series.n_lanes ? &m->series.lanes[at] : NULL;
}

uint32_t
cr_timeline_side(const struct cr_timeline *m, uint32_t block)
{
	return m->is_diff && block >= CR_TIMELINE_ABOVE + m->n_before;
}

/* ---- the map */

/* How many parts of a second are shown one above the other. */
static uint32_t
map_rows(const struct cr_view *v)
{
	static const uint32_t parts[] = {50, 40, 25, 20, 10, 5, 4, 2};

	for (size_t i = 0; i < CR_LEN(parts); i++)
		if (parts[i] + 1 <= (uint32_t)CR_MAX(rows_of(v), 1))
			return parts[i];
	return 1;
}

static int
map_make(struct cr_view *v, struct cr_session *s, struct cr_timeline *m, struct cr_err *err)
{
	struct cr_profile *p = s->profile[s->sides - 1];
	struct cr_log log = {0};
	struct cr_query q = {0};
	const struct cr_heat *h = &m->map;
	int rc;

	if ((rc = query_make(s, m, s->sides - 1, &q, err)) == CR_OK &&
		(rc = cr_store_fetch(p, cr_load_parts(cr_heat_needs(&q)), &log, err)) == CR_OK)
		rc = cr_heat_make(p, &q, map_rows(v), &m->map, err);
	cr_query_fini(&q);
	if (rc < 0)
		return rc;
	m->has_map = true;
	m->bins[0] = cr_alloc(CR_MAX(h->columns, 1u), sizeof(**m->bins));
	m->n_bins = h->columns;
	m->bin_ns = SECOND_NS;
	m->start_ns = h->span.from_ns;
	m->whole[0] = h->whole;
	m->bin_cells = CR_MAX(cr_timeline_chart_cells(v, m) / CR_MAX(h->columns, 1u), 1u);
	m->bin_cells = CR_MIN(m->bin_cells, 4u);
	for (uint32_t i = 0; i < h->columns; i++)
		for (uint32_t row = 0; row < h->rows; row++)
			m->bins[0][i] += h->samples[(size_t)i * h->rows + row];
	v->n = 1 + h->rows;
	return CR_OK;
}

static void
made_fini(struct cr_timeline *m)
{
	cr_series_sheet_fini(&m->bins_sheet);
	cr_heat_sheet_fini(&m->map_sheet);
	if (m->has_series)
		free(m->series.lanes);
	sides_fini(m);
	if (m->has_map)
		cr_heat_fini(&m->map);
	m->has_series = m->has_map = false;
	for (uint32_t side = 0; side < CR_SIDES; side++) {
		free(m->bins[side]);
		m->bins[side] = NULL;
		m->whole[side] = 0;
	}
	m->n_bins = m->first_bin = m->n_before = 0;
	m->most = m->lane_most = m->lane_weight = 0;
	cr_text_clear(&m->why);
}

void
cr_timeline_show_cursor(const struct cr_view *v, struct cr_timeline *m)
{
	const uint32_t shown = CR_MAX(cr_timeline_chart_cells(v, m) / CR_MAX(m->bin_cells, 1u), 1u);
	const uint32_t at = cr_timeline_bin_of(m, m->cursor_ns);

	if (at < m->first_bin)
		m->first_bin = at;
	if (at >= m->first_bin + shown)
		m->first_bin = at - shown + 1;
}

int
cr_timeline_remake(struct cr_view *v, struct cr_session *s, struct cr_err *err)
{
	struct cr_timeline *m = v->state;
	const uint32_t block = m->made ? cr_timeline_block(m, v->row) : 0;
	int rc;

	made_fini(m);
	v->n = 0;
	m->made = true;
	m->width = v->width;
	m->height = v->height;
	m->is_diff = !m->is_map && cr_view_has_sides(s) && !s->by_time;
	rc = m->is_map ? map_make(v, s, m, err) : lanes_make(v, s, m, err);
	if (rc < 0) {
		made_fini(m);
		v->n = 0;
		cr_text_safe(&m->why, cr_str_of(err->text));
		return rc;
	}
	for (uint32_t side = 0; side < CR_SIDES; side++)
		for (uint32_t i = 0; i < m->n_bins && m->bins[side]; i++)
			m->most = CR_MAX(m->most, m->bins[side][i]);
	m->cursor_ns = cr_timeline_bin_start(m, cr_timeline_bin_of(m, m->cursor_ns));
	v->row = m->is_map ? 0 : cr_timeline_row(m, block == CR_TIMELINE_RULER ? 0 : block);
	if (v->row >= v->n)
		v->row = m->is_map ? 0 : cr_timeline_row(m, CR_TIMELINE_ALL);
	cr_timeline_show_cursor(v, m);
	return CR_OK;
}

void
cr_timeline_make(struct cr_view *v, struct cr_session *s)
{
	struct cr_timeline *m = v->state;
	struct cr_err err = CR_ERR_INIT;

	m->s = s;
	if (m->by == CR_LANE_ALL)
		m->by = s->profile[0]->flags & CR_PROFILE_HAS_TASK ? CR_LANE_COMM
								   : CR_LANE_FUNCTION;
	if (!cr_view_is_made_of(s, &m->made_of) || !m->made || m->width != v->width ||
		m->height != v->height)
		cr_timeline_remake(v, s, &err);
}

void
cr_timeline_fini(struct cr_view *v)
{
	struct cr_timeline *m = v->state;

	made_fini(m);
	free(m->made_of);
	cr_text_fini(&m->why);
}

bool
cr_timeline_is_marked(const struct cr_session *s)
{
	return s->selection.parts & CR_SELECTED_TIME;
}

bool
cr_timeline_marked_bins(const struct cr_timeline *m, uint32_t *from, uint32_t *to)
{
	const struct cr_selection *n = &m->s->selection;
	const uint64_t end = cr_timeline_bin_start(m, m->n_bins);

	if (!cr_timeline_is_marked(m->s) || n->to_ns <= m->start_ns || n->from_ns >= end ||
		!m->n_bins)
		return false;
	*from = cr_timeline_bin_of(m, n->from_ns);
	*to = cr_timeline_bin_of(m, CR_MIN(n->to_ns, end) - 1) + 1;
	return true;
}
