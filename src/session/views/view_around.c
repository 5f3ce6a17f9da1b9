#include "session/views/view.h"

#include "least_p.h"
#include "session/views/rows/around_tree_p.h"
#include "sheet_view_p.h"
#include "view_around_p.h"
#include "view_flame_p.h"

#include "session/changes_p.h"
#include "session/print_p.h"
#include "session/session_p.h"

#include "base/hash.h"
#include "query/fold/transform.h"
#include "view/sheet/call_lines.h"
#include "view/sheet/node_sheet.h"
#include "view/sheet/tree_rows.h"
#include "view/style/chart.h"
#include "view/style/label.h"

#include <stdlib.h>
#include <string.h>

/*
 * One function, with its callers above and its callees below. The rows are those of the commands
 * callers and callees, expanded one by one.
 */
enum part { CALLERS, CALLEES, PARTS };

/* The function is the first node of both trees; its row is that of the callees. */
#define FUNCTION 1u

struct around {
	char *function; /* name; NULL if there is none */
	bool stale;     /* another function was selected in the other pane */
	struct cr_tree *tree[PARTS];
	struct cr_tree_rows rows[PARTS]; /* below the function's node */
	uint8_t *kept[PARTS];            /* by node: with CR_SHOWN_ONLY, what has changed */
	uint32_t *callers; /* rows of the callers in the order of the screen; see order_callers() */
	struct cr_change_look change[PARTS]; /* of a difference; while the surface is in use */
	bool made;          /* the rows are up to date; the trees exist if tree[0] does */
	bool is_new;        /* the function has not been shown yet */
	uint32_t least_ppm; /* share of the function; the default unless has_least */
	bool has_least;
	struct cr_node_sheet sheet;
	bool ascii; /* the terminal has no characters beyond ASCII */
	struct cr_sheet_surface surface;
	struct cr_session *s; /* the session; NULL until the view is entered or made */
};

/* ---- the trees */

static void
trees_drop(struct around *c)
{
	for (int part = 0; part < PARTS; part++) {
		cr_tree_rows_fini(&c->rows[part]);
		free(c->kept[part]);
		c->kept[part] = NULL;
		cr_tree_free(c->tree[part]);
		c->tree[part] = NULL;
	}
	free(c->callers);
	c->callers = NULL;
	c->made = false;
}

/* Make both trees; none if the function is not in these stacks. */
static void
trees_make(struct around *c, const struct cr_session *s)
{
	static const enum cr_transform how[PARTS] = {CR_TRANSFORM_CALLERS, CR_TRANSFORM_CALLEES};
	struct cr_tree *plain = cr_around_tree(s->tree, cr_str_of(c->function));
	struct cr_err err = CR_ERR_INIT;
	int rc = CR_OK;

	for (int part = 0; part < PARTS && rc == CR_OK; part++)
		rc = cr_transform(plain, how[part], c->function, &c->tree[part], &err);
	cr_tree_free(plain);
	if (rc < 0 || c->tree[CALLERS]->n <= FUNCTION || c->tree[CALLEES]->n <= FUNCTION) {
		trees_drop(c);
		return;
	}
	for (int part = 0; part < PARTS; part++) {
		for (uint32_t side = 0; side < s->sides; side++)
			c->tree[part]->whole[side] = cr_tree_whole(s->tree, side);
		cr_tree_rows_init(&c->rows[part], c->tree[part]);
		cr_tree_rows_show_all(&c->rows[part], FUNCTION);
	}
}

/* ---- rows: callers, the function, callees */

/* How the changes of a part look; of total cost, since lines show that. */
static struct cr_change_look
look_of(struct cr_session *s, const struct cr_tree *t)
{
	struct cr_change_look look = cr_changes_look_of_totals(s);

	look.tree = t;
	return look;
}

/* Rows that have not changed are left out if the user wants that; the function stays. */
static void
keep_changed(struct around *c, struct cr_session *s, int part)
{
	free(c->kept[part]);
	c->kept[part] = NULL;
	if (s->sides == 2 && s->change.shown == CR_SHOWN_ONLY) {
		const struct cr_change_look look = look_of(s, c->tree[part]);

		c->kept[part] = cr_change_kept(&look);
	}
	c->rows[part].kept = c->kept[part];
}

static uint32_t
least_ppm(const struct around *c)
{
	return c->has_least ? c->least_ppm : CR_LEAST_PPM;
}

