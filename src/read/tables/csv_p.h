#ifndef CR_READ_TABLES_TEXT_CSV_P_H
#define CR_READ_TABLES_TEXT_CSV_P_H

#include "base/text.h"
#include "base/vec.h"
#include "bytes/scan.h"

/*
 * A line of a table: fields between commas, semicolons or TABs. A field may stand in double quotes,
 * with two of them for one, and then may hold the delimiter; TABs delimit fields that bear no
 * quotes. What is all zero bytes is a line without fields.
 */
struct cr_csv_field {
	struct cr_str text; /* without quotes and the blanks at either end */
	uint32_t blanks;    /* how many stood in front, outside of the quotes or within */
};

struct cr_csv {
	char delimiter;
	CR_VEC(struct cr_csv_field) fields;
	struct cr_text room; /* of fields with quotes in them */
};

/* The delimiter is the one there is most of in the header, a comma if there is none. */
void cr_csv_header(struct cr_csv *c, struct cr_str line);

/*
 * The fields are good until the next line. False when a quote is not closed: the last field ends
 * with the line.
 */
bool cr_csv_line(struct cr_csv *c, struct cr_str line);

void cr_csv_fini(struct cr_csv *c);

/* Which field of the line at hand bears this text; -1: none. */
int cr_csv_column(const struct cr_csv *c, const char *name);

/* A field of the line at hand; an empty one when the line is shorter or the column is -1. */
struct cr_str cr_csv_text(const struct cr_csv *c, int column);

/*
 * A number as people write them: "1,234,567", "1.234", "95,31", "12 000", "3 %", times 10 to the
 * scale, to the nearest. A lone point or comma begins a fraction when the scale is not 0, or when
 * there are not three digits behind it. False on anything else, and on a negative number but 0.
 */
bool cr_csv_number(struct cr_str s, unsigned scale, uint64_t *out);

#endif
