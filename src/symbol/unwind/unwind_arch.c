#include "unwind_arch_p.h"

#include "base/mem.h"

#include <elf.h>

#define NO CR_UNWIND_NO_SLOT

/*
 * Slots by perf's register number (arch/ARCH/include/uapi/asm/perf_regs.h of Linux). The slot is
 * the DWARF number of the machine's psABI if that is below 32.
 */
static const uint8_t x86_64_regs[] = {
	0,
	3,
	2,
	1,
	4,
	5,
	6,
	7,
	16,
	NO,
	NO,
	NO,
	NO,
	NO,
	NO,
	NO,
	8,
	9,
	10,
	11,
	12,
	13,
	14,
	15,
};
static const uint8_t i386_regs[] = {0, 3, 1, 2, 6, 7, 5, 4, 8};
static const uint8_t arm64_regs[] = {
	0,
	1,
	2,
	3,
	4,
	5,
	6,
	7,
	8,
	9,
	10,
	11,
	12,
	13,
	14,
	15,
	16,
	17,
	18,
	19,
	20,
	21,
	22,
	23,
	24,
	25,
	26,
	27,
	28,
	29,
	30,
	31,
	NO,
};
static const uint8_t arm_regs[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
/* LR is 65 and CTR 109 in DWARF: slots 32 and 33. */
static const uint8_t ppc64_regs[] = {
	0,
	1,
	2,
	3,
	4,
	5,
	6,
	7,
	8,
	9,
	10,
	11,
	12,
	13,
	14,
	15,
	16,
	17,
	18,
	19,
	20,
	21,
	22,
	23,
	24,
	25,
	26,
	27,
	28,
	29,
	30,
	31,
	NO,
	NO,
	NO,
	33,
	32,
};
/* Leaf functions save general registers in floating-point ones, so these are tracked too. */
static const uint8_t s390_regs[] = {
	0,
	1,
	2,
	3,
	4,
	5,
	6,
	7,
	8,
	9,
	10,
	11,
	12,
	13,
	14,
	15,
	16,
	20,
	17,
	21,
	18,
	22,
	19,
	23,
	24,
	28,
	25,
	29,
	26,
	30,
	27,
	31,
	32,
	33,
};
static const uint8_t riscv_regs[] = {
	NO,
	1,
	2,
	3,
	4,
	5,
	6,
	7,
	8,
	9,
	10,
	11,
	12,
	13,
	14,
	15,
	16,
	17,
	18,
	19,
	20,
	21,
	22,
	23,
	24,
	25,
	26,
	27,
	28,
	29,
	30,
	31,
};

#define REGS(table) .perf = (table), .n_perf = CR_LEN(table)
#define ALL ~(uint64_t)0

enum which { X86_64, I386, ARM64, ARM, PPC64, S390, RISCV64, N_ARCHS };

static const struct cr_unwind_arch archs[N_ARCHS] = {
	[X86_64] = {.machine = EM_X86_64,
		.word = 8,
		.sp = 7,
		.fp = 6,
		.link = NO,
		.pc = 16,
		.perf_pc = 8,
		.perf_sp = 7,
		REGS(x86_64_regs),
		.record = {0, 8, 16},
		.code_mask = ALL},
	[I386] = {.machine = EM_386,
		.word = 4,
		.sp = 4,
		.fp = 5,
		.link = NO,
		.pc = 8,
		.perf_pc = 8,
		.perf_sp = 7,
		REGS(i386_regs),
		.record = {0, 4, 8},
		.code_mask = UINT32_MAX},
	/* Bits above 48 are a signature of the return address (pointer authentication). */
	[ARM64] = {.machine = EM_AARCH64,
		.word = 8,
		.sp = 31,
		.fp = 29,
		.link = 30,
		.pc = NO,
		.perf_pc = 32,
		.perf_sp = 31,
		REGS(arm64_regs),
		.record = {0, 8, 16},
		.code_mask = ((uint64_t)1 << 48) - 1},
	/* Bit 0 says that the caller is Thumb code. There are several kinds of frame pointers. */
	[ARM] = {.machine = EM_ARM,
		.word = 4,
		.sp = 13,
		.fp = NO,
		.link = 14,
		.pc = 15,
		.perf_pc = 15,
		.perf_sp = 13,
		REGS(arm_regs),
		.code_mask = UINT32_MAX - 1},
	[PPC64] = {.machine = EM_PPC64,
		.word = 8,
		.sp = 1,
		.fp = NO,
		.link = 32,
		.pc = NO,
		.perf_pc = 32,
		.perf_sp = 1,
		REGS(ppc64_regs),
		.code_mask = ALL},
	[S390] = {.machine = EM_S390,
		.word = 8,
		.sp = 15,
		.fp = NO,
		.link = 14,
		.pc = 33,
		.perf_pc = 33,
		.perf_sp = 15,
		REGS(s390_regs),
		.sp_from_cfa = -160,
		.code_mask = ALL},
	[RISCV64] = {.machine = EM_RISCV,
		.word = 8,
		.sp = 2,
		.fp = 8,
		.link = 1,
		.pc = NO,
		.perf_pc = 0,
		.perf_sp = 2,
		REGS(riscv_regs),
		.record = {-16, -8, 0},
		.code_mask = ALL},
};

enum { ABI_32 = 1, ABI_64 = 2 };

static const struct {
	const char *machine; /* prefix of its name */
	uint8_t abi, which;
} names[] = {
	{"x86_64", ABI_64, X86_64},
	{"x86_64", ABI_32, I386},
	{"i", ABI_32, I386},
	{"aarch64", ABI_64, ARM64},
	{"aarch64", ABI_32, ARM},
	{"arm64", ABI_64, ARM64},
	{"arm", ABI_32, ARM},
	{"ppc64", ABI_64, PPC64},
	{"s390x", ABI_64, S390},
	{"riscv64", ABI_64, RISCV64},
};

const struct cr_unwind_arch *
cr_unwind_arch_find(struct cr_str machine, uint64_t abi)
{
	for (size_t i = 0; i < CR_LEN(names); i++)
		if (names[i].abi == abi && cr_str_starts(machine, names[i].machine))
			return &archs[names[i].which];
	return NULL;
}

uint8_t
cr_unwind_arch_slot(const struct cr_unwind_arch *a, uint64_t dwarf)
{
	if (dwarf < 32)
		return (uint8_t)dwarf;
	if (a->machine == EM_PPC64)
		return dwarf == 65 ? 32 : dwarf == 109 ? 33 : NO;
	if (a->machine == EM_S390)
		return dwarf == 64 ? 32 : dwarf == 65 ? 33 : NO;
	return NO;
}
