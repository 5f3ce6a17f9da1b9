#include "session/views/view.h"

#include "view_flame_p.h"

#include "session/print_p.h"
#include "session/session_p.h"

#include "base/hash.h"
#include "base/utf8.h"
#include "query/fold/transform.h"
#include "view/sheet/calls_sheet.h"
#include "view/style/label.h"

#include <stdlib.h>
#include <string.h>

/*
 * One function: its callers above it, what it calls below it. The rows are those of the commands
 * callers and callees, opened one by one.
 */
extern const struct cr_view_ops cr_view_callers;

#define NUMBER_CELLS 10  /* of a column of numbers */
#define SHARES_CELLS 40  /* a narrower pane shows one share */
#define SAMPLES_CELLS 60 /* a narrower pane shows no samples */
#define DSO_CELLS 16     /* of the column of dsos, where there is room */
#define TITLE_CELLS 24   /* of the function's name, in the title */
#define LIGHT_PERCENT 1u /* the hot path ends where less than this is left */

enum part { CALLERS, CALLEES, PARTS };

/* The function is the first node of both trees; its row is that of the callees. */
#define FUNCTION 1u

struct callers {
	char *function; /* name; NULL while there is none */
	struct cr_tree *tree[PARTS];
	uint8_t *open[PARTS]; /* by node: 1 if its row is open */
	struct cr_calls calls[PARTS];
	bool made; /* the rows; the trees are there if tree[0] is */
	struct cr_sheet_surface surface;
	const struct cr_session *s; /* while the surface is in use */
};

/* ---- the trees */

static void
trees_drop(struct callers *c)
{
	for (int part = 0; part < PARTS; part++) {
		cr_calls_fini(&c->calls[part]);
		cr_tree_free(c->tree[part]);
		free(c->open[part]);
		c->tree[part] = NULL;
		c->open[part] = NULL;
	}
	c->made = false;
}

/*
 * The tree without groups, in which all frames of the function are one, inlined or not: then it
 * has one list of callers and one of callees.
 */
static struct cr_tree *
tree_plain(const struct cr_tree *t, struct cr_str function)
{
	uint32_t *frame = cr_alloc(t->n, sizeof(*frame)), one = CR_NO_ROW;
	const struct cr_tree_change change = {.frame = frame};
	uint8_t *above = cr_tree_above(t);
	struct cr_tree *out;

	for (uint32_t n = 0; n < t->n; n++) {
		const struct cr_frame *f = &t->frames[t->frame[n]];
		const bool is_it = !above[n] && cr_str_eq(f->name, function);

		if (is_it && one == CR_NO_ROW)
			one = t->frame[n];
		frame[n] = n && above[n] ? CR_TREE_SAME : is_it ? one : t->frame[n];
	}
	out = cr_tree_derive(t, &change, NULL);
	free(above);
	free(frame);
	return out;
}

/* Both trees; none where the function is not in these stacks. */
static void
trees_make(struct callers *c, const struct cr_session *s)
{
	static const enum cr_transform how[PARTS] = {CR_TRANSFORM_CALLERS, CR_TRANSFORM_CALLEES};
	struct cr_tree *plain = tree_plain(s->tree, cr_str_of(c->function));
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
		c->open[part] = cr_alloc(c->tree[part]->n, 1);
		cr_calls_init(&c->calls[part], c->tree[part], s->sides - 1,
			s->tree->total[s->sides - 1][0]);
	}
}

/* ---- rows: callers, the function, callees */

static void
callers_make(struct cr_view *v, struct cr_session *s)
{
	struct callers *c = v->state;

	if (c->made)
		return;
	v->n = v->row = 0;
	if (c->function && !c->tree[CALLERS])
		trees_make(c, s);
	c->made = true;
	if (!c->tree[CALLERS])
		return;
	for (int part = 0; part < PARTS; part++)
		cr_calls_choose_open(&c->calls[part], FUNCTION, c->open[part]);
	v->n = c->calls[CALLERS].n + 1 + c->calls[CALLEES].n;
	v->row = c->calls[CALLERS].n;
}

/* What a row stands for. */
static enum part
row_node(const struct callers *c, uint32_t row, uint32_t *node)
{
	const uint32_t above = c->calls[CALLERS].n;

	*node = row < above    ? c->calls[CALLERS].nodes[row]
		: row == above ? FUNCTION
			       : c->calls[CALLEES].nodes[row - above - 1];
	return row < above ? CALLERS : CALLEES;
}

