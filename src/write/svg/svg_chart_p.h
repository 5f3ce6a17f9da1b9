#ifndef CR_WRITE_SVG_SVG_CHART_P_H
#define CR_WRITE_SVG_SVG_CHART_P_H

#include "write/writer.h"

/*
 * Make a flame chart of the samples of `in`, which has been given for a writer with
 * CR_WRITER_PLACES: the threads are children of the root, in the order of their first samples, and
 * below each are its stacks in order of time. Only equal frames of neighbouring samples of a thread
 * are merged. Of several events, only one is in it: the main event if it has samples. The tree
 * borrows names from in->tree, which must outlive it; the caller frees it with cr_tree_free().
 * Fails with CR_ELIMIT if it would have too many nodes.
 */
int cr_svg_chart(const struct cr_write_in *in, struct cr_tree **out, struct cr_err *err);

#endif
