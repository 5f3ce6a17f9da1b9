#ifndef CR_STORE_STORE_CHECK_P_H
#define CR_STORE_STORE_CHECK_P_H

#include "model/profile.h"
#include "model/tree/default_tree.h"

/*
 * What the tables of a store must be to each other. Checksums tell what a disk did to a file;
 * these tell whether a file that somebody made is a profile. Ids were checked when the columns
 * were read.
 */

#define CR_STORE_DEPTH_MAX UINT16_MAX /* of a tree: what a depth is kept in */

/*
 * A tree in preorder: the parent of each node is the node before it or an ancestor of that.
 * end, if not NULL, gets where the subtree of each node ends.
 */
bool cr_store_check_preorder(const uint32_t *parent, uint32_t n, uint32_t *end);

/* A root with the root's frame, and of each event the weight and samples that it has. */
bool cr_store_check_default_tree(const struct cr_default_tree *o, const struct cr_event *events);

/* Each location has at least one line, and they are there. */
bool cr_store_check_locations(const struct cr_profile *p);

/* By space, start, born; none ends before it starts. */
bool cr_store_check_maps(const struct cr_map *maps, uint32_t n);

/* Of each event as many as it says, weighing what it says. */
bool cr_store_check_samples(const struct cr_samples *s, const struct cr_profile *p);

/*
 * The stored default tree is what the samples add up to. The tree and all columns were read; true
 * if there is no default tree.
 */
bool cr_store_check_default_tree_samples(struct cr_profile *p);

/*
 * By event, of each as many rows as it has samples, and at least one of them with a value; no two
 * of an event have the same name and form.
 */
bool cr_store_check_fields(
	const struct cr_field *fields, uint32_t n, const struct cr_event *events);

/* Their values add up to what they say of them, and texts are rows of n_texts. */
bool cr_store_check_values(const struct cr_field *fields, uint32_t n, uint32_t n_texts);

/* By function, then address; addresses have 32 or 64 bits. */
bool cr_store_check_codes(const struct cr_machine_code *codes, uint32_t n);

/* By file, then line, none twice, the first of a file 1 or later. */
bool cr_store_check_source_lines(const struct cr_source_line *lines, uint32_t n);

#endif