static bool
is_function(const struct callers *c, uint32_t row)
{
	return row == c->calls[CALLERS].n;
}

static bool
row_exists(const struct cr_view *v)
{
	const struct callers *c = v->state;

	return c->made && v->row < v->n;
}

static uint32_t
row_frame(const struct callers *c, uint32_t row)
{
	uint32_t node;
	const struct cr_tree *t = c->tree[row_node(c, row, &node)];

	return t->frame[node];
}

/* Make the rows again, and select that of a node. */
static void
rows_again(struct cr_view *v, struct cr_session *s, enum part part, uint32_t node)
{
	struct callers *c = v->state;
	uint32_t at;

	c->made = false;
	callers_make(v, s);
	for (uint32_t row = 0; row < v->n; row++)
		if (row_node(c, row, &at) == part && at == node)
			v->row = row;
}

static void
callers_drop(struct cr_view *v, unsigned changed)
{
	if (changed & CR_CHANGED_TREE)
		trees_drop(v->state);
}

static void
callers_fini(struct cr_view *v)
{
	struct callers *c = v->state;

	trees_drop(c);
	free(c->function);
}

/* ---- the function */

static void
set_function(struct cr_view *v, struct cr_str name)
{
	struct callers *c = v->state;

	if (c->function && cr_str_eq(cr_str_of(c->function), name))
		return;
	trees_drop(c);
	free(c->function);
	/* A name with a NUL in it is no argument of a transform. */
	c->function =
		name.len && !memchr(name.p, '\0', name.len) ? cr_memdup(name.p, name.len) : NULL;
}

/* The function that costs most by itself. */
static uint32_t
frame_hottest(const struct cr_tree *t)
{
	uint64_t *self = cr_alloc(t->n_frames, sizeof(*self));
	uint32_t best = 0;

	for (uint32_t n = 1; n < t->n; n++) {
		const uint32_t f = t->frame[n];

		if (cr_frame_is_group(&t->frames[f]))
			continue;
		self[f] = cr_add_sat(self[f], t->self[t->sides - 1][n]);
		if (self[f] > self[best])
			best = f;
	}
	free(self);
	return best;
}

/* The selected function; where none is selected, the hottest one. */
static void
callers_enter(struct cr_view *v, struct cr_session *s)
{
	uint32_t frame = s->tree->frame[s->selection.node];

	if (cr_frame_is_group(&s->tree->frames[frame]))
		frame = frame_hottest(s->tree);
	set_function(v, frame ? s->tree->frames[frame].name : CR_STR(""));
}

static void
callers_save(const struct cr_view *v, struct cr_text *out)
{
	const struct callers *c = v->state;

	cr_text_puts(out, c->function ? c->function : "");
}

static void
callers_restore(struct cr_view *v, struct cr_session *s, const char *text)
{
	set_function(v, cr_str_of(text));
	if (v == cr_view_current(s))
		callers_make(v, s);
}

/* ---- the selection */

static bool
frame_is_named(const struct cr_session *s, uint32_t frame, uint32_t like)
{
	return cr_str_eq(s->tree->frames[frame].name, s->tree->frames[like].name);
}

/* The session selects the widest node of the row's function, in the zoom if it is there. */
static void
callers_select_row(struct cr_view *v, struct cr_session *s, uint32_t row)
{
	const struct callers *c = v->state;
	uint32_t frame, node;

	v->row = CR_MIN(row, v->n - 1);
	frame = row_frame(c, v->row);
	node = cr_session_widest(s, s->zoom, frame_is_named, frame);
	if (node == CR_NO_ROW)
		node = cr_session_widest(s, 0, frame_is_named, frame);
	if (node != CR_NO_ROW)
		cr_session_select_node(s, node);
}

/* The row that a row is moved in under; the function for those that are not. */
static uint32_t
row_parent(const struct callers *c, uint32_t row)
{
	uint32_t node, at;
	const enum part part = row_node(c, row, &node);
	const uint32_t parent = c->tree[part]->parent[node];

	while (row > 0 && row != c->calls[CALLERS].n) {
		row--;
		if (row_node(c, row, &at) == part && at == parent)
			return row;
	}
	return c->calls[CALLERS].n;
}

static bool
can_open(const struct cr_tree *t, uint32_t node)
{
	return t->end[node] > node + 1;
}

