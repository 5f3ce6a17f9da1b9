#include "function_tree_p.h"

#include "base/hash.h"
#include "base/vec.h"
#include "tree_p.h"

#include <stdlib.h>

/*
 * A place in the location tree: after the first `pos` functions of a node, with the pairs [lo, hi),
 * those of the node and of what is below it.
 */
struct place {
	uint32_t node, pos;
	uint32_t lo, hi;
};

#define AFTER_RUN UINT32_MAX /* pos: all functions of the node are passed */

/* A place below one more function. */
struct step {
	struct place to;
	uint32_t next1; /* another one below the same function, + 1 */
};

/* A node that is not written yet. Its places are the last ones, from `first` on. */
struct pending {
	uint32_t parent, function, first;
};

/* By function: its row in the siblings, if the stamp is that of the family. */
struct seen {
	uint32_t stamp, row;
};

struct walk {
	const struct cr_profile *p;
	struct cr_path_sums_sorted *sums;
	uint64_t *before; /* by pair: the weight of all pairs before it, modulo 2^64 */
	uint32_t *carry;  /* by pair: how often that has wrapped; NULL: never */
	/* By dso: what a function without a name is called. */
	struct cr_str *nameless;
	/* By location: its functions are run[first[location]] up to run[first[location + 1]]. */
	uint32_t *first, *run;
	/* The nodes that stacks of the group are in, in preorder: all, or those of `own`. */
	const uint32_t *end, *location;
	struct {
		CR_VEC(uint32_t) end, location;
	} own;
	/* The walk: pending nodes and their places, the first to be written at the end. */
	CR_VEC(struct pending) pending;
	CR_VEC(struct place) places;
	/* The children of a node, by function. */
	CR_VEC(struct step) steps;
	CR_VEC(struct cr_sibling) siblings;
	struct seen *seen;
	uint32_t stamp;
	/* The tree. */
	uint32_t n, room;
	uint32_t *parent, *frame;
	uint32_t *number1; /* by function: its frame; 0: none yet */
	CR_VEC(uint32_t) frame_function;
	CR_VEC(struct cr_str) frame_comm;
	uint64_t left; /* nodes that may still be added */
	bool too_many;
};

/* ---- sums */

static void
sum_up(struct walk *w, uint32_t main)
{
	const struct cr_path_sums_sorted *s = w->sums;
	uint64_t sum = 0;
	uint32_t carry = 0;

	w->before = cr_realloc(NULL, (uint64_t)s->n + 1, sizeof(*w->before));
	for (uint32_t i = 0; i < s->n; i++) {
		w->before[i] = sum;
		if (w->carry)
			w->carry[i] = carry;
		if (!__builtin_add_overflow(
			    sum, s->weight[s->row[i] * (size_t)s->columns + main], &sum))
			continue;
		carry++;
		if (!w->carry)
			w->carry = cr_alloc((uint64_t)s->n + 1, sizeof(*w->carry));
	}
	w->before[s->n] = sum;
	if (w->carry)
		w->carry[s->n] = carry;
}

/* The weight of the pairs [lo, hi), at most UINT64_MAX. */
static uint64_t
weight_of(const struct walk *w, uint32_t lo, uint32_t hi)
{
	const uint64_t sum = w->before[hi] - w->before[lo];
	const bool borrow = w->before[hi] < w->before[lo];

	if (w->carry && w->carry[hi] - w->carry[lo] != borrow)
		return UINT64_MAX;
	return sum;
}

/* ---- frames */

static void
functions_of_locations(struct walk *w)
{
	const struct cr_profile *p = w->p;
	uint32_t n = 0;

	w->first = cr_alloc((uint64_t)p->n_locations + 1, sizeof(*w->first));
	for (uint32_t i = 0; i < p->n_locations; i++)
		w->first[i + 1] = w->first[i] + p->locations[i].lines;
	w->run = cr_alloc(w->first[p->n_locations], sizeof(*w->run));
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		for (uint32_t k = l->first_line + l->lines; k-- > l->first_line;)
			w->run[n++] = p->lines[k].function.i;
	}
}

static void
name_nameless(struct walk *w, struct cr_arena *names)
{
	w->nameless = cr_alloc(CR_MAX(w->p->n_dsos, 1u), sizeof(*w->nameless));
	for (uint32_t i = 0; i < w->p->n_dsos; i++)
		w->nameless[i] = cr_path_sums_frame_nameless(w->p, i, names).name;
}