static void
set_function(struct cr_view *v, struct cr_str name)
{
	struct around *c = v->state;

	if (c->function && cr_str_eq(cr_str_of(c->function), name))
		return;
	trees_drop(c);
	c->is_new = true;
	free(c->function);
	/* A name with a NUL is no valid argument of a transform. */
	c->function =
		name.len && !memchr(name.p, '\0', name.len) ? cr_memdup(name.p, name.len) : NULL;
}

/* In the pane without the keys the view follows the selection of the other one. */
static void
follow(struct cr_view *v, const struct cr_session *s)
{
	struct around *c = v->state;

	c->stale = false;
	if (s->selection.parts & CR_SELECTED_FUNCTION)
		set_function(v, s->selection.function);
}

/*
 * The function's costliest caller is the last one, next to the function, where it is visible; what
 * is opened below a caller stays below it.
 */
static void
order_callers(struct around *c)
{
	const struct cr_tree *t = c->tree[CALLERS];
	const struct cr_tree_rows *rows = &c->rows[CALLERS];
	uint32_t end = (uint32_t)rows->rows.n, n = 0;

	free(c->callers);
	c->callers = cr_alloc(CR_MAX(end, 1u), sizeof(*c->callers));
	for (uint32_t i = end; i-- > 0;) {
		if (t->parent[rows->rows.p[i].node] != FUNCTION)
			continue;
		for (uint32_t row = i; row < end; row++)
			c->callers[n++] = row;
		end = i;
	}
}

/* A function that was not shown before is in the middle of the screen, if it has many callers. */
static void
scroll_to_function(struct cr_view *v)
{
	struct around *c = v->state;

	if (c->is_new)
		v->first = CR_MAX((int32_t)v->row - cr_view_rows_shown(v) / 2, 0);
	c->is_new = false;
}

static void
around_make(struct cr_view *v, struct cr_session *s)
{
	struct around *c = v->state;

	c->s = s;
	if (c->stale && v != cr_view_current(s))
		follow(v, s);
	if (c->made)
		return;
	v->n = v->row = 0;
	if (c->function && !c->tree[CALLERS])
		trees_make(c, s);
	c->made = true;
	if (!c->tree[CALLERS])
		return;
	for (int part = 0; part < PARTS; part++) {
		keep_changed(c, s, part);
		c->rows[part].least = cr_least_extent(least_ppm(c), c->tree[part]->extent[0]);
		cr_tree_rows_make(&c->rows[part], FUNCTION, false);
	}
	order_callers(c);
	v->row = (uint32_t)c->rows[CALLERS].rows.n;
	v->n = v->row + 1 + (uint32_t)c->rows[CALLEES].rows.n;
	scroll_to_function(v);
}

/* The row of the function, which belongs to neither part. */
static uint32_t
middle(const struct around *c)
{
	return (uint32_t)c->rows[CALLERS].rows.n;
}

static bool
is_function(const struct around *c, uint32_t row)
{
	return row == middle(c);
}

/* The part of a row, and its index in that part. */
static enum part
row_part(const struct around *c, uint32_t row, uint32_t *in_part)
{
	*in_part = row < middle(c) ? c->callers[row] : row - middle(c) - 1;
	return row < middle(c) ? CALLERS : CALLEES;
}

/* The part and the node of a row. */
static enum part
row_node(const struct around *c, uint32_t row, uint32_t *node)
{
	uint32_t in_part;
	const enum part part = row_part(c, row, &in_part);

	*node = is_function(c, row) ? FUNCTION : c->rows[part].rows.p[in_part].node;
	return part;
}

static bool
row_exists(const struct cr_view *v)
{
	const struct around *c = v->state;

	return c->made && v->row < v->n;
}

static uint32_t
row_frame(const struct around *c, uint32_t row)
{
	uint32_t node;
	const struct cr_tree *t = c->tree[row_node(c, row, &node)];

	return t->frame[node];
}

/* The row of a node; that of the function for itself and for hidden nodes. */
static uint32_t
row_of(const struct around *c, enum part part, uint32_t node)
{
	const uint32_t row = cr_tree_rows_of(&c->rows[part], node);

	if (row == CR_NO_ROW)
		return middle(c);
	if (part == CALLEES)
		return middle(c) + 1 + row;
	for (uint32_t at = 0; at < middle(c); at++)
		if (c->callers[at] == row)
			return at;
	return middle(c);
}

/* Make the rows again, and select that of a node. */
static void
rows_again(struct cr_view *v, struct cr_session *s, enum part part, uint32_t node)
{
	struct around *c = v->state;

	c->made = false;
	around_make(v, s);
	v->row = row_of(c, part, node);
}

static void
around_drop(struct cr_view *v, unsigned changed)
{
	struct around *c = v->state;

	if (changed & CR_CHANGED_TREE)
		trees_drop(c);
	if (changed & CR_CHANGED_CHANGES)
		c->made = false;
}

