#ifndef CR_CMD_REPORT_TABLE_P_H
#define CR_CMD_REPORT_TABLE_P_H

#include "report_p.h"

#include "view/sheet/table_sheet.h"

/*
 * Make a table of what was folded, with shares of what the options say. Returns the tree that has
 * the order of the rows. The caller frees out before f.
 */
const struct cr_tree *cr_report_table_make(
	struct cr_report *r, const struct cr_report_fold *f, struct cr_table *out);

/* How many rows the table must have in order, for `first` of its spec; 0: all. */
uint32_t cr_report_table_first(const struct cr_report *r);

/* What the options say about the look of a table. out refers to *chain. */
void cr_report_table_look(struct cr_report *r, bool estimated, struct cr_table_sheet_opts *out,
	struct cr_chain_opts *chain);

#endif
