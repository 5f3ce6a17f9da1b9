#include "query/table/chains.h"

#include "base/hash.h"
#include "base/vec.h"

#include <stdlib.h>

/* A node of the tree that is part of a frame of a chain, and its weight there. */
struct source {
	uint32_t node;
	bool whole; /* of stacks that end in the row, which are shown from their outermost frame */
	uint32_t next1; /* next source of the chain, + 1 */
	uint64_t weight, samples;
};

/* A frame of a chain being made. */
struct growing {
	struct cr_chain chain;
	uint32_t source1; /* its first source, + 1 */
};

struct cr_chains {
	const struct cr_tree *t;
	const struct cr_table *h;
	struct cr_chain_opts o;
	uint32_t *alike;  /* by frame: the first one that is equal in a chain */
	uint32_t *occurs; /* nodes sorted by row, in preorder for each row */
	uint32_t *first;  /* by row: its range in occurs; one more than rows */
	uint32_t *tops;   /* outermost nodes that are code */
	uint32_t n_tops;
	uint32_t *child1; /* by frame: child of the current chain that has it, + 1 */
	/* Of the current row: */
	uint32_t row;
	uint64_t *weight_sum, *samples_sum; /* prefix sums of self, by occurrence, plus one */
	CR_VEC(struct growing) chains;
	CR_VEC(struct source) sources;
	uint32_t spare1; /* first free element of sources, + 1; it links to the next one */
};

/* ---- what rows share */

static bool
same_in_chain(const struct cr_frame *a, const struct cr_frame *b, enum cr_chain_key key)
{
	if (a->kind != b->kind || a->inlined != b->inlined || !cr_str_eq(a->name, b->name) ||
		!cr_str_eq(a->dso, b->dso))
		return false;
	if (key == CR_CHAIN_SRCLINE && (a->line != b->line || !cr_str_eq(a->file, b->file)))
		return false;
	if (key == CR_CHAIN_ADDRESS || cr_frame_is_nameless(a))
		return a->number == b->number;
	return a->function1 == b->function1 || a->inlined;
}

/* In chains of functions, frames of one function's lines or addresses are equal. */
static uint32_t *
find_alike(const struct cr_tree *t, enum cr_chain_key key)
{
	uint32_t *alike = cr_alloc(t->n_frames, sizeof(*alike));
	struct cr_index ix = {0};

	for (uint32_t i = 0; i < t->n_frames; i++) {
		const struct cr_frame *f = &t->frames[i];
		const uint64_t h = cr_hash_mix(cr_hash(f->name.p, f->name.len),
			cr_hash(f->dso.p, f->dso.len) +
				(key == CR_CHAIN_FUNCTION && !cr_frame_is_nameless(f)
						? 0
						: f->number * 8191 + f->line));
		uint32_t k;

		cr_index_each(&ix, h, k)
			if (same_in_chain(f, &t->frames[k], key))
				break;
		alike[i] = k == CR_NO_ROW ? i : k;
		if (k == CR_NO_ROW)
			cr_index_add(&ix, h, i);
	}
	cr_index_fini(&ix);
	return alike;
}

static bool
is_code(const struct cr_tree *t, uint32_t node)
{
	return t->frames[t->frame[node]].kind != CR_KIND_GROUP;
}

static void
sort_nodes(struct cr_chains *c)
{
	const struct cr_tree *t = c->t;
	uint32_t *at;

	c->first = cr_alloc((uint64_t)c->h->n + 1, sizeof(*c->first));
	for (uint32_t n = 0; n < t->n; n++)
		if (c->h->node_row[n] != CR_NO_ROW)
			c->first[c->h->node_row[n] + 1]++;
	for (uint32_t i = 0; i < c->h->n; i++)
		c->first[i + 1] += c->first[i];
	at = cr_alloc((uint64_t)c->h->n + 1, sizeof(*at));
	memcpy(at, c->first, ((size_t)c->h->n + 1) * sizeof(*at));
	c->occurs = cr_alloc((uint64_t)c->first[c->h->n] + 1, sizeof(*c->occurs));
	c->tops = cr_alloc((uint64_t)t->n + 1, sizeof(*c->tops));
	for (uint32_t n = 0; n < t->n; n++) {
		if (c->h->node_row[n] != CR_NO_ROW)
			c->occurs[at[c->h->node_row[n]]++] = n;
		if (is_code(t, n) && !is_code(t, t->parent[n]))
			c->tops[c->n_tops++] = n;
	}
	free(at);
}

struct cr_chains *
cr_chains_new(const struct cr_tree *t, const struct cr_table *h, const struct cr_chain_opts *o)
{
	struct cr_chains *c = cr_alloc(1, sizeof(*c));

	c->t = t;
	c->h = h;
	c->o = *o;
	c->alike = find_alike(t, (enum cr_chain_key)o->key);
	c->child1 = cr_alloc(t->n_frames, sizeof(*c->child1));
	sort_nodes(c);
	return c;
}

