#ifndef CR_READ_PERF_SCRIPT_PERF_SCRIPT_STACK_P_H
#define CR_READ_PERF_SCRIPT_PERF_SCRIPT_STACK_P_H

#include "base/vec.h"
#include "model/build/builder.h"
#include "perf_script_p.h"
#include "read/kit/line_cache_p.h"

/*
 * Converts lines of frames to a node of the location tree. Only the part of a stack that differs
 * from the previous one of its thread is looked up. The memory for the lookups is prefetched when
 * the stack is complete, and used when the next one is:
 *
 *	cr_perf_script_stacks_push(s, line, &l, source);      each line, leaf first
 *	cr_perf_script_stacks_await(s, task);                 the stack is complete
 *	 ... the lines of the next stack are pushed
 *	node = cr_perf_script_stacks_node(s);                 node of the awaited one
 *
 * Lines are borrowed from the piece, until cr_perf_script_stacks_restart().
 */
/* Frames: of deeper stacks the innermost are kept, below "[truncated]". */
#define PERF_SCRIPT_DEPTH_MAX 8192u

/* A line of a frame, and the source line after it. */
struct perf_script_pushed {
	const char *p; /* the line */
	uint32_t len, addr_at, text_at;
	struct cr_str source;
};

/* The lines of a stack, leaf first. */
struct perf_script_frames {
	CR_VEC(struct perf_script_pushed) v;
	bool too_deep; /* there were more, towards the root */
};

/*
 * The stack of a thread's last sample, root first: the next one usually differs only near the leaf.
 */
struct perf_script_last {
	CR_VEC(struct perf_script_followed {
		struct perf_script_pushed frame;
		cr_node_id node; /* of the stack from the root to this frame */
	})
	v;
};

#define PERF_SCRIPT_LASTS 16u

/* One location: lines from `first` to `end`, all but the last inlined into it. */
struct perf_script_place {
	uint32_t first, end;
	struct cr_hash128 hash;
};

struct perf_script_stacks {
	struct cr_builder *b;
	struct cr_line_cache known; /* rows of locations */
	struct cr_line_cache dsos;  /* rows of dsos */
	/* Nodes, by the node above and the text of all frames below it. */
	struct cr_line_cache paths;
	struct perf_script_frames frames;  /* the current stack */
	struct perf_script_frames awaited; /* the stack whose node is still to be computed */
	struct perf_script_last *last;     /* of the awaited stack's thread */
	/* The awaited stack: frames of its own; the node above them; their key in paths. */
	size_t n_own;
	cr_node_id top;
	struct cr_hash128 path_hash;
	bool asked;      /* paths was asked for it */
	uint32_t found1; /* its node + 1 if paths has it, otherwise 0 */
	/* Its part that differs from the one before, leaf first. */
	CR_VEC(struct perf_script_place)
	path;
	struct perf_script_last lasts[PERF_SCRIPT_LASTS]; /* within the piece, by task */
	CR_VEC(cr_location_id) locations;                 /* root first */
	/* Of lines seen for the first time: what they name, their place, and their locations. */
	CR_VEC(struct cr_named_one) fresh;
	CR_VEC(uint32_t) fresh_place;
	CR_VEC(cr_location_id) fresh_location;
	CR_VEC(cr_node_id) nodes; /* their nodes */
};

void cr_perf_script_stacks_init(struct perf_script_stacks *s, struct cr_builder *b);
void cr_perf_script_stacks_fini(struct perf_script_stacks *s);

/* Begin a new piece: nothing borrowed from the last one is used any more. */
void cr_perf_script_stacks_restart(struct perf_script_stacks *s);

static inline bool
perf_script_stacks_full(const struct perf_script_stacks *s)
{
	return s->frames.v.n == PERF_SCRIPT_DEPTH_MAX;
}

/*
 * Add a line. Returns false at the first line beyond the maximum depth; it and those after it are
 * not kept.
 */
bool cr_perf_script_stacks_push(struct perf_script_stacks *s, struct cr_str line,
	const struct perf_script_line *l, struct cr_str source);

/*
 * End the current stack, of a sample of `task`. It becomes the awaited stack, whose node _node()
 * computes; the next lines belong to another stack. So lookups of one stack overlap with reading
 * the next.
 */
void cr_perf_script_stacks_await(struct perf_script_stacks *s, cr_task_id task);
cr_node_id cr_perf_script_stacks_node(struct perf_script_stacks *s);

#endif
