#ifndef CRESSET_VIEW_SHEET_SERIES_SHEET_H
#define CRESSET_VIEW_SHEET_SERIES_SHEET_H

#include "query/time/series.h"
#include "view/sheet/sheet.h"

/* Samples and weight over time, as tables. */
struct cr_series_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	const struct cr_series *series;
	struct cr_sheet_column *columns;
	uint32_t chart_begins; /* column of a line where the chart begins */
	bool unicode;
	uint32_t n_before;    /* see cr_series_sheet_sides() */
	struct cr_text *text; /* text of the last cell requested */
};

/* Column of a line where the chart begins if names have their default width. */
#define CR_SERIES_CHART_CELL 61u

/*
 * Both borrow s and key, the heading of the names; out must not move.
 *
 * - lanes: one row per key with its share, weight, largest bin and a chart of its bins. Rows refer
 *   to keys. full_names: the column of names is as wide as the longest.
 * - bins: one row per bin of each key, even without samples. Rows refer to time ranges.
 */
void cr_series_lanes(const struct cr_series *s, const char *key, bool full_names, bool unicode,
	struct cr_series_sheet *out);
void cr_series_bins(const struct cr_series *s, const char *key, struct cr_series_sheet *out);
void cr_series_sheet_fini(struct cr_series_sheet *s);

/*
 * Of bins of a difference: the first n_before lanes are of the side before, the others of the side
 * after; a column says so. Without a difference there is no such column.
 */
void cr_series_sheet_sides(struct cr_series_sheet *s, bool is_diff, uint32_t n_before);

#endif
