#ifndef SCREEN_SVG_H
#define SCREEN_SVG_H

#include "tui/grid.h"

/* Append a picture of a screen as SVG, for the documentation. Combining marks are left out. */
void screen_put_svg(const struct cr_grid *g, struct cr_text *out);

#endif
