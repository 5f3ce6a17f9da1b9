#ifndef CR_STORE_PARTS_P_H
#define CR_STORE_PARTS_P_H

#include "opening_p.h"

/*
 * The sections of a store as parts of its profile. Each is read once and put into o->p; a part that
 * fails leaves its tables empty, and whether the profile can do without is the caller's to know.
 * What a store does not have, since the profile had none or the release was before, is no failure.
 */
int cr_part_summary(struct cr_opening *o,
	struct cr_err *err); /* flags, facts, events: the first, sets the bounds */
int cr_part_names(struct cr_opening *o,
	struct cr_err *err); /* strings, dsos, functions: before what follows */
int cr_part_default_tree(struct cr_opening *o, struct cr_err *err);
int cr_part_quality(struct cr_opening *o, struct cr_err *err);
int cr_part_tasks(struct cr_opening *o, struct cr_err *err);
int cr_part_fields(struct cr_opening *o, struct cr_err *err);
int cr_part_values(
	struct cr_opening *o, struct cr_err *err); /* and texts: of the fields, after them */
int cr_part_tree(struct cr_opening *o, struct cr_err *err);
int cr_part_maps(struct cr_opening *o, struct cr_err *err);
int cr_part_code(struct cr_opening *o, struct cr_err *err);

/*
 * Columns of the samples, those of `columns` (bits by enum cr_sample_column) that are not there
 * yet, in zones that are wanted (NULL: all). Stores from before the columns were apart have all or
 * none of them.
 */
int cr_part_columns(
	struct cr_opening *o, unsigned columns, const uint8_t *want, struct cr_err *err);
/* A column's section. All of them must have their rows in blocks of the same sizes. */
int cr_part_column_section(struct cr_opening *o, enum cr_sample_column c,
	const struct cr_section **out, struct cr_err *err);
/* Samples that cannot be used have no rows, also of columns that were read before. */
void cr_part_columns_drop(struct cr_opening *o);
int cr_part_zones(struct cr_opening *o, struct cr_err *err);

#endif
