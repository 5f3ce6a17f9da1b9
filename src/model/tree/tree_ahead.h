#ifndef CR_MODEL_TREE_TREE_AHEAD_H
#define CR_MODEL_TREE_TREE_AHEAD_H

#include "model/profile.h"

/*
 * Makes the default tree in a second thread, while the caller does what does not need it: gathers
 * the code of hot functions, and writes the columns of the samples.
 *
 *	cr_tree_ahead_start(p);
 *	...                                 p->default_tree is NULL; its samples, nodes, locations
 *	                                    and names must not change
 *	cr_tree_ahead_wait(p);              now it is there
 *
 * With one processor, or for a profile of few samples, the tree is made at once. The tree is the
 * same.
 */
void cr_tree_ahead_start(struct cr_profile *p);

/*
 * Wait for the tree of a profile that cr_tree_ahead_start() was called for; for others, nothing is
 * done. Call it before p->default_tree is read, and before p is freed.
 */
void cr_tree_ahead_wait(const struct cr_profile *p);

#endif
