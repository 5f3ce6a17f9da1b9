#ifndef CR_STORE_FORMAT_BLOCK_P_H
#define CR_STORE_FORMAT_BLOCK_P_H

#include "base/err.h"
#include "cuts_p.h"

#include <stddef.h>
#include <stdint.h>

/* A block is a run of rows of a section in the file. This is its entry in the directory. */
struct cr_block {
	uint64_t offset;
	uint64_t sum; /* cr_block_sum() */
	uint32_t stored_bytes;
	uint32_t raw_bytes; /* equal to stored_bytes if it is not compressed */
	uint32_t rows;
};

#define CR_BLOCK_RAW_MAX ((uint32_t)1 << 30)

/*
 * Checksum of the stored bytes and of the block's identity. So it also detects a block at the wrong
 * place, and a wrong size or count in the directory.
 */
uint64_t cr_block_sum(
	const void *stored, const struct cr_block *b, uint32_t section, uint32_t number);

/*
 * Compresses blocks with zstd. Level 0 stores them uncompressed. Small blocks are compressed at a
 * higher level than given, since that costs little time.
 */
struct cr_packer;
struct cr_packer *cr_packer_new(int level);
void cr_packer_free(struct cr_packer *pk);
/*
 * Return the bytes to store: owned by pk and valid until the next call, or `raw` itself if
 * compression does not help.
 */
const void *cr_packer_pack(
	struct cr_packer *pk, const void *raw, size_t raw_bytes, size_t *stored_bytes);

/*
 * The same at another level than the packer's, which must not be 0. cuts: where zstd begins anew;
 * NULL for nowhere.
 */
const void *cr_packer_pack_at(struct cr_packer *pk, int level, const void *raw, size_t raw_bytes,
	const struct cr_cuts *cuts, size_t *stored_bytes);

/* The same as texts of a section of version 4: with the phrases of phrases_p.h before them. */
const void *cr_packer_pack_texts(
	struct cr_packer *pk, int level, const void *raw, size_t raw_bytes, size_t *stored_bytes);

struct cr_unpacker;
struct cr_unpacker *cr_unpacker_new(void);
void cr_unpacker_free(struct cr_unpacker *up);
/* Write b->raw_bytes bytes to out; CR_EFORMAT if the block holds another number. */
int cr_unpacker_unpack(struct cr_unpacker *up, const void *stored, const struct cr_block *b,
	void *out, struct cr_err *err);
/* The same for texts of a section of version 4. */
int cr_unpacker_unpack_texts(struct cr_unpacker *up, const void *stored, const struct cr_block *b,
	void *out, struct cr_err *err);

#endif
