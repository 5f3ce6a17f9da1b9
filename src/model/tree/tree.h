#ifndef CR_MODEL_TREE_TREE_H
#define CR_MODEL_TREE_TREE_H

#include "base/mem.h"
#include "model/profile.h"

/*
 * A call tree in preorder. Each node stands for one frame (a function, or a comm that functions are
 * grouped under). A tree has one side, or two in a difference (before and after).
 *
 * - node 0 is the root ("all"); the subtree of n is the range [n, end[n]);
 * - children follow their parent; siblings are sorted by falling extent, then by name;
 * - weight[n] is the weight of the stacks that end at n; total[n] is the sum of weight over [n,
 *   end[n]);
 * - self[n] is the cost of the samples taken in the frame of n. Stacks end where their samples were
 *   taken, so self equals weight, except in trees with leaves_first;
 * - extent[n] is the width of a box in a flame graph. With one side it is total[0]. With two it
 *   sums up the larger of the two normalised selfs of each node. So an unchanged part is as wide as
 *   in either profile, and a removed part keeps its width.
 */
enum cr_group { /* what stacks may be grouped under */
	CR_GROUP_NONE,
	CR_GROUP_COMM,
	CR_GROUP_PID,
	CR_GROUP_TID,
	CR_GROUP_CPU,
	CR_GROUP_DSO, /* the dso of the innermost frame */
	CR_GROUP_EVENT,
	CR_GROUP_FIELD, /* the value of a field */
	/*
	 * The default: the comm if cr_profile_by_comm(), otherwise nothing. No frame has this
	 * value.
	 */
	CR_GROUP_USUAL,
};

struct cr_frame {
	/* To be printed, never empty: the function's name, or "[libc.so.6]" if it has none. */
	struct cr_str name;
	struct cr_str linkage; /* name in the symbol table; "" if equal to name */
	struct cr_str dso;     /* path or short name; "" if there is none */
	/*
	 * Source file of the function; in a tree of lines or addresses, of the line. "" if unknown.
	 */
	struct cr_str file;
	/* First line of the function; in a tree of lines or addresses, the line. 0 if unknown. */
	uint32_t line;
	/*
	 * Row of the profile's functions, + 1; 0 if there is no such row or the tree has two
	 * profiles.
	 */
	uint32_t function1;
	/*
	 * enum cr_kind of the dso; CR_KIND_GROUP for a comm, the root and other frames without
	 * code.
	 */
	uint8_t kind;
	bool inlined;  /* the function was inlined into its caller */
	uint8_t as_is; /* enum cr_as_is: how its name is written to folded stacks */
	/*
	 * enum cr_group: what the frame stands for, if the query grouped the stacks under it.
	 * CR_GROUP_NONE for frames of the input.
	 */
	uint8_t group;
	/*
	 * For an address, the address in the dso; for a pid, tid or cpu, that number; for an event,
	 * its row; otherwise 0.
	 */
	uint64_t number;
};

/*
 * True for a frame without code: the root; a comm or other group directly below it; a mark inside a
 * stack, such as the one between its kernel and its user part.
 */
static inline bool
cr_frame_is_group(const struct cr_frame *f)
{
	return f->kind == CR_KIND_GROUP && f->dso.len == 0;
}

/*
 * True for a function without a name, which is printed as its dso, "[libc.so.6]", or as
 * "[unknown]".
 */
bool cr_frame_is_nameless(const struct cr_frame *f);

/*
 * Compare by name, dso, inlined, line and number: the order of siblings with equal extent. Returns
 * < 0, 0 or > 0.
 */
int cr_frame_cmp(const struct cr_frame *a, const struct cr_frame *b);

#define CR_SIDES 2

/* What the weights of a tree measure: the event and its unit. */
struct cr_measure {
	struct cr_str event; /* name of the event */
	struct cr_str unit;
	bool summed; /* see cr_event_is_summed() */
};

