#ifndef CR_WRITE_SAMPLES_FIELD_COLUMNS_P_H
#define CR_WRITE_SAMPLES_FIELD_COLUMNS_P_H

#include "base/vec.h"
#include "model/columns.h"
#include "model/merge/fleet.h"

/*
 * Columns of a table of samples: fields by name, and header fields such as "host", which are the
 * same for all samples.
 *
 *	rc = cr_field_columns_init(&columns, p, list, err);
 *	for each sample, in the order of rows
 *		cr_field_columns_go(&columns, row);
 *		cr_field_columns_put(&columns, column, &text);
 *	cr_field_columns_fini(&columns);
 */
struct cr_field_column {
	struct cr_str name;
	/* By event: its field of this name; NULL if it has none. NULL for a header field. */
	const struct cr_field **fields;
	struct cr_str value; /* of a header field */
};

struct cr_field_columns {
	const struct cr_profile *p;
	CR_VEC(struct cr_field_column) columns;
	struct cr_event_column events;
	uint64_t *ordinal; /* by event: how many of its samples precede `row` */
	uint64_t row;
	struct cr_fleet fleet; /* owns the names of its keys */
};

/*
 * list: names separated by ",", or "all" for all fields. NULL: what a folded profile keeps apart
 * besides comm, see struct cr_fleet_by; nothing for other profiles. "host" is the header field
 * "hostname" if there is no such field. "host" and tags may have no value; for any other name that
 * is neither a field nor a header field, returns CR_ENOTFOUND. Needs the values of fields. Borrows
 * p and list. End *out in any case.
 */
int cr_field_columns_init(struct cr_field_columns *out, const struct cr_profile *p,
	const char *list, struct cr_err *err);
void cr_field_columns_fini(struct cr_field_columns *c);

/*
 * Append the heading of a column: its name, or "field.NAME" if every table of samples has a column
 * of that name.
 */
void cr_field_column_head(const struct cr_field_column *column, struct cr_text *out);

/* Go to a row of the samples. Rows must not get smaller. */
void cr_field_columns_go(struct cr_field_columns *c, uint64_t row);

/* The value of a column in the current row; false if it has none or is a header field. */
bool cr_field_columns_value(const struct cr_field_columns *c, const struct cr_field_column *column,
	const struct cr_field **field, uint64_t *value);

/* Append the value as text; nothing if there is none. */
void cr_field_columns_put(const struct cr_field_columns *c, const struct cr_field_column *column,
	struct cr_text *out);

#endif
