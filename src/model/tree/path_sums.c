#include "model/tree/path_sums.h"

#include "base/hash.h"
#include "base/vec.h"
#include "model/build/string_table.h"
#include "model/columns.h"
#include "tree_grow_p.h"

#include <stdlib.h>
#include <string.h>

struct pair {
	uint32_t group, node;
	uint32_t next1; /* next pair of the same node, + 1; 0 if none, as for nearly every node */
};

struct cr_path_sums {
	const struct cr_profile *p;
	struct cr_tree_builder *tb; /* NULL without a spelling, until the pairs are folded */
	uint32_t columns;
	const struct cr_spelling *spelling; /* or NULL */
	struct cr_str *comms;               /* without a spelling: by group; borrowed names */
	uint32_t n_comms;
	/* By task: number of its comm; all 0 if not grouped; NULL if the caller assigns groups. */
	uint32_t *task_group;
	uint32_t *group_node; /* by group: the builder's node that its stacks are below */
	uint32_t n_groups;
	CR_VEC(struct pair) pairs;
	uint32_t *node_pair1;       /* by node: its first pair, + 1 */
	struct cr_index index;      /* over pairs that are not the first of their node */
	uint64_t *weight, *samples; /* [pair * columns + column] */
	size_t room;                /* capacity of the two arrays, in pairs */
	uint32_t most_nodes;        /* of the builder */
};

struct cr_frame
cr_path_sums_frame_nameless(const struct cr_profile *p, uint32_t dso, struct cr_arena *arena)
{
	const struct cr_dso *o = &p->dsos[dso];
	struct cr_frame frame = {.kind = o->kind};
	struct cr_str base = cr_str_basename(o->name);
	char *name;

	if (dso != 0)
		frame.dso = o->name;
	if (dso == 0 || base.len == 0) { /* only its build-id is known */
		frame.name = CR_STR("[unknown]");
		return frame;
	}
	if (cr_str_ends(base, " (deleted)"))
		base.len -= 10;
	if (base.len && base.p[0] == '[') {
		frame.name = base; /* "[vdso]" is printed unchanged */
		return frame;
	}
	name = cr_arena_alloc(arena, base.len + 3u);
	name[0] = '[';
	memcpy(name + 1, base.p, base.len);
	name[base.len + 1] = ']';
	frame.name = (struct cr_str){name, base.len + 2};
	return frame;
}

struct cr_frame
cr_path_sums_frame(const struct cr_profile *p, uint32_t function, struct cr_arena *arena)
{
	const struct cr_function *f = &p->functions[function];
	struct cr_frame frame = {.kind = p->dsos[f->dso.i].kind};

	if (!f->name.len)
		frame = cr_path_sums_frame_nameless(p, f->dso.i, arena);
	else if (f->dso.i != 0)
		frame.dso = p->dsos[f->dso.i].name;
	if (f->name.len)
		frame.name = f->name;
	frame.linkage = f->linkage;
	frame.file = f->file;
	frame.line = f->line;
	frame.inlined = f->addr == CR_ADDR_INLINED;
	frame.as_is = (uint8_t)cr_function_as_is(p, f);
	frame.function1 = function + 1;
	return frame;
}

typedef CR_VEC(struct cr_frame) frame_vec;

static void
frames_of_functions(const struct cr_profile *p, frame_vec *frames, struct cr_arena *made)
{
	for (uint32_t i = 0; i < p->n_functions; i++)
		cr_vec_push(frames, cr_path_sums_frame(p, i, made));
}

static struct cr_path_sums *
path_sums_new(
	const struct cr_profile *p, struct cr_tree_builder *tb, uint32_t n_groups, uint32_t columns)
{
	struct cr_path_sums *f = cr_alloc(1, sizeof(*f));

	cr_needed(p, CR_NEEDS_TREE | CR_NEEDS_NODE | CR_NEEDS_WEIGHT | CR_NEEDS_EVENT);
	f->p = p;
	f->columns = columns;
	f->node_pair1 = cr_alloc(p->n_nodes, sizeof(*f->node_pair1));
	f->tb = tb;
	f->n_groups = n_groups;
	f->most_nodes = UINT32_MAX;
	f->group_node = cr_alloc(n_groups, sizeof(*f->group_node));
	return f;
}

