#ifndef CRESSET_VIEW_STYLE_CHART_H
#define CRESSET_VIEW_STYLE_CHART_H

#include "base/text.h"

/* Parts of text charts. Every function appends to t. */

/* `what` right-aligned in `cells` cells; a longer one is not shortened. */
void cr_chart_right(struct cr_text *t, struct cr_str what, uint32_t cells);

/*
 * A short weight, right-aligned: "12.3 ms", "4.1 kB"; in other units "530.1 G", without the unit.
 */
void cr_chart_cost(struct cr_text *t, uint64_t weight, struct cr_str unit, uint32_t cells);

/* Replace trailing blanks of the line by a newline. */
void cr_chart_line_end(struct cr_text *t);

/* The axis below a chart `cells` wide: the times at its start, middle and end. */
void cr_chart_axis(struct cr_text *t, uint64_t from_ns, uint64_t to_ns, uint32_t cells);

/* Nanoseconds as seconds with all digits: 1.5 */
void cr_chart_seconds(struct cr_text *t, uint64_t ns);

#endif
