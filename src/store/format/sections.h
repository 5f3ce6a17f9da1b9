#ifndef CR_STORE_FORMAT_SECTIONS_H
#define CR_STORE_FORMAT_SECTIONS_H

#include "base/err.h"

#include <stdint.h>

/* A section of a stored profile, see cresset-store(5). */
struct cr_store_section {
	const char *name; /* NULL if this version does not know it */
	uint32_t id, version;
	uint64_t rows;
	uint32_t blocks;
	uint64_t stored_bytes; /* size in the file */
	uint64_t raw_bytes;    /* size of its content, uncompressed */
};

/*
 * Return the sections of a file, in file order; the caller frees *out. Fails like cr_store_open()
 * for damage of the directory; does not read the sections.
 */
int cr_store_sections(
	const char *path, struct cr_store_section **out, uint32_t *n, struct cr_err *err);

#endif
