#ifndef CR_MODEL_TREE_PATH_SUMS_H
#define CR_MODEL_TREE_PATH_SUMS_H

#include "model/tree/tree.h"

/*
 * Sums samples by path. It makes the default tree (function_tree_p.h), and stacks that are written
 * with other names; queries use fold_template.h. Samples are first summed by (comm, node of the
 * location tree), which costs an array access each. Then each such pair is folded once.
 *
 *	f = cr_path_sums_new(p, true, columns);
 *	cr_path_sums_add(f, row, column);                 for each selected sample
 *	cr_path_sums_sort(f, &sums);                      frees f
 *
 * Columns are separate sums: one per event for the default tree.
 */
struct cr_path_sums;

/* The sums, sorted by comm, then by node. Those without samples are left out. */
struct cr_path_sums_sorted {
	uint32_t n, columns;
	uint32_t n_groups;          /* at least 1: without comms there is one */
	uint32_t *ends;             /* by group: end of its pairs */
	uint32_t *node, *row;       /* by pair */
	uint64_t *weight, *samples; /* [row * columns + column] */
	struct cr_str *comms;       /* by group, each once; borrowed names */
	uint32_t n_comms;           /* n_groups, or 0 without comms */
};

/* by_comm: group stacks by the comm of their task. columns: number of separate sums. */
struct cr_path_sums *cr_path_sums_new(const struct cr_profile *p, bool by_comm, uint32_t columns);

/* Before `row` is added, in a loop over all samples: fetch what later ones will be added to. */
void cr_path_sums_prefetch(const struct cr_path_sums *f, uint64_t row);
/* Add the sample `row` to a column. */
void cr_path_sums_add(struct cr_path_sums *f, uint64_t row, uint32_t column);

/* Sort the sums and free f. The result is freed with cr_path_sums_sorted_fini(). */
void cr_path_sums_sort(struct cr_path_sums *f, struct cr_path_sums_sorted *out);
void cr_path_sums_sorted_fini(struct cr_path_sums_sorted *s);

/* The same for a spelling. group: 0 to n_groups - 1; its frames become the outermost ones. */
void cr_path_sums_add_to(struct cr_path_sums *f, uint32_t group, uint64_t row, uint32_t column);

/*
 * Frames made by the caller, for trees whose frame names differ from the function names. Each
 * location and each group is written as a run of 0 to 65535 frames, outermost first.
 */
enum cr_way {            /* how the locations below a group are written: bits */
	CR_WAY_JAVA = 1, /* JIT code has Java descriptors as names, "Lorg/x/Y;::f" */
	CR_WAYS = 2,
};

struct cr_spelling {
	const struct cr_frame *frames; /* frame 0 is the root's */
	uint32_t n_frames;
	/* By frame: not 0 if it starts the stack anew: the frames outside it are dropped. */
	const uint8_t *starts;
	const uint32_t *run; /* frame numbers of all runs; a run ends where the next one starts */
	/* By group: start of its run in `run`, and at [n_groups] the end of the last. */
	const uint32_t *group;
	const uint8_t *group_way; /* by group: bits of enum cr_way */
	uint32_t n_groups;
	/*
	 * By way, then by location of the profile: start of its run in `run`, and after the last
	 * location its end. NULL for a way that no group has.
	 */
	const uint32_t *inner[CR_WAYS];
	/* The same for the location where the sample was taken; may equal inner[]. */
	const uint32_t *leaf[CR_WAYS];
	uint32_t sides; /* sides of the builder: 1 or 2 */
	/*
	 * Stacks that differ in the location tree also differ here, so that nodes need no lookup.
	 * True if, in each way, every location is one frame that no other location has; no group is
	 * a prefix of another; and only groups and inner[] are used.
	 */
	bool apart;
	bool once; /* adjacent equal frames are merged into one */
	/*
	 * Nodes need no lookup either, since whoever uses the tree adds up equal stacks. Not with
	 * `once` and `starts`. The builder's nodes are in preorder, for
	 * cr_tree_builder_finish_bare(). May be set before _end().
	 */
	bool unmerged;
};

/* Borrows s until it is folded. Samples are added with cr_path_sums_add_to(). */
struct cr_path_sums *cr_path_sums_new_spelt(
	const struct cr_profile *p, const struct cr_spelling *s, uint32_t columns);

/* The sums, each with its node of the tree builder. A node may occur in several rows. */
struct cr_path_sums_result {
	uint32_t n;
	uint32_t *node;
	uint64_t *weight, *samples; /* [row * columns + column] */
};

/*
 * Fold the pairs of a spelling and free f. The caller adds the sums to the builder, which it owns,
 * and frees them with cr_path_sums_result_fini().
 */
struct cr_tree_builder *cr_path_sums_end(struct cr_path_sums *f, struct cr_path_sums_result *sums);
void cr_path_sums_result_fini(struct cr_path_sums_result *s);

/* Free f without folding. */
void cr_path_sums_free(struct cr_path_sums *f);

/* True if the sum of a pair is 0 in all columns. */
bool cr_path_sums_any_empty(const struct cr_path_sums *f);

/* Number of (group, node) pairs so far, which is the number of sums in each column. */
size_t cr_path_sums_pairs(const struct cr_path_sums *f);

/*
 * Fold the pairs of a spelling with one group, without `starts`, `once` and leaf[], and free f. The
 * nodes of the profile stay in their order, each as its frames, and equal stacks are not added up.
 * What is known of the tree: see cr_tree_builder_finish_bare(). Side s has the sums of column s.
 */
struct cr_tree *cr_path_sums_end_unmerged(struct cr_path_sums *f);

/* The frame of a function; the name made for a nameless function is stored in arena. */
struct cr_frame cr_path_sums_frame(
	const struct cr_profile *p, uint32_t function, struct cr_arena *arena);

/* The frame of nameless code of a dso; its name is stored in arena. */
struct cr_frame cr_path_sums_frame_nameless(
	const struct cr_profile *p, uint32_t dso, struct cr_arena *arena);

#endif
