#ifndef CR_STORE_FORMAT_DIRECTORY_P_H
#define CR_STORE_FORMAT_DIRECTORY_P_H

#include "block_p.h"
#include "column_p.h"

#include <stdbool.h>

/*
 * The frame of the file: its head, the directory of sections after the last block, and the tail.
 * See cresset-store(5) for every byte.
 *
 *	head | block block block ... | directory | tail
 */
enum cr_store_format {
	CR_STORE_FORMAT_FIXED = 1, /* numbers of the directory have a fixed size */
	/* They are as short as possible: this saves 700 bytes of a small profile. */
	CR_STORE_FORMAT_SHORT = 2,
	CR_STORE_FORMAT_KNOWN = 2, /* the highest one */
};

#define CR_STORE_HEAD ((size_t)24)
#define CR_STORE_TAIL ((size_t)40)
/* Not text; a conversion of line ends would damage it. */
#define CR_STORE_MAGIC \
	"\x89"         \
	"CRS\r\n\x1a\n"
#define CR_STORE_END "crs-end\n"
#define CR_BLOCK_ROWS ((uint32_t)1 << 16) /* maximum */

struct cr_section {
	uint32_t id;
	uint32_t version;
	uint64_t rows;
	uint32_t first_block; /* index in the directory's blocks */
	uint32_t n_blocks;
};

struct cr_directory {
	enum cr_store_format format;
	struct cr_section *sections;
	uint32_t n_sections;
	struct cr_block *blocks; /* in file order, without gaps from the head to the directory */
	uint32_t n_blocks;
};

/* Append the head of the file. */
void cr_directory_head(enum cr_store_format format, struct cr_buf *out);

/* Append directory and tail; offset: position of the directory in the file. */
void cr_directory_write(const struct cr_directory *dir, uint64_t offset, struct cr_buf *out);

/*
 * Check head, tail and directory of a file in memory; free *out with cr_directory_fini(). On
 * success every block is inside the file, and the rows of a section are the sum of those of its
 * blocks. unchecked: skip the checksums, for fuzzing, which would never get past them.
 */
int cr_directory_read(const unsigned char *bytes, size_t len, bool unchecked,
	struct cr_directory *out, struct cr_err *err);
void cr_directory_fini(struct cr_directory *dir);

/* The section with this id; NULL if there is none. */
const struct cr_section *cr_directory_find(const struct cr_directory *dir, uint32_t id);

#endif
