#include "session/views/view.h"

#include "view_samples_p.h"
#include "view_summary_p.h"

#include "session/commands/argument_p.h"
#include "session/print_p.h"
#include "session/session_p.h"

#include "base/hash.h"
#include "base/work.h"
#include "view/style/chart.h"
#include "view/style/spark.h"

#include <stdlib.h>
#include <string.h>

/*
 * The first page for somebody who never saw the program: what was recorded, where the cost is, how
 * far to trust it, and where to go from here. Lines lead to the view that shows more.
 */
extern const struct cr_view_ops cr_view_summary;

#define TWO_COLUMNS 72 /* cells: a narrower pane has one column */
#define PRINT_CELLS 80 /* of a line, and rows of the page, where no size is set */
#define PRINT_ROWS 40
#define FULL_ROWS 16 /* a lower pane has neither chart nor facts */
#define CHART_ROWS 2
#define CHART_CELL 12u /* where the chart begins */
#define SHARE_CELLS 8u
#define CHANGE_CELLS 8u
#define BAR_MOST 24u
#define BAR_LEAST_COLUMN 34u /* cells of a column that is too narrow for bars */
#define LEAST_ENTRIES 2u     /* of a part that is shown, or all it has */
#define LEAST_FUNCTIONS 3u
#define ONE_COLUMN_ENTRIES 5u
#define HIGH_ROWS 32u

enum { LEFT, RIGHT, COLUMNS };

struct row {
	const struct cr_summary_item *at[COLUMNS];
	bool wide; /* at[LEFT] has both columns */
};

struct summary {
	bool made;
	char *made_of; /* see cr_view_is_made_of() */
	cr_summary_items parts[CR_SUMMARY_PARTS];
	struct cr_summary_bins bins;
	uint32_t bins_for; /* how many were asked for */
	CR_VEC(struct row) rows;
	int32_t width, height; /* that rows are laid out for; 0: not yet */
	int column;            /* of the selection */
	struct cr_summary_sheet sheet;
	struct cr_sheet_surface surface;
};

static char time_line[] = "view time";

static const struct cr_summary_item
	blank = {.form = CR_SUMMARY_BLANK},
	axis = {.form = CR_SUMMARY_AXIS},
	charts[CHART_ROWS] = {{.form = CR_SUMMARY_CHART, .node = CR_NO_ROW},
		{.form = CR_SUMMARY_CHART, .number = 1, .line = time_line, .node = CR_NO_ROW}};

static const struct cr_summary_item headings[CR_SUMMARY_PARTS] = {
	[CR_SUMMARY_CHANGES] = {.form = CR_SUMMARY_HEADING, .number = CR_SUMMARY_CHANGES},
	[CR_SUMMARY_KINDS] = {.form = CR_SUMMARY_HEADING, .number = CR_SUMMARY_KINDS},
	[CR_SUMMARY_FUNCTIONS] = {.form = CR_SUMMARY_HEADING, .number = CR_SUMMARY_FUNCTIONS},
	[CR_SUMMARY_PROGRAMS] = {.form = CR_SUMMARY_HEADING, .number = CR_SUMMARY_PROGRAMS},
	[CR_SUMMARY_DSOS] = {.form = CR_SUMMARY_HEADING, .number = CR_SUMMARY_DSOS},
	[CR_SUMMARY_QUALITY] = {.form = CR_SUMMARY_HEADING, .number = CR_SUMMARY_QUALITY},
	[CR_SUMMARY_KEYS] = {.form = CR_SUMMARY_HEADING, .number = CR_SUMMARY_KEYS},
};

/* ---- layout */

static uint32_t
width_of(const struct cr_view *v)
{
	return v->width > 0 ? (uint32_t)v->width : PRINT_CELLS;
}

static uint32_t
height_of(const struct cr_view *v)
{
	return v->height > 0 ? (uint32_t)v->height : PRINT_ROWS;
}

static bool
has_two_columns(const struct cr_view *v)
{
	return width_of(v) >= TWO_COLUMNS;
}