static void
around_fini(struct cr_view *v)
{
	struct around *c = v->state;

	trees_drop(c);
	cr_node_sheet_fini(&c->sheet);
	free(c->function);
}

/* ---- the function */

/* Use the selected function; if none is selected, the hottest one. */
static void
around_enter(struct cr_view *v, struct cr_session *s)
{
	struct around *c = v->state;
	uint32_t frame = s->tree->frame[s->selection.node];

	if (cr_frame_is_group(&s->tree->frames[frame]))
		frame = cr_sheet_view_hottest(s->tree);
	set_function(v, frame ? s->tree->frames[frame].name : CR_STR(""));
	c->s = s;
	c->stale = false;
}

static void
around_selected(struct cr_view *v, const struct cr_session *s, unsigned parts)
{
	struct around *c = v->state;

	c->stale |= v != cr_view_current(s) && (parts & CR_SELECTED_FUNCTION);
}

static void
around_save(const struct cr_view *v, struct cr_text *out)
{
	const struct around *c = v->state;

	/* In the pane without the keys it follows the selection. */
	if (c->function && c->s && v == cr_view_current(c->s))
		cr_text_puts(out, c->function);
}

static void
around_restore(struct cr_view *v, struct cr_session *s, const char *text)
{
	if (*text)
		set_function(v, cr_str_of(text));
	else
		follow(v, s);
	if (v == cr_view_current(s))
		around_make(v, s);
}

/* ---- the selection */

static bool
frame_is_named(const struct cr_session *s, uint32_t frame, uint32_t like)
{
	return cr_str_eq(s->tree->frames[frame].name, s->tree->frames[like].name);
}

/* Select the widest node of the row's function, within the zoom if possible. */
static void
around_select_row(struct cr_view *v, struct cr_session *s, uint32_t row)
{
	const struct around *c = v->state;
	uint32_t frame, node;

	v->row = CR_MIN(row, v->n - 1);
	frame = row_frame(c, v->row);
	node = cr_session_widest(s, s->zoom, frame_is_named, frame);
	if (node == CR_NO_ROW)
		node = cr_session_widest(s, 0, frame_is_named, frame);
	if (node != CR_NO_ROW)
		cr_session_select_node(s, node);
}

/* Right opens the row, or moves into it; left closes it, or moves to its parent. */
static void
move_sideways(struct cr_view *v, struct cr_session *s, bool right)
{
	struct around *c = v->state;
	uint32_t node;
	const enum part part = row_node(c, v->row, &node);
	struct cr_tree_rows *rows = &c->rows[part];

	if (is_function(c, v->row))
		return;
	if (right != cr_tree_rows_is_open(rows, node)) {
		cr_tree_rows_open(rows, node, right);
		rows_again(v, s, part, node);
	} else if (right) {
		around_select_row(v, s, v->row + 1);
	} else {
		around_select_row(v, s, row_of(c, part, c->tree[part]->parent[node]));
	}
}

static void
around_move(struct cr_view *v, struct cr_session *s, enum cr_move to)
{
	const uint32_t row = cr_view_row_after(v, to);

	if (!row_exists(v))
		return;
	if (to == CR_MOVE_LEFT || to == CR_MOVE_RIGHT)
		move_sideways(v, s, to == CR_MOVE_RIGHT);
	else if (row != v->row)
		around_select_row(v, s, row);
}

/*
 * Enter moves the row's function into the middle; on the function itself, it shows it in the flame
 * graph.
 */
static int
around_open(struct cr_view *v, struct cr_session *s, struct cr_err *err)
{
	const struct around *c = v->state;
	int rc;

	if (!row_exists(v))
		return CR_OK;
	if (is_function(c, v->row)) {
		if ((rc = cr_session_search_frame(s, row_frame(c, v->row), err)) == CR_OK)
			cr_session_set_view(s, cr_view_of(s, &cr_view_flame));
		return rc;
	}
	around_select_row(v, s, v->row);
	set_function(v, s->tree->frames[row_frame(c, v->row)].name);
	around_make(v, s);
	return CR_OK;
}

static uint32_t
around_frame(const struct cr_view *v, const struct cr_session *s)
{
	return row_exists(v) ? row_frame(v->state, v->row) : s->tree->frame[s->selection.node];
}

