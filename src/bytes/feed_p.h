#ifndef CR_BYTES_FEED_P_H
#define CR_BYTES_FEED_P_H

#include "base/err.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bytes read once, front to back: from a mapping or memory, where all are available at once, or
 * from a descriptor, where they are read when needed. The caller reads p[0 .. left), consumes bytes
 * with cr_feed_take(), and requests more with cr_feed_need().
 */
struct cr_feed {
	const unsigned char *p;
	size_t left;
	uint64_t consumed;   /* number of bytes consumed before p */
	uint64_t whole;      /* total number of bytes; 0 if unknown before the end */
	bool mapped;         /* a mapped file: pages are dropped after they were consumed */
	int fd;              /* -1 if there is no descriptor */
	unsigned char *room; /* buffer for a descriptor */
	const struct cr_progress *progress;
};

/* Read the len bytes at p, which are borrowed. */
void cr_feed_init(struct cr_feed *f, const void *p, size_t len);
/* fd is borrowed. */
void cr_feed_init_fd(struct cr_feed *f, int fd, const struct cr_progress *progress);
void cr_feed_fini(struct cr_feed *f);

/*
 * Make n bytes (at most 64 KiB) available, or all that are left if there are fewer. Waits for a
 * descriptor. CR_ECANCEL if progress stops it, CR_EIO if a read fails.
 */
int cr_feed_need(struct cr_feed *f, size_t n, struct cr_err *err);
/* Consume n bytes, which must be available. */
void cr_feed_take(struct cr_feed *f, size_t n);

#endif