/* Cells of a column; the right one begins two cells after the left one. */
static uint32_t
column_cells(const struct cr_view *v)
{
	return has_two_columns(v) ? (width_of(v) - 2) / 2 : width_of(v);
}

static void
add_wide(struct summary *m, const struct cr_summary_item *item)
{
	const struct row row = {.at = {item, NULL}, .wide = true};

	cr_vec_push(&m->rows, row);
}

typedef CR_VEC(const struct cr_summary_item *) column_items;

/* A heading, and the first `count` items of the part. */
static void
add_part(const struct summary *m, enum cr_summary_part part, size_t count, column_items *out)
{
	if (!count)
		return;
	if (out->n)
		cr_vec_push(out, &blank);
	cr_vec_push(out, &headings[part]);
	for (size_t i = 0; i < count; i++)
		cr_vec_push(out, &m->parts[part].p[i]);
}

/*
 * Divide `rows` rows among parts that follow each other, a blank between them. A part that would
 * get less than two entries is left out, the last one first; functions get twice as many as others.
 */
static void
fill_parts(const struct summary *m, const enum cr_summary_part *parts, size_t n, uint32_t rows,
	column_items *out)
{
	size_t count[CR_SUMMARY_PARTS] = {0};
	bool grew = true;

	for (size_t i = 0; i < n; i++) {
		const size_t all = m->parts[parts[i]].n;
		const size_t least =
			parts[i] == CR_SUMMARY_QUALITY || parts[i] == CR_SUMMARY_CHANGES ? all
			: parts[i] == CR_SUMMARY_FUNCTIONS ? CR_MIN(all, LEAST_FUNCTIONS)
							   : CR_MIN(all, LEAST_ENTRIES);

		if (!least || least + 2 > rows)
			continue;
		count[parts[i]] = least;
		rows -= (uint32_t)least + 2;
	}
	while (grew && rows) {
		grew = false;
		for (size_t i = 0; i < n && rows; i++) {
			const size_t left = m->parts[parts[i]].n - count[parts[i]];
			const size_t more =
				CR_MIN(left, parts[i] == CR_SUMMARY_FUNCTIONS ? 2u : 1u);

			if (!count[parts[i]] || !more || more > rows)
				continue;
			count[parts[i]] += more;
			rows -= (uint32_t)more;
			grew = true;
		}
	}
	for (size_t i = 0; i < n; i++)
		add_part(m, parts[i], count[parts[i]], out);
}

/* A low pane has all costs on the left; in a high one programs and dsos are beside functions. */
static void
fill_two(const struct summary *m, uint32_t rows, column_items *left, column_items *right)
{
	static const enum cr_summary_part low_left[] = {CR_SUMMARY_CHANGES, CR_SUMMARY_KINDS,
		CR_SUMMARY_FUNCTIONS, CR_SUMMARY_PROGRAMS, CR_SUMMARY_DSOS},
					  low_right[] = {CR_SUMMARY_QUALITY, CR_SUMMARY_KEYS},
					  high_left[] = {CR_SUMMARY_CHANGES, CR_SUMMARY_KINDS,
						  CR_SUMMARY_FUNCTIONS},
					  high_right[] = {CR_SUMMARY_QUALITY, CR_SUMMARY_PROGRAMS,
						  CR_SUMMARY_DSOS, CR_SUMMARY_KEYS};
	const bool high = rows >= HIGH_ROWS;

	/* There is no blank above the first part. */
	if (high) {
		fill_parts(m, high_left, CR_LEN(high_left), rows + 1, left);
		fill_parts(m, high_right, CR_LEN(high_right), rows + 1, right);
	} else {
		fill_parts(m, low_left, CR_LEN(low_left), rows + 1, left);
		fill_parts(m, low_right, CR_LEN(low_right), rows + 1, right);
	}
}

static void
fill_one(const struct summary *m, column_items *out)
{
	for (int part = CR_SUMMARY_CHANGES; part < CR_SUMMARY_PARTS; part++)
		add_part(m, (enum cr_summary_part)part,
			part >= CR_SUMMARY_QUALITY || part == CR_SUMMARY_CHANGES
				? m->parts[part].n
				: CR_MIN(m->parts[part].n, ONE_COLUMN_ENTRIES),
			out);
}

