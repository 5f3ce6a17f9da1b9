#ifndef CR_MODEL_BUILD_BUILDER_P_H
#define CR_MODEL_BUILD_BUILDER_P_H

#include "base/hash.h"
#include "base/mapped_vector.h"
#include "base/vec.h"
#include "field_builder_p.h"
#include "model/build/builder.h"
#include "quality_table_p.h"
#include "string_table.h"

/* State of a builder, for the files that implement it. */

/* A bit more than the number of memory accesses that a processor has in flight. */
#define CR_BUILT_AT_ONCE ((size_t)64)

/* A row of the functions, of which a text may have millions: all that is known while reading. */
struct cr_built_function {
	const char *name; /* interned */
	uint32_t name_len;
	cr_dso_id dso;
	uint64_t addr;
};

static inline struct cr_str
cr_built_name(const struct cr_built_function *f)
{
	return (struct cr_str){f->name, f->name_len};
}

/* The same for a line. */
struct cr_built_line {
	cr_function_id function;
	uint32_t line;
	uint32_t file1; /* row of the strings, + 1; 0 if unknown */
};

struct cr_built_node {
	/* Hash of the locations from the root to here: the key of the node's lookup. */
	uint32_t path;
	uint32_t parent, location;
	uint32_t depth : 31;
	uint32_t gone : 1; /* no sample is left at the node or below it */
};

/* A stack of a task that ends at this node and is complete up to the start of its thread. */
struct cr_built_whole {
	uint64_t base; /* stack pointer in its outermost frame */
	uint32_t task, node;
};

struct cr_built_cut {
	uint64_t row; /* row of the sample */
	uint64_t sp;  /* stack pointer in the outermost known frame */
};

#define CR_BUILT_NO_HEIGHT UINT32_MAX

struct cr_builder {
	struct cr_limits lim;
	struct cr_profile *p; /* becomes the result; its arena holds every string */
	struct cr_strings strings;

	CR_VEC(struct cr_event) events;
	bool may_be_empty;
	bool has_wall;
	cr_event_id on_cpu, off_cpu; /* the parts of "wall" */
	CR_VEC(struct cr_dso) dsos;
	CR_VEC(struct cr_built_function) functions;
	CR_VEC(struct cr_named_thread) threads;
	/* Of struct cr_task and struct cr_map: there may be one for each of a million processes. */
	struct cr_mapped_vector tasks, maps;
	struct cr_quality_table quality;
	CR_VEC(struct cr_fact) facts;
	struct cr_index event_index, fact_index;
	struct cr_index dso_index, function_index, task_index;
	uint32_t n_spaces;
	uint32_t truncated1;  /* location of truncated stacks, + 1; 0 if there is none */
	uint64_t over_events; /* number of uses of an event beyond the limit */

	uint64_t n_samples;
	struct cr_mapped_vector columns[CR_SAMPLE_COLUMNS];
	struct cr_mapped_vector cuts; /* struct cr_built_cut, by row */
	struct cr_field_builder fields;
	struct cr_stack_queue *queue; /* see stack_queue.h; NULL without one */

	/* What follows changes in the thread of the queue, if there is one. */
	unsigned char apart[CR_MEM_APART];
	CR_VEC(struct cr_location) locations;
	/* lines of locations made by name; those of one location are adjacent. */
	CR_VEC(struct cr_built_line) lines;
	CR_VEC(struct cr_built_line) chain; /* lines of one location, while it is looked up */
	struct cr_index location_index, node_index;
	/* Parents first. One array of structs, since a lookup reads all members of a node. */
	CR_VEC(struct cr_built_node)
	nodes;
	uint64_t over_nodes, over_depth; /* frames beyond the limits */

	/* Ends of stacks, until cr_builder_stitch() has used them. */
	CR_VEC(struct cr_built_whole) wholes;
	struct cr_index whole_index;
	/*
	 * By node of a whole stack: bytes between the stack pointer in this frame and in the
	 * outermost one, + 1. 0 for nodes of no whole stack; CR_BUILT_NO_HEIGHT if unknown.
	 */
	CR_VEC(uint32_t) heights;
};