/*
 * The builder of a tree without a spelling. Its stacks are grouped by comm, or below the root if
 * there are none. Not made earlier, since a million comms take much memory as frames.
 */
static void
builder_of_comms(struct cr_path_sums *f)
{
	frame_vec frames = {0};
	struct cr_arena made = {0};

	cr_vec_reserve(&frames, (uint64_t)f->p->n_functions + 1 + f->n_comms);
	cr_vec_push(&frames, ((struct cr_frame){.name = CR_STR("all"), .kind = CR_KIND_GROUP}));
	frames_of_functions(f->p, &frames, &made);
	for (uint32_t i = 0; i < f->n_comms; i++)
		cr_vec_push(&frames, ((struct cr_frame){.name = f->comms[i],
					     .kind = CR_KIND_GROUP,
					     .group = CR_GROUP_COMM}));
	f->tb = cr_tree_builder_new(1, frames.p, (uint32_t)frames.n);
	cr_tree_builder_keep(f->tb, &made);
	for (uint32_t i = 0; i < f->n_comms; i++)
		f->group_node[i] = cr_tree_builder_child(f->tb, 0, f->p->n_functions + 1 + i);
	cr_vec_fini(&frames);
}

struct cr_path_sums *
cr_path_sums_new(const struct cr_profile *p, bool by_comm, uint32_t columns)
{
	uint32_t *task_group = cr_alloc(p->n_tasks, sizeof(*task_group));
	struct cr_strings comms = {0};
	struct cr_path_sums *f;

	/* The tree borrows the comms from the profile, too. */
	for (uint32_t i = 0; by_comm && i < p->n_tasks; i++)
		task_group[i] = cr_strings_intern(&comms, NULL, p->tasks[i].comm);
	f = path_sums_new(p, NULL, CR_MAX((uint32_t)comms.rows.n, 1u), columns);
	f->n_comms = (uint32_t)comms.rows.n;
	f->comms = comms.rows.p;
	f->task_group = task_group;
	comms.rows.p = NULL;
	cr_strings_fini(&comms);
	return f;
}

/* Add the frames of a run below `out`. */
static uint32_t
spell(struct cr_path_sums *f, uint32_t out, uint32_t from, uint32_t to)
{
	const struct cr_spelling *s = f->spelling;

	for (uint32_t i = from; i < to; i++) {
		const uint32_t frame = s->run[i];

		if (s->once && out && cr_tree_builder_frame(f->tb, out) == frame)
			continue;
		if (s->apart)
			out = cr_tree_builder_append(f->tb, out, frame);
		else
			out = cr_tree_builder_child(f->tb, s->starts[frame] ? 0 : out, frame);
	}
	return out;
}

struct cr_path_sums *
cr_path_sums_new_spelt(const struct cr_profile *p, const struct cr_spelling *s, uint32_t columns)
{
	struct cr_path_sums *f = path_sums_new(
		p, cr_tree_builder_new(s->sides, s->frames, s->n_frames), s->n_groups, columns);

	f->spelling = s;
	if (s->apart)
		cr_tree_builder_expect(f->tb, p->n_nodes);
	for (uint32_t i = 0; i < s->n_groups; i++)
		for (uint32_t k = s->group[i]; k < s->group[i + 1]; k++)
			f->group_node[i] =
				cr_tree_builder_child(f->tb, f->group_node[i], s->run[k]);
	return f;
}

/* ---- summing by pair */

static uint32_t
pair_new(struct cr_path_sums *f, uint32_t group, uint32_t node)
{
	const size_t columns = f->columns, at = f->pairs.n * columns;

	cr_vec_push(&f->pairs, ((struct pair){group, node, 0}));
	if (f->pairs.n > f->room) {
		f->room += CR_MAX(f->room / 2, (size_t)64);
		f->weight = cr_realloc(f->weight, f->room * columns, sizeof(*f->weight));
		f->samples = cr_realloc(f->samples, f->room * columns, sizeof(*f->samples));
	}
	/* Only these: memory that was reserved and is not used yet stays untouched. */
	memset(f->weight + at, 0, columns * sizeof(*f->weight));
	memset(f->samples + at, 0, columns * sizeof(*f->samples));
	return (uint32_t)f->pairs.n - 1;
}

