#include "query/table/table_sums.h"

#include "table_p.h"

#include <stdlib.h>

/* The cost of stacks of one group. */
struct part {
	uint32_t group;
	uint64_t weight, samples;
};

/* A frame of a location. */
struct place {
	uint32_t code : 31;
	uint32_t kernel : 1;
};

#define NO_PLACE 0x7fffffffu

/*
 * What is known of a code along the path, and what its row in the last group got since the group
 * changed. It fits in a line of the cache: most time is spent waiting for it.
 */
struct code {
	uint32_t on_path;     /* how many frames on the path have it */
	uint32_t row, group1; /* the row that it had last, in this group + 1; 0: none yet */
	uint32_t depth;       /* the least depth of its outermost frame */
	struct cr_table_cost cost;
};

#define CACHE_LINE 64u

/* A node on the path that is being walked. */
struct level {
	uint32_t end;             /* of its subtree */
	uint32_t depth;           /* of its innermost frame, below the groups */
	const struct place *from; /* its frames; NULL: none */
	const struct place *to;   /* their end, after the innermost */
	struct place leaf;        /* the innermost frame on the path; code NO_PLACE for none */
	CR_VEC(struct part) p;    /* of the stacks so far that go through it, by group */
};

struct walk {
	struct cr_table_maker m;
	const struct cr_stack_sums *s;
	const struct cr_profile *p;
	uint8_t *live;        /* by node: 1 if a stack goes through it */
	struct place *places; /* those of all locations, as in the run of their frames */
	struct place *only;   /* by location: the only one; code NO_PLACE if there are several */
	struct code *codes;
	void *codes_at;  /* their memory */
	uint32_t *group; /* by group of the sums: its group in the table */
	CR_VEC(struct level) levels;
	uint32_t n; /* how many of them are on the path */
};

/* Mark the nodes that stacks go through, and the frames of their locations. */
static void
find_live(struct walk *w)
{
	const struct cr_location_frames *f = &w->s->frames;
	const struct cr_profile *p = w->p;
	uint8_t *used = cr_alloc(CR_MAX(p->n_locations, 1u), 1);

	w->live = cr_alloc(p->n_nodes, 1);
	for (size_t i = 0; i < w->s->n; i++)
		w->live[w->s->sums[i].node] = 1;
	for (uint32_t n = p->n_nodes; n-- > 1;) {
		w->live[p->node_parent[n]] |= w->live[n];
		used[p->node_location[n]] |= w->live[n];
	}
	for (uint32_t i = 0; i < p->n_locations; i++)
		for (uint32_t k = f->first[i]; used[i] && k < f->first[i + 1]; k++)
			w->m.frames[f->run[k]].code = CR_NO_ROW;
	free(used);
}

/* The part of a group in a list that is sorted by group. */
static struct part *
part_of(struct level *l, uint32_t group)
{
	size_t lo = 0, hi = l->p.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (l->p.p[mid].group < group)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < l->p.n && l->p.p[lo].group == group)
		return &l->p.p[lo];
	cr_vec_push(&l->p, ((struct part){0}));
	memmove(&l->p.p[lo + 1], &l->p.p[lo], (l->p.n - 1 - lo) * sizeof(*l->p.p));
	l->p.p[lo] = (struct part){.group = group};
	return &l->p.p[lo];
}

static void
add_part(struct level *l, const struct part *add)
{
	struct part *p = part_of(l, add->group);

	p->weight = cr_add_sat(p->weight, add->weight);
	p->samples = cr_add_sat(p->samples, add->samples);
}

/* Set the codes of the frames of each location. */
static void
find_places(struct walk *w)
{
	const struct cr_location_frames *f = &w->s->frames;
	const uint32_t n = w->p->n_locations;

	w->places = cr_alloc((uint64_t)f->first[n] + 1, sizeof(*w->places));
	w->only = cr_alloc(CR_MAX(n, 1u), sizeof(*w->only));
	for (uint32_t k = 0; k < f->first[n]; k++) {
		const struct cr_table_frame_kind *kind = &w->m.frames[f->run[k]];

		w->places[k] = (struct place){kind->code & NO_PLACE, kind->kernel};
	}
	for (uint32_t i = 0; i < n; i++)
		w->only[i] = f->first[i + 1] - f->first[i] == 1 ? w->places[f->first[i]]
								: (struct place){NO_PLACE, 0};
}