void
cr_chains_free(struct cr_chains *c)
{
	if (!c)
		return;
	free(c->alike);
	free(c->occurs);
	free(c->first);
	free(c->tops);
	free(c->child1);
	cr_vec_fini(&c->chains);
	cr_vec_fini(&c->sources);
	free(c);
}

/* ---- one row */

/* The first of the row's occurrences at or after a node. */
static uint32_t
occurrence_from(const struct cr_chains *c, uint32_t node)
{
	uint32_t lo = c->first[c->row], hi = c->first[c->row + 1];

	while (lo < hi) {
		const uint32_t mid = lo + (hi - lo) / 2;

		if (c->occurs[mid] < node)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo - c->first[c->row];
}

/*
 * Split a subtree's weight: what was sampled in the row belongs to whole stacks, the rest to stacks
 * from the row on.
 */
static void
weigh(const struct cr_chains *c, struct source *s)
{
	const struct cr_tree *t = c->t;
	const uint32_t from = occurrence_from(c, s->node), to = occurrence_from(c, t->end[s->node]);
	const uint64_t weight = c->weight_sum[to] - c->weight_sum[from];
	const uint64_t samples = c->samples_sum[to] - c->samples_sum[from];

	s->weight = s->whole ? weight : t->total[0][s->node] - weight;
	s->samples = s->whole ? samples : t->total_samples[0][s->node] - samples;
}

static void
sum_up(struct cr_chains *c)
{
	const uint32_t from = c->first[c->row], n = c->first[c->row + 1] - from;

	c->weight_sum = cr_alloc((uint64_t)n + 1, sizeof(*c->weight_sum));
	c->samples_sum = cr_alloc((uint64_t)n + 1, sizeof(*c->samples_sum));
	for (uint32_t i = 0; i < n; i++) {
		c->weight_sum[i + 1] =
			cr_add_sat(c->weight_sum[i], c->t->self[0][c->occurs[from + i]]);
		c->samples_sum[i + 1] =
			cr_add_sat(c->samples_sum[i], c->t->self_samples[0][c->occurs[from + i]]);
	}
}

/* Returns its index, + 1. */
static uint32_t
put_source(struct cr_chains *c, const struct source *s)
{
	const uint32_t place1 = c->spare1;

	if (!place1) {
		cr_vec_push(&c->sources, *s);
		return (uint32_t)c->sources.n;
	}
	c->spare1 = c->sources.p[place1 - 1].next1;
	c->sources.p[place1 - 1] = *s;
	return place1;
}

/* Free the element of a source; returns the next source. */
static uint32_t
drop_source(struct cr_chains *c, uint32_t place1)
{
	const uint32_t next1 = c->sources.p[place1 - 1].next1;

	c->sources.p[place1 - 1].next1 = c->spare1;
	c->spare1 = place1;
	return next1;
}

/* Add a source to the child with its frame. */
static void
move(struct cr_chains *c, uint32_t parent, struct source s)
{
	const uint32_t frame = c->alike[c->t->frame[s.node]];
	struct growing *g;

	if (!s.weight && !s.samples)
		return;
	if (!c->child1[frame]) {
		cr_vec_push(&c->chains,
			((struct growing){.chain = {.frame = frame, .parent = parent}}));
		c->child1[frame] = (uint32_t)c->chains.n;
	}
	g = &c->chains.p[c->child1[frame] - 1];
	g->chain.weight = cr_add_sat(g->chain.weight, s.weight);
	g->chain.samples = cr_add_sat(g->chain.samples, s.samples);
	s.next1 = g->source1;
	g->source1 = put_source(c, &s);
}

static void
end_here(struct cr_chains *c, uint32_t chain, uint64_t weight, uint64_t samples)
{
	struct cr_chain *k = &c->chains.p[chain].chain;

	k->own = cr_add_sat(k->own, weight);
	k->own_samples = cr_add_sat(k->own_samples, samples);
}

/* Callers first: the next frames are the children of its nodes. */
static void
move_in(struct cr_chains *c, uint32_t chain, const struct source *s)
{
	const struct cr_tree *t = c->t;
	const uint32_t n = s->node;
	const bool in_row = c->h->node_row[n] == c->row;

	if (s->whole && in_row)
		end_here(c, chain, t->self[0][n], t->self_samples[0][n]);
	else if (!s->whole) /* it ends there and was not sampled in the row */
		end_here(c, chain, t->weight[0][n] - (in_row ? t->self[0][n] : 0),
			t->samples[0][n] - (in_row ? t->self_samples[0][n] : 0));
	for (uint32_t k = n + 1; k < t->end[n]; k = t->end[k]) {
		struct source child = {.node = k, .whole = s->whole};

		weigh(c, &child);
		move(c, chain, child);
	}
}

static void
move_out(struct cr_chains *c, uint32_t chain, const struct source *s)
{
	struct source caller = *s;

	caller.node = c->t->parent[s->node];
	if (is_code(c->t, caller.node))
		move(c, chain, caller);
	else
		end_here(c, chain, s->weight, s->samples);
}

/* Start the chains with callers first. */
static void
start_in(struct cr_chains *c)
{
	const struct cr_tree *t = c->t;
	uint32_t end = 0;

	for (uint32_t i = 0; i < c->n_tops; i++) {
		struct source s = {.node = c->tops[i], .whole = true};

		weigh(c, &s);
		move(c, 0, s);
	}
	for (uint32_t i = c->first[c->row]; i < c->first[c->row + 1] && !c->o.self_only; i++) {
		struct source s = {.node = c->occurs[i]};

		if (s.node < end)
			continue; /* below another node of the row */
		end = t->end[s.node];
		weigh(c, &s);
		move(c, 0, s);
	}
}

/* Start with callees first: at each node of the row, with the part not further in. */
static void
start_out(struct cr_chains *c)
{
	const struct cr_tree *t = c->t;
	const uint32_t from = c->first[c->row], n = c->first[c->row + 1] - from;
	struct source *s = cr_alloc((uint64_t)n + 1, sizeof(*s));
	uint32_t *open = cr_alloc((uint64_t)n + 1, sizeof(*open)), depth = 0;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t node = c->occurs[from + i];

		s[i] = (struct source){.node = node,
			.weight = t->total[0][node],
			.samples = t->total_samples[0][node]};
		while (depth && t->end[s[open[depth - 1]].node] <= node)
			depth--;
		if (depth && !c->o.self_only) {
			s[open[depth - 1]].weight -= s[i].weight;
			s[open[depth - 1]].samples -= s[i].samples;
		}
		open[depth++] = i;
		if (c->o.self_only)
			s[i] = (struct source){.node = node,
				.weight = t->self[0][node],
				.samples = t->self_samples[0][node]};
	}
	for (uint32_t i = 0; i < n; i++)
		move(c, 0, s[i]);
	free(s);
	free(open);
}

