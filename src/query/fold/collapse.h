#ifndef CR_QUERY_FOLD_COLLAPSE_H
#define CR_QUERY_FOLD_COLLAPSE_H

#include "base/err.h"
#include "model/tree/tree.h"

struct cr_filter;

/*
 * Folds like the stackcollapse scripts, with the names that they write. All zero bytes means the
 * scripts' defaults.
 *
 * If the profile has names of symbol tables (CR_PROFILE_SYMBOL_NAMES), argument lists are removed,
 * inlined parts are separated, and so on; other names are unchanged. A function without a name is
 * "[libc.so.6]", its dso, or "[unknown]".
 */
struct cr_collapse_opts {
	bool pid;     /* "comm-PID" at the root */
	bool tid;     /* "comm-PID/TID" */
	bool kernel;  /* append "_[k]" to kernel functions */
	bool jit;     /* append "_[j]" to JIT code */
	bool addrs;   /* "[libc.so.6 <1f30>]" */
	bool offsets; /* "f+0x1f", except for the sampled frame */
	bool lines;   /* "f:x.c:12" if the line is known, without directories unless whole_paths */
	bool whole_paths;
	bool no_modules;     /* remove the part of a name before the first '`' */
	bool no_threads;     /* remove names of threads at the root of the input */
	bool whole_threads;  /* keep them with their trailing number */
	bool short_packages; /* "j.l.Thread.run" */
	bool recursive;      /* a function that calls itself is one frame */
	/*
	 * The tree is only for the writer of folded stacks, which sorts them and adds up equal ones
	 * itself: it may be one of cr_tree_builder_finish_bare().
	 */
	bool to_write;
	const char *group; /* group stacks by this field instead of by comm; NULL: comm */
	const char *const *skip_after; /* remove frames above the innermost of these functions */
	size_t n_skip_after;
};

/*
 * Collapse the samples that the filter selects, of its event. If it names none: both sides of a
 * difference; all events if the fact "collapse" is "all events"; otherwise the event in the fact
 * "main event", which may have no samples; otherwise that of the first sample. Negative counts of a
 * text are samples of the event "negative"; they are subtracted.
 *
 * - out: borrows p's names; the caller frees it.
 * - nothing_left: number of stacks whose sum is 0 or less; the tree may still contain them.
 *
 * Fails like cr_select(). Time grows with samples, locations and nodes.
 */
int cr_collapse(const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_collapse_opts *o, struct cr_tree **out, uint64_t *nothing_left,
	struct cr_err *err);

/*
 * Merge several of them, all with one side or all with two. Borrows what they borrow, and nothing
 * from them. CR_EUSAGE if sides differ.
 */
int cr_collapse_join(
	struct cr_tree *const *trees, size_t n, struct cr_tree **out, struct cr_err *err);

#endif
