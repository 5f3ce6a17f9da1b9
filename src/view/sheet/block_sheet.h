#ifndef CRESSET_VIEW_SHEET_BLOCK_SHEET_H
#define CRESSET_VIEW_SHEET_BLOCK_SHEET_H

#include "base/text.h"
#include "query/table/block_cycles.h"
#include "view/sheet/sheet.h"

/* Basic blocks as a table: a row for each branch that ends blocks. */
struct cr_block_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	const struct cr_profile *p;
	const struct cr_block_cycles *blocks;
	struct cr_text *text; /* of the last cell */
	uint32_t n_left_out;  /* blocks beyond the limit */
};

/* limit: number of rows; 0: all. Borrows everything; out must not move. */
void cr_block_sheet_init(const struct cr_profile *p, const struct cr_block_cycles *blocks,
	uint32_t limit, struct cr_block_sheet *out);
void cr_block_sheet_fini(struct cr_block_sheet *s);

#endif
