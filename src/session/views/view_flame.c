#include "view_flame_p.h"

#include "session/changes_p.h"
#include "session/print_p.h"
#include "session/session_p.h"

#include "base/hash.h"
#include "view/scene/flame.h"
#include "view/sheet/node_sheet.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_DEFAULT 80
#define WIDTH_MAX 10000

struct flame {
	struct cr_scene scene;
	bool made;
	struct cr_change_look change;
	struct cr_scene_surface surface;
	struct cr_node_sheet sheet;
};

/* ---- the scene */

static int32_t
width_of(const struct cr_view *v)
{
	const char *columns = getenv("COLUMNS");
	const long n = columns ? strtol(columns, NULL, 10) : 0;

	if (v->width > 0)
		return v->width;
	return n > 0 && n <= WIDTH_MAX ? (int32_t)n : WIDTH_DEFAULT;
}

static const struct cr_scene *
scene_of(struct cr_view *v, struct cr_session *s)
{
	struct flame *f = v->state;
	const struct cr_flame_opts o = {
		.zoom = s->zoom,
		.width = width_of(v) * CR_CELL_UNITS,
		/* at least a cell, so that no cell has to show more than two frames and a gap */
		.min_width = CR_CELL_UNITS,
		.hit = s->search.hit,
		.widths = s->sides == 2 ? cr_changes_widths(s) : NULL,
	};

	if (f->made && f->scene.width == o.width)
		return &f->scene;
	cr_scene_fini(&f->scene);
	cr_flame_layout(s->tree, &o, &f->scene);
	f->made = true;
	return &f->scene;
}

const struct cr_scene *
cr_view_flame_scene(struct cr_session *s)
{
	return scene_of(cr_view_of(s, &cr_view_flame), s);
}

static const void *
flame_surface(struct cr_view *v, struct cr_session *s)
{
	struct flame *f = v->state;

	if (s->sides == 2)
		f->change = cr_changes_look(s);
	f->surface = (struct cr_scene_surface){.scene = scene_of(v, s),
		.tree = s->tree,
		.change = s->sides == 2 ? &f->change : NULL,
		.selected = s->selection.node,
		.palette = s->palette,
		.root_up = s->root_up};
	return &f->surface;
}

static void
flame_drop(struct cr_view *v, unsigned changed)
{
	struct flame *f = v->state;

	f->made &= !changed;
}

static void
flame_fini(struct cr_view *v)
{
	struct flame *f = v->state;

	cr_scene_fini(&f->scene);
	cr_node_sheet_fini(&f->sheet);
}

static int32_t
flame_row_of(const struct cr_view *v, const struct cr_session *s, uint32_t node)
{
	(void)v;
	return (int32_t)s->tree->depth[node];
}

/* ---- from box to box */

/* The box of the selected node, or of its nearest drawn ancestor in the zoom, or of the zoom. */
static uint32_t
selected_box(const struct cr_session *s, const struct cr_scene *scene)
{
	const bool in_zoom =
		s->selection.node >= s->zoom && s->selection.node < s->tree->end[s->zoom];
	uint32_t at = cr_scene_find(scene, s->selection.node);

	for (uint32_t node = s->selection.node; at == CR_NO_ROW && in_zoom && node != s->zoom;) {
		node = s->tree->parent[node];
		at = cr_scene_find(scene, node);
	}
	return at != CR_NO_ROW ? at : cr_scene_find(scene, s->zoom);
}

static int32_t
distance(const struct cr_box *b, int32_t x)
{
	if (x < b->x0)
		return b->x0 - x;
	return x >= b->x1 ? x - b->x1 + 1 : 0;
}

/* The box above box `at`, over its middle or nearest to that; `at` if there is none. */
static uint32_t
box_above(const struct cr_scene *scene, uint32_t at)
{
	const struct cr_box *b = &scene->boxes[at];
	const int32_t middle = b->x0 + (b->x1 - b->x0) / 2;
	uint32_t best = at;

	if (b->row + 1 >= scene->rows)
		return at;
	for (uint32_t i = scene->row_first[b->row + 1]; i < scene->row_first[b->row + 2]; i++) {
		const struct cr_box *c = &scene->boxes[i];

		if (c->x0 < b->x0 || c->x1 > b->x1)
			continue;
		if (best == at || distance(c, middle) < distance(&scene->boxes[best], middle))
			best = i;
	}
	return best;
}

