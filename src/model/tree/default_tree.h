#ifndef CR_MODEL_TREE_DEFAULT_TREE_H
#define CR_MODEL_TREE_DEFAULT_TREE_H

#include "base/hash.h"
#include "model/tree/path_sums.h"
#include "model/tree/tree.h"

/*
 * The default view of a profile: function granularity, inlined functions expanded, grouped by comm
 * if tasks are known. It is stored with the profile, so that opening it reads neither samples nor
 * addresses.
 *
 * Nodes are in preorder. All events share the nodes; the weights of event e and node i are at [e *
 * n + i].
 */
struct cr_default_tree {
	uint32_t n, n_frames, n_events;
	const uint32_t *parent; /* parent[0] is 0 */
	const uint32_t *frame;  /* frame[0] is 0, the root's */
	/* By frame: row of the functions; CR_NO_ROW for the root and for comms. */
	const uint32_t *frame_function;
	const struct cr_str *frame_comm; /* by frame: the comm if frame_function is CR_NO_ROW */
	const uint64_t *self, *self_samples;
};

/*
 * Compute the default tree from the samples of a profile that has names, and attach it to p. Call
 * it once. A profile with very many events and stacks gets none, nor one whose many comms make a
 * tree that is far larger than the profile; queries then read the samples.
 */
void cr_default_tree_make(struct cr_profile *p);

/*
 * The same without changing p: returns the tree, whose memory belongs to the arena; NULL if the
 * profile gets none, also if the tree would have more than most_nodes nodes. cr_default_tree_make()
 * allows cr_default_tree_most_nodes().
 */
const struct cr_default_tree *cr_default_tree_compute(
	const struct cr_profile *p, uint64_t most_nodes, struct cr_arena *arena);
uint64_t cr_default_tree_most_nodes(const struct cr_profile *p);

/*
 * The same in two steps. The first one reads samples, nodes, tasks and events, but no names; it
 * returns NULL if the profile gets no tree. The second one frees the sums, which may be NULL.
 */
struct cr_path_sums *cr_default_tree_sum_up(const struct cr_profile *p);
const struct cr_default_tree *cr_default_tree_of_sums(const struct cr_profile *p,
	struct cr_path_sums *path_sums, uint64_t most_nodes, struct cr_arena *arena);

/*
 * Returns an array by event: the event that is a sum and includes this one, + 1; 0 if there is
 * none. The caller frees it.
 */
uint32_t *cr_default_tree_sums(const struct cr_profile *p);

/*
 * Remove the inlined functions from the default tree; their cost moves to the nearest caller that
 * is not inlined.
 */
void cr_default_tree_outermost(struct cr_profile *p);

/*
 * The call tree of one event, made from the default tree. Nodes without samples of the event are
 * dropped. The tree borrows arrays and names from p, which must outlive it. The caller frees it.
 * For tests; programs fold with cr_fold().
 */
struct cr_tree *cr_default_tree_fold(const struct cr_profile *p, cr_event_id event);

/*
 * The same for some stacks only. included: by frame of the default tree, not 0 if the child of the
 * root with this frame is included; NULL: all are. leaves: by frame, not 0 if stacks that end there
 * are included; NULL: all are.
 */
struct cr_tree *cr_default_tree_tree_of(const struct cr_profile *p, cr_event_id event,
	const uint8_t *included, const uint8_t *leaves);

#endif
