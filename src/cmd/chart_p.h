#ifndef CR_CMD_CHART_P_H
#define CR_CMD_CHART_P_H

#include "options_p.h"

/* What the charts that subcommands print have in common. */

/* May block characters be printed? */
bool cr_chart_unicode(void);

/* Cells of a line: the terminal's, or so many into a pipe. */
uint32_t cr_chart_cells(uint32_t piped);
#define CR_CHART_PIPED 120u /* of a chart */

/*
 * Cells of a line that names have to fit in, as --full-names and --short-names say; 0 for no limit.
 */
uint32_t cr_chart_name_cells(const struct cr_options *o);

/* A name in exactly so many cells, or fewer and blanks. */
void cr_chart_name(struct cr_text *t, struct cr_str name, uint32_t cells);

/* The same, blanks first; what is longer stays whole. */
void cr_chart_right(struct cr_text *t, struct cr_str what, uint32_t cells);

/*
 * A weight in few cells, to the right: "12.3 ms", "4.1 kB", and of what else there is "530.1 G",
 * without its unit.
 */
void cr_chart_cost(struct cr_text *t, uint64_t weight, struct cr_str unit, uint32_t cells);

/* A line feed instead of the blanks that the line ends in. */
void cr_chart_line_end(struct cr_text *t);

/* Below a chart of so many cells: where it begins, its middle, its end. */
void cr_chart_axis(struct cr_text *t, uint64_t from_ns, uint64_t to_ns, uint32_t cells);

/* A number of nanoseconds as seconds with all their digits: 1.5 */
void cr_chart_seconds(struct cr_text *t, uint64_t ns);

#endif
