#ifndef CR_QUERY_TABLE_CODE_TYPES_H
#define CR_QUERY_TABLE_CODE_TYPES_H

#include "query/table/annotate.h"

/*
 * The types of the data that instructions access, from the fields that --data-types makes. All
 * samples at an instruction have the same type, unless only the address of their data tells it.
 */

/* True if an event has types. */
bool cr_code_types_has(const struct cr_profile *p);

/* What cr_code_types_set() reads; bits of enum cr_needs. */
#define CR_CODE_TYPES_NEEDS (CR_NEEDS_TREE | CR_NEEDS_NODE | CR_NEEDS_EVENT | CR_NEEDS_FIELDS)

/* Set the type of each sampled instruction of a: that of the first sample there which has one. */
void cr_code_types_set(const struct cr_profile *p, struct cr_annotate *a);

#endif
