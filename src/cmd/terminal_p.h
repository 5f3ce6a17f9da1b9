#ifndef CR_CMD_TERMINAL_P_H
#define CR_CMD_TERMINAL_P_H

#include "options_p.h"

/* Capabilities of standard output. */

/* Width of the terminal in cells, or `piped` if standard output is no terminal. */
uint32_t cr_stdout_cells(uint32_t piped);
#define CR_STDOUT_PIPED 120u /* width of a chart that is written to a pipe or file */

/*
 * Maximum width of a line with a name, in cells, according to --full-names and --short-names; 0 for
 * no limit.
 */
uint32_t cr_stdout_name_cells(const struct cr_options *o);

/*
 * True if tables have colours: as --color says; otherwise not with NO_COLOR, in any case with
 * CLICOLOR_FORCE, and on a terminal unless CLICOLOR is 0.
 */
bool cr_stdout_colors(const struct cr_options *o);

#endif
