#ifndef CR_SYMBOL_UNWIND_UNWIND_EXPR_P_H
#define CR_SYMBOL_UNWIND_UNWIND_EXPR_P_H

#include "unwind_arch_p.h"

#include <stddef.h>

/* Registers at one point of a stack. */
struct cr_unwind_regs {
	uint64_t v[CR_UNWIND_SLOTS]; /* by slot */
	uint64_t known;              /* one bit for each slot */
};

static inline bool
cr_unwind_known(const struct cr_unwind_regs *r, uint8_t slot)
{
	return slot < CR_UNWIND_SLOTS && (r->known >> slot & 1);
}

static inline void
cr_unwind_set(struct cr_unwind_regs *r, uint8_t slot, uint64_t v)
{
	r->v[slot] = v;
	r->known |= (uint64_t)1 << slot;
}

static inline void
cr_unwind_forget(struct cr_unwind_regs *r, uint8_t slot)
{
	r->known &= ~((uint64_t)1 << slot);
}

/* What an expression may read. */
struct cr_unwind_expr {
	const struct cr_unwind_arch *arch;
	const struct cr_unwind_regs *regs;
	bool swap; /* operands have the other byte order */
	/* Reads 1, 2, 4 or 8 bytes of memory. */
	bool (*read)(void *ctx, uint64_t addr, unsigned bytes, uint64_t *out);
	void *ctx;
};

/*
 * Evaluate a DWARF expression of len bytes. first, unless NULL, is on its stack at the start. False
 * if it is invalid, needs an unknown value, or takes more than 1024 steps. Source: DWARF 5, section
 * 2.5.1, without operations that call frame information must not contain.
 */
bool cr_unwind_eval(const struct cr_unwind_expr *e, const unsigned char *p, size_t len,
	const uint64_t *first, uint64_t *out);

#endif
