#include "view_functions_p.h"

#include "view_flame_p.h"

#include "session/changes_p.h"
#include "session/commands/argument_p.h"
#include "session/print_p.h"
#include "session/session_p.h"

#include "base/hash.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MATCHES " matches" /* in the text that undo restores */
#define ZOOM_CELLS 24      /* maximum width of the name of the zoom in the title */

/* ---- the rows */

static const struct cr_sheet *
sheet_of(const struct cr_functions *f)
{
	return f->judged ? &f->verdicts.sheet : &f->sheet.sheet;
}

static const struct cr_sheet_lines *
lines_of(const struct cr_functions *f)
{
	return f->judged ? &f->verdicts.lines : &f->sheet.lines;
}

/* The row of the table that is shown on a line. */
static uint32_t
row_on(const struct cr_functions *f, uint32_t line)
{
	return f->judged ? f->verdicts.order[line] : f->sheet.order[line];
}

/* The line of this row of the table. */
static uint32_t
line_of(const struct cr_functions *f, uint32_t row)
{
	for (uint32_t i = 0; i < sheet_of(f)->n_rows; i++)
		if (row_on(f, i) == row)
			return i;
	return 0;
}

static uint32_t
row_of_node(const struct cr_functions *f, const struct cr_session *s, uint32_t node)
{
	return f->table.frame_row[s->tree->frame[node]];
}

/*
 * The row of the selected function; CR_NO_ROW if none is selected. A zoom selects its own function,
 * which would hide the hottest functions of the zoom: it costs little itself.
 */
static uint32_t
row_of_selection(const struct cr_functions *f, const struct cr_session *s)
{
	const uint32_t node = s->selection.node;

	return node == s->zoom ? CR_NO_ROW : row_of_node(f, s, node);
}

/* A difference is sorted by change at first. */
static enum cr_table_sort
sort_first(const struct cr_functions *f)
{
	return f->table.sides == 2 ? CR_SORT_DELTA_SELF : CR_SORT_SELF;
}

/* With verdicts the first order is another one: what is called changed comes first. */
static void
sort_rows(struct cr_functions *f, enum cr_table_sort sort, bool reverse)
{
	if (f->judged && sort == sort_first(f) && !reverse) {
		f->sheet.sort = sort;
		f->sheet.reverse = false;
	} else {
		cr_function_sheet_sort(&f->sheet, sort, reverse);
		if (f->judged)
			cr_verdict_sheet_set_order(
				&f->verdicts, f->sheet.order, f->sheet.sheet.n_rows);
	}
	if (f->judged && f->sheet.kept)
		cr_verdict_sheet_keep(&f->verdicts, f->sheet.kept);
}

static void
judged_drop(struct cr_functions *f)
{
	if (f->judged)
		cr_verdict_sheet_fini(&f->verdicts);
	f->judged = NULL;
}

/* The verdicts are about the whole tree, so a part of it has none. */
static void
judged_make(struct cr_functions *f, struct cr_session *s)
{
	const struct cr_table *same; /* as f->table, which is of the whole tree too */

	judged_drop(f);
	if (s->sides == 2 && !s->zoom)
		f->judged = cr_changes_judged(s, &same);
	if (!f->judged)
		return;
	cr_verdict_sheet_init(
		s->tree, &f->table, f->judged, s->change.totals, true, "FUNCTION", &f->verdicts);
	if (s->change.shown == CR_SHOWN_ONLY)
		cr_verdict_sheet_only_called(&f->verdicts);
}

/* Exchange the table and the one that was shown before. */
static void
table_swap(struct cr_functions *f)
{
	const struct cr_table table = f->table;
	const uint64_t tree = f->tree;
	const uint32_t zoom = f->zoom;

	f->table = f->before.table;
	f->tree = f->before.tree;
	f->zoom = f->before.zoom;
	f->before.table = table;
	f->before.tree = tree;
	f->before.zoom = zoom;
}

