#ifndef CRESSET_VIEW_LISTING_ANNOTATE_SHEET_H
#define CRESSET_VIEW_LISTING_ANNOTATE_SHEET_H

#include "view/listing/listing.h"
#include "view/sheet/sheet.h"

struct cr_annotate_sheet_opts {
	bool lines, addresses; /* which rows */
	bool has_least;        /* leave out rows that cr_listing_counts() says no to */
	bool hits;             /* shares are of samples, not of weights */
	uint64_t whole;        /* what shares are of */
};

/* An annotated function as a table: a row a line of source, then a row an instruction. */
struct cr_annotate_sheet {
	struct cr_sheet sheet; /* its user is this */
	const struct cr_listing_in *in;
	struct cr_annotate_sheet_opts opts;
	uint32_t *rows; /* of the lines and then the addresses: those that are shown */
};

/* Borrows in; out is not to be moved. Rows stand for lines and addresses. */
void cr_annotate_sheet_init(const struct cr_listing_in *in,
	const struct cr_annotate_sheet_opts *opts, struct cr_annotate_sheet *out);
void cr_annotate_sheet_fini(struct cr_annotate_sheet *s);

#endif
