#include "symbol/code/disasm.h"

#include <elf.h>

#ifdef HAVE_CAPSTONE
#include "symbol/code/capstone_library_p.h"

#include <string.h>
#endif

uint64_t
cr_disasm_base(const struct cr_machine_code *code)
{
	return code->machine == EM_ARM ? code->base & ~(uint64_t)1 : code->base;
}

#ifdef HAVE_CAPSTONE

/* State of a disassembly. */
struct reading {
	struct cr_capstone library;
	csh cs;
	cs_arch arch;
};

/* How capstone names a machine. */
struct dialect {
	cs_arch arch;
	int mode;
	uint8_t unit;    /* instruction sizes are a multiple of this, ... */
	uint8_t longest; /* ... and at most this */
};

static bool
dialect_of(const struct cr_machine_code *c, struct dialect *d)
{
	const int end = c->big_endian ? CS_MODE_BIG_ENDIAN : CS_MODE_LITTLE_ENDIAN;

	switch (c->machine) {
	case EM_386: *d = (struct dialect){CS_ARCH_X86, CS_MODE_32, 1, 15}; break;
	case EM_X86_64: *d = (struct dialect){CS_ARCH_X86, CS_MODE_64, 1, 15}; break;
	case EM_ARM:
		*d = (struct dialect){
			CS_ARCH_ARM, end | (c->base & 1 ? CS_MODE_THUMB : CS_MODE_ARM), 2, 4};
		break;
	case EM_AARCH64: *d = (struct dialect){CS_ARCH_ARM64, end, 4, 4}; break;
	case EM_PPC: *d = (struct dialect){CS_ARCH_PPC, end | CS_MODE_32, 4, 4}; break;
	case EM_PPC64: *d = (struct dialect){CS_ARCH_PPC, end | CS_MODE_64, 4, 4}; break;
	case EM_S390: *d = (struct dialect){CS_ARCH_SYSZ, CS_MODE_BIG_ENDIAN, 2, 6}; break;
	case EM_MIPS:
		*d = (struct dialect){CS_ARCH_MIPS,
			end | (c->bits == 64 ? CS_MODE_MIPS64 : CS_MODE_MIPS32), 4, 4};
		break;
	case EM_SPARC: *d = (struct dialect){CS_ARCH_SPARC, CS_MODE_BIG_ENDIAN, 4, 4}; break;
	case EM_SPARCV9:
		*d = (struct dialect){CS_ARCH_SPARC, CS_MODE_BIG_ENDIAN | CS_MODE_V9, 4, 4};
		break;
#if CS_API_MAJOR >= 5
	case EM_RISCV:
		*d = (struct dialect){CS_ARCH_RISCV,
			(c->bits == 64 ? CS_MODE_RISCV64 : CS_MODE_RISCV32) | CS_MODE_RISCVC, 2, 4};
		break;
#endif
	default: return false;
	}
	return true;
}

/* The target, if the last operand is a plain number. */
static bool
target_of(cs_arch arch, const cs_insn *in, uint64_t *target)
{
	const cs_detail *d = in->detail;

	switch (arch) {
#define LAST_IMMEDIATE(field, kind)                                                            \
	if (d->field.op_count == 0 || d->field.operands[d->field.op_count - 1].type != (kind)) \
		return false;                                                                  \
	*target = (uint64_t)d->field.operands[d->field.op_count - 1].imm;                      \
	return true
	case CS_ARCH_X86: LAST_IMMEDIATE(x86, X86_OP_IMM);
	case CS_ARCH_ARM: LAST_IMMEDIATE(arm, ARM_OP_IMM);
	case CS_ARCH_ARM64: LAST_IMMEDIATE(arm64, ARM64_OP_IMM);
	case CS_ARCH_PPC: LAST_IMMEDIATE(ppc, PPC_OP_IMM);
	case CS_ARCH_SYSZ: LAST_IMMEDIATE(sysz, SYSZ_OP_IMM);
	case CS_ARCH_MIPS: LAST_IMMEDIATE(mips, MIPS_OP_IMM);
	case CS_ARCH_SPARC: LAST_IMMEDIATE(sparc, SPARC_OP_IMM);
#if CS_API_MAJOR >= 5
	case CS_ARCH_RISCV: LAST_IMMEDIATE(riscv, RISCV_OP_IMM);
#endif
#undef LAST_IMMEDIATE
	default: return false;
	}
}

