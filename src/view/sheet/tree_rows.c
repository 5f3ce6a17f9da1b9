#include "view/sheet/tree_rows.h"

#include "base/hash.h"

#include <stdlib.h>

enum {
	OPEN = 1,
	ALL = 2,      /* its children are shown, however small */
	REVEALED = 4, /* it is shown, however small */
	HAS_REVEALED = 8,
};

#define LIGHT_PART 20u /* smaller parts of the whole are not opened automatically */
#define MARK_CELLS 2u

void
cr_tree_rows_init(struct cr_tree_rows *r, const struct cr_tree *t)
{
	*r = (struct cr_tree_rows){.t = t};
	r->flags = cr_alloc(t->n, 1);
	r->row_at = cr_alloc((uint64_t)t->max_depth + 1, sizeof(*r->row_at));
}

void
cr_tree_rows_fini(struct cr_tree_rows *r)
{
	free(r->flags);
	free(r->row_at);
	cr_vec_fini(&r->rows);
	*r = (struct cr_tree_rows){.t = NULL};
}

/* ---- visibility */

bool
cr_tree_rows_can_open(const struct cr_tree_rows *r, uint32_t node)
{
	return r->t->end[node] > node + 1;
}

bool
cr_tree_rows_is_open(const struct cr_tree_rows *r, uint32_t node)
{
	return (r->flags[node] & OPEN) && cr_tree_rows_can_open(r, node);
}

/* Siblings are sorted by falling extent, so large ones come first. */
static bool
is_large(const struct cr_tree_rows *r, uint32_t node)
{
	return r->t->extent[node] >= r->least || (r->flags[r->t->parent[node]] & ALL);
}

/* The first visible node from n on among the siblings before `end`; `end` if none. */
static uint32_t
next_shown(const struct cr_tree_rows *r, uint32_t n, uint32_t end)
{
	while (r->kept && n < end && !r->kept[n])
		n = r->t->end[n];
	if (n >= end || is_large(r, n))
		return n;
	if (!(r->flags[r->t->parent[n]] & HAS_REVEALED))
		return end;
	while (n < end && (!(r->flags[n] & REVEALED) || (r->kept && !r->kept[n])))
		n = r->t->end[n];
	return n;
}

/* The first visible child of a node; its end if none. */
static uint32_t
first_shown(const struct cr_tree_rows *r, uint32_t node)
{
	return next_shown(r, node + 1, r->t->end[node]);
}

/* ---- rows */

static void
push_row(struct cr_tree_rows *r, uint32_t node, uint32_t parent_row, bool top)
{
	const struct cr_tree *t = r->t;
	const uint32_t parent = t->parent[node], row = (uint32_t)r->rows.n;
	const bool last =
		next_shown(r, t->end[node], t->end[parent]) >= t->end[parent] || node == 0;
	const struct cr_tree_row *up = parent_row == CR_NO_ROW ? NULL : &r->rows.p[parent_row];
	struct cr_tree_row new = {.node = node, .head = row, .up = CR_NO_ROW, .last = last};

	if (up && last && first_shown(r, parent) == node) {
		new.head = up->head;
		new.level = up->level;
		new.up = up->up;
	} else if (up) {
		new.up = up->head;
		new.level = up->level + 1;
	}
	new.last |= top;
	cr_vec_push(&r->rows, new);
	r->row_at[t->depth[node]] = row;
}

void
cr_tree_rows_make(struct cr_tree_rows *r, uint32_t root, bool with_root)
{
	const struct cr_tree *t = r->t;
	uint32_t n = root + 1, stop;

	r->flags[root] |= OPEN;
	r->rows.n = 0;
	r->row_at[t->depth[root]] = with_root ? 0 : CR_NO_ROW;
	if (with_root)
		push_row(r, root, CR_NO_ROW, true);
	while (n < t->end[root]) {
		/* n is a child of an open node: continue with its next visible sibling. */
		stop = t->end[t->parent[n]];
		n = next_shown(r, n, stop);
		if (n == stop)
			continue; /* it is a sibling of an ancestor, or the end */
		push_row(r, n, r->row_at[t->depth[n] - 1], false);
		n = cr_tree_rows_is_open(r, n) ? n + 1 : t->end[n];
	}
}

uint32_t
cr_tree_rows_of(const struct cr_tree_rows *r, uint32_t node)
{
	size_t lo = 0, hi = r->rows.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (r->rows.p[mid].node < node)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < r->rows.n && r->rows.p[lo].node == node ? (uint32_t)lo : CR_NO_ROW;
}

/* ---- opening */

void
cr_tree_rows_open(struct cr_tree_rows *r, uint32_t node, bool open)
{
	if (!cr_tree_rows_can_open(r, node))
		return;
	if (!open) {
		r->flags[node] &= (uint8_t) ~(OPEN | ALL);
		return;
	}
	r->flags[node] |= OPEN;
	if (first_shown(r, node) == r->t->end[node])
		r->flags[node] |= ALL;
}

