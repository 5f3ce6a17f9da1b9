#ifndef CR_MODEL_TREE_TREE_H
#define CR_MODEL_TREE_TREE_H

#include "base/mem.h"
#include "model/profile.h"

/*
 * A call tree to look at: nodes in preorder, each standing for one frame (a function, or a comm
 * that functions are grouped under), with the weights of one side, or of two in a difference.
 *
 *	node 0 is the root ("all"); the subtree of n is the run [n, end[n]);
 *	children follow their parent, siblings by falling extent, ties by name;
 *	total[n] = sum of weight over [n, end[n]), weight[n] being that of the stacks that end at n;
 *	self[n] is the cost of the samples that were taken in the frame of n. A stack ends where its
 *	samples were taken, so that self is weight, but not when leaves_first;
 *	extent[n] likewise: what the width of a box is drawn from. With one side it is total[0];
 *	with two it is the sum of the larger of the two normalised selfs, so that what is the same
 *	on both sides is as wide as in either profile, and what was removed keeps its width.
 */
enum cr_group { /* what stacks may stand under */
	CR_GROUP_NONE,
	CR_GROUP_COMM,
	CR_GROUP_PID,
	CR_GROUP_TID,
	CR_GROUP_CPU,
	CR_GROUP_DSO, /* of the leaf */
	CR_GROUP_EVENT,
	CR_GROUP_FIELD, /* the value of a field */
	CR_GROUP_USUAL, /* the comm, where cr_profile_by_comm(), else nothing; of no frame */
};

struct cr_frame {
	struct cr_str name; /* to be shown, never empty: a function's, or "[libc.so.6]" where there
			       is none */
	struct cr_str linkage; /* "" when the same */
	struct cr_str dso;     /* path or short name; "" when there is none */
	struct cr_str file;    /* of the function; in a tree of lines or addresses, of the line; ""
				  when not known */
	uint32_t line; /* where it starts; in a tree of lines or addresses, the line; 0 when not
			  known */
	uint32_t
		function1; /* row of the profile's functions, + 1; 0: of none, or of two profiles */
	uint8_t kind;    /* enum cr_kind of the dso; CR_KIND_GROUP for what is no code: a comm, the
			  root */
	bool inlined;    /* its code stands in that of its caller */
	uint8_t as_is;   /* enum cr_as_is: how its name is written as folded stacks */
	uint8_t group;   /* enum cr_group: what the query put above the stacks, which the input has
			  elsewhere */
	uint64_t number; /* of an address, that in the dso; of a pid, tid or cpu that number; of
			    an event its row; else 0 */
};

/*
 * No code: the root; right under it a comm or other group that stacks stand under; further in a
 * mark that a stack holds, such as between its kernel and its user part.
 */
static inline bool
cr_frame_is_group(const struct cr_frame *f)
{
	return f->kind == CR_KIND_GROUP && f->dso.len == 0;
}

/* A function that bears its dso's name, "[libc.so.6]", or "[unknown]", for want of its own. */
bool cr_frame_is_nameless(const struct cr_frame *f);

/*
 * By name, dso, whether it is inlined, line and number: the order of siblings that weigh the
 * same.
 */
int cr_frame_cmp(const struct cr_frame *a, const struct cr_frame *b);

#define CR_SIDES 2

/* The unit of weights, and the event that they are of. */
struct cr_measure {
	struct cr_str event; /* its name */
	struct cr_str unit;
	bool summed; /* see cr_event_is_summed() */
};

struct cr_tree {
	uint32_t n; /* nodes, at least 1 */
	uint32_t n_frames;
	uint32_t sides;                /* 1, or 2: before and after */
	uint32_t max_depth;            /* of a node; the root has 0 */
	const struct cr_frame *frames; /* frame 0 is the root's */
	const uint32_t *parent;        /* parent[0] is 0 */
	const uint32_t *end;
	const uint32_t *frame;
	const uint32_t *depth;
	/* By side. Weights in the event's unit, samples as counts. */
	const uint64_t *weight[CR_SIDES], *self[CR_SIDES], *total[CR_SIDES];
	const uint64_t *samples[CR_SIDES], *self_samples[CR_SIDES], *total_samples[CR_SIDES];
	const uint64_t *extent;
	struct cr_str
		event; /* name of the event the weights are of; with two sides, those of the last */
	struct cr_str unit;
	bool summed; /* see cr_event_is_summed() */
	struct cr_measure
		before; /* with two sides, what those of the first are; see cr_tree_measure() */
	/*
	 * Stacks begin with the function that was sampled and end with its outermost caller: a
	 * parent is what its child calls. Self belongs to the first frame below the groups: all
	 * that it totals, unless leaf says less.
	 */
	bool leaves_first;
	/*
	 * Of weight and samples, what was sampled in the innermost frame that the stack has here;
	 * the rest was sampled in functions that it called, which a transform has cut off. The same
	 * arrays where nothing was cut off.
	 */
	const uint64_t *leaf[CR_SIDES], *leaf_samples[CR_SIDES];
	struct cr_str paired[CR_SIDES]; /* with two sides: main executables that count as one though
					   their names differ; or "" */
	/*
	 * Of the event, what is not in here: it was not selected, or a transform has left it out.
	 */
	uint64_t left_out[CR_SIDES], left_out_samples[CR_SIDES];
	struct cr_arena arena;       /* arrays and frames, as far as they are not borrowed from the
					profile, as the names are, or of these: */
	struct cr_tree_names *names; /* what was made up, shared with the trees that were derived */
};

void cr_tree_free(struct cr_tree *t);

/*
 * What the weights of a side are. The sides of a forced difference may count different events, in
 * different units.
 */
