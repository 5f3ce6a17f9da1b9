#include "model/tree/fold_template.h"

#include "base/thread_pool.h"
#include "base/work.h"
#include "stack_rows_p.h"
#include "tree_p.h"

#include <stdlib.h>

static struct cr_growth
growth_of(const struct cr_fold_template *s)
{
	static const uint32_t root_parent = 0, root_end = 1;
	const struct cr_profile *p = s->p;

	return (struct cr_growth){
		.n = CR_MAX(p->n_nodes, 1u),
		.parent = p->n_nodes ? p->node_parent : &root_parent,
		.end = p->n_nodes ? p->node_end : &root_end,
		.row = p->node_location,
		.first = s->first,
		.run = s->run,
		.once = s->once,
	};
}

struct cr_fold_template *
cr_fold_template_new(const struct cr_profile *p, const struct cr_fold_template_opts *o)
{
	struct cr_fold_template *s = cr_alloc(1, sizeof(*s));
	struct cr_location_frames spelt;
	struct cr_growth growth;

	cr_location_frames_make(p, o, &spelt);
	s->p = p;
	s->n_frames = spelt.n_frames;
	s->frames = cr_arena_adopt(&s->arena, spelt.frames);
	s->first = cr_arena_adopt(&s->arena, spelt.first);
	s->run = cr_arena_adopt(&s->arena, spelt.run);
	spelt.frames = NULL;
	spelt.first = spelt.run = NULL;
	s->once = o->granularity == CR_GRANULARITY_DSO || o->granularity == CR_GRANULARITY_FILE;
	s->rank = cr_arena_adopt(&s->arena, cr_tree_finish_rank(s->frames, s->n_frames));
	s->names = cr_tree_names_new(&spelt.made);
	cr_location_frames_fini(&spelt);
	growth = growth_of(s);
	if (cr_stack_rows_pay(&growth))
		cr_fold_template_rows(s);
	return s;
}

void
cr_fold_template_rows(struct cr_fold_template *s)
{
	const struct cr_growth growth = growth_of(s);
	struct cr_stack_rows rows;

	if (s->n)
		return;
	cr_stack_rows_make(&growth, &rows);
	if (cr_work_stopped()) { /* they may be incomplete */
		cr_stack_rows_fini(&rows);
		return;
	}
	s->n = rows.n;
	s->parent = cr_arena_adopt(&s->arena, rows.parent);
	s->frame = cr_arena_adopt(&s->arena, rows.frame);
	s->row_of_node = cr_arena_adopt(&s->arena, rows.row_of_node);
}

void
cr_fold_template_free(struct cr_fold_template *s)
{
	if (!s || s->held--)
		return;
	cr_tree_names_drop(s->names);
	cr_arena_fini(&s->arena);
	free(s);
}

struct cr_fold_template *
cr_fold_template_hold(struct cr_fold_template *s)
{
	s->held++;
	return s;
}

void
cr_fold_template_keep(struct cr_fold_template *s, struct cr_arena *names)
{
	cr_tree_names_join(s->names, names);
}

/* ---- trees */

/*
 * The sums, sorted by group, then by node. The groups are sorted by their ways, so those with the
 * same outer keys are adjacent.
 */
struct ordered {
	uint32_t n, n_groups;
	uint32_t *row, *node; /* by place: the number of the sum, its node */
	uint32_t *group;      /* by place of a group */
	uint32_t *ends;       /* by place of a group: where its sums end */
};

/* Make of numbers of items by key, at key + 1, where the items of each key begin. */
static void
add_up(uint32_t *begin, uint32_t n_keys)
{
	for (uint32_t k = 0; k < n_keys; k++)
		begin[k + 1] += begin[k];
}

static bool
has_any(const struct cr_fold_template_sum *sum)
{
	return sum->weight || sum->samples;
}

