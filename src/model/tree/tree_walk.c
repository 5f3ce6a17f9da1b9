#include "tree_walk_p.h"

#include "base/work.h"

#include <stdlib.h>
#include <string.h>

/*
 * A place in the location tree: after the first `pos` frames of a node, with the pairs [lo, hi),
 * those of the node and of what is below it.
 */
struct cr_walk_place {
	uint32_t node, pos;
	uint32_t lo, hi;
};

/* Frames of a node that is gathered: in own.frames, if they are few, else in in.run. */
struct cr_walk_run {
	uint32_t from, n;
};

#define COPIED_MOST 4u /* frames of a node that are copied */

#define AFTER_RUN UINT32_MAX /* pos: all frames of the node are passed */

/* A place below one more frame. */
struct cr_walk_step {
	struct cr_walk_place to;
	uint32_t next1; /* another one below the same frame, + 1 */
};

/* A node that is not written yet. Its places are the last ones, from `first` on. */
struct cr_walk_pending {
	uint32_t parent, frame, first;
};

/* By frame: its row in the siblings, if the stamp is that of the family. */
struct cr_walk_seen {
	uint32_t stamp, row;
};

/* ---- sums */

static void
running_init(struct cr_running *r, const struct cr_tree_pairs *pairs, const uint64_t *of)
{
	uint64_t sum = 0;
	uint32_t carry = 0;

	r->sum = cr_realloc(NULL, (uint64_t)pairs->n + 1, sizeof(*r->sum));
	for (uint32_t i = 0; i < pairs->n; i++) {
		r->sum[i] = sum;
		if (r->carry)
			r->carry[i] = carry;
		if (!__builtin_add_overflow(sum, of[pairs->row[i] * pairs->stride], &sum))
			continue;
		carry++;
		if (!r->carry)
			r->carry = cr_alloc((uint64_t)pairs->n + 1, sizeof(*r->carry));
	}
	r->sum[pairs->n] = sum;
	if (r->carry)
		r->carry[pairs->n] = carry;
}

/* The sum of the pairs [lo, hi), at most UINT64_MAX. */
static uint64_t
sum_of(const struct cr_running *r, uint32_t lo, uint32_t hi)
{
	const bool borrow = r->sum[hi] < r->sum[lo];

	if (r->carry && r->carry[hi] - r->carry[lo] != borrow)
		return UINT64_MAX;
	return r->sum[hi] - r->sum[lo];
}

uint64_t
cr_tree_walk_weight(const struct cr_tree_walk *w, uint32_t lo, uint32_t hi)
{
	return sum_of(&w->weight, lo, hi);
}

/* ---- writing the tree */

static void
more_room(struct cr_tree_walk *w)
{
	w->room += CR_MAX(w->room / 2, 1024u);
	w->parent = cr_realloc(w->parent, w->room, sizeof(*w->parent));
	w->frame = cr_realloc(w->frame, w->room, sizeof(*w->frame));
	if (!w->in.pairs.samples)
		return;
	w->total = cr_realloc(w->total, w->room, sizeof(*w->total));
	w->total_samples = cr_realloc(w->total_samples, w->room, sizeof(*w->total_samples));
	if (w->in.share || w->in.least)
		w->least = cr_realloc(w->least, w->room, sizeof(*w->least));
}

/* Returns 0 if there are too many nodes. */
static inline uint32_t
node_add(struct cr_tree_walk *w, uint32_t parent, uint32_t frame)
{
	if (w->n >= w->in.most_nodes) {
		w->too_many = true;
		return 0;
	}
	if (w->n == w->room)
		more_room(w);
	w->parent[w->n] = parent;
	w->frame[w->n] = frame;
	return w->n++;
}

/* Is the node the next one of the path? Then less is closed below it. */
static void
set_least(struct cr_tree_walk *w, uint32_t node)
{
	const uint32_t parent = w->parent[node], share = w->in.share;
	const bool is_next = w->path_depth < w->in.n_path && parent == w->path_node &&
			     w->in.path[w->path_depth] == w->frame[node];

	if (!share || (node && !is_next)) {
		w->least[node] = share ? w->least[parent] : w->in.least;
		return;
	}
	w->least[node] = w->total[node] / share + (w->total[node] % share != 0);
	w->path_node = node;
	w->path_depth += node != 0;
}

static bool
is_closed(const struct cr_tree_walk *w, uint32_t node)
{
	return w->least && w->total[node] < w->least[node];
}

