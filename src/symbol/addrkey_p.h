#ifndef CR_SYMBOL_ADDRKEY_P_H
#define CR_SYMBOL_ADDRKEY_P_H

#include <stddef.h>
#include <stdint.h>

/* An address and the row of a table that it belongs to. */
struct cr_addrkey {
	uint64_t addr;
	uint32_t row;
	uint16_t module; /* of a kallsyms symbol, see struct cr_symbol; otherwise 0 */
};

/*
 * Sort by address; the sort is stable. Time is linear in n; a part at the front that is already
 * sorted costs little.
 */
void cr_addrkey_sort(struct cr_addrkey *keys, size_t n);

/* Index of the first of n sorted keys whose address is >= addr; n if there is none. */
size_t cr_addrkey_from(const struct cr_addrkey *keys, size_t n, uint64_t addr);

#endif
