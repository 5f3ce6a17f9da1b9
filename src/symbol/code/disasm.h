#ifndef CR_SYMBOL_CODE_DISASM_H
#define CR_SYMBOL_CODE_DISASM_H

#include "base/text.h"
#include "base/vec.h"
#include "model/profile.h"

/*
 * Disassembles machine code in the usual syntax of the machine (AT&T for x86). Invalid code is
 * shown as "(bad)", one byte or minimum instruction size at a time. An incomplete instruction at
 * the end is omitted.
 */
struct cr_instruction {
	uint64_t addr;      /* as shown: counted from code->base */
	uint32_t size;      /* in bytes, at least 1 */
	uint32_t text, len; /* part of texts: "mov %rax,%rbx"; "(bad)" if invalid */
	uint64_t target;    /* target of a direct jump or call; otherwise 0 */
	bool calls;
};

struct cr_disasm {
	CR_VEC(struct cr_instruction) list; /* consecutive, from the first byte */
	struct cr_text texts;
	const char *why; /* a string literal: why the list is empty; NULL if it is not */
};

/*
 * Never fails for invalid bytes. Without libcapstone, or for a machine that it does not support,
 * the list is empty.
 */
void cr_disasm_make(const struct cr_machine_code *code, struct cr_disasm *out);
void cr_disasm_fini(struct cr_disasm *d);

/* The address shown for the first byte: code->base without the Thumb bit. */
uint64_t cr_disasm_base(const struct cr_machine_code *code);

#endif
