#ifndef CR_STORE_FORMAT_VALUE_P_H
#define CR_STORE_FORMAT_VALUE_P_H

#include "model/profile.h"

/*
 * Values of fields as they stand in the store: "none" is 0, and what is near to nothing is small.
 *
 *	unsigned, hex, text: value + 1, modulo 2^64
 *	signed:              zigzag(value) + 1, modulo 2^64
 */
void cr_value_bend(enum cr_form form, uint64_t *v, uint32_t n);
void cr_value_straighten(enum cr_form form, uint64_t *v, uint64_t n);

#endif
