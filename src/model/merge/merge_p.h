#ifndef CR_MODEL_MERGE_MERGE_P_H
#define CR_MODEL_MERGE_MERGE_P_H

#include "base/hash.h"
#include "base/mapped_vector.h"
#include "base/vec.h"
#include "model/build/quality_table_p.h"
#include "model/build/string_table_p.h"
#include "model/merge/merge.h"

/*
 * What is in a merge: for the files that work on one. Rows have the numbers of their coming until
 * the end.
 */

#define CR_MERGE_INPUTS "merge inputs"              /* the fact: a line for each of them */
#define CR_MERGE_QUALITY "merged profiles without " /* begins the rows that are made anew */

struct cr_merged_node {
	uint32_t parent, location, depth;
};

struct cr_merged_event {
	struct cr_str name,
		unit; /* the name without the unit that a merge may have put behind it */
	uint64_t samples, weight;
	uint32_t votes; /* inputs that have it for their main event */
	bool derived, summed, in_wall;
};

struct cr_merged_field {
	struct cr_str name;
	uint32_t event;
	uint8_t form;
};

/* The values that an input has of a field: n in the mapped vector of values, from place `at` on. */
struct cr_merged_values {
	uint32_t field;
	uint64_t at, n;
};

/* An input: its own tables, which no other has a part in. */
struct cr_merged_leaf {
	struct cr_merge_input in;
	uint64_t first_row;           /* in the tapes */
	uint32_t first_task, n_tasks; /* in tasks; their spaces count from 0 */
	uint32_t first_map,
		n_maps; /* in maps; so do these, and born and died count from its first row */
	uint32_t first_values, n_values; /* in values_of */
	uint64_t *event_samples;         /* by event, n_events of them */
	uint32_t n_events;
};

struct cr_merge {
	struct cr_profile *p; /* becomes the result; its arena holds every text */
	struct cr_strings strings, texts;
	CR_VEC(struct cr_dso) dsos;
	CR_VEC(struct cr_function) functions;
	CR_VEC(struct cr_location) locations;
	CR_VEC(struct cr_line)
	lines; /* the file is always said; CR_MERGE_NO_FILE where a line has none */
	CR_VEC(struct cr_line) chain; /* those of one location, while it is looked up */
	CR_VEC(struct cr_merged_node) nodes;
	CR_VEC(struct cr_merged_event) events;
	CR_VEC(struct cr_merged_field) fields;
	CR_VEC(struct cr_task) tasks;
	CR_VEC(struct cr_map) maps;
	CR_VEC(struct cr_merged_values) values_of;
	CR_VEC(struct cr_machine_code) codes;
	CR_VEC(struct cr_source_line) source_lines;
	struct cr_quality_table quality;
	CR_VEC(struct cr_fact) facts; /* those that all inputs so far have */
	CR_VEC(struct cr_merged_leaf) leaves;
	struct cr_index dso_index, function_index, location_index, node_index, code_index,
		source_index;
	struct cr_index event_index, field_index;
	struct cr_str wall_unit; /* once the events are in order */
	bool has_wall, no_wall;  /* no_wall: some have it, but not all that have a part of it */
	struct cr_mapped_vector columns[CR_SAMPLE_COLUMNS];
	struct cr_mapped_vector values; /* of fields; texts are rows of m->texts */
	uint64_t n_samples;
};

#define CR_MERGE_NO_FILE "??"

struct cr_str cr_merge_keep(struct cr_merge *m, struct cr_str s);

/* ---- merge_inputs.c */

/* Of a profile that is no merge: what it says of itself. Its texts are p's and name. */
void cr_merge_input_of(const struct cr_profile *p, struct cr_str name, struct cr_merge_input *out);
/*
 * By task of p, the input that its space is of; the last one where it is of none. inputs->n is not
 * 0.
 */
void cr_merge_inputs_of_tasks(
	const struct cr_profile *p, const struct cr_merge_inputs *inputs, uint32_t *of);
/* The fact's value, of inputs in their order. */
void cr_merge_inputs_put(const struct cr_merge_input *in, struct cr_text *out);
int cr_merge_inputs_cmp(const struct cr_merge_input *a, const struct cr_merge_input *b);

/* ---- merge_rows.c: what belongs to one input alone */

/* Where the rows of p's tables went. */
struct cr_merge_places {
	uint32_t *dso, *function, *location, *node, *event;
	uint64_t *dso_shift; /* by dso of p: what its addresses are moved by */
};

/* inputs: of p; none when it is one itself, called `name`. */
void cr_merge_rows(struct cr_merge *m, const struct cr_profile *p, struct cr_str name,
	const struct cr_merge_inputs *inputs, const struct cr_merge_places *at);

/* ---- merge_facts.c */

void cr_merge_add_facts(struct cr_merge *m, const struct cr_profile *p);
void cr_merge_add_quality(struct cr_merge *m, const struct cr_profile *p);
/* Facts and quality of the result, from its events and from its inputs in their order. */
void cr_merge_finish_facts(struct cr_merge *m, const struct cr_merged_leaf *const *leaves,
	const uint32_t *event_order);

/* ---- merge_order.c */

/*
 * From what a merge has gathered to a profile: every table in an order that its rows alone decide.
 * Of each table, place[row] is where a row goes, and order[place] which one comes there.
 */
struct cr_merge_ordering {
	struct cr_merge *m;
	uint32_t *dso, *function, *location, *node, *event, *text; /* places */
	uint32_t *event_order;
	const struct cr_merged_leaf **leaves; /* in their order */
};

static inline int
number_cmp(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* The first of several comparisons that tells. */
#define TELL(c)                     \
	do {                        \
		const int c_ = (c); \
		if (c_)             \
			return c_;  \
	} while (0)

typedef int (*cr_merge_compare)(const void *x, const void *y, void *ordering);

/* The rows [first, n) sorted; those before stay. free() it. */
uint32_t *cr_merge_order(
	size_t n, uint32_t first, cr_merge_compare cmp, struct cr_merge_ordering *o);
uint32_t *cr_merge_places_of(const uint32_t *order, size_t n);
/* n rows of a table, of so many bytes each, at their places; the profile's own from here on. */
void *cr_merge_reorder(
	struct cr_merge *m, const void *rows, size_t size, const uint32_t *order, size_t n);

/* ---- merge_finish.c: what is of one input each, one behind the other; in this order */

void cr_merge_order_leaves(struct cr_merge_ordering *o);
void cr_merge_finish_tasks(struct cr_merge_ordering *o);
void cr_merge_finish_samples(struct cr_merge_ordering *o);
void cr_merge_finish_fields(struct cr_merge_ordering *o);

#endif
