#ifndef CR_READ_FOLDED_FOLDED_PATH_P_H
#define CR_READ_FOLDED_FOLDED_PATH_P_H

#include "base/str.h"
#include "base/vec.h"

/*
 * The frames of folded stacks, and what a stack has in common with the one before: neighbours in a
 * file are mostly alike, and need not be looked up again.
 */
#define FOLDED_DEPTH_MOST 8191u /* frames; of deeper stacks the innermost are kept */

/* The remaining frames of a stack. After the last semicolon there is one more, maybe empty. */
struct folded_frames {
	struct cr_str text;
	bool more;
};

/*
 * Frames from a position in the stack, after a semicolon or at its start. An empty stack has no
 * frame.
 */
static inline struct folded_frames
cr_folded_frames_from(struct cr_str stack, uint32_t at)
{
	return (struct folded_frames){{stack.p + at, stack.len - at}, stack.len > 0};
}

static inline struct cr_str
cr_folded_frames_next(struct folded_frames *f)
{
	const char *semi = f->text.len ? memchr(f->text.p, ';', f->text.len) : NULL;
	const struct cr_str frame = {f->text.p, semi ? (uint32_t)(semi - f->text.p) : f->text.len};

	f->more = semi != NULL;
	f->text.p += frame.len + f->more;
	f->text.len -= frame.len + f->more;
	return frame;
}

/*
 * If the stack has more than FOLDED_DEPTH_MOST frames, remove the outermost ones and return true.
 */
bool cr_folded_frames_cut(struct cr_str *stack);

/* A frame of the last stack: the end of its text, and its node. */
struct folded_step {
	uint32_t end;
	uint32_t node;
};

/* All zero bytes: there was no stack. */
struct folded_path {
	struct cr_str last;               /* the last stack, in the input */
	CR_VEC(struct folded_step) steps; /* its frames, the outermost first */
};

/* Number of frames at the start that equal those of the last stack. */
size_t cr_folded_path_shared(const struct folded_path *p, struct cr_str stack);

/* Forget the last stack, so that the next one shares nothing with it. */
void cr_folded_path_forget(struct folded_path *p);

#endif
