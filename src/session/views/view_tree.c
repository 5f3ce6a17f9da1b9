#include "session/views/view.h"

#include "least_p.h"
#include "sheet_view_p.h"
#include "view_around_p.h"

#include "session/changes_p.h"
#include "session/commands/argument_p.h"
#include "session/print_p.h"
#include "session/session_p.h"

#include "base/hash.h"
#include "view/sheet/call_lines.h"
#include "view/sheet/node_sheet.h"
#include "view/sheet/tree_rows.h"
#include "view/style/chart.h"
#include "view/style/label.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The session's tree as lines that can be expanded. The first line is the zoomed node. A row is a
 * node, so the selection is the same as in the flame graph.
 */
extern const struct cr_view_ops cr_view_tree;

#define FIRST_ROWS 18u /* initial number of rows, on the costliest paths */
#define TITLE_CELLS 24 /* maximum width of the zoom's name in the title */
#define LEVELS_MAX 1000000

struct tree_view {
	struct cr_tree_rows rows;
	uint32_t zoom;      /* zoom that the rows were made for */
	uint32_t least_ppm; /* share of cr_view_whole(); the default unless has_least */
	bool has_least;
	bool made;
	struct cr_sheet_surface surface;
	struct cr_node_sheet sheet;
	bool ascii;                   /* the terminal has no characters beyond ASCII */
	struct cr_change_look change; /* of a difference; while the surface is in use */
	struct cr_session *s;         /* while the surface is in use */
};

/* ---- rows */

static uint32_t
least_ppm(const struct tree_view *w)
{
	return w->has_least ? w->least_ppm : CR_LEAST_PPM;
}

static void
set_least(struct tree_view *w, uint32_t ppm)
{
	w->made &= w->has_least && w->least_ppm == ppm;
	w->least_ppm = ppm;
	w->has_least = true;
}

/* The selected node; the zoom if the node is not inside it. */
static uint32_t
node_shown(const struct cr_session *s)
{
	const uint32_t node = s->selection.node;

	return node >= s->zoom && node < s->tree->end[s->zoom] ? node : s->zoom;
}

static uint64_t
least_extent(const struct tree_view *w, const struct cr_session *s)
{
	const uint32_t whole = cr_view_whole(s) == CR_WHOLE_ZOOM ? s->zoom : 0;

	return cr_least_extent(least_ppm(w), s->tree->extent[whole]);
}

static void
tree_make(struct cr_view *v, struct cr_session *s)
{
	struct tree_view *w = v->state;
	uint32_t row;

	if (w->made)
		return;
	if (!w->rows.t || w->zoom != s->zoom) {
		if (!w->rows.t)
			cr_tree_rows_init(&w->rows, s->tree);
		w->rows.least = least_extent(w, s);
		w->zoom = s->zoom;
		cr_tree_rows_open_costliest(&w->rows, s->zoom, true, FIRST_ROWS);
	}
	w->rows.least = least_extent(w, s);
	w->rows.kept = s->sides == 2 ? cr_changes_kept(s) : NULL;
	if (node_shown(s) != s->zoom)
		cr_tree_rows_reveal(&w->rows, node_shown(s));
	cr_tree_rows_make(&w->rows, s->zoom, true);
	row = cr_tree_rows_of(&w->rows, node_shown(s));
	v->n = (uint32_t)w->rows.rows.n;
	v->row = row == CR_NO_ROW ? 0 : row;
	w->made = true;
}

static void
tree_drop(struct cr_view *v, unsigned changed)
{
	struct tree_view *w = v->state;

	if (changed & CR_CHANGED_TREE)
		cr_tree_rows_fini(&w->rows);
	if (changed & (CR_CHANGED_TREE | CR_CHANGED_ZOOM | CR_CHANGED_CHANGES))
		w->made = false;
}

static void
tree_fini(struct cr_view *v)
{
	struct tree_view *w = v->state;

	cr_tree_rows_fini(&w->rows);
	cr_node_sheet_fini(&w->sheet);
}

static uint32_t
row_node(const struct cr_view *v, uint32_t row)
{
	const struct tree_view *w = v->state;

	return w->rows.rows.p[row].node;
}

/* ---- the selection */

static void
tree_selected(struct cr_view *v, const struct cr_session *s, unsigned parts)
{
	struct tree_view *w = v->state;
	const uint32_t node = node_shown(s);
	uint32_t row;

	if (!(parts & CR_SELECTED_NODE) || !w->made || w->rows.t != s->tree || w->zoom != s->zoom)
		return;
	row = cr_tree_rows_of(&w->rows, node);
	if (row == CR_NO_ROW)
		w->made = false; /* its ancestors are opened when the view is shown */
	else
		v->row = row;
}

