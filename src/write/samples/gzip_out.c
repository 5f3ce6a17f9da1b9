#include "gzip_out_p.h"

#include "base/mem.h"

#include <stdlib.h>
#include <zlib.h>

#define LEVEL 3 /* a tenth larger than the default level, in a third of its time */

struct cr_gzip_out {
	struct cr_sink *out;
	z_stream z;
	unsigned char packed[64 << 10];
};

#define WITH_GZIP_HEADER (15 + 16) /* see deflateInit2() */

struct cr_gzip_out *
cr_gzip_out_open(struct cr_sink *out)
{
	struct cr_gzip_out *g = cr_alloc(1, sizeof(*g));

	g->out = out;
	/* It fails only for want of memory. */
	if (deflateInit2(&g->z, LEVEL, Z_DEFLATED, WITH_GZIP_HEADER, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	return g;
}

/* Compress len bytes; with Z_FINISH also what zlib still has. */
static int
pack(struct cr_gzip_out *g, const char *p, size_t len, int how, struct cr_err *err)
{
	int rc = CR_OK;

	g->z.next_in = (unsigned char *)(uintptr_t)p; /* zlib does not write there */
	g->z.avail_in = (uInt)len;
	do {
		g->z.next_out = g->packed;
		g->z.avail_out = sizeof(g->packed);
		deflate(&g->z, how);
		rc = cr_sink_put(g->out, g->packed, sizeof(g->packed) - g->z.avail_out, err);
	} while (rc == CR_OK && g->z.avail_out == 0);
	return rc;
}

int
cr_gzip_out_close(struct cr_gzip_out *g, int rc, struct cr_err *err)
{
	if (rc == CR_OK)
		rc = pack(g, NULL, 0, Z_FINISH, err);
	deflateEnd(&g->z);
	free(g);
	return rc;
}

int
cr_gzip_out_text(struct cr_gzip_out *g, struct cr_text *t, struct cr_err *err)
{
	const size_t piece = 1u << 30; /* zlib counts in 32 bits */
	int rc = CR_OK;

	for (size_t at = 0; rc == CR_OK && at < t->len; at += piece)
		rc = pack(g, t->p + at, CR_MIN(t->len - at, piece), Z_NO_FLUSH, err);
	cr_text_clear(t);
	return rc;
}

int
cr_gzip_out_large(struct cr_gzip_out *g, struct cr_text *t, struct cr_err *err)
{
	return t->len < CR_SINK_LARGE ? CR_OK : cr_gzip_out_text(g, t, err);
}