static void
add_columns(struct summary *m, const column_items *left, const column_items *right)
{
	for (size_t i = 0; i < CR_MAX(left->n, right->n); i++) {
		const struct row row = {
			.at = {i < left->n ? left->p[i] : NULL, i < right->n ? right->p[i] : NULL}};

		cr_vec_push(&m->rows, row);
	}
}

static void
lay_top(const struct cr_view *v, struct summary *m)
{
	const bool full = height_of(v) >= FULL_ROWS;
	const cr_summary_items *recorded = &m->parts[CR_SUMMARY_RECORDED];

	for (size_t i = 0; i < (full ? recorded->n : CR_MIN(recorded->n, 1u)); i++)
		add_wide(m, &recorded->p[i]);
	if (!full)
		return;
	add_wide(m, &blank);
	if (!m->bins.n)
		return;
	for (size_t i = 0; i < CHART_ROWS; i++)
		add_wide(m, &charts[i]);
	add_wide(m, &axis);
	add_wide(m, &blank);
}

static void
lay_out(const struct cr_view *v, struct summary *m)
{
	column_items left = {0}, right = {0};
	uint32_t rows;

	m->rows.n = 0;
	lay_top(v, m);
	rows = height_of(v) - CR_MIN(height_of(v), (uint32_t)m->rows.n);
	if (has_two_columns(v)) {
		fill_two(m, rows, &left, &right);
		add_columns(m, &left, &right);
	} else {
		fill_one(m, &left);
		add_columns(m, &left, &right);
	}
	cr_vec_fini(&left);
	cr_vec_fini(&right);
}

/* ---- what is selected */

/* The item in a column of a row; NULL for none. */
static const struct cr_summary_item *
item_at(const struct cr_view *v, uint32_t row, int column)
{
	const struct summary *m = v->state;

	if (row >= m->rows.n)
		return NULL;
	return m->rows.p[row].at[m->rows.p[row].wide ? LEFT : column];
}

static bool
can_select(const struct cr_view *v, uint32_t row, int column)
{
	const struct cr_summary_item *item = item_at(v, row, column);

	return item && item->line;
}

static void
select_item(struct cr_view *v, struct cr_session *s, uint32_t row, int column)
{
	struct summary *m = v->state;
	const struct cr_summary_item *item;

	v->row = row;
	m->column = column;
	item = item_at(v, row, column);
	if (item && item->node != CR_NO_ROW && item->node < s->tree->n)
		cr_session_select_node(s, item->node);
}

/* The selectable row of a column that is nearest to `row`; v->n where there is none. */
static uint32_t
nearest(const struct cr_view *v, uint32_t row, int column)
{
	for (uint32_t by = 0; by < v->n; by++) {
		if (row + by < v->n && can_select(v, row + by, column))
			return row + by;
		if (by <= row && can_select(v, row - by, column))
			return row - by;
	}
	return v->n;
}

/* The largest change, or the hottest function, if it is shown; else what comes first. */
static void
select_first(struct cr_view *v)
{
	struct summary *m = v->state;

	m->column = LEFT;
	v->row = nearest(v, 0, LEFT) % CR_MAX(v->n, 1u);
	for (uint32_t row = 0; row < v->n && height_of(v) >= FULL_ROWS; row++)
		if (row + 1 < v->n &&
			(m->rows.p[row].at[LEFT] == &headings[CR_SUMMARY_CHANGES] ||
				m->rows.p[row].at[LEFT] == &headings[CR_SUMMARY_FUNCTIONS])) {
			v->row = row + 1;
			return;
		}
}

/* ---- making */

static void
bins_make(struct cr_session *s, struct summary *m, uint32_t n)
{
	if (m->bins_for == n)
		return;
	free(m->bins.weight);
	cr_summary_bins_make(s, n, &m->bins);
	m->bins_for = n;
}

