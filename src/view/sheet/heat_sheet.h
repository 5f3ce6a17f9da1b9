#ifndef CRESSET_VIEW_SHEET_HEAT_SHEET_H
#define CRESSET_VIEW_SHEET_HEAT_SHEET_H

#include "query/time/series.h"
#include "view/sheet/sheet.h"

/* The cells of a heat map with samples, one row each. Rows refer to time ranges. */
struct cr_heat_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	const struct cr_heat *heat;
	uint32_t *cells;      /* by row: column * rows of the map + row */
	struct cr_text *text; /* text of the last cell requested */
};

/* Borrows h; out must not move. */
void cr_heat_sheet_init(const struct cr_heat *h, struct cr_heat_sheet *out);
void cr_heat_sheet_fini(struct cr_heat_sheet *s);

#endif
