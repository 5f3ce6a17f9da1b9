#ifndef CR_QUERY_TABLE_TABLE_P_H
#define CR_QUERY_TABLE_TABLE_P_H

#include "query/table/table.h"

/*
 * Make h->rows of h->n of these rows, those with the numbers kept[0 .. h->n), in the order of the
 * spec; ties are as the keys are, then as the values were met. `was` gets the number. The values,
 * groups and codes of h must be there; n_values is how many values there are. The order of kept
 * changes if the spec asks for the first rows only.
 */
void cr_table_sort_rows(
	struct cr_table *h, const struct cr_table_row *all, uint32_t *kept, uint32_t n_values);

#endif
