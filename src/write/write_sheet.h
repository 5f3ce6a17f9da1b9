#ifndef CR_WRITE_WRITE_SHEET_H
#define CR_WRITE_WRITE_SHEET_H

#include "base/json_out.h"
#include "view/sheet/sheet.h"

#include <stdio.h>

/*
 * A sheet as perf report prints its tables: "#" before the line of heads and before the dots below
 * it, columns two blanks apart. With a separator the columns are not padded, and there are no dots.
 */
void cr_write_sheet_text(const struct cr_sheet *s, FILE *out);

/*
 * RFC 4180, but that lines end in a line feed. The line of names is written on its own, as sections
 * may follow one another.
 */
void cr_write_sheet_csv_head(const struct cr_sheet *s, FILE *out);
void cr_write_sheet_csv(const struct cr_sheet *s, FILE *out);

/* A list of dsos, one a row and line. All but its last bracket is printed, that is in j. */
void cr_write_sheet_json(const struct cr_sheet *s, struct cr_json_out *j, FILE *out);

void cr_write_sheet_markdown(const struct cr_sheet *s, FILE *out);

#endif