static inline struct cr_task *
cr_built_tasks(const struct cr_builder *b, size_t *n)
{
	*n = b->tasks.len / sizeof(struct cr_task);
	return (void *)b->tasks.p;
}

static inline struct cr_map *
cr_built_maps(const struct cr_builder *b, size_t *n)
{
	*n = b->maps.len / sizeof(struct cr_map);
	return (void *)b->maps.p;
}

/* Return the function with these values; add it if it is new. */
cr_function_id cr_built_function(
	struct cr_builder *b, struct cr_str name, cr_dso_id dso, uint64_t addr);
/*
 * The same for n functions at once: function[i] is that of want[i], whose name need not be
 * interned. It is faster, since the memory for many of them is prefetched.
 */
void cr_built_functions(struct cr_builder *b, const struct cr_built_function *want, size_t n,
	cr_function_id *function);

/*
 * Prefetch the slot of the index for the node of `location`. path: that of its parent. Returns the
 * path of the node.
 */
uint32_t cr_built_node_prefetch(const struct cr_builder *b, uint32_t path, cr_location_id location);

/* The key of a node in the index; its upper half is the node's path. path: that of its parent. */
static inline uint64_t
cr_built_path_hash(uint32_t path, cr_location_id location)
{
	return cr_hash_mix(path, location.i);
}

/*
 * The queue of stacks, see stack_queue.h: the ticket of the next sample; cr_builder_whole() about
 * the last sample, which is of `task`; its end, if there is one.
 */
void cr_built_queue_sample(struct cr_builder *b, cr_node_id ticket);
void cr_built_queue_whole(struct cr_builder *b, uint32_t task, const uint64_t *sp, size_t n);
void cr_built_queue_fini(struct cr_builder *b);

/* Prefetch the row of the node with this key, if it is in the index. */
static inline void
cr_built_row_prefetch(const struct cr_builder *b, uint64_t hash)
{
	uint32_t slot = cr_index_first(&b->node_index, hash);
	const uint32_t row = cr_index_row(&b->node_index, &slot, hash);

	if (row != CR_NO_ROW)
		__builtin_prefetch(&b->nodes.p[row]);
}

/*
 * cr_builder_push_path() for a path that is prefetched already. key: of each node in the index, as
 * long as no limit was met.
 */
void cr_built_path(struct cr_builder *b, cr_node_id parent, const cr_location_id *location,
	const uint64_t *key, size_t n, cr_node_id *node);

/* cr_builder_whole() about a sample of this task and node. */
void cr_built_whole(
	struct cr_builder *b, uint32_t task, uint32_t node, const uint64_t *sp, size_t n);

/* The row of the strings for the name of a file, + 1; 0 for "". */
uint32_t cr_built_file1(struct cr_builder *b, struct cr_str file);

/* Return a location made by name; add it if it is new. Files of its lines are strings of b. */
cr_location_id cr_built_location(struct cr_builder *b, cr_dso_id dso, uint64_t addr,
	const struct cr_built_line *lines, size_t n);

/* Prefetch the slot of the index for a location of one line. */
void cr_built_location_prefetch(
	const struct cr_builder *b, cr_dso_id dso, uint64_t addr, const struct cr_built_line *line);

/* The node below the root that truncated stacks are children of; the root if there are none. */
uint32_t cr_built_truncated(const struct cr_builder *b);

/* Free the ends of stacks. */
void cr_built_ends_fini(struct cr_builder *b);

/*
 * Call this for each row of a loop over a column whose items have `size` bytes. It lets the system
 * drop pages that the loop has passed, if the column is in a file.
 */
#define CR_BUILT_SWEEP_ROWS ((uint64_t)1 << 16)

static inline void
cr_built_swept(const struct cr_mapped_vector *t, uint64_t row, size_t size)
{
	if (t->filed && row % CR_BUILT_SWEEP_ROWS == 0 && row)
		cr_mapping_done(t->p, (row - CR_BUILT_SWEEP_ROWS) * size, row * size);
}

#endif
