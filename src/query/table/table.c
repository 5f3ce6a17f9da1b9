#include "query/table/table.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "table_p.h"

#include <inttypes.h>
#include <stdlib.h>

/* For code without a mapping: kernel addresses have the highest bit set. */
#define KERNEL_HALF (UINT64_C(1) << 63)

bool
cr_table_in_kernel(uint8_t kind, uint64_t addr)
{
	switch (kind) {
	case CR_KIND_KERNEL:
	case CR_KIND_MODULE:
	case CR_KIND_BPF: return true;
	case CR_KIND_UNKNOWN: return addr >= KERNEL_HALF;
	default: return false;
	}
}

/* ---- distinct values, and distinct combinations of values */

/* Distinct combinations of `width` values each. */
struct tuples {
	uint32_t width;
	CR_VEC(uint32_t) items;
	struct cr_index ix;
	uint32_t n;
};

static uint32_t
tuple_intern(struct tuples *t, const uint32_t *items)
{
	const size_t bytes = t->width * sizeof(*items);
	const uint64_t h = cr_hash(items, bytes);
	uint32_t row;

	cr_index_each(&t->ix, h, row)
		if (!bytes || memcmp(&t->items.p[(size_t)row * t->width], items, bytes) == 0)
			return row;
	for (uint32_t i = 0; i < t->width; i++)
		cr_vec_push(&t->items, items[i]);
	cr_index_add(&t->ix, h, t->n);
	return t->n++;
}

/* What is asked of a frame at each of its nodes. */
struct frame_kind {
	uint32_t code;     /* its row of codes; CR_NO_ROW for what is no code */
	uint8_t group_key; /* of group keys, + 1: the one that it is a value of; 0 for none */
	uint8_t outermost; /* the same where it stands right under the root */
	bool kernel, is_group;
};

/* The row that a code had last, in this group + 1. */
struct last_row {
	uint32_t row, group1;
};

struct maker {
	const struct cr_profile *p;
	const struct cr_tree *t;
	struct cr_table *h;
	CR_VEC(struct cr_table_value) values;
	struct cr_index value_ix;
	uint8_t group_keys[CR_TABLE_MOST], code_keys[CR_TABLE_MOST];
	struct tuples groups, codes;
	struct frame_kind *frames;        /* by frame */
	CR_VEC(uint32_t) code_frame;      /* by row in `codes`: a frame with these values */
	uint32_t no_code;                 /* the row in `codes` for samples without a stack */
	bool by_group;                    /* the key is CR_TABLE_GROUP */
	CR_VEC(struct cr_table_row) rows; /* their costs are in: */
	CR_VEC(struct cr_table_cost) costs;
	struct cr_index row_ix;
	struct last_row *last; /* by code */
};

static uint32_t
value_intern(struct maker *m, const struct cr_table_value *v)
{
	const uint64_t h = cr_hash_mix(
		cr_hash_mix(cr_hash(v->text.p, v->text.len), cr_hash(v->dso.p, v->dso.len)),
		v->number * 128 + v->key * 4u + v->inlined * 2u + v->nameless);
	uint32_t row;

	cr_index_each(&m->value_ix, h, row) {
		const struct cr_table_value *w = &m->values.p[row];

		if (w->key == v->key && w->number == v->number && w->inlined == v->inlined &&
			w->nameless == v->nameless &&
			(w->kind == v->kind || v->key < CR_TABLE_FUNCTION) &&
			cr_str_eq(w->text, v->text) && cr_str_eq(w->dso, v->dso))
			return row;
	}
	row = (uint32_t)m->values.n;
	cr_vec_push(&m->values, *v);
	cr_index_add(&m->value_ix, h, row);
	return row;
}

/* ---- values of groups */

