#ifndef CR_READ_FOLDED_FOLDED_FRAME_P_H
#define CR_READ_FOLDED_FOLDED_FRAME_P_H

#include "model/profile.h"

/*
 * Information encoded in a frame's name. The name itself is kept unchanged, so that it can be
 * written again.
 */
struct folded_frame {
	enum cr_kind kind;  /* CR_KIND_UNKNOWN if the name does not tell */
	bool inlined;       /* inlined into the frame above it */
	struct cr_str file; /* source file; "" if unknown */
	uint32_t line;
};

/*
 * Parse the annotations of a frame name:
 *
 *	vfs_read_[k]  run_[j]  get_[i]            kernel, JIT, inlined: flamegraph.pl and others
 *	-  --                       between the user's and the kernel's part; before a waker's stack
 *	work (lib/w.py:10)                        py-spy
 *	block in run - app.rb:5                   rbspy
 *	lib/w.py:work:10                  austin; only if `austin`, since other names may look alike
 */
void cr_folded_frame_parse(struct cr_str name, bool austin, struct folded_frame *out);

/* Parse the pid and tid of an austin stack, "P12;T34;..."; false if it is none. */
bool cr_folded_frame_task(struct cr_str stack, int32_t *pid, int32_t *tid);

#endif
