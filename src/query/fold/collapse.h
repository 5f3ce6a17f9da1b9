#ifndef CR_QUERY_FOLD_COLLAPSE_H
#define CR_QUERY_FOLD_COLLAPSE_H

#include "base/err.h"
#include "model/tree/tree.h"

struct cr_filter;

/*
 * The fold that the stackcollapse scripts make, with the names that they write. All zero is what
 * they do without options.
 *
 * Names of a profile that bears them as symbol tables do (CR_PROFILE_SYMBOL_NAMES) lose argument
 * lists, are parted where they say what was inlined, and so on; those of other profiles stay as
 * they are. A function without a name is "[libc.so.6]" after its dso, or "[unknown]".
 */
struct cr_collapse_opts {
	bool pid;     /* "comm-PID" at the root */
	bool tid;     /* "comm-PID/TID" */
	bool kernel;  /* "_[k]" behind what the kernel has */
	bool jit;     /* "_[j]" behind what a compiler made at run time */
	bool addrs;   /* "[libc.so.6 <1f30>]" */
	bool offsets; /* "f+0x1f" but for where the sample was taken */
	bool lines;   /* "f:x.c:12" where the line is known, without directories unless: */
	bool whole_paths;
	bool no_modules;     /* what stands before the first '`' of a name goes */
	bool no_threads;     /* names of threads that the input has at the root go */
	bool whole_threads;  /* they stand there whole, with the number that ends them */
	bool short_packages; /* "j.l.Thread.run" */
	bool recursive;      /* a function that calls itself is one frame */
	const char *group;   /* stacks stand under the values of this field instead of comms; NULL:
				comms */
	const char *const *skip_after; /* what stands above the innermost of these functions goes */
	size_t n_skip_after;
};

/*
 * Samples that the filter selects, of its event. Where it names none: of a difference both sides;
 * of a profile whose fact "collapse" is "all events" all of them; of the event in the fact "main
 * event", which may have no samples; else of the first sample's. Counts that a text had with a
 * minus are samples of an event of their own, "negative": these are taken off.
 *
 * out           borrows p's names
 * nothing_left  how many stacks there are with a sum of nothing, or less: the tree may have them
 * still
 *
 * Fails as cr_select() does. Time grows with samples, locations and nodes.
 */
int cr_collapse(const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_collapse_opts *o, struct cr_tree **out, uint64_t *nothing_left,
	struct cr_err *err);

/*
 * Several of them as one, of one side each or of two. Borrows what they borrow, and nothing of
 * them. CR_EUSAGE when sides differ.
 */
int cr_collapse_join(
	struct cr_tree *const *trees, size_t n, struct cr_tree **out, struct cr_err *err);

#endif