static uint32_t
box_below(const struct cr_scene *scene, uint32_t at)
{
	const struct cr_box *b = &scene->boxes[at];
	const uint32_t below = b->row > 0
				       ? cr_scene_at(scene, b->x0 + (b->x1 - b->x0) / 2, b->row - 1)
				       : CR_NO_ROW;

	return below == CR_NO_ROW ? at : below;
}

/* Move n boxes towards the leaves or the root. */
static uint32_t
box_climb(const struct cr_scene *scene, uint32_t at, bool leaf_ward, uint32_t n)
{
	while (n-- > 0) {
		const uint32_t next = leaf_ward ? box_above(scene, at) : box_below(scene, at);

		if (next == at)
			break;
		at = next;
	}
	return at;
}

static void
flame_move(struct cr_view *v, struct cr_session *s, enum cr_move to)
{
	const struct cr_scene *scene = scene_of(v, s);
	uint32_t at = selected_box(s, scene), first, last;
	const bool root_up = s->root_up;

	if (at == CR_NO_ROW)
		return;
	first = scene->row_first[scene->boxes[at].row];
	last = scene->row_first[scene->boxes[at].row + 1] - 1;
	switch (to) {
	case CR_MOVE_UP: at = box_climb(scene, at, !root_up, 1); break;
	case CR_MOVE_DOWN: at = box_climb(scene, at, root_up, 1); break;
	case CR_MOVE_PAGE_UP: at = box_climb(scene, at, !root_up, cr_view_page(v)); break;
	case CR_MOVE_PAGE_DOWN: at = box_climb(scene, at, root_up, cr_view_page(v)); break;
	case CR_MOVE_TOP: at = box_climb(scene, at, !root_up, UINT32_MAX); break;
	case CR_MOVE_BOTTOM: at = box_climb(scene, at, root_up, UINT32_MAX); break;
	case CR_MOVE_LEFT: at -= at > first; break;
	case CR_MOVE_RIGHT: at += at < last; break;
	case CR_MOVE_FIRST: at = first; break;
	case CR_MOVE_LAST: at = last; break;
	}
	cr_session_select_node(s, scene->boxes[at].node);
}

/* Enter zooms into the selection. */
static int
flame_open(struct cr_view *v, struct cr_session *s, struct cr_err *err)
{
	uint32_t node = s->selection.node;

	(void)v;
	return cr_session_set_zoom(s, &node, err);
}

/* ---- matches */

static bool
flame_is_match(struct cr_view *v, struct cr_session *s)
{
	(void)v;
	return s->search.hit[s->tree->frame[s->selection.node]];
}

/*
 * True if the node is part of the zoomed flame graph: in the zoomed subtree, or an ancestor of it.
 */
static bool
is_shown(const struct cr_session *s, uint32_t node)
{
	const uint32_t *end = s->tree->end;

	return (node >= s->zoom && node < end[s->zoom]) || (s->zoom >= node && s->zoom < end[node]);
}

/*
 * The next matching node in preorder, drawn or not: a combined box shows that one of its nodes
 * matches, not which.
 */
static bool
flame_find(struct cr_view *v, struct cr_session *s, bool backward)
{
	const struct cr_search *m = &s->search;
	uint32_t wrapped = CR_NO_ROW;

	(void)v;
	for (uint32_t i = 0; i < m->n_nodes; i++) {
		const uint32_t node = m->nodes[backward ? m->n_nodes - 1 - i : i];

		if (!is_shown(s, node))
			continue;
		if (backward ? node < s->selection.node : node > s->selection.node) {
			cr_session_select_node(s, node);
			return true;
		}
		if (wrapped == CR_NO_ROW)
			wrapped = node;
	}
	if (wrapped != CR_NO_ROW)
		cr_session_select_node(s, wrapped);
	return wrapped != CR_NO_ROW;
}

/* ---- texts */

/* Why the selected node has no box of its own. */
static void
flame_put_unseen(struct cr_view *v, struct cr_session *s, bool brief, struct cr_text *out)
{
	const struct cr_scene *scene = scene_of(v, s);
	const uint32_t node = s->selection.node, box = cr_scene_find(scene, node);

	if (box != CR_NO_ROW && scene->boxes[box].flags & CR_BOX_GATHERED && !brief)
		cr_text_printf(
			out, "one of %" PRIu32 " too narrow to draw", scene->boxes[box].count);
	else if (box != CR_NO_ROW && scene->boxes[box].flags & CR_BOX_GATHERED)
		cr_text_puts(out, "too narrow to draw");
	else if (box == CR_NO_ROW && node >= s->zoom && node < s->tree->end[s->zoom])
		cr_text_puts(out, "too narrow to draw");
	else if (box == CR_NO_ROW)
		cr_text_puts(out, "outside the zoom");
}

