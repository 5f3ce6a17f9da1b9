#ifndef CR_QUERY_TABLE_TOP_H
#define CR_QUERY_TABLE_TOP_H

#include "model/tree/tree.h"

enum cr_top_key {
	CR_TOP_FUNCTION,
	CR_TOP_OBJECT,
	CR_TOP_COMM,
	CR_TOP_LINE, /* "FILE:LINE" of each function; of a tree of lines */
};

/*
 * One line of the flat table. Total counts a sample once however often the key recurs in its stack.
 */
struct cr_top_row {
	struct cr_str name;
	struct cr_str object; /* of a function; of a line the function; "" else */
	uint32_t frame;       /* one of the frames with this key */
	uint8_t kind;
	bool inlined; /* a function whose every frame that costs here is inlined */
	uint64_t self[CR_SIDES], total[CR_SIDES];
	uint64_t self_samples[CR_SIDES], total_samples[CR_SIDES];
};

struct cr_top {
	struct cr_top_row *rows; /* by falling self of the last side, then total, then name */
	uint32_t n;
	uint64_t whole[CR_SIDES], whole_samples[CR_SIDES]; /* of `root` */
	struct cr_str unit;                                /* as of the tree */
	bool summed;
	uint32_t *frame_row; /* by frame of the tree: its row, CR_NO_ROW for frames that are none */
	struct cr_arena texts; /* names of lines */
};

/*
 * Rows for the subtree of `root` (0: all). Borrows the tree's names. Frames with equal name, object
 * and kind are one row, inlined or not: what a function costs is the same question either way.
 */
void cr_top_make(const struct cr_tree *t, uint32_t root, enum cr_top_key key, struct cr_top *out);
void cr_top_fini(struct cr_top *top);

#endif
