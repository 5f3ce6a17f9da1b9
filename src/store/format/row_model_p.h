#ifndef CR_STORE_FORMAT_ROW_MODEL_P_H
#define CR_STORE_FORMAT_ROW_MODEL_P_H

#include "number_model_p.h"

/*
 * Models of rows of another table, for a bit coder, less than a limit of at most
 * CR_ROW_MODEL_MOST. Both know which rows occurred already. A row that occurs for the first time is
 * coded by its distance from another row, in rows that did not occur yet; tables that are sorted by
 * first use need next to nothing for it.
 */
#define CR_ROW_MODEL_MOST ((uint32_t)1 << 17)

struct cr_row_model {
	uint32_t n;                          /* rows are less */
	uint32_t left;                       /* rows that did not occur yet */
	uint32_t *counts;                    /* of these, in ranges: a Fenwick tree */
	uint8_t *occurred;                   /* by row */
	struct cr_number_model first, again; /* distances */
	unsigned news; /* bit 0: the last row occurred for the first time; and so on */
	cr_bit_state is_new[16];
	/* For rows in any order: */
	unsigned depth;     /* rows have this many bits */
	cr_bit_state *tree; /* bits of rows, by the bits before */
	uint8_t *in_tree;   /* by node: a row below it occurred */
	uint32_t last, last_new;
	bool repeats; /* whether a row is the one before is coded first */
	unsigned same;
	cr_bit_state is_same[16];
};

void cr_row_model_init(struct cr_row_model *m, uint32_t n);
void cr_row_model_fini(struct cr_row_model *m);

/* Code the next of a column of rows. */
uint32_t cr_row_model_code(struct cr_row_model *m, struct cr_bit_coder *c, uint32_t v);

/*
 * Code the end of an edge: a row near the end of the previous edge, if both begin at the same row,
 * and otherwise near the row `from` where it begins.
 */
uint32_t cr_row_model_code_end(
	struct cr_row_model *m, struct cr_bit_coder *c, bool is_same, uint32_t from, uint32_t v);

#endif