/* Open the row, or close it; a row that is closed already leads to the one it is under. */
static void
open_or_close(struct cr_view *v, struct cr_session *s, bool open)
{
	struct callers *c = v->state;
	uint32_t node;
	const enum part part = row_node(c, v->row, &node);

	if (is_function(c, v->row))
		return;
	if (!open && !c->open[part][node]) {
		callers_select_row(v, s, row_parent(c, v->row));
		return;
	}
	c->open[part][node] = open && can_open(c->tree[part], node);
	rows_again(v, s, part, node);
}

static void
callers_move(struct cr_view *v, struct cr_session *s, enum cr_move to)
{
	const uint32_t row = cr_view_row_after(v, to);

	if (!row_exists(v))
		return;
	if (to == CR_MOVE_LEFT || to == CR_MOVE_RIGHT)
		open_or_close(v, s, to == CR_MOVE_RIGHT);
	else if (row != v->row)
		callers_select_row(v, s, row);
}

/* Enter puts the row's function into the middle; there, it shows it in the flame graph. */
static int
callers_open(struct cr_view *v, struct cr_session *s, struct cr_err *err)
{
	const struct callers *c = v->state;
	int rc;

	if (!row_exists(v))
		return CR_OK;
	if (is_function(c, v->row)) {
		if ((rc = cr_session_search_frame(s, row_frame(c, v->row), err)) == CR_OK)
			cr_session_set_view(s, cr_view_of(s, &cr_view_flame));
		return rc;
	}
	callers_select_row(v, s, v->row);
	set_function(v, s->tree->frames[row_frame(c, v->row)].name);
	callers_make(v, s);
	return CR_OK;
}

static uint32_t
callers_frame(const struct cr_view *v, const struct cr_session *s)
{
	return row_exists(v) ? row_frame(v->state, v->row) : s->tree->frame[s->selection.node];
}

