#ifndef CR_STORE_FORMAT_BLOCK_P_H
#define CR_STORE_FORMAT_BLOCK_P_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* A run of a section's rows as it stands in the file: an entry of the directory. */
struct cr_block {
	uint64_t offset;
	uint64_t sum; /* cr_block_sum() */
	uint32_t stored_bytes;
	uint32_t raw_bytes; /* the same as stored_bytes when it is not compressed */
	uint32_t rows;
};

#define CR_BLOCK_RAW_MAX ((uint32_t)1 << 30)

/*
 * The checksum covers what is stored and also what the block is: so a block that stands in
 * the place of another one is found, and so is a wrong size or count in the directory.
 */
uint64_t cr_block_sum(
	const void *stored, const struct cr_block *b, uint32_t section, uint32_t number);

/*
 * Compresses one block after the other. Level 0 stores them as they are. Small blocks are packed at
 * a higher level than is asked for, which takes no time to speak of.
 */
struct cr_packer;
struct cr_packer *cr_packer_new(int level);
void cr_packer_free(struct cr_packer *pk);
/* The bytes to store: borrowed from pk until the next call, or raw where packing does not help. */
const void *cr_packer_pack(
	struct cr_packer *pk, const void *raw, size_t raw_bytes, size_t *stored_bytes);

struct cr_unpacker;
struct cr_unpacker *cr_unpacker_new(void);
void cr_unpacker_free(struct cr_unpacker *up);
/* b->raw_bytes bytes into out; CR_EFORMAT when they are not what the block holds. */
int cr_unpacker_unpack(struct cr_unpacker *up, const void *stored, const struct cr_block *b,
	void *out, struct cr_err *err);

#endif
