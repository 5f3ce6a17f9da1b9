#ifndef CR_BYTES_INFLATE_H
#define CR_BYTES_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * One zstd stream that arrives in pieces and is never finished, as recorders write it that flush
 * after each piece: what went in so far can be had, whatever comes later. Windows are at most
 * 128 MiB.
 */
struct cr_inflate;

struct cr_inflate *cr_inflate_new(void);    /* NULL when there is no memory for one */
void cr_inflate_free(struct cr_inflate *z); /* NULL is nothing */

/* Compressed bytes that are still to go in, borrowed. */
struct cr_inflate_in {
	const unsigned char *p;
	size_t len;
};

/*
 * Take from in, which is moved on, and put at most cap bytes at out, *n of them. When *n is less
 * than cap, all of in is taken and all that it gives was given. False: damaged; the stream cannot
 * go on.
 */
bool cr_inflate_some(
	struct cr_inflate *z, struct cr_inflate_in *in, unsigned char *out, size_t cap, size_t *n);

#endif