static bool
callers_costs(const struct cr_view *v, const struct cr_session *s, struct cr_view_costs *out)
{
	const struct callers *c = v->state;
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
callers_is_match(struct cr_view *v, struct cr_session *s)
{
	callers_make(v, s);
	return row_exists(v) && s->search.hit[row_frame(v->state, v->row)];
}

static bool
callers_find(struct cr_view *v, struct cr_session *s, bool backward)
{
	callers_make(v, s);
	for (uint32_t i = 1; i <= v->n; i++) {
		const uint32_t row = (backward ? v->row + v->n - i : v->row + i) % v->n;

		if (!s->search.hit[row_frame(v->state, row)])
			continue;
		callers_select_row(v, s, row);
		return true;
	}
	return false;
}

/* ---- the surface */

/* Where a line of the input stands for many samples, how many lines there were says nothing. */
static bool
shows_samples(const struct cr_session *s)
{
	return s->sides == 2 || !s->tree->summed || cr_str_eq(s->tree->unit, CR_STR("samples"));
}

/* How many columns of numbers a line of so many cells has; 0: as wide as needed. */
static int
numbers_in(const struct callers *c, uint32_t cells)
{
	if (cells && cells < SHARES_CELLS)
		return 1;
	return (cells && cells < SAMPLES_CELLS) || !shows_samples(c->s) ? 2 : 3;
}

static void
put_right(struct cr_text *out, struct cr_str text)
{
	const uint32_t used = text.len ? cr_utf8_cells(text) : 0;

	cr_text_pad(out, ' ', NUMBER_CELLS - CR_MIN(used, NUMBER_CELLS));
	cr_text_str(out, text);
}

/* The name and the dso beside it, in what the numbers leave of the line. */
static void
put_names(struct cr_text *out, const char *mark, struct cr_str name, bool inlined,
	struct cr_str dso, uint32_t cells)
{
	const size_t from = out->len;
	const uint32_t beside = cells == 0 || cells >= 3 * DSO_CELLS ? DSO_CELLS : 0;
	const uint32_t room = cells ? cells - beside : 0;
	uint32_t used;

	cr_text_puts(out, mark);
	used = cr_utf8_cells(cr_str_of(mark));
	if (room)
		cr_label_fit(out, name, room - CR_MIN(room, used + (inlined ? 10 : 0)));
	else
		cr_text_safe(out, name);
	cr_text_puts(out, inlined ? " (inlined)" : "");
	if (!beside)
		return;
	used = cr_utf8_cells((struct cr_str){out->p + from, (uint32_t)(out->len - from)});
	cr_text_pad(out, ' ',
		(room ? room : 3 * DSO_CELLS) - CR_MIN(used, room ? room : 3 * DSO_CELLS));
	cr_text_puts(out, "  ");
	if (room)
		cr_label_fit(out, dso, DSO_CELLS - 2);
	else
		cr_text_safe(out, dso);
}

static void
put_line_end(struct cr_text *out)
{
	while (out->len && out->p[out->len - 1] == ' ')
		out->p[--out->len] = '\0';
}

static uint32_t
name_cells(const struct callers *c, uint32_t cells)
{
	const uint32_t used = (uint32_t)numbers_in(c, cells) * NUMBER_CELLS + 2;

	return cells > used ? cells - used : cells ? 1 : 0;
}

static void
callers_head(
	const struct cr_sheet_surface *surface, uint32_t cells, bool unicode, struct cr_text *out)
{
	static const char *const heads[CR_SIDES][3] = {
		{"SHARE %", "OF ALL %", "SAMPLES"}, {"NOW %", "BEFORE %", "+-"}};
	const struct callers *c = surface->view->state;

	(void)unicode;
	for (int i = 0; i < numbers_in(c, cells); i++)
		put_right(out, cr_str_of(heads[c->s->sides - 1][i]));
	cr_text_puts(out, "  ");
	put_names(out, "", CR_STR("CALLERS, FUNCTION, CALLEES"), false, CR_STR("DSO"),
		name_cells(c, cells));
	put_line_end(out);
}

/* Share after minus share before, in millionths. */
static int32_t
change_of(const struct cr_session *s, const struct cr_tree *t, uint32_t node)
{
	if (s->sides == 1)
		return 0;
	return (int32_t)cr_share_ppm(t->total[1][node], s->tree->total[1][0]) -
	       (int32_t)cr_share_ppm(t->total[0][node], s->tree->total[0][0]);
}

/* Number `which` of a row: shares of the function and of all, samples; see the heads. */
static void
put_number(struct callers *c, enum part part, uint32_t node, int which, struct cr_text *out)
{
	const struct cr_session *s = c->s;
	const struct cr_tree *t = c->tree[part];
	struct cr_text text = {0};
	struct cr_cell cell;

	if (s->sides == 2 && which == 2) {
		cr_text_printf(&text, "%+.2f", change_of(s, t, node) / 10000.0);
	} else if (which == 2) {
		cr_text_grouped(&text, t->total_samples[0][node]);
	} else {
		cr_calls_cell(&c->calls[part], node,
			s->sides == 1 && which == 0 ? CR_CALLS_SHARE : CR_CALLS_WHOLE_SHARE, &cell);
		if (s->sides == 2 && which == 1) {
			cell.number = t->total[0][node];
			cell.whole = s->tree->total[0][0];
		}
		cr_text_printf(&text, "%.2f",
			cell.whole ? 100.0 * (double)cell.number / (double)cell.whole : 0.0);
	}
	put_right(out, cr_text_view(&text));
	cr_text_fini(&text);
}

/* Moved in by its distance from the function, with a mark if there is more to open. */
static void
put_mark(const struct callers *c, enum part part, uint32_t node, bool unicode, struct cr_text *out)
{
	const struct cr_tree *t = c->tree[part];

	if (node == FUNCTION)
		return;
	cr_text_pad(out, ' ', 2 * (size_t)CR_MIN(t->depth[node] - 1, 20u));
	if (!can_open(t, node))
		cr_text_puts(out, "  ");
	else if (c->open[part][node])
		cr_text_puts(out, unicode ? "\xe2\x96\xbe " : "- ");
	else
		cr_text_puts(out, unicode ? "\xe2\x96\xb8 " : "+ ");
}

static void
callers_row(const struct cr_sheet_surface *surface, uint32_t row, uint32_t cells, bool unicode,
	struct cr_text *out)
{
	struct callers *c = surface->view->state;
	uint32_t node;
	const enum part part = row_node(c, row, &node);
	const struct cr_frame *f = &c->tree[part]->frames[c->tree[part]->frame[node]];
	struct cr_text mark = {0};
	struct cr_cell dso;

	for (int i = 0; i < numbers_in(c, cells); i++)
		put_number(c, part, node, i, out);
	cr_text_puts(out, "  ");
	cr_text_puts(&mark, "");
	put_mark(c, part, node, unicode, &mark);
	cr_calls_cell(&c->calls[part], node, CR_CALLS_DSO, &dso);
	put_names(out, mark.p, f->name, f->inlined && node != FUNCTION, dso.text,
		name_cells(c, cells));
	put_line_end(out);
	cr_text_fini(&mark);
}

static struct cr_row_look
callers_look(const struct cr_sheet_surface *surface, uint32_t row)
{
	const struct callers *c = surface->view->state;
	uint32_t node;
	const struct cr_tree *t = c->tree[row_node(c, row, &node)];

	return (struct cr_row_look){.hit = c->s->search.hit && c->s->search.hit[t->frame[node]],
		.strong = is_function(c, row),
		.change = change_of(c->s, t, node)};
}

static const void *
callers_surface(struct cr_view *v, struct cr_session *s)
{
	static const struct cr_sheet_column_head no_heads[1];
	struct callers *c = v->state;

	callers_make(v, s);
	c->s = s;
	c->surface = (struct cr_sheet_surface){
		.empty = c->function ? "this function is not in these stacks"
				     : "no function is selected",
		.heads = no_heads,
		.view = v,
		.head = callers_head,
		.row = callers_row,
		.look = callers_look,
	};
	return &c->surface;
}

/* ---- texts */

static void
callers_put_title(const struct cr_view *v, const struct cr_session *s, struct cr_text *out)
{
	const struct callers *c = v->state;

	(void)s;
	if (!c->function)
		return;
	cr_text_puts(out, " of ");
	cr_label_fit(out, cr_str_of(c->function), TITLE_CELLS);
}

static void
print_rows(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_sheet_surface *surface = callers_surface(v, s);
	const uint32_t cells = v->width > 0 ? (uint32_t)v->width : 0;

	callers_head(surface, cells, true, out);
	cr_text_char(out, '\n');
	for (uint32_t row = 0; row < v->n; row++) {
		callers_row(surface, row, cells, true, out);
		cr_text_char(out, '\n');
	}
	if (!v->n)
		cr_text_printf(out, "%s\n", surface->empty);
}

/* What `view callers` would show: from another view that is around the selected function. */
static void
callers_print(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	struct cr_text was = {0};

	cr_text_puts(&was, "");
	callers_save(v, &was);
	if (v != cr_view_current(s))
		callers_enter(v, s);
	cr_print_heading(s, out);
	print_rows(v, s, out);
	callers_restore(v, s, was.p);
	cr_text_fini(&was);
}

/* ---- its command */

/* Open the costliest caller or callee of the selected row, the costliest of that, and so on. */
static int
run_open_path(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_callers);
	struct callers *c = v->state;
	const struct cr_tree *t;
	enum part part;
	uint32_t node;

	(void)args, (void)out, (void)err;
	callers_make(v, s);
	if (!row_exists(v))
		return CR_OK;
	part = row_node(c, v->row, &node);
	t = c->tree[part];
	/* Siblings stand by falling cost: the first child is the costliest. */
	while (can_open(t, node) && t->extent[node + 1] >= t->extent[0] / 100 * LIGHT_PERCENT) {
		c->open[part][node] = 1;
		node++;
	}
	rows_again(v, s, part, node);
	callers_select_row(v, s, v->row);
	return CR_OK;
}

