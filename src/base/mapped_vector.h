#ifndef CR_BASE_MAPPED_VECTOR_H
#define CR_BASE_MAPPED_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * An array that only grows at its end and may become larger than memory should be. Past
 * CR_MAPPED_VECTOR_FILE_FROM bytes it lies in a temporary file, mapped, whose pages are let go as
 * the end moves on: they come back when they are looked at. Where no such file can be had, or its
 * disk is full, it stays in memory. All zero bytes is an empty one.
 */
struct cr_mapped_vector {
	unsigned char *p; /* moves when the mapped vector grows */
	size_t len, cap;  /* bytes */
	size_t let_go;    /* of them from the front on */
	bool filed;
	bool no_file; /* there can be none */
	int fd;       /* of the file, as long as the mapped vector grows */
};

#define CR_MAPPED_VECTOR_FILE_FROM ((size_t)32 << 20)

/*
 * Room for so many bytes at least, but for those that would lie in a file. Out of memory ends the
 * program.
 */
void cr_mapped_vector_expect(struct cr_mapped_vector *t, size_t bytes);
void cr_mapped_vector_grow(struct cr_mapped_vector *t, size_t more);

/* Append; size is that of an item, the same each time. */
static inline void
cr_mapped_vector_push(struct cr_mapped_vector *t, const void *item, size_t size)
{
	if (t->cap - t->len < size)
		cr_mapped_vector_grow(t, size);
	memcpy(t->p + t->len, item, size);
	t->len += size;
}

/* No more will come: the descriptor is closed; p stays, the caller's to munmap() with cap. */
void cr_mapped_vector_end(struct cr_mapped_vector *t);
void cr_mapped_vector_fini(struct cr_mapped_vector *t);

#endif
