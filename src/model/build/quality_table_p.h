#ifndef CR_MODEL_BUILD_QUALITY_TABLE_P_H
#define CR_MODEL_BUILD_QUALITY_TABLE_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "model/profile.h"

/*
 * Counts of missing data by their text. There may be one for each dso of a recording, so they are
 * found by an index. All zero bytes is an empty table.
 */
struct cr_quality_table {
	CR_VEC(struct cr_quality) rows;
	struct cr_index index;
};

/* Add to the count that has this text. False if there is none: the caller appends it. */
bool cr_quality_add(struct cr_quality_table *t, struct cr_str what, uint64_t count);

/* A text that is not in the table; its characters outlive the table. */
void cr_quality_append(struct cr_quality_table *t, struct cr_str what, uint64_t count);

/* The rows belong to the caller, who frees them; the table is empty. */
struct cr_quality *cr_quality_release(struct cr_quality_table *t, uint32_t *n);

void cr_quality_fini(struct cr_quality_table *t);

#endif
