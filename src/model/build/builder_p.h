#ifndef CR_MODEL_BUILD_BUILDER_P_H
#define CR_MODEL_BUILD_BUILDER_P_H

#include "base/hash.h"
#include "base/mapped_vector.h"
#include "base/vec.h"
#include "field_builder_p.h"
#include "model/build/builder.h"
#include "quality_table_p.h"
#include "string_table_p.h"

/* What is in a builder: for the files that work on one. */

struct cr_built_node {
	uint32_t path; /* hash of the locations from the root to here: what the node is looked up by
			*/
	uint32_t parent, location;
	uint32_t depth : 31;
	uint32_t gone : 1; /* no sample is left at it or below */
};

/* A task has a sample whose stack, ending at this node, is known from its thread's start. */
struct cr_built_whole {
	uint64_t base; /* the stack pointer in its outermost frame */
	uint32_t task, node;
};

struct cr_built_cut {
	uint64_t row; /* of the sample */
	uint64_t sp;  /* the stack pointer in the outermost frame that is known */
};

#define CR_BUILT_NO_HEIGHT UINT32_MAX

struct cr_builder {
	struct cr_limits lim;
	struct cr_profile *p; /* becomes the result; its arena holds every string */
	struct cr_strings strings;

	CR_VEC(struct cr_event) events;
	bool may_be_empty;
	bool has_wall;
	cr_event_id on_cpu, off_cpu; /* its parts */
	CR_VEC(struct cr_dso) dsos;
	CR_VEC(struct cr_function) functions;
	CR_VEC(struct cr_location) locations;
	CR_VEC(struct cr_line) lines; /* of those made by name, the rows of each side by side */
	CR_VEC(struct cr_line) chain; /* those of one, while it is looked up */
	CR_VEC(struct cr_task) tasks;
	CR_VEC(struct cr_map) maps;
	struct cr_quality_table quality;
	CR_VEC(struct cr_fact) facts;
	struct cr_index event_index, fact_index;
	struct cr_index dso_index, function_index, location_index, task_index, node_index;
	uint32_t n_spaces;
	uint32_t truncated1; /* the location of truncated stacks, + 1; 0 when there are none */

	CR_VEC(struct cr_built_node)
	nodes; /* parents first; side by side, for a look-up reads all of one */
	uint64_t over_nodes, over_depth; /* frames that did not fit the limits */
	uint64_t over_events;            /* times that an event past the limit was named */

	uint64_t n_samples;
	struct cr_mapped_vector columns[CR_SAMPLE_COLUMNS];

	/* Ends of stacks, until they are stitched. */
	CR_VEC(struct cr_built_whole) wholes;
	struct cr_index whole_index;
	/*
	 * By node, as far as any is of a whole stack: how many bytes the stack pointer in it is
	 * below that in the outermost frame, + 1; 0 of others, CR_BUILT_NO_HEIGHT when that is not
	 * known.
	 */
	CR_VEC(uint32_t) heights;
	struct cr_mapped_vector cuts; /* struct cr_built_cut, by row */

	struct cr_field_builder fields;
};

cr_function_id cr_built_function(
	struct cr_builder *b, struct cr_str name, cr_dso_id dso, uint64_t addr);
/* A location made by name; the files of its lines are strings of b's. */
cr_location_id cr_built_location(
	struct cr_builder *b, cr_dso_id dso, uint64_t addr, const struct cr_line *lines, size_t n);

/* The node below the root that truncated stacks stand under; the root when there are none. */
uint32_t cr_built_truncated(const struct cr_builder *b);

void cr_built_ends_fini(struct cr_builder *b);

/*
 * To be called for each row by what goes over a column of items of so many bytes: what was passed
 * and lies in a file is let go now and then.
 */
#define CR_BUILT_SWEEP_ROWS ((uint64_t)1 << 20)

static inline void
cr_built_swept(const struct cr_mapped_vector *t, uint64_t row, size_t size)
{
	if (t->filed && row % CR_BUILT_SWEEP_ROWS == 0 && row)
		cr_mapping_done(t->p, (row - CR_BUILT_SWEEP_ROWS) * size, row * size);
}

#endif
