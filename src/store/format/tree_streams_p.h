#ifndef CR_STORE_FORMAT_TREE_STREAMS_P_H
#define CR_STORE_FORMAT_TREE_STREAMS_P_H

#include "column_p.h"
#include "cuts_p.h"
#include "tree_code_p.h"

/*
 * Stores the numbers `up` and `way` of tree_code_p.h in streams of bytes. What is known of a node
 * before its number is read selects the stream: how often the previous node's key had no children,
 * how many ways lead from the parent's key, and which of them the previous sibling took. The
 * numbers of one stream are alike, so each takes few bits once zstd has compressed the stream. A
 * number that can only be 0 is not stored.
 *
 * No model is updated bit by bit, so reading takes some 10 ns a node more than two columns.
 */
struct cr_tree_streams;

/*
 * first: by key, the index of its first way, plus two elements at the end; see
 * cr_tree_code_ways(). Borrowed.
 */
struct cr_tree_streams *cr_tree_streams_new(const uint32_t *first, uint32_t n_keys);
void cr_tree_streams_free(struct cr_tree_streams *t);

/*
 * Append the nodes from `from` up to `to` as a block to out; *cuts: where zstd begins anew. The
 * blocks of a tree are written in order.
 */
void cr_tree_streams_write(struct cr_tree_streams *t, const uint32_t *parent, const uint32_t *key,
	const uint32_t *way, uint32_t from, uint32_t to, struct cr_buf *out, struct cr_cuts *cuts);

/*
 * Read a block with the nodes from `from` up to `to` into parent, key and end (which may be NULL).
 * The blocks are read in order; when the last was read, cr_tree_streams_end() sets the ends that
 * are left. keys: by way, the key to which it leads, less than n_keys. Returns false if the block
 * is damaged, or a node deeper than most_deep.
 */
bool cr_tree_streams_read(struct cr_tree_streams *t, struct cr_cursor *in, const uint32_t *keys,
	uint32_t from, uint32_t to, uint32_t most_deep, uint32_t *parent, uint32_t *key,
	uint32_t *end);
void cr_tree_streams_end(
	const struct cr_tree_streams *t, const uint32_t *parent, uint32_t nodes, uint32_t *end);

/* More bytes than this, besides 16 for each node, are damage. */
#define CR_TREE_STREAMS_HEAD 256u

#endif
