#ifndef CR_QUERY_TABLE_TABLE_P_H
#define CR_QUERY_TABLE_TABLE_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "query/table/table.h"

/*
 * Make h->rows of h->n of these rows, those with the numbers kept[0 .. h->n), in the order of the
 * spec; ties are as the keys are, then as the values were met. `was` gets the number. The values,
 * groups and codes of h must be there; n_values is how many values there are. The order of kept
 * changes if the spec asks for the first rows only.
 */
void cr_table_sort_rows(
	struct cr_table *h, const struct cr_table_row *all, uint32_t *kept, uint32_t n_values);

/* Without totals, rows in which nothing was sampled are dropped. cost: of each side. */
bool cr_table_cost_is_kept(const struct cr_table *h, const struct cr_table_cost *cost);

/*
 * What decides the order of the first rows before their keys do. The spec says how many are wanted.
 * NULL if all rows are wanted, or a key decides first.
 */
struct cr_table_best *cr_table_best_new(const struct cr_table_spec *spec);
void cr_table_best_free(struct cr_table_best *best);
/* The cost of the last of the first rows, by which they are ordered first; 0 if they are fewer. */
uint64_t cr_table_best_least(const struct cr_table_best *best);
/*
 * Returns false if a row of this cost and depth is none of the first, as there are enough that
 * precede it; else counts it as one.
 */
bool cr_table_is_among(struct cr_table_best *best, const struct cr_table_spec *spec,
	const struct cr_table_cost *cost, uint32_t depth);

/* A table being made: of the nodes of a tree, or of sums of stacks. */

/* Distinct combinations of `width` values each. */
struct cr_table_tuples {
	uint32_t width;
	CR_VEC(uint32_t) items;
	struct cr_index ix;
	uint32_t n;
};

/* What is asked of a frame at each of its nodes. */
struct cr_table_frame_kind {
	uint32_t code;     /* its row of codes; CR_NO_ROW for what is no code */
	uint8_t group_key; /* of group keys, + 1: the one that it is a value of; 0 for none */
	uint8_t outermost; /* the same where it stands right under the root */
	bool kernel, is_group;
};

/* The row that a code had last, in this group + 1. */
struct cr_table_last_row {
	uint32_t row, group1;
};

/* A dso as frames have it, and as a value. */
struct cr_table_dso {
	struct cr_str of; /* NULL for none yet */
	uint8_t kind;
	struct cr_str name;
	uint64_t hash;
};

struct cr_table_maker {
	const struct cr_profile *p;
	const struct cr_tree *t;         /* NULL if the rows are made of sums */
	const struct cr_frame *frame_of; /* by number */
	uint32_t n_frames, sides;
	struct cr_table *h;
	CR_VEC(struct cr_table_value) values;
	struct cr_index value_ix;
	uint8_t group_keys[CR_TABLE_MOST], code_keys[CR_TABLE_MOST];
	struct cr_table_tuples groups, codes;
	struct cr_table_frame_kind *frames; /* by frame */
	CR_VEC(uint32_t) code_frame;        /* by row in `codes`: a frame with these values */
	uint32_t no_code;                   /* the row in `codes` for samples without a stack */
	bool by_group;                      /* the key is CR_TABLE_GROUP */
	struct cr_table_dso last_dso;       /* most frames follow one of the same dso */
	CR_VEC(struct cr_map) dso_maps; /* distinct ones, by offset and size; empty if not needed */
	CR_VEC(struct cr_table_row) rows; /* their costs are in: */
	CR_VEC(struct cr_table_cost) costs;
	struct cr_index row_ix;
	struct cr_table_last_row *last; /* by code */
};

/* ---- table_values.c */

/* The number of a value, of a combination of t->width values; it may be new. */
uint32_t cr_table_value_intern(struct cr_table_maker *m, const struct cr_table_value *v);
uint32_t cr_table_tuple_intern(struct cr_table_tuples *t, const uint32_t *items);

/*
 * Make the code of each used frame, whose frames[].code is CR_NO_ROW before; other frames have no
 * code.
 */
void cr_table_maker_codes(struct cr_table_maker *m);
/* The code of one more frame, which is not among m->frames. frame: see m->code_frame. */
uint32_t cr_table_code_make(struct cr_table_maker *m, const struct cr_frame *f, uint32_t frame);
/* The same for a frame whose code is none of those that are made before and after it. */
uint32_t cr_table_code_append(struct cr_table_maker *m, const struct cr_frame *f, uint32_t frame);
/*
 * True if functions without a name are distinguished by their addresses and their dsos alone. Then
 * the codes of two of them are the same if their addresses are and the values of
 * cr_table_nameless_value(), of frames without an address.
 */
bool cr_table_maker_by_address(const struct cr_table_maker *m);
uint32_t cr_table_nameless_value(struct cr_table_maker *m, const struct cr_frame *f);
/* The group of stacks that have one more frame, a value of the group key `at`. */
uint32_t cr_table_group_make(
	struct cr_table_maker *m, uint32_t of_parent, uint32_t at, const struct cr_frame *f);
/* The group of samples that have no value for any key of samples; they print as "[unknown]". */
uint32_t cr_table_no_groups(struct cr_table_maker *m);
/* The group of stacks below n frames that a query put above them. */
uint32_t cr_table_group_of(
	struct cr_table_maker *m, const struct cr_frame *frames, const uint32_t *way, uint32_t n);

/* ---- table.c */

/* Set what the keys of h->spec are. */
void cr_table_maker_keys(struct cr_table_maker *m);
/*
 * For a merged key, make a row without cost for each row in `codes`; a function is inlined if all
 * its frames are.
 */
void cr_table_rows_merged(struct cr_table_maker *m);
/* Sort the rows, move what was made to h, and free the rest. */
void cr_table_maker_finish(struct cr_table_maker *m);

/* The row of a group and a code; it may be new. */
uint32_t cr_table_row_make(struct cr_table_maker *m, uint32_t group, uint32_t code);

/*
 * The same. Stacks of a group follow one another, so the last row of each code is remembered. Only
 * the first lookup in a group searches the index.
 */
static inline uint32_t
cr_table_row_of(struct cr_table_maker *m, uint32_t group, uint32_t code)
{
	struct cr_table_last_row *last = &m->last[code];

	if (last->group1 != group + 1)
		*last = (struct cr_table_last_row){cr_table_row_make(m, group, code), group + 1};
	return last->row;
}

static inline struct cr_table_cost *
cr_table_costs_of(const struct cr_table_maker *m, uint32_t row)
{
	return &m->costs.p[(size_t)row * m->sides];
}

#endif