/* Numbers are of totals from `least` up to twice that, and so on; see cr_tree_walk_end(). */
static void
count_node(const struct cr_tree_walk *w, const struct cr_walk_place *places, size_t n)
{
	struct cr_tree_count *count = w->in.count;
	uint64_t total = 0;

	for (size_t i = 0; i < n; i++)
		total = cr_add_sat(total, sum_of(&w->weight, places[i].lo, places[i].hi));
	count->nodes++;
	if (total >= count->least)
		count->at_least[63 - __builtin_clzll(total / count->least)]++;
}

/* The same for a node with all pairs of some places. */
static uint32_t
node_of(struct cr_tree_walk *w, uint32_t parent, uint32_t frame, const struct cr_walk_place *places,
	size_t n)
{
	uint32_t node;

	if (w->in.count) {
		count_node(w, places, n);
		return 0;
	}
	node = node_add(w, parent, frame);
	if (!w->in.pairs.samples || w->too_many)
		return node;
	w->total[node] = w->total_samples[node] = 0;
	for (size_t i = 0; i < n; i++) {
		const uint32_t lo = places[i].lo, hi = places[i].hi;

		w->total[node] = cr_add_sat(w->total[node], sum_of(&w->weight, lo, hi));
		w->total_samples[node] =
			cr_add_sat(w->total_samples[node], sum_of(&w->samples, lo, hi));
	}
	if (w->least)
		set_least(w, node);
	return node;
}

uint32_t
cr_tree_walk_add(struct cr_tree_walk *w, uint32_t parent, uint32_t frame, uint32_t lo, uint32_t hi)
{
	const struct cr_walk_place all = {0, AFTER_RUN, lo, hi};

	return node_of(w, parent, frame, &all, 1);
}

/* ---- the walk */

/* Frames of the place that are still to come. */
static const uint32_t *
rest_of_run(const struct cr_tree_walk *w, const struct cr_walk_place *at, uint32_t *n)
{
	const uint32_t *first;

	*n = 0;
	if (at->pos == AFTER_RUN) /* the root has no location */
		return NULL;
	if (!w->location) {
		const struct cr_walk_run *own = &w->own.runs.p[at->node];

		*n = own->n - at->pos;
		return (own->n > COPIED_MOST ? w->in.run : w->own.frames.p) + own->from + at->pos;
	}
	first = w->in.first + w->location[at->node];
	*n = first[1] - first[0] - at->pos;
	return w->in.run + first[0] + at->pos;
}

/* Put the pairs of the node itself, if there are any, into the node of the tree. */
static void
take_own(struct cr_tree_walk *w, struct cr_walk_place *at, uint32_t out)
{
	uint32_t *node = w->in.pairs.node;

	/* Each pair is taken after it was last looked for. */
	while (at->lo < at->hi && node[at->lo] == at->node)
		node[at->lo++] = out;
}

/* The first of the pairs [lo, hi) at or after a node; lo is before it. */
static uint32_t
pair_from(const uint32_t *node, uint32_t lo, uint32_t hi, uint32_t bound)
{
	uint32_t above = hi - 1;

	if (node[above] < bound)
		return hi;
	for (uint32_t step = 1; step < above - lo; step *= 2) {
		if (node[lo + step] >= bound) {
			above = lo + step;
			break;
		}
		lo += step;
	}
	while (above - lo > 1) {
		const uint32_t mid = lo + (above - lo) / 2;

		*(node[mid] < bound ? &lo : &above) = mid;
	}
	return above;
}

/*
 * The next child with pairs of `at`, whose pairs are moved to the child; node: where children may
 * begin.
 */
static bool
next_child(const struct cr_tree_walk *w, struct cr_walk_place *at, uint32_t *node,
	struct cr_walk_place *child)
{
	const uint32_t *pair = w->in.pairs.node;

	if (at->lo == at->hi)
		return false;
	while (w->end[*node] <= pair[at->lo])
		*node = w->end[*node];
	*child = (struct cr_walk_place){
		*node, 0, at->lo, pair_from(pair, at->lo, at->hi, w->end[*node])};
	at->lo = child->hi;
	*node = w->end[*node];
	return true;
}

#define FEW 8u /* siblings that are compared one after the other */

static uint32_t
sibling_of(struct cr_tree_walk *w, uint32_t frame)
{
	const uint32_t n = (uint32_t)w->siblings.n;

	if (n <= FEW) {
		for (uint32_t i = 0; i < n; i++)
			if (w->siblings.p[i].frame == frame)
				return i;
	} else if (w->seen[frame].stamp == w->stamp) {
		return w->seen[frame].row;
	}
	cr_vec_push(&w->siblings, ((struct cr_sibling){.frame = frame}));
	if (n == FEW) {
		w->stamp++;
		for (uint32_t i = 0; i < n; i++)
			w->seen[w->siblings.p[i].frame] = (struct cr_walk_seen){w->stamp, i};
	}
	if (n >= FEW)
		w->seen[frame] = (struct cr_walk_seen){w->stamp, n};
	return n;
}

