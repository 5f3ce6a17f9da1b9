#ifndef CR_STORE_STORE_CHECK_P_H
#define CR_STORE_STORE_CHECK_P_H

#include "model/profile.h"
#include "model/tree/default_tree.h"

/*
 * Consistency checks between the tables of a store. Checksums detect damage by a disk; these checks
 * detect a file that was made wrong on purpose. The range of ids was checked when the columns were
 * read.
 */

/* Limit of a tree's depth, given by the type that stores it. */
#define CR_STORE_DEPTH_MAX UINT16_MAX

/*
 * True if parent[] is a tree in preorder: the parent of each node is the node before it or an
 * ancestor of that. end, if not NULL, becomes the end of each node's subtree.
 */
bool cr_store_check_preorder(const uint32_t *parent, uint32_t n, uint32_t *end);

/*
 * True if the tree has a root with the root's frame, and the weights and samples of each event add
 * up to the event's.
 */
bool cr_store_check_default_tree(const struct cr_default_tree *o, const struct cr_event *events);

/* True if each location has at least one line and its lines exist. */
bool cr_store_check_locations(const struct cr_profile *p);

/* True if few locations share lines. Then 32 bits hold the number of the lines of all locations. */
bool cr_store_check_shared(const struct cr_profile *p);

/* True if the maps are sorted by space, start, born, and none ends before it starts. */
bool cr_store_check_maps(const struct cr_map *maps, uint32_t n);

/* True if each event has the number of samples and the weight that it states. */
bool cr_store_check_samples(const struct cr_samples *s, const struct cr_profile *p);

/*
 * True if the stored default tree equals that of the samples, or there is none. The tree and all
 * columns must have been read.
 */
bool cr_store_check_default_tree_samples(struct cr_profile *p);

/*
 * True if the fields are sorted by event, and no two of an event share name and form. Each must
 * have as many rows as its event has samples, and at least one value.
 */
bool cr_store_check_fields(
	const struct cr_field *fields, uint32_t n, const struct cr_event *events);

/*
 * True if the values agree with the stored summary of each field, and texts are less than n_texts.
 */
bool cr_store_check_values(const struct cr_field *fields, uint32_t n, uint32_t n_texts);

/* True if the codes are sorted by function, then address, and addresses have 32 or 64 bits. */
bool cr_store_check_codes(const struct cr_machine_code *codes, uint32_t n);

/* True if the lines are sorted by file, then line, without duplicates, numbered from 1. */
bool cr_store_check_source_lines(const struct cr_source_line *lines, uint32_t n);

#endif
