#ifndef CR_STORE_FORMAT_VALUE_P_H
#define CR_STORE_FORMAT_VALUE_P_H

#include "model/profile.h"

/*
 * Convert values of fields to and from their stored form, where "no value" is 0 and small absolute
 * values are small numbers.
 *
 *	unsigned, hex, text: value + 1, modulo 2^64
 *	signed:              zigzag(value) + 1, modulo 2^64
 */
void cr_value_encode(enum cr_form form, uint64_t *v, uint32_t n);
void cr_value_decode(enum cr_form form, uint64_t *v, uint64_t n);

#endif
