#ifndef CR_MODEL_MERGE_MERGE_P_H
#define CR_MODEL_MERGE_MERGE_P_H

#include "base/hash.h"
#include "base/mapped_vector.h"
#include "base/vec.h"
#include "model/build/quality_table_p.h"
#include "model/build/string_table.h"
#include "model/merge/merge.h"

/*
 * State of a merge, for the files that implement it. Rows are numbered in order of insertion until
 * the merge is finished.
 */

#define CR_MERGE_INPUTS "merge inputs" /* the fact with one line for each input */
/* Facts of a fleet, each with one line for each item; fields are separated by tabs. */
#define CR_FLEET_BY "fleet by"         /* comm 0 or 1, bucket_ns, keys */
#define CR_FLEET_GROUPS "fleet groups" /* batch, recordings, values */
#define CR_FLEET_COUNTS "fleet counts" /* group, event, samples, effective samples */
/* Prefix of the quality rows that are computed anew. */
#define CR_MERGE_QUALITY "merged profiles without "

struct cr_merged_node {
	uint32_t parent, location, depth;
};

struct cr_merged_event {
	struct cr_str name, unit; /* name without the unit that a merge may have appended */
	uint64_t samples, weight;
	uint64_t votes; /* number of inputs that have it as their main event */
	bool derived, summed, in_wall;
};

struct cr_merged_field {
	struct cr_str name;
	uint32_t event;
	uint8_t form;
};

/* The values of one field of one input: n items of the mapped vector `values`, from item `at`. */
struct cr_merged_values {
	uint32_t field;
	uint64_t at, n;
};

/* An input and its own tables, which it shares with no other input. */
struct cr_merged_leaf {
	struct cr_merge_input in;
	uint64_t first_row;           /* in `columns` */
	uint32_t first_task, n_tasks; /* in `tasks`; their spaces count from 0 */
	/* In `maps`; spaces, born and died count from the first of the input. */
	uint32_t first_map, n_maps;
	uint32_t first_values, n_values; /* in values_of */
	uint64_t *event_samples;         /* by event, n_events of them */
	uint32_t n_events;
	uint64_t recordings; /* 1, or as many as were folded */
};

struct cr_merge_fleet;

struct cr_merge {
	struct cr_profile *p; /* becomes the result; its arena holds every text */
	struct cr_strings strings, texts;
	CR_VEC(struct cr_dso) dsos;
	CR_VEC(struct cr_function) functions;
	CR_VEC(struct cr_location) locations;
	/* The file is always stored; CR_MERGE_NO_FILE for a line without a file. */
	CR_VEC(struct cr_line)
	lines;
	CR_VEC(struct cr_line) chain; /* lines of one location, while it is looked up */
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
	struct cr_str wall_unit; /* set when the events are sorted */
	bool has_wall, no_wall;  /* no_wall: an input has a part of "wall" but not "wall" */
	struct cr_mapped_vector columns[CR_SAMPLE_COLUMNS];
	struct cr_mapped_vector values; /* values of fields; those of texts are rows of m->texts */
	uint64_t n_samples;
	uint64_t added;               /* calls of cr_merge_add() that have succeeded so far */
	struct cr_merge_fleet *fleet; /* NULL: nothing is folded */
};

#define CR_MERGE_NO_FILE "??"
#define CR_MERGE_NODES_MOST ((size_t)1 << 28)

/* Return the interned copy of s, which lives as long as the result. */
struct cr_str cr_merge_keep(struct cr_merge *m, struct cr_str s);

/* Return the row of a dso, function, location or node; add it if it is new. */
uint32_t cr_merge_dso(struct cr_merge *m, const struct cr_dso *o);
uint32_t cr_merge_function(struct cr_merge *m, const struct cr_function *f);
/* The lines of the location are in m->chain. */
uint32_t cr_merge_location(struct cr_merge *m, struct cr_location l);
uint32_t cr_merge_node(struct cr_merge *m, uint32_t parent, uint32_t location);

/*
 * Store in row[] the row of each event of p, CR_NO_ROW for one that is a sum. Fails if two of its
 * events would share a row.
 */
int cr_merge_add_events(
	struct cr_merge *m, const struct cr_profile *p, uint32_t *row, struct cr_err *err);

/* Fail with CR_ELIMIT if the tables of m could become too large. */
int cr_merge_limits_check(const struct cr_merge *m, const struct cr_profile *p, struct cr_err *err);

/* ---- merge_inputs.c */

/* The number that s is, in decimal; 0 if it is none. */
uint64_t cr_merge_number(struct cr_str s);

/*
 * Lines of facts: _put_text() appends a tab and s, with special bytes as %XX. _get_number() and
 * _get_text() take the first field off a line; the text ends in a NUL and belongs to the arena.
 */
void cr_merge_put_text(struct cr_text *out, struct cr_str s);
uint64_t cr_merge_get_number(struct cr_str *line);
struct cr_str cr_merge_get_text(struct cr_str *line, struct cr_arena *arena);