static struct cr_frame
frame_of(const struct walk *w, uint32_t function)
{
	const struct cr_function *f = &w->p->functions[function];

	return (struct cr_frame){.name = f->name.len ? f->name : w->nameless[f->dso.i],
		.dso = f->dso.i ? w->p->dsos[f->dso.i].name : (struct cr_str){"", 0},
		.line = f->line,
		.inlined = f->addr == CR_ADDR_INLINED};
}

/* By falling extent, then by name. */
static int
by_extent(const void *x, const void *y, void *user)
{
	const struct cr_sibling *a = x, *b = y;
	struct cr_frame f, g;
	int c;

	if (a->extent != b->extent)
		return a->extent < b->extent ? 1 : -1;
	f = frame_of(user, a->frame);
	g = frame_of(user, b->frame);
	c = cr_frame_cmp(&f, &g);
	return c ? c : (a->frame > b->frame) - (a->frame < b->frame);
}

static int
comms_by_extent(const void *x, const void *y, void *user)
{
	const struct cr_sibling *a = x, *b = y;
	const struct cr_str *comms = user;

	if (a->extent != b->extent)
		return a->extent < b->extent ? 1 : -1;
	return cr_str_cmp(comms[a->frame], comms[b->frame]);
}

/* ---- writing the tree */

static uint32_t
frame_add(struct walk *w, uint32_t function, struct cr_str comm)
{
	cr_vec_push(&w->frame_function, function);
	cr_vec_push(&w->frame_comm, comm);
	return (uint32_t)w->frame_function.n - 1;
}

static uint32_t
node_add(struct walk *w, uint32_t parent, uint32_t frame)
{
	if (w->n == w->room) {
		w->room += CR_MAX(w->room / 2, 1024u);
		w->parent = cr_realloc(w->parent, w->room, sizeof(*w->parent));
		w->frame = cr_realloc(w->frame, w->room, sizeof(*w->frame));
	}
	w->parent[w->n] = parent;
	w->frame[w->n] = frame;
	return w->n++;
}

/* Returns 0 if there are too many nodes. */
static uint32_t
function_add(struct walk *w, uint32_t parent, uint32_t function)
{
	if (!w->left) {
		w->too_many = true;
		return 0;
	}
	w->left--;
	if (!w->number1[function])
		w->number1[function] = frame_add(w, function, (struct cr_str){"", 0});
	return node_add(w, parent, w->number1[function]);
}

/* ---- the walk */

/* Functions of the place that are still to come. */
static const uint32_t *
rest_of_run(const struct walk *w, const struct place *at, uint32_t *n)
{
	const uint32_t *first;

	*n = 0;
	if (at->pos == AFTER_RUN) /* the root has no location */
		return NULL;
	first = w->first + w->location[at->node];
	*n = first[1] - first[0] - at->pos;
	return w->run + first[0] + at->pos;
}