static void
tree_select_row(struct cr_view *v, struct cr_session *s, uint32_t row)
{
	tree_make(v, s);
	v->row = CR_MIN(row, v->n - 1);
	cr_session_select_node(s, row_node(v, v->row));
}

static void
set_open(struct cr_view *v, struct cr_session *s, bool open)
{
	struct tree_view *w = v->state;

	cr_tree_rows_open(&w->rows, row_node(v, v->row), open);
	w->made = false;
	tree_make(v, s);
}

/*
 * Right opens a row, or moves to its first callee if it is open. Left closes it, or moves to its
 * parent.
 */
static void
move_sideways(struct cr_view *v, struct cr_session *s, bool right)
{
	struct tree_view *w = v->state;
	const uint32_t node = row_node(v, v->row);
	const bool open = cr_tree_rows_is_open(&w->rows, node);

	if (right == open && (right || node != s->zoom)) {
		uint32_t to = right ? v->row + 1 : cr_tree_rows_of(&w->rows, s->tree->parent[node]);

		if (to < v->n)
			tree_select_row(v, s, to);
	} else {
		set_open(v, s, right);
	}
}

static void
tree_move(struct cr_view *v, struct cr_session *s, enum cr_move to)
{
	uint32_t row;

	tree_make(v, s);
	row = cr_view_row_after(v, to);
	if (to == CR_MOVE_LEFT || to == CR_MOVE_RIGHT)
		move_sideways(v, s, to == CR_MOVE_RIGHT);
	else if (row != v->row)
		tree_select_row(v, s, row);
}

/* Enter opens or closes the row; for a row without children it shows callers and callees. */
static int
tree_open(struct cr_view *v, struct cr_session *s, struct cr_err *err)
{
	const struct tree_view *w = v->state;
	uint32_t node;

	(void)err;
	tree_make(v, s);
	node = row_node(v, v->row);
	if (cr_tree_rows_can_open(&w->rows, node)) {
		tree_select_row(v, s, v->row);
		set_open(v, s, !cr_tree_rows_is_open(&w->rows, node));
	} else {
		cr_session_set_view(s, cr_view_of(s, &cr_view_around));
	}
	return CR_OK;
}

/* ---- matches, including those in closed rows */

static bool
tree_is_match(struct cr_view *v, struct cr_session *s)
{
	(void)v;
	return s->search.hit[s->tree->frame[s->selection.node]];
}

static bool
tree_find(struct cr_view *v, struct cr_session *s, bool backward)
{
	const uint32_t from = s->zoom, n = s->tree->end[from] - from;
	const uint32_t at = node_shown(s) - from;

	(void)v;
	for (uint32_t i = 1; i <= n; i++) {
		const uint32_t node = from + (backward ? at + n - i : at + i) % n;

		if (!s->search.hit[s->tree->frame[node]])
			continue;
		cr_session_select_node(s, node);
		return true;
	}
	return false;
}

/* ---- the surface */

static struct cr_call_lines
lines_of(const struct tree_view *w)
{
	const struct cr_session *s = w->s;

	static const char *const heads[CR_WHOLES][2] = {
		[CR_WHOLE_ALL] = {"CALL TREE", "FUNCTIONS, CALLERS BELOW"},
		[CR_WHOLE_ZOOM] = {"CALL TREE, % OF ZOOM", "CALLERS BELOW, % OF ZOOM"},
		[CR_WHOLE_NO_ZOOM] = {"CALL TREE, % OF ALL", "CALLERS BELOW, % OF ALL"},
	};

	return (struct cr_call_lines){
		.of = s->tree,
		.verdicts = s->sides == 2 && cr_changes_noise(w->s),
		.share_head = "TOTAL %",
		.second_head = "SELF %",
		.name_head = heads[cr_view_whole(s)][s->tree->leaves_first],
	};
}

static void
tree_head(const struct cr_sheet_surface *surface, uint32_t cells, bool unicode, struct cr_text *out)
{
	struct tree_view *w = surface->view->state;
	const struct cr_call_lines lines = lines_of(w);

	w->ascii = !unicode;
	cr_call_lines_head(&lines, cells, out);
}

