#include "session/views/view.h"

#include "sheet_view_p.h"
#include "time_chart_p.h"
#include "timeline_p.h"

#include "session/commands/argument_p.h"
#include "session/print_p.h"
#include "session/profiles_p.h"
#include "session/session_p.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * When the cost was spent: a lane for each thread, program, processor or function, or a map of the
 * seconds. A range of time is marked here; then all views can be filtered by it.
 */
extern const struct cr_view_ops cr_view_time;

/* What is shown stays: it is of samples, and cr_timeline_make() knows which. */
static void
time_drop(struct cr_view *v, unsigned changed)
{
	(void)v, (void)changed;
}

/* ---- the mark */

static void
mark_to_cursor(struct cr_session *s, const struct cr_timeline *m)
{
	const uint64_t a = CR_MIN(m->anchor_ns, m->cursor_ns),
		       b = CR_MAX(m->anchor_ns, m->cursor_ns);

	cr_session_select_time(s, a, b + m->bin_ns);
}

static void
cursor_to(struct cr_view *v, struct cr_session *s, uint64_t ns)
{
	struct cr_timeline *m = v->state;

	m->cursor_ns = cr_timeline_bin_start(m, cr_timeline_bin_of(m, ns));
	cr_timeline_show_cursor(v, m);
	if (m->marking)
		mark_to_cursor(s, m);
}

/* ---- moving */

static void
step_bin(struct cr_view *v, struct cr_session *s, int64_t by)
{
	const struct cr_timeline *m = v->state;
	const int64_t at = (int64_t)cr_timeline_bin_of(m, m->cursor_ns) + by;
	const int64_t last = m->n_bins ? (int64_t)m->n_bins - 1 : 0;

	cursor_to(v, s, cr_timeline_bin_start(m, (uint32_t)CR_MIN(CR_MAX(at, (int64_t)0), last)));
}

static void
time_select_row(struct cr_view *v, struct cr_session *s, uint32_t row)
{
	const struct cr_timeline *m = v->state;

	cr_timeline_make(v, s);
	if (m->is_map || row >= v->n)
		return;
	row = cr_timeline_block(m, row);
	v->row = cr_timeline_row(m, row == CR_TIMELINE_RULER ? CR_TIMELINE_ALL : row);
}

/* The row of the block above or below; the ruler is none. */
static uint32_t
next_block(const struct cr_view *v, bool down)
{
	const struct cr_timeline *m = v->state;
	uint32_t block = cr_timeline_block(m, v->row);

	if (down)
		block += block == CR_TIMELINE_ALL ? CR_TIMELINE_ABOVE : 1;
	else
		block = block > CR_TIMELINE_ABOVE ? block - 1 : CR_TIMELINE_ALL;
	return CR_MIN(cr_timeline_row(m, block), v->n ? v->n - 1 : 0);
}

static void
time_move(struct cr_view *v, struct cr_session *s, enum cr_move to)
{
	const struct cr_timeline *m = v->state;

	cr_timeline_make(v, s);
	switch (to) {
	case CR_MOVE_LEFT: step_bin(v, s, -1); return;
	case CR_MOVE_RIGHT: step_bin(v, s, 1); return;
	case CR_MOVE_UP:
	case CR_MOVE_DOWN:
		if (!m->is_map)
			time_select_row(v, s, next_block(v, to == CR_MOVE_DOWN));
		return;
	case CR_MOVE_FIRST: step_bin(v, s, -(int64_t)m->n_bins); return;
	case CR_MOVE_LAST: step_bin(v, s, m->n_bins); return;
	default: break;
	}
	time_select_row(v, s, cr_view_row_after(v, to));
}

/* ---- Enter */

/* "comm zstd": only what the lane has. */
static void
put_lane_filter(const struct cr_timeline *m, const struct cr_series_lane *l, struct cr_text *out)
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
	const struct cr_timeline *m = v->state;

	return v->row < v->n ? cr_timeline_lane(m, cr_timeline_block(m, v->row)) : NULL;
}

