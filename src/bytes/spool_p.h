#ifndef CR_BYTES_SPOOL_P_H
#define CR_BYTES_SPOOL_P_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bytes that come piece by piece, nobody knows how many, and become one span. Up to file_from of
 * them are in memory. Beyond that all go to a temporary file that has no name any more, in the
 * first of $TMPDIR, /var/tmp and /tmp that takes one, and the span is its mapping. If there can
 * be no such file, or its disk is full, memory is used up to memory_most; past that it fails.
 */
struct cr_spool {
	uint64_t file_from, memory_most; /* parameters, so that tests need no gigabytes */
	unsigned char *p;                /* what the file has not got yet */
	size_t held, cap;                /* bytes at p, and the room there */
	uint64_t filed;                  /* bytes in the file, which come before those at p */
	int fd;                          /* of the file; -1 while there is none */
	int no_file; /* errno of why there can be none; 0 as long as nothing failed */
};

#define CR_SPOOL_INIT                                                                       \
	{                                                                                   \
		.file_from = (uint64_t)64 << 20, .memory_most = (uint64_t)8 << 30, .fd = -1 \
	}

/* Where the next bytes go, *room of them at least one; NULL when there is no room to be had. */
unsigned char *cr_spool_room(struct cr_spool *s, size_t *room, struct cr_err *err);
void cr_spool_took(struct cr_spool *s, size_t n);

static inline uint64_t
cr_spool_len(const struct cr_spool *s)
{
	return s->filed + s->held;
}

/* All of it, as a mapping that is the caller's to munmap(); p is NULL when it is empty. */
struct cr_spooled {
	unsigned char *p;
	size_t len;
	bool in_file; /* pages that are let go come back from the file */
};

/* The spool is empty afterwards, also on failure. */
int cr_spool_finish(struct cr_spool *s, struct cr_spooled *out, struct cr_err *err);
void cr_spool_fini(struct cr_spool *s);

#endif
