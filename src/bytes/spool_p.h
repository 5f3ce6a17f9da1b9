#ifndef CR_BYTES_SPOOL_P_H
#define CR_BYTES_SPOOL_P_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Collects bytes of unknown number into one span. Up to file_from bytes stay in memory. Beyond
 * that all go to a temporary file without a name, and the span is its mapping. It is in the first
 * usable directory of $TMPDIR, /var/tmp and /tmp. If there is no such file, or its disk is full,
 * memory is used up to memory_most bytes; beyond that it fails.
 */
struct cr_spool {
	uint64_t file_from, memory_most; /* parameters, so that tests do not need gigabytes */
	unsigned char *p;                /* bytes not yet written to the file */
	size_t held, cap;                /* number of bytes at p, and its capacity */
	uint64_t filed;                  /* number of bytes in the file, which precede those at p */
	int fd;                          /* descriptor of the file; -1 if there is none */
	int no_file; /* errno of the failure to create a file; 0 if there was none */
};

#define CR_SPOOL_INIT                                                                       \
	{                                                                                   \
		.file_from = (uint64_t)64 << 20, .memory_most = (uint64_t)8 << 30, .fd = -1 \
	}

/*
 * Return where to write the next bytes; *room is the number that fit, at least one. NULL on
 * failure. cr_spool_took() then adds n bytes that were written there.
 */
unsigned char *cr_spool_room(struct cr_spool *s, size_t *room, struct cr_err *err);
void cr_spool_took(struct cr_spool *s, size_t n);

static inline uint64_t
cr_spool_len(const struct cr_spool *s)
{
	return s->filed + s->held;
}

/*
 * The collected bytes as a mapping, which the caller unmaps with munmap(); p is NULL if it is
 * empty.
 */
struct cr_spooled {
	unsigned char *p;
	size_t len;
	bool in_file; /* a mapping of a file: dropped pages can be read back */
};

/* Return the bytes. The spool is empty afterwards, also on failure. */
int cr_spool_finish(struct cr_spool *s, struct cr_spooled *out, struct cr_err *err);
void cr_spool_fini(struct cr_spool *s);

#endif