static int
by_weight(const void *x, const void *y)
{
	const struct cr_chain *a = &((const struct growing *)x)->chain,
			      *b = &((const struct growing *)y)->chain;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return (a->frame > b->frame) - (a->frame < b->frame);
}

/*
 * Remove the children below the minimum weight, with everything in them. Children are the last
 * chains made.
 */
static void
finish_children(struct cr_chains *c, uint32_t parent, uint32_t from, uint64_t least)
{
	for (size_t i = from; i < c->chains.n; i++)
		c->child1[c->chains.p[i].chain.frame] = 0;
	if (c->chains.n > from)
		qsort(&c->chains.p[from], c->chains.n - from, sizeof(*c->chains.p), by_weight);
	while (c->chains.n > from && c->chains.p[c->chains.n - 1].chain.weight < least)
		for (uint32_t at1 = c->chains.p[--c->chains.n].source1; at1;)
			at1 = drop_source(c, at1);
	if (c->chains.n == from)
		return;
	c->chains.p[parent].chain.first = from;
	for (uint32_t i = from; i + 1 < c->chains.n; i++)
		c->chains.p[i].chain.next = i + 1;
}

/* Minimum weight of a child: a share of the whole, or of what continues from its parent. */
static uint64_t
least_of(const struct cr_chains *c, uint32_t chain)
{
	const struct cr_chain *k = &c->chains.p[chain].chain;

	if (c->o.mode != CR_CHAIN_FRACTAL)
		return (uint64_t)((double)c->h->tree_whole * (c->o.min_percent / 100));
	return (uint64_t)((double)(k->weight - CR_MIN(k->own, k->weight)) *
				  (c->o.min_percent / 100) +
			  0.999999);
}

static void
expand(struct cr_chains *c, uint32_t chain)
{
	const uint32_t from = (uint32_t)c->chains.n;
	uint32_t at1 = c->chains.p[chain].source1;

	while (at1) {
		const struct source s = c->sources.p[at1 - 1];

		if (c->o.callees_first)
			move_out(c, chain, &s);
		else
			move_in(c, chain, &s);
		at1 = drop_source(c, at1);
	}
	finish_children(c, chain, from, least_of(c, chain));
}

uint32_t
cr_chains_of(struct cr_chains *c, uint32_t row, struct cr_chain **out)
{
	const struct cr_table_cost *cost = &c->h->rows[row].cost[c->h->main];

	c->row = row;
	c->chains.n = c->sources.n = c->spare1 = 0;
	sum_up(c);
	cr_vec_push(&c->chains,
		((struct growing){.chain = {.weight = c->o.self_only ? cost->self : cost->total,
					  .samples = c->o.self_only ? cost->self_samples
								    : cost->total_samples}}));
	if (c->o.callees_first)
		start_out(c);
	else
		start_in(c);
	finish_children(c, 0, 1, least_of(c, 0));
	for (uint32_t i = 1; i < c->chains.n; i++)
		expand(c, i);
	free(c->weight_sum);
	free(c->samples_sum);
	*out = cr_alloc(c->chains.n, sizeof(**out));
	for (size_t i = 0; i < c->chains.n; i++)
		(*out)[i] = c->chains.p[i].chain;
	return (uint32_t)c->chains.n;
}