static uint32_t
pair_of(struct cr_path_sums *f, uint32_t group, uint32_t node)
{
	const uint32_t first1 = f->node_pair1[node];
	const uint64_t h = cr_hash_mix(group, node);
	uint32_t row;

	if (!first1) {
		row = pair_new(f, group, node);
		f->node_pair1[node] = row + 1;
		return row;
	}
	if (f->pairs.p[first1 - 1].group == group)
		return first1 - 1;
	cr_index_each(&f->index, h, row)
		if (f->pairs.p[row].node == node && f->pairs.p[row].group == group)
			return row;
	row = pair_new(f, group, node);
	f->pairs.p[row].next1 = f->pairs.p[first1 - 1].next1;
	f->pairs.p[first1 - 1].next1 = row + 1;
	cr_index_add(&f->index, h, row);
	return row;
}

void
cr_path_sums_add(struct cr_path_sums *f, uint64_t row, uint32_t column)
{
	cr_path_sums_add_to(f, f->task_group[cr_column_tasks(f->p)[row]], row, column);
}

void
cr_path_sums_add_to(struct cr_path_sums *f, uint32_t group, uint64_t row, uint32_t column)
{
	/* The constructor has checked that they were read. */
	const struct cr_samples *s = &f->p->samples;
	const size_t at = (size_t)pair_of(f, group, s->node[row]) * f->columns + column;

	f->weight[at] = cr_add_sat(f->weight[at], s->weight[row]);
	/* A row of folded stacks stands for as many samples as it counts. */
	f->samples[at] = cr_add_sat(f->samples[at],
		cr_event_counts_samples(&f->p->events[s->event[row]]) ? s->weight[row] : 1);
}

/* Rows before a row is added when its pair is looked up, and when its sums are. */
#define PAIR_AHEAD 32u
#define SUMS_AHEAD 12u

void
cr_path_sums_prefetch(const struct cr_path_sums *f, uint64_t row)
{
	const struct cr_samples *s = &f->p->samples;
	uint32_t pair1;

	if (s->n - row <= PAIR_AHEAD)
		return;
	__builtin_prefetch(&f->node_pair1[s->node[row + PAIR_AHEAD]]);
	pair1 = f->node_pair1[s->node[row + SUMS_AHEAD]];
	if (!pair1)
		return;
	__builtin_prefetch(&f->pairs.p[pair1 - 1]);
	__builtin_prefetch(&f->weight[(pair1 - 1) * (size_t)f->columns]);
	__builtin_prefetch(&f->samples[(pair1 - 1) * (size_t)f->columns]);
}

void
cr_path_sums_limit(struct cr_path_sums *f, uint32_t most_nodes)
{
	f->most_nodes = most_nodes;
}

size_t
cr_path_sums_pairs(const struct cr_path_sums *f)
{
	return f->pairs.n;
}

/* ---- folding the pairs */

/* Sort the pairs by group, then by node: one bucket for each group, filled in node order. */
static uint32_t *
pairs_in_order(const struct cr_path_sums *f)
{
	uint32_t *order = cr_alloc(f->pairs.n, sizeof(*order));
	uint32_t *fill = cr_alloc((uint64_t)f->n_groups + 1, sizeof(*fill));

	for (size_t i = 0; i < f->pairs.n; i++)
		fill[f->pairs.p[i].group + 1]++;
	for (uint32_t g = 0; g < f->n_groups; g++)
		fill[g + 1] += fill[g];
	for (uint32_t n = 0; n < f->p->n_nodes; n++)
		for (uint32_t i = f->node_pair1[n]; i; i = f->pairs.p[i - 1].next1)
			order[fill[f->pairs.p[i - 1].group]++] = i - 1;
	free(fill);
	return order;
}