static void
tree_paint(const struct cr_sheet_surface *surface, uint32_t row, bool unicode, struct cr_paint *out)
{
	const struct tree_view *w = surface->view->state;
	const struct cr_call_lines lines = lines_of(w);
	const struct cr_tree *t = w->s->tree;
	const uint32_t node = w->rows.rows.p[row].node;
	const uint64_t whole = t->total[0][w->s->zoom];
	struct cr_call_line line = {.frame = &t->frames[t->frame[node]],
		.part = t->total[0][node],
		.whole = whole,
		.second_part = t->self[0][node],
		.second_whole = whole,
		.weight = t->total[0][node],
		.samples = t->total_samples[0][node]};
	struct cr_text guide = {0};

	if (t->sides == 2)
		line.change = cr_changes_cells(w->s, &w->change, node);
	line.inlined = line.frame->inlined;
	cr_tree_rows_put_guide(
		&w->rows, row, cr_call_lines_guide_cells(&lines, out->width), unicode, &guide);
	line.guide = cr_text_view(&guide);
	cr_call_lines_put(&lines, &line, unicode, out);
	cr_text_fini(&guide);
}

static struct cr_row_look
tree_look(const struct cr_sheet_surface *surface, uint32_t row)
{
	const struct tree_view *w = surface->view->state;
	const struct cr_tree *t = w->s->tree;
	const uint32_t node = w->rows.rows.p[row].node;
	struct cr_row_look look = {.hit = w->s->search.hit && w->s->search.hit[t->frame[node]]};

	if (t->sides == 2)
		look.change = cr_change_ppm(&w->change, node);
	look.noise = t->sides == 2 && cr_changes_is_noise(&w->change, node);
	return look;
}

static const void *
tree_surface(struct cr_view *v, struct cr_session *s)
{
	struct tree_view *w = v->state;

	tree_make(v, s);
	w->s = s;
	if (s->sides == 2)
		w->change = cr_changes_look_of_totals(s);
	w->surface = (struct cr_sheet_surface){
		.empty = "",
		.view = v,
		.head = tree_head,
		.paint = tree_paint,
		.look = tree_look,
	};
	return &w->surface;
}

/* ---- texts */

static void
tree_put_title(const struct cr_view *v, const struct cr_session *s, struct cr_text *out)
{
	const struct tree_view *w = v->state;

	if (s->zoom) {
		cr_text_puts(out, " in ");
		cr_label_fit(out, s->tree->frames[s->tree->frame[s->zoom]].name, TITLE_CELLS);
	}
	if (least_ppm(w))
		cr_text_printf(out, " from %.4g %%", least_ppm(w) / 1e4);
}

static void
tree_print(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	cr_print_heading(s, out);
	cr_sheet_view_print(tree_surface(v, s), out);
}

/* In a difference with its verdict. */
static bool
tree_put_about(struct cr_view *v, struct cr_session *s, int line, struct cr_text *out)
{
	tree_make(v, s);
	return cr_changes_put_place(
		s, s->tree, node_shown(s), line, !((const struct tree_view *)v->state)->ascii, out);
}

/* The rows that are shown. */
static const struct cr_sheet *
tree_sheet(struct cr_view *v, struct cr_session *s)
{
	struct tree_view *w = v->state;
	const struct cr_tree *t = s->tree;

	tree_make(v, s);
	cr_node_sheet_fini(&w->sheet);
	cr_node_sheet_init(s->sides, false, &w->sheet);
	for (uint32_t row = 0; row < v->n; row++)
		cr_node_sheet_add(
			&w->sheet, (struct cr_node_row){t, row_node(v, row),
					   t->depth[row_node(v, row)] - t->depth[s->zoom], NULL});
	return &w->sheet.sheet;
}

/* What undo restores. */
static void
tree_save(const struct cr_view *v, struct cr_text *out)
{
	cr_text_u64(out, least_ppm(v->state));
}

static void
tree_restore(struct cr_view *v, struct cr_session *s, const char *text)
{
	struct tree_view *w = v->state;

	(void)s;
	set_least(w, (uint32_t)strtoul(text, NULL, 10));
}

/* ---- its commands */

static int
run_open_path(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_tree);
	struct tree_view *w = v->state;
	uint32_t node;

	(void)args, (void)out, (void)err;
	tree_make(v, s);
	node = cr_tree_rows_open_path(&w->rows, row_node(v, v->row));
	w->made = false;
	cr_session_select_node(s, node);
	tree_make(v, s);
	return CR_OK;
}