static enum cr_table_column
column_of_group(enum cr_group g)
{
	switch (g) {
	case CR_GROUP_COMM: return CR_TABLE_COMM;
	case CR_GROUP_PID: return CR_TABLE_PROCESS;
	case CR_GROUP_TID: return CR_TABLE_THREAD;
	case CR_GROUP_CPU: return CR_TABLE_CPU;
	case CR_GROUP_EVENT: return CR_TABLE_EVENT;
	case CR_GROUP_FIELD: return CR_TABLE_FIELD;
	case CR_GROUP_DSO:
	case CR_GROUP_USUAL:
	case CR_GROUP_NONE: break;
	}
	return CR_TABLE_COLUMNS;
}

/* The text after the number: "nginx" of "1234 nginx", the name of a thread or process. */
static struct cr_str
name_of_id(struct cr_str lane)
{
	const char *blank = lane.len ? memchr(lane.p, ' ', lane.len) : NULL;

	if (!blank)
		return CR_STR("");
	return (struct cr_str){blank + 1, (uint32_t)(lane.p + lane.len - blank - 1)};
}

static struct cr_table_value
group_value(const struct cr_frame *f, enum cr_table_column key)
{
	struct cr_table_value v = {.text = f->name, .key = (uint8_t)key, .kind = CR_KIND_GROUP};

	switch (key) {
	case CR_TABLE_THREAD:
	case CR_TABLE_PROCESS:
		v.number = f->number;
		v.text = name_of_id(f->name);
		v.nameless = (uint32_t)f->number == CR_ID_NONE;
		break;
	case CR_TABLE_CPU:
		v.number = f->number;
		v.text = CR_STR("");
		v.nameless = f->number >= CR_CPU_UNKNOWN;
		break;
	default: break;
	}
	return v;
}

/* ---- values of frames */

static struct cr_str
keep_text(struct maker *m, struct cr_text *t)
{
	struct cr_str s = {cr_arena_copy(&m->h->texts, t->p, t->len), (uint32_t)t->len};

	cr_text_fini(t);
	return s;
}

static uint64_t
start_of(const struct cr_profile *p, const struct cr_frame *f)
{
	const uint64_t start = f->function1 && f->function1 <= p->n_functions
				       ? p->functions[f->function1 - 1].addr
				       : 0;

	return start == CR_ADDR_INLINED ? 0 : start;
}

static struct cr_str
dso_of(struct maker *m, const struct cr_frame *f)
{
	struct cr_text made = {0};
	struct cr_str name;

	if (!f->dso.len)
		return CR_STR("[unknown]");
	name = cr_dso_name(f->dso, f->kind, &made);
	return made.len ? keep_text(m, &made) : name;
}

static struct cr_str
srcline_of(struct maker *m, const struct cr_frame *f)
{
	const struct cr_str file = cr_str_basename(f->file), dso = dso_of(m, f);
	struct cr_text t = {0};

	if (f->line && f->file.len) {
		cr_text_str(&t, file);
		cr_text_printf(&t, ":%" PRIu32, f->line);
	} else if (!f->dso.len && cr_frame_is_nameless(f)) {
		return CR_STR("??:0"); /* in no mapping */
	} else if (cr_frame_is_nameless(f)) {
		cr_text_str(&t, dso);
		cr_text_printf(&t, "[%" PRIx64 "]", f->number);
	} else if (start_of(m->p, f)) {
		cr_text_str(&t, f->name);
		cr_text_printf(&t, "+0x%" PRIx64, f->number - start_of(m->p, f));
	} else {
		return f->name;
	}
	return keep_text(m, &t);
}

static struct cr_table_value
frame_value(struct maker *m, const struct cr_frame *f, enum cr_table_column key)
{
	struct cr_table_value v = {.key = (uint8_t)key, .kind = f->kind};

	switch (key) {
	case CR_TABLE_DSO: v.text = dso_of(m, f); break;
	case CR_TABLE_SYM:
		v.dso = dso_of(m, f);
		v.nameless = cr_frame_is_nameless(f);
		v.inlined = f->inlined;
		v.number = v.nameless ? f->number : start_of(m->p, f);
		v.text = v.nameless ? CR_STR("") : f->name;
		break;
	case CR_TABLE_SRCLINE: v.text = srcline_of(m, f); break;
	case CR_TABLE_SRCFILE:
		v.text = f->line && f->file.len ? cr_str_basename(f->file) : CR_STR("[unknown]");
		break;
	case CR_TABLE_ADDR: v.number = f->number; break;
	case CR_TABLE_DSO_PATH: v.text = f->dso.len ? f->dso : CR_STR("[unknown]"); break;
	case CR_TABLE_FUNCTION:
	case CR_TABLE_GROUP:
		v.text = f->name;
		v.dso = f->dso;
		break;
	default: break;
	}
	return v;
}

