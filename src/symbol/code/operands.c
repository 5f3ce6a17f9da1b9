#include "symbol/code/operands.h"

#include <elf.h>

#ifdef HAVE_CAPSTONE
#include "symbol/code/capstone_library_p.h"

#include <string.h>

/* A register and its parts. */
struct names {
	uint8_t reg;
	uint16_t parts[4]; /* 64, 32, 16 and 8 bits */
};

static const struct names names[] = {
	{0, {X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL}},
	{1, {X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL}},
	{2, {X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL}},
	{3, {X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL}},
	{4, {X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL}},
	{5, {X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL}},
	{6, {X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL}},
	{7, {X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL}},
	{8, {X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B}},
	{9, {X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B}},
	{10, {X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B}},
	{11, {X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B}},
	{12, {X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B}},
	{13, {X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B}},
	{14, {X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B}},
	{15, {X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B}},
};

struct reading {
	struct cr_capstone library;
	csh cs;
	uint8_t number[X86_REG_ENDING]; /* by capstone's register: the DWARF number */
	bool whole[X86_REG_ENDING];     /* all 64 bits of it */
};

static void
numbers_make(struct reading *r)
{
	memset(r->number, CR_OPERAND_NONE, sizeof(r->number));
	for (size_t i = 0; i < CR_LEN(names); i++)
		for (size_t k = 0; k < CR_LEN(names[i].parts); k++) {
			r->number[names[i].parts[k]] = names[i].reg;
			r->whole[names[i].parts[k]] = k == 0;
		}
	r->number[X86_REG_AH] = 0;
	r->number[X86_REG_DH] = 1;
	r->number[X86_REG_CH] = 2;
	r->number[X86_REG_BH] = 3;
	r->number[X86_REG_RIP] = CR_OPERAND_RIP;
}

static uint8_t
number_of(const struct reading *r, unsigned reg)
{
	return reg < X86_REG_ENDING ? r->number[reg] : (uint8_t)CR_OPERAND_NONE;
}

static bool
is_whole(const struct reading *r, const cs_x86_op *o)
{
	return o->type == X86_OP_REG && (unsigned)o->reg < X86_REG_ENDING && r->whole[o->reg];
}

static uint32_t
writes_of(const struct reading *r, const cs_insn *in)
{
	cs_regs read, written;
	uint8_t n_read = 0, n_written = 0;
	uint32_t bits = 0;

	if (r->library.regs_access(r->cs, in, read, &n_read, written, &n_written) != CS_ERR_OK)
		return UINT32_MAX;
	for (uint8_t i = 0; i < n_written; i++) {
		const uint8_t reg = number_of(r, written[i]);

		if (reg < CR_OPERAND_RIP)
			bits |= (uint32_t)1 << reg;
	}
	return bits;
}

static void
put_memory(const struct reading *r, const cs_x86_op *o, struct cr_operand *out)
{
	out->reads = true;
	out->bytes = o->size;
	out->other = o->mem.segment == X86_REG_FS || o->mem.segment == X86_REG_GS;
	out->base = number_of(r, (unsigned)o->mem.base);
	out->index = number_of(r, (unsigned)o->mem.index);
	out->scale = (uint8_t)o->mem.scale;
	out->disp = o->mem.disp;
	/* A vector of addresses, or a 32-bit register as address. */
	if ((o->mem.base != X86_REG_INVALID && out->base == CR_OPERAND_NONE) ||
		(o->mem.index != X86_REG_INVALID && out->index == CR_OPERAND_NONE))
		out->other = true;
}

static void
put_move(const struct reading *r, const cs_x86 *x, struct cr_operand *out)
{
	const cs_x86_op *dst = &x->operands[0], *src = &x->operands[1];

	if (x->op_count != 2 || !is_whole(r, dst))
		return;
	out->dst = number_of(r, (unsigned)dst->reg);
	if (is_whole(r, src)) {
		out->action = CR_OPERAND_MOVE;
		out->src = number_of(r, (unsigned)src->reg);
	} else if (src->type == X86_OP_MEM && src->size == 8) {
		out->action = CR_OPERAND_LOAD;
	}
}

