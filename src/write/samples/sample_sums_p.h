#ifndef CR_WRITE_SAMPLES_SAMPLE_SUMS_P_H
#define CR_WRITE_SAMPLES_SAMPLE_SUMS_P_H

#include "model/build/string_table.h"
#include "sample_rows_p.h"

/*
 * The samples of a writer with CR_WRITER_PLACES, added up by thread, cpu and stack, and the tables
 * that pprof and its relatives describe stacks with.
 *
 * A location is a function with the functions inlined into it. It has no address: names and lines
 * are complete, and nobody must look for them again. A stack is its leaf, a node with a location;
 * `caller` leads to the next one.
 *
 * Each recorded event with samples is a type. Types that count samples come first, as the tools of
 * pprof expect, then the main event, then the others.
 */

/* What samples are added up by. */
struct cr_sums_place {
	uint32_t thread, node;
	uint16_t cpu;
};

struct cr_sums_function {
	uint64_t name, system_name, file; /* rows of `strings` */
	uint32_t dso;                     /* row of `dsos` */
};

/* A node's line in its location: its function, below which functions were inlined. */
struct cr_sums_location {
	uint32_t frame;
	uint32_t inlined_into1; /* location + 1 of the frame it is inlined into; 0: not inlined */
};

struct cr_sample_sums {
	const struct cr_write_in *in;
	const struct cr_tree *t;
	const struct cr_profile *p;
	struct cr_sample_threads threads;
	uint32_t *type_of;         /* by event: its type, CR_NO_ROW if it has no samples here */
	CR_VEC(uint32_t) events;   /* by type: its event */
	bool counts;               /* the first value is the number of samples */
	uint64_t period;           /* weight of every sample; 0 if they differ */
	struct cr_strings strings; /* in the order of their first use; the first is "" */
	struct cr_arena made;      /* owns those that are not the profile's */
	CR_VEC(struct cr_sums_place) places;
	CR_VEC(uint64_t) values; /* of place i: [i * n, (i + 1) * n), n as cr_sums_values() says */
	struct cr_index by_place;
	CR_VEC(struct cr_sums_location) locations;
	struct cr_index by_location;
	uint32_t *node_location1; /* by node: location + 1 that begins there; 0: on no stack */
	uint32_t *caller;         /* by node with a location: where that of the caller begins */
	CR_VEC(uint32_t) path;    /* nodes without a location */
	uint32_t *frame_function1;
	CR_VEC(struct cr_sums_function) functions;
	struct cr_index by_function;
	struct cr_strings dsos; /* names of the mappings */
};

/* Add up all samples. Borrows from `in`; end with cr_sample_sums_fini(). */
void cr_sample_sums_init(struct cr_sample_sums *w, const struct cr_write_in *in);
void cr_sample_sums_fini(struct cr_sample_sums *w);

/* The number of values of a place: one for each type, after the number of samples if `counts`. */
uint32_t cr_sums_values(const struct cr_sample_sums *w);

/* The number of a string that lives as long as w, and of one that is copied. */
uint64_t cr_sums_string(struct cr_sample_sums *w, struct cr_str s);
uint64_t cr_sums_string_made(struct cr_sample_sums *w, struct cr_str s);

/* The row in `functions` of a frame of the tree; it and its dso are added the first time. */
uint32_t cr_sums_function(struct cr_sample_sums *w, uint32_t frame);

/* The next line of a location, into which this one is inlined; NULL if there is none. */
const struct cr_sums_location *cr_sums_line_next(
	const struct cr_sample_sums *w, const struct cr_sums_location *line);

/* The unit of an event as pprof's tools know it. */
struct cr_str cr_sums_unit(const struct cr_event *e);

/* The dso of the program, the first mapping: the one that the first thread is named after. */
uint32_t cr_sums_program(const struct cr_sample_sums *w);

/* A number at the start of a header field; 0 if there is none. */
uint64_t cr_sums_fact_number(const struct cr_profile *p, const char *key);

/*
 * Set `period` to the one that the recording states, if it does. Without it the weight of the
 * samples remains, if all have the same.
 */
void cr_sums_period(struct cr_sample_sums *w);

#endif