static void
step_add(struct cr_tree_walk *w, uint32_t frame, struct cr_walk_place to)
{
	const uint32_t row = sibling_of(w, frame); /* may move them */
	struct cr_sibling *s = &w->siblings.p[row];

	to.pos++;
	s->extent = cr_add_sat(s->extent, sum_of(&w->weight, to.lo, to.hi));
	cr_vec_push(&w->steps, ((struct cr_walk_step){to, s->node}));
	s->node = (uint32_t)w->steps.n;
}

/* The rest of the run, without frames that are the node itself because they are equal. */
static const uint32_t *
rest_below(const struct cr_tree_walk *w, struct cr_walk_place *at, uint32_t out, uint32_t *n)
{
	const uint32_t *run = rest_of_run(w, at, n);

	for (; w->in.once && *n && *run == w->frame[out]; run++, (*n)--)
		at->pos++;
	return run;
}

/* The steps from one place. If a child has no frame of its own, its place is added. */
static void
steps_from(struct cr_tree_walk *w, struct cr_walk_place at, uint32_t out)
{
	uint32_t n, node = at.node + 1;
	const uint32_t *run = rest_below(w, &at, out, &n);
	struct cr_walk_place child;

	if (n) {
		step_add(w, *run, at);
		return;
	}
	take_own(w, &at, out);
	for (; next_child(w, &at, &node, &child); w->passed++) {
		run = rest_below(w, &child, out, &n);
		if (n)
			step_add(w, *run, child);
		else
			cr_vec_push(&w->places, child);
	}
}

/* By falling extent, then as the caller says. */
static int
by_extent(const void *x, const void *y, void *user)
{
	const struct cr_sibling *a = x, *b = y;
	const struct cr_tree_walk *w = user;

	if (a->extent != b->extent)
		return a->extent < b->extent ? 1 : -1;
	return w->in.compare(w->in.user, a->frame, b->frame);
}

/* The children of a node, whose places are the last ones, become pending. */
static void
expand(struct cr_tree_walk *w, uint32_t out, uint32_t first)
{
	w->steps.n = w->siblings.n = 0;
	while (w->places.n > first) {
		w->passed++;
		steps_from(w, w->places.p[--w->places.n], out);
	}
	if (w->siblings.n > 1)
		cr_tree_sort_siblings(w->siblings.p, (uint32_t)w->siblings.n, by_extent, w);
	for (size_t i = w->siblings.n; i-- > 0;) {
		cr_vec_push(&w->pending, ((struct cr_walk_pending){out, w->siblings.p[i].frame,
						 (uint32_t)w->places.n}));
		for (uint32_t s1 = w->siblings.p[i].node; s1; s1 = w->steps.p[s1 - 1].next1)
			cr_vec_push(&w->places, w->steps.p[s1 - 1].to);
	}
}

/* The pairs [lo, hi) are below a closed node. */
static void
put_below(struct cr_tree_walk *w, uint32_t lo, uint32_t hi, uint32_t out)
{
	for (uint32_t i = lo; i < hi; i++)
		w->in.pairs.node[i] = out | CR_WALK_BELOW;
}

/* Take the pairs of a closed node, whose places are the last ones, from `first` on. */
static void
close_node(struct cr_tree_walk *w, uint32_t out, uint32_t first)
{
	while (w->places.n > first) {
		struct cr_walk_place at = w->places.p[--w->places.n], child;
		uint32_t n, node = at.node + 1;

		w->passed++;
		rest_below(w, &at, out, &n);
		if (n) {
			put_below(w, at.lo, at.hi, out);
			continue;
		}
		take_own(w, &at, out);
		while (next_child(w, &at, &node, &child)) {
			rest_below(w, &child, out, &n);
			if (n)
				put_below(w, child.lo, child.hi, out);
			else
				cr_vec_push(&w->places, child);
		}
	}
}

/* The same for a node that may be closed. */
static void
expand_or_close(struct cr_tree_walk *w, uint32_t out, uint32_t first)
{
	if (is_closed(w, out))
		close_node(w, out, first);
	else
		expand(w, out, first);
}

/*
 * From one place, as long as there is one way on; returns the last node. The place is where several
 * ways begin, or without pairs.
 */
