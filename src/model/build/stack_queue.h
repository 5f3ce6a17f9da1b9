#ifndef CR_MODEL_BUILD_STACK_QUEUE_H
#define CR_MODEL_BUILD_STACK_QUEUE_H

#include "model/build/builder.h"

/*
 * Stacks that another thread makes while the reader goes on. Looking up locations and nodes is half
 * of what reading a recording costs, and mostly waits for memory. So the reader only says what a
 * stack consists of, and gets a ticket at once. The thread takes the stacks in the order in which
 * they were given, so rows are the same as without it; with one processor nothing else changes.
 *
 *	cr_stack_queue_begin(b);
 *	ticket = cr_stack_queue_stack(b, &stack);         any number
 *	cr_builder_sample(b, &(struct cr_sample){.node = ticket, ...});
 *	cr_stack_queue_end(b);
 *
 * Between begin and end the nodes of samples are tickets; CR_ROOT is a ticket, too. Locations and
 * nodes of b belong to the thread: functions of builder.h that add some may be called only right
 * after cr_stack_queue_drain(). cr_builder_free() ends the queue, too.
 */

/*
 * A stack, described by what it has in common with earlier ones.
 *
 * - The outermost `shared` frames are those of the last stack of the same family.
 * - The other n frames are given by place, outermost first. A place remembers the location that it
 *   was last given. If `is_new` is set, the frame is the next of `at`, and the place remembers it.
 */
struct cr_stack_frame {
	uint32_t place : 31; /* less than CR_STACK_PLACES */
	uint32_t is_new : 1;
};

struct cr_stack {
	uint32_t family; /* less than CR_STACK_FAMILIES */
	bool truncated;  /* the frames are below the location of cr_stack_queue_truncated() */
	uint32_t shared;
	const struct cr_stack_frame *frames;
	uint32_t n;
	const struct cr_location_at *at;
	uint32_t n_at;
};

#define CR_STACK_FAMILIES 17u
#define CR_STACK_PLACES 32769u

void cr_stack_queue_begin(struct cr_builder *b);

/* Add a stack. Returns its ticket; CR_ROOT after 2^32 - 2 of them, which the quality counts. */
cr_node_id cr_stack_queue_stack(struct cr_builder *b, const struct cr_stack *s);

/* Add the location of truncated stacks. Call it before each of them; only the first one costs. */
void cr_stack_queue_truncated(struct cr_builder *b);

/* Add a location that no stack needs, between the stacks given before and after. */
void cr_stack_queue_location(struct cr_builder *b, const struct cr_location_at *at);

/* Wait until all stacks so far are made. */
void cr_stack_queue_drain(struct cr_builder *b);

/* The node of a ticket, after a drain. */
cr_node_id cr_stack_queue_node(struct cr_builder *b, cr_node_id ticket);

/* Make the rest and stop. Without a begin, nothing is done. */
void cr_stack_queue_end(struct cr_builder *b);

#endif
