#include "query/table/table.h"

#include "table_p.h"

#include <stdlib.h>
#include <string.h>

/* Of the frames of a tree there may be many more than the nodes have, where it is of one event. */
static void
use_frames(struct cr_table_maker *m, uint32_t root)
{
	const struct cr_tree *t = m->t;

	m->frames = cr_alloc(m->n_frames, sizeof(*m->frames));
	for (uint32_t n = root; n < t->end[root]; n++)
		m->frames[t->frame[n]].code = CR_NO_ROW;
	if (m->groups.width) /* those above, see group_above() */
		for (uint32_t n = root; n; n = t->parent[n])
			m->frames[t->frame[n]].code = CR_NO_ROW;
}

/* ---- rows */

uint32_t
cr_table_row_make(struct cr_table_maker *m, uint32_t group, uint32_t code)
{
	const uint64_t h = cr_hash_mix(group, code);
	uint32_t row;

	cr_index_each(&m->row_ix, h, row)
		if (m->rows.p[row].group == group && m->rows.p[row].code == code)
			return row;
	row = (uint32_t)m->rows.n;
	cr_vec_push(&m->rows,
		((struct cr_table_row){.group = group, .code = code, .depth = UINT32_MAX}));
	for (uint32_t s = 0; s < m->sides; s++)
		cr_vec_push(&m->costs, ((struct cr_table_cost){0}));
	cr_index_add(&m->row_ix, h, row);
	return row;
}

/* The group of a node's stacks: its parent's, with the value that its own frame adds. */
static inline uint32_t
group_at(struct cr_table_maker *m, uint32_t node, uint32_t of_parent)
{
	const uint32_t frame = m->t->frame[node];
	const struct cr_table_frame_kind *f = &m->frames[frame];
	const uint8_t key = m->t->depth[node] == 1 ? f->outermost : f->group_key;

	return key ? cr_table_group_make(m, of_parent, key - 1u, &m->t->frames[frame]) : of_parent;
}

static void
add_total(struct cr_table_cost *c, const struct cr_tree *t, uint32_t node)
{
	for (uint32_t s = 0; s < t->sides; s++, c++) {
		c->total = cr_add_sat(c->total, t->total[s][node]);
		c->total_samples = cr_add_sat(c->total_samples, t->total_samples[s][node]);
	}
}

static void
add_self(const struct cr_table_maker *m, struct cr_table_cost *c, uint32_t node)
{
	const struct cr_tree *t = m->t;
	const struct cr_table_frame_kind *f = &m->frames[t->frame[node]];

	for (uint32_t s = 0; s < t->sides; s++, c++) {
		uint64_t *part = f->kernel ? &c->kernel : &c->user;

		c->self = cr_add_sat(c->self, t->self[s][node]);
		c->self_samples = cr_add_sat(c->self_samples, t->self_samples[s][node]);
		if (!f->is_group)
			*part = cr_add_sat(*part, t->self[s][node]);
	}
}

static bool
has_self(const struct cr_tree *t, uint32_t node)
{
	uint64_t any = 0;

	for (uint32_t s = 0; s < t->sides; s++)
		any |= t->self_samples[s][node] | t->self[s][node];
	return any != 0;
}

/* Count samples that end at a group or a mark, not in code. */
static void
add_stackless(struct cr_table_maker *m, uint32_t node, uint32_t group)
{
	const struct cr_tree *t = m->t;
	struct cr_table_row *r;
	struct cr_table_cost *c;
	uint32_t row;

	if (!has_self(t, node))
		return;
	row = cr_table_row_of(m, group, m->no_code);
	r = &m->rows.p[row];
	c = cr_table_costs_of(m, row);
	add_self(m, c, node);
	for (uint32_t s = 0; s < t->sides; s++) {
		c[s].total = cr_add_sat(c[s].total, t->self[s][node]);
		c[s].total_samples = cr_add_sat(c[s].total_samples, t->self_samples[s][node]);
	}
	r->depth = CR_MIN(r->depth, t->depth[node]);
}