struct cr_tree {
	/* Different for each tree of a session, for what is kept with it; 0 elsewhere. */
	uint64_t number;
	uint32_t n; /* number of nodes, at least 1 */
	uint32_t n_frames;
	uint32_t sides;                /* 1, or 2: before and after */
	uint32_t max_depth;            /* largest depth of a node; the root has depth 0 */
	const struct cr_frame *frames; /* frame 0 is the root's */
	const uint32_t *parent;        /* parent[0] is 0 */
	const uint32_t *end;
	const uint32_t *frame;
	const uint32_t *depth;
	/* Indexed by side, then by node. Weights are in the event's unit; samples are counts. */
	const uint64_t *weight[CR_SIDES], *self[CR_SIDES], *total[CR_SIDES];
	const uint64_t *samples[CR_SIDES], *self_samples[CR_SIDES], *total_samples[CR_SIDES];
	const uint64_t *extent;
	/*
	 * Of a flame chart, by node: how much of its parent's own weight was recorded before it.
	 * NULL in trees that are not in order of time.
	 */
	const uint64_t *lead;
	/* Name of the event of the weights; with two sides, the event of the last side. */
	struct cr_str event;
	struct cr_str unit;
	bool summed; /* see cr_event_is_summed() */
	/* With two sides, what the weights of the first side measure; see cr_tree_measure(). */
	struct cr_measure before;
	/*
	 * Stacks begin with the sampled function and end with its outermost caller: the parent of a
	 * node is its callee. Self belongs to the first frame below the groups; it is the total of
	 * that frame, unless leaf says less.
	 */
	bool leaves_first;
	/*
	 * Some nodes are closed: what is below them is not in the tree, and their weight is their
	 * total, of which self is only a part. See query/fold/sketch/sketch.h and wide_stacks.h.
	 */
	bool is_sketch;
	bool is_wide;  /* a sketch of query/fold/sketch/wide_stacks.h */
	bool is_small; /* no sketch is made instead, also if one is wanted */
	/*
	 * The part of weight and samples that was sampled in the innermost frame of the stacks as
	 * they are in this tree. The rest was sampled in callees that a transform removed. The same
	 * arrays as weight and samples if nothing was removed.
	 */
	const uint64_t *leaf[CR_SIDES], *leaf_samples[CR_SIDES];
	/*
	 * With two sides: names of the main executables that are treated as one dso although they
	 * differ; or "".
	 */
	struct cr_str paired[CR_SIDES];
	/*
	 * With two sides, the weight that stands for 100 % of each side; 0: its total. Read it with
	 * cr_tree_whole().
	 */
	uint64_t whole[CR_SIDES];
	/*
	 * Weight and samples of the event that are not in this tree: not selected, or removed by a
	 * transform.
	 */
	uint64_t left_out[CR_SIDES], left_out_samples[CR_SIDES];
	/*
	 * Owns the arrays by node, except those borrowed from the profile. Names are borrowed from
	 * the profile or from `names`.
	 */
	struct cr_arena arena;
	bool is_borrowed; /* parent, frame, weight and samples are those of the profile */
	/* Owns the frames, shared with the trees derived from it that have the same frames. */
	struct cr_tree_names *table;
	/* names made for this tree, shared with the trees derived from it. */
	struct cr_tree_names *names;
};

void cr_tree_free(struct cr_tree *t);

/* Make t the owner of names that its frames point at; names is empty afterwards. */
void cr_tree_keep(struct cr_tree *t, struct cr_arena *names);

/*
 * What the weights of a side measure. The sides of a forced difference may count different events
 * in different units.
 */
static inline struct cr_measure
cr_tree_measure(const struct cr_tree *t, uint32_t side)
{
	return side + 1 < t->sides ? t->before : (struct cr_measure){t->event, t->unit, t->summed};
}

/*
 * The weight that shares of a side refer to. It is the total, unless the sides are compared as
 * amounts of something else, such as time; see query/diff/norm.h.
 */
static inline uint64_t
cr_tree_whole(const struct cr_tree *t, uint32_t side)
{
	return t->whole[side] ? t->whole[side] : t->total[side][0];
}

/*
 * The largest depth of n nodes, where parents come before their children and node 0 is the root, at
 * depth 0.
 */
uint32_t cr_tree_depth(const uint32_t *parent, uint32_t n);

/* Set what the weights of all sides measure to m. */
static inline void
cr_tree_set_measure(struct cr_tree *t, struct cr_measure m)
{
	t->event = m.event;
	t->unit = m.unit;
	t->summed = m.summed;
	t->before = m;
}

/*
 * Returns an array by node: 1 for the root and for the groups that the query put above the stacks,
 * otherwise 0. The caller frees it.
 */
uint8_t *cr_tree_above(const struct cr_tree *t);

/* Sum of the self weight of all nameless frames of a side. */
uint64_t cr_tree_unresolved(const struct cr_tree *t, uint32_t side);

/*
 * How to iterate over the children of n: the first is n + 1 if n + 1 < end[n]; the one after c is
 * end[c] if that is < end[n].
 */

/*
 * Builds a tree path by path. Frames are given by number; cr_tree_builder_finish() sorts the
 * siblings, renumbers the nodes in preorder and computes totals.
 *
 *	tb = cr_tree_builder_new(1, frames, n_frames);    frames are copied, their names borrowed
 *	n  = cr_tree_builder_child(tb, 0, f);
 *	cr_tree_builder_add(tb, n, side, weight, samples);
 *	t  = cr_tree_builder_finish(tb, map);             also frees tb
 */
struct cr_tree_builder;

/* A builder without nodes but the root. sides: 1 or 2. Frame 0 is the root's. */
struct cr_tree_builder *cr_tree_builder_new(
	uint32_t sides, const struct cr_frame *frames, uint32_t n_frames);
/*
 * A builder for a tree made from t: with t's sides, frames, names, event and unit. The new tree may
 * outlive t.
 */
