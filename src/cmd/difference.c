#include "difference_p.h"

#include "sheet_out_p.h"
#include "terminal_p.h"

#include "view/sheet/function_sheet.h"

#include <stdio.h>

void
cr_difference_shares(const struct cr_options *o)
{
	const bool narrowed = cr_query_has(&o->query, CR_WORD_SELECTS | CR_WORD_TRANSFORMS);
	struct cr_text query = {0};

	cr_query_print(&o->query, &query);
	if (query.len)
		printf("# query: %s\n", query.p);
	printf("# shares of %s are compared; differences are in points\n",
		narrowed ? "what the query leaves of each side" : "each side's own whole");
	cr_text_fini(&query);
}

/* What the names of the rows are of. */
static const char *
head_of(const struct cr_options *o)
{
	const enum cr_granularity granularity = cr_query_opts(&o->query).granularity;

	if (o->key == CR_TABLE_GROUP)
		return "COMM";
	if (o->key == CR_TABLE_DSO_PATH || granularity == CR_GRANULARITY_DSO)
		return "DSO";
	return granularity == CR_GRANULARITY_FILE ? "FILE" : "FUNCTION";
}

/* What changed most stands first. */
void
cr_difference_table(const struct cr_options *o, const struct cr_tree *t)
{
	struct cr_function_sheet s;
	struct cr_table table;

	cr_table_make(NULL, t, 0, cr_table_by(o->key), &table);
	cr_function_sheet_init(t, &table, head_of(o), &s);
	s.sheet.ascii = !cr_stdout_unicode();
	cr_function_sheet_sort(&s, o->has_order ? o->order : CR_SORT_DELTA_SELF, false);
	cr_sheets_put_lines(&s.lines, cr_stdout_name_cells(o), o->limit);
	cr_function_sheet_fini(&s);
	cr_table_fini(&table);
}
