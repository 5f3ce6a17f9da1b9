#ifndef CR_STORE_SEAMS_P_H
#define CR_STORE_SEAMS_P_H

#include "store/store.h"

#include <stdint.h>

/*
 * What cr_store_write() and cr_store_open() are made of, with the sizes and the checks as
 * parameters: tests write groups of 3 rows, and the fuzzer reads past the checksums.
 */
struct cr_store_shape {
	uint32_t group_rows; /* rows of a block, 1 to CR_BLOCK_ROWS */
	int level;           /* zstd's; 0 stores blocks as they are */
};

/*
 * The level of the samples: 1 takes two thirds of the time and 1 to 2 % more room, 6 twice the time
 * for 1 to 5 %. Tables and texts are packed at higher ones, where it gains more and there is less
 * of them.
 */
#define CR_STORE_SHAPE_INIT      \
	{                        \
		CR_BLOCK_ROWS, 3 \
	}

int cr_store_write_shaped(const char *path, const struct cr_profile *p,
	const struct cr_store_shape *shape, struct cr_err *err);

/* A whole store in memory. bytes stay as long as cr_store_fetch() may be called. */
int cr_store_read(const unsigned char *bytes, size_t len, unsigned parts, bool unchecked,
	struct cr_profile **out, struct cr_log *log, struct cr_err *err);

#endif
