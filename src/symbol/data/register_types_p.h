#ifndef CR_SYMBOL_DATA_REGISTER_TYPES_P_H
#define CR_SYMBOL_DATA_REGISTER_TYPES_P_H

#include "symbol/code/operands.h"
#include "symbol/dwarf/dwarf_vars_p.h"

/*
 * The types that memory operands of a function have. Its instructions are followed: registers get
 * types when pointers are loaded, copied, or computed. Where several ways meet, a register keeps
 * the type that it has on all of them. Where debug info says which variable is in a register, that
 * is used first.
 *
 * Pointers are assumed to stay in the object that they point at, or in the array that it is an
 * element of. An access outside is not resolved.
 */
struct cr_data_type {
	Dwarf_Die type;  /* of the variable, or of what a pointer points at */
	uint64_t offset; /* in it */
	bool vague;      /* the offset is not known: an index was added */
};

enum cr_data_result {
	CR_DATA_FOUND,
	CR_DATA_NO_ACCESS, /* the instruction accesses no memory */
	CR_DATA_STACK,     /* it is push, pop, call or ret */
	CR_DATA_THREAD,    /* it accesses thread-local data, or is not understood */
	CR_DATA_OUTSIDE,   /* it accesses memory outside the type of a known pointer */
	CR_DATA_UNKNOWN,   /* the register is that of no known variable */
	CR_DATA_NO_CODE,   /* there is no instruction, or no disassembler for it */
	CR_DATA_NO_DEBUG,  /* there is no debug info of the function */
	CR_DATA_NO_FILE,   /* the code is not in a file: kernel, JIT ... */
	CR_DATA_RESULTS
};

/* Where the stack frame is at an instruction: `reg` + offset is the CFA. False if it is unknown. */
typedef bool cr_data_cfa(void *user, uint64_t pc, uint8_t *reg, int64_t *offset);

struct cr_data_function {
	const struct cr_dwarf *d;
	const struct cr_var_function *vars;
	const struct cr_var_globals *globals;
	cr_data_cfa *cfa;
	void *user;
	uint64_t *budget; /* remaining number of variables to look at */
};

/*
 * Find the type for each instruction that has wanted[i]: results[i], and types[i] if that is FOUND.
 * code: consecutive instructions of the function.
 */
void cr_register_types(const struct cr_data_function *f, const cr_operands *code,
	const uint8_t *wanted, struct cr_data_type *types, uint8_t *results);

#endif