static uint32_t
follow(struct cr_tree_walk *w, uint32_t out, struct cr_walk_place *at)
{
	for (;;) {
		uint32_t n, node = at->node + 1;
		const uint32_t *run = rest_of_run(w, at, &n);
		struct cr_walk_place rest, child;

		for (uint32_t i = 0; i < n && !w->too_many; i++)
			if (!w->in.once || run[i] != w->frame[out])
				out = node_of(w, out, run[i], at, 1);
		at->pos = AFTER_RUN;
		w->passed += n + 1;
		take_own(w, at, out);
		rest = *at;
		if (w->too_many || !next_child(w, &rest, &node, &child) || rest.lo < rest.hi)
			return out;
		*at = child;
	}
}

#define STEP 65536u /* places between two reports of progress */

static bool
goes_on(struct cr_tree_walk *w, uint32_t pair)
{
	if (!w->in.whole && w->passed >= STEP) {
		w->passed = 0;
		w->stopped = !cr_work_step("stacks", pair, w->in.pairs.n) ||
			     (w->in.stop && atomic_load(w->in.stop));
		if (w->stopped && w->in.stop)
			atomic_store(w->in.stop, true);
	}
	return !w->too_many && !w->stopped;
}

static void
walk_down(struct cr_tree_walk *w)
{
	while (w->pending.n) {
		const struct cr_walk_pending next = w->pending.p[--w->pending.n];
		struct cr_walk_place *places = &w->places.p[next.first];
		const size_t n = w->places.n - next.first;
		uint32_t out;

		if (!goes_on(w, places->lo))
			break;
		out = node_of(w, next.parent, next.frame, places, n);
		if (w->too_many)
			break;
		if (n == 1 && !w->least) {
			out = follow(w, out, places);
			if (places->lo == places->hi) {
				w->places.n = next.first;
				continue;
			}
		}
		expand_or_close(w, out, next.first);
	}
}

/* ---- groups */

/* A node whose subtree is not complete: its number in the profile and in the part. */
struct open {
	uint32_t node, at;
};

typedef CR_VEC(struct open) open_vec;

static void
open_add(struct cr_tree_walk *w, open_vec *open, uint32_t node, struct cr_walk_run run)
{
	cr_vec_push(open, ((struct open){node, (uint32_t)w->own.end.n}));
	cr_vec_push(&w->own.end, 0);
	if (run.n <= COPIED_MOST) {
		const uint32_t *from = w->in.run + run.from;

		run.from = (uint32_t)w->own.frames.n;
		for (uint32_t i = 0; i < run.n; i++)
			cr_vec_push(&w->own.frames, from[i]);
	}
	cr_vec_push(&w->own.runs, run);
}

static struct cr_walk_run
run_of(const struct cr_tree_walk_in *in, uint32_t location)
{
	return (struct cr_walk_run){
		in->first[location], in->first[location + 1] - in->first[location]};
}

/* Complete the last open nodes, down to a number of them. */
static void
open_close(struct cr_tree_walk *w, open_vec *open, size_t n)
{
	while (open->n > n)
		w->own.end.p[open->p[--open->n].at] = (uint32_t)w->own.end.n;
}

/*
 * Gather the nodes that the pairs [lo, hi) are in, with their frames, and number the pairs by them.
 * The pairs are in preorder, so those nodes of a pair that are new come after the node of the pair
 * before it. Frames are scattered in memory: the walk would wait for each, while here the next
 * nodes do not depend on them.
 */
static void
gather(struct cr_tree_walk *w, uint32_t lo, uint32_t hi)
{
	const struct cr_tree_walk_in *p = &w->in;
	uint32_t *pair = w->in.pairs.node;
	open_vec open = {0};
	CR_VEC(uint32_t) path = {0};

	w->own.end.n = w->own.runs.n = w->own.frames.n = 0;
	cr_vec_reserve(&w->own.frames, 1);
	open_add(w, &open, 0, (struct cr_walk_run){0, 0});
	for (uint32_t i = lo; i < hi; i++) {
		const uint32_t before = open.p[open.n - 1].node;
		uint32_t node = pair[i];
		size_t n = open.n;

		for (path.n = 0; node > before; node = p->parent[node])
			cr_vec_push(&path, node);
		while (open.p[n - 1].node != node)
			n--;
		open_close(w, &open, n);
		while (path.n) {
			node = path.p[--path.n];
			open_add(w, &open, node, run_of(p, p->location[node]));
		}
		pair[i] = open.p[open.n - 1].at;
	}
	open_close(w, &open, 0);
	cr_vec_fini(&open);
	cr_vec_fini(&path);
	w->end = w->own.end.p;
	w->location = NULL;
}

