#include "query/table/sums/table_sums.h"

#include "query/table/table_p.h"

#include <stdlib.h>

/* A frame of a location. */
struct place {
	uint32_t code : 31;
	uint32_t kernel : 1;
};

#define NO_PLACE 0x7fffffffu

/*
 * What is known of a code along the path, and what it has in the group. It fits in a line of the
 * cache: most time is spent waiting for it.
 */
struct code {
	uint32_t on_path; /* how many frames on the path have it */
	uint32_t group1;  /* the group, + 1, that depth and cost are of */
	uint32_t depth;   /* the least depth of its outermost frame */
	struct cr_table_cost cost;
};

#define CACHE_LINE 64u

/* A node on the path that is being walked. */
struct level {
	uint32_t end;             /* of its subtree */
	uint32_t node;            /* its number */
	uint32_t depth;           /* of its innermost frame, below the groups */
	const struct place *from; /* its frames */
	const struct place *to;   /* their end, after the innermost */
	struct place leaf;        /* the innermost frame on the path; code NO_PLACE for none */
	uint64_t weight, samples; /* of the stacks so far that go through it */
};

struct walk {
	struct cr_table_maker m;
	const struct cr_stack_sums *s;
	const struct cr_profile *p;
	struct place *places; /* those of all locations, as in the run of their frames */
	struct place *only;   /* by location: the only one; code NO_PLACE if there are several */
	struct code *codes;
	void *codes_at;       /* their memory */
	uint32_t group;       /* the group of the table whose stacks are walked */
	CR_VEC(uint32_t) met; /* the codes that have a cost in it */
	CR_VEC(struct level) levels;
	uint32_t n;             /* how many of them are on the path */
	CR_VEC(uint32_t) below; /* nodes that are to be added to the path, the innermost first */
	struct cr_table_best
		*best; /* of the rows so far, see cr_table_is_among(); NULL: all are made */
};

