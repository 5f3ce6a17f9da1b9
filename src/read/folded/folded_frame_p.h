#ifndef CR_READ_FOLDED_FOLDED_FRAME_P_H
#define CR_READ_FOLDED_FOLDED_FRAME_P_H

#include "model/profile.h"

/*
 * What the name of a frame says besides: the name itself stays as it is, so that it can be written
 * again.
 */
struct folded_frame {
	enum cr_kind kind;  /* CR_KIND_UNKNOWN when nothing is said */
	bool inlined;       /* into the frame above it */
	struct cr_str file; /* where it is in the source; "" when that is not said */
	uint32_t line;
};

/*
 *	vfs_read_[k]  run_[j]  get_[i]            kernel, JIT, inlined: flamegraph.pl and others
 *	-  --                       between the user's and the kernel's part; before a waker's stack
 *	work (lib/w.py:10)                        py-spy
 *	block in run - app.rb:5                   rbspy
 *	lib/w.py:work:10                  austin; other names may look like that, so only when asked
 */
void cr_folded_frame_parse(struct cr_str name, bool austin, struct folded_frame *out);

/* The pid and tid of a stack of austin's, "P12;T34;...": false if it is none. */
bool cr_folded_frame_task(struct cr_str stack, int32_t *pid, int32_t *tid);

#endif
