#include "table_out_p.h"
#include "terminal_p.h"

#include "view/style/label.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void
cr_table_out_shares(const struct cr_options *o)
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
	static const char *const heads[] = {
		[CR_TOP_FUNCTION] = "FUNCTION",
		[CR_TOP_OBJECT] = "OBJECT",
		[CR_TOP_COMM] = "COMM",
		[CR_TOP_LINE] = "LINE",
	};
	const enum cr_grain grain = cr_query_opts(&o->query).grain;

	if (o->key == CR_TOP_FUNCTION && grain == CR_GRAIN_OBJECT)
		return "OBJECT";
	return o->key == CR_TOP_FUNCTION && grain == CR_GRAIN_FILE ? "FILE" : heads[o->key];
}

void
cr_table_out(const struct cr_options *o, const struct cr_tree *t)
{
	const uint32_t cells = cr_stdout_name_cells(o);
	struct cr_text line = {0};
	struct cr_table table;
	struct cr_top top;
	uint32_t n;

	cr_top_make(t, 0, o->key, &top);
	cr_table_init(&table, &top, t->sides);
	table.what = head_of(o);
	if (o->key == CR_TOP_LINE)
		table.beside = "FUNCTION";
	if (o->has_order || t->sides == 2) /* of a difference one wants to see first what changed */
		cr_table_sort(&table, o->has_order ? o->order : CR_SORT_DELTA_SELF, false);
	cr_table_head(&table, cells, &line);
	printf("%s\n", line.p);
	n = o->limit && o->limit < table.n ? o->limit : table.n;
	for (uint32_t i = 0; i < n; i++) {
		cr_text_clear(&line);
		cr_table_row(&table, i, cells, &line);
		if (!cr_stdout_unicode())
			cr_label_ascii(&line, 0);
		printf("%s\n", line.p);
	}
	if (n < table.n)
		printf("# %" PRIu32 " more, --limit 0 shows all\n", table.n - n);
	cr_text_fini(&line);
	cr_table_fini(&table);
	cr_top_fini(&top);
}