/* Mark the frames of the locations that stacks go through. */
static void
find_used(struct walk *w)
{
	const struct cr_location_frames *f = &w->s->frames;
	const struct cr_profile *p = w->p;
	uint8_t *used = cr_alloc(CR_MAX(p->n_locations, 1u), 1), *live = cr_alloc(p->n_nodes, 1);

	for (size_t i = 0; i < w->s->n; i++)
		live[w->s->sums[i].node] = 1;
	for (uint32_t n = p->n_nodes; n-- > 1;) {
		live[p->node_parent[n]] |= live[n];
		used[p->node_location[n]] |= live[n];
	}
	for (uint32_t i = 0; i < p->n_locations; i++)
		for (uint32_t k = f->first[i]; used[i] && k < f->first[i + 1]; k++)
			w->m.frames[f->run[k]].code = CR_NO_ROW;
	free(used);
	free(live);
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

static void
make_codes(struct walk *w)
{
	w->codes_at = cr_alloc((uint64_t)w->m.codes.n + 1, sizeof(*w->codes));
	w->codes = (struct code *)(((uintptr_t)w->codes_at + CACHE_LINE - 1) / CACHE_LINE *
				   CACHE_LINE);
}

/* The code, whose cost in the group is added to. */
static struct code *
code_met(struct walk *w, uint32_t code)
{
	struct code *c = &w->codes[code];

	if (c->group1 == w->group + 1)
		return c;
	c->cost = (struct cr_table_cost){0};
	c->depth = UINT32_MAX;
	c->group1 = w->group + 1;
	cr_vec_push(&w->met, code);
	return c;
}

/* Make the rows of the group: a row for each code that was met, if it may be shown. */
static void
group_ends(struct walk *w)
{
	for (size_t i = 0; i < w->met.n; i++) {
		const struct code *c = &w->codes[w->met.p[i]];

		if (!cr_table_cost_is_kept(w->m.h, &c->cost))
			continue;
		if (w->best && !cr_table_is_among(w->best, w->m.h->spec, &c->cost, c->depth)) {
			w->m.h->n_unmade++;
			continue;
		}
		cr_vec_push(&w->m.rows,
			((struct cr_table_row){
				.group = w->group, .code = w->met.p[i], .depth = c->depth}));
		cr_vec_push(&w->m.costs, c->cost);
	}
	w->met.n = 0;
}

/* ---- the path */

/* Add a node to the path, whose innermost node is its parent. */
static void
enter(struct walk *w, uint32_t node)
{
	const struct cr_location_frames *f = &w->s->frames;
	const uint32_t location = w->p->node_location[node];
	struct level *l;

	if (w->n == w->levels.n)
		cr_vec_push(&w->levels, ((struct level){0}));
	l = &w->levels.p[w->n++];
	l->end = w->p->node_end[node];
	l->node = node;
	l->weight = l->samples = 0;
	l->depth = l[-1].depth;
	l->leaf = l[-1].leaf;
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

/* The root, which has no frames. */
static void
enter_root(struct walk *w)
{
	if (!w->levels.n)
		cr_vec_push(&w->levels, ((struct level){0}));
	w->levels.p[0] = (struct level){
		.end = w->p->n_nodes, .depth = w->s->groups.n_keys, .leaf = {NO_PLACE, 0}};
	w->n = 1;
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

	for (const struct place *k = l->to; k > l->from; depth--) {
		struct code *c;

		if (--w->codes[(--k)->code].on_path)
			continue;
		c = code_met(w, k->code);
		c->cost.total = cr_add_sat(c->cost.total, l->weight);
		c->cost.total_samples = cr_add_sat(c->cost.total_samples, l->samples);
		c->depth = CR_MIN(c->depth, depth);
	}
	l[-1].weight = cr_add_sat(l[-1].weight, l->weight);
	l[-1].samples = cr_add_sat(l[-1].samples, l->samples);
}

/* Make the path that of a node: those after it are on no path that is left. */
static void
go_to(struct walk *w, uint32_t node)
{
	while (w->levels.p[w->n - 1].end <= node)
		leave(w);
	w->below.n = 0;
	for (uint32_t n = node; n != w->levels.p[w->n - 1].node; n = w->p->node_parent[n])
		cr_vec_push(&w->below, n);
	while (w->below.n)
		enter(w, w->below.p[--w->below.n]);
}

/* Add the cost of the stacks that end at the innermost node. */
static void
add_sum(struct walk *w, const struct cr_fold_template_sum *sum)
{
	struct level *l = &w->levels.p[w->n - 1];
	const bool any = l->leaf.code != NO_PLACE;
	struct code *c = code_met(w, any ? l->leaf.code : w->m.no_code);
	uint64_t *mode = l->leaf.kernel ? &c->cost.kernel : &c->cost.user;

	l->weight = cr_add_sat(l->weight, sum->weight);
	l->samples = cr_add_sat(l->samples, sum->samples);
	c->cost.self = cr_add_sat(c->cost.self, sum->weight);
	c->cost.self_samples = cr_add_sat(c->cost.self_samples, sum->samples);
	if (any) {
		*mode = cr_add_sat(*mode, sum->weight);
		return;
	}
	c->cost.total = cr_add_sat(c->cost.total, sum->weight);
	c->cost.total_samples = cr_add_sat(c->cost.total_samples, sum->samples);
	c->depth = CR_MIN(c->depth, l->depth);
}

#define AHEAD 8u /* sums */
/* With a larger limit all rows are made: a heap of so many would take more than it saves. */
#define FIRST_MOST (1u << 16)

/* Prefetch what the stacks need that come soon. */
static void
look_ahead(const struct walk *w, size_t i)
{
	struct place place;

	if (i + AHEAD >= w->s->n)
		return;
	place = w->only[w->p->node_location[w->s->sums[i + AHEAD].node]];
	if (place.code != NO_PLACE)
		__builtin_prefetch(&w->codes[place.code], 1);
}

/* ---- groups */

/* A group of the sums, and that of the table. Several of the former may be one of the latter. */
struct pair {
	uint32_t of_sums, of_table;
};

static int
by_table(const void *x, const void *y)
{
	const struct pair *a = x, *b = y;

	return (a->of_table > b->of_table) - (a->of_table < b->of_table);
}

static struct pair *
groups_paired(struct walk *w)
{
	const struct cr_fold_template_groups *g = &w->s->groups;
	struct pair *pairs = cr_alloc(CR_MAX(g->n, 1u), sizeof(*pairs));

	for (uint32_t i = 0; i < g->n; i++)
		pairs[i] = (struct pair){i, cr_table_group_of(&w->m, g->frames,
						    g->way + (size_t)i * g->n_keys, g->n_keys)};
	qsort(pairs, g->n, sizeof(*pairs), by_table);
	return pairs;
}

/* Walk the stacks of one group after the other, so that each code has one row at a time. */
static void
walk_groups(struct walk *w, const struct pair *pairs)
{
	const struct cr_stack_sums *s = w->s;

	for (uint32_t g = 0; g < s->groups.n; g++) {
		const uint32_t of = pairs[g].of_sums;

		if (g && pairs[g].of_table != w->group)
			group_ends(w);
		w->group = pairs[g].of_table;
		enter_root(w);
		for (size_t i = of ? s->ends[of - 1] : 0; i < s->ends[of]; i++) {
			look_ahead(w, i);
			go_to(w, s->sums[i].node);
			add_sum(w, &s->sums[i]);
		}
		while (w->n > 1)
			leave(w);
	}
	group_ends(w);
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
	struct pair *pairs;

	*out = (struct cr_table){.spec = spec, .sides = 1};
	out->whole[0] = out->tree_whole = cr_tree_whole(s->root, 0);
	out->whole_samples[0] = s->root->total_samples[0][0];
	cr_table_maker_keys(&w.m);
	w.m.frames = cr_alloc(w.m.n_frames, sizeof(*w.m.frames));
	find_used(&w);
	cr_table_maker_codes(&w.m);
	find_places(&w);
	pairs = groups_paired(&w);
	make_codes(&w);
	w.best = spec->first <= FIRST_MOST ? cr_table_best_new(spec) : NULL;
	walk_groups(&w, pairs);
	free(w.codes_at);
	free(w.places);
	free(w.only);
	cr_table_best_free(w.best);
	free(pairs);
	cr_vec_fini(&w.levels);
	cr_vec_fini(&w.below);
	cr_vec_fini(&w.met);
	cr_table_maker_finish(&w.m);
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
