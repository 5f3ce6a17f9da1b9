#ifndef CR_MODEL_TREE_FOLD_TEMPLATE_H
#define CR_MODEL_TREE_FOLD_TEMPLATE_H

#include "base/err.h"
#include "model/tree/tree.h"

/*
 * All stacks of a profile as a tree of frames, without weights: what every fold at one granularity
 * has in common. What is added up by node of the location tree then goes to a row of it, and no
 * name is looked for.
 */
enum cr_granularity { /* what one frame stands for */
	CR_GRANULARITY_FUNCTION,
	/* A source line of a function: the line of the sample, or of the call. */
	CR_GRANULARITY_LINE,
	/* An address in a function. All functions inlined at an address have that address. */
	CR_GRANULARITY_ADDRESS,
	/* A dso. Equal frames that follow one another are merged into one. */
	CR_GRANULARITY_DSO,
	/* A source file, merged likewise. Functions of an unknown file belong to "[dso]". */
	CR_GRANULARITY_FILE,
};

struct cr_fold_template_opts {
	enum cr_granularity granularity;
	bool apart;     /* functions without a name are told apart by their address */
	bool outermost; /* no inlined functions */
};

struct cr_fold_template {
	uint32_t n; /* rows, in preorder; 0 is the root */
	uint32_t n_frames;
	const uint32_t *parent, *frame;
	const uint32_t *row_of_node;   /* by node of the location tree */
	const struct cr_frame *frames; /* 0 is the root's; of functions that of row r is r + 1 */
	const uint32_t *rank;          /* by frame: its place in the order of cr_frame_cmp() */
	struct cr_tree_names *names;   /* those made, shared with the trees */
	struct cr_arena arena;
};

/*
 * Borrows p's names. The tables of locations and nodes must be there. Linear in them, but for
 * sorting the frames.
 */
struct cr_fold_template *cr_fold_template_new(
	const struct cr_profile *p, const struct cr_fold_template_opts *o);
void cr_fold_template_free(struct cr_fold_template *s);

/* Names that live as long as s and all its trees; names is empty afterwards. */
void cr_fold_template_keep(struct cr_fold_template *s, struct cr_arena *names);

/* What one group of stacks has at a node of the location tree. */
struct cr_fold_template_sum {
	uint64_t weight;
	uint64_t samples;
	uint32_t group;
	uint32_t node;
};

/*
 * Groups that stacks stand under: each a way of frames from the root down. Beside each other stand
 * those that begin alike.
 */
struct cr_fold_template_groups {
	uint32_t n;          /* 1 when n_keys is 0 */
	uint32_t n_keys;     /* frames of each way */
	const uint32_t *way; /* [group * n_keys + key]: number in `frames` */
	const struct cr_frame *frames;
	uint32_t n_frames;
};

/*
 * The tree of sums, in any order, which are free()d; groups and nodes that have nothing go. It may
 * outlive s. CR_ELIMIT when it would have more than CR_FOLD_TEMPLATE_NODES_MOST nodes, as of very
 * many groups.
 */
#define CR_FOLD_TEMPLATE_NODES_MOST (1u << 25)

int cr_fold_template_tree(const struct cr_fold_template *s, struct cr_fold_template_sum *sums,
	size_t n, const struct cr_fold_template_groups *groups, struct cr_tree **out,
	struct cr_err *err);

#endif
