#ifndef CR_STORE_FORMAT_SECTIONS_H
#define CR_STORE_FORMAT_SECTIONS_H

#include "base/err.h"

#include <stdint.h>

/* A part of a stored profile, see cresset-store(5). */
struct cr_store_section {
	const char *name; /* NULL when this version does not know it */
	uint32_t id, version;
	uint64_t rows;
	uint32_t blocks;
	uint64_t stored_bytes; /* of the file */
	uint64_t raw_bytes;    /* of what is in it, unpacked */
};

/*
 * Those of a file, in its order; free() them. Fails as cr_store_open() does for the file as a
 * whole; looks into no section.
 */
int cr_store_sections(
	const char *path, struct cr_store_section **out, uint32_t *n, struct cr_err *err);

#endif
