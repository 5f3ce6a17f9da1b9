#ifndef CR_STORE_SEAMS_P_H
#define CR_STORE_SEAMS_P_H

#include "store/store.h"

#include <stdint.h>

/*
 * Parts of cr_store_write() and cr_store_open() with their sizes and checks as parameters, for
 * tests: they write blocks of 3 rows, and the fuzzer skips the checksums.
 */
struct cr_store_shape {
	uint32_t group_rows; /* rows in a block, 1 to CR_BLOCK_ROWS */
	int level;           /* of zstd; 0 stores blocks uncompressed */
};

/*
 * Level 3 for the samples. Level 1 takes two thirds of the time and 1 to 2 % more space; level 6
 * takes twice the time and saves 1 to 5 %. Tables and texts use higher levels, where the gain is
 * larger and the data smaller.
 */
#define CR_STORE_SHAPE_INIT      \
	{                        \
		CR_BLOCK_ROWS, 3 \
	}

/* Like cr_store_write() with CR_STORE_REPLACE, for tests. */
int cr_store_write_shaped(const char *path, const struct cr_profile *p,
	const struct cr_store_shape *shape, struct cr_err *err);

/*
 * Read a store in memory; for tests and fuzzing. The bytes must live as long as cr_store_fetch()
 * may be called. unchecked: skip the checksums.
 */
int cr_store_read(const unsigned char *bytes, size_t len, unsigned parts, bool unchecked,
	struct cr_profile **out, struct cr_log *log, struct cr_err *err);

#endif
