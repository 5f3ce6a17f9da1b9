#include "model/tree/default_tree_proof.h"

#include "base/hash.h"
#include "model/tree/default_tree.h"

#include <stdlib.h>

/* ---- arithmetic modulo the prime 2^61 - 1: in a field errors cannot cancel out systematically */

#define PRIME ((UINT64_C(1) << 61) - 1)

static inline uint64_t
reduced(uint64_t x)
{
	x = (x & PRIME) + (x >> 61);
	return x >= PRIME ? x - PRIME : x;
}

static inline uint64_t
sum_of(uint64_t a, uint64_t b)
{
	return a + b >= PRIME ? a + b - PRIME : a + b;
}

/* a and b must be less than the prime. */
static inline uint64_t
product_of(uint64_t a, uint64_t b)
{
	const struct cr_wide w = cr_wide_mul(a, b);

	return reduced((w.lo & PRIME) + (w.hi << 3 | w.lo >> 61));
}

/* ---- the random numbers */

enum { OF_ROOT, OF_FUNCTION, OF_COMM, OF_EVENT };

struct cr_default_tree_proof {
	uint64_t *node;  /* by node of the location tree */
	uint64_t *task;  /* by task: number of its comm */
	uint64_t *event; /* by event: its own number plus that of the sum it is part of */
	uint8_t *counts; /* by event: a row stands for as many samples as its weight */
	struct cr_default_tree_sum default_tree;
};

static uint64_t
number_of(unsigned what, uint64_t which)
{
	return cr_hash_mix(which, what);
}

static uint64_t
number_of_comm(struct cr_str comm)
{
	return number_of(OF_COMM, cr_hash(comm.p, comm.len));
}

/* By location the number of its function, where it has one line alone: most have. */
static uint64_t *
numbers_of_locations(const struct cr_profile *p)
{
	uint64_t *number = cr_alloc(CR_MAX(p->n_locations, 1u), sizeof(*number));

	for (uint32_t i = 0; i < p->n_locations; i++)
		if (p->locations[i].lines == 1)
			number[i] = number_of(
				OF_FUNCTION, p->lines[p->locations[i].first_line].function.i);
	return number;
}

/* The number of a stack that was h, and is longer by the functions of a location. */
static uint64_t
number_with_lines(const struct cr_profile *p, const struct cr_location *l, uint64_t h)
{
	for (uint32_t k = l->first_line + l->lines; k-- > l->first_line;)
		h = cr_hash_mix(h, number_of(OF_FUNCTION, p->lines[k].function.i));
	return h;
}

/* Not reduced to 61 bits: the numbers of longer stacks are computed from them. */
static uint64_t *
numbers_of_nodes(const struct cr_profile *p)
{
	uint64_t *node = cr_alloc(CR_MAX(p->n_nodes, 1u), sizeof(*node));
	uint64_t *location = numbers_of_locations(p);

	node[0] = number_of(OF_ROOT, 0);
	for (uint32_t i = 1; i < p->n_nodes; i++) {
		const uint32_t at = p->node_location[i];
		const uint64_t h = node[p->node_parent[i]];

		node[i] = location[at] ? cr_hash_mix(h, location[at])
				       : number_with_lines(p, &p->locations[at], h);
	}
	free(location);
	return node;
}

/* By node of the default tree: number of its stack times number of its comm. */
static uint64_t *
numbers_of_default_tree(const struct cr_profile *p)
{
	const struct cr_default_tree *o = p->default_tree;
	const bool by_comm = cr_profile_by_comm(p);
	uint64_t *h = cr_alloc(o->n, sizeof(*h)), *out = cr_alloc(o->n, sizeof(*out));
	uint64_t group = reduced(number_of(OF_ROOT, 1));
	const uint64_t none = group;

	h[0] = number_of(OF_ROOT, 0);
	out[0] = product_of(group, reduced(h[0]));
	for (uint32_t i = 1; i < o->n; i++) {
		const uint32_t function = o->frame_function[o->frame[i]];
		const struct cr_str comm = o->frame_comm[o->frame[i]];
		const bool is_top = o->parent[i] == 0;

		if (is_top)
			group = none;
		h[i] = h[o->parent[i]];
		if (function != CR_NO_ROW)
			h[i] = cr_hash_mix(h[i], number_of(OF_FUNCTION, function));
		else if (is_top && by_comm)
			group = reduced(number_of_comm(comm));
		else
			h[i] = cr_hash_mix(h[i], number_of_comm(comm));
		out[i] = product_of(group, reduced(h[i]));
	}
	free(h);
	return out;
}

static uint64_t
number_of_event(uint32_t event)
{
	return reduced(number_of(OF_EVENT, event));
}

