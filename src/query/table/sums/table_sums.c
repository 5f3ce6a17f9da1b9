#include "query/table/sums/table_sums.h"

#include "query/table/table_p.h"
#include "sum_bounds_p.h"
#include "sum_codes_p.h"

#include <stdlib.h>
#include <string.h>

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
	uint32_t end;                    /* of its subtree */
	uint32_t node;                   /* its number */
	uint32_t depth;                  /* of its innermost frame, below the groups */
	const struct cr_sum_place *from; /* its frames */
	const struct cr_sum_place *to;   /* their end, after the innermost */
	uint64_t weight, samples;        /* of the stacks so far that go through it */
};

struct walk {
	struct cr_table_maker m;
	const struct cr_stack_sums *s;
	const struct cr_profile *p;
	struct cr_sum_codes c;
	struct cr_sum_chosen chosen; /* the codes that have a slot; slot is NULL if all have */
	uint32_t *chosen_code;       /* by slot: its code */
	struct code *codes;          /* by code, or by slot */
	void *codes_at;              /* their memory */
	uint32_t group;              /* the group of the table whose stacks are walked */
	CR_VEC(uint32_t) met;        /* the codes that have a cost in it, or their slots */
	CR_VEC(struct level) levels;
	uint32_t n;             /* how many of them are on the path */
	CR_VEC(uint32_t) below; /* nodes that are to be added to the path, the innermost first */
	struct cr_table_best
		*best; /* of the rows so far, see cr_table_is_among(); NULL: all are made */
};

/* Where a code is in w->codes; CR_NO_ROW if it was not chosen. */
static inline uint32_t
slot_of(const struct walk *w, uint32_t code)
{
	return w->chosen.slot ? w->chosen.slot[code] : code;
}

static void
make_codes(struct walk *w)
{
	const uint32_t n = w->chosen.slot ? w->chosen.n : w->c.n;

	w->codes_at = cr_alloc((uint64_t)n + 1, sizeof(*w->codes));
	w->codes = (struct code *)(((uintptr_t)w->codes_at + CACHE_LINE - 1) / CACHE_LINE *
				   CACHE_LINE);
	if (!w->chosen.slot)
		return;
	w->chosen_code = cr_alloc((uint64_t)n + 1, sizeof(*w->chosen_code));
	for (uint32_t i = 0; i < w->c.n; i++)
		if (w->chosen.slot[i] != CR_NO_ROW)
			w->chosen_code[w->chosen.slot[i]] = i;
}

/* What is at a slot, whose cost in the group is added to. */
static struct code *
code_met(struct walk *w, uint32_t slot)
{
	struct code *c = &w->codes[slot];

	if (c->group1 == w->group + 1)
		return c;
	c->cost = (struct cr_table_cost){0};
	c->depth = UINT32_MAX;
	c->group1 = w->group + 1;
	cr_vec_push(&w->met, slot);
	return c;
}

/* Make the rows of the group: a row for each code that was met, if it may be shown. */
static void
group_ends(struct walk *w)
{
	for (size_t i = 0; i < w->met.n; i++) {
		const uint32_t slot = w->met.p[i];
		const struct code *c = &w->codes[slot];

		if (!cr_table_cost_is_kept(w->m.h, &c->cost))
			continue;
		if (w->best && !cr_table_is_among(w->best, w->m.h->spec, &c->cost, c->depth)) {
			w->m.h->n_unmade++;
			continue;
		}
		cr_vec_push(
			&w->m.rows, ((struct cr_table_row){.group = w->group,
					    .code = w->chosen_code ? w->chosen_code[slot] : slot,
					    .depth = c->depth}));
		cr_vec_push(&w->m.costs, c->cost);
	}
	w->met.n = 0;
}

/* ---- the path */

/* The nearest node that has to be on the path: the node itself, or a caller. */
static inline uint32_t
near(const struct walk *w, uint32_t node)
{
	return w->chosen.near ? w->chosen.near[node] : node;
}

/* Add a node to the path, whose innermost node is its parent or the nearest caller. */
static void
enter(struct walk *w, uint32_t node)
{
	struct level *l;

	if (w->n == w->levels.n)
		cr_vec_push(&w->levels, ((struct level){0}));
	l = &w->levels.p[w->n++];
	l->end = w->p->node_end[node];
	l->node = node;
	l->weight = l->samples = 0;
	cr_sum_codes_at(&w->c, w->p->node_location[node], &l->from, &l->to);
	l->depth = w->chosen.depth ? w->s->groups.n_keys + w->chosen.depth[node]
				   : l[-1].depth + (uint32_t)(l->to - l->from);
	for (const struct cr_sum_place *k = l->from; k < l->to; k++) {
		const uint32_t slot = slot_of(w, k->code);

		if (slot != CR_NO_ROW)
			w->codes[slot].on_path++;
	}
}

