#ifndef CR_PROFILE_FOLDER_H
#define CR_PROFILE_FOLDER_H

#include "cresset/profile/tree.h"

/*
 * From samples to the nodes of a tree at function granularity: where the outline and every
 * other fold meet. A stack that was seen before costs one look-up.
 *
 *	f = cr_folder_new(p, true, 1);
 *	tb = cr_folder_tree(f);                         borrowed: add weights to it
 *	node = cr_folder_node(f, p->samples.task[i], p->samples.node[i]);
 *	tb = cr_folder_end(f);                          f is gone, tb is the caller's
 *
 * Frame 0 is the root's, then a frame for each function (row + 1), then one for each comm.
 */
struct cr_folder;

/* by_comm: stacks stand under the comm of their task. */
struct cr_folder *cr_folder_new(const struct cr_profile *p, bool by_comm, uint32_t sides);
struct cr_tree_builder *cr_folder_tree(struct cr_folder *f);
uint32_t cr_folder_node(struct cr_folder *f, uint32_t task, uint32_t node);
struct cr_tree_builder *cr_folder_end(struct cr_folder *f);

#endif