/* Add what a code has to its row. */
static void
flush(struct walk *w, struct code *c)
{
	struct cr_table_cost *cost = &w->m.costs.p[c->row];
	struct cr_table_row *row = &w->m.rows.p[c->row];

	cost->total = cr_add_sat(cost->total, c->cost.total);
	cost->total_samples = cr_add_sat(cost->total_samples, c->cost.total_samples);
	cost->self = cr_add_sat(cost->self, c->cost.self);
	cost->self_samples = cr_add_sat(cost->self_samples, c->cost.self_samples);
	cost->kernel = cr_add_sat(cost->kernel, c->cost.kernel);
	cost->user = cr_add_sat(cost->user, c->cost.user);
	row->depth = CR_MIN(row->depth, c->depth);
}

/* The code, where the cost of a group is added. Stacks of a group often follow one another. */
static struct code *
code_in(struct walk *w, uint32_t group, uint32_t code)
{
	struct code *c = &w->codes[code];

	if (c->group1 == group + 1)
		return c;
	if (c->group1)
		flush(w, c);
	c->cost = (struct cr_table_cost){0};
	c->depth = UINT32_MAX;
	c->row = cr_table_row_make(&w->m, group, code);
	c->group1 = group + 1;
	return c;
}

static void
make_codes(struct walk *w)
{
	w->codes_at = cr_alloc((uint64_t)w->m.codes.n + 1, sizeof(*w->codes));
	w->codes = (struct code *)(((uintptr_t)w->codes_at + CACHE_LINE - 1) / CACHE_LINE *
				   CACHE_LINE);
}

/* Add a node to the path, whose innermost node is its parent. */
static void
enter(struct walk *w, uint32_t node)
{
	const struct cr_location_frames *f = &w->s->frames;
	struct level *l;
	uint32_t location;

	if (w->n == w->levels.n)
		cr_vec_push(&w->levels, ((struct level){0}));
	l = &w->levels.p[w->n++];
	l->p.n = 0;
	l->end = w->p->node_end[node];
	l->from = l->to = NULL;
	l->depth = w->s->groups.n_keys;
	l->leaf = (struct place){NO_PLACE, 0};
	if (w->n == 1)
		return;
	l->depth = l[-1].depth;
	l->leaf = l[-1].leaf;
	location = w->p->node_location[node];
	l->from = &w->only[location];
	l->to = l->from + 1;
	if (l->from->code == NO_PLACE) {
		l->from = w->places + f->first[location];
		l->to = w->places + f->first[location + 1];
	}
	for (const struct place *k = l->from; k < l->to; k++) {
		l->depth++;
		l->leaf = *k;
		w->codes[k->code].on_path++;
	}
}

/* Add the cost of all stacks through the innermost node to the rows of a code. */
static void
add_totals(struct walk *w, const struct level *l, uint32_t code, uint32_t depth)
{
	for (size_t i = 0; i < l->p.n; i++) {
		const struct part *p = &l->p.p[i];
		struct code *c = code_in(w, p->group, code);

		c->cost.total = cr_add_sat(c->cost.total, p->weight);
		c->cost.total_samples = cr_add_sat(c->cost.total_samples, p->samples);
		c->depth = CR_MIN(c->depth, depth);
	}
}

/*
 * Remove the innermost node from the path. Its cost is added where a code is for the first time on
 * the path, and to its caller.
 */
static void
leave(struct walk *w)
{
	struct level *l = &w->levels.p[--w->n];
	uint32_t depth = l->depth;

	for (const struct place *k = l->to; k > l->from; depth--)
		if (--w->codes[(--k)->code].on_path == 0)
			add_totals(w, l, k->code, depth);
	for (size_t i = 0; w->n && i < l->p.n; i++)
		add_part(&l[-1], &l->p.p[i]);
}

