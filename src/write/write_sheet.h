#ifndef CR_WRITE_WRITE_SHEET_H
#define CR_WRITE_WRITE_SHEET_H

#include "base/json_out.h"
#include "view/sheet/sheet.h"

#include <stdio.h>

/*
 * Write a sheet like perf report prints tables: "#" before the line of heads and before the dots
 * below it, columns separated by two blanks. With a separator, columns are not padded and there are
 * no dots.
 */
void cr_write_sheet_text(const struct cr_sheet *s, FILE *out);

/*
 * Write CSV (RFC 4180, but lines end with a line feed). The line of names is written separately,
 * since several sections may follow one another.
 */
void cr_write_sheet_csv_head(const struct cr_sheet *s, FILE *out);
void cr_write_sheet_csv(const struct cr_sheet *s, FILE *out);

/*
 * Write JSON: a list of objects, one row per line. Everything but its last bracket is printed; that
 * is in j.
 */
void cr_write_sheet_json(const struct cr_sheet *s, struct cr_json_out *j, FILE *out);

/* Append text of one line, with a backslash before each character that Markdown acts on. */
void cr_write_markdown(struct cr_str text, struct cr_text *out);

/* Write a Markdown table. */
void cr_write_sheet_markdown(const struct cr_sheet *s, FILE *out);

#endif
