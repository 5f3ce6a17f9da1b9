#ifndef CR_READ_PERF_SCRIPT_PERF_SCRIPT_STACK_P_H
#define CR_READ_PERF_SCRIPT_PERF_SCRIPT_STACK_P_H

#include "base/vec.h"
#include "model/build/builder.h"
#include "perf_script_p.h"
#include "read/kit/line_cache_p.h"

/*
 * From the lines of frames to a node of the location tree. Only the part of a stack that is not
 * that of the one before in its thread is looked at, and what that takes is asked of memory when
 * the lines of the stack are there, and looked at when those of the next one are:
 *
 *	cr_perf_script_stacks_push(s, line, &l, source);      each line, leaf first
 *	cr_perf_script_stacks_await(s, task);                 it was the last of this stack
 *	 ... the lines of the next stack are pushed
 *	node = cr_perf_script_stacks_node(s);                 of the awaited one, before the next is
 *
 * Lines are borrowed from the piece, until cr_perf_script_stacks_restart().
 */
#define PERF_SCRIPT_DEPTH_MAX \
	8192u /* frames: of deeper stacks the innermost are kept, below "[truncated]" */

/* A line of a frame, and the one with its source behind it. */
struct perf_script_pushed {
	const char *p; /* the line */
	uint32_t len, addr_at, text_at;
	struct cr_str source;
};

/* The lines of a stack, leaf first. */
struct perf_script_frames {
	CR_VEC(struct perf_script_pushed) v;
	bool too_deep; /* there were more, further out */
};

/*
 * The stack of the last sample of a thread, root first: that of the next is like it, but for frames
 * near the leaf.
 */
struct perf_script_last {
	CR_VEC(struct perf_script_followed {
		struct perf_script_pushed frame;
		cr_node_id node; /* of the stack from the root to here */
	})
	v;
};

#define PERF_SCRIPT_LASTS 16u

/*
 * One of the profile's frames: lines from `first` to `end`, which were inlined into that before
 * `end`.
 */
struct perf_script_place {
	uint32_t first, end;
	struct cr_hash128 hash;
};

struct perf_script_stacks {
	struct cr_builder *b;
	struct cr_line_cache known;        /* to rows of locations */
	struct cr_line_cache dsos;         /* to their rows */
	struct perf_script_frames frames;  /* of the stack being read */
	struct perf_script_frames awaited; /* of the one whose node is yet to be found */
	struct perf_script_last *last;     /* the awaited one by now */
	CR_VEC(struct perf_script_place)
	path; /* what of it is not as in the one before, leaf first */
	struct perf_script_last lasts[PERF_SCRIPT_LASTS]; /* of the piece, by task */
	CR_VEC(cr_location_id) locations;                 /* root first */
	CR_VEC(cr_node_id) nodes;                         /* theirs */
};

void cr_perf_script_stacks_init(struct perf_script_stacks *s, struct cr_builder *b);
void cr_perf_script_stacks_fini(struct perf_script_stacks *s);

/* A new piece: what was borrowed from the one before is gone. */
void cr_perf_script_stacks_restart(struct perf_script_stacks *s);

static inline bool
perf_script_stacks_full(const struct perf_script_stacks *s)
{
	return s->frames.v.n == PERF_SCRIPT_DEPTH_MAX;
}

/*
 * False for the first line of a stack that is past the depth; neither it nor those behind it are
 * kept.
 */
bool cr_perf_script_stacks_push(struct perf_script_stacks *s, struct cr_str line,
	const struct perf_script_line *l, struct cr_str source);

void cr_perf_script_stacks_await(struct perf_script_stacks *s, cr_task_id task);
cr_node_id cr_perf_script_stacks_node(struct perf_script_stacks *s);

#endif
