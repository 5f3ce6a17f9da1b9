#include "model/tree/path_sums.h"

#include "base/hash.h"
#include "base/vec.h"
#include "model/build/string_table.h"
#include "model/columns.h"
#include "tree_p.h"

#include <stdlib.h>
#include <string.h>

struct pair {
	uint32_t group, node;
	uint32_t next1; /* next pair of the same node, + 1; 0 if none, as for nearly every node */
};

struct cr_path_sums {
	const struct cr_profile *p;
	struct cr_tree_builder *tb; /* of a spelling */
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
	f->group_node = cr_alloc(n_groups, sizeof(*f->group_node));
	return f;
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
		if (s->apart || s->unmerged)
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

bool
cr_path_sums_any_empty(const struct cr_path_sums *f)
{
	for (size_t i = 0; i < f->pairs.n; i++) {
		uint64_t any = 0;

		for (uint32_t c = 0; c < f->columns; c++)
			any |= f->weight[i * f->columns + c];
		if (!any)
			return true;
	}
	return false;
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

static bool
has_samples(const struct cr_path_sums *f, uint32_t pair)
{
	for (size_t c = 0; c < f->columns; c++)
		if (f->samples[pair * (size_t)f->columns + c])
			return true;
	return false;
}

/* Where the pairs of each group begin, and the end of all. */
static uint32_t *
begins_of_groups(const struct cr_path_sums *f)
{
	uint32_t *begin = cr_alloc((uint64_t)f->n_groups + 1, sizeof(*begin));

	for (uint32_t i = 0; i < f->pairs.n; i++)
		begin[f->pairs.p[i].group + 1] += has_samples(f, i);
	for (uint32_t g = 0; g < f->n_groups; g++)
		begin[g + 1] += begin[g];
	return begin;
}

void
cr_path_sums_sort(struct cr_path_sums *f, struct cr_path_sums_sorted *out)
{
	uint32_t *at = begins_of_groups(f);
	const uint32_t n = at[f->n_groups];

	*out = (struct cr_path_sums_sorted){.n = n,
		.columns = f->columns,
		.n_groups = f->n_groups,
		.node = cr_realloc(NULL, n, sizeof(*out->node)),
		.row = cr_realloc(NULL, n, sizeof(*out->row)),
		.weight = f->weight,
		.samples = f->samples,
		.comms = f->comms,
		.n_comms = f->n_comms};
	for (uint32_t node = 0; node < f->p->n_nodes; node++)
		for (uint32_t i1 = f->node_pair1[node]; i1; i1 = f->pairs.p[i1 - 1].next1) {
			uint32_t *to = &at[f->pairs.p[i1 - 1].group];

			if (!has_samples(f, i1 - 1))
				continue;
			out->node[*to] = node;
			out->row[(*to)++] = i1 - 1;
		}
	out->ends = at; /* where a group began, it ends now */
	f->weight = f->samples = NULL;
	f->comms = NULL;
	cr_path_sums_free(f);
}

void
cr_path_sums_sorted_fini(struct cr_path_sums_sorted *s)
{
	free(s->ends);
	free(s->node);
	free(s->row);
	free(s->weight);
	free(s->samples);
	free(s->comms);
	*s = (struct cr_path_sums_sorted){0};
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

/* The nodes of a group's frames. Those of unmerged stacks are made when the group begins. */
static void
place_group(struct cr_path_sums *f, uint32_t group)
{
	const struct cr_spelling *s = f->spelling;

	for (uint32_t k = s->group[group]; k < s->group[group + 1]; k++)
		f->group_node[group] =
			(s->unmerged ? cr_tree_builder_append : cr_tree_builder_child)(
				f->tb, f->group_node[group], s->run[k]);
}

/* Place each pair where the location tree has its node, once for each group. */
static void
fold_spelt(struct cr_path_sums *f, const uint32_t *order, uint32_t *node)
{
	struct placed *placed = cr_alloc(f->p->n_nodes, sizeof(*placed));
	uint32_t *path = cr_alloc(
		(uint64_t)cr_tree_depth(f->p->node_parent, f->p->n_nodes) + 1, sizeof(*path));

	for (uint32_t g = 0; g < f->n_groups && !f->spelling->unmerged; g++)
		place_group(f, g);
	for (size_t i = 0; i < f->pairs.n; i++) {
		const struct pair *pair = &f->pairs.p[order[i]];

		if (f->spelling->unmerged &&
			(i == 0 || pair->group != f->pairs.p[order[i - 1]].group))
			place_group(f, pair->group);
		node[order[i]] = place_leaf(f, placed, path, pair->group, pair->node);
	}
	free(path);
	free(placed);
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
cr_path_sums_end(struct cr_path_sums *f, struct cr_path_sums_result *sums)
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
	fold_spelt(f, order, sums->node);
	f->node_pair1 = NULL;
	f->weight = f->samples = NULL; /* they are in the result */
	tb = f->tb;
	f->tb = NULL;
	free(order);
	cr_path_sums_free(f);
	return tb;
}

/*
 * By node of the profile, and at its end: the first node of its frames in the tree, behind the root
 * and the frames of the group.
 */
static uint32_t *
starts_of(const struct cr_path_sums *f, const uint32_t *inner, uint32_t above)
{
	const uint32_t n = f->p->n_nodes;
	uint32_t *start = cr_realloc(NULL, (uint64_t)n + 1, sizeof(*start));
	uint64_t at = (uint64_t)above + 1;

	start[0] = (uint32_t)at;
	for (uint32_t i = 1; i < n; i++) {
		const uint32_t location = f->p->node_location[i];

		start[i] = (uint32_t)at;
		at += inner[location + 1] - inner[location];
		if (at > UINT32_MAX / 2)
			cr_out_of_memory(at, sizeof(*start));
	}
	start[n] = (uint32_t)at;
	return start;
}

static void
unmerged_shape(const struct cr_path_sums *f, const uint32_t *inner, const uint32_t *start,
	uint32_t *frame, uint32_t *end)
{
	const struct cr_spelling *s = f->spelling;
	const struct cr_profile *p = f->p;

	frame[0] = 0;
	for (uint32_t i = 0; i < start[0]; i++)
		end[i] = start[p->n_nodes];
	for (uint32_t i = 1; i < start[0]; i++)
		frame[i] = s->run[s->group[0] + i - 1];
	for (uint32_t i = 1; i < p->n_nodes; i++) {
		const uint32_t *run = s->run + inner[p->node_location[i]];

		for (uint32_t at = start[i]; at < start[i + 1]; at++) {
			frame[at] = *run++;
			end[at] = start[p->node_end[i]];
		}
	}
}

struct cr_tree *
cr_path_sums_end_unmerged(struct cr_path_sums *f)
{
	const struct cr_spelling *s = f->spelling;
	const uint32_t *inner = s->inner[s->group_way[0]];
	uint32_t *start = starts_of(f, inner, s->group[1] - s->group[0]);
	struct cr_tree_raw raw = {.n = start[f->p->n_nodes], .sides = s->sides};
	uint32_t *end = cr_realloc(NULL, raw.n, sizeof(*end));
	struct cr_tree *t = cr_tree_new(s->frames, s->n_frames, NULL, 0);

	raw.frame = cr_realloc(NULL, raw.n, sizeof(*raw.frame));
	unmerged_shape(f, inner, start, raw.frame, end);
	for (uint32_t side = 0; side < s->sides; side++) {
		raw.weight[side] = cr_alloc(raw.n, sizeof(*raw.weight[side]));
		raw.samples[side] = cr_alloc(raw.n, sizeof(*raw.samples[side]));
	}
	for (size_t i = 0; i < f->pairs.n; i++) {
		uint32_t node = f->pairs.p[i].node, at;

		while (node && start[node + 1] == start[node]) /* it has no frames */
			node = f->p->node_parent[node];
		at = node ? start[node + 1] - 1 : start[0] - 1;
		for (uint32_t side = 0; side < s->sides; side++) {
			uint64_t *w = &raw.weight[side][at], *k = &raw.samples[side][at];

			*w = cr_add_sat(*w, f->weight[i * f->columns + side]);
			*k = cr_add_sat(*k, f->samples[i * f->columns + side]);
		}
	}
	free(start);
	cr_tree_finish_bare(t, &raw, end);
	cr_path_sums_free(f);
	return t;
}

void
cr_path_sums_result_fini(struct cr_path_sums_result *s)
{
	free(s->node);
	free(s->weight);
	free(s->samples);
	*s = (struct cr_path_sums_result){0};
}