static bool
around_costs(const struct cr_view *v, const struct cr_session *s, struct cr_view_costs *out)
{
	const struct around *c = v->state;
	const struct cr_tree *t;
	uint32_t node;

	if (!row_exists(v))
		return false;
	t = c->tree[row_node(c, v->row, &node)];
	for (uint32_t side = 0; side < s->sides; side++) {
		out->total[side] = t->total[side][node];
		out->self[side] = t->self[side][node];
		out->samples[side] = t->total_samples[side][node];
	}
	return true;
}

/* ---- matches */

static bool
around_is_match(struct cr_view *v, struct cr_session *s)
{
	around_make(v, s);
	return row_exists(v) && s->search.hit[row_frame(v->state, v->row)];
}

static bool
around_find(struct cr_view *v, struct cr_session *s, bool backward)
{
	around_make(v, s);
	for (uint32_t i = 1; i <= v->n; i++) {
		const uint32_t row = (backward ? v->row + v->n - i : v->row + i) % v->n;

		if (!s->search.hit[row_frame(v->state, row)])
			continue;
		around_select_row(v, s, row);
		return true;
	}
	return false;
}

/* ---- the surface */

static struct cr_call_lines
lines_of(const struct around *c)
{
	return (struct cr_call_lines){
		.of = c->s->tree,
		.verdicts = c->s->sides == 2 && cr_changes_noise(c->s),
		.share_head = "SHARE %",
		.second_head = "OF ALL",
		.name_head = "CALLERS, FUNCTION, CALLEES",
	};
}

static void
around_head(
	const struct cr_sheet_surface *surface, uint32_t cells, bool unicode, struct cr_text *out)
{
	struct around *c = surface->view->state;
	const struct cr_call_lines lines = lines_of(c);

	c->ascii = !unicode;
	cr_call_lines_head(&lines, cells, out);
}

/* The first share refers to the function; in a difference, shares refer to the whole. */
static void
around_paint(
	const struct cr_sheet_surface *surface, uint32_t row, bool unicode, struct cr_paint *out)
{
	const struct around *c = surface->view->state;
	const struct cr_call_lines lines = lines_of(c);
	uint32_t node, in_part;
	const enum part part = row_node(c, row, &node);
	const struct cr_tree *t = c->tree[part];
	struct cr_call_line line = {.frame = &t->frames[t->frame[node]],
		.strong = node == FUNCTION,
		.part = t->total[0][node],
		.whole = t->total[0][0],
		.second_part = t->total[0][node],
		.second_whole = c->s->tree->total[0][0],
		.weight = t->total[0][node],
		.samples = t->total_samples[0][node]};
	struct cr_text guide = {0};

	if (t->sides == 2)
		line.change = cr_changes_cells(c->s, &c->change[part], node);
	line.inlined = line.frame->inlined && node != FUNCTION;
	row_part(c, row, &in_part);
	if (node == FUNCTION)
		cr_text_puts(&guide, unicode ? "\xe2\x97\x8f " : "* ");
	else
		cr_tree_rows_put_guide(&c->rows[part], in_part,
			cr_call_lines_guide_cells(&lines, out->width), unicode, &guide);
	line.guide = cr_text_view(&guide);
	cr_call_lines_put(&lines, &line, unicode, out);
	cr_text_fini(&guide);
}

static struct cr_row_look
around_look(const struct cr_sheet_surface *surface, uint32_t row)
{
	const struct around *c = surface->view->state;
	uint32_t node;
	const enum part part = row_node(c, row, &node);
	const struct cr_tree *t = c->tree[part];
	struct cr_row_look look = {.hit = c->s->search.hit && c->s->search.hit[t->frame[node]]};

	if (t->sides == 2) {
		look.change = cr_change_ppm(&c->change[part], node);
		look.noise = cr_changes_is_noise(&c->change[part], node);
	}
	return look;
}

static const void *
around_surface(struct cr_view *v, struct cr_session *s)
{
	struct around *c = v->state;

	around_make(v, s);
	c->s = s;
	for (int part = 0; part < PARTS && s->sides == 2; part++)
		c->change[part] = look_of(s, c->tree[part]);
	c->surface = (struct cr_sheet_surface){
		.empty = c->function ? "this function is not in these stacks"
				     : "no function is selected",
		.view = v,
		.head = around_head,
		.paint = around_paint,
		.look = around_look,
	};
	return &c->surface;
}

/* ---- texts */

static void
around_put_title(const struct cr_view *v, const struct cr_session *s, struct cr_text *out)
{
	const struct around *c = v->state;

	(void)s;
	cr_sheet_view_put_of(c->function, out);
}

