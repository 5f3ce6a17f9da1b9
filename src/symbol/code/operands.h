#ifndef CR_SYMBOL_CODE_OPERANDS_H
#define CR_SYMBOL_CODE_OPERANDS_H

#include "base/vec.h"
#include "model/profile.h"

/*
 * What instructions do with registers and memory, as far as it matters for the types of data. Only
 * x86-64 is understood. Registers have their DWARF numbers (System V ABI for AMD64, figure 3.36).
 */
enum cr_operand_reg {
	CR_OPERAND_RAX = 0,
	CR_OPERAND_RBP = 6,
	CR_OPERAND_RSP = 7,
	CR_OPERAND_RIP = 16,
	CR_OPERAND_REGS = 17,
	CR_OPERAND_NONE = 255,
};

enum cr_operand_action {
	CR_OPERAND_OTHER,
	CR_OPERAND_MOVE, /* dst = src, all 64 bits */
	CR_OPERAND_LOAD, /* dst = 64 bits of memory */
	CR_OPERAND_LEA,  /* dst = the address of the memory operand, which is not read */
	CR_OPERAND_ADD,  /* dst += disp */
	CR_OPERAND_SUM,  /* dst += src, all 64 bits */
	CR_OPERAND_CALL,
	CR_OPERAND_JUMP,   /* conditional */
	CR_OPERAND_ALWAYS, /* jump or return: what follows is reached by jumps only */
};

struct cr_operand {
	uint64_t addr, target; /* target: of a direct jump or call; otherwise 0 */
	uint32_t writes;       /* one bit for each register that is changed */
	uint8_t size;          /* in bytes */
	uint8_t action;        /* enum cr_operand_action */
	uint8_t dst, src;
	bool reads;    /* memory is read or written: base + index * scale + disp */
	bool stack;    /* it is that of push, pop, call or ret */
	bool other;    /* relative to a segment: thread-local */
	bool table;    /* a jump to where a register or a table says */
	uint8_t bytes; /* size of the memory operand */
	uint8_t base, index, scale;
	int64_t disp;
};

typedef CR_VEC(struct cr_operand) cr_operands;

/*
 * Append instructions of code up to its end or the first one that is not understood. Returns false
 * if this program or this machine cannot. *out is all zeros at first; free it with cr_vec_fini().
 */
bool cr_operands_read(const struct cr_machine_code *code, cr_operands *out);

/* The row of the instruction at addr; SIZE_MAX if none begins there. */
size_t cr_operands_at(const cr_operands *code, uint64_t addr);

#endif
