#ifndef CR_SYMBOL_ELF_SEGMENTS_H
#define CR_SYMBOL_ELF_SEGMENTS_H

#include "base/str.h"
#include "symbol/opts.h"

/*
 * How the parts of a dso's file are placed in memory. Some recorders store an address as the
 * distance from the dso's lowest address in memory; the model needs the file offset.
 */
struct cr_segments {
	struct cr_segment {
		uint64_t start, end; /* in memory, relative to the dso's beginning */
		uint64_t offset;     /* of start, in the file */
	} * p;
	size_t n; /* 0 if the file is missing or cannot be loaded */
};

/* path: path of the file; looked up below opts->symfs. */
void cr_segments_open(struct cr_segments *s, const struct cr_symbol_opts *opts, struct cr_str path);
void cr_segments_close(struct cr_segments *s);

/* Convert a distance to a file offset; false if no part of the file is there. */
bool cr_segments_offset(const struct cr_segments *s, uint64_t distance, uint64_t *offset);

#endif
