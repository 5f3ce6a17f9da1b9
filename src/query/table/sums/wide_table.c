#include "query/table/sums/wide_table.h"

#include "base/order.h"
#include "base/vec.h"
#include "query/table/table_p.h"

#include <stdlib.h>
#include <string.h>

/* A node of the location tree on the path that is being walked. */
struct level {
	uint32_t node, end;       /* of its subtree */
	uint32_t from, to;        /* those of its frames that are counted, in the runs */
	uint32_t inside;          /* frames of the root's path that are on the path */
	uint32_t leaf1;           /* the innermost frame that is counted, + 1; 0: none */
	bool is_beside;           /* this is not on the way to the root, nor below it */
	uint64_t weight, samples; /* of the stacks so far that go through it */
};

struct walk {
	struct cr_table_maker m;
	const struct cr_wide_stacks *w;
	/* The path to the root in frames, without the group. */
	uint32_t *path, n_path;
	uint32_t *sums; /* numbers of those in the root's group, in the order of nodes */
	uint32_t n_sums;
	const uint32_t *first, *run; /* by location: its frames */
	uint32_t *row;               /* by frame; NULL while used frames are marked */
	uint32_t *on_path;           /* by row: how many frames on the path are of it */
	CR_VEC(struct level) levels;
	CR_VEC(uint32_t) below; /* nodes that are to be added to the path, the innermost first */
};

/* ---- which stacks are in the group of the root */

/* The path to the root; returns the number of the group that it begins with, or CR_NO_ROW. */
static uint32_t
path_of(struct walk *k, const struct cr_tree *t, uint32_t root)
{
	const uint32_t n_frames = k->w->template->n_frames;
	uint32_t n = t->depth[root], group = CR_NO_ROW;

	k->path = cr_alloc((uint64_t)n + 1, sizeof(*k->path));
	k->n_path = n;
	for (; n; root = t->parent[root])
		k->path[--n] = t->frame[root];
	if (k->n_path && k->w->groups.n_keys) {
		group = k->path[0] - n_frames;
		memmove(k->path, k->path + 1, --k->n_path * sizeof(*k->path));
	}
	return group;
}

static bool
is_in_group(const struct walk *k, uint32_t sum, uint32_t group)
{
	return group == CR_NO_ROW || k->w->way[k->w->sums[sum].group] == group;
}

/* Those after the first n_first are in no order. */
static void
find_sums(struct walk *k, uint32_t group)
{
	const struct cr_fold_template_sum *sums = k->w->sums;
	const size_t n = k->w->n;
	struct cr_keyed *keys, *room;

	k->sums = cr_alloc(CR_MAX(n, 1u), sizeof(*k->sums));
	for (size_t i = 0; i < n; i++)
		if (is_in_group(k, (uint32_t)i, group))
			k->sums[k->n_sums++] = (uint32_t)i;
	if (n == k->w->n_first)
		return;
	keys = cr_alloc(CR_MAX(k->n_sums, 1u), sizeof(*keys));
	room = cr_alloc(CR_MAX(k->n_sums, 1u), sizeof(*room));
	for (uint32_t i = 0; i < k->n_sums; i++)
		keys[i] = (struct cr_keyed){sums[k->sums[i]].node, k->sums[i]};
	cr_keyed_sort(keys, room, k->n_sums);
	for (uint32_t i = 0; i < k->n_sums; i++)
		k->sums[i] = keys[i].item;
	free(keys);
	free(room);
}

/* ---- the path */

/* The frames of the path that are counted begin with that of the root. */
static void
set_frames(struct walk *k, struct level *l, const struct level *up, uint32_t location)
{
	l->from = k->first[location];
	l->to = k->first[location + 1];
	l->inside = up->inside;
	l->leaf1 = up->leaf1;
	l->is_beside = false;
	for (; l->inside < k->n_path && l->from < l->to; l->from++, l->inside++) {
		if (k->run[l->from] != k->path[l->inside]) {
			l->is_beside = true;
			l->from = l->to;
			return;
		}
		if (l->inside + 1 == k->n_path) { /* the root */
			l->inside++;
			break;
		}
	}
	if (l->from < l->to)
		l->leaf1 = k->run[l->to - 1] + 1;
}

static void
enter(struct walk *k, uint32_t node)
{
	const struct cr_profile *p = k->w->p;
	struct level *l;

	cr_vec_push(&k->levels, ((struct level){.node = node, .end = p->node_end[node]}));
	l = &k->levels.p[k->levels.n - 1];
	set_frames(k, l, l - 1, p->node_location[node]);
	for (uint32_t i = l->from; i < l->to; i++) {
		if (!k->row)
			k->m.frames[k->run[i]].code = CR_NO_ROW;
		else if (k->row[k->run[i]] != CR_NO_ROW)
			k->on_path[k->row[k->run[i]]]++;
	}
}