static const struct cr_command callers_commands[] = {
	{"open-path", "", "open the costliest path from the selected line of the callers view",
		false, run_open_path, NULL},
	{0},
};

/* ---- the view */

static const struct cr_binding callers_keys[] = {
	{"Callers", {CR_KEY_ENTER}, "open",
		"put the caller or callee in the middle; there: show it in the flame graph",
		"centre", false},
	{"Callers", {CR_KEY_RIGHT, 'l'}, "right", "open the line: who calls it, what it calls",
		"open", false},
	{"Callers", {CR_KEY_LEFT, 'h'}, "left", "close the line, or go to the one it is under",
		NULL, false},
	{"Callers", {'e'}, "open-path", "open the costliest path, down to 1 %", "hot path", false},
	{0},
};

const struct cr_view_ops cr_view_callers = {
	.name = "callers",
	.label = "Callers",
	.about = "callers and callees of a function",
	.surface = CR_SURFACE_SHEET,
	.state_bytes = sizeof(struct callers),
	.keys = callers_keys,
	.commands = callers_commands,
	.make = callers_make,
	.drop = callers_drop,
	.fini = callers_fini,
	.surface_of = callers_surface,
	.enter = callers_enter,
	.move = callers_move,
	.select_row = callers_select_row,
	.open = callers_open,
	.is_match = callers_is_match,
	.find = callers_find,
	.frame = callers_frame,
	.costs = callers_costs,
	.put_title = callers_put_title,
	.save = callers_save,
	.restore = callers_restore,
	.print = callers_print,
};