static void
summary_make(struct cr_view *v, struct cr_session *s)
{
	struct summary *m = v->state;
	const bool first = !cr_view_is_made_of(s, &m->made_of) || !m->made;

	if (first) {
		cr_summary_clear(m->parts);
		cr_summary_collect(s, m->parts);
		m->made = !cr_work_stopped();
		m->bins_for = 0;
	}
	if (!first && m->width == (int32_t)width_of(v) && m->height == (int32_t)height_of(v))
		return;
	if (height_of(v) >= FULL_ROWS)
		bins_make(s, m, width_of(v) > 2 * CHART_CELL ? width_of(v) - CHART_CELL - 1 : 1);
	lay_out(v, m);
	m->width = (int32_t)width_of(v);
	m->height = (int32_t)height_of(v);
	v->n = (uint32_t)m->rows.n;
	if (first || !has_two_columns(v))
		select_first(v);
	else
		v->row = nearest(v, CR_MIN(v->row, v->n - 1), m->column) % CR_MAX(v->n, 1u);
}

/* The selected function, where it is among the items; where nothing is selected, the hottest. */
static void
summary_enter(struct cr_view *v, struct cr_session *s)
{
	summary_make(v, s);
	for (uint32_t row = 0; row < v->n; row++) {
		const struct cr_summary_item *item = item_at(v, row, LEFT);

		if (s->selection.node && item && item->node == s->selection.node) {
			select_item(v, s, row, LEFT);
			return;
		}
	}
	if (!s->selection.node)
		select_item(v, s, v->row, ((const struct summary *)v->state)->column);
}

/* The rows stay, but for changes: summary_make() knows what they are of. */
static void
summary_drop(struct cr_view *v, unsigned changed)
{
	struct summary *m = v->state;

	if (changed & CR_CHANGED_CHANGES)
		m->made = false;
}

static void
summary_fini(struct cr_view *v)
{
	struct summary *m = v->state;

	cr_summary_clear(m->parts);
	cr_vec_fini(&m->rows);
	free(m->made_of);
	free(m->bins.weight);
}

/* ---- moving */

static void
step(struct cr_view *v, struct cr_session *s, bool down)
{
	const struct summary *m = v->state;

	for (uint32_t row = v->row; down ? row + 1 < v->n : row > 0;) {
		row += down ? 1 : UINT32_MAX;
		if (!can_select(v, row, m->column))
			continue;
		select_item(v, s, row, m->column);
		return;
	}
}

static void
go_to(struct cr_view *v, struct cr_session *s, uint32_t row, int column)
{
	const uint32_t near = nearest(v, row, column);

	if (near < v->n)
		select_item(v, s, near, column);
}

static void
summary_move(struct cr_view *v, struct cr_session *s, enum cr_move to)
{
	const struct summary *m = v->state;

	summary_make(v, s);
	if (to == CR_MOVE_UP || to == CR_MOVE_DOWN)
		step(v, s, to == CR_MOVE_DOWN);
	else if (to != CR_MOVE_LEFT && to != CR_MOVE_RIGHT)
		go_to(v, s, cr_view_row_after(v, to), m->column);
	else if (has_two_columns(v))
		go_to(v, s, v->row, to == CR_MOVE_LEFT ? LEFT : RIGHT);
}

static void
summary_select_row(struct cr_view *v, struct cr_session *s, uint32_t row)
{
	const struct summary *m = v->state;

	summary_make(v, s);
	if (row < v->n)
		go_to(v, s, row, m->column);
}

static void
summary_put_open(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct summary *m = v->state;
	const struct cr_summary_item *item;

	summary_make(v, s);
	item = item_at(v, v->row, m->column);
	if (!item || !item->line)
		return;
	if (item->node != CR_NO_ROW && item->node < s->tree->n)
		cr_session_select_node(s, item->node);
	cr_text_puts(out, item->line);
}

/* ---- painting */