static bool
is_call(const struct reading *r, const cs_insn *in)
{
	const cs_arch arch = r->arch;

	if (r->library.insn_group(r->cs, in, CS_GRP_CALL))
		return true;
	/* capstone has no group for these. */
	return (arch == CS_ARCH_ARM64 && in->id == ARM64_INS_BL) ||
	       (arch == CS_ARCH_ARM && in->id == ARM_INS_BL) ||
	       (arch == CS_ARCH_PPC && in->id == PPC_INS_BL) ||
	       (arch == CS_ARCH_SYSZ && in->id == SYSZ_INS_BRASL);
}

static bool
is_jump(const struct reading *r, const cs_insn *in)
{
	if (r->library.insn_group(r->cs, in, CS_GRP_JUMP) ||
		r->library.insn_group(r->cs, in, CS_GRP_BRANCH_RELATIVE))
		return true;
	return (r->arch == CS_ARCH_ARM64 && in->id == ARM64_INS_B) ||
	       (r->arch == CS_ARCH_SYSZ && in->mnemonic[0] == 'j');
}

static void
push(struct cr_disasm *out, struct cr_instruction i, const char *mnemonic, const char *operands)
{
	i.text = (uint32_t)out->texts.len;
	if (*operands)
		cr_text_printf(&out->texts, "%-6s %s", mnemonic, operands);
	else
		cr_text_puts(&out->texts, mnemonic);
	i.len = (uint32_t)(out->texts.len - i.text);
	cr_vec_push(&out->list, i);
}

static void
add_instruction(struct cr_disasm *out, const struct reading *r, const cs_insn *in)
{
	struct cr_instruction i = {.addr = in->address, .size = in->size};

	i.calls = is_call(r, in);
	if ((i.calls || is_jump(r, in)) && !target_of(r->arch, in, &i.target))
		i.target = 0;
	push(out, i, in->mnemonic, in->op_str);
}

static void
read_all(struct cr_disasm *out, const struct reading *r, const struct dialect *d,
	const struct cr_machine_code *code)
{
	const uint8_t *p = (const uint8_t *)code->bytes.p;
	size_t left = code->bytes.len;
	uint64_t addr = cr_disasm_base(code);
	cs_insn *in = r->library.malloc(r->cs);

	while (left) {
		if (r->library.disasm_iter(r->cs, &p, &left, &addr, in)) {
			add_instruction(out, r, in);
			continue;
		}
		if (left < d->longest)
			break; /* an incomplete instruction at the end of a piece */
		push(out, (struct cr_instruction){.addr = addr, .size = d->unit}, "(bad)", "");
		p += d->unit;
		left -= d->unit;
		addr += d->unit;
	}
	r->library.free(in, 1);
}

void
cr_disasm_make(const struct cr_machine_code *code, struct cr_disasm *out)
{
	struct reading r = {.cs = 0};
	struct dialect d;

	*out = (struct cr_disasm){.why = CR_CAPSTONE_SONAME " cannot be loaded"};
	if (!cr_capstone_open(&r.library))
		return;
	out->why = "libcapstone does not know its machine";
	if (!dialect_of(code, &d) || r.library.open(d.arch, (cs_mode)d.mode, &r.cs) != CS_ERR_OK)
		return;
	r.arch = d.arch;
	out->why = NULL;
	r.library.option(r.cs, CS_OPT_DETAIL, CS_OPT_ON);
	if (d.arch == CS_ARCH_X86)
		r.library.option(r.cs, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	read_all(out, &r, &d, code);
	r.library.close(&r.cs);
}

#else

void
cr_disasm_make(const struct cr_machine_code *code, struct cr_disasm *out)
{
	(void)code;
	*out = (struct cr_disasm){.why = "built without libcapstone"};
}

#endif

void
cr_disasm_fini(struct cr_disasm *d)
{
	cr_vec_fini(&d->list);
	cr_text_fini(&d->texts);
}