static inline struct cr_measure
cr_tree_measure(const struct cr_tree *t, uint32_t side)
{
	return side + 1 < t->sides ? t->before : (struct cr_measure){t->event, t->unit, t->summed};
}

/* How deep the deepest of n nodes is; parents come first, node 0 is the root, at 0. */
uint32_t cr_tree_depth(const uint32_t *parent, uint32_t n);

/* The weights of all sides are m's. */
static inline void
cr_tree_set_measure(struct cr_tree *t, struct cr_measure m)
{
	t->event = m.event;
	t->unit = m.unit;
	t->summed = m.summed;
	t->before = m;
}

/* By node, free() it: 1 for the root and the groups that the query put above the stacks. */
uint8_t *cr_tree_above(const struct cr_tree *t);

/* Self weight of nameless frames. */
uint64_t cr_tree_unresolved(const struct cr_tree *t, uint32_t side);

/*
 * Children of n: first is n + 1 if n + 1 < end[n]; the next one after c is end[c] if that is <
 * end[n].
 */

/*
 * Grow a tree by paths. Frames are given by number; cr_tree_builder_finish() sorts, renumbers in
 * preorder and sums.
 *
 *	tb = cr_tree_builder_new(1, frames, n_frames);    frames copied, their names borrowed
 *	n  = cr_tree_builder_child(tb, 0, f);
 *	cr_tree_builder_add(tb, n, side, weight, samples);
 *	t  = cr_tree_builder_finish(tb, map);             tb is gone
 */
struct cr_tree_builder;

struct cr_tree_builder *cr_tree_builder_new(
	uint32_t sides, const struct cr_frame *frames, uint32_t n_frames);
/* For a tree made from t: of its sides, frames, names, event and unit. It may outlive t. */
struct cr_tree_builder *cr_tree_builder_like(const struct cr_tree *t);
/* So many nodes will come, about: room is taken at once. */
void cr_tree_builder_expect(struct cr_tree_builder *tb, uint32_t nodes);
uint32_t cr_tree_builder_child(struct cr_tree_builder *tb, uint32_t parent, uint32_t frame);
/* The same for a child that is known to be new: no look-up, and it cannot be found by one later. */
uint32_t cr_tree_builder_append(struct cr_tree_builder *tb, uint32_t parent, uint32_t frame);
uint32_t cr_tree_builder_nodes(const struct cr_tree_builder *tb);
uint32_t cr_tree_builder_frame(const struct cr_tree_builder *tb, uint32_t node);
uint64_t cr_tree_builder_weight(const struct cr_tree_builder *tb, uint32_t node, uint32_t side);
/* Less weight, but no less than none. */
void cr_tree_builder_subtract(
	struct cr_tree_builder *tb, uint32_t node, uint32_t side, uint64_t weight);
void cr_tree_builder_add(struct cr_tree_builder *tb, uint32_t node, uint32_t side, uint64_t weight,
	uint64_t samples);
/*
 * Once called, the tree's leaf counts only what cr_tree_builder_add_leaf() adds to it, of what
 * cr_tree_builder_add() adds to weight and samples.
 */
void cr_tree_builder_split_leaf(struct cr_tree_builder *tb);
void cr_tree_builder_add_leaf(struct cr_tree_builder *tb, uint32_t node, uint32_t side,
	uint64_t weight, uint64_t samples);
void cr_tree_builder_leaves_first(struct cr_tree_builder *tb, bool leaves_first);
/*
 * Names that frames point at and nobody else owns: they live as long as the tree. names is empty
 * afterwards.
 */
void cr_tree_builder_keep(struct cr_tree_builder *tb, struct cr_arena *names);
/*
 * map, if not NULL, gets for each of the builder's nodes its row in the tree, CR_NO_ROW for one
 * that has no samples: free() it.
 */
struct cr_tree *cr_tree_builder_finish(struct cr_tree_builder *tb, uint32_t **map);
void cr_tree_builder_free(struct cr_tree_builder *tb);

/*
 * A tree made from another by saying of each node what becomes of it. All zero leaves it as it is.
 * Time and memory are linear, names are not looked for.
 */
#define CR_TREE_SAME UINT32_MAX

struct cr_tree_change {
	/*
	 * By node: the number of its frame, t's or one of `more`, or CR_TREE_SAME: it is no node
	 * any more, what it has falls to where it hangs.
	 */
	const uint32_t *frame;
	/* By node: that of t which it hangs from, less than its own number; NULL: its parent. */
	const uint32_t *up;
	const uint8_t *lost; /* by node: not 0 for one whose own weight and samples are left out;
				NULL: none is */
	const uint8_t *own;  /* by node: not 0 for one whose weight is all sampled in its leaf now;
				NULL: none is */
	const struct cr_frame *more; /* frames behind those of t, from t->n_frames on */
	uint32_t n_more;
	struct cr_arena *made; /* names of these; empty afterwards; may be NULL */
};

/*
 * Nodes of the same parent and frame become one; those that nothing is left of go. The root stays.
 * out may outlive t. map as of cr_tree_builder_finish(), by node of t; may be NULL.
 */
struct cr_tree *cr_tree_derive(
	const struct cr_tree *t, const struct cr_tree_change *c, uint32_t **map);

/*
 * The shape alone, for who keeps weights of his own: nodes in the order that _finish() gives
 * them. tb stays, and owns the frames; shape's arrays are the caller's to free().
 */
struct cr_tree_shape {
	uint32_t n, n_frames;
	const struct cr_frame *frames; /* tb's */
	uint32_t *parent, *frame;      /* by node */
	uint32_t *place;               /* by builder's node: its node, or CR_NO_ROW */
};

void cr_tree_builder_shape(const struct cr_tree_builder *tb, struct cr_tree_shape *out);

#endif