static uint32_t
frame_code(struct maker *m, const struct cr_frame *f)
{
	uint32_t items[CR_TABLE_MOST];

	for (uint32_t i = 0; i < m->h->n_code_keys; i++) {
		const struct cr_table_value v = frame_value(m, f, m->code_keys[i]);

		items[i] = value_intern(m, &v);
	}
	return m->h->spec->merged ? items[0] : tuple_intern(&m->codes, items);
}

/* Frame 0 belongs to the root, which has no row for a merged key. */
static bool
has_code(const struct maker *m, uint32_t frame)
{
	const struct cr_frame *f = &m->t->frames[frame];

	if (!m->h->spec->merged)
		return f->kind != CR_KIND_GROUP;
	return frame && (m->by_group ? cr_frame_is_group(f) : f->kind != CR_KIND_GROUP);
}

/* Of the group keys, + 1; 0 for none. */
static uint8_t
group_key(const struct maker *m, enum cr_table_column column)
{
	for (uint32_t i = 0; i < m->groups.width; i++)
		if (m->group_keys[i] == column)
			return (uint8_t)(i + 1);
	return 0;
}

/*
 * Texts that have comms as their outermost frames count as if the query had put these there.
 */
static void
make_frame(const struct maker *m, uint32_t frame, struct frame_kind *out)
{
	const struct cr_frame *f = &m->t->frames[frame];

	out->group_key = group_key(m, column_of_group(f->group));
	out->outermost = out->group_key;
	if (cr_frame_is_group(f) && f->group == CR_GROUP_NONE)
		out->outermost = group_key(m, CR_TABLE_COMM);
	out->kernel = cr_table_in_kernel(f->kind, f->number);
	out->is_group = f->kind == CR_KIND_GROUP;
}

/* Of the frames of a tree there may be many more than the nodes have, where it is of one event. */
static void
make_frames(struct maker *m, uint32_t root)
{
	static const struct cr_frame none = {.name = {"(no stack)", 10}};

	m->frames = cr_alloc(m->t->n_frames, sizeof(*m->frames));
	for (uint32_t n = root; n < m->t->end[root]; n++)
		m->frames[m->t->frame[n]].code = CR_NO_ROW;
	if (m->groups.width) /* those above, see group_above() */
		for (uint32_t n = root; n; n = m->t->parent[n])
			m->frames[m->t->frame[n]].code = CR_NO_ROW;
	for (uint32_t i = 0; i < m->t->n_frames; i++) {
		if (m->frames[i].code != CR_NO_ROW) {
			m->frames[i].code = CR_NO_ROW;
			continue;
		}
		make_frame(m, i, &m->frames[i]);
		m->frames[i].code = has_code(m, i) ? frame_code(m, &m->t->frames[i]) : CR_NO_ROW;
		if (m->frames[i].code == m->code_frame.n)
			cr_vec_push(&m->code_frame, i);
	}
	if (m->h->spec->merged)
		return;
	m->no_code = frame_code(m, &none);
	if (m->no_code == m->code_frame.n)
		cr_vec_push(&m->code_frame, 0);
}

/* ---- rows */