/*
 * Describe a profile that is no merge as an input called `name`. The texts of *out are borrowed
 * from p and name.
 */
void cr_merge_input_of(const struct cr_profile *p, struct cr_str name, struct cr_merge_input *out);
/*
 * Store in of[] the input of each task of p, found by its address space; the last input if the
 * space has none. inputs->n must not be 0.
 */
void cr_merge_inputs_of_tasks(
	const struct cr_profile *p, const struct cr_merge_inputs *inputs, uint32_t *of);
/*
 * _put() appends one input to the value of the fact "merge inputs"; _cmp() defines the order of
 * inputs.
 */
void cr_merge_inputs_put(const struct cr_merge_input *in, struct cr_text *out);
int cr_merge_inputs_cmp(const struct cr_merge_input *a, const struct cr_merge_input *b);

/* ---- merge_rows.c: tables of one input alone */

/* Rows of the merge that the rows of p's tables were mapped to. */
struct cr_merge_places {
	uint32_t *dso, *function, *location, *node, *event;
	uint64_t *dso_shift; /* by dso of p: offset to add to its addresses */
};

/* inputs: those that p was merged from; n is 0 if p is itself an input, called `name`. */
void cr_merge_rows(struct cr_merge *m, const struct cr_profile *p, struct cr_str name,
	const struct cr_merge_inputs *inputs, const struct cr_merge_places *at);

/* Intern the texts of an input. */
void cr_merge_keep_input(struct cr_merge *m, struct cr_merge_input *in);

/* Give all samples of a leaf a field with this text, unless they have it or the text is empty. */
void cr_merge_put_field(
	struct cr_merge *m, struct cr_merged_leaf *leaf, struct cr_str name, struct cr_str text);

/* ---- merge_facts.c */

/* Append a fact, unless its value is empty. */
void cr_merge_put_fact(struct cr_merge *m, const char *key, const struct cr_text *value);

/* Add the facts, and the quality, of an input. */
void cr_merge_add_facts(struct cr_merge *m, const struct cr_profile *p);
void cr_merge_add_quality(struct cr_merge *m, const struct cr_profile *p);
/* Set facts and quality of the result, from its events and from its inputs in sorted order. */
void cr_merge_finish_facts(struct cr_merge *m, const struct cr_merged_leaf *const *leaves,
	const uint32_t *event_order);

/* ---- merge_order.c */

/*
 * Turns the collected rows into a profile. Every table is sorted by its contents alone. For each
 * table, place[row] is the new number of a row, and order[place] the row that moves there.
 */
struct cr_merge_ordering {
	struct cr_merge *m;
	uint32_t *dso, *function, *location, *node, *event, *text; /* places */
	uint32_t *event_order;
	const struct cr_merged_leaf **leaves; /* sorted */
};

static inline int
cr_merge_cmp_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Return from a comparison with the first result that is not 0. */
#define CR_MERGE_RETURN_CMP(c)      \
	do {                        \
		const int c_ = (c); \
		if (c_)             \
			return c_;  \
	} while (0)

typedef int (*cr_merge_compare)(const void *x, const void *y, void *ordering);

/*
 * Sort the rows [first, n) and leave the rows before in place. Returns order[]; the caller frees
 * it.
 */
uint32_t *cr_merge_order(
	size_t n, uint32_t first, cr_merge_compare cmp, struct cr_merge_ordering *o);
/* Invert order[] of n rows. The caller frees the result. */
uint32_t *cr_merge_places_of(const uint32_t *order, size_t n);
/* Copy n rows of `size` bytes each into sorted order. The copy belongs to the profile of m. */
void *cr_merge_reorder(
	struct cr_merge *m, const void *rows, size_t size, const uint32_t *order, size_t n);

/* ---- merge_finish.c: the tables of each input, one input after the other; call in this order */

/*
 * Sort the inputs, then write tasks, samples and fields of all inputs to the profile of the merge.
 */
void cr_merge_order_leaves(struct cr_merge_ordering *o);
void cr_merge_finish_tasks(struct cr_merge_ordering *o);
void cr_merge_finish_samples(struct cr_merge_ordering *o);
void cr_merge_finish_fields(struct cr_merge_ordering *o);

/* ---- fleet.c, fleet_add.c, fleet_finish.c: a merge that folds, see fleet.h */

void cr_merge_fleet_free(struct cr_merge_fleet *f);
/* cr_merge_add() for a merge that folds. */
int cr_merge_fleet_add(struct cr_merge *m, const struct cr_profile *p, struct cr_err *err);

/* Call these in this order. Make a leaf of each group, with its rows counted, by event too. */
void cr_merge_fleet_leaves(struct cr_merge *m);
/* Append sorted rows, tasks and fields to the leaves. Nodes and events are in order. */
void cr_merge_fleet_rows(struct cr_merge_ordering *o);
/* Append the facts of the fleet; the leaves are in order. */
void cr_merge_fleet_facts(struct cr_merge_ordering *o);

#endif
