#include "block_p.h"

#include "base/hash.h"
#include "base/mem.h"
#include "phrases_p.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define SMALL_BYTES ((size_t)64 << 10)
#define SMALL_LEVEL 14
#define SMALL_TEXT_LEVEL 19

static void
put_int(unsigned char **p, uint64_t v, unsigned bytes)
{
	for (unsigned k = 0; k < bytes; k++)
		*(*p)++ = (unsigned char)(v >> (8 * k));
}

uint64_t
cr_block_sum(const void *stored, const struct cr_block *b, uint32_t section, uint32_t number)
{
	unsigned char key[36], *p = key;

	put_int(&p, cr_digest(stored, b->stored_bytes), 8);
	put_int(&p, b->offset, 8);
	put_int(&p, section, 4);
	put_int(&p, number, 4);
	put_int(&p, b->stored_bytes, 4);
	put_int(&p, b->raw_bytes, 4);
	put_int(&p, b->rows, 4);
	return cr_digest(key, sizeof(key));
}

struct cr_packer {
	ZSTD_CCtx *ctx; /* NULL: no compression */
	int level;
	void *room;
	size_t room_bytes;
};

struct cr_packer *
cr_packer_new(int level)
{
	struct cr_packer *pk = cr_alloc(1, sizeof(*pk));

	pk->level = level;
	pk->ctx = level ? ZSTD_createCCtx() : NULL;
	return pk;
}

void
cr_packer_free(struct cr_packer *pk)
{
	if (!pk)
		return;
	ZSTD_freeCCtx(pk->ctx);
	free(pk->room);
	free(pk);
}

/*
 * Compress to pk->room as one frame. A block of zstd ends at each cut, and has its own codes. A cut
 * at the end would add an empty block.
 */