struct cr_tree_builder *cr_tree_builder_like(const struct cr_tree *t);
/* Reserve memory for about `nodes` nodes. */
void cr_tree_builder_expect(struct cr_tree_builder *tb, uint32_t nodes);
/* Return the child of `parent` with this frame; add it if it is new. 0 is the root. */
uint32_t cr_tree_builder_child(struct cr_tree_builder *tb, uint32_t parent, uint32_t frame);
/*
 * Add a child that is known to be new, without a lookup. cr_tree_builder_child() will not find it.
 */
uint32_t cr_tree_builder_append(struct cr_tree_builder *tb, uint32_t parent, uint32_t frame);
/* Number of nodes so far; frame of a node; its weight so far on a side. */
uint32_t cr_tree_builder_nodes(const struct cr_tree_builder *tb);
uint32_t cr_tree_builder_frame(const struct cr_tree_builder *tb, uint32_t node);
uint64_t cr_tree_builder_weight(const struct cr_tree_builder *tb, uint32_t node, uint32_t side);
/* Subtract weight from a node; the result is at least 0. */
void cr_tree_builder_subtract(
	struct cr_tree_builder *tb, uint32_t node, uint32_t side, uint64_t weight);
/* Add weight and a number of samples to a node. */
void cr_tree_builder_add(struct cr_tree_builder *tb, uint32_t node, uint32_t side, uint64_t weight,
	uint64_t samples);
/*
 * After this call the tree's leaf arrays count only what cr_tree_builder_add_leaf() adds: a part of
 * what cr_tree_builder_add() adds to weight and samples.
 */
void cr_tree_builder_split_leaf(struct cr_tree_builder *tb);
void cr_tree_builder_add_leaf(struct cr_tree_builder *tb, uint32_t node, uint32_t side,
	uint64_t weight, uint64_t samples);
/* Set leaves_first of the tree. */
void cr_tree_builder_leaves_first(struct cr_tree_builder *tb, bool leaves_first);
/*
 * Give the builder the arena of names that frames point at; it lives as long as the tree. names is
 * empty afterwards.
 */
void cr_tree_builder_keep(struct cr_tree_builder *tb, struct cr_arena *names);
/*
 * Return the finished tree, which the caller frees with cr_tree_free(), and free tb. If map is not
 * NULL, *map becomes an array by builder node: its node in the tree, or CR_NO_ROW if it has no
 * samples and was dropped. The caller frees *map.
 */
struct cr_tree *cr_tree_builder_finish(struct cr_tree_builder *tb, uint32_t **map);
/*
 * The same for a writer that asks only for frames, ends, weights, samples and the totals of the
 * root: the other arrays are NULL, and nothing is sorted or dropped. The builder's nodes must be in
 * preorder.
 */
struct cr_tree *cr_tree_builder_finish_bare(struct cr_tree_builder *tb);
void cr_tree_builder_free(struct cr_tree_builder *tb);

/*
 * A tree made from another one by deciding for each node what becomes of it. A struct of zeros
 * leaves the tree unchanged. Time and memory are linear; no names are compared.
 */
#define CR_TREE_SAME UINT32_MAX

struct cr_tree_change {
	/*
	 * By node: the number of its new frame, one of t's or of `more`. CR_TREE_SAME: drop the
	 * node and add its weight to its parent.
	 */
	const uint32_t *frame;
	/* By node: its new parent in t, a smaller number than its own. NULL: parents stay. */
	const uint32_t *up;
	/* By node: not 0 if its own weight and samples are left out; NULL: none. */
	const uint8_t *lost;
	/*
	 * By node: not 0 if nothing is left of its subtree: all its nodes are lost, and dropped.
	 * This only saves time. NULL: none.
	 */
	const uint8_t *skip;
	/* By node: not 0 if all its weight now counts as sampled in its leaf; NULL: none. */
	const uint8_t *own;
	const struct cr_frame *more; /* further frames, numbered from t->n_frames */
	uint32_t n_more;
	struct cr_arena *made; /* owns the names of `more`; empty afterwards; may be NULL */
};

/*
 * Apply c to t. Nodes with the same parent and frame are merged; empty nodes are dropped; the root
 * stays. The result, which the caller frees, may outlive t. map: as for cr_tree_builder_finish(),
 * by node of t; may be NULL.
 */
struct cr_tree *cr_tree_derive(
	const struct cr_tree *t, const struct cr_tree_change *c, uint32_t **map);

/*
 * Only the shape of the tree being built, for callers that keep weights of their own: nodes in the
 * order of cr_tree_builder_finish(). tb is unchanged and owns the frames; the caller frees shape's
 * arrays.
 */
struct cr_tree_shape {
	uint32_t n, n_frames;
	const struct cr_frame *frames; /* owned by tb */
	uint32_t *parent, *frame;      /* by node */
	uint32_t *place; /* by node of the builder: its node in the shape, or CR_NO_ROW */
};

void cr_tree_builder_shape(const struct cr_tree_builder *tb, struct cr_tree_shape *out);

#endif