static void
put_add(const struct reading *r, const cs_x86 *x, bool minus, struct cr_operand *out)
{
	if (x->op_count != 2 || !is_whole(r, &x->operands[0]))
		return;
	if (x->operands[1].type == X86_OP_IMM && x->operands[1].imm != INT64_MIN) {
		out->action = CR_OPERAND_ADD;
		out->disp = minus ? -x->operands[1].imm : x->operands[1].imm;
	} else if (is_whole(r, &x->operands[1]) && !minus) {
		out->action = CR_OPERAND_SUM;
		out->src = number_of(r, (unsigned)x->operands[1].reg);
	}
	out->dst = number_of(r, (unsigned)x->operands[0].reg);
}

static void
put_action(const struct reading *r, const cs_insn *in, struct cr_operand *out)
{
	const cs_x86 *x = &in->detail->x86;

	switch (in->id) {
	case X86_INS_MOV: put_move(r, x, out); return;
	case X86_INS_LEA:
		out->reads = false;
		if (x->op_count == 2 && is_whole(r, &x->operands[0])) {
			out->action = CR_OPERAND_LEA;
			out->dst = number_of(r, (unsigned)x->operands[0].reg);
		}
		return;
	case X86_INS_NOP: out->reads = false; return;
	case X86_INS_ADD: put_add(r, x, false, out); return;
	case X86_INS_SUB: put_add(r, x, true, out); return;
	case X86_INS_JMP:
		out->action = CR_OPERAND_ALWAYS;
		/* An address relative to the code is that of another function. */
		out->table = x->operands[0].type != X86_OP_IMM && out->base != CR_OPERAND_RIP;
		break;
	case X86_INS_PUSH:
	case X86_INS_POP: out->stack = !out->reads; return;
	case X86_INS_RET:
		out->action = CR_OPERAND_ALWAYS;
		out->stack = true;
		return;
	default:
		if (r->library.insn_group(r->cs, in, CS_GRP_CALL)) {
			out->action = CR_OPERAND_CALL;
			out->stack = !out->reads;
		} else if (r->library.insn_group(r->cs, in, CS_GRP_JUMP)) {
			out->action = CR_OPERAND_JUMP;
		}
	}
	if (out->action != CR_OPERAND_OTHER && x->op_count == 1 &&
		x->operands[0].type == X86_OP_IMM)
		out->target = (uint64_t)x->operands[0].imm;
}

static void
add(const struct reading *r, const cs_insn *in, cr_operands *out)
{
	const cs_x86 *x = &in->detail->x86;
	struct cr_operand o = {.addr = in->address,
		.size = (uint8_t)in->size,
		.base = CR_OPERAND_NONE,
		.index = CR_OPERAND_NONE,
		.dst = CR_OPERAND_NONE,
		.src = CR_OPERAND_NONE};

	for (uint8_t i = 0; i < x->op_count && i < CR_LEN(x->operands); i++)
		if (x->operands[i].type == X86_OP_MEM && !o.reads)
			put_memory(r, &x->operands[i], &o);
	o.writes = writes_of(r, in);
	put_action(r, in, &o);
	cr_vec_push(out, o);
}

bool
cr_operands_read(const struct cr_machine_code *code, cr_operands *out)
{
	const uint8_t *p = (const uint8_t *)code->bytes.p;
	size_t left = code->bytes.len;
	uint64_t addr = code->base;
	struct reading r = {.cs = 0};
	cs_insn *in;

	if (code->machine != EM_X86_64 || code->bits != 64 || !cr_capstone_open(&r.library) ||
		r.library.open(CS_ARCH_X86, CS_MODE_64, &r.cs) != CS_ERR_OK)
		return false;
	numbers_make(&r);
	r.library.option(r.cs, CS_OPT_DETAIL, CS_OPT_ON);
	in = r.library.malloc(r.cs);
	while (left && r.library.disasm_iter(r.cs, &p, &left, &addr, in))
		add(&r, in, out);
	r.library.free(in, 1);
	r.library.close(&r.cs);
	return true;
}

#else

bool
cr_operands_read(const struct cr_machine_code *code, cr_operands *out)
{
	(void)code;
	(void)out;
	return false;
}

#endif

size_t
cr_operands_at(const cr_operands *code, uint64_t addr)
{
	size_t lo = 0, hi = code->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (code->p[mid].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < code->n && code->p[lo].addr == addr ? lo : SIZE_MAX;
}