static bool
table_is_of(const struct cr_functions *f, const struct cr_session *s)
{
	return f->tree && f->tree == s->tree->number && f->zoom == s->zoom;
}

/* The table of the zoomed stacks of the tree, or the one before if it is of these. */
static void
table_find(struct cr_functions *f, const struct cr_session *s)
{
	if (table_is_of(f, s))
		return;
	table_swap(f);
	if (table_is_of(f, s))
		return;
	cr_table_fini(&f->table);
	cr_table_make(NULL, s->tree, s->zoom, cr_table_by(CR_TABLE_FUNCTION), &f->table);
	f->tree = s->tree->number;
	f->zoom = s->zoom;
}

/*
 * The table of the zoomed stacks. That of the whole tree of a difference is there already, as the
 * verdicts are about its rows.
 */
static void
table_make(struct cr_functions *f, struct cr_session *s)
{
	const struct cr_table *same;

	if (f->borrows_table) {
		f->table = (struct cr_table){0};
		f->tree = 0;
	}
	f->borrows_table = s->sides == 2 && !s->zoom;
	if (f->borrows_table) {
		cr_changes_judged(s, &same);
		cr_table_fini(&f->table);
		f->table = *same;
	} else {
		table_find(f, s);
		for (uint32_t side = 0; side < s->sides; side++)
			f->table.whole[side] = cr_view_whole(s) == CR_WHOLE_ZOOM && s->zoom
						       ? s->tree->total[side][s->zoom]
						       : cr_tree_whole(s->tree, side);
	}
}

static void
rows_make(struct cr_view *v, struct cr_functions *f, struct cr_session *s)
{
	static const char *const names[CR_WHOLES] = {[CR_WHOLE_ALL] = "FUNCTION",
		[CR_WHOLE_ZOOM] = "FUNCTION, % OF ZOOM",
		[CR_WHOLE_NO_ZOOM] = "FUNCTION, % OF ALL"};
	const enum cr_table_sort sort = f->sheet.sort;
	const bool reverse = f->sheet.reverse, first = !f->sheet.order;
	uint32_t row;

	cr_function_sheet_fini(&f->sheet);
	table_make(f, s);
	cr_function_sheet_init(s->tree, &f->table, names[cr_view_whole(s)], &f->sheet);
	judged_make(f, s);
	if (!first || s->sides == 2)
		sort_rows(f, first ? sort_first(f) : sort, reverse);
	row = row_of_selection(f, s);
	v->n = sheet_of(f)->n_rows;
	v->row = row == CR_NO_ROW ? 0 : line_of(f, row);
	f->made = f->is_kept = true;
}

static void
hits_drop(struct cr_functions *f)
{
	f->is_kept &= !f->sheet.kept;
	f->sheet.kept = NULL;
	free(f->row_hit);
	f->row_hit = NULL;
}

/*
 * A row has several frames if a name is inlined in one place and called in another, or is in
 * several files.
 */
static void
hits_make(struct cr_functions *f, const struct cr_session *s)
{
	f->row_hit = cr_alloc(CR_MAX(f->table.n, 1u), 1);
	for (uint32_t i = 0; i < s->tree->n_frames; i++)
		if (s->search.hit[i] && f->table.frame_row[i] != CR_NO_ROW)
			f->row_hit[f->table.frame_row[i]] = 1;
}

/* Show matches only, or all rows, as the user has chosen. */
static void
rows_keep(struct cr_view *v, struct cr_functions *f, struct cr_session *s)
{
	const uint8_t *rows = f->matches ? f->row_hit : NULL;
	uint32_t row;

	if (f->is_kept && rows == f->sheet.kept)
		return;
	f->is_kept = true;
	cr_function_sheet_keep(&f->sheet, rows);
	if (f->judged) {
		judged_make(f, s);
		sort_rows(f, f->sheet.sort, f->sheet.reverse);
	}
	row = row_of_selection(f, s);
	v->n = sheet_of(f)->n_rows;
	v->row = row == CR_NO_ROW ? 0 : line_of(f, row);
}