/* The sums that have anything, by node. */
static uint32_t *
sums_by_node(const struct cr_fold_template_sum *sums, size_t n, uint32_t n_nodes, uint32_t *count)
{
	uint32_t *by_node = cr_realloc(NULL, n, sizeof(*by_node));
	uint32_t *next = cr_alloc((uint64_t)n_nodes + 1, sizeof(*next));

	for (size_t i = 0; i < n; i++)
		next[sums[i].node + 1] += has_any(&sums[i]);
	add_up(next, n_nodes);
	*count = next[n_nodes];
	for (size_t i = 0; i < n; i++)
		if (has_any(&sums[i]))
			by_node[next[sums[i].node]++] = (uint32_t)i;
	free(next);
	return by_node;
}

struct way_order {
	const uint32_t *way;
	uint32_t n_keys;
};

static int
by_way(const void *x, const void *y, void *user)
{
	const struct way_order *o = user;
	const uint32_t *a = o->way + (size_t) * (const uint32_t *)x * o->n_keys,
		       *b = o->way + (size_t) * (const uint32_t *)y * o->n_keys;

	for (uint32_t i = 0; i < o->n_keys; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static uint32_t *
groups_by_way(const struct cr_fold_template_groups *groups)
{
	uint32_t *order = cr_alloc(groups->n, sizeof(*order));
	struct way_order o = {groups->way, groups->n_keys};

	for (uint32_t i = 0; i < groups->n; i++)
		order[i] = i;
	if (groups->n > 1)
		qsort_r(order, groups->n, sizeof(*order), by_way, &o);
	return order;
}

static void
put_in_order(const struct cr_fold_template_sum *sums, size_t n, uint32_t n_nodes,
	const struct cr_fold_template_groups *groups, struct ordered *o)
{
	uint32_t *by_node = sums_by_node(sums, n, n_nodes, &o->n);
	uint32_t *place = cr_alloc(groups->n, sizeof(*place)); /* of a group */
	uint32_t *next = cr_alloc((uint64_t)groups->n + 1, sizeof(*next));

	o->n_groups = groups->n;
	o->group = groups_by_way(groups);
	o->row = cr_realloc(NULL, o->n, sizeof(*o->row));
	o->node = cr_realloc(NULL, o->n, sizeof(*o->node));
	for (uint32_t i = 0; i < groups->n; i++)
		place[o->group[i]] = i;
	for (uint32_t i = 0; i < o->n; i++)
		next[place[sums[by_node[i]].group] + 1]++;
	add_up(next, groups->n);
	for (uint32_t i = 0; i < o->n; i++) {
		const uint32_t at = next[place[sums[by_node[i]].group]]++;

		o->row[at] = by_node[i];
		o->node[at] = sums[by_node[i]].node;
	}
	o->ends = next; /* where a group began, it ends now */
	free(by_node);
	free(place);
}

static void
ordered_fini(struct ordered *o)
{
	free(o->row);
	free(o->node);
	free(o->group);
	free(o->ends);
}

static uint32_t
group_begin(const struct ordered *o, uint32_t group)
{
	return group ? o->ends[group - 1] : 0;
}

/* The groups of a tree being made. */
struct maker {
	struct cr_tree_walk *w;
	const struct ordered *o;
	const struct cr_fold_template_groups *groups;
	uint32_t n_frames;    /* of the template; those of groups follow */
	const uint32_t *rank; /* by frame */
};

static int
by_rank(const void *user, uint32_t a, uint32_t b)
{
	const uint32_t *rank = user;

	return (rank[a] > rank[b]) - (rank[a] < rank[b]);
}

static int
by_extent(const void *x, const void *y, void *user)
{
	const struct cr_sibling *a = x, *b = y;

	if (a->extent != b->extent)
		return a->extent < b->extent ? 1 : -1;
	return by_rank(user, a->frame, b->frame);
}

/* The end of the groups from `from` on, but before `to`, that have the same outermost keys. */
static uint32_t
same_way(const struct maker *m, uint32_t from, uint32_t to, uint32_t n_keys)
{
	const struct way_order o = {m->groups->way, m->groups->n_keys};
	const uint32_t *first = o.way + (size_t)m->o->group[from] * o.n_keys;
	uint32_t end = from + 1;

	while (end < to && memcmp(first, o.way + (size_t)m->o->group[end] * o.n_keys,
				   n_keys * sizeof(*first)) == 0)
		end++;
	return end;
}

typedef CR_VEC(struct cr_sibling) siblings_vec;

static void walk_siblings(const struct maker *m, const struct cr_sibling *all, size_t n,
	uint32_t to, uint32_t key, uint32_t top);

/* The groups [from, to), which have the first `key` keys in common, by the next key. */
static void
siblings_of(const struct maker *m, uint32_t from, uint32_t to, uint32_t key, siblings_vec *all)
{
	for (uint32_t g = from, end; g < to; g = end) {
		const uint32_t lo = group_begin(m->o, g);

		end = same_way(m, g, to, key + 1);
		if (lo < m->o->ends[end - 1])
			cr_vec_push(all,
				((struct cr_sibling){
					cr_tree_walk_weight(m->w, lo, m->o->ends[end - 1]), g,
					m->n_frames + m->groups->way[(size_t)m->o->group[g] *
									     m->groups->n_keys +
								     key]}));
	}
	if (all->n > 1)
		cr_tree_sort_siblings(
			all->p, (uint32_t)all->n, by_extent, (void *)(uintptr_t)m->rank);
}

/* Write the groups [from, to), which have the first `key` keys in common, below `top`. */
static void
walk_groups(const struct maker *m, uint32_t from, uint32_t to, uint32_t key, uint32_t top)
{
	siblings_vec all = {0};

	if (key == m->groups->n_keys) {
		for (uint32_t g = from; g < to; g++)
			cr_tree_walk_down(m->w, top, group_begin(m->o, g), m->o->ends[g]);
		return;
	}
	siblings_of(m, from, to, key, &all);
	walk_siblings(m, all.p, all.n, to, key, top);
	cr_vec_fini(&all);
}

/* Write n groups of siblings_of(). */
static void
walk_siblings(const struct maker *m, const struct cr_sibling *all, size_t n, uint32_t to,
	uint32_t key, uint32_t top)
{
	for (size_t i = 0; i < n; i++) {
		const uint32_t g = all[i].node, end = same_way(m, g, to, key + 1);

		walk_groups(m, g, end, key + 1,
			cr_tree_walk_add(m->w, top, all[i].frame, group_begin(m->o, g),
				m->o->ends[end - 1]));
	}
}

/* ---- two halves at a time */

#define HALVED (1u << 16) /* pairs; with fewer, a thread takes as long to begin as it saves */

/* The last of the outermost groups, which another thread writes. */
struct half {
	struct maker m;
	struct cr_tree_walk w;
	const struct cr_sibling *all;
	size_t n;
};

static void *
half_walk(void *user)
{
	const struct half *h = user;

	walk_siblings(&h->m, h->all, h->n, h->m.o->n_groups, 0, 0);
	return NULL;
}

static uint32_t
sibling_end(const struct maker *m, const struct cr_sibling *one)
{
	return m->o->ends[same_way(m, one->node, m->o->n_groups, 1) - 1];
}

/* How many of the groups have half of the pairs, as nearly as may be. */
static size_t
half_of(const struct maker *m, const siblings_vec *all)
{
	uint64_t pairs = 0, own;
	size_t n = 0;

	for (; n < all->n; n++, pairs += own) {
		own = sibling_end(m, &all->p[n]) - group_begin(m->o, all->p[n].node);
		if (2 * pairs + own > m->o->n)
			break;
	}
	return CR_MAX(n, (size_t)1);
}

/* Take the nodes of the half, whose numbers change, also where its pairs have them. */
static void
half_join(const struct maker *m, struct half *h)
{
	const uint32_t add = cr_tree_walk_join(m->w, &h->w);

	for (size_t i = 0; i < h->n; i++)
		for (uint32_t k = group_begin(m->o, h->all[i].node); k < sibling_end(m, &h->all[i]);
			k++)
			m->o->node[k] += add;
}

/* A walk that closes nodes, or only counts them, knows more than its nodes: it is one walk. */
static bool
may_halve(const struct maker *m)
{
	const struct cr_tree_walk_in *in = &m->w->in;

	return m->o->n >= HALVED && m->groups->n_keys && !in->share && !in->n_path && !in->least &&
	       !in->count && cr_thread_pool_processors() > 1;
}

/* Write all groups. The tree is the same with one thread. */
static void
walk_all(const struct maker *m)
{
	struct half h = {.m = *m};
	siblings_vec all = {0};
	atomic_bool stop = false;
	pthread_t thread;
	size_t n;

	if (!may_halve(m)) {
		walk_groups(m, 0, m->o->n_groups, 0, 0);
		return;
	}
	siblings_of(m, 0, m->o->n_groups, 0, &all);
	n = half_of(m, &all);
	m->w->in.stop = &stop;
	cr_tree_walk_beside(&h.w, m->w);
	h.m.w = &h.w;
	h.all = all.p + n;
	h.n = all.n - n;
	if (!h.n || pthread_create(&thread, NULL, half_walk, &h) != 0) {
		walk_siblings(m, all.p, all.n, m->o->n_groups, 0, 0);
		h.n = 0;
	} else {
		walk_siblings(m, all.p, n, m->o->n_groups, 0, 0);
		pthread_join(thread, NULL);
	}
	half_join(m, &h);
	m->w->in.stop = NULL;
	cr_vec_fini(&all);
}

/* By frame of the tree: its position by name. The frames of groups are ranked separately. */
static uint32_t *
tree_rank(const struct cr_fold_template *s, const struct cr_fold_template_groups *groups)
{
	uint32_t *rank = cr_alloc((uint64_t)s->n_frames + groups->n_frames, sizeof(*rank));
	uint32_t *of_groups = cr_tree_finish_rank(groups->frames, groups->n_frames);

	memcpy(rank, s->rank, s->n_frames * sizeof(*rank));
	if (groups->n_frames)
		memcpy(rank + s->n_frames, of_groups, groups->n_frames * sizeof(*rank));
	free(of_groups);
	return rank;
}

/* What closed nodes have themselves, without what is below them. */
static void
take_self(struct cr_tree *t, const struct cr_fold_template_sum *sums, const struct ordered *o)
{
	uint64_t *self = cr_arena_array(&t->arena, t->n, sizeof(*self)),
		 *samples = cr_arena_array(&t->arena, t->n, sizeof(*samples));

	for (uint32_t i = 0; i < o->n; i++) {
		const struct cr_fold_template_sum *sum = &sums[o->row[i]];
		const uint32_t node = o->node[i];

		if (node & CR_WALK_BELOW)
			continue;
		self[node] = cr_add_sat(self[node], sum->weight);
		samples[node] = cr_add_sat(samples[node], sum->samples);
	}
	t->self[0] = t->leaf[0] = self;
	t->self_samples[0] = t->leaf_samples[0] = samples;
	t->is_sketch = true;
}

/* Put the sums into their nodes. If the work was cancelled, there is only the root. */
static void
tree_take(struct cr_tree *t, const struct cr_fold_template_sum *sums, const struct ordered *o,
	const struct cr_tree_walk *w)
{
	struct cr_tree_made made = {.n = CR_MAX(w->room, 1u),
		.parent = w->parent,
		.frame = w->frame,
		.total = w->total,
		.total_samples = w->total_samples};
	uint32_t below = 0;

	made.weight = cr_alloc(made.n, sizeof(*made.weight));
	made.samples = cr_alloc(made.n, sizeof(*made.samples));
	if (!w->room) {
		made.parent = cr_alloc(1, sizeof(*made.parent));
		made.frame = cr_alloc(1, sizeof(*made.frame));
		made.total = cr_alloc(1, sizeof(*made.total));
		made.total_samples = cr_alloc(1, sizeof(*made.total_samples));
	}
	for (uint32_t i = 0; i < o->n && w->room; i++) {
		const struct cr_fold_template_sum *sum = &sums[o->row[i]];
		const uint32_t node = o->node[i] & ~CR_WALK_BELOW;

		below |= o->node[i];
		made.weight[node] = cr_add_sat(made.weight[node], sum->weight);
		made.samples[node] = cr_add_sat(made.samples[node], sum->samples);
	}
	cr_tree_finish_made(t, &made);
	if (below & CR_WALK_BELOW)
		take_self(t, sums, o);
}

/* If count is not NULL, only count the nodes. Returns false if there are too many of them. */
static bool
make(const struct cr_fold_template *s, const struct cr_fold_template_sum *sums, size_t n,
	const struct cr_fold_template_groups *groups, const struct cr_fold_template_part *part,
	const uint32_t *rank, struct cr_tree_count *count, struct cr_tree *t)
{
	static const struct cr_fold_template_sum none;
	const struct cr_fold_template_sum *at = n ? sums : &none;
	struct cr_tree_walk_in in = {.n_nodes = s->p->n_nodes,
		.parent = s->p->node_parent,
		.end = s->p->node_end,
		.location = s->p->node_location,
		.first = s->first,
		.run = s->run,
		.n_frames = s->n_frames,
		.once = s->once,
		.compare = by_rank,
		.user = rank,
		.most_nodes = part->most_nodes,
		.share = part->share,
		.path = part->path,
		.n_path = part->n_path,
		.least = part->least,
		.count = count};
	const struct cr_stack_rows rows = {s->n, (uint32_t *)(uintptr_t)s->parent,
		(uint32_t *)(uintptr_t)s->frame, (uint32_t *)(uintptr_t)s->row_of_node};
	struct ordered o;
	struct cr_tree_walk w;
	uint32_t *end = NULL, *same = NULL;

	put_in_order(sums, n, CR_MAX(s->p->n_nodes, 1u), groups, &o);
	if (rows.n) {
		cr_stack_rows_walk(&rows, &in, &end, &same);
		cr_stack_rows_sort(&rows, o.ends, o.n_groups, o.node, o.row);
	}
	in.pairs = (struct cr_tree_pairs){.n = o.n,
		.node = o.node,
		.weight = &at->weight,
		.samples = &at->samples,
		.row = o.row,
		.stride = sizeof(*at) / sizeof(at->weight)};
	cr_tree_walk_begin(&w, &in);
	cr_tree_walk_add(&w, 0, 0, 0, o.n);
	walk_all(&(struct maker){&w, &o, groups, s->n_frames, rank});
	cr_tree_walk_end(&w);
	if (!w.too_many && !count)
		tree_take(t, sums, &o, &w);
	ordered_fini(&o);
	free(end);
	free(same);
	return !w.too_many;
}

struct cr_tree *
cr_fold_template_part(const struct cr_fold_template *s, const struct cr_fold_template_sum *sums,
	size_t n, const struct cr_fold_template_groups *groups,
	const struct cr_fold_template_part *part)
{
	uint32_t *rank = tree_rank(s, groups);
	struct cr_tree *t = cr_tree_new(s->frames, s->n_frames, groups->frames, groups->n_frames);

	t->names = cr_tree_names_hold(s->names);
	if (!make(s, sums, n, groups, part, rank, NULL, t)) {
		cr_tree_free(t);
		t = NULL;
	}
	free(rank);
	return t;
}

void
cr_fold_template_count(const struct cr_fold_template *s, const struct cr_fold_template_sum *sums,
	size_t n, const struct cr_fold_template_groups *groups, struct cr_tree_count *count)
{
	const struct cr_fold_template_part all = {.most_nodes = UINT32_MAX};
	uint32_t *rank = tree_rank(s, groups);

	make(s, sums, n, groups, &all, rank, count, NULL);
	free(rank);
}

int
cr_fold_template_tree(const struct cr_fold_template *s, struct cr_fold_template_sum *sums, size_t n,
	const struct cr_fold_template_groups *groups, struct cr_tree **out, struct cr_err *err)
{
	const struct cr_fold_template_part all = {.most_nodes = CR_FOLD_TEMPLATE_NODES_MOST};

	*out = cr_fold_template_part(s, sums, n, groups, &all);
	free(sums);
	if (*out)
		return CR_OK;
	return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
		"more than %u stacks; use fewer groups or a filter", CR_FOLD_TEMPLATE_NODES_MOST);
}
