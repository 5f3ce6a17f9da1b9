#ifndef CR_SYMBOL_CODE_DISASM_H
#define CR_SYMBOL_CODE_DISASM_H

#include "base/text.h"
#include "base/vec.h"
#include "model/profile.h"

/*
 * Machine code as instructions, in the machine's usual spelling (AT&T's for x86). Of what is none a
 * byte, or as much as the machine takes steps of, is passed over as "(bad)"; what the code ends in
 * the midst of is left out.
 */
struct cr_instruction {
	uint64_t addr;      /* as shown: that of code->base and on */
	uint32_t size;      /* bytes, at least 1 */
	uint32_t text, len; /* of texts: "mov    %rax,%rbx"; "(bad)" for what is none */
	uint64_t target;    /* where it jumps to, or what it calls, if it says so itself; else 0 */
	bool calls;
};

struct cr_disasm {
	CR_VEC(struct cr_instruction) list; /* one behind the other, from the first byte on */
	struct cr_text texts;
	const char *why; /* a literal: why the list is empty; NULL when it is not */
};

/*
 * Never fails for bad bytes. Without libcapstone, or for a machine that it does not know, there are
 * no instructions.
 */
void cr_disasm_make(const struct cr_machine_code *code, struct cr_disasm *out);
void cr_disasm_fini(struct cr_disasm *d);

/* Where the first byte is shown: code->base without the bit that says Thumb. */
uint64_t cr_disasm_base(const struct cr_machine_code *code);

#endif