static void
functions_make(struct cr_view *v, struct cr_session *s)
{
	struct cr_functions *f = v->state;

	if (!f->made) {
		rows_make(v, f, s);
		hits_drop(f);
	}
	if (s->search.hit && !f->row_hit)
		hits_make(f, s);
	rows_keep(v, f, s);
}

static void
functions_drop(struct cr_view *v, unsigned changed)
{
	struct cr_functions *f = v->state;

	if (changed & (CR_CHANGED_TREE | CR_CHANGED_ZOOM | CR_CHANGED_CHANGES))
		f->made = false;
	if (changed & CR_CHANGED_SEARCH)
		hits_drop(f);
}

static void
functions_fini(struct cr_view *v)
{
	struct cr_functions *f = v->state;

	hits_drop(f);
	judged_drop(f);
	cr_function_sheet_fini(&f->sheet);
	if (!f->borrows_table)
		cr_table_fini(&f->table);
	cr_table_fini(&f->before.table);
}

const struct cr_functions *
cr_view_functions_rows(struct cr_session *s)
{
	struct cr_view *v = cr_view_of(s, &cr_view_functions);

	cr_view_make(v, s);
	return v->state;
}

/* The selected row; NULL if none. */
static const struct cr_table_row *
row_selected(const struct cr_view *v)
{
	const struct cr_functions *f = v->state;

	return f->made && v->row < v->n ? &f->table.rows[row_on(f, v->row)] : NULL;
}

/* ---- the surface */

/* With verdicts; of the cost that is judged, self or total. */
static const struct cr_sheet_column_head judged_heads[2][7] = {
	{{"BEFORE", "sort self", false}, {"AFTER", "sort self", false},
		{"CHANGE", "sort delta-self", false}, {"TOTAL +-", "sort delta-total", false},
		{"FUNCTION", "sort name", true}, {"DSO", "sort dso", true}, {0}},
	{{"BEFORE", "sort total", false}, {"AFTER", "sort total", false},
		{"CHANGE", "sort delta-total", false}, {"SELF +-", "sort delta-self", false},
		{"FUNCTION", "sort name", true}, {"DSO", "sort dso", true}, {0}},
};

static const struct cr_sheet_column_head heads[] = {
	{"SELF +-", "sort delta-self", false},
	{"TOTAL +-", "sort delta-total", false},
	{"SELF", "sort self", false},
	{"SAMPLES", "sort self", false},
	{"NOW", "sort self", false},
	{"TOTAL", "sort total", false},
	{"FUNCTION", "sort name", true},
	{"DSO", "sort dso", true},
	{0},
};

static const char *const sort_lines[CR_SORTS] = {
	[CR_SORT_SELF] = "sort self",
	[CR_SORT_TOTAL] = "sort total",
	[CR_SORT_NAME] = "sort name",
	[CR_SORT_DSO] = "sort dso",
	[CR_SORT_DELTA_SELF] = "sort delta-self",
	[CR_SORT_DELTA_TOTAL] = "sort delta-total",
};

static const struct cr_functions *
functions_of(const struct cr_sheet_surface *surface)
{
	return surface->view->state;
}

static void
functions_head(
	const struct cr_sheet_surface *surface, uint32_t cells, bool unicode, struct cr_text *out)
{
	(void)unicode;
	cr_sheet_lines_head(lines_of(functions_of(surface)), cells, out);
}

static void
functions_row(const struct cr_sheet_surface *surface, uint32_t row, uint32_t cells, bool unicode,
	struct cr_text *out)
{
	struct cr_functions *f = surface->view->state;

	f->sheet.sheet.ascii = f->verdicts.sheet.ascii = !unicode;
	cr_sheet_lines_row(lines_of(f), row, cells, out);
}

