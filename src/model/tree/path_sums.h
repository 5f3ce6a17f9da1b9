#ifndef CR_MODEL_TREE_PATH_SUMS_H
#define CR_MODEL_TREE_PATH_SUMS_H

#include "model/tree/tree.h"

/*
 * From samples to the nodes of a tree, for the default tree and for stacks that are spelt
 * otherwise; template.h is what queries fold with. Samples are added up by (comm, node of the
 * location tree) first, at the cost of an array access each; then every such pair is folded once.
 *
 *	f = cr_path_sums_new(p, true, columns);
 *	cr_path_sums_add(f, row, column);                 for each sample that counts
 *	tb = cr_path_sums_end(f, column, &sums);          f is gone, tb and sums are the caller's
 *
 * Columns are sums kept apart, one an event for the default tree. Frame 0 is the root's, then comes
 * a frame for each function (row + 1), then one for each comm.
 */
struct cr_path_sums;

/* What was added, by node of the tree builder; a node may stand in several rows. */
struct cr_path_sums_result {
	uint32_t n;
	uint32_t *node;
	uint64_t *weight, *samples; /* [row * columns + column] */
};

/* by_comm: stacks stand under the comm of their task. */
struct cr_path_sums *cr_path_sums_new(const struct cr_profile *p, bool by_comm, uint32_t columns);

/* Count the sample `row` in a column. */
void cr_path_sums_add(struct cr_path_sums *f, uint64_t row, uint32_t column);

/* Count it for a group of a spelling. */
void cr_path_sums_add_to(struct cr_path_sums *f, uint32_t group, uint64_t row, uint32_t column);

/*
 * Frames of the caller's making instead, where the name in the tree is not the name of the
 * function: a location, and a group, is spelt as a run of frames, outermost first, none to 65535 of
 * them.
 */
enum cr_way { /* how locations are spelt, by group: bits */
	CR_WAY_JAVA = 1,
	CR_WAYS = 2,
};

struct cr_spelling {
	const struct cr_frame *frames; /* the first is the root's */
	uint32_t n_frames;
	const uint8_t *starts; /* by frame: stacks begin with it, what stands above is left out */
	const uint32_t *run;   /* numbers of frames, run behind run */
	const uint32_t *group; /* by group: where its run begins; one more than groups */
	const uint8_t *group_way; /* by group */
	uint32_t n_groups;
	const uint32_t
		*inner[CR_WAYS]; /* by location, and one more; NULL in a way that no group has */
	const uint32_t *leaf[CR_WAYS]; /* the same for where the sample was taken; may be inner[] */
	uint32_t sides;                /* of the builder: 1 or 2 */
	/*
	 * In each way every location is one frame and no two are the same one, no group is what
	 * another begins with, and nothing of the above is used but groups and inner[]: then stacks
	 * that differ in the location tree differ here, and nodes need not be looked for.
	 */
	bool apart;
	bool once; /* equal frames below one another are one */
};

/* Borrows s until the end. Samples are added with cr_path_sums_add_to(). */
struct cr_path_sums *cr_path_sums_new_spelt(
	const struct cr_profile *p, const struct cr_spelling *s, uint32_t columns);

/* Pairs so far: so many sums there are of each column. */
size_t cr_path_sums_pairs(const struct cr_path_sums *f);

/*
 * The builder, one side, holds the weights of `column` and the samples of all columns: so a node
 * that any column touches stays in the tree. sums may be NULL.
 */
struct cr_tree_builder *cr_path_sums_end(
	struct cr_path_sums *f, uint32_t column, struct cr_path_sums_result *sums);

/* The same without weights in the builder, all of them in sums. */
struct cr_tree_builder *cr_path_sums_end_bare(
	struct cr_path_sums *f, struct cr_path_sums_result *sums);
void cr_path_sums_result_fini(struct cr_path_sums_result *s);

/* The frame that stands for a function; the name of a nameless one goes into arena. */
struct cr_frame cr_path_sums_frame(
	const struct cr_profile *p, uint32_t function, struct cr_arena *arena);

/* The frame that stands for what has no name in a dso. */
struct cr_frame cr_path_sums_frame_nameless(
	const struct cr_profile *p, uint32_t dso, struct cr_arena *arena);

#endif
