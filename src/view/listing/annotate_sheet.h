#ifndef CRESSET_VIEW_LISTING_ANNOTATE_SHEET_H
#define CRESSET_VIEW_LISTING_ANNOTATE_SHEET_H

#include "view/listing/listing.h"
#include "view/sheet/sheet.h"

struct cr_annotate_sheet_opts {
	bool lines, addresses; /* which rows to show */
	bool has_least;        /* omit rows that cr_listing_counts() refuses */
	bool hits;             /* shares refer to samples, not to weights */
	uint64_t whole;        /* base of the shares */
};

#define CR_ANNOTATE_COLUMNS 19

/* An annotated function as a table: one row per source line, then one per instruction. */
struct cr_annotate_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	struct cr_sheet_column columns[CR_ANNOTATE_COLUMNS];
	const struct cr_listing_in *in;
	struct cr_annotate_sheet_opts opts;
	uint32_t *rows; /* visible rows: indices of lines, followed by those of addresses */
};

/* Borrows in; out must not move. Rows refer to lines and addresses. */
void cr_annotate_sheet_init(const struct cr_listing_in *in,
	const struct cr_annotate_sheet_opts *opts, struct cr_annotate_sheet *out);
void cr_annotate_sheet_fini(struct cr_annotate_sheet *s);

#endif
