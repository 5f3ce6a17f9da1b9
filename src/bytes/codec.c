#include "codec_p.h"

#include "base/mem.h"
#include "bytes/whole.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif

/* ---- gzip. RFC 1952 */

static bool
gzip_is(const unsigned char *head, size_t len)
{
	return len >= 2 && memcmp(head, "\x1f\x8b", 2) == 0;
}

#define GZIP_ONLY (15 + 16) /* the largest window; requires a gzip header */

static void *
gzip_open(void)
{
	z_stream *z = cr_alloc(1, sizeof(*z));

	if (inflateInit2(z, GZIP_ONLY) == Z_OK)
		return z;
	free(z);
	return NULL;
}

static bool
gzip_start(void *state)
{
	return inflateReset(state) == Z_OK;
}

static enum cr_codec_state
gzip_step(void *state, struct cr_codec_work *w)
{
	z_stream *z = state;
	int rc;

	/* Const is missing in zlib's declaration; it does not write. */
	z->next_in = (unsigned char *)(uintptr_t)w->in;
	z->avail_in = (uInt)CR_MIN(w->in_left, (size_t)UINT32_MAX / 2);
	z->next_out = w->out;
	z->avail_out = (uInt)CR_MIN(w->out_left, (size_t)UINT32_MAX / 2);
	rc = inflate(z, Z_NO_FLUSH);
	w->in_left -= (size_t)(z->next_in - w->in);
	w->in = z->next_in;
	w->out_left -= (size_t)(z->next_out - w->out);
	w->out = z->next_out;
	if (rc == Z_STREAM_END)
		return CR_CODEC_END;
	if (rc == Z_OK || rc == Z_BUF_ERROR)
		return CR_CODEC_MORE;
	w->why = z->msg ? z->msg : rc == Z_MEM_ERROR ? "no memory" : "damaged";
	return CR_CODEC_BAD;
}

static void
gzip_close(void *state)
{
	inflateEnd(state);
	free(state);
}

/* ---- xz. The .xz File Format 1.2.1 */

static bool
xz_is(const unsigned char *head, size_t len)
{
	return len >= 6 && memcmp(head,
				   "\xfd"
				   "7zXZ",
				   6) == 0;
}

#ifdef HAVE_LZMA
#define XZ_MEMORY (((uint64_t)1 << CR_CODEC_WINDOW_LOG) + ((uint64_t)1 << 20))

static void *
xz_open(void)
{
	return cr_alloc(1, sizeof(lzma_stream)); /* all zero is LZMA_STREAM_INIT */
}

static bool
xz_start(void *state)
{
	return lzma_stream_decoder(state, XZ_MEMORY, 0) == LZMA_OK;
}

static enum cr_codec_state
xz_step(void *state, struct cr_codec_work *w)
{
	lzma_stream *z = state;
	lzma_ret rc;

	z->next_in = w->in;
	z->avail_in = w->in_left;
	z->next_out = w->out;
	z->avail_out = w->out_left;
	rc = lzma_code(z, LZMA_RUN);
	w->in = z->next_in;
	w->in_left = z->avail_in;
	w->out = z->next_out;
	w->out_left = z->avail_out;
	switch (rc) {
	case LZMA_STREAM_END: return CR_CODEC_END;
	case LZMA_OK:
	case LZMA_BUF_ERROR: return CR_CODEC_MORE;
	case LZMA_MEM_ERROR: w->why = "no memory"; break;
	case LZMA_MEMLIMIT_ERROR: w->why = "needs more than 1 GiB of memory to decompress"; break;
	case LZMA_OPTIONS_ERROR: w->why = "an unknown option"; break;
	default: w->why = "damaged"; break;
	}
	return CR_CODEC_BAD;
}

static void
xz_close(void *state)
{
	lzma_end(state);
	free(state);
}
#endif

/* ---- zstd. RFC 8878 */

/* A frame, or one of the 16 kinds of skippable frames, which some writers put first. */
static bool
zstd_is(const unsigned char *head, size_t len)
{
	if (len < 4)
		return false;
	return memcmp(head, "(\xb5/\xfd", 4) == 0 ||
	       ((head[0] & 0xf0) == 0x50 && memcmp(head + 1, "*M\x18", 3) == 0);
}

#define ZSTD_HEADER_BYTES 18 /* at most */

/*
 * When zstd finds damage it does not report what it wrote earlier in the same call, and it unpacks
 * a complete frame in one go or not at all. So it gets only the bytes it asks for, which is a
 * block, and first the header alone. Then at most one block is lost.
 */