/* The group of a node, from the frames above it. */
static uint32_t
group_above(struct cr_table_maker *m, uint32_t node)
{
	const struct cr_tree *t = m->t;
	const uint32_t depth = t->depth[node];
	uint32_t group = cr_table_no_groups(m);
	uint32_t *path;

	if (depth < 2 || !m->groups.width)
		return group;
	path = cr_alloc(depth, sizeof(*path));
	for (uint32_t d = depth - 1; d > 0; d--)
		path[d] = node = t->parent[node];
	for (uint32_t d = 1; d < depth; d++)
		group = group_at(m, path[d], group);
	free(path);
	return group;
}

/*
 * Add the costs of a subtree to the rows. Total is added once for each path, at the outermost node
 * of the row: nodes are in preorder, so it is the first one behind the subtree of the outermost
 * node before it. `was` is where that ends.
 */
static void
add_weights(struct cr_table_maker *m, uint32_t root)
{
	const struct cr_tree *t = m->t;
	/* By depth, along the path. */
	uint32_t *group = cr_alloc((uint64_t)t->max_depth + 2, sizeof(*group));

	for (uint32_t n = root; n < t->end[root]; n++) {
		const uint32_t d = t->depth[n], code = m->frames[t->frame[n]].code;
		const uint32_t above = n == root ? group_above(m, n) : group[d - 1];
		struct cr_table_cost *c;
		struct cr_table_row *r;
		uint32_t row;

		group[d] = d ? group_at(m, n, above) : above;
		m->h->node_row[n] = CR_NO_ROW;
		if (code == CR_NO_ROW) {
			add_stackless(m, n, group[d]);
			continue;
		}
		row = m->h->node_row[n] = cr_table_row_of(m, group[d], code);
		r = &m->rows.p[row];
		c = cr_table_costs_of(m, row);
		if (n >= r->was) {
			r->was = t->end[n];
			add_total(c, t, n);
			r->depth = CR_MIN(r->depth, d);
		}
		add_self(m, c, n);
	}
	free(group);
}

/*
 * Add self to a row of a merged key. A group has frames below it, whose cost is its self too, so
 * that the rows add up to the whole.
 */
static void
add_self_merged(const struct cr_table_maker *m, struct cr_table_cost *c, uint32_t node)
{
	const struct cr_tree *t = m->t;

	for (uint32_t s = 0; s < t->sides; s++, c++) {
		c->self = cr_add_sat(c->self, m->by_group ? t->total[s][node] : t->self[s][node]);
		c->self_samples = cr_add_sat(c->self_samples,
			m->by_group ? t->total_samples[s][node] : t->self_samples[s][node]);
	}
}

void
cr_table_rows_merged(struct cr_table_maker *m)
{
	const bool by_function = m->h->spec->keys[0] == CR_TABLE_FUNCTION;
	const uint64_t n = CR_MAX(m->values.n, 1u);

	m->rows.n = m->values.n;
	m->rows.p = cr_alloc(n, sizeof(*m->rows.p));
	m->costs.p = cr_alloc(n * m->sides, sizeof(*m->costs.p));
	for (uint32_t code = 0; code < m->rows.n; code++) {
		m->rows.p[code].code = code;
		m->rows.p[code].inlined = by_function;
	}
	for (uint32_t f = 0; f < m->n_frames && by_function; f++)
		if (m->frames[f].code != CR_NO_ROW)
			m->rows.p[m->frames[f].code].inlined &= m->frame_of[f].inlined;
}

/*
 * The same for a merged key, which has a row for each row in `codes`, and none for samples without
 * a stack. A mark between two parts of a stack is not a group. until: by row, where the subtree of
 * its last outermost node ends; it is an array of its own to stay in near caches, as most nodes ask
 * for nothing else of their row.
 */