static uint32_t
row_make(struct maker *m, uint32_t group, uint32_t code)
{
	const uint64_t h = cr_hash_mix(group, code);
	uint32_t row;

	cr_index_each(&m->row_ix, h, row)
		if (m->rows.p[row].group == group && m->rows.p[row].code == code)
			return row;
	row = (uint32_t)m->rows.n;
	cr_vec_push(&m->rows,
		((struct cr_table_row){.group = group, .code = code, .depth = UINT32_MAX}));
	for (uint32_t s = 0; s < m->t->sides; s++)
		cr_vec_push(&m->costs, ((struct cr_table_cost){0}));
	cr_index_add(&m->row_ix, h, row);
	return row;
}

/*
 * The row for a group and a code. Stacks of a group follow one another, so the last row of each
 * code is remembered. Only the first lookup in a group searches the index.
 */
static uint32_t
row_of(struct maker *m, uint32_t group, uint32_t code)
{
	struct last_row *last = &m->last[code];

	if (last->group1 != group + 1)
		*last = (struct last_row){row_make(m, group, code), group + 1};
	return last->row;
}

/* The group of stacks that have one more frame, a value of the key `at`. */
static uint32_t
group_make(struct maker *m, uint32_t of_parent, uint32_t at, const struct cr_frame *f)
{
	const struct cr_table_value v = group_value(f, (enum cr_table_column)m->group_keys[at]);
	uint32_t items[CR_TABLE_MOST];

	memcpy(items, &m->groups.items.p[(size_t)of_parent * m->groups.width],
		m->groups.width * sizeof(*items));
	items[at] = value_intern(m, &v);
	return tuple_intern(&m->groups, items);
}

/* The group of a node's stacks: its parent's, with the value that its own frame adds. */
static inline uint32_t
group_at(struct maker *m, uint32_t node, uint32_t of_parent)
{
	const uint32_t frame = m->t->frame[node];
	const struct frame_kind *f = &m->frames[frame];
	const uint8_t key = m->t->depth[node] == 1 ? f->outermost : f->group_key;

	return key ? group_make(m, of_parent, key - 1u, &m->t->frames[frame]) : of_parent;
}

/* The group of samples that have no value for any key of samples; they print as "[unknown]". */
static uint32_t
no_groups(struct maker *m)
{
	uint32_t items[CR_TABLE_MOST];

	for (uint32_t i = 0; i < m->groups.width; i++) {
		const struct cr_table_value v = {.key = m->group_keys[i],
			.text = CR_STR("[unknown]"),
			.number = UINT64_MAX,
			.kind = CR_KIND_GROUP,
			.nameless = true};

		items[i] = value_intern(m, &v);
	}
	return tuple_intern(&m->groups, items);
}

