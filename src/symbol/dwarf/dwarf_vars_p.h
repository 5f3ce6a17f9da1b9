#ifndef CR_SYMBOL_DWARF_DWARF_VARS_P_H
#define CR_SYMBOL_DWARF_DWARF_VARS_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "dwarf_type_p.h"

/*
 * Variables and parameters in debug info, and where they are while code runs. Addresses are those
 * of the debug file.
 */
enum cr_var_place {
	CR_VAR_UNKNOWN,
	CR_VAR_REGISTER, /* its value is in `reg` */
	CR_VAR_FRAME,    /* it is at frame base + offset; the frame base itself is the CFA */
	CR_VAR_BASED,    /* it is at `reg` + offset */
	CR_VAR_MEMORY,   /* it is at address offset */
	CR_VAR_ADDRESS,  /* its value is `reg` + offset: a pointer that is not stored */
};

struct cr_var_at {
	enum cr_var_place place;
	uint64_t reg;
	int64_t offset;
};

/* A variable; its places are a range of rows of those of the function. */
struct cr_var {
	Dwarf_Die type;
	uint32_t scope; /* row of the scopes */
	uint32_t first, n;
};

struct cr_var_range {
	uint64_t lo, hi; /* of code */
	struct cr_var_at at;
};

struct cr_var_scope {
	uint32_t first, n; /* its ranges; n is 0 if it is everywhere */
};

/* The variables of a function, with those of its blocks and of what is inlined there. */
struct cr_var_function {
	CR_VEC(struct cr_var) vars;
	CR_VEC(struct cr_var_range) ranges; /* of scopes and of places */
	CR_VEC(struct cr_var_scope) scopes;
	struct cr_var frame; /* the frame base, as if it were a variable */
};

/*
 * Call `each` for every function of a unit that contains one of n sorted addresses, with the range
 * [lo, hi) of it. The DIEs that are visited are taken from *budget.
 */
typedef void cr_var_each(void *user, Dwarf_Die *function, uint64_t lo, uint64_t hi);
void cr_vars_functions(Dwarf_Die *unit, const struct cr_addrkey *keys, size_t n, uint64_t *budget,
	cr_var_each *each, void *user);

/* Read the variables of a function. DIEs and ranges are taken from *budget. */
void cr_vars_read(
	struct cr_var_function *f, const struct cr_dwarf *d, Dwarf_Die *function, uint64_t *budget);
void cr_vars_fini(struct cr_var_function *f);

/*
 * Where a variable is at an address of code; UNKNOWN if it is not in scope. What is compared is
 * taken from *budget; without any left it is UNKNOWN.
 */
struct cr_var_at cr_vars_at(
	const struct cr_var_function *f, const struct cr_var *v, uint64_t pc, uint64_t *budget);

/* The variables of a dso that have an address, sorted by it. */
struct cr_var_global {
	uint64_t addr, size;
	Dwarf_Die type;
};

struct cr_var_globals {
	CR_VEC(struct cr_var_global) list;
	/* Functions that return something: their start, and the type of that. */
	CR_VEC(struct cr_var_global) returns;
};

/* Add the variables of a unit outside functions, and its functions. */
void cr_vars_globals_add(
	struct cr_var_globals *g, const struct cr_dwarf *d, Dwarf_Die *unit, uint64_t *budget);
void cr_vars_globals_sort(struct cr_var_globals *g);
/* The one that contains the address; NULL if none does. */
const struct cr_var_global *cr_vars_global_at(const struct cr_var_globals *g, uint64_t addr);
/* The function that begins at the address; NULL if none does, or if it returns nothing. */
const struct cr_var_global *cr_vars_return_at(const struct cr_var_globals *g, uint64_t addr);
void cr_vars_globals_fini(struct cr_var_globals *g);

#endif
