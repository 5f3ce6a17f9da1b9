#ifndef CR_QUERY_TABLE_WIDE_TABLE_H
#define CR_QUERY_TABLE_WIDE_TABLE_H

#include "query/fold/sketch/wide_stacks.h"
#include "query/table/table.h"

/*
 * The table that cr_table_make() makes of a node and what is below it in the complete tree of w,
 * without that tree. t: a sketch of w; root: a node of it. The key must be merged, and not be
 * CR_TABLE_GROUP. Two passes over the stacks of the profile.
 */
void cr_table_make_wide(const struct cr_wide_stacks *w, const struct cr_tree *t, uint32_t root,
	const struct cr_table_spec *spec, struct cr_table *out);

#endif
