#ifndef CRESSET_VIEW_SHEET_CACHE_SHEET_H
#define CRESSET_VIEW_SHEET_CACHE_SHEET_H

#include "query/table/cache_lines.h"
#include "view/sheet/sheet.h"

/* Cache lines as a table: a row for each line, and indented below it its places. */
struct cr_cache_row {
	uint32_t line, place1; /* place + 1; 0: the row is the line's */
};

struct cr_cache_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	const struct cr_profile *p;
	const struct cr_cache_lines *lines;
	struct cr_cache_row *rows;
	uint32_t n_left_out; /* lines beyond the limit */
};

/* limit: number of lines; 0: all. Borrows everything; out must not move. */
void cr_cache_sheet_init(const struct cr_profile *p, const struct cr_cache_lines *lines,
	uint32_t limit, struct cr_cache_sheet *out);
void cr_cache_sheet_fini(struct cr_cache_sheet *s);

#endif