static void
time_put_open(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_timeline *m = v->state;

	cr_timeline_make(v, s);
	if (cr_timeline_is_marked(s))
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
put_cost(const struct cr_timeline *m, uint32_t side, uint64_t cost, struct cr_text *out)
{
	cr_text_puts(out, !m->is_diff ? "   " : side ? "   after " : "   before ");
	cr_text_share(out, cost, m->whole[side]);
	if (m->is_diff)
		return;
	cr_text_puts(out, " of the cost   ");
	if (m->is_map)
		cr_text_counted(out, cost, "sample", "samples");
	else
		cr_text_measure(out, cost, m->series.unit);
}

static uint64_t
cost_of_bins(const struct cr_timeline *m, uint32_t side, uint32_t from, uint32_t to)
{
	uint64_t cost = 0;

	for (uint32_t b = from; b < to; b++)
		cost = cr_add_sat(cost, m->bins[side][b]);
	return cost;
}

/* The mark, or what is at the cursor. */
static void
put_here(const struct cr_timeline *m, struct cr_text *out)
{
	const struct cr_selection *n = &m->s->selection;
	uint32_t from = cr_timeline_bin_of(m, m->cursor_ns), to = from + 1;
	const bool marked = cr_timeline_marked_bins(m, &from, &to);

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
	for (uint32_t side = 0; side <= (m->is_diff ? 1u : 0u); side++)
		put_cost(m, side, cost_of_bins(m, side, from, to), out);
}

static void
put_lane_here(const struct cr_view *v, const struct cr_timeline *m, struct cr_text *out)
{
	const struct cr_series_lane *l = lane_selected(v);
	uint32_t from = cr_timeline_bin_of(m, m->cursor_ns), to = from + 1;
	const uint32_t side = cr_timeline_side(m, cr_timeline_block(m, v->row));
	uint64_t cost = 0;

	if (!l) {
		cr_text_puts(out, m->is_map ? "each column is a second; " : "a cell is ");
		if (!m->is_map)
			cr_text_duration(out, m->bin_ns);
		cr_text_puts(out, cr_timeline_is_marked(m->s) ? m->is_map ? "Enter: only the mark"
									  : "; Enter: only the mark"
				  : m->is_map                 ? "m: mark from here"
							      : "; m: mark from here");
		return;
	}
	cr_timeline_marked_bins(m, &from, &to);
	for (uint32_t b = from; b < to; b++)
		cost = cr_add_sat(cost, l->bin_weight[b]);
	cr_text_safe(out, l->name);
	cr_text_puts(out, "   ");
	cr_text_share(out, l->weight, m->whole[side]);
	cr_text_puts(out, cr_timeline_is_marked(m->s) ? ", of the mark " : ", here ");
	cr_text_share(out, cost, cost_of_bins(m, side, from, to));
}

static bool
time_put_about(struct cr_view *v, struct cr_session *s, int line, struct cr_text *out)
{
	const struct cr_timeline *m = v->state;

	cr_timeline_make(v, s);
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
	const struct cr_timeline *m = v->state;
	const struct cr_lane_by by = {m->by, NULL};

	if (!m->is_map)
		cr_text_printf(out, " by %s", cr_lane_word(&by));
	else
		cr_text_puts(out, s->sides == 2 ? " map after" : " map");
}

static void
time_save(const struct cr_view *v, struct cr_text *out)
{
	const struct cr_timeline *m = v->state;

	cr_text_printf(
		out, "%d %d %" PRIu64 " %" PRIu64, (int)m->by, m->is_map, m->from_ns, m->to_ns);
}

static void
time_restore(struct cr_view *v, struct cr_session *s, const char *text)
{
	struct cr_timeline *m = v->state;
	uint64_t from_ns, to_ns;
	int by, is_map;

	(void)s;
	m->marking = false;
	if (sscanf(text, "%d %d %" SCNu64 " %" SCNu64, &by, &is_map, &from_ns, &to_ns) != 4 ||
		by < 0 || by >= CR_LANE_KEYS)
		return;
	m->made &= m->by == (enum cr_lane_key)by && m->is_map == (is_map != 0) &&
		   m->from_ns == from_ns && m->to_ns == to_ns;
	m->by = (enum cr_lane_key)by;
	m->is_map = is_map != 0;
	m->from_ns = from_ns;
	m->to_ns = to_ns;
}

static void
time_print(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_sheet_surface *surface = cr_time_chart_surface(v, s);

	cr_print_heading(s, out);
	cr_sheet_view_print(surface, out);
	if (!v->n)
		return;
	put_here(v->state, out);
	cr_text_char(out, '\n');
}

static bool
time_put_name(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_series_lane *l;

	cr_timeline_make(v, s);
	if (!(l = lane_selected(v)) || l->is_rest)
		return false;
	cr_text_safe(out, l->name);
	return true;
}

/* The bins of all lanes, or the cells of the map; NULL if there are none. */
static const struct cr_sheet *
time_sheet(struct cr_view *v, struct cr_session *s)
{
	struct cr_timeline *m = v->state;
	struct cr_lane_by by = {.field = NULL};

	cr_timeline_make(v, s);
	by.key = m->by;
	if (m->has_map) {
		cr_heat_sheet_fini(&m->map_sheet);
		cr_heat_sheet_init(&m->map, &m->map_sheet);
		return &m->map_sheet.sheet;
	}
	if (!m->has_series)
		return NULL;
	cr_series_sheet_fini(&m->bins_sheet);
	cr_series_bins(&m->series, cr_lane_word(&by), &m->bins_sheet);
	cr_series_sheet_sides(&m->bins_sheet, m->is_diff, m->n_before);
	return &m->bins_sheet.sheet;
}

/* ---- its commands */

static struct cr_view *
time_view(struct cr_session *s)
{
	struct cr_view *v = cr_view_of(s, &cr_view_time);

	cr_timeline_make(v, s);
	return v;
}

/* Other lanes, or another form; as it was if that cannot be made. */
static int
remake(struct cr_session *s, enum cr_lane_key by, bool is_map, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_time);
	struct cr_timeline *m = v->state;
	const enum cr_lane_key was_by = m->by;
	const bool was_map = m->is_map;
	struct cr_err ignored = CR_ERR_INIT;
	int rc;

	m->by = by;
	m->is_map = is_map;
	m->s = s;
	if ((rc = cr_timeline_remake(v, s, err)) < 0) {
		m->by = was_by;
		m->is_map = was_map;
		cr_timeline_remake(v, s, &ignored);
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
	const struct cr_timeline *m = time_view(s)->state;
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
	const struct cr_timeline *m = cr_view_of(s, &cr_view_time)->state;

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
	struct cr_timeline *m = time_view(s)->state;

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
	struct cr_timeline *m = cr_view_of(s, &cr_view_time)->state;

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
	struct cr_timeline *m = cr_view_of(s, &cr_view_time)->state;
	struct cr_text range = {0};
	struct cr_query q;
	int rc;

	(void)args, (void)out;
	if (!cr_timeline_is_marked(s))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "only-mark: no time is marked");
	cr_timeline_put_range(n->from_ns, n->to_ns, &range);
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
zoom_window(const struct cr_timeline *m, bool in, uint64_t *from, uint64_t *to)
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
	struct cr_timeline *m = v->state;
	const struct cr_selection *n = &s->selection;
	const uint64_t was_from = m->from_ns, was_to = m->to_ns;
	struct cr_err why = CR_ERR_INIT;

	(void)out;
	if (strcmp(args, "all") == 0)
		m->from_ns = m->to_ns = 0;
	else if (strcmp(args, "in") == 0 && cr_timeline_is_marked(s) && n->to_ns != UINT64_MAX)
		m->from_ns = n->from_ns, m->to_ns = n->to_ns;
	else if (strcmp(args, "in") == 0 || strcmp(args, "out") == 0)
		zoom_window(m, *args == 'i', &m->from_ns, &m->to_ns);
	else
		return cr_argument_bad(err, "zoom-time", args, "in, out, all");
	if (cr_timeline_remake(v, s, &why) == CR_OK)
		return CR_OK;
	m->from_ns = was_from;
	m->to_ns = was_to;
	cr_timeline_remake(v, s, err);
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
	if (!cr_timeline_is_marked(s))
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
	.takes_sketch = true,
	.surface = CR_SURFACE_SHEET,
	.ignores_zoom = true,
	.state_bytes = sizeof(struct cr_timeline),
	.keys = time_keys,
	.commands = time_commands,
	.make = cr_timeline_make,
	.drop = time_drop,
	.fini = cr_timeline_fini,
	.surface_of = cr_time_chart_surface,
	.move = time_move,
	.select_row = time_select_row,
	.put_open = time_put_open,
	.is_match = time_is_match,
	.find = time_find,
	.put_about = time_put_about,
	.put_title = time_put_title,
	.save = time_save,
	.restore = time_restore,
	.put_name = time_put_name,
	.sheet = time_sheet,
	.print = time_print,
};