/* For a group with one pair for so many nodes, all nodes are walked. */
#define NODES_PER_PAIR 16u

static void
choose_nodes(struct cr_tree_walk *w, uint32_t lo, uint32_t hi)
{
	if (hi - lo < w->in.n_nodes / NODES_PER_PAIR) {
		gather(w, lo, hi);
		return;
	}
	w->end = w->in.end;
	w->location = w->in.location;
}

void
cr_tree_walk_begin(struct cr_tree_walk *w, const struct cr_tree_walk_in *in)
{
	*w = (struct cr_tree_walk){.in = *in};
	w->seen = cr_alloc(CR_MAX(in->n_frames, 1u), sizeof(*w->seen));
	running_init(&w->weight, &in->pairs, in->pairs.weight);
	if (in->pairs.samples)
		running_init(&w->samples, &in->pairs, in->pairs.samples);
}

void
cr_tree_walk_down(struct cr_tree_walk *w, uint32_t top, uint32_t lo, uint32_t hi)
{
	if (w->too_many || w->stopped || lo == hi)
		return;
	choose_nodes(w, lo, hi);
	w->places.n = w->pending.n = 0;
	cr_vec_push(&w->places, ((struct cr_walk_place){0, AFTER_RUN, lo, hi}));
	expand_or_close(w, top, 0);
	walk_down(w);
}

void
cr_tree_walk_beside(struct cr_tree_walk *beside, const struct cr_tree_walk *w)
{
	*beside = (struct cr_tree_walk){.in = w->in, .weight = w->weight, .samples = w->samples};
	beside->seen = cr_alloc(CR_MAX(w->in.n_frames, 1u), sizeof(*beside->seen));
	cr_tree_walk_add(beside, 0, 0, 0, 0);
}

/* Append the rows of a column after the first. It frees them, so that few are there twice. */
#define APPEND(column)                                                       \
	do {                                                                 \
		w->column = cr_realloc(w->column, room, sizeof(*w->column)); \
		memcpy(w->column + w->n, beside->column + 1,                 \
			(beside->n - 1) * sizeof(*w->column));               \
		free(beside->column);                                        \
		beside->column = NULL;                                       \
	} while (0)

static void
scratch_free(struct cr_tree_walk *w)
{
	cr_vec_fini(&w->own.end);
	cr_vec_fini(&w->own.runs);
	cr_vec_fini(&w->own.frames);
	cr_vec_fini(&w->pending);
	cr_vec_fini(&w->places);
	cr_vec_fini(&w->steps);
	cr_vec_fini(&w->siblings);
	free(w->seen);
}

uint32_t
cr_tree_walk_join(struct cr_tree_walk *w, struct cr_tree_walk *beside)
{
	const uint64_t room = (uint64_t)w->n + beside->n - 1;
	const uint32_t add = w->n - 1;

	w->stopped |= beside->stopped;
	w->too_many |= beside->too_many || room > w->in.most_nodes;
	if (!w->too_many) {
		for (uint32_t i = 1; i < beside->n; i++)
			beside->parent[i] += beside->parent[i] ? add : 0;
		APPEND(parent);
		APPEND(frame);
		if (w->total) {
			APPEND(total);
			APPEND(total_samples);
		}
		w->n = w->room = (uint32_t)room;
	}
	free(beside->parent);
	free(beside->frame);
	free(beside->total);
	free(beside->total_samples);
	scratch_free(beside);
	return add;
}

bool
cr_tree_walk_end(struct cr_tree_walk *w)
{
	const bool complete = !w->too_many && !w->stopped;

	free(w->weight.sum);
	free(w->weight.carry);
	free(w->samples.sum);
	free(w->samples.carry);
	scratch_free(w);
	free(w->least);
	for (int i = CR_TREE_COUNTS - 1; w->in.count && i-- > 0;)
		w->in.count->at_least[i] += w->in.count->at_least[i + 1];
	w->room = complete ? w->n : 0;
	if (w->in.count)
		return complete;
	if (complete) {
		w->parent = cr_realloc(w->parent, w->n, sizeof(*w->parent));
		w->frame = cr_realloc(w->frame, w->n, sizeof(*w->frame));
		if (w->total) {
			w->total = cr_realloc(w->total, w->n, sizeof(*w->total));
			w->total_samples =
				cr_realloc(w->total_samples, w->n, sizeof(*w->total_samples));
		}
		return true;
	}
	free(w->parent);
	free(w->frame);
	free(w->total);
	free(w->total_samples);
	w->parent = w->frame = NULL;
	w->total = w->total_samples = NULL;
	return false;
}