static void
add_weights_merged(struct cr_table_maker *m, uint32_t root)
{
	const struct cr_tree *t = m->t;
	uint32_t *until, *code = cr_alloc(t->n_frames, sizeof(*code));

	cr_table_rows_merged(m);
	until = cr_alloc(CR_MAX(m->rows.n, 1u), sizeof(*until));
	for (uint32_t f = 0; f < t->n_frames; f++)
		code[f] = m->frames[f].code;
	for (uint32_t n = root; n < t->end[root]; n++) {
		const uint32_t row = m->by_group && t->depth[n] > 1 ? CR_NO_ROW : code[t->frame[n]];

		if (row == CR_NO_ROW)
			continue;
		if (n >= until[row]) {
			until[row] = t->end[n];
			add_total(cr_table_costs_of(m, row), t, n);
		}
		if (m->by_group || has_self(t, n))
			add_self_merged(m, cr_table_costs_of(m, row), n);
	}
	free(code);
	free(until);
}

/* ---- order */

static const struct cr_table_value *
value_of(const struct cr_table *h, const struct cr_table_row *r, enum cr_table_column key)
{
	uint32_t g = 0, c = 0;

	if (h->spec->merged)
		return &h->values[r->code];
	for (uint32_t i = 0; i < h->spec->n_keys; i++) {
		const bool of_frame = h->spec->keys[i] >= CR_TABLE_DSO;

		if (h->spec->keys[i] == key)
			return &h->values[of_frame ? h->codes[(size_t)r->code * h->n_code_keys + c]
						   : h->groups[(size_t)r->group * h->n_group_keys +
							       g]];
		if (of_frame)
			c++;
		else
			g++;
	}
	return NULL;
}

bool
cr_table_cost_is_kept(const struct cr_table *h, const struct cr_table_cost *c)
{
	for (uint32_t s = 0; s < h->sides; s++, c++)
		if (c->self_samples || c->self || (h->spec->children && c->total_samples) ||
			(h->spec->merged && c->total))
			return true;
	return false;
}

/* For a merged key: set the row of each frame; CR_NO_ROW if its row was dropped. */
static void
point_frames(struct cr_table_maker *m, const uint32_t *place)
{
	m->h->frame_row = cr_alloc(m->n_frames, sizeof(*m->h->frame_row));
	for (uint32_t f = 0; f < m->n_frames; f++)
		m->h->frame_row[f] =
			m->frames[f].code == CR_NO_ROW ? CR_NO_ROW : place[m->frames[f].code];
}

/* Reorder the values like the rows, because they are read row by row. */
static void
sort_values(struct cr_table_maker *m)
{
	struct cr_table *h = m->h;
	struct cr_table_value *values = cr_alloc(CR_MAX(h->n, 1u), sizeof(*values));
	uint32_t *frames = cr_alloc(CR_MAX(h->n, 1u), sizeof(*frames));

	for (uint32_t i = 0; i < h->n; i++) {
		values[i] = m->values.p[h->rows[i].code];
		frames[i] = m->code_frame.p[h->rows[i].code];
		h->rows[i].code = i;
	}
	free(m->values.p);
	free(m->code_frame.p);
	m->values.p = h->values = values;
	m->code_frame.p = frames;
}

/*
 * Reorder the costs like the rows, because they are read row by row. Those of rows without cost are
 * dropped.
 */
static void
sort_costs(struct cr_table *h)
{
	struct cr_table_cost *costs =
		cr_realloc(NULL, CR_MAX(h->n, 1u) * (uint64_t)h->sides, sizeof(*costs));

	for (uint32_t i = 0; i < h->n; i++) {
		struct cr_table_cost *of = &costs[(size_t)i * h->sides];

		memcpy(of, h->rows[i].cost, h->sides * sizeof(*of));
		h->rows[i].cost = of;
	}
	free(h->costs);
	h->costs = costs;
}

