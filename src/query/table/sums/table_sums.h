#ifndef CR_QUERY_TABLE_TABLE_SUMS_H
#define CR_QUERY_TABLE_TABLE_SUMS_H

#include "query/fold/stack_sums.h"
#include "query/table/table.h"

/*
 * The table that cr_table_make() makes of the tree that was folded from the same samples with the
 * same options, without node_row. The key must not be merged. One pass over the nodes of the
 * profile: a tree of nearly unique stacks takes twice as long to be made and sorted.
 */
void cr_table_make_sums(
	const struct cr_stack_sums *s, const struct cr_table_spec *spec, struct cr_table *out);

/* The weight that was sampled in frames without a name, see cr_tree_unresolved(). */
uint64_t cr_table_sums_unresolved(const struct cr_stack_sums *s);

#endif