/* What the colours of a difference mean. */
static void
flame_put_title(const struct cr_view *v, const struct cr_session *s, struct cr_text *out)
{
	const struct flame *f = v->state;

	if (s->sides != 2 || !f->change.tree)
		return;
	cr_text_puts(out, " ");
	cr_change_put_scale_brief(&f->change, out);
}

/* As text: one line per row, frames separated by '|'. */

/* Names are usually ASCII, but a shortened one ends with a character of three bytes. */
static void
put_padded(struct cr_text *out, struct cr_str name, uint32_t cells)
{
	const uint32_t used = cr_label_fit(out, name, cells);

	cr_text_pad(out, ' ', cells - used);
}

static void
put_row(const struct cr_session *s, const struct cr_scene *scene, int32_t row, struct cr_text *out)
{
	const struct cr_tree *t = s->tree;
	const int32_t cells = scene->width / CR_CELL_UNITS;
	int32_t x = 0;

	for (uint32_t i = scene->row_first[row]; i < scene->row_first[row + 1]; i++) {
		const struct cr_box *b = &scene->boxes[i];
		const int32_t from = b->x0 / CR_CELL_UNITS, to = b->x1 / CR_CELL_UNITS;

		if (to <= x)
			continue;
		if (from > x) {
			cr_text_char(out, x ? '|' : ' ');
			cr_text_pad(out, ' ', (size_t)(from - x - 1));
		}
		cr_text_char(out, '|');
		if (b->flags & CR_BOX_GATHERED)
			cr_text_pad(out, '.', (size_t)(to - CR_MAX(from, x) - 1));
		else
			put_padded(out, t->frames[t->frame[b->node]].name,
				(uint32_t)(to - CR_MAX(from, x) - 1));
		x = to;
	}
	if (x < cells)
		cr_text_char(out, '|');
	while (out->len && out->p[out->len - 1] == ' ')
		out->p[--out->len] = '\0';
	cr_text_char(out, '\n');
}

static void
flame_print(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_scene *scene = scene_of(v, s);

	cr_print_heading(s, out);
	for (int32_t i = 0; i < scene->rows; i++)
		put_row(s, scene, s->root_up ? i : scene->rows - 1 - i, out);
}

/* All frames of the zoom, also those that are too narrow for a box. */
static const struct cr_sheet *
flame_sheet(struct cr_view *v, struct cr_session *s)
{
	struct flame *f = v->state;
	const uint8_t *kept = s->sides == 2 ? cr_changes_kept(s) : NULL;
	const struct cr_tree *t = s->tree;

	cr_node_sheet_fini(&f->sheet);
	cr_node_sheet_init(s->sides, false, &f->sheet);
	for (uint32_t n = s->zoom; n < t->end[s->zoom]; n++)
		if (!kept || kept[n])
			cr_node_sheet_add(&f->sheet,
				(struct cr_node_row){t, n, t->depth[n] - t->depth[s->zoom], NULL});
	return &f->sheet.sheet;
}

/* ---- the view */

static const struct cr_binding flame_keys[] = {
	{"Flame", {CR_KEY_ENTER}, "open", "zoom into the frame", "zoom", false},
	{"Flame", {CR_KEY_LEFT, 'h'}, "left", "select the frame to the left", NULL, false},
	{"Flame", {CR_KEY_RIGHT, 'l'}, "right", "select the frame to the right", NULL, false},
	{"Flame", {'>'}, "child",
		"select the child with the highest cost; repeat to follow the hot path", NULL,
		false},
	{"Flame", {'<'}, "parent", "select the parent frame", NULL, false},
	{"Flame", {'i'}, "root toggle", "draw the root at the bottom or at the top", "root", false},
	{"Flame", {'c'}, "palette next", "colour frames by another rule", "colours", false},
	{0},
};

const struct cr_view_ops cr_view_flame = {
	.name = "flame",
	.label = "Flame",
	.about = "the flame graph",
	.takes_sketch = true,
	.surface = CR_SURFACE_SCENE,
	.state_bytes = sizeof(struct flame),
	.keys = flame_keys,
	.drop = flame_drop,
	.fini = flame_fini,
	.surface_of = flame_surface,
	.move = flame_move,
	.open = flame_open,
	.row_of = flame_row_of,
	.is_match = flame_is_match,
	.find = flame_find,
	.find_best = cr_session_find_best,
	.put_title = flame_put_title,
	.put_unseen = flame_put_unseen,
	.sheet = flame_sheet,
	.print = flame_print,
};
