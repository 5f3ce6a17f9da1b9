#ifndef CR_READ_TABLES_CSV_P_H
#define CR_READ_TABLES_CSV_P_H

#include "base/text.h"
#include "base/vec.h"
#include "bytes/scan.h"

/*
 * A line of a table: fields separated by commas, semicolons or TABs. A field may be quoted with
 * double quotes, two of them for one, and may then contain the delimiter; fields separated by TABs
 * are never quoted. All zero bytes is a line without fields.
 */
struct cr_csv_field {
	struct cr_str text; /* without quotes and surrounding blanks */
	uint32_t blanks;    /* number of leading blanks, outside or inside the quotes */
};

struct cr_csv {
	char delimiter;
	CR_VEC(struct cr_csv_field) fields;
	struct cr_text room; /* buffer for fields that contain quotes */
};

/* Set the delimiter: the one that is most frequent in the header line, a comma if there is none. */
void cr_csv_header(struct cr_csv *c, struct cr_str line);

/*
 * Split a line. The fields are valid until the next line. Returns false if a quote is not closed:
 * the last field then ends with the line.
 */
bool cr_csv_line(struct cr_csv *c, struct cr_str line);

void cr_csv_fini(struct cr_csv *c);

/* Index of the field with this text in the current line; -1 if none. */
int cr_csv_column(const struct cr_csv *c, const char *name);

/* A field of the current line; empty if the line is shorter or the column is -1. */
struct cr_str cr_csv_text(const struct cr_csv *c, int column);

/*
 * Parse a number as people write it: "1,234,567", "1.234", "95,31", "12 000", "3 %". The result is
 * multiplied by 10^scale and rounded to the nearest. A single point or comma begins a fraction if
 * the scale is not 0, or if it is not followed by three digits. Returns false for anything else,
 * and for a negative number except -0.
 */
bool cr_csv_number(struct cr_str s, unsigned scale, uint64_t *out);

#endif