/* Drop the rows without cost, sort the others, and renumber the rows of nodes or frames. */
static void
finish_rows(struct cr_table_maker *m)
{
	struct cr_table *h = m->h;
	uint32_t *place = cr_alloc(m->rows.n + 1, sizeof(*place));
	uint32_t *kept = cr_alloc(m->rows.n + 1, sizeof(*kept));

	for (uint32_t i = 0; i < m->rows.n; i++) {
		place[i] = CR_NO_ROW;
		m->rows.p[i].cost = cr_table_costs_of(m, i);
		if (cr_table_cost_is_kept(h, m->rows.p[i].cost))
			kept[h->n++] = i;
	}
	cr_table_sort_rows(h, m->rows.p, kept, (uint32_t)m->values.n);
	h->costs = m->costs.p;
	free(m->rows.p);
	free(kept);
	sort_costs(h);
	for (uint32_t i = 0; i < h->n; i++)
		place[h->rows[i].was] = i;
	if (h->spec->merged) {
		point_frames(m, place);
		sort_values(m);
	}
	for (uint32_t n = 0; h->node_row && n < m->t->n; n++)
		if (h->node_row[n] != CR_NO_ROW)
			h->node_row[n] = place[h->node_row[n]];
	free(place);
}

void
cr_table_maker_keys(struct cr_table_maker *m)
{
	const struct cr_table_spec *spec = m->h->spec;

	for (uint32_t i = 0; i < spec->n_keys; i++) {
		if (spec->keys[i] >= CR_TABLE_DSO)
			m->code_keys[m->h->n_code_keys++] = spec->keys[i];
		else
			m->group_keys[m->h->n_group_keys++] = spec->keys[i];
	}
	m->codes.width = m->h->n_code_keys;
	m->groups.width = m->h->n_group_keys;
}

void
cr_table_maker_finish(struct cr_table_maker *m)
{
	struct cr_table *h = m->h;

	h->values = m->values.p;
	h->codes = m->codes.items.p;
	h->groups = m->groups.items.p;
	finish_rows(m);
	h->code_frame = m->code_frame.p;
	cr_index_fini(&m->value_ix);
	cr_index_fini(&m->row_ix);
	cr_index_fini(&m->codes.ix);
	cr_index_fini(&m->groups.ix);
	free(m->frames);
	cr_vec_fini(&m->dso_maps);
	free(m->last);
}

void
cr_table_make(const struct cr_profile *p, const struct cr_tree *t, uint32_t root,
	const struct cr_table_spec *spec, struct cr_table *out)
{
	struct cr_table_maker m = {.p = p,
		.t = t,
		.frame_of = t->frames,
		.n_frames = t->n_frames,
		.sides = t->sides,
		.h = out,
		.by_group = spec->keys[0] == CR_TABLE_GROUP};

	*out = (struct cr_table){.spec = spec, .sides = t->sides};
	for (uint32_t s = 0; s < t->sides; s++) {
		out->whole[s] = root ? t->total[s][root] : cr_tree_whole(t, s);
		out->whole_samples[s] = t->total_samples[s][root];
	}
	out->tree_whole = out->whole[0];
	cr_table_maker_keys(&m);
	use_frames(&m, root);
	cr_table_maker_codes(&m);
	if (!spec->merged) {
		out->node_row = cr_alloc(t->n, sizeof(*out->node_row));
		for (uint32_t n = 0; n < t->n; n++)
			out->node_row[n] = CR_NO_ROW;
		m.last = cr_alloc(m.codes.n, sizeof(*m.last));
		add_weights(&m, root);
	} else {
		add_weights_merged(&m, root);
	}
	cr_table_maker_finish(&m);
}

void
cr_table_fini(struct cr_table *h)
{
	free(h->rows);
	free(h->costs);
	free(h->joined);
	free(h->node_row);
	free(h->frame_row);
	free(h->name_rank);
	free(h->code_frame);
	free(h->values);
	free(h->groups);
	free(h->codes);
	cr_arena_fini(&h->texts);
	*h = (struct cr_table){0};
}

const struct cr_table_value *
cr_table_value(const struct cr_table *h, uint32_t i, enum cr_table_column key)
{
	return value_of(h, &h->rows[i], key);
}

uint32_t
cr_table_frame(const struct cr_table *h, uint32_t row)
{
	return h->code_frame[h->rows[row].code];
}