/* The change of a row that its colour shows. */
static int32_t
change_of(const struct cr_functions *f, uint32_t row)
{
	if (f->table.sides != 2)
		return 0;
	if (!f->judged || f->colors_noise)
		return cr_table_delta_self_ppm(&f->table, row);
	if (!cr_verdict_is_call(f->verdicts.verdicts[row].word))
		return 0;
	return f->verdicts.verdicts[row].delta > 0 ? INT32_MAX : INT32_MIN;
}

static void
functions_paint(
	const struct cr_sheet_surface *surface, uint32_t row, bool unicode, struct cr_paint *out)
{
	struct cr_functions *f = surface->view->state;

	f->sheet.sheet.ascii = f->verdicts.sheet.ascii = !unicode;
	cr_sheet_lines_paint(lines_of(f), row, out);
}

static struct cr_row_look
functions_look(const struct cr_sheet_surface *surface, uint32_t line)
{
	const struct cr_functions *f = functions_of(surface);
	const uint32_t row = row_on(f, line);

	return (struct cr_row_look){.hit = f->row_hit && f->row_hit[row],
		.change = change_of(f, row),
		.noise = f->judged && !f->colors_noise && !change_of(f, row)};
}

static const void *
functions_surface(struct cr_view *v, struct cr_session *s)
{
	struct cr_functions *f = v->state;
	const struct cr_function_sheet *t = &f->sheet;

	functions_make(v, s);
	f->colors_noise = s->change.shown == CR_SHOWN_ALL;
	f->surface = (struct cr_sheet_surface){
		.empty = f->matches && s->pattern ? "no function here matches the search"
			 : f->judged ? "no function is known to have changed; z shows all"
				     : "no functions here",
		.heads = f->judged ? judged_heads[s->change.totals] : heads,
		.sorted = sort_lines[t->sort],
		.falls = t->reverse == (t->sort == CR_SORT_NAME || t->sort == CR_SORT_DSO),
		.view = v,
		.head = functions_head,
		.row = functions_row,
		.look = functions_look,
		/* Rows of a difference are coloured by their change. */
		.paint = s->sides == 1 ? functions_paint : NULL,
	};
	return &f->surface;
}

/* ---- the selection */

static bool
frame_in_row(const struct cr_session *s, uint32_t frame, uint32_t row)
{
	const struct cr_functions *f = cr_view_of(s, &cr_view_functions)->state;

	return f->table.frame_row[frame] == row;
}

/* Select the widest node of the row. */
static void
functions_select_row(struct cr_view *v, struct cr_session *s, uint32_t row)
{
	const struct cr_functions *f = v->state;
	uint32_t widest;

	if (!v->n)
		return;
	v->row = CR_MIN(row, v->n - 1);
	widest = cr_session_widest(s, s->zoom, frame_in_row, row_on(f, v->row));
	if (widest != CR_NO_ROW)
		cr_session_select_node(s, widest);
}

static void
functions_selected(struct cr_view *v, const struct cr_session *s, unsigned parts)
{
	const struct cr_functions *f = v->state;
	const uint32_t row = f->made ? row_of_selection(f, s) : CR_NO_ROW;

	if ((parts & CR_SELECTED_NODE) && row != CR_NO_ROW)
		v->row = line_of(f, row);
}

static uint32_t
row_at(const struct cr_view *v, uint32_t line)
{
	const struct cr_functions *f = v->state;

	return line < v->n ? row_on(f, line) : CR_NO_ROW;
}

static void
functions_move(struct cr_view *v, struct cr_session *s, enum cr_move to)
{
	const uint32_t row = cr_view_row_after(v, to);

	/* At first the first row is shown as selected, though its function is not. */
	if (row != v->row || row_of_node(v->state, s, s->selection.node) != row_at(v, row))
		functions_select_row(v, s, row);
}

/* Enter shows the function in the flame graph, everywhere it is called. */
static int
functions_open(struct cr_view *v, struct cr_session *s, struct cr_err *err)
{
	int rc;

	if (!v->n)
		return CR_OK;
	if ((rc = cr_session_search_frame(s, cr_view_frame(s), err)) < 0)
		return rc;
	functions_make(v, s);
	functions_select_row(v, s, v->row);
	cr_session_set_view(s, cr_view_of(s, &cr_view_flame));
	return CR_OK;
}

