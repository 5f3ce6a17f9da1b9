#ifndef CR_MODEL_BUILD_QUALITY_TABLE_P_H
#define CR_MODEL_BUILD_QUALITY_TABLE_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "model/profile.h"

/*
 * Counts of missing data, keyed by their text. There may be one for each dso of a recording, so an
 * index finds them. All zero bytes is an empty table.
 */
struct cr_quality_table {
	CR_VEC(struct cr_quality) rows;
	struct cr_index index;
};

/* Add to the count with this text. Returns false if there is none: the caller appends it then. */
bool cr_quality_add(struct cr_quality_table *t, struct cr_str what, uint64_t count);

/* Append a text that is not in the table. Its characters must outlive the table. */
void cr_quality_append(struct cr_quality_table *t, struct cr_str what, uint64_t count);

/*
 * Return the rows, which the caller frees, and their number in *n. The table is empty afterwards.
 */
struct cr_quality *cr_quality_release(struct cr_quality_table *t, uint32_t *n);

void cr_quality_fini(struct cr_quality_table *t);

#endif
