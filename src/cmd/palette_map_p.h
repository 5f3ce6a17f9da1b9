#ifndef CR_CMD_PALETTE_MAP_P_H
#define CR_CMD_PALETTE_MAP_P_H

#include "base/err.h"
#include "model/tree/tree.h"
#include "view/style/palette.h"

/*
 * The file in which flamegraph.pl and inferno-flamegraph keep the colours of functions, in the
 * working directory. A line is "NAME->rgb(255,128,0)"; lines are sorted.
 */
#define CR_PALETTE_MAP "palette.map"

/*
 * Set the colours of frames that the file lists, as struct cr_write_in says, and give all others
 * those of the palette. Then write the file anew with the frames added that it did not list. A
 * missing file is an empty one; lines of another form are dropped. CR_EIO if it cannot be read or
 * written.
 */
int cr_palette_map_apply(
	const struct cr_tree *t, enum cr_palette palette, uint32_t *color1, struct cr_err *err);

#endif