static uint32_t
functions_frame(const struct cr_view *v, const struct cr_session *s)
{
	const struct cr_functions *f = v->state;

	return row_selected(v) ? cr_table_frame(&f->table, row_on(f, v->row))
			       : s->tree->frame[s->selection.node];
}

static bool
functions_inlined(const struct cr_view *v, const struct cr_session *s)
{
	const struct cr_table_row *r = row_selected(v);

	return r ? r->inlined : s->tree->frames[s->tree->frame[s->selection.node]].inlined;
}

static bool
functions_costs(const struct cr_view *v, const struct cr_session *s, struct cr_view_costs *out)
{
	const struct cr_table_row *r = row_selected(v);

	for (uint32_t side = 0; r && side < s->sides; side++) {
		out->total[side] = r->cost[side].total;
		out->self[side] = r->cost[side].self;
		out->samples[side] = r->cost[side].total_samples;
	}
	out->in_zoom = s->zoom != 0;
	return r != NULL;
}

/* ---- matches */

static bool
functions_is_match(struct cr_view *v, struct cr_session *s)
{
	const struct cr_functions *f = v->state;

	functions_make(v, s);
	return v->row < v->n && f->row_hit[row_on(f, v->row)];
}

static bool
functions_find(struct cr_view *v, struct cr_session *s, bool backward)
{
	const struct cr_functions *f = v->state;

	functions_make(v, s);
	for (uint32_t i = 1; i <= v->n; i++) {
		const uint32_t line = (backward ? v->row + v->n - i : v->row + i) % v->n;

		if (!f->row_hit[row_on(f, line)])
			continue;
		functions_select_row(v, s, line);
		return true;
	}
	return false;
}

/* The function with this name, else the next match. */
static void
functions_find_best(struct cr_view *v, struct cr_session *s)
{
	const uint32_t node = cr_session_node_searched(s);

	functions_make(v, s);
	if (node != CR_NO_ROW && row_of_node(v->state, s, node) != CR_NO_ROW)
		functions_select_row(v, s, line_of(v->state, row_of_node(v->state, s, node)));
	else
		functions_find(v, s, false);
}

/* ---- texts */

static void
functions_put_title(const struct cr_view *v, const struct cr_session *s, struct cr_text *out)
{
	const struct cr_functions *f = v->state;

	if (f->matches && s->pattern)
		cr_text_puts(out, " that match");
	else if (f->judged)
		cr_verdict_put_called(
			s->change.totals ? &f->judged->of_total : &f->judged->of_self, out);
	if (!s->zoom)
		return;
	cr_text_puts(out, " in ");
	cr_label_fit(out, s->tree->frames[s->tree->frame[s->zoom]].name, ZOOM_CELLS);
}

/* What the verdicts rest on. */
static void
put_verdict_head(const struct cr_functions *f, const struct cr_session *s, struct cr_text *out)
{
	struct cr_text head = {0};

	cr_verdict_head(f->judged, s->change.totals, &head);
	for (const char *line = head.p; *line; line += strcspn(line, "\n"), line += *line == '\n')
		cr_text_printf(out, "# %.*s\n", (int)strcspn(line, "\n"), line);
	cr_text_fini(&head);
}

/* In a difference: the function, then its verdict instead of costs. */
static bool
functions_put_about(struct cr_view *v, struct cr_session *s, int line, struct cr_text *out)
{
	const struct cr_functions *f = v->state;
	const struct cr_table_value *function;

	functions_make(v, s);
	if (!f->judged || v->row >= v->n)
		return false;
	function = cr_table_value(&f->table, row_on(f, v->row), CR_TABLE_FUNCTION);
	if (line == 0) {
		cr_text_safe(out, function->text);
		cr_text_puts(out, "   ");
		cr_text_safe(out, function->dso);
	} else {
		cr_text_puts(out, s->change.totals ? "total " : "self ");
		cr_verdict_put_line(&f->verdicts, row_on(f, v->row), out);
	}
	return true;
}

