#ifndef CR_READ_TRACERS_TRACED_P_H
#define CR_READ_TRACERS_TRACED_P_H

#include "read/kit/stacks_p.h"

/*
 * Frames as the tools of BPF print them. They are kept until their stack is complete, for what they
 * are is sometimes told by what comes behind them.
 */
struct cr_traced_frame {
	struct cr_str name;   /* "" when there is none */
	struct cr_str module; /* "" when not known */
	struct cr_str file;   /* of the source line; "" when not known */
	uint32_t line;
	uint64_t addr; /* offset in the function, or in the dso, or the absolute address */
	uint8_t build_id[20], build_id_len;
	bool inlined; /* into the frame that follows */
	bool kernel;
	bool bare; /* the address without 0x is the name */
};

struct cr_traced {
	CR_VEC(struct cr_traced_frame) frames; /* innermost first */
	struct cr_arena names;
};

#define CR_TRACED_NONE \
	((struct cr_traced_frame){.name = CR_STR(""), .module = CR_STR(""), .file = CR_STR("")})

/* The frames so far are of the kernel. */
void cr_traced_mark_kernel(struct cr_traced *t);

/* Hand the frames over; then there are none. */
void cr_traced_end(struct cr_traced *t, struct cr_stacks *s);

void cr_traced_fini(struct cr_traced *t);

#endif