static size_t
compress_parts(struct cr_packer *pk, int level, const void *raw, size_t raw_bytes,
	const struct cr_cuts *cuts)
{
	ZSTD_outBuffer out = {pk->room, pk->room_bytes, 0};
	ZSTD_inBuffer in = {raw, 0, 0};
	const uint32_t n = cuts->n - (cuts->n && cuts->at[cuts->n - 1] >= raw_bytes);
	size_t left = 0;

	ZSTD_CCtx_reset(pk->ctx, ZSTD_reset_session_and_parameters);
	ZSTD_CCtx_setParameter(pk->ctx, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setPledgedSrcSize(pk->ctx, raw_bytes);
	for (uint32_t i = 0; i <= n && !ZSTD_isError(left); i++) {
		in.size = i < n ? cuts->at[i] : raw_bytes;
		left = ZSTD_compressStream2(pk->ctx, &out, &in, i < n ? ZSTD_e_flush : ZSTD_e_end);
	}
	return ZSTD_isError(left) ? left : left == 0 ? out.pos : raw_bytes;
}

/* Have room for the result of raw_bytes bytes with so many cuts, each of which adds a block. */
static void
room_make(struct cr_packer *pk, size_t raw_bytes, size_t cuts)
{
	const size_t bound = ZSTD_compressBound(raw_bytes) + 4 * cuts; /* a header has 3 bytes */

	if (pk->room_bytes >= bound)
		return;
	free(pk->room);
	pk->room = cr_alloc(bound, 1);
	pk->room_bytes = bound;
}

const void *
cr_packer_pack_texts(
	struct cr_packer *pk, int level, const void *raw, size_t raw_bytes, size_t *stored_bytes)
{
	size_t phrases_bytes, n;
	const char *phrases = cr_phrases(&phrases_bytes);

	*stored_bytes = raw_bytes;
	if (!pk->ctx || level == 0)
		return raw;
	room_make(pk, raw_bytes, 0);
	if (raw_bytes <= SMALL_BYTES)
		level = CR_MAX(level, SMALL_TEXT_LEVEL);
	n = ZSTD_compress_usingDict(
		pk->ctx, pk->room, pk->room_bytes, raw, raw_bytes, phrases, phrases_bytes, level);
	if (ZSTD_isError(n) || n >= raw_bytes)
		return raw;
	*stored_bytes = n;
	return pk->room;
}

const void *
cr_packer_pack_at(struct cr_packer *pk, int level, const void *raw, size_t raw_bytes,
	const struct cr_cuts *cuts, size_t *stored_bytes)
{
	size_t n;

	*stored_bytes = raw_bytes;
	if (!pk->ctx || level == 0)
		return raw;
	room_make(pk, raw_bytes, cuts ? cuts->n : 0);
	if (raw_bytes <= SMALL_BYTES)
		level = CR_MAX(level, SMALL_LEVEL);
	n = cuts && cuts->n
		    ? compress_parts(pk, level, raw, raw_bytes, cuts)
		    : ZSTD_compressCCtx(pk->ctx, pk->room, pk->room_bytes, raw, raw_bytes, level);
	if (ZSTD_isError(n) || n >= raw_bytes)
		return raw;
	*stored_bytes = n;
	return pk->room;
}

const void *
cr_packer_pack(struct cr_packer *pk, const void *raw, size_t raw_bytes, size_t *stored_bytes)
{
	return cr_packer_pack_at(pk, pk->level, raw, raw_bytes, NULL, stored_bytes);
}

struct cr_unpacker {
	ZSTD_DCtx *ctx; /* 150 KB, so taken for the first compressed block */
};

/*
 * A context that no unpacker has, or NULL. To create one takes longer than to unpack a small block,
 * since zstd asks the processor what it can do, which leaves a virtual machine. A store has a dozen
 * sections, and a merge opens thousands of stores.
 */
static _Atomic(ZSTD_DCtx *) idle_ctx;

struct cr_unpacker *
cr_unpacker_new(void)
{
	return cr_alloc(1, sizeof(struct cr_unpacker));
}

void
cr_unpacker_free(struct cr_unpacker *up)
{
	if (!up)
		return;
	if (up->ctx)
		ZSTD_freeDCtx(atomic_exchange(&idle_ctx, up->ctx));
	free(up);
}

static int
unpack(struct cr_unpacker *up, const void *stored, const struct cr_block *b, const char *phrases,
	size_t phrases_bytes, void *out, struct cr_err *err)
{
	size_t n;

	if (b->stored_bytes == b->raw_bytes) {
		if (b->raw_bytes)
			memcpy(out, stored, b->raw_bytes);
		return CR_OK;
	}
	if (!up->ctx)
		up->ctx = atomic_exchange(&idle_ctx, NULL);
	if (!up->ctx)
		up->ctx = ZSTD_createDCtx();
	if (!up->ctx)
		return cr_fail(err, CR_EMEM, b->offset, "no memory to unpack a block");
	n = ZSTD_decompress_usingDict(
		up->ctx, out, b->raw_bytes, stored, b->stored_bytes, phrases, phrases_bytes);
	if (ZSTD_isError(n))
		return cr_fail(err, CR_EFORMAT, b->offset, "cannot unpack a block: %s",
			ZSTD_getErrorName(n));
	if (n != b->raw_bytes)
		return cr_fail(err, CR_EFORMAT, b->offset, "a block unpacks to %zu bytes, not %u",
			n, b->raw_bytes);
	return CR_OK;
}

int
cr_unpacker_unpack(struct cr_unpacker *up, const void *stored, const struct cr_block *b, void *out,
	struct cr_err *err)
{
	return unpack(up, stored, b, NULL, 0, out, err);
}

int
cr_unpacker_unpack_texts(struct cr_unpacker *up, const void *stored, const struct cr_block *b,
	void *out, struct cr_err *err)
{
	size_t n;
	const char *phrases = cr_phrases(&n);

	return unpack(up, stored, b, phrases, n, out, err);
}
