#ifndef CR_READ_PPROF_MAPPINGS_P_H
#define CR_READ_PPROF_MAPPINGS_P_H

#include "base/vec.h"
#include "model/build/builder.h"

/* The files that code was mapped from, in pprof's formats. All zero bytes is empty. */
struct cr_mapping {
	uint64_t start, end; /* [start, end) */
	uint64_t offset;     /* of start, in the file */
	cr_dso_id dso;
	bool has_id; /* the dso has a build-id, so its symbols can be verified */
};

struct cr_mappings {
	CR_VEC(struct cr_mapping) rows;
	bool sorted;
};

/* The dso of a file by its name and build-id (hexadecimal, or other text). */
cr_dso_id cr_mapping_dso(
	struct cr_builder *b, struct cr_str file, struct cr_str build_id, bool *has_id);

/*
 * Parse a line of /proc/PID/maps, or of the short form "start-end: file (@offset) build-id", and
 * add its mapping if it is executable. Returns false for any other line.
 */
bool cr_mappings_line(struct cr_mappings *m, struct cr_builder *b, struct cr_str line);

/* True if cr_mappings_line() would accept it. */
bool cr_mappings_is_line(struct cr_str line);

/* The mapping that contains an address; NULL if none. No line may be added after the first call. */
const struct cr_mapping *cr_mappings_find(struct cr_mappings *m, uint64_t addr);
void cr_mappings_fini(struct cr_mappings *m);

/*
 * The location of an address without a name. Its function is named "0x437571", as in all pprof
 * output; symbols replace that only if the dso's build-id matches. mapping NULL: in no mapping.
 */
cr_location_id cr_mapping_nameless(
	struct cr_builder *b, const struct cr_mapping *mapping, uint64_t addr);

#endif