/* Where the nodes of the current group were placed. */
struct placed {
	uint32_t group1; /* the group, + 1, that `out` belongs to */
	uint32_t out;
};

/*
 * Go up to the first ancestor that was placed, then down again. path: buffer for the nodes between.
 */
static uint32_t
place(struct cr_path_sums *f, struct placed *placed, uint32_t *path, uint32_t group, uint32_t node)
{
	const struct cr_spelling *s = f->spelling;
	const uint32_t *inner = s->inner[s->group_way[group]];
	uint32_t out = f->group_node[group], n = 0;

	for (; node; node = f->p->node_parent[node]) {
		if (placed[node].group1 == group + 1) {
			out = placed[node].out;
			break;
		}
		path[n++] = node;
	}
	while (n) {
		node = path[--n];
		out = spell(f, out, inner[f->p->node_location[node]],
			inner[f->p->node_location[node] + 1]);
		placed[node] = (struct placed){group + 1, out};
	}
	return out;
}

/* The same for the end of a stack, which may have other frames. */
static uint32_t
place_leaf(struct cr_path_sums *f, struct placed *placed, uint32_t *path, uint32_t group,
	uint32_t node)
{
	const struct cr_spelling *s = f->spelling;
	const uint32_t way = s->group_way[group], row = f->p->node_location[node];

	if (!node || s->leaf[way] == s->inner[way])
		return place(f, placed, path, group, node);
	return spell(f, place(f, placed, path, group, f->p->node_parent[node]), s->leaf[way][row],
		s->leaf[way][row + 1]);
}

/* Place each pair where the location tree has its node, once for each group. */
static void
fold_spelt(struct cr_path_sums *f, const uint32_t *order, uint32_t *node)
{
	struct placed *placed = cr_alloc(f->p->n_nodes, sizeof(*placed));
	uint32_t *path = cr_alloc(
		(uint64_t)cr_tree_depth(f->p->node_parent, f->p->n_nodes) + 1, sizeof(*path));

	for (size_t i = 0; i < f->pairs.n; i++)
		node[order[i]] = place_leaf(
			f, placed, path, f->pairs.p[order[i]].group, f->pairs.p[order[i]].node);
	free(path);
	free(placed);
}

/* The tree of the functions of all stacks, without groups: each node of it is a child once. */
static void
grow_functions(const struct cr_profile *p, struct cr_grown *out)
{
	uint32_t *first = cr_alloc((uint64_t)p->n_locations + 1, sizeof(*first)), n = 0;
	struct cr_growth growth = {.n = p->n_nodes,
		.parent = p->node_parent,
		.end = p->node_end,
		.row = p->node_location,
		.first = first,
		.whole = true};
	uint32_t *run;

	for (uint32_t i = 0; i < p->n_locations; i++)
		first[i + 1] = first[i] + p->locations[i].lines;
	growth.run = run = cr_alloc(first[p->n_locations], sizeof(*run));
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		for (uint32_t k = l->first_line + l->lines; k-- > l->first_line;)
			run[n++] = p->lines[k].function.i + 1;
	}
	cr_tree_grow(&growth, out);
	free(first);
	free(run);
}

/* Up to so many groups the nodes are not counted before they are made. */
#define FEW_GROUPS 65536u

/* True if the nodes of all groups fit in the limit. placed: buffer, as for fold_functions(). */
static bool
functions_fit(const struct cr_path_sums *f, const uint32_t *order, const struct cr_grown *g,
	struct placed *placed)
{
	uint64_t n = 1 + (uint64_t)f->n_comms;

	for (size_t i = 0; i < f->pairs.n && n <= f->most_nodes; i++) {
		const struct pair *pair = &f->pairs.p[order[i]];
		uint32_t row = g->node[pair->node];

		for (; row && placed[row].group1 != pair->group + 1; row = g->parent[row], n++)
			placed[row].group1 = pair->group + 1;
	}
	memset(placed, 0, g->n * sizeof(*placed));
	return n <= f->most_nodes;
}

