#ifndef CR_SYMBOL_ELF_SEGMENTS_H
#define CR_SYMBOL_ELF_SEGMENTS_H

#include "base/str.h"
#include "symbol/opts.h"

/*
 * Where the parts of a dso's file come to lie in memory. Some recorders tell of an address how
 * far it is from where the dso begins there; the model has the offset in the file.
 */
struct cr_segments {
	struct cr_segment {
		uint64_t start, end; /* in memory, from the dso's beginning on */
		uint64_t offset;     /* of start in the file */
	} * p;
	size_t n; /* 0: there is no such file, or it is none that can be loaded */
};

/* The file is looked for at path under opts->symfs. */
void cr_segments_open(struct cr_segments *s, const struct cr_symbol_opts *opts, struct cr_str path);
void cr_segments_close(struct cr_segments *s);

/* The file offset of what lies so far from the beginning; false when nothing of the file does. */
bool cr_segments_offset(const struct cr_segments *s, uint64_t distance, uint64_t *offset);

#endif
