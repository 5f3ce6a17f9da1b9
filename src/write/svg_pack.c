#include "svg_pack_p.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define LEVEL 4 /* higher ones save a few per cent and take twice as long */

struct cr_svg_pack {
	z_stream z;
	struct cr_sink *out;
	struct cr_err *err;
	int rc; /* CR_OK, or the first error of the sink */
	uint32_t n_in, n_out;
	unsigned char in[1 << 15];
	unsigned char packed[3 << 13]; /* a multiple of three, so that groups of base64 are whole */
};

struct cr_svg_pack *
cr_svg_pack_open(struct cr_sink *out, struct cr_err *err)
{
	struct cr_svg_pack *k = cr_alloc(1, sizeof(*k));

	k->out = out;
	k->err = err;
	k->rc = CR_OK;
	if (deflateInit(&k->z, LEVEL) != Z_OK)
		cr_out_of_memory(1, sizeof(k->z));
	return k;
}

static void
put_base64(struct cr_svg_pack *k)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char text[4 * sizeof(k->packed) / 3], *to = text;

	for (uint32_t i = 0; i < k->n_out; i += 3) {
		const uint32_t more = k->n_out - i;
		const uint32_t v = (uint32_t)k->packed[i] << 16 |
				   (more > 1 ? (uint32_t)k->packed[i + 1] << 8 : 0) |
				   (more > 2 ? k->packed[i + 2] : 0);

		*to++ = digits[v >> 18];
		*to++ = digits[v >> 12 & 63];
		*to++ = more > 1 ? digits[v >> 6 & 63] : '=';
		*to++ = more > 2 ? digits[v & 63] : '=';
	}
	if (k->rc == CR_OK)
		k->rc = cr_sink_put(k->out, text, (size_t)(to - text), k->err);
	k->n_out = 0;
}

static void
squeeze(struct cr_svg_pack *k, int flush)
{
	k->z.next_in = k->in;
	k->z.avail_in = k->n_in;
	do {
		k->z.next_out = k->packed + k->n_out;
		k->z.avail_out = (uInt)(sizeof(k->packed) - k->n_out);
		deflate(&k->z, flush);
		k->n_out = (uint32_t)(sizeof(k->packed) - k->z.avail_out);
		if (k->n_out == sizeof(k->packed))
			put_base64(k);
	} while (k->z.avail_out == 0);
	k->n_in = 0;
}

void
cr_svg_pack_number(struct cr_svg_pack *k, uint64_t v)
{
	if (k->n_in + 10 > sizeof(k->in))
		squeeze(k, Z_NO_FLUSH);
	for (; v >= 0x80; v >>= 7)
		k->in[k->n_in++] = (unsigned char)(v | 0x80);
	k->in[k->n_in++] = (unsigned char)v;
}

void
cr_svg_pack_bytes(struct cr_svg_pack *k, const void *p, size_t len)
{
	const unsigned char *from = p;

	while (len) {
		const size_t part = CR_MIN(len, sizeof(k->in) - k->n_in);

		memcpy(k->in + k->n_in, from, part);
		k->n_in += (uint32_t)part;
		from += part;
		len -= part;
		if (k->n_in == sizeof(k->in))
			squeeze(k, Z_NO_FLUSH);
	}
}

int
cr_svg_pack_close(struct cr_svg_pack *k)
{
	int rc;

	squeeze(k, Z_FINISH);
	put_base64(k);
	deflateEnd(&k->z);
	rc = k->rc;
	free(k);
	return rc;
}