static void
functions_print(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_functions *f = v->state;
	const uint32_t cells = v->width > 0 ? (uint32_t)v->width : 0;

	functions_make(v, s);
	cr_print_heading(s, out);
	if (f->judged)
		put_verdict_head(f, s, out);
	cr_sheet_lines_head(lines_of(f), cells, out);
	cr_text_char(out, '\n');
	for (uint32_t i = 0; i < v->n; i++) {
		cr_sheet_lines_row(lines_of(f), i, cells, out);
		cr_text_char(out, '\n');
	}
}

/*
 * State of a stack: no frame of the row; one without a caller; otherwise the caller's frame + MET +
 * 1.
 */
enum { UNMET, MET };

/* The caller of a node, only functions; CR_CALLERS_OUTERMOST if there is none. */
static uint32_t
caller_of(const struct cr_tree *t, uint32_t node, const uint8_t *above)
{
	do
		node = t->parent[node];
	while (!above[node] && cr_frame_is_group(&t->frames[t->frame[node]]));
	return above[node] ? CR_CALLERS_OUTERMOST : t->frame[node];
}

/* Callers of a row where it is outermost in a stack, so that each sample counts once. */
static void
find_callers(const struct cr_functions *f, const struct cr_session *s, uint32_t row,
	struct cr_callers *c)
{
	const struct cr_tree *t = s->tree;
	uint32_t *state = cr_alloc(t->end[s->zoom] - s->zoom, sizeof(*state));
	uint8_t *above = cr_tree_above(t);

	for (uint32_t n = s->zoom; n < t->end[s->zoom]; n++) {
		const bool in_row = f->table.frame_row[t->frame[n]] == row;
		uint32_t *now = &state[n - s->zoom], frame;

		*now = n == s->zoom ? UNMET : state[t->parent[n] - s->zoom];
		if (in_row && (t->leaves_first || *now == UNMET)) {
			frame = t->leaves_first ? CR_CALLERS_OUTERMOST : caller_of(t, n, above);
			*now = frame == CR_CALLERS_OUTERMOST ? MET : frame + MET + 1;
		} else if (*now == MET && t->leaves_first &&
			   !cr_frame_is_group(&t->frames[t->frame[n]])) {
			*now = t->frame[n] + MET + 1;
		}
		if (*now == UNMET)
			continue;
		frame = *now == MET ? CR_CALLERS_OUTERMOST : *now - MET - 1;
		/* Inlined or not. */
		if (frame != CR_CALLERS_OUTERMOST && f->table.frame_row[frame] != CR_NO_ROW)
			frame = cr_table_frame(&f->table, f->table.frame_row[frame]);
		cr_callers_add(c, frame, t->weight, n);
	}
	free(above);
	free(state);
}

static bool
functions_print_selected(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_functions *f = v->state;
	const struct cr_table_row *r;
	const uint64_t whole[CR_SIDES] = {
		cr_tree_whole(s->tree, 0), s->sides == 2 ? cr_tree_whole(s->tree, 1) : 0};
	uint64_t self[CR_SIDES] = {0}, total[CR_SIDES] = {0}, self_samples[CR_SIDES] = {0},
		 total_samples[CR_SIDES] = {0};
	struct cr_callers c;

	functions_make(v, s);
	if (!(r = row_selected(v)))
		return false;
	for (uint32_t side = 0; side < f->table.sides; side++) {
		self[side] = r->cost[side].self;
		total[side] = r->cost[side].total;
		self_samples[side] = r->cost[side].self_samples;
		total_samples[side] = r->cost[side].total_samples;
	}
	cr_print_cost(s->tree, out, "total", total, total_samples, f->table.whole);
	cr_print_cost(s->tree, out, "self", self, self_samples, f->table.whole);
	if (cr_view_whole(s) == CR_WHOLE_ZOOM)
		cr_print_cost(s->tree, out, "of all", total, total_samples, whole);
	cr_callers_init(s, &c);
	find_callers(f, s, row_on(f, v->row), &c);
	cr_callers_put(&c, total, out);
	return true;
}

