#ifndef CR_MODEL_TREE_SKELETON_H
#define CR_MODEL_TREE_SKELETON_H

#include "base/err.h"
#include "model/tree/tree.h"

/*
 * All stacks of a profile as a tree of frames, without weights: what every fold at one grain has in
 * common. What is added up by node of the location tree then goes to a row of it, and no name is
 * looked for.
 */
enum cr_grain {
	CR_GRAIN_FUNCTION,
	CR_GRAIN_LINE, /* a frame is a source line of a function: where the sample was taken, or the
			  call is */
	CR_GRAIN_ADDRESS, /* a frame is an address in a function; of what is inlined there each has
			     that address */
	CR_GRAIN_OBJECT,  /* a frame is an object: equal ones below one another are one */
	CR_GRAIN_FILE, /* the same for source files; functions of an unknown one are of "[object]"
			*/
};

struct cr_skeleton_opts {
	enum cr_grain grain;
	bool apart;     /* functions without a name are told apart by their address */
	bool outermost; /* no inlined functions */
};

struct cr_skeleton {
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
struct cr_skeleton *cr_skeleton_new(const struct cr_profile *p, const struct cr_skeleton_opts *o);
void cr_skeleton_free(struct cr_skeleton *s);

/* Names that live as long as s and all its trees; names is empty afterwards. */
void cr_skeleton_keep(struct cr_skeleton *s, struct cr_arena *names);

/* What one group of stacks has at a node of the location tree. */
struct cr_skeleton_sum {
	uint64_t weight;
	uint64_t samples;
	uint32_t group;
	uint32_t node;
};

/*
 * Groups that stacks stand under: each a way of frames from the root down. Beside each other stand
 * those that begin alike.
 */
struct cr_skeleton_groups {
	uint32_t n;          /* 1 when n_keys is 0 */
	uint32_t n_keys;     /* frames of each way */
	const uint32_t *way; /* [group * n_keys + key]: number in `frames` */
	const struct cr_frame *frames;
	uint32_t n_frames;
};

/*
 * The tree of sums, in any order, which are free()d; groups and nodes that have nothing go. It may
 * outlive s. CR_ELIMIT when it would have more than CR_SKELETON_NODES_MOST nodes, as of very many
 * groups.
 */
#define CR_SKELETON_NODES_MOST (1u << 25)

int cr_skeleton_tree(const struct cr_skeleton *s, struct cr_skeleton_sum *sums, size_t n,
	const struct cr_skeleton_groups *groups, struct cr_tree **out, struct cr_err *err);

#endif