static struct cr_table_cost *
costs_of(const struct maker *m, uint32_t row)
{
	return &m->costs.p[(size_t)row * m->t->sides];
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
add_self(const struct maker *m, struct cr_table_cost *c, uint32_t node)
{
	const struct cr_tree *t = m->t;
	const struct frame_kind *f = &m->frames[t->frame[node]];

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
add_stackless(struct maker *m, uint32_t node, uint32_t group)
{
	const struct cr_tree *t = m->t;
	struct cr_table_row *r;
	struct cr_table_cost *c;
	uint32_t row;

	if (!has_self(t, node))
		return;
	row = row_of(m, group, m->no_code);
	r = &m->rows.p[row];
	c = costs_of(m, row);
	add_self(m, c, node);
	for (uint32_t s = 0; s < t->sides; s++) {
		c[s].total = cr_add_sat(c[s].total, t->self[s][node]);
		c[s].total_samples = cr_add_sat(c[s].total_samples, t->self_samples[s][node]);
	}
	r->depth = CR_MIN(r->depth, t->depth[node]);
}

/* The group of a node, from the frames above it. */
static uint32_t
group_above(struct maker *m, uint32_t node)
{
	const struct cr_tree *t = m->t;
	const uint32_t depth = t->depth[node];
	uint32_t group = no_groups(m);
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
 * of the row. `was` counts the nodes of the row on the current path. The path is kept by depth.
 */
static void
add_weights(struct maker *m, uint32_t root)
{
	const struct cr_tree *t = m->t;
	/* By depth, along the path. */
	uint32_t *group = cr_alloc((uint64_t)t->max_depth + 2, sizeof(*group));
	uint32_t *row_at = cr_alloc((uint64_t)t->max_depth + 2, sizeof(*row_at));
	uint32_t depth = t->depth[root]; /* length of the path: its nodes count in `was` */

	for (uint32_t n = root; n < t->end[root]; n++) {
		const uint32_t d = t->depth[n], code = m->frames[t->frame[n]].code;
		const uint32_t above = n == root ? group_above(m, n) : group[d - 1];
		struct cr_table_cost *c;
		struct cr_table_row *r;

		while (depth > d)
			if (row_at[--depth] != CR_NO_ROW)
				m->rows.p[row_at[depth]].was--;
		group[d] = d ? group_at(m, n, above) : above;
		row_at[depth++] = m->h->node_row[n] = CR_NO_ROW;
		if (code == CR_NO_ROW) {
			add_stackless(m, n, group[d]);
			continue;
		}
		row_at[d] = m->h->node_row[n] = row_of(m, group[d], code);
		r = &m->rows.p[row_at[d]];
		c = costs_of(m, row_at[d]);
		if (r->was++ == 0)
			add_total(c, t, n);
		add_self(m, c, n);
		r->depth = CR_MIN(r->depth, d);
	}
	free(group);
	free(row_at);
}

/*
 * Add self to a row of a merged key. A group has frames below it, whose cost is its self too, so
 * that the rows add up to the whole.
 */
static void
add_self_merged(const struct maker *m, struct cr_table_cost *c, uint32_t node)
{
	const struct cr_tree *t = m->t;

	for (uint32_t s = 0; s < t->sides; s++, c++) {
		c->self = cr_add_sat(c->self, m->by_group ? t->total[s][node] : t->self[s][node]);
		c->self_samples = cr_add_sat(c->self_samples,
			m->by_group ? t->total_samples[s][node] : t->self_samples[s][node]);
	}
}

/* A row for each row in `codes`; a function is inlined if all its frames are. */
static void
make_rows_merged(struct maker *m)
{
	const bool by_function = m->h->spec->keys[0] == CR_TABLE_FUNCTION;
	const uint64_t n = CR_MAX(m->values.n, 1u);

	m->rows.n = m->values.n;
	m->rows.p = cr_alloc(n, sizeof(*m->rows.p));
	m->costs.p = cr_alloc(n * m->t->sides, sizeof(*m->costs.p));
	for (uint32_t code = 0; code < m->rows.n; code++) {
		m->rows.p[code].code = code;
		m->rows.p[code].inlined = by_function;
	}
	for (uint32_t f = 0; f < m->t->n_frames && by_function; f++)
		if (m->frames[f].code != CR_NO_ROW)
			m->rows.p[m->frames[f].code].inlined &= m->t->frames[f].inlined;
}

/*
 * The same for a merged key, which has a row for each row in `codes`, and none for samples without
 * a stack. A mark between two parts of a stack is not a group. on_path counts the nodes of each row
 * on the path; it is an array of its own to stay in near caches, as most nodes ask for nothing else
 * of their row.
 */
static void
add_weights_merged(struct maker *m, uint32_t root)
{
	const struct cr_tree *t = m->t;
	uint32_t *row_at = cr_alloc((uint64_t)t->max_depth + 2, sizeof(*row_at));
	uint32_t *on_path, *code = cr_alloc(t->n_frames, sizeof(*code));
	uint32_t depth = t->depth[root];

	make_rows_merged(m);
	on_path = cr_alloc(CR_MAX(m->rows.n, 1u), sizeof(*on_path));
	for (uint32_t f = 0; f < t->n_frames; f++)
		code[f] = m->frames[f].code;
	for (uint32_t n = root; n < t->end[root]; n++) {
		const uint32_t d = t->depth[n];
		const uint32_t row = m->by_group && d > 1 ? CR_NO_ROW : code[t->frame[n]];

		while (depth > d)
			if (row_at[--depth] != CR_NO_ROW)
				on_path[row_at[depth]]--;
		row_at[depth++] = row;
		if (row == CR_NO_ROW)
			continue;
		if (on_path[row]++ == 0)
			add_total(costs_of(m, row), t, n);
		if (m->by_group || has_self(t, n))
			add_self_merged(m, costs_of(m, row), n);
	}
	free(code);
	free(on_path);
	free(row_at);
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

/* Without totals, rows in which nothing was sampled are dropped. */
static bool
is_kept(const struct cr_table *h, const struct cr_table_cost *c)
{
	for (uint32_t s = 0; s < h->sides; s++, c++)
		if (c->self_samples || c->self || (h->spec->children && c->total_samples) ||
			(h->spec->merged && c->total))
			return true;
	return false;
}

/* For a merged key: set the row of each frame; CR_NO_ROW if its row was dropped. */
static void
point_frames(struct maker *m, const uint32_t *place)
{
	m->h->frame_row = cr_alloc(m->t->n_frames, sizeof(*m->h->frame_row));
	for (uint32_t f = 0; f < m->t->n_frames; f++)
		m->h->frame_row[f] =
			m->frames[f].code == CR_NO_ROW ? CR_NO_ROW : place[m->frames[f].code];
}

/* Reorder the values like the rows, because they are read row by row. */
static void
sort_values(struct maker *m)
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

/* Drop the rows without cost, sort the others, and renumber the rows of nodes or frames. */
static void
finish_rows(struct maker *m)
{
	struct cr_table *h = m->h;
	uint32_t *place = cr_alloc(m->rows.n + 1, sizeof(*place));
	uint32_t *kept = cr_alloc(m->rows.n + 1, sizeof(*kept));

	for (uint32_t i = 0; i < m->rows.n; i++) {
		place[i] = CR_NO_ROW;
		m->rows.p[i].cost = costs_of(m, i);
		if (is_kept(h, m->rows.p[i].cost))
			kept[h->n++] = i;
	}
	cr_table_sort_rows(h, m->rows.p, kept, (uint32_t)m->values.n);
	h->costs = m->costs.p;
	free(m->rows.p);
	free(kept);
	for (uint32_t i = 0; i < h->n; i++)
		place[h->rows[i].was] = i;
	if (h->spec->merged) {
		point_frames(m, place);
		sort_values(m);
	}
	for (uint32_t n = 0; n < m->t->n && h->node_row; n++)
		if (h->node_row[n] != CR_NO_ROW)
			h->node_row[n] = place[h->node_row[n]];
	free(place);
}

static void
split_keys(struct maker *m)
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
cr_table_make(const struct cr_profile *p, const struct cr_tree *t, uint32_t root,
	const struct cr_table_spec *spec, struct cr_table *out)
{
	struct maker m = {.p = p, .t = t, .h = out, .by_group = spec->keys[0] == CR_TABLE_GROUP};

	*out = (struct cr_table){.spec = spec, .sides = t->sides};
	for (uint32_t s = 0; s < t->sides; s++) {
		out->whole[s] = root ? t->total[s][root] : cr_tree_whole(t, s);
		out->whole_samples[s] = t->total_samples[s][root];
	}
	out->tree_whole = out->whole[0];
	split_keys(&m);
	make_frames(&m, root);
	if (!spec->merged) {
		out->node_row = cr_alloc(t->n, sizeof(*out->node_row));
		for (uint32_t n = 0; n < t->n; n++)
			out->node_row[n] = CR_NO_ROW;
		m.last = cr_alloc(m.codes.n, sizeof(*m.last));
		add_weights(&m, root);
	} else {
		add_weights_merged(&m, root);
	}
	out->values = m.values.p;
	out->codes = m.codes.items.p;
	out->groups = m.groups.items.p;
	finish_rows(&m);
	out->code_frame = m.code_frame.p;
	cr_index_fini(&m.value_ix);
	cr_index_fini(&m.row_ix);
	cr_index_fini(&m.codes.ix);
	cr_index_fini(&m.groups.ix);
	free(m.frames);
	free(m.last);
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
