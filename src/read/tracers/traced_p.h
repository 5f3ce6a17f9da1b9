#ifndef CR_READ_TRACERS_TRACED_P_H
#define CR_READ_TRACERS_TRACED_P_H

#include "read/kit/stacks_p.h"

/*
 * Frames as printed by BPF tools. They are kept until their stack is complete, since later lines
 * may tell what they are.
 */
struct cr_traced_frame {
	struct cr_str name;   /* "" if there is none */
	struct cr_str module; /* "" if unknown */
	struct cr_str file;   /* of the source line; "" if unknown */
	uint32_t line;
	uint64_t addr; /* offset in the function or in the dso, or the absolute address */
	uint8_t build_id[20], build_id_len;
	bool inlined; /* inlined into the next frame */
	bool kernel;
	bool bare; /* the name is an address without 0x */
};

struct cr_traced {
	CR_VEC(struct cr_traced_frame) frames; /* innermost first */
	struct cr_arena names;
};

#define CR_TRACED_NONE \
	((struct cr_traced_frame){.name = CR_STR(""), .module = CR_STR(""), .file = CR_STR("")})

/* Mark the frames so far as kernel frames. */
void cr_traced_mark_kernel(struct cr_traced *t);

/* Add the frames to s; the list is empty then. */
void cr_traced_end(struct cr_traced *t, struct cr_stacks *s);

void cr_traced_fini(struct cr_traced *t);

#endif