void
cr_tree_rows_reveal(struct cr_tree_rows *r, uint32_t node)
{
	for (; node; node = r->t->parent[node]) {
		const uint32_t parent = r->t->parent[node];

		r->flags[parent] |= OPEN;
		if (is_large(r, node))
			continue;
		r->flags[node] |= REVEALED;
		r->flags[parent] |= HAS_REVEALED;
	}
}

void
cr_tree_rows_show_all(struct cr_tree_rows *r, uint32_t node)
{
	r->flags[node] |= ALL;
}

void
cr_tree_rows_open_more(struct cr_tree_rows *r)
{
	for (size_t i = 0; i < r->rows.n; i++)
		if (first_shown(r, r->rows.p[i].node) != r->t->end[r->rows.p[i].node])
			cr_tree_rows_open(r, r->rows.p[i].node, true);
}

uint32_t
cr_tree_rows_open_path(struct cr_tree_rows *r, uint32_t node)
{
	uint32_t child;

	while (first_shown(r, node) != r->t->end[node]) {
		cr_tree_rows_open(r, node, true);
		child = node + 1;
		if (r->t->extent[child] < r->t->extent[node] / 2)
			break;
		node = child;
	}
	return node;
}

void
cr_tree_rows_open_levels(struct cr_tree_rows *r, uint32_t root, uint32_t levels)
{
	const struct cr_tree *t = r->t;

	for (uint32_t n = root; n < t->end[root]; n++) {
		r->flags[n] = 0;
		if (t->depth[n] - t->depth[root] < levels && cr_tree_rows_can_open(r, n))
			r->flags[n] = OPEN;
	}
}

/* The row with the costliest closed node that is worth opening; CR_NO_ROW if none. */
static uint32_t
costliest_closed(const struct cr_tree_rows *r, uint64_t least)
{
	uint32_t best = CR_NO_ROW;
	uint64_t most = 0;

	for (uint32_t i = 0; i < r->rows.n; i++) {
		const uint32_t node = r->rows.p[i].node;

		if (cr_tree_rows_is_open(r, node) || r->t->extent[node] < least ||
			first_shown(r, node) == r->t->end[node])
			continue;
		if (r->t->extent[node] > most) {
			most = r->t->extent[node];
			best = i;
		}
	}
	return best;
}

void
cr_tree_rows_open_costliest(struct cr_tree_rows *r, uint32_t root, bool with_root, uint32_t rows)
{
	const uint64_t least = CR_MAX(r->t->extent[root] / LIGHT_PART, 1u);
	uint32_t row;

	cr_tree_rows_make(r, root, with_root);
	while (r->rows.n < rows && (row = costliest_closed(r, least)) != CR_NO_ROW) {
		cr_tree_rows_open(r, r->rows.p[row].node, true);
		cr_tree_rows_make(r, root, with_root);
	}
}

/* ---- guides */

/* The line of a level in rows below `head`, the head of a chain. */
static const char *
line_below(const struct cr_tree_rows *r, uint32_t head, bool unicode)
{
	if (r->rows.p[head].last)
		return " ";
	return unicode ? "\xe2\x94\x82" : "|";
}

/* The line before the name of the row: a branch where a chain begins, otherwise its line. */
static const char *
own_line(const struct cr_tree_rows *r, uint32_t row, bool unicode)
{
	const struct cr_tree_row *at = &r->rows.p[row];

	if (at->head != row)
		return unicode || r->rows.p[at->head].last ? line_below(r, at->head, unicode) : ":";
	if (at->last)
		return unicode ? "\xe2\x94\x94" : "`";
	return unicode ? "\xe2\x94\x9c" : "|";
}

static const char *
mark_of(const struct cr_tree_rows *r, uint32_t node, bool unicode)
{
	if (!cr_tree_rows_can_open(r, node))
		return "  ";
	if (cr_tree_rows_is_open(r, node))
		return unicode ? "\xe2\x96\xbe " : "- ";
	return unicode ? "\xe2\x96\xb8 " : "+ ";
}

void
cr_tree_rows_put_guide(const struct cr_tree_rows *r, uint32_t row, uint32_t cells, bool unicode,
	struct cr_text *out)
{
	const struct cr_tree_row *at = &r->rows.p[row];
	const uint32_t room = CR_MIN(cells - CR_MIN(cells, MARK_CELLS), CR_TREE_ROWS_GUIDE);
	const uint32_t left_out = at->level > room ? at->level - room + (room > 0) : 0;
	const uint32_t shown = at->level - left_out;
	const char *parts[CR_TREE_ROWS_GUIDE];
	uint32_t n = 0, head = at->head;

	for (; n < shown; head = r->rows.p[head].up, n++)
		parts[n] = n ? line_below(r, head, unicode) : own_line(r, row, unicode);
	if (left_out && room)
		cr_text_puts(out, unicode ? "\xe2\x80\xb9" : "<");
	while (n > 0)
		cr_text_puts(out, parts[--n]);
	cr_text_puts(out, mark_of(r, at->node, unicode));
}