struct zstd {
	ZSTD_DCtx *z;
	size_t want;
	unsigned char head[ZSTD_HEADER_BYTES]; /* start of the frame */
	size_t head_len;
	uint64_t made;
};

static void *
zstd_open(void)
{
	struct zstd *s = cr_alloc(1, sizeof(*s));

	s->z = ZSTD_createDCtx();
	if (s->z && !ZSTD_isError(
			    ZSTD_DCtx_setParameter(s->z, ZSTD_d_windowLogMax, CR_CODEC_WINDOW_LOG)))
		return s;
	ZSTD_freeDCtx(s->z);
	free(s);
	return NULL;
}

static bool
zstd_start(void *state)
{
	struct zstd *s = state;

	s->want = ZSTD_HEADER_BYTES;
	s->head_len = 0;
	s->made = 0;
	return !ZSTD_isError(ZSTD_DCtx_reset(s->z, ZSTD_reset_session_only));
}

/*
 * True if the frame has the content size that its header states. zstd checks that too, but not in
 * streaming mode if the last block is empty: then it accepts a frame whose other blocks are
 * missing.
 */
static bool
zstd_is_whole(const struct zstd *s)
{
	const uint64_t says = ZSTD_getFrameContentSize(s->head, s->head_len);

	return says == ZSTD_CONTENTSIZE_UNKNOWN || says == ZSTD_CONTENTSIZE_ERROR ||
	       says == s->made;
}

static void
zstd_count(struct zstd *s, const unsigned char *in, size_t in_len, size_t out_len)
{
	const size_t n = CR_MIN(in_len, sizeof(s->head) - s->head_len);

	memcpy(s->head + s->head_len, in, n);
	s->head_len += n;
	s->made += out_len;
}

static enum cr_codec_state
zstd_step(void *state, struct cr_codec_work *w)
{
	struct zstd *s = state;
	ZSTD_inBuffer in = {w->in, CR_MIN(w->in_left, s->want), 0};
	ZSTD_outBuffer out = {w->out, w->out_left, 0};
	const size_t rc = ZSTD_decompressStream(s->z, &out, &in);

	zstd_count(s, w->in, in.pos, out.pos);
	w->in += in.pos;
	w->in_left -= in.pos;
	w->out += out.pos;
	w->out_left -= out.pos;
	if (rc == 0 && zstd_is_whole(s))
		return CR_CODEC_END;
	if (rc == 0) {
		w->why = "has less data than its header says";
		return CR_CODEC_BAD;
	}
	s->want = rc;
	if (!ZSTD_isError(rc))
		return CR_CODEC_MORE;
	w->why = ZSTD_getErrorName(rc);
	return CR_CODEC_BAD;
}

static void
zstd_close(void *state)
{
	struct zstd *s = state;

	ZSTD_freeDCtx(s->z);
	free(s);
}

const struct cr_codec cr_codecs[CR_CODECS] = {
	{"gzip", "zlib", gzip_is, gzip_open, gzip_start, gzip_step, gzip_close},
#ifdef HAVE_LZMA
	{"xz", "liblzma", xz_is, xz_open, xz_start, xz_step, xz_close},
#else
	{.name = "xz", .library = "liblzma", .is = xz_is},
#endif
	{"zstd", "libzstd", zstd_is, zstd_open, zstd_start, zstd_step, zstd_close},
};

/* ---- whole buffers */

#ifdef HAVE_LIBDEFLATE
/* It needs all input and space for all output, so streams are left to zlib. */
bool
cr_whole_zlib(const void *p, size_t len, void *out, size_t out_len)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	enum libdeflate_result rc = LIBDEFLATE_BAD_DATA;

	/* NULL: it must yield out_len bytes. */
	if (d)
		rc = libdeflate_zlib_decompress(d, p, len, out, out_len, NULL);
	libdeflate_free_decompressor(d);
	return rc == LIBDEFLATE_SUCCESS;
}
#else
bool
cr_whole_zlib(const void *p, size_t len, void *out, size_t out_len)
{
	uLong in = len;
	uLongf made = out_len;

	return uncompress2(out, &made, p, &in) == Z_OK && made == out_len;
}
#endif

uint32_t
cr_whole_crc32(uint32_t crc, const void *p, size_t len)
{
	return (uint32_t)crc32_z(crc, p, len);
}

bool
cr_whole_zstd(const void *p, size_t len, void *out, size_t out_len)
{
	return ZSTD_decompress(out, out_len, p, len) == out_len;
}