static struct cr_default_tree_sum
sum_of_default_tree(const struct cr_profile *p)
{
	const struct cr_default_tree *o = p->default_tree;
	uint64_t *number = numbers_of_default_tree(p);
	struct cr_default_tree_sum sum = {0};

	for (uint32_t e = 0; e < o->n_events; e++) {
		const uint64_t *self = o->self + (size_t)e * o->n;
		const uint64_t *samples = o->self_samples + (size_t)e * o->n;
		struct cr_default_tree_sum of_event = {0};

		for (uint32_t i = 0; i < o->n; i++) {
			if (!self[i] && !samples[i]) /* true for most inner nodes */
				continue;
			of_event.weight =
				sum_of(of_event.weight, product_of(number[i], reduced(self[i])));
			of_event.samples = sum_of(
				of_event.samples, product_of(number[i], reduced(samples[i])));
		}
		sum.weight = sum_of(sum.weight, product_of(of_event.weight, number_of_event(e)));
		sum.samples = sum_of(sum.samples, product_of(of_event.samples, number_of_event(e)));
	}
	free(number);
	return sum;
}

/* True if a weight was capped at UINT64_MAX, so that sums cannot be compared. */
static bool
has_capped(const struct cr_profile *p)
{
	for (uint32_t e = 0; e < p->n_events; e++)
		if (p->events[e].weight == UINT64_MAX)
			return true;
	return false;
}

struct cr_default_tree_proof *
cr_default_tree_proof_new(const struct cr_profile *p)
{
	struct cr_default_tree_proof *proof;
	uint32_t *sum1;

	if (has_capped(p))
		return NULL;
	proof = cr_alloc(1, sizeof(*proof));
	sum1 = cr_default_tree_sums(p);
	proof->node = numbers_of_nodes(p);
	for (uint32_t i = 0; i < p->n_nodes; i++)
		proof->node[i] = reduced(proof->node[i]);
	proof->task = cr_alloc(CR_MAX(p->n_tasks, 1u), sizeof(*proof->task));
	for (uint32_t i = 0; i < p->n_tasks; i++)
		proof->task[i] = reduced(cr_profile_by_comm(p) ? number_of_comm(p->tasks[i].comm)
							       : number_of(OF_ROOT, 1));
	proof->event = cr_alloc(CR_MAX(p->n_events, 1u), sizeof(*proof->event));
	proof->counts = cr_alloc(CR_MAX(p->n_events, 1u), 1);
	for (uint32_t e = 0; e < p->n_events; e++) {
		proof->event[e] = number_of_event(e);
		if (sum1[e])
			proof->event[e] = sum_of(proof->event[e], number_of_event(sum1[e] - 1));
		proof->counts[e] = cr_event_counts_samples(&p->events[e]);
	}
	free(sum1);
	proof->default_tree = sum_of_default_tree(p);
	return proof;
}

void
cr_default_tree_proof_free(struct cr_default_tree_proof *proof)
{
	if (!proof)
		return;
	free(proof->node);
	free(proof->task);
	free(proof->event);
	free(proof->counts);
	free(proof);
}

/* ---- sample rows */

#define ROWS 1024u /* processed together */

/* Add rows of a single event. */
static void
add_run(const struct cr_default_tree_proof *proof, const struct cr_default_tree_rows *rows,
	uint32_t from, uint32_t to, struct cr_default_tree_sum *sum)
{
	const uint32_t event = rows->event[from];
	const uint64_t first = rows->weight[from];
	uint64_t numbers = 0, weight = 0;
	bool same = true;

	for (uint32_t i = from; i < to; i++)
		same &= rows->weight[i] == first;
	for (uint32_t i = from; i < to; i++) {
		const uint64_t x =
			product_of(proof->task[rows->task[i]], proof->node[rows->node[i]]);

		numbers = sum_of(numbers, x);
		if (!same)
			weight = sum_of(weight, product_of(x, reduced(rows->weight[i])));
	}
	if (same)
		weight = product_of(numbers, reduced(first));
	weight = product_of(weight, proof->event[event]);
	sum->weight = sum_of(sum->weight, weight);
	sum->samples = sum_of(sum->samples,
		proof->counts[event] ? weight : product_of(numbers, proof->event[event]));
}

void
cr_default_tree_proof_add(const struct cr_default_tree_proof *proof,
	const struct cr_default_tree_rows *rows, struct cr_default_tree_sum *sum)
{
	for (uint32_t from = 0, to; from < rows->n; from = to) {
		for (to = from + 1;
			to < rows->n && to - from < ROWS && rows->event[to] == rows->event[from];)
			to++;
		add_run(proof, rows, from, to, sum);
	}
}

void
cr_default_tree_proof_join(struct cr_default_tree_sum *sum, const struct cr_default_tree_sum *more)
{
	sum->weight = sum_of(sum->weight, more->weight);
	sum->samples = sum_of(sum->samples, more->samples);
}

bool
cr_default_tree_proof_holds(
	const struct cr_default_tree_proof *proof, const struct cr_default_tree_sum *sum)
{
	return sum->weight == proof->default_tree.weight &&
	       sum->samples == proof->default_tree.samples;
}
