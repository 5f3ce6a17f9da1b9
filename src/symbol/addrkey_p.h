#ifndef CR_SYMBOL_ADDRKEY_P_H
#define CR_SYMBOL_ADDRKEY_P_H

#include <stddef.h>
#include <stdint.h>

/* An address, and the row of some table that it belongs to. */
struct cr_addrkey {
	uint64_t addr;
	uint32_t row;
	uint16_t module; /* of the symbols of kallsyms, see struct cr_symbol; else 0 */
};

/*
 * By address, equal ones staying in order. Time grows with n alone; what is in order at the front
 * already costs little.
 */
void cr_addrkey_sort(struct cr_addrkey *keys, size_t n);

/* The first of n sorted keys whose address is addr or above; n when there is none. */
size_t cr_addrkey_from(const struct cr_addrkey *keys, size_t n, uint64_t addr);

#endif
