#ifndef CR_SESSION_SELECTION_H
#define CR_SESSION_SELECTION_H

#include "base/str.h"
#include "base/text.h"

#include <stdint.h>

/*
 * The selection, which all views share. It has parts, which are set one by one: a frame of the
 * flame graph, a thread, a marked range of time, and so on. Every view reads the same selection and
 * shows the parts that it has rows or boxes for.
 *
 * A view reads s->selection. A part that has no bit in `parts` is not set, and its fields are zero.
 * Views change the selection only with the functions of selection_set_p.h. When a part has changed,
 * selected() is called for each view, also for the one that changed it, with the bits of the
 * changed parts. The history keeps the selection of each step, so that undo restores it.
 */
enum cr_selected {
	CR_SELECTED_NODE = 1, /* always set: the root is selected when nothing else is */
	CR_SELECTED_FUNCTION =
		2,            /* the function of the node; not set for the root and for groups */
	CR_SELECTED_DSO = 4,  /* the binary or library of the function, or selected by itself */
	CR_SELECTED_LINE = 8, /* a source line; unset when another function is selected */
	CR_SELECTED_THREAD = 16,
	CR_SELECTED_TIME = 32, /* the marked range of time */
	CR_SELECTED_PROFILE = 64,
};

/*
 * A copy is a plain assignment: the session owns the names, and they stay valid as long as it
 * lives.
 */
struct cr_selection {
	unsigned parts;          /* bits of enum cr_selected: which of the following are set */
	uint32_t node;           /* of the session's tree */
	struct cr_str function;  /* name, as the tree's frames have it */
	struct cr_str dso;       /* path or short name, as the tree's frames have it */
	struct cr_str file;      /* of the source line */
	uint32_t line;           /* counted from 1 */
	int32_t pid, tid;        /* of the thread; -1 where the recording does not know it */
	uint64_t from_ns, to_ns; /* [from, to) after the first sample; to: UINT64_MAX has no end */
	struct cr_str profile;   /* name of a stored profile */
};

/*
 * Append the marked time as the argument of `mark` and of the filter `time`: "3s..5.25s". Append
 * nothing if no time is marked.
 */
void cr_selection_put_time(const struct cr_selection *selection, struct cr_text *out);

#endif
