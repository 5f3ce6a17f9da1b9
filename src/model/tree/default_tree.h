#ifndef CR_MODEL_TREE_DEFAULT_TREE_H
#define CR_MODEL_TREE_DEFAULT_TREE_H

#include "base/hash.h"
#include "model/tree/tree.h"

/*
 * The default view of a profile, kept in the store so that opening reads neither samples nor
 * addresses: function granularity, inline frames opened, rooted by comm when tasks are known.
 *
 * Nodes are in preorder. All events share the shape; weights are event-major: those of event e
 * and node i stand at [e * n + i].
 */
struct cr_default_tree {
	uint32_t n, n_frames, n_events;
	const uint32_t *parent;          /* parent[0] is 0 */
	const uint32_t *frame;           /* frame[0] is 0, the root's */
	const uint32_t *frame_function;  /* by frame: row of the functions; CR_NO_ROW for the root
					    and for comms */
	const struct cr_str *frame_comm; /* by frame: the comm, where frame_function is CR_NO_ROW */
	const uint64_t *self, *self_samples;
};

/*
 * Compute the default tree from the samples of a named profile and hang it on p. Once. A profile of
 * very many events and stacks gets none: what asks for its trees has to read the samples.
 */
void cr_default_tree_make(struct cr_profile *p);

/*
 * By event: the sum that its samples count for too, + 1; 0 for none. The caller's to free.
 */
uint32_t *cr_default_tree_sums(const struct cr_profile *p);

/*
 * Take the inlined functions out of it: what they cost is their callers', as far as these are not
 * inlined too.
 */
void cr_default_tree_outermost(struct cr_profile *p);

/*
 * The tree of one event from the default tree; nodes that the event never touched are left out.
 * Borrows from p more than names.
 */
struct cr_tree *cr_default_tree_fold(const struct cr_profile *p, cr_event_id event);

/*
 * The same of some comms alone: takes, by frame of the default tree, tells which of what stands
 * right under the root.
 */
struct cr_tree *cr_default_tree_tree_of(
	const struct cr_profile *p, cr_event_id event, const uint8_t *takes);

#endif
