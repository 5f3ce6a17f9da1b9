#ifndef CR_STORE_FORMAT_NUMBER_MODEL_P_H
#define CR_STORE_FORMAT_NUMBER_MODEL_P_H

#include "bit_coder_p.h"

/*
 * Models of numbers for a bit coder. Each function codes one number: it writes v and returns it, or
 * returns the number that it reads.
 *
 * A number is coded as its class, and what the class leaves open. Either each number is a class of
 * its own; or a class is the number of its bits, and the bits below the highest follow, three of
 * them predicted and the rest as they are. Signed numbers have the class of their absolute value.
 * A class is predicted from the one before, from the two before, and from a third context.
 */
struct cr_number_model {
	unsigned class_bits; /* classes are less than 1 << class_bits */
	bool small;          /* each number is a class */
	bool is_signed;
	uint32_t n_contexts;   /* the third context is less */
	uint32_t last, second; /* classes of the number before, and of the one before that */
	unsigned last_sign;    /* 0: there was none; 1: positive; 2: negative */
	cr_bit_state *one, *two,
		*third; /* of classes, by context and node of the tree of classes */
	cr_bit_state *signs, *low;
	int32_t (*weights)[CR_MIXED];
};

#define CR_NUMBER_SMALL 64u /* numbers of a small model are less */

/* The number of classes is 1 << class_bits, at most 7 bits, 6 for a small model. */
void cr_number_model_init(struct cr_number_model *m, unsigned class_bits, bool small,
	bool is_signed, uint32_t n_contexts);
void cr_number_model_fini(struct cr_number_model *m);

/* A signed number is that of an int64_t. */
uint64_t cr_number_model_code(
	struct cr_number_model *m, struct cr_bit_coder *c, uint32_t context, uint64_t v);

/* The bits of a class, where none is above this one: at least 1. */
unsigned cr_number_model_bits(uint32_t class);

#endif
