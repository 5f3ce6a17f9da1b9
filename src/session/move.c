#include "move_p.h"

#include "state_p.h"

#include "base/hash.h"

/* Lines that a page moves by: all but one, so that one can be recognised. */
static uint32_t
page(const struct cr_session *s)
{
	return s->height > 3 ? (uint32_t)s->height - 2 : 1;
}

/* ---- the flame view: from box to box */

/*
 * The box of the selected node, or of its nearest ancestor in the zoom that is drawn, or of the
 * zoom.
 */
static uint32_t
selected_box(struct cr_session *s, const struct cr_scene *scene)
{
	const bool in_zoom = s->selected >= s->zoom && s->selected < s->tree->end[s->zoom];
	uint32_t at = cr_scene_find(scene, s->selected);

	for (uint32_t node = s->selected; at == CR_NO_ROW && in_zoom && node != s->zoom;) {
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

/* The box above box `at` that lies under its middle, or nearest to it; `at` where none is above. */
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

/* n steps towards the leaves, or towards the root. */
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
flame_move(struct cr_session *s, enum cr_move to)
{
	const struct cr_scene *scene = cr_session_scene(s);
	uint32_t at = selected_box(s, scene), first, last;
	const bool root_up = s->root_up;

	if (at == CR_NO_ROW)
		return;
	first = scene->row_first[scene->boxes[at].row];
	last = scene->row_first[scene->boxes[at].row + 1] - 1;
	switch (to) {
	case CR_MOVE_UP: at = box_climb(scene, at, !root_up, 1); break;
	case CR_MOVE_DOWN: at = box_climb(scene, at, root_up, 1); break;
	case CR_MOVE_PAGE_UP: at = box_climb(scene, at, !root_up, page(s)); break;
	case CR_MOVE_PAGE_DOWN: at = box_climb(scene, at, root_up, page(s)); break;
	case CR_MOVE_TOP: at = box_climb(scene, at, !root_up, UINT32_MAX); break;
	case CR_MOVE_BOTTOM: at = box_climb(scene, at, root_up, UINT32_MAX); break;
	case CR_MOVE_LEFT: at -= at > first; break;
	case CR_MOVE_RIGHT: at += at < last; break;
	case CR_MOVE_FIRST: at = first; break;
	case CR_MOVE_LAST: at = last; break;
	}
	cr_session_select(s, scene->boxes[at].node);
}

/* ---- the table: from line to line */

static void
table_move(struct cr_session *s, enum cr_move to)
{
	const uint32_t last = s->table.n ? s->table.n - 1 : 0;
	uint32_t by = 0, row = s->row;

	switch (to) {
	case CR_MOVE_UP:
	case CR_MOVE_DOWN: by = 1; break;
	case CR_MOVE_PAGE_UP:
	case CR_MOVE_PAGE_DOWN: by = page(s); break;
	case CR_MOVE_FIRST:
	case CR_MOVE_TOP:
	case CR_MOVE_LAST:
	case CR_MOVE_BOTTOM: by = last; break;
	case CR_MOVE_LEFT:
	case CR_MOVE_RIGHT: return;
	}
	if (to == CR_MOVE_DOWN || to == CR_MOVE_PAGE_DOWN || to == CR_MOVE_LAST ||
		to == CR_MOVE_BOTTOM)
		row = last - row > by ? row + by : last;
	else
		row = row > by ? row - by : 0;
	if (row != s->row)
		cr_session_select_row(s, row);
}

void
cr_move(struct cr_session *s, enum cr_move to)
{
	if (s->view == CR_VIEW_FUNCTIONS)
		table_move(s, to);
	else
		flame_move(s, to);
}

/* ---- from match to match */

/* Is the node part of the zoomed flame graph: in the zoomed subtree, or an ancestor above it? */
static bool
is_shown(const struct cr_session *s, uint32_t node)
{
	const uint32_t *end = s->tree->end;

	return (node >= s->zoom && node < end[s->zoom]) || (s->zoom >= node && s->zoom < end[node]);
}

/*
 * The next matching node in preorder, whether or not its box is wide enough to be drawn: a gathered
 * box shows that one of its nodes matches, not which. Wraps around; CR_NO_ROW when no match is
 * shown.
 */
static uint32_t
flame_match(const struct cr_session *s, bool backward)
{
	const struct cr_search *m = &s->search;
	uint32_t wrapped = CR_NO_ROW;

	for (uint32_t i = 0; i < m->n_nodes; i++) {
		const uint32_t node = m->nodes[backward ? m->n_nodes - 1 - i : i];

		if (!is_shown(s, node))
			continue;
		if (backward ? node < s->selected : node > s->selected)
			return node;
		if (wrapped == CR_NO_ROW)
			wrapped = node;
	}
	return wrapped;
}

static bool
table_match(struct cr_session *s, bool backward)
{
	const struct cr_table *t = cr_session_table(s);

	for (uint32_t i = 1; i <= t->n; i++) {
		const uint32_t line = (backward ? s->row + t->n - i : s->row + i) % t->n;

		if (!s->row_hit[t->order[line]])
			continue;
		cr_session_select_row(s, line);
		return true;
	}
	return false;
}

bool
cr_move_match(struct cr_session *s, bool backward)
{
	uint32_t node;

	if (!s->search.hit)
		return false;
	if (s->view == CR_VIEW_FUNCTIONS)
		return table_match(s, backward);
	node = flame_match(s, backward);
	if (node == CR_NO_ROW)
		return false;
	cr_session_select(s, node);
	return true;
}