/* Put the pair of the node itself, if there is one, into the node of the tree. */
static void
take_own(struct walk *w, struct place *at, uint32_t out)
{
	uint32_t *node = w->sums->node;

	/* Each pair is taken after it was last looked for. */
	if (at->lo < at->hi && node[at->lo] == at->node)
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
next_child(const struct walk *w, struct place *at, uint32_t *node, struct place *child)
{
	const uint32_t *pair = w->sums->node;

	if (at->lo == at->hi)
		return false;
	while (w->end[*node] <= pair[at->lo])
		*node = w->end[*node];
	*child = (struct place){*node, 0, at->lo, pair_from(pair, at->lo, at->hi, w->end[*node])};
	at->lo = child->hi;
	*node = w->end[*node];
	return true;
}

#define FEW 8u /* siblings that are compared one after the other */

static uint32_t
sibling_of(struct walk *w, uint32_t function)
{
	const uint32_t n = (uint32_t)w->siblings.n;

	if (n <= FEW) {
		for (uint32_t i = 0; i < n; i++)
			if (w->siblings.p[i].frame == function)
				return i;
	} else if (w->seen[function].stamp == w->stamp) {
		return w->seen[function].row;
	}
	cr_vec_push(&w->siblings, ((struct cr_sibling){.frame = function}));
	if (n == FEW) {
		w->stamp++;
		for (uint32_t i = 0; i < n; i++)
			w->seen[w->siblings.p[i].frame] = (struct seen){w->stamp, i};
	}
	if (n >= FEW)
		w->seen[function] = (struct seen){w->stamp, n};
	return n;
}

static void
step_add(struct walk *w, uint32_t function, struct place to)
{
	const uint32_t row = sibling_of(w, function); /* may move them */
	struct cr_sibling *s = &w->siblings.p[row];

	to.pos++;
	s->extent = cr_add_sat(s->extent, weight_of(w, to.lo, to.hi));
	cr_vec_push(&w->steps, ((struct step){to, s->node}));
	s->node = (uint32_t)w->steps.n;
}

/* The steps from one place. Functions of inner nodes come later; such places are added. */
static void
steps_from(struct walk *w, struct place at, uint32_t out)
{
	uint32_t n, node = at.node + 1;
	const uint32_t *run = rest_of_run(w, &at, &n);
	struct place child;

	if (n) {
		step_add(w, *run, at);
		return;
	}
	take_own(w, &at, out);
	while (next_child(w, &at, &node, &child)) {
		run = rest_of_run(w, &child, &n);
		if (n)
			step_add(w, *run, child);
		else
			cr_vec_push(&w->places, child);
	}
}

/* The children of a node, whose places are the last ones, become pending. */
static void
expand(struct walk *w, uint32_t out, uint32_t first)
{
	w->steps.n = w->siblings.n = 0;
	for (size_t i = first; i < w->places.n; i++)
		steps_from(w, w->places.p[i], out);
	w->places.n = first;
	if (w->siblings.n > 1)
		cr_tree_sort_siblings(w->siblings.p, (uint32_t)w->siblings.n, by_extent, w);
	for (size_t i = w->siblings.n; i-- > 0;) {
		cr_vec_push(&w->pending,
			((struct pending){out, w->siblings.p[i].frame, (uint32_t)w->places.n}));
		for (uint32_t s1 = w->siblings.p[i].node; s1; s1 = w->steps.p[s1 - 1].next1)
			cr_vec_push(&w->places, w->steps.p[s1 - 1].to);
	}
}

/*
 * From one place, as long as there is one way on; returns the last node. The place is where several
 * ways begin, or without pairs.
 */
static uint32_t
follow(struct walk *w, uint32_t out, struct place *at)
{
	for (;;) {
		uint32_t n, node = at->node + 1;
		const uint32_t *run = rest_of_run(w, at, &n);
		struct place rest, child;

		for (uint32_t i = 0; i < n && !w->too_many; i++)
			out = function_add(w, out, run[i]);
		at->pos = AFTER_RUN;
		take_own(w, at, out);
		rest = *at;
		if (w->too_many || !next_child(w, &rest, &node, &child) || rest.lo < rest.hi)
			return out;
		*at = child;
	}
}

/* Write the nodes of all stacks of a group below `top`. */
static void
walk_down(struct walk *w, uint32_t top, uint32_t lo, uint32_t hi)
{
	cr_vec_push(&w->places, ((struct place){0, AFTER_RUN, lo, hi}));
	expand(w, top, 0);
	while (w->pending.n && !w->too_many) {
		const struct pending next = w->pending.p[--w->pending.n];
		uint32_t out = function_add(w, next.parent, next.function);

		if (w->places.n - next.first == 1) {
			struct place at = w->places.p[next.first];

			out = follow(w, out, &at);
			w->places.p[next.first] = at;
			if (at.lo == at.hi) {
				w->places.n = next.first;
				continue;
			}
		}
		expand(w, out, next.first);
	}
}

/* ---- groups */

/* A node whose subtree is not complete: its number in the profile and in the part. */
struct open {
	uint32_t node, at;
};

typedef CR_VEC(struct open) open_vec;

static void
open_add(struct walk *w, open_vec *open, uint32_t node, uint32_t location)
{
	cr_vec_push(open, ((struct open){node, (uint32_t)w->own.end.n}));
	cr_vec_push(&w->own.end, 0);
	cr_vec_push(&w->own.location, location);
}

/* Complete the last open nodes, down to a number of them. */
static void
open_close(struct walk *w, open_vec *open, size_t n)
{
	while (open->n > n)
		w->own.end.p[open->p[--open->n].at] = (uint32_t)w->own.end.n;
}

/*
 * Gather the nodes that the pairs [lo, hi) are in, and number the pairs by them. The pairs are in
 * preorder, so those nodes of a pair that are new come after the node of the pair before it.
 */
static void
gather(struct walk *w, uint32_t lo, uint32_t hi)
{
	const struct cr_profile *p = w->p;
	uint32_t *pair = w->sums->node;
	open_vec open = {0};
	CR_VEC(uint32_t) path = {0};

	w->own.end.n = w->own.location.n = 0;
	open_add(w, &open, 0, 0);
	for (uint32_t i = lo; i < hi; i++) {
		const uint32_t before = open.p[open.n - 1].node;
		uint32_t node = pair[i];
		size_t n = open.n;

		for (path.n = 0; node > before; node = p->node_parent[node])
			cr_vec_push(&path, node);
		while (open.p[n - 1].node != node)
			n--;
		open_close(w, &open, n);
		while (path.n) {
			node = path.p[--path.n];
			open_add(w, &open, node, p->node_location[node]);
		}
		pair[i] = open.p[open.n - 1].at;
	}
	open_close(w, &open, 0);
	cr_vec_fini(&open);
	cr_vec_fini(&path);
	w->end = w->own.end.p;
	w->location = w->own.location.p;
}

/* For a group with one pair for so many nodes of the profile, all nodes are walked. */
#define NODES_PER_PAIR 16u

static void
choose_nodes(struct walk *w, uint32_t lo, uint32_t hi)
{
	if ((hi - lo) < w->p->n_nodes / NODES_PER_PAIR) {
		gather(w, lo, hi);
		return;
	}
	w->end = w->p->node_end;
	w->location = w->p->node_location;
}

/* The groups with pairs, by falling weight, then by name. The caller frees them. */
static struct cr_sibling *
groups_in_order(const struct walk *w, uint32_t *n)
{
	const struct cr_path_sums_sorted *s = w->sums;
	struct cr_sibling *all = cr_alloc(s->n_groups, sizeof(*all));

	*n = 0;
	for (uint32_t g = 0, lo = 0; g < s->n_groups; lo = s->ends[g++])
		if (lo < s->ends[g])
			all[(*n)++] = (struct cr_sibling){weight_of(w, lo, s->ends[g]), g, g};
	if (*n > 1)
		cr_tree_sort_siblings(all, *n, comms_by_extent, s->comms);
	return all;
}

static void
walk_groups(struct walk *w)
{
	const struct cr_path_sums_sorted *s = w->sums;
	uint32_t n;
	struct cr_sibling *groups = groups_in_order(w, &n);

	node_add(w, 0, frame_add(w, CR_NO_ROW, CR_STR("all")));
	for (uint32_t i = 0; i < n && !w->too_many; i++) {
		const uint32_t g = groups[i].frame, lo = g ? s->ends[g - 1] : 0;
		uint32_t top = 0;

		if (s->n_comms)
			top = node_add(w, 0, frame_add(w, CR_NO_ROW, s->comms[g]));
		choose_nodes(w, lo, s->ends[g]);
		walk_down(w, top, lo, s->ends[g]);
	}
	free(groups);
}

static void
walk_fini(struct walk *w)
{
	free(w->before);
	free(w->carry);
	free(w->nameless);
	free(w->first);
	free(w->run);
	cr_vec_fini(&w->own.end);
	cr_vec_fini(&w->own.location);
	cr_vec_fini(&w->pending);
	cr_vec_fini(&w->places);
	cr_vec_fini(&w->steps);
	cr_vec_fini(&w->siblings);
	free(w->seen);
	free(w->number1);
}

/* Give the tree to the arena, or free it if it is not complete. */
static void
walk_result(struct walk *w, struct cr_arena *arena, struct cr_function_tree *out)
{
	if (w->too_many) {
		free(w->parent);
		free(w->frame);
		cr_vec_fini(&w->frame_function);
		cr_vec_fini(&w->frame_comm);
		return;
	}
	*out = (struct cr_function_tree){.n = w->n,
		.n_frames = (uint32_t)w->frame_function.n,
		.parent = cr_arena_adopt(arena, cr_realloc(w->parent, w->n, sizeof(*w->parent))),
		.frame = cr_arena_adopt(arena, cr_realloc(w->frame, w->n, sizeof(*w->frame))),
		.frame_function = cr_arena_adopt(arena, w->frame_function.p),
		.frame_comm = cr_arena_adopt(arena, w->frame_comm.p)};
}

bool
cr_function_tree_make(const struct cr_profile *p, struct cr_path_sums_sorted *sums, uint32_t main,
	uint64_t most_nodes, struct cr_arena *arena, struct cr_function_tree *out)
{
	struct walk w = {.p = p, .sums = sums, .too_many = most_nodes <= sums->n_comms};
	struct cr_arena names = {0};

	if (w.too_many)
		return false;
	w.left = most_nodes - 1 - sums->n_comms;
	sum_up(&w, main);
	functions_of_locations(&w);
	name_nameless(&w, &names);
	w.seen = cr_alloc(CR_MAX(p->n_functions, 1u), sizeof(*w.seen));
	w.number1 = cr_alloc(CR_MAX(p->n_functions, 1u), sizeof(*w.number1));
	walk_groups(&w);
	walk_result(&w, arena, out);
	walk_fini(&w);
	cr_arena_fini(&names);
	return !w.too_many;
}