static const struct cr_sheet *
functions_table(struct cr_view *v, struct cr_session *s)
{
	struct cr_functions *f = v->state;

	functions_make(v, s);
	return sheet_of(f);
}

/* ---- its commands */

static void
set_sort(struct cr_view *v, struct cr_session *s, enum cr_table_sort sort, bool reverse)
{
	struct cr_functions *f = v->state;
	const uint32_t row = v->row < v->n ? row_on(f, v->row) : 0;

	judged_make(f, s);
	sort_rows(f, sort, reverse);
	v->row = line_of(f, row);
}

/* As the user has asked for: the cursor stays on the first line if it is there. */
static void
sort_anew(struct cr_session *s, enum cr_table_sort sort, bool reverse)
{
	struct cr_view *v = cr_view_of(s, &cr_view_functions);
	const bool is_first = v->row == 0;

	set_sort(v, s, sort, reverse);
	if (is_first && row_of_selection(v->state, s) != CR_NO_ROW)
		functions_select_row(v, s, 0);
	else if (is_first)
		v->row = 0;
}

static bool
sort_exists(const struct cr_session *s, enum cr_table_sort k)
{
	return s->sides == 2 || (k != CR_SORT_DELTA_SELF && k != CR_SORT_DELTA_TOTAL);
}

static int
run_sort(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_functions *f = cr_view_functions_rows(s);
	struct cr_text words = {0};
	const int step = strcmp(args, "previous") == 0 ? CR_SORTS - 1 : 1;
	int k = (int)f->sheet.sort, rc;

	(void)out;
	if (strcmp(args, "next") == 0 || strcmp(args, "previous") == 0) {
		do
			k = (k + step) % CR_SORTS;
		while (!sort_exists(s, (enum cr_table_sort)k));
		sort_anew(s, (enum cr_table_sort)k, false);
		return CR_OK;
	}
	for (k = 0; k < CR_SORTS; k++) {
		if (!sort_exists(s, (enum cr_table_sort)k))
			continue;
		if (cr_str_eq(cr_word_spelling(cr_str_of(args)),
			    cr_str_of(cr_table_sort_name((enum cr_table_sort)k)))) {
			sort_anew(s, (enum cr_table_sort)k, false);
			cr_text_fini(&words);
			return CR_OK;
		}
		cr_text_puts(&words, words.len ? ", " : "");
		cr_text_puts(&words, cr_table_sort_name((enum cr_table_sort)k));
	}
	rc = cr_argument_bad(err, "sort key", args, words.p);
	cr_text_fini(&words);
	return rc;
}

static const char *
sort_word_at(size_t i)
{
	return i < CR_SORTS ? cr_table_sort_name((enum cr_table_sort)i) : NULL;
}

static int
run_reverse(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_function_sheet *t = &cr_view_functions_rows(s)->sheet;

	(void)args, (void)out, (void)err;
	sort_anew(s, t->sort, !t->reverse);
	return CR_OK;
}

/* Show the functions that match, or all of them again. */
static int
run_matches(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_functions);
	struct cr_functions *f = v->state;
	const bool shown = cr_view_current(s) == v;

	(void)out;
	if (!*args)
		f->matches = !f->matches || !shown;
	else if (strcmp(args, "on") == 0 || strcmp(args, "off") == 0)
		f->matches = args[1] == 'n';
	else
		return cr_argument_bad(err, "matches", args, "on, off");
	if (f->matches && !s->pattern)
		cr_text_puts(&s->message, "nothing is searched for: all functions are listed");
	if (!*args)
		cr_session_set_view(s, v);
	return CR_OK;
}