/* Add the cost of the stacks of a group that end at the innermost node. */
static void
add_sum(struct walk *w, const struct cr_fold_template_sum *sum)
{
	struct level *l = &w->levels.p[w->n - 1];
	const struct part part = {w->group[sum->group], sum->weight, sum->samples};
	const bool any = l->leaf.code != NO_PLACE;
	struct code *c = code_in(w, part.group, any ? l->leaf.code : w->m.no_code);
	uint64_t *mode = l->leaf.kernel ? &c->cost.kernel : &c->cost.user;

	add_part(l, &part);
	c->cost.self = cr_add_sat(c->cost.self, part.weight);
	c->cost.self_samples = cr_add_sat(c->cost.self_samples, part.samples);
	if (any) {
		*mode = cr_add_sat(*mode, part.weight);
		return;
	}
	c->cost.total = cr_add_sat(c->cost.total, part.weight);
	c->cost.total_samples = cr_add_sat(c->cost.total_samples, part.samples);
	c->depth = CR_MIN(c->depth, l->depth);
}

#define AHEAD 16u /* nodes */

/* Prefetch what the nodes need that come soon. */
static void
look_ahead(const struct walk *w, uint32_t n)
{
	struct place place;

	if (n + AHEAD >= w->p->n_nodes)
		return;
	place = w->only[w->p->node_location[n + AHEAD]];
	if (place.code != NO_PLACE)
		__builtin_prefetch(&w->codes[place.code], 1);
}

static void
walk_nodes(struct walk *w)
{
	const struct cr_stack_sums *s = w->s;
	size_t at = 0;

	for (uint32_t n = 0; n < w->p->n_nodes; n++) {
		while (w->n && w->levels.p[w->n - 1].end <= n)
			leave(w);
		if (n && !w->live[n]) {
			n = w->p->node_end[n] - 1;
			continue;
		}
		look_ahead(w, n);
		enter(w, n);
		for (; at < s->n && s->sums[at].node == n; at++)
			add_sum(w, &s->sums[at]);
	}
	while (w->n)
		leave(w);
	for (uint32_t i = 0; i < w->m.codes.n; i++)
		if (w->codes[i].group1)
			flush(w, &w->codes[i]);
}

/* By group of the sums: that of the table. */
static void
find_groups(struct walk *w)
{
	const struct cr_fold_template_groups *g = &w->s->groups;

	w->group = cr_alloc(CR_MAX(g->n, 1u), sizeof(*w->group));
	for (uint32_t i = 0; i < g->n; i++)
		w->group[i] = cr_table_group_of(
			&w->m, g->frames, g->way + (size_t)i * g->n_keys, g->n_keys);
}

void
cr_table_make_sums(
	const struct cr_stack_sums *s, const struct cr_table_spec *spec, struct cr_table *out)
{
	struct walk w = {.s = s,
		.p = s->p,
		.m = {.p = s->p,
			.frame_of = s->frames.frames,
			.n_frames = s->frames.n_frames,
			.sides = 1,
			.h = out}};

	*out = (struct cr_table){.spec = spec, .sides = 1};
	out->whole[0] = out->tree_whole = cr_tree_whole(s->root, 0);
	out->whole_samples[0] = s->root->total_samples[0][0];
	cr_table_maker_keys(&w.m);
	w.m.frames = cr_alloc(w.m.n_frames, sizeof(*w.m.frames));
	find_live(&w);
	cr_table_maker_codes(&w.m);
	find_places(&w);
	find_groups(&w);
	make_codes(&w);
	walk_nodes(&w);
	cr_table_maker_finish(&w.m);
	for (size_t i = 0; i < w.levels.n; i++)
		cr_vec_fini(&w.levels.p[i].p);
	cr_vec_fini(&w.levels);
	free(w.live);
	free(w.places);
	free(w.only);
	free(w.codes_at);
	free(w.group);
}

uint64_t
cr_table_sums_unresolved(const struct cr_stack_sums *s)
{
	const struct cr_location_frames *f = &s->frames;
	uint8_t *nameless = cr_alloc(CR_MAX(f->n_frames, 1u), 1);
	uint64_t weight = 0;

	for (uint32_t i = 0; i < f->n_frames; i++)
		nameless[i] = cr_frame_is_nameless(&f->frames[i]);
	for (size_t i = 0; i < s->n; i++) {
		const uint32_t node = s->sums[i].node;

		if (node && nameless[f->run[f->first[s->p->node_location[node] + 1] - 1]])
			weight = cr_add_sat(weight, s->sums[i].weight);
	}
	free(nameless);
	return weight;
}
