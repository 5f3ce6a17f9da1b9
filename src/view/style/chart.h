#ifndef CRESSET_VIEW_STYLE_CHART_H
#define CRESSET_VIEW_STYLE_CHART_H

#include "base/text.h"

/* Pieces of charts in text. Every function appends to t. */

/* `what` in `cells` cells, blanks before it; a longer one is not cut. */
void cr_chart_right(struct cr_text *t, struct cr_str what, uint32_t cells);

/*
 * A weight in few cells, aligned to the right: "12.3 ms", "4.1 kB"; in any other unit "530.1 G",
 * without the unit.
 */
void cr_chart_cost(struct cr_text *t, uint64_t weight, struct cr_str unit, uint32_t cells);

/* Replace the blanks that the line ends in with a line feed. */
void cr_chart_line_end(struct cr_text *t);

/* The line below a chart `cells` wide: the times at its start, its middle and its end. */
void cr_chart_axis(struct cr_text *t, uint64_t from_ns, uint64_t to_ns, uint32_t cells);

/* Nanoseconds as seconds with all their digits: 1.5 */
void cr_chart_seconds(struct cr_text *t, uint64_t ns);

#endif
