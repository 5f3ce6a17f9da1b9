#ifndef CRESSET_VIEW_SCENE_HEAT_H
#define CRESSET_VIEW_SCENE_HEAT_H

#include "base/text.h"
#include "query/time/series.h"

/* Column of a line where the map begins, after the times within a second. */
#define CR_HEAT_CHART_CELL 9u

/*
 * Append n columns (seconds) of a heat map from column `first` as text: one line per row, the start
 * of the seconds at the bottom, followed by a time axis.
 */
void cr_heat_band(
	const struct cr_heat *h, uint32_t first, uint32_t n, bool unicode, struct cr_text *out);

#endif
