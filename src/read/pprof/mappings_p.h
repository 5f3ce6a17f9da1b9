#ifndef CR_READ_PPROF_TEXT_MAPPINGS_P_H
#define CR_READ_PPROF_TEXT_MAPPINGS_P_H

#include "base/vec.h"
#include "model/build/builder.h"

/* What pprof's formats say of the files that code was mapped from. All zero is nothing. */
struct cr_mapping {
	uint64_t start, end; /* [start, end) */
	uint64_t offset;     /* of start in the file */
	cr_dso_id dso;
	bool has_id; /* the dso has a build-id: its symbols can be told to be the right ones */
};

struct cr_mappings {
	CR_VEC(struct cr_mapping) rows;
	bool sorted;
};

/* The dso of a file by its name and its build-id, hexadecimal or something else. */
cr_dso_id cr_mapping_dso(
	struct cr_builder *b, struct cr_str file, struct cr_str build_id, bool *has_id);

/*
 * A line of /proc/PID/maps, or of the short form "start-end: file (@offset) build-id", of code that
 * is executable as far as it says. False for any other line.
 */
bool cr_mappings_line(struct cr_mappings *m, struct cr_builder *b, struct cr_str line);

/* Would cr_mappings_line() take it? */
bool cr_mappings_is_line(struct cr_str line);

/* The mapping that an address is in; NULL for none. Once it was asked, there are no more lines. */
const struct cr_mapping *cr_mappings_find(struct cr_mappings *m, uint64_t addr);
void cr_mappings_fini(struct cr_mappings *m);

/*
 * The location of an address that the profile has no name for. Its function is called "0x437571",
 * as in all that pprof prints; that stays, unless symbols of the dso's very build name it.
 * mapping NULL: in none.
 */
cr_location_id cr_mapping_nameless(
	struct cr_builder *b, const struct cr_mapping *mapping, uint64_t addr);

#endif
