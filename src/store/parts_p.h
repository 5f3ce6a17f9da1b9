#ifndef CR_STORE_PARTS_P_H
#define CR_STORE_PARTS_P_H

#include "opening_p.h"

/*
 * Read the sections of a store into its profile. Each is called once and fills tables of o->p. If
 * it fails, the tables are empty, and the caller decides whether the profile is usable without. A
 * section that the store lacks, because the profile had no such data or the release was older, is
 * no failure.
 */
/* Flags, facts, events; call it first, since it sets the bounds. */
int cr_part_summary(struct cr_opening *o, struct cr_err *err);
/* Strings, dsos, functions; call it before the following. */
int cr_part_names(struct cr_opening *o, struct cr_err *err);
int cr_part_default_tree(struct cr_opening *o, struct cr_err *err);
int cr_part_quality(struct cr_opening *o, struct cr_err *err);
int cr_part_tasks(struct cr_opening *o, struct cr_err *err);
int cr_part_threads(struct cr_opening *o, struct cr_err *err);
/* Sizes of functions; call it after cr_part_names(). */
int cr_part_sizes(struct cr_opening *o, struct cr_err *err);
int cr_part_fields(struct cr_opening *o, struct cr_err *err);
/* Values and texts; call it after cr_part_fields(). */
int cr_part_values(struct cr_opening *o, struct cr_err *err);
int cr_part_tree(struct cr_opening *o, struct cr_err *err);
int cr_part_maps(struct cr_opening *o, struct cr_err *err);
int cr_part_code(struct cr_opening *o, struct cr_err *err);

/*
 * Read columns of the samples: those of `columns` (bits by enum cr_sample_column) that were not
 * read yet, in the zones that are wanted (NULL: all). Older stores have all columns in one section.
 */
int cr_part_columns(
	struct cr_opening *o, unsigned columns, const uint8_t *want, struct cr_err *err);
/* The section of a column. All of them must have blocks of the same sizes. */
int cr_part_column_section(struct cr_opening *o, enum cr_sample_column c,
	const struct cr_section **out, struct cr_err *err);
/* Remove all samples, including columns that were read before, because they cannot be used. */
void cr_part_columns_drop(struct cr_opening *o);
/* Close the files of the columns, which stay mapped. */
void cr_part_columns_close(struct cr_opening *o);
int cr_part_zones(struct cr_opening *o, struct cr_err *err);

#endif