static void
paint_cost(const struct cr_summary_item *item, uint32_t cells, bool unicode, bool differs,
	struct cr_paint *p)
{
	const uint32_t end = p->x + cells;
	const uint32_t bar = cells < BAR_LEAST_COLUMN ? 0 : CR_MIN(cells / 5, BAR_MOST);
	struct cr_text t = {0};

	cr_text_share(&t, item->number, item->whole);
	cr_paint_right(p, CR_INK_PLAIN, cr_text_view(&t), SHARE_CELLS);
	cr_paint_to(p, p->x + 1);
	cr_text_clear(&t);
	if (differs) {
		cr_text_printf(&t, "%+.2f", item->change / 10000.0);
		cr_paint_right(p, CR_INK_PLAIN, cr_text_view(&t), CHANGE_CELLS);
		cr_paint_to(p, p->x + 1);
	} else if (bar) {
		cr_spark_bar(&t, item->number, item->scale, bar, unicode);
		cr_paint_chart(p, CR_INK_BAR, item->kind, cr_text_view(&t));
		cr_paint_to(p, p->x + 1);
	}
	cr_paint_fit(p, CR_INK_PLAIN, cr_str_of(item->text), end - CR_MIN(p->x, end));
	cr_text_fini(&t);
}

static void
paint_marked(const struct cr_summary_item *item, uint32_t cells, enum cr_ink ink, const char *mark,
	struct cr_paint *p)
{
	const uint32_t end = p->x + cells;

	cr_paint_text(p, ink, mark);
	cr_paint_cut(p, CR_INK_PLAIN, cr_str_of(item->text), end - CR_MIN(p->x, end));
}

static void
paint_key(const struct cr_summary_item *item, uint32_t cells, struct cr_paint *p)
{
	const uint32_t end = p->x + cells;

	cr_paint_to(p, p->x + 1);
	cr_paint_str(p, CR_INK_STRONG, (struct cr_str){item->text, 1});
	cr_paint_cut(p, CR_INK_PLAIN, cr_str_of(item->text + 1), end - CR_MIN(p->x, end));
}

/* Row 0 shows what of a bin is in the upper half of the chart, row 1 the lower half. */
static void
paint_chart(const struct summary *m, const struct cr_summary_item *item, bool unicode,
	struct cr_paint *p)
{
	const uint64_t half = CR_MAX((m->bins.most + 1) / 2, 1);
	uint64_t *part = cr_alloc(m->bins.n, sizeof(*part));
	struct cr_text t = {0};

	for (uint32_t i = 0; i < m->bins.n; i++) {
		const uint64_t w = m->bins.weight[i];

		part[i] = item->number ? CR_MIN(w, half) : w > half ? w - half : 0;
	}
	if (!item->number)
		cr_paint_text(p, CR_INK_HEADING, " OVER TIME");
	cr_paint_to(p, CHART_CELL);
	cr_spark_heights(&t, part, m->bins.n, half, unicode);
	cr_paint_chart(p, CR_INK_BAR, CR_KIND_USER, cr_text_view(&t));
	cr_text_fini(&t);
	free(part);
}

static void
paint_axis(const struct summary *m, struct cr_paint *p)
{
	struct cr_text t = {0};

	cr_chart_axis(&t, m->bins.from_ns, m->bins.to_ns, m->bins.n);
	cr_paint_to(p, CHART_CELL);
	cr_paint_text(p, CR_INK_DIM, t.p);
	cr_text_fini(&t);
}

