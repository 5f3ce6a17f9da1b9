#ifndef CR_STORE_PACKING_P_H
#define CR_STORE_PACKING_P_H

#include "store/format/block_p.h"
#include "store/format/modelled_p.h"

/*
 * Compresses the blocks of a file in threads, while the next blocks are made, and returns them in
 * the order in which they were given. The bytes do not depend on the number of threads. Few blocks
 * are held at a time.
 *
 *	cr_packing_give(k, &raw, &cuts, &other, level, row);
 *	while ((block = cr_packing_take(k, false)))
 *		... write it ...
 *	at the end: while ((block = cr_packing_take(k, true))) ...
 */
struct cr_packing;

/* A compressed block. */
struct cr_packed {
	const void *stored; /* valid until the next call of cr_packing_take() */
	size_t stored_bytes, raw_bytes;
	bool is_other;    /* the other form is stored */
	uint32_t version; /* of a section with its first column; 0 if !is_other */
	uint32_t row;     /* as given */
};

/* Starts threads if there are processors for them; cr_packing_free() ends them. */
struct cr_packing *cr_packing_new(void);
void cr_packing_free(struct cr_packing *k);

/*
 * Compress the bytes of *raw at this level, see cr_packer_pack_at(); *cuts becomes empty. other:
 * another form of the same block, which is stored if it becomes smaller; empty if there is none.
 * Takes the memory of both, which become empty buffers. row: for the caller. Before each call, take
 * blocks until there is none.
 */
void cr_packing_give(struct cr_packing *k, struct cr_buf *raw, struct cr_cuts *cuts,
	struct cr_buf *other, int level, uint32_t row);
/* The same for texts, see cr_packer_pack_texts(). */
void cr_packing_give_texts(struct cr_packing *k, struct cr_buf *raw, int level, uint32_t row);

/*
 * The oldest block that was not taken yet. Returns NULL if it can wait: there is room for more
 * blocks; or, with `all`, if there is none.
 */
const struct cr_packed *cr_packing_take(struct cr_packing *k, bool all);

#endif
