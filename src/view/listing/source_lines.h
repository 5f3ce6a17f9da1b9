#ifndef CRESSET_VIEW_LISTING_SOURCE_LINES_H
#define CRESSET_VIEW_LISTING_SOURCE_LINES_H

#include "view/listing/listing.h"
#include "view/sheet/change_cells.h"

/*
 * The rows of a listing as lines for a pane: the shares of self and total with a bar, the number of
 * the line or the address, and the source or the instruction. Bars and comments have inks.
 */
struct cr_source_lines {
	const struct cr_listing_in *in; /* that the listing was made from; borrowed */
	struct cr_str function;         /* name: jumps within it are shown without */
	uint64_t whole;                 /* what shares are of, in the unit of the costs */
	bool has_blocks;                /* wide lines have the mean cycles of blocks */
	bool has_ipc; /* very wide ones the instructions each cycle, with by_code */
	bool by_code; /* the rows are instructions: their addresses have the column of numbers */
	uint32_t address_digits; /* of the highest address; with by_code */
	uint32_t dedent;         /* cells of indentation that all lines of source have */
	/* Lines of a difference have the columns of change_cells.h instead of shares. */
	bool is_diff;
	const struct cr_change_cells *change; /* of the row that is put next; NULL: it has none */
};

/* The line of heads, of at most `cells` cells (0: as wide as needed), appended. */
void cr_source_lines_head(const struct cr_source_lines *l, uint32_t cells, struct cr_text *out);

/*
 * A row, as wide as out->width says. below: it is an instruction below its line of source; mark:
 * before the text of a line, whether its instructions are shown, or "".
 */
void cr_source_lines_put(const struct cr_source_lines *l, const struct cr_listing_row *r,
	bool below, const char *mark, bool unicode, struct cr_paint *out);

/* The indentation that all lines of source have, in cells. */
uint32_t cr_source_lines_dedent(const struct cr_listing *list);

#endif
