#ifndef CR_PROFILE_FOLDER_H
#define CR_PROFILE_FOLDER_H

#include "cresset/profile/tree.h"

/*
 * From samples to the nodes of a tree: where the outline and every other fold meet. Samples are added up by (comm, node of the location tree) first, at the cost
 * of an array access each; then every such pair is folded once.
 *
 *	f = cr_folder_new(p, CR_GRAIN_FUNCTION, true, columns);
 *	cr_folder_add(f, row, column);                 for each sample that counts
 *	tb = cr_folder_end(f, column, &sums);          f is gone, tb and sums are the caller's
 *
 * Columns are sums kept apart, one an event for the outline. Frame 0 is the root's, then comes
 * a frame for each function (row + 1), or for each line of each, then one for each comm or other group.
 */
enum cr_grain {
	CR_GRAIN_FUNCTION,
	CR_GRAIN_LINE, /* a frame is a source line of a function: where the sample was taken, or the call is */
};

struct cr_folder;

/* What was added, by node of the tree builder; a node may stand in several rows. */
struct cr_folder_sums {
	uint32_t n;
	uint32_t *node;
	uint64_t *weight, *samples; /* [row * columns + column] */
};

/* by_comm: stacks stand under the comm of their task. */
struct cr_folder *cr_folder_new(const struct cr_profile *p, enum cr_grain grain, bool by_comm, uint32_t columns);

/* Count the sample `row` in a column. */
void cr_folder_add(struct cr_folder *f, uint64_t row, uint32_t column);

/*
 * Stacks stand under groups of the caller's making instead: n names, which live as long as the
 * tree, or none for stacks right under the root, which is group 0. Each sample is added to one of them.
 */
struct cr_folder *cr_folder_new_grouped(const struct cr_profile *p, enum cr_grain grain, const struct cr_str *names,
	uint32_t n, uint32_t columns);
void cr_folder_add_to(struct cr_folder *f, uint32_t group, uint64_t row, uint32_t column);

/* Pairs so far: so many sums there are of each column. */
size_t cr_folder_pairs(const struct cr_folder *f);

/*
 * The builder, one side, holds the weights of `column` and the samples of all columns: so a node
 * that any column touches stays in the tree. sums may be NULL.
 */
struct cr_tree_builder *cr_folder_end(struct cr_folder *f, uint32_t column, struct cr_folder_sums *sums);
void cr_folder_sums_fini(struct cr_folder_sums *s);

/* The frame that stands for a function; the name of a nameless one goes into arena. */
struct cr_frame cr_folder_frame(const struct cr_profile *p, uint32_t function, struct cr_arena *arena);

#endif
