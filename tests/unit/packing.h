#ifndef CR_PACKING_H
#define CR_PACKING_H

/*
 * Bytes packed as gzip, xz and zstd pack them, each with its checksum: what can be unpacked by
 * this build. The result is added to out.
 */
#include <zlib.h>
#include <zstd.h>
#ifdef HAVE_LZMA
#include <lzma.h>
#endif

#include "testing.h"

static inline void
pack_gzip(struct cr_text *out, const void *p, size_t len)
{
	z_stream z = {.next_in = (unsigned char *)(uintptr_t)p, .avail_in = (uInt)len};
	size_t room;
	unsigned char *packed;

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	room = deflateBound(&z, len);
	packed = malloc(room);
	z.next_out = packed;
	z.avail_out = (uInt)room;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	cr_text_put(out, packed, z.total_out);
	deflateEnd(&z);
	free(packed);
}

#ifdef HAVE_LZMA
static inline void
pack_xz(struct cr_text *out, const void *p, size_t len)
{
	const size_t room = lzma_stream_buffer_bound(len);
	unsigned char *packed = malloc(room);
	size_t n = 0;

	assert_int_equal(
		lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, p, len, packed, &n, room),
		LZMA_OK);
	cr_text_put(out, packed, n);
	free(packed);
}
#endif

static inline void
pack_zstd(struct cr_text *out, const void *p, size_t len)
{
	const size_t room = ZSTD_compressBound(len);
	void *packed = malloc(room);
	ZSTD_CCtx *z = ZSTD_createCCtx();
	size_t n;

	ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
	n = ZSTD_compress2(z, packed, room, p, len);
	assert_false(ZSTD_isError(n));
	cr_text_put(out, packed, n);
	ZSTD_freeCCtx(z);
	free(packed);
}

static const struct packer {
	const char *name;
	void (*pack)(struct cr_text *out, const void *p, size_t len);
} packers[] = {
	{"gzip", pack_gzip},
#ifdef HAVE_LZMA
	{"xz", pack_xz},
#endif
	{"zstd", pack_zstd},
};

/* len bytes that are neither all the same nor without any pattern. */
static inline char *
packing_sample(size_t len)
{
	char *p = malloc(len + 1);
	uint64_t state = len;

	for (size_t i = 0; i < len; i++)
		p[i] = i % 64 < 48 ? (char)('a' + i % 7) : (char)testing_random(&state);
	return p;
}

#endif
