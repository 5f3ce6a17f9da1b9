#ifndef CR_BYTES_FEED_P_H
#define CR_BYTES_FEED_P_H

#include "base/err.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bytes to be read once, from front to back: those of a mapping or of memory, which are all at
 * hand from the start, or those of a descriptor, read as they are needed. Whoever takes some
 * looks at p[0 .. left), says how many with cr_feed_take(), and asks for more with cr_feed_need().
 */
struct cr_feed {
	const unsigned char *p;
	size_t left;
	uint64_t taken;      /* bytes before p, since the start */
	uint64_t whole;      /* of all there is; 0 when that is not known before its end */
	bool mapped;         /* from a file: its pages are let go as they are taken */
	int fd;              /* -1: nothing comes but what is at hand */
	unsigned char *room; /* of a descriptor: what was read */
	const struct cr_progress *progress;
};

void cr_feed_init(struct cr_feed *f, const void *p, size_t len);
/* fd stays the caller's. */
void cr_feed_init_fd(struct cr_feed *f, int fd, const struct cr_progress *progress);
void cr_feed_fini(struct cr_feed *f);

/*
 * Have n bytes at hand, at most 64 KiB, or all that are left when they are fewer. Waits for a
 * descriptor; CR_ECANCEL when progress says stop meanwhile, CR_EIO when it cannot be read.
 */
int cr_feed_need(struct cr_feed *f, size_t n, struct cr_err *err);
void cr_feed_take(struct cr_feed *f, size_t n);

#endif
