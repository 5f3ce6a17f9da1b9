#ifndef CR_BYTES_INFLATE_H
#define CR_BYTES_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * One zstd stream that arrives in pieces and is never finished, as written by recorders that flush
 * after each piece. All input so far can be decompressed at any time. The window is at most 128
 * MiB.
 */
struct cr_inflate;

struct cr_inflate *cr_inflate_new(void);    /* NULL if there is no memory */
void cr_inflate_free(struct cr_inflate *z); /* NULL is allowed */

/* Compressed bytes not yet consumed, borrowed. */
struct cr_inflate_in {
	const unsigned char *p;
	size_t len;
};

/*
 * Decompress from in, which is advanced, to at most cap bytes at out; *n is their number. If *n <
 * cap, all input was consumed and all its output produced. Returns false if the data is damaged;
 * the stream cannot continue then.
 */
bool cr_inflate_some(
	struct cr_inflate *z, struct cr_inflate_in *in, unsigned char *out, size_t cap, size_t *n);

#endif
