#ifndef CR_MODEL_TREE_TREE_AHEAD_H
#define CR_MODEL_TREE_TREE_AHEAD_H

#include "model/profile.h"

/*
 * Makes the default tree in a second thread, while the caller does what does not need it: looks up
 * names, gathers the code of hot functions, and writes the columns of the samples.
 *
 *	cr_tree_ahead_begin(p);
 *	...                                 names are looked up; samples, nodes, tasks, events and
 *	                                    their roles must not change
 *	cr_tree_ahead_start(p);
 *	...                                 p->default_tree is NULL; locations and names must not
 *	                                    change any more, either
 *	cr_tree_ahead_wait(p);              now it is there
 *
 * cr_tree_ahead_begin() may be left out, to save memory while names are looked up. With one
 * processor, or for a profile of few samples, cr_tree_ahead_start() makes the tree at once. The
 * tree is the same.
 */
void cr_tree_ahead_begin(struct cr_profile *p);
void cr_tree_ahead_start(struct cr_profile *p);

/* Instead of cr_tree_ahead_start(), if no tree is wanted or p is to be freed. */
void cr_tree_ahead_drop(struct cr_profile *p);

/*
 * Wait for the tree of a profile that cr_tree_ahead_start() was called for; for others, nothing is
 * done. Call it before p->default_tree is read, and before p is freed.
 */
void cr_tree_ahead_wait(const struct cr_profile *p);

#endif
