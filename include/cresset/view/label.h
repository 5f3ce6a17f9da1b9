#ifndef CR_VIEW_LABEL_H
#define CR_VIEW_LABEL_H

#include "cresset/base/text.h"

/*
 * A name made to fit in so many cells, appended to t, made safe for a terminal. Tried in order:
 * the whole name; without its argument list; without template arguments; the last parts of a
 * qualified name; what is left cut with an ellipsis. Nothing when less than 2 cells are there.
 * Returns the cells used.
 */
uint32_t cr_label_fit(struct cr_text *t, struct cr_str name, uint32_t cells);

/*
 * The name without its argument list: cut at the first '(' at bracket depth 0 that does not
 * follow '.' and is not "(anonymous namespace)". The tokens of operator<, operator-> and their
 * like are no brackets; "operator()(int)" becomes "operator". Borrowed from name.
 */
struct cr_str cr_label_bare(struct cr_str name);

/* Of a path the last folder and the file: "http/request.c". Borrowed. */
struct cr_str cr_label_path(struct cr_str path);

#endif
