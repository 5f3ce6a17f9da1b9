#ifndef CRESSET_VIEW_SHEET_HEAT_SHEET_H
#define CRESSET_VIEW_SHEET_HEAT_SHEET_H

#include "query/time/series.h"
#include "view/sheet/sheet.h"

/* The cells of a heat map that have samples, a row each. Rows stand for ranges of time. */
struct cr_heat_sheet {
	struct cr_sheet sheet; /* its user is this */
	const struct cr_heat *heat;
	uint32_t *cells;      /* by row: column * rows of the map + row */
	struct cr_text *text; /* of the cell that was asked for last */
};

/* Borrows h; out is not to be moved. */
void cr_heat_sheet_init(const struct cr_heat *h, struct cr_heat_sheet *out);
void cr_heat_sheet_fini(struct cr_heat_sheet *s);

#endif