static void
paint_item(const struct cr_view *v, const struct cr_summary_item *item, uint32_t cells,
	bool unicode, struct cr_paint *p)
{
	const struct summary *m = v->state;

	switch (item->form) {
	case CR_SUMMARY_BLANK: return;
	case CR_SUMMARY_HEADING:
		cr_paint_text(
			p, CR_INK_HEADING, cr_summary_heading((enum cr_summary_part)item->number));
		return;
	case CR_SUMMARY_TITLE:
		cr_paint_to(p, p->x + 1);
		cr_paint_cut(p, CR_INK_STRONG, cr_str_of(item->text), cells - 1);
		return;
	case CR_SUMMARY_FACT:
		cr_paint_to(p, p->x + 1);
		cr_paint_cut(p, CR_INK_DIM, cr_str_of(item->text), cells - 1);
		return;
	case CR_SUMMARY_COST: paint_cost(item, cells, unicode, m->surface.falls, p); return;
	case CR_SUMMARY_WELL:
		paint_marked(item, cells, CR_INK_GOOD, unicode ? "\xe2\x9c\x93 " : "+ ", p);
		return;
	case CR_SUMMARY_FINDING:
		paint_marked(item, cells, CR_INK_WARN, unicode ? "\xe2\x9a\xa0 " : "! ", p);
		return;
	case CR_SUMMARY_REMEDY:
		cr_paint_to(p, p->x + 2);
		cr_paint_cut(p, CR_INK_DIM, cr_str_of(item->text), cells - CR_MIN(cells, 2u));
		return;
	case CR_SUMMARY_KEY: paint_key(item, cells, p); return;
	case CR_SUMMARY_CHART: paint_chart(m, item, unicode, p); return;
	case CR_SUMMARY_AXIS: paint_axis(m, p); return;
	}
}

static void
summary_paint(
	const struct cr_sheet_surface *surface, uint32_t row, bool unicode, struct cr_paint *p)
{
	const struct cr_view *v = surface->view;
	const struct summary *m = v->state;
	const struct row *r = &m->rows.p[row];
	const uint32_t cells = column_cells(v);

	if (r->at[LEFT])
		paint_item(v, r->at[LEFT], r->wide ? width_of(v) : cells, unicode, p);
	if (!r->at[RIGHT])
		return;
	cr_paint_to(p, cells + 2);
	paint_item(v, r->at[RIGHT], cells, unicode, p);
}

static void
summary_chosen(const struct cr_sheet_surface *surface, uint32_t cells, int32_t *x, int32_t *n)
{
	const struct cr_view *v = surface->view;
	const struct summary *m = v->state;

	if (v->row < m->rows.n && m->rows.p[v->row].at[LEFT] == &charts[1])
		*n = (int32_t)CHART_CELL - 1; /* not over the chart */
	if (!has_two_columns(v) || v->row >= m->rows.n || m->rows.p[v->row].wide)
		return;
	*x = m->column == RIGHT ? (int32_t)column_cells(v) + 2 : 0;
	*n = m->column == RIGHT ? (int32_t)cells - *x : (int32_t)column_cells(v);
}

static void
summary_put_click(const struct cr_sheet_surface *surface, uint32_t row, int32_t x, uint32_t cells,
	struct cr_text *out)
{
	const struct cr_view *v = surface->view;

	(void)cells;
	cr_text_printf(out, "column %s; row %u",
		has_two_columns(v) && x > (int32_t)column_cells(v) ? "right" : "left", row + 1);
}

static struct cr_row_look
summary_look(const struct cr_sheet_surface *surface, uint32_t row)
{
	(void)surface, (void)row;
	return (struct cr_row_look){.hit = false};
}

static const void *
summary_surface(struct cr_view *v, struct cr_session *s)
{
	struct summary *m = v->state;

	summary_make(v, s);
	m->surface = (struct cr_sheet_surface){
		.empty = "nothing was recorded",
		.falls = s->sides == 2,
		.view = v,
		.look = summary_look,
		.paint = summary_paint,
		.chosen = summary_chosen,
		.put_click = summary_put_click,
	};
	return &m->surface;
}

/* ---- matches: functions among the items */

static bool
is_hit(const struct cr_view *v, const struct cr_session *s, uint32_t row, int column)
{
	const struct cr_summary_item *item = item_at(v, row, column);

	return item && item->node != CR_NO_ROW && item->form == CR_SUMMARY_COST &&
	       s->search.hit[s->tree->frame[item->node]];
}

static bool
summary_is_match(struct cr_view *v, struct cr_session *s)
{
	const struct summary *m = v->state;

	summary_make(v, s);
	return is_hit(v, s, v->row, m->column);
}