/*
 * Undo restores the order, as "total" or "total reverse"; nothing for the default order. " matches"
 * follows if only those are shown.
 */
static void
functions_save(const struct cr_view *v, struct cr_text *out)
{
	const struct cr_functions *f = v->state;

	if (f->sheet.order && (f->sheet.sort != sort_first(f) || f->sheet.reverse)) {
		cr_text_puts(out, cr_table_sort_name(f->sheet.sort));
		cr_text_puts(out, f->sheet.reverse ? " reverse" : "");
	}
	cr_text_puts(out, f->matches ? MATCHES : "");
}

static void
functions_restore(struct cr_view *v, struct cr_session *s, const char *text)
{
	struct cr_functions *f = v->state;
	const struct cr_str word = {text, (uint32_t)strcspn(text, " ")};
	const bool reverse = strncmp(text + word.len, " reverse", strlen(" reverse")) == 0;
	enum cr_table_sort sort = sort_first(f);

	f->matches = cr_str_ends(cr_str_of(text), MATCHES);
	if (!*text && !f->sheet.order)
		return;
	for (int k = 0; k < CR_SORTS; k++)
		if (cr_str_eq(word, cr_str_of(cr_table_sort_name((enum cr_table_sort)k))))
			sort = (enum cr_table_sort)k;
	if (!f->made && f->sheet.order) { /* rows_make() sorts them when they are shown */
		f->sheet.sort = sort;
		f->sheet.reverse = reverse;
		return;
	}
	functions_make(v, s);
	if (sort != f->sheet.sort || reverse != f->sheet.reverse)
		set_sort(v, s, sort, reverse);
}

static const struct cr_command functions_commands[] = {
	{"sort", "next|previous|KEY", "sort the table by self, total, name, dso, or a difference",
		false, run_sort, sort_word_at},
	{"matches", "[on|off]", "list only the functions that match the search, with their costs",
		false, run_matches, NULL},
	{"reverse", "", "reverse the order of the table", false, run_reverse, NULL},
	{0},
};

static void
functions_put_commands(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_functions *f = v->state;
	struct cr_text saved = {0};

	(void)s;
	functions_save(v, &saved);
	if (saved.len && strcmp(saved.p, MATCHES) != 0)
		cr_text_printf(out, "sort %s%s", cr_table_sort_name(f->sheet.sort),
			f->sheet.reverse ? "; reverse" : "");
	if (f->matches)
		cr_text_printf(out, "%smatches on", out->len ? "; " : "");
	cr_text_fini(&saved);
}

/* ---- the view */

static const struct cr_binding functions_keys[] = {
	{"Functions", {'s'}, "sort next", "sort the table by the next column", "sort", false},
	{"Functions", {'S'}, "sort previous", "sort the table by the previous column", NULL, false},
	{"Functions", {'R'}, "reverse", "reverse the order", "reverse", false},
	{0},
};

const struct cr_view_ops cr_view_functions = {
	.name = "functions",
	.label = "Functions",
	.about = "the table of functions",
	.surface = CR_SURFACE_SHEET,
	.is_ahead = true,
	.state_bytes = sizeof(struct cr_functions),
	.keys = functions_keys,
	.commands = functions_commands,
	.make = functions_make,
	.drop = functions_drop,
	.fini = functions_fini,
	.surface_of = functions_surface,
	.move = functions_move,
	.select_row = functions_select_row,
	.selected = functions_selected,
	.open = functions_open,
	.is_match = functions_is_match,
	.find = functions_find,
	.find_best = functions_find_best,
	.frame = functions_frame,
	.inlined = functions_inlined,
	.costs = functions_costs,
	.put_about = functions_put_about,
	.put_title = functions_put_title,
	.save = functions_save,
	.restore = functions_restore,
	.put_commands = functions_put_commands,
	.sheet = functions_table,
	.print = functions_print,
	.print_selected = functions_print_selected,
};
