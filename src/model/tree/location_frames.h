#ifndef CR_MODEL_TREE_LOCATION_FRAMES_H
#define CR_MODEL_TREE_LOCATION_FRAMES_H

#include "model/tree/tree.h"

enum cr_granularity { /* what one frame stands for */
	CR_GRANULARITY_FUNCTION,
	/* A source line of a function: the line of the sample, or of the call. */
	CR_GRANULARITY_LINE,
	/* An address in a function. All functions inlined at an address share it. */
	CR_GRANULARITY_ADDRESS,
	/* A dso. Adjacent equal frames are merged into one. */
	CR_GRANULARITY_DSO,
	/* A source file, merged likewise. Functions of an unknown file count for "[dso]". */
	CR_GRANULARITY_FILE,
};

struct cr_fold_template_opts {
	enum cr_granularity granularity;
	bool apart;     /* functions without a name are separated by address */
	bool outermost; /* without inlined functions */
};

/* The frame of a function without a name at the address of a location. */
struct cr_apart_frame {
	uint32_t location, function;
};

/*
 * The frames of the locations of a profile at some granularity: those of location i are
 * run[first[i]] up to run[first[i + 1]], exclusive, the outermost first. Frame 0 is the root's; the
 * frame of function row r is r + 1, unless the granularity is coarser than functions.
 */
struct cr_location_frames {
	struct cr_frame *frames;
	uint32_t n_frames;
	/* Frames with the numbers from n_frames on, see cr_location_frames_list(). */
	struct cr_apart_frame *apart;
	uint32_t n_apart;
	uint32_t *first, *run;
	struct cr_arena
		made; /* names made for the frames; the others are borrowed from the profile */
};

/* The locations of p must have been read. Free the result with cr_location_frames_fini(). */
void cr_location_frames_make(const struct cr_profile *p, const struct cr_fold_template_opts *o,
	struct cr_location_frames *out);
/*
 * The same, but at CR_GRANULARITY_FUNCTION the frames of addresses are not made: there may be
 * millions of them. They are listed in `apart`, in the order of locations; a frame of the same
 * function and address may be there more than once. cr_location_frames_apart() makes the i-th.
 */
void cr_location_frames_list(const struct cr_profile *p, const struct cr_fold_template_opts *o,
	struct cr_location_frames *out);
struct cr_frame cr_location_frames_apart(
	const struct cr_profile *p, const struct cr_location_frames *f, uint32_t i);
void cr_location_frames_fini(struct cr_location_frames *f);

#endif