/* The root, which has no frames. */
static void
enter_root(struct walk *w)
{
	if (!w->levels.n)
		cr_vec_push(&w->levels, ((struct level){0}));
	w->levels.p[0] = (struct level){.end = w->p->n_nodes, .depth = w->s->groups.n_keys};
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

	for (const struct cr_sum_place *k = l->to; k > l->from; depth--) {
		const uint32_t slot = slot_of(w, (--k)->code);
		struct code *c;

		if (slot == CR_NO_ROW || --w->codes[slot].on_path)
			continue;
		c = code_met(w, slot);
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
	for (uint32_t n = near(w, node); n != w->levels.p[w->n - 1].node;
		n = near(w, w->p->node_parent[n]))
		cr_vec_push(&w->below, n);
	while (w->below.n)
		enter(w, w->below.p[--w->below.n]);
}

/* Add the cost of the stacks without frames. */
static void
add_stackless(struct walk *w, const struct cr_fold_template_sum *sum)
{
	struct code *c = code_met(w, slot_of(w, w->m.no_code));

	c->cost.self = cr_add_sat(c->cost.self, sum->weight);
	c->cost.self_samples = cr_add_sat(c->cost.self_samples, sum->samples);
	c->cost.total = cr_add_sat(c->cost.total, sum->weight);
	c->cost.total_samples = cr_add_sat(c->cost.total_samples, sum->samples);
	c->depth = CR_MIN(c->depth, w->s->groups.n_keys);
}

/* Add the cost of the stacks that end at a node, which the path leads to. */
static void
add_sum(struct walk *w, const struct cr_fold_template_sum *sum)
{
	struct level *l = &w->levels.p[w->n - 1];
	struct cr_sum_place leaf;
	struct code *c;
	uint64_t *mode;
	uint32_t slot;

	l->weight = cr_add_sat(l->weight, sum->weight);
	l->samples = cr_add_sat(l->samples, sum->samples);
	if (!sum->node) {
		add_stackless(w, sum);
		return;
	}
	leaf = cr_sum_codes_leaf(&w->c, w->p->node_location[sum->node]);
	if ((slot = slot_of(w, leaf.code)) == CR_NO_ROW)
		return;
	c = code_met(w, slot);
	mode = leaf.kernel ? &c->cost.kernel : &c->cost.user;
	c->cost.self = cr_add_sat(c->cost.self, sum->weight);
	c->cost.self_samples = cr_add_sat(c->cost.self_samples, sum->samples);
	*mode = cr_add_sat(*mode, sum->weight);
}

#define AHEAD 8u /* sums */
/* With a larger limit all rows are made: a heap of so many would take more than it saves. */
#define FIRST_MOST (1u << 16)

/* Prefetch what the stacks need that come soon. */
static void
look_ahead(const struct walk *w, size_t i)
{
	struct cr_sum_place place;

	if (i + AHEAD >= w->s->n || w->chosen.slot)
		return;
	place = w->c.only[w->p->node_location[w->s->sums[i + AHEAD].node]];
	if (place.code != CR_SUM_NO_CODE)
		__builtin_prefetch(&w->codes[place.code], 1);
}

/* ---- groups */

static int
by_table(const void *x, const void *y)
{
	const struct cr_sum_group *a = x, *b = y;

	return (a->of_table > b->of_table) - (a->of_table < b->of_table);
}

static struct cr_sum_group *
groups_paired(struct walk *w)
{
	const struct cr_fold_template_groups *g = &w->s->groups;
	struct cr_sum_group *pairs = cr_alloc(CR_MAX(g->n, 1u), sizeof(*pairs));

	for (uint32_t i = 0; i < g->n; i++)
		pairs[i] = (struct cr_sum_group){
			i, cr_table_group_of(
				   &w->m, g->frames, g->way + (size_t)i * g->n_keys, g->n_keys)};
	qsort(pairs, g->n, sizeof(*pairs), by_table);
	return pairs;
}

/* Walk the stacks of one of n groups after the other, so that each code has one row at a time. */
static void
walk_groups(struct walk *w, const struct cr_sum_group *pairs, uint32_t n)
{
	const struct cr_stack_sums *s = w->s;

	for (uint32_t g = 0; g < n; g++) {
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

/* Make the rows of n groups: of all codes, or of those that have been chosen. */
static void
make_rows(struct walk *w, const struct cr_sum_group *pairs, uint32_t n)
{
	make_codes(w);
	w->m.rows.n = w->m.costs.n = 0;
	w->m.h->n_unmade = 0;
	w->best = w->m.h->spec->first <= FIRST_MOST ? cr_table_best_new(w->m.h->spec) : NULL;
	walk_groups(w, pairs, n);
	free(w->codes_at);
	free(w->chosen_code);
	w->chosen_code = NULL;
}

/* ---- the first rows only */

/* So many codes are chosen for each row, or all if there are not several times as many. */
#define CHOSEN 2u
#define CHOSEN_FROM 4u
/* Choosing goes through all nodes several times: with fewer codes it costs more than it saves. */
#define NODES_PER_CODE 16u

/* True if so few of the codes may be among the first rows that choosing them is worth it. */
static bool
is_choice(const struct walk *w)
{
	const struct cr_table_spec *spec = w->m.h->spec;

	return spec->first && spec->first <= FIRST_MOST && spec->order[0] < CR_TABLE_COMM &&
	       w->c.n / (CHOSEN * CHOSEN_FROM) > spec->first &&
	       w->c.n > w->p->n_nodes / NODES_PER_CODE;
}

static void
make_chosen_rows(struct walk *w, const struct cr_sum_group *pairs, uint32_t n,
	const uint64_t *bounds, uint64_t least)
{
	cr_table_best_free(w->best);
	cr_sum_chosen_init(&w->chosen, &w->c, bounds, least, w->m.no_code);
	make_rows(w, pairs, n);
	cr_sum_chosen_fini(&w->chosen);
}

/* A group and the weight of its stacks. */
struct weighed {
	uint64_t weight;
	struct cr_sum_group pair;
};

static int
by_weight(const void *x, const void *y)
{
	const struct weighed *a = x, *b = y;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return by_table(&a->pair, &b->pair);
}

#define HEAVY_SHARE 8u /* of the stacks */

/*
 * The groups that weigh the most, with at least 1/HEAVY_SHARE of the stacks; all of them if those
 * have most of the stacks. The caller frees them.
 */
static struct cr_sum_group *
heavy_groups(const struct walk *w, const struct cr_sum_group *pairs, uint32_t *n)
{
	const struct cr_stack_sums *s = w->s;
	struct weighed *all = cr_alloc(s->groups.n, sizeof(*all));
	struct cr_sum_group *heavy = cr_alloc(s->groups.n, sizeof(*heavy));
	size_t stacks = 0;

	for (uint32_t g = 0; g < s->groups.n; g++) {
		const uint32_t of = pairs[g].of_sums;

		all[g].pair = pairs[g];
		for (size_t i = of ? s->ends[of - 1] : 0; i < s->ends[of]; i++)
			all[g].weight = cr_add_sat(all[g].weight, s->sums[i].weight);
	}
	qsort(all, s->groups.n, sizeof(*all), by_weight);
	for (*n = 0; *n < s->groups.n && stacks <= s->n / HEAVY_SHARE; (*n)++) {
		const uint32_t of = all[*n].pair.of_sums;

		heavy[*n] = all[*n].pair;
		stacks += s->ends[of] - (of ? s->ends[of - 1] : 0);
	}
	if (stacks > s->n / 2) {
		*n = s->groups.n;
		memcpy(heavy, pairs, *n * sizeof(*heavy));
	}
	qsort(heavy, *n, sizeof(*heavy), by_table);
	free(all);
	return heavy;
}

/*
 * Make the rows of the codes that may have the largest costs, first those of the heaviest groups.
 * The last of the first rows then tells which codes may be among them, of all groups.
 */
static void
make_first_rows(struct walk *w, const struct cr_sum_group *pairs)
{
	const struct cr_table_spec *spec = w->m.h->spec;
	uint64_t *bounds = cr_sum_bounds(&w->c, spec, w->m.no_code);
	const uint64_t likely = cr_sum_bounds_nth(&w->c, bounds, CHOSEN * spec->first);
	const uint32_t all = w->s->groups.n;
	struct cr_sum_group *heavy;
	uint32_t n;

	heavy = heavy_groups(w, pairs, &n);
	make_chosen_rows(w, heavy, n, bounds, likely);
	free(heavy);
	if (n < all || cr_table_best_least(w->best) < likely)
		make_chosen_rows(w, pairs, all, bounds, cr_table_best_least(w->best));
	free(bounds);
	w->m.h->n_unmade = (uint32_t)(cr_sum_rows(&w->c, spec, w->m.no_code, pairs) - w->m.rows.n);
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
	struct cr_sum_group *pairs;

	*out = (struct cr_table){.spec = spec, .sides = 1};
	out->whole[0] = out->tree_whole = cr_tree_whole(s->root, 0);
	out->whole_samples[0] = s->root->total_samples[0][0];
	cr_table_maker_keys(&w.m);
	w.m.frames = cr_alloc(w.m.n_frames, sizeof(*w.m.frames));
	cr_sum_codes_init(&w.c, &w.m, s);
	pairs = groups_paired(&w);
	if (is_choice(&w))
		make_first_rows(&w, pairs);
	else
		make_rows(&w, pairs, s->groups.n);
	cr_sum_codes_make(&w.c, &w.m);
	cr_sum_codes_fini(&w.c);
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
		uint32_t frame;

		if (!node)
			continue;
		frame = f->run[f->first[s->p->node_location[node] + 1] - 1];
		if (frame >= f->n_frames)
			frame = f->apart[frame - f->n_frames].function + 1;
		if (nameless[frame])
			weight = cr_add_sat(weight, s->sums[i].weight);
	}
	free(nameless);
	return weight;
}
