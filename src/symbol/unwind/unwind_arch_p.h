#ifndef CR_SYMBOL_UNWIND_UNWIND_ARCH_P_H
#define CR_SYMBOL_UNWIND_UNWIND_ARCH_P_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Properties of a processor that unwinding needs. Registers are stored in slots: the DWARF number
 * of a register is its slot if it is below 32; some higher ones have the slots after that.
 */
#define CR_UNWIND_SLOTS 36
/* A return address in a column that is no register, as in signal frames. */
#define CR_UNWIND_SLOT_RA 34
#define CR_UNWIND_NO_SLOT 255

/* Layout of the frame record that the frame pointer points at: offsets in bytes. */
struct cr_unwind_record {
	int8_t fp, ra; /* caller's frame pointer; return address */
	int8_t sp;     /* caller's stack pointer minus frame pointer */
};

struct cr_unwind_arch {
	uint16_t machine; /* EM_X86_64 ... */
	uint8_t word;     /* size in bytes: 4 or 8 */
	uint8_t sp, fp;   /* slots; fp is CR_UNWIND_NO_SLOT if frame pointers are not used */
	/* Slot in which a call stores the return address; CR_UNWIND_NO_SLOT if it pushes it. */
	uint8_t link;
	uint8_t pc; /* slot of the program counter; CR_UNWIND_NO_SLOT if it is no register */
	uint8_t perf_pc, perf_sp; /* their numbers in perf's order */
	uint8_t n_perf;
	const uint8_t *perf; /* by perf's register number: its slot, or CR_UNWIND_NO_SLOT */
	struct cr_unwind_record record;
	int16_t sp_from_cfa; /* caller's stack pointer minus CFA, if there is no rule */
	uint64_t code_mask;  /* bits of a return address that belong to the address */
};

/*
 * The entry for a machine (as printed by uname -m) and perf's register ABI, 1 for 32 bits and 2 for
 * 64; NULL if unknown.
 */
const struct cr_unwind_arch *cr_unwind_arch_find(struct cr_str machine, uint64_t abi);

/* The slot of a register by DWARF number; CR_UNWIND_NO_SLOT if it is not tracked. */
uint8_t cr_unwind_arch_slot(const struct cr_unwind_arch *a, uint64_t dwarf);

#endif