/*
 * Remove the innermost node from the path. Its cost is added where a row is for the first time on
 * the path, and to its caller.
 */
static void
leave(struct walk *k)
{
	struct level *l = &k->levels.p[--k->levels.n];

	for (uint32_t i = l->to; k->row && i-- > l->from;) {
		const uint32_t row = k->row[k->run[i]];
		struct cr_table_cost *c;

		if (row == CR_NO_ROW || --k->on_path[row])
			continue;
		c = cr_table_costs_of(&k->m, row);
		c->total = cr_add_sat(c->total, l->weight);
		c->total_samples = cr_add_sat(c->total_samples, l->samples);
	}
	l[-1].weight = cr_add_sat(l[-1].weight, l->weight);
	l[-1].samples = cr_add_sat(l[-1].samples, l->samples);
}

/* Make the path that of a node, up to where it leaves that of the root. Returns its last level. */
static struct level *
go_to(struct walk *k, uint32_t node)
{
	const struct cr_profile *p = k->w->p;

	while (k->levels.p[k->levels.n - 1].end <= node)
		leave(k);
	k->below.n = 0;
	for (uint32_t n = node; n != k->levels.p[k->levels.n - 1].node; n = p->node_parent[n])
		cr_vec_push(&k->below, n);
	while (k->below.n && !k->levels.p[k->levels.n - 1].is_beside)
		enter(k, k->below.p[--k->below.n]);
	return &k->levels.p[k->levels.n - 1];
}

static void
add_sum(struct walk *k, struct level *l, const struct cr_fold_template_sum *sum)
{
	const uint32_t row = k->row && l->leaf1 ? k->row[l->leaf1 - 1] : CR_NO_ROW;
	struct cr_table_cost *c;

	l->weight = cr_add_sat(l->weight, sum->weight);
	l->samples = cr_add_sat(l->samples, sum->samples);
	if (row == CR_NO_ROW)
		return;
	c = cr_table_costs_of(&k->m, row);
	c->self = cr_add_sat(c->self, sum->weight);
	c->self_samples = cr_add_sat(c->self_samples, sum->samples);
}

static void
walk_all(struct walk *k)
{
	const struct cr_fold_template_sum *sums = k->w->sums;

	k->levels.n = 0;
	cr_vec_push(&k->levels, ((struct level){.end = UINT32_MAX}));
	for (uint32_t i = 0; i < k->n_sums;) {
		struct level *l = go_to(k, sums[k->sums[i]].node);
		const uint32_t end = l->end;

		if (l->is_beside) {
			while (i < k->n_sums && sums[k->sums[i]].node < end)
				i++;
			continue;
		}
		if (l->inside == k->n_path)
			add_sum(k, l, &sums[k->sums[i]]);
		i++;
	}
	while (k->levels.n > 1)
		leave(k);
}

/* ---- */

static void
make_rows(struct walk *k)
{
	uint32_t *row = cr_alloc(k->m.n_frames, sizeof(*row));

	cr_table_rows_merged(&k->m);
	for (uint32_t i = 0; i < k->m.n_frames; i++)
		row[i] = k->m.frames[i].code;
	k->row = row;
	k->on_path = cr_alloc(CR_MAX(k->m.rows.n, 1u), sizeof(*k->on_path));
	walk_all(k);
	free(row);
	free(k->on_path);
}

void
cr_table_make_wide(const struct cr_wide_stacks *w, const struct cr_tree *t, uint32_t root,
	const struct cr_table_spec *spec, struct cr_table *out)
{
	struct walk k = {.w = w,
		.first = w->template->first,
		.run = w->template->run,
		.m = {.frame_of = t->frames, .n_frames = t->n_frames, .sides = 1, .h = out}};

	*out = (struct cr_table){.spec = spec, .sides = 1};
	out->whole[0] = out->tree_whole = root ? t->total[0][root] : cr_tree_whole(t, 0);
	out->whole_samples[0] = t->total_samples[0][root];
	cr_table_maker_keys(&k.m);
	k.m.frames = cr_alloc(k.m.n_frames, sizeof(*k.m.frames));
	find_sums(&k, path_of(&k, t, root));
	walk_all(&k);
	cr_table_maker_codes(&k.m);
	make_rows(&k);
	cr_table_maker_finish(&k.m);
	cr_vec_fini(&k.levels);
	cr_vec_fini(&k.below);
	free(k.path);
	free(k.sums);
}