/* Number of levels open below the zoom: the largest indent. */
static uint32_t
levels_shown(const struct tree_view *w)
{
	const uint32_t *depth = w->rows.t->depth;
	uint32_t deepest = 0;

	for (size_t i = 0; i < w->rows.rows.n; i++)
		deepest = CR_MAX(deepest, depth[w->rows.rows.p[i].node]);
	return deepest - depth[w->zoom];
}

/* Close the nodes whose children are the deepest rows. */
static void
close_one(struct tree_view *w)
{
	const uint32_t levels = levels_shown(w);

	for (size_t i = 0; levels && i < w->rows.rows.n; i++) {
		const uint32_t node = w->rows.rows.p[i].node;

		if (w->rows.t->depth[node] - w->rows.t->depth[w->zoom] + 1 == levels)
			cr_tree_rows_open(&w->rows, node, false);
	}
}

/* Move the selection out of closed rows. */
static void
select_shown(struct cr_session *s, const struct tree_view *w)
{
	uint32_t node = node_shown(s);

	for (uint32_t up = node; up != s->zoom;) {
		up = s->tree->parent[up];
		if (!cr_tree_rows_is_open(&w->rows, up))
			node = up;
	}
	if (node != node_shown(s))
		cr_session_select_node(s, node);
}

static int
run_levels(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_tree);
	struct tree_view *w = v->state;
	const char *rest;
	long levels = LEVELS_MAX;
	int rc;

	(void)out;
	tree_make(v, s);
	if (strcmp(args, "more") == 0) {
		cr_tree_rows_open_more(&w->rows);
	} else if (strcmp(args, "less") == 0) {
		close_one(w);
	} else if (strcmp(args, "all") != 0 &&
		   (rc = cr_argument_number(args, 0, LEVELS_MAX, &levels, &rest, err)) < 0) {
		return rc;
	} else {
		cr_tree_rows_open_levels(&w->rows, s->zoom, (uint32_t)levels);
	}
	select_shown(s, w);
	w->made = false;
	tree_make(v, s);
	return CR_OK;
}

static int
run_least(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct tree_view *w = cr_view_of(s, &cr_view_tree)->state;
	uint32_t ppm = least_ppm(w);
	const int rc = cr_least_run(s, args, &ppm, err);

	(void)out;
	if (rc == CR_OK)
		set_least(w, ppm);
	return rc;
}

static const struct cr_command tree_commands[] = {
	{"open-path", "", "open the path with the highest cost below the selected line", false,
		run_open_path, NULL},
	{"levels", "N|all|more|less", "open the call tree to this many levels, or one more or less",
		false, run_levels, NULL},
	{"least", "PERCENT|next", "hide lines of a tree with less than this share", false,
		run_least, NULL},
	{0},
};

/* ---- the view */

static const struct cr_binding tree_keys[] = {
	{"Tree", {CR_KEY_ENTER}, "open",
		"open or close the line; without callees: show its callers and callees", "open",
		false},
	{"Tree", {CR_KEY_RIGHT, 'l'}, "right",
		"open the line; if it is open, select its first callee", NULL, false},
	{"Tree", {CR_KEY_LEFT, 'h'}, "left", "close the line; if it is closed, select its caller",
		NULL, false},
	{"Tree", {'e'}, "open-path",
		"open the hot path: the callees with the highest cost, down to where it forks",
		"hot path", false},
	{"Tree", {'+'}, "levels more", "open every line that is shown", NULL, false},
	{"Tree", {'-'}, "levels less", "close the innermost level", NULL, false},
	{"Tree", {'E'}, "levels 1", "close all lines", NULL, false},
	{"Tree", {'.'}, "least next",
		"hide lines with less than 0.5 %, 0.1 %, nothing, 5 % or 1 % of all", "least",
		false},
	{"Tree", {'v'}, "invert", "callees first, their callers below them; again: back", "callers",
		false},
	{0},
};

const struct cr_view_ops cr_view_tree = {
	.name = "tree",
	.label = "Tree",
	.about = "the call tree",
	.surface = CR_SURFACE_SHEET,
	.state_bytes = sizeof(struct tree_view),
	.keys = tree_keys,
	.commands = tree_commands,
	.make = tree_make,
	.drop = tree_drop,
	.fini = tree_fini,
	.surface_of = tree_surface,
	.move = tree_move,
	.select_row = tree_select_row,
	.selected = tree_selected,
	.open = tree_open,
	.is_match = tree_is_match,
	.find = tree_find,
	.find_best = cr_session_find_best,
	.put_title = tree_put_title,
	.put_about = tree_put_about,
	.save = tree_save,
	.restore = tree_restore,
	.sheet = tree_sheet,
	.print = tree_print,
};
