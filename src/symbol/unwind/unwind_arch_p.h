#ifndef CR_SYMBOL_UNWIND_UNWIND_ARCH_P_H
#define CR_SYMBOL_UNWIND_UNWIND_ARCH_P_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What an unwinder must know of a processor. Registers are kept in slots: the number that DWARF
 * has for a register is its slot where that is below 32, and what lies higher has one of the
 * slots behind.
 */
#define CR_UNWIND_SLOTS 36
#define CR_UNWIND_SLOT_RA \
	34 /* a return address in a column that is no register, as signal frames have it */
#define CR_UNWIND_NO_SLOT 255

/* Where a frame record lies that the frame pointer points at. Bytes from there. */
struct cr_unwind_record {
	int8_t fp, ra; /* the caller's frame pointer; the return address */
	int8_t sp;     /* the caller's stack pointer is so far up */
};

struct cr_unwind_arch {
	uint16_t machine; /* EM_X86_64 ... */
	uint8_t word;     /* bytes: 4 or 8 */
	uint8_t sp, fp;   /* slots; fp CR_UNWIND_NO_SLOT where frames are not found by one */
	uint8_t link;     /* slot that a call puts the return address in; CR_UNWIND_NO_SLOT where it
			     pushes it */
	uint8_t pc; /* slot of the program counter; CR_UNWIND_NO_SLOT where it is no register */
	uint8_t perf_pc, perf_sp; /* numbers of these two in perf's order */
	uint8_t n_perf;
	const uint8_t *perf; /* by perf's number of a register: its slot, or CR_UNWIND_NO_SLOT */
	struct cr_unwind_record record;
	int16_t sp_from_cfa; /* the caller's stack pointer where nothing else is said: so far above
				the CFA */
	uint64_t code_mask;  /* bits of a return address that are the address */
};

/*
 * For a machine as uname -m calls it and a register ABI as perf has it, 1 for 32 bits and 2 for
 * 64; NULL for machines that are not known.
 */
const struct cr_unwind_arch *cr_unwind_arch_find(struct cr_str machine, uint64_t abi);

/* The slot of a register by its DWARF number; CR_UNWIND_NO_SLOT for those that nobody follows. */
uint8_t cr_unwind_arch_slot(const struct cr_unwind_arch *a, uint64_t dwarf);

#endif
