#ifndef CR_BASE_MAPPED_VECTOR_H
#define CR_BASE_MAPPED_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * An array that grows at its end and may exceed memory. Beyond CR_MAPPED_VECTOR_FILE_FROM bytes it
 * is a mapping of a temporary file. Pages that were filled are dropped from memory as it grows;
 * they are read back on access. If no such file can be created, or its disk is full, the array
 * stays in memory. All zero bytes is an empty array.
 */
struct cr_mapped_vector {
	unsigned char *p; /* moves when the array grows */
	size_t len, cap;  /* in bytes */
	size_t dropped;   /* bytes from the start whose pages were dropped */
	bool filed;
	bool no_file; /* no file can be created */
	int fd;       /* descriptor of the file while the array grows */
};

#define CR_MAPPED_VECTOR_FILE_FROM ((size_t)8 << 20)

/*
 * Reserve memory for `bytes` bytes, except those that would be in a file. When memory is exhausted,
 * see cr_mem_on_failure().
 */
void cr_mapped_vector_expect(struct cr_mapped_vector *t, size_t bytes);
/* Extend the capacity by at least `more` bytes. */
void cr_mapped_vector_grow(struct cr_mapped_vector *t, size_t more);

/* Append an item of `size` bytes, the same size at each call. */
static inline void
cr_mapped_vector_push(struct cr_mapped_vector *t, const void *item, size_t size)
{
	if (t->cap - t->len < size)
		cr_mapped_vector_grow(t, size);
	memcpy(t->p + t->len, item, size);
	t->len += size;
}

/*
 * Map `bytes` zero bytes of a temporary file, for a table that is filled and read in order.
 * cr_mapping_done() drops its pages from memory; they are read back on access. The caller unmaps
 * it, and closes *fd, the file: what is written there appears in the mapping. NULL if no such file
 * can be created or its disk is full.
 */
void *cr_mapped_vector_room(size_t bytes, int *fd);

/*
 * Stop growing, close the descriptor, and drop the pages of a file from memory. The caller unmaps p
 * with munmap() and cap.
 */
void cr_mapped_vector_end(struct cr_mapped_vector *t);
void cr_mapped_vector_fini(struct cr_mapped_vector *t);

#endif
