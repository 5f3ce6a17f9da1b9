#ifndef CR_SYMBOL_DATA_DATA_TYPES_P_H
#define CR_SYMBOL_DATA_DATA_TYPES_P_H

#include "model/build/add_fields.h"
#include "register_types_p.h"
#include "symbol/files/debugfile_p.h"

/* What is known of the data that the instruction at a location accesses. */
struct cr_data_found {
	uint64_t type, member; /* texts */
	uint64_t offset;
	uint8_t result; /* enum cr_data_result */
};

/*
 * Find the types for n locations of a dso whose files are open. keys: their addresses, sorted; rows
 * are those of `found`. The keys are changed. What has no function in the debug info stays as it
 * is in `found`.
 */
void cr_data_types_of(const struct cr_symbol_opts *opts, const struct cr_dso *o,
	const struct cr_debugfile *files, struct cr_addrkey *keys, size_t n,
	struct cr_add_fields *add, struct cr_data_found *found);

#endif
