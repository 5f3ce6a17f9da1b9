#ifndef CRESSET_VIEW_SHEET_SERIES_SHEET_H
#define CRESSET_VIEW_SHEET_SERIES_SHEET_H

#include "query/time/series.h"
#include "view/sheet/sheet.h"

/* Samples and weight over time, as tables. */
struct cr_series_sheet {
	struct cr_sheet sheet; /* its user is this */
	const struct cr_series *series;
	struct cr_sheet_column *columns;
	uint32_t chart_begins; /* cell of a line that the chart begins in */
	bool unicode;
	struct cr_text *text; /* of the cell that was asked for last */
};

/* Cell of a line that the chart begins in, where names have their usual width. */
#define CR_SERIES_CHART_CELL 61u

/*
 * Both borrow s and key, the head of the column of names; out is not to be moved.
 *
 * lanes  a row a key with its share, weight, largest bin and a chart of its bins. Rows stand for
 *        keys. full_names: the column of names is as wide as the longest
 * bins   a row a bin of each key, those without samples too. Rows stand for ranges of time
 */
void cr_series_lanes(const struct cr_series *s, const char *key, bool full_names, bool unicode,
	struct cr_series_sheet *out);
void cr_series_bins(const struct cr_series *s, const char *key, struct cr_series_sheet *out);
void cr_series_sheet_fini(struct cr_series_sheet *s);

#endif