/* Place each pair where the tree of functions has its node, once for each group. */
static void
place_pairs(struct cr_path_sums *f, const uint32_t *order, const struct cr_grown *g,
	struct placed *placed, uint32_t *node)
{
	uint32_t *path = cr_alloc((uint64_t)cr_tree_depth(g->parent, g->n) + 1, sizeof(*path));

	for (size_t i = 0; i < f->pairs.n && cr_tree_builder_nodes(f->tb) <= f->most_nodes; i++) {
		const struct pair *pair = &f->pairs.p[order[i]];
		uint32_t row = g->node[pair->node], out = f->group_node[pair->group], n = 0;

		for (; row && placed[row].group1 != pair->group + 1; row = g->parent[row])
			path[n++] = row;
		if (row)
			out = placed[row].out;
		while (n) {
			row = path[--n];
			out = cr_tree_builder_append(f->tb, out, g->frame[row]);
			placed[row] = (struct placed){pair->group + 1, out};
		}
		node[order[i]] = out;
	}
	free(path);
}

/*
 * The same without a spelling, and without a lookup for each node: a node of the grown tree becomes
 * one node in each group that has it. Returns false if there are more than the limit.
 */
static bool
fold_functions(struct cr_path_sums *f, const uint32_t *order, uint32_t *node)
{
	struct placed *placed;
	struct cr_grown g;
	bool fits;

	grow_functions(f->p, &g);
	placed = cr_alloc(g.n, sizeof(*placed));
	fits = f->n_comms <= FEW_GROUPS || functions_fit(f, order, &g, placed);
	if (fits) {
		builder_of_comms(f);
		place_pairs(f, order, &g, placed, node);
		fits = cr_tree_builder_nodes(f->tb) <= f->most_nodes;
	}
	free(placed);
	free(g.parent);
	free(g.frame);
	free(g.node);
	return fits;
}

void
cr_path_sums_free(struct cr_path_sums *f)
{
	if (!f)
		return;
	cr_tree_builder_free(f->tb);
	free(f->node_pair1);
	free(f->weight);
	free(f->samples);
	free(f->comms);
	free(f->task_group);
	free(f->group_node);
	cr_vec_fini(&f->pairs);
	cr_index_fini(&f->index);
	free(f);
}

struct cr_tree_builder *
cr_path_sums_end_bare(struct cr_path_sums *f, struct cr_path_sums_result *sums)
{
	uint32_t *order = pairs_in_order(f);
	struct cr_tree_builder *tb;

	free(f->node_pair1); /* before the fold, which needs memory */
	*sums = (struct cr_path_sums_result){
		.n = (uint32_t)f->pairs.n,
		.weight = f->weight,
		.samples = f->samples,
		.node = cr_alloc(f->pairs.n, sizeof(*sums->node)),
	};
	if (f->spelling)
		fold_spelt(f, order, sums->node);
	else
		sums->too_many = !fold_functions(f, order, sums->node);
	f->node_pair1 = NULL;
	f->weight = f->samples = NULL; /* they are in the result */
	tb = f->tb;
	f->tb = NULL;
	free(order);
	cr_path_sums_free(f);
	return tb;
}

struct cr_tree_builder *
cr_path_sums_end(struct cr_path_sums *f, uint32_t column, struct cr_path_sums_result *sums)
{
	const uint32_t columns = f->columns;
	struct cr_path_sums_result out;
	struct cr_tree_builder *tb = cr_path_sums_end_bare(f, &out);

	for (uint32_t i = 0; i < out.n && !out.too_many; i++) {
		uint64_t samples = 0;

		for (uint32_t c = 0; c < columns; c++)
			samples = cr_add_sat(samples, out.samples[(size_t)i * columns + c]);
		cr_tree_builder_add(
			tb, out.node[i], 0, out.weight[(size_t)i * columns + column], samples);
	}
	if (sums)
		*sums = out;
	else
		cr_path_sums_result_fini(&out);
	return tb;
}

void
cr_path_sums_result_fini(struct cr_path_sums_result *s)
{
	free(s->node);
	free(s->weight);
	free(s->samples);
	*s = (struct cr_path_sums_result){0};
}