static bool
summary_find(struct cr_view *v, struct cr_session *s, bool backward)
{
	summary_make(v, s);
	for (uint32_t i = 1; i <= v->n; i++) {
		const uint32_t row = (backward ? v->row + v->n - i : v->row + i) % v->n;

		if (!is_hit(v, s, row, LEFT))
			continue;
		select_item(v, s, row, LEFT);
		return true;
	}
	return false;
}

/* ---- text */

static void
summary_print(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_sheet_surface *surface = summary_surface(v, s);

	cr_print_heading(s, out);
	for (uint32_t row = 0; row < v->n; row++) {
		struct cr_text line = {0};
		struct cr_paint p = {&line, NULL, 0, width_of(v)};

		summary_paint(surface, row, true, &p);
		while (line.len && line.p[line.len - 1] == ' ')
			line.len--;
		cr_text_put(out, line.p, line.len);
		cr_text_char(out, '\n');
		cr_text_fini(&line);
	}
}

static bool
summary_costs(const struct cr_view *v, const struct cr_session *s, struct cr_view_costs *out)
{
	const struct summary *m = v->state;
	const struct cr_summary_item *item = m->made ? item_at(v, v->row, m->column) : NULL;

	if (!item || item->form != CR_SUMMARY_COST || item->node != s->selection.node)
		return false;
	for (uint32_t side = 0; side < s->sides; side++) {
		out->total[side] = item->cost.total[side];
		out->self[side] = item->cost.self[side];
		out->samples[side] = item->cost.samples[side];
	}
	return true;
}

static const struct cr_sheet *
summary_sheet(struct cr_view *v, struct cr_session *s)
{
	struct summary *m = v->state;

	summary_make(v, s);
	cr_summary_sheet_init(m->parts, s->sides, &m->sheet);
	return &m->sheet.sheet;
}

/* The text of what is selected, if it is a cost or a finding. */
static bool
summary_put_name(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct summary *m = v->state;
	const struct cr_summary_item *item;

	summary_make(v, s);
	item = item_at(v, v->row, m->column);
	if (!item || !item->text || !*item->text || item->form == CR_SUMMARY_KEY)
		return false;
	cr_text_safe(out, cr_str_of(item->text));
	return true;
}

/* ---- its command */

static int
run_column(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_summary);
	struct summary *m = v->state;

	(void)out;
	if (strcmp(args, "left") != 0 && strcmp(args, "right") != 0)
		return cr_argument_bad(err, "column", args, "left, right");
	summary_make(v, s);
	m->column = *args == 'r' && has_two_columns(v) ? RIGHT : LEFT;
	return CR_OK;
}

static const struct cr_command summary_commands[] = {
	{"column", "left|right", "go to the left or right column of the summary", false, run_column,
		NULL},
	{0},
};

/* ---- the view */

static const struct cr_binding summary_keys[] = {
	{"Summary", {CR_KEY_ENTER}, "open", "show more about the line: the view that has it all",
		"go", false},
	{"Summary", {CR_KEY_LEFT, 'h'}, "left", "the left column", NULL, false},
	{"Summary", {CR_KEY_RIGHT, 'l'}, "right", "the right column", NULL, false},
	{"Summary", {'!'}, "print recording",
		"show all about the recording, and how to record it better", "recording", false},
	{0},
};

const struct cr_view_ops cr_view_summary = {
	.name = "summary",
	.label = "Summary",
	.about = "the summary",
	.surface = CR_SURFACE_SHEET,
	.is_ahead = true,
	.ignores_zoom = true,
	.no_heads = true,
	.state_bytes = sizeof(struct summary),
	.keys = summary_keys,
	.commands = summary_commands,
	.make = summary_make,
	.drop = summary_drop,
	.fini = summary_fini,
	.surface_of = summary_surface,
	.enter = summary_enter,
	.move = summary_move,
	.select_row = summary_select_row,
	.put_open = summary_put_open,
	.is_match = summary_is_match,
	.find = summary_find,
	.costs = summary_costs,
	.put_name = summary_put_name,
	.sheet = summary_sheet,
	.print = summary_print,
};