/* In a difference with its verdict. */
static bool
around_put_about(struct cr_view *v, struct cr_session *s, int line, struct cr_text *out)
{
	const struct around *c = v->state;
	uint32_t node;
	enum part part;

	around_make(v, s);
	if (!row_exists(v))
		return false;
	part = row_node(c, v->row, &node);
	return cr_changes_put_place(s, c->tree[part], node, line, !c->ascii, out);
}

/* From another view, `print` shows what is around the selected function. */
static void
enter_for_print(struct cr_view *v, struct cr_session *s)
{
	if (v != cr_view_current(s))
		around_enter(v, s);
	around_make(v, s);
}

/* The rows that are shown; depth counts calls from the function, upwards or downwards. */
static const struct cr_sheet *
around_sheet(struct cr_view *v, struct cr_session *s)
{
	struct around *c = v->state;

	enter_for_print(v, s);
	cr_node_sheet_fini(&c->sheet);
	cr_node_sheet_init(s->sides, true, &c->sheet);
	for (uint32_t row = 0; row < v->n; row++) {
		struct cr_node_row r = {
			.part = is_function(c, row) ? "function"
				: row < middle(c)   ? "caller"
						    : "callee",
		};

		r.tree = c->tree[row_node(c, row, &r.node)];
		r.depth = r.tree->depth[r.node] - r.tree->depth[FUNCTION];
		cr_node_sheet_add(&c->sheet, r);
	}
	return &c->sheet.sheet;
}

static void
around_print(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	struct cr_text was = {0};

	cr_text_puts(&was, "");
	around_save(v, &was);
	enter_for_print(v, s);
	cr_print_heading(s, out);
	cr_sheet_view_print(around_surface(v, s), out);
	around_restore(v, s, was.p);
	cr_text_fini(&was);
}

/* ---- its command */

/* Open the costliest caller or callee of the selected row, the costliest of that, and so on. */
static int
run_open_path(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_around);
	struct around *c = v->state;
	enum part part;
	uint32_t node;

	(void)args, (void)out, (void)err;
	around_make(v, s);
	if (!row_exists(v))
		return CR_OK;
	part = row_node(c, v->row, &node);
	cr_tree_rows_open_path(&c->rows[part], node);
	rows_again(v, s, part, node);
	around_select_row(v, s, v->row);
	return CR_OK;
}

static int
run_least(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_around);
	struct around *c = v->state;
	uint32_t ppm = least_ppm(c), node = FUNCTION;
	const int rc = cr_least_run(s, args, &ppm, err);
	enum part part = CALLEES;

	(void)out;
	if (rc < 0)
		return rc;
	c->least_ppm = ppm;
	c->has_least = true;
	if (row_exists(v))
		part = row_node(c, v->row, &node);
	rows_again(v, s, part, node);
	return CR_OK;
}

static const struct cr_command around_commands[] = {
	{"open-path", "", "open the path with the highest cost below the selected line", false,
		run_open_path, NULL},
	{"least", "PERCENT|next", "hide lines of a tree with less than this share", false,
		run_least, NULL},
	{0},
};

/* ---- the view */

static const struct cr_binding around_keys[] = {
	{"Around", {CR_KEY_ENTER}, "open",
		"show the caller or callee in the middle; on the middle line: show it in the flame "
		"graph",
		"centre", false},
	{"Around", {CR_KEY_RIGHT, 'l'}, "right",
		"open the line; if it is open, select its first line", NULL, false},
	{"Around", {CR_KEY_LEFT, 'h'}, "left", "close the line, or select the line it is under",
		NULL, false},
	{"Around", {'e'}, "open-path",
		"open the hot path: the lines with the highest cost, down to where it forks",
		"hot path", false},
	{"Around", {'.'}, "least next",
		"hide lines with less than 0.5 %, 0.1 %, nothing, 5 % or 1 % of the function",
		"least", false},
	{0},
};

const struct cr_view_ops cr_view_around = {
	.name = "around",
	.alias = "callers",
	.label = "Around",
	.about = "callers above a function, callees below it",
	.surface = CR_SURFACE_SHEET,
	.ignores_zoom = true,
	.state_bytes = sizeof(struct around),
	.keys = around_keys,
	.commands = around_commands,
	.make = around_make,
	.drop = around_drop,
	.fini = around_fini,
	.surface_of = around_surface,
	.enter = around_enter,
	.selected = around_selected,
	.move = around_move,
	.select_row = around_select_row,
	.open = around_open,
	.is_match = around_is_match,
	.find = around_find,
	.frame = around_frame,
	.costs = around_costs,
	.put_title = around_put_title,
	.put_about = around_put_about,
	.save = around_save,
	.restore = around_restore,
	.sheet = around_sheet,
	.print = around_print,
};
