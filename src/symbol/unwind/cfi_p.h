#ifndef CR_SYMBOL_UNWIND_CFI_P_H
#define CR_SYMBOL_UNWIND_CFI_P_H

#include "base/vec.h"
#include "bytes/cursor.h"
#include "unwind_arch_p.h"

/*
 * Call frame information: of an address of code, how the registers of the caller are found again.
 * Sources: DWARF 5 section 6.4; "Exception Frames" of the Linux Standard Base 5.0 for .eh_frame
 * and its table; AADWARF64 for what is arm64's own.
 *
 * Not libdw's reader, dwarf_cfi_addrframe(): at a word of a broken file, "register 134000000", it
 * makes room for 2 GiB of registers, and again for each state that is remembered.
 */
enum cr_cfi_how {
	CR_CFI_SAME, /* the caller's is the callee's */
	CR_CFI_UNDEFINED,
	CR_CFI_AT,         /* saved at CFA + n */
	CR_CFI_VALUE,      /* is CFA + n; the CFA itself is register + n */
	CR_CFI_REGISTER,   /* the callee's other register */
	CR_CFI_AT_EXPR,    /* saved where an expression says */
	CR_CFI_VALUE_EXPR, /* what an expression says */
};

struct cr_cfi_rule {
	union {
		int64_t n;
		const unsigned char *expr; /* borrowed from the section */
	};
	uint32_t expr_len;
	uint8_t how;  /* enum cr_cfi_how */
	uint8_t slot; /* whose rule it is */
	uint8_t reg;  /* slot of the other register */
	uint8_t zero; /* so that equal rules are equal bytes */
};

/* What holds for an address. */
struct cr_cfi_row {
	struct cr_cfi_rule cfa; /* CR_CFI_VALUE or CR_CFI_VALUE_EXPR */
	uint8_t ra;             /* slot of the return address */
	uint8_t n_at, n_rules;  /* rules: those of CR_CFI_AT come first */
	uint8_t flags;          /* enum cr_cfi_flags */
	uint32_t zero;
	struct cr_cfi_rule rules[CR_UNWIND_SLOTS]; /* of those that are not CR_CFI_SAME */
};

enum cr_cfi_flags {
	CR_CFI_SIGNAL = 1, /* a frame that the kernel made to deliver a signal: what it interrupted
			      called nobody */
	CR_CFI_OLDEST = 2, /* there is no caller: this is where the thread began */
};

struct cr_cfi_entry {
	uint64_t start, end; /* addresses of code */
	uint64_t at;         /* offset in the section */
};

/* One section. All zero bytes is one without entries. */
struct cr_cfi {
	const struct cr_unwind_arch *arch;
	struct cr_cursor all;   /* the section */
	uint64_t vaddr;         /* of its first byte */
	bool eh;                /* .eh_frame, not .debug_frame */
	struct cr_cursor table; /* of .eh_frame_hdr: pairs of s32, start of code and entry, relative
				   to table_base */
	uint64_t table_base;
	CR_VEC(struct cr_cfi_entry) index; /* by start; for want of a table */
	bool indexed;
	uint64_t steps; /* instructions that may still be followed: what a hostile file may cost */
};

/* The section's bytes, and whether they are in the other byte order, stand in all; borrowed. */
void cr_cfi_init(struct cr_cfi *c, const struct cr_unwind_arch *arch, struct cr_cursor all,
	uint64_t vaddr, bool eh);

/*
 * What the linker made for searching: .eh_frame_hdr, at vaddr. If it is of no use it is not used.
 */
void cr_cfi_table(struct cr_cfi *c, struct cr_cursor hdr, uint64_t vaddr);

/* The row for an address of the dso; false when there is none, or one that is not understood. */
bool cr_cfi_find(struct cr_cfi *c, uint64_t addr, struct cr_cfi_row *out);

/* Bytes of a row that tell it from others. */
size_t cr_cfi_row_bytes(const struct cr_cfi_row *row);

void cr_cfi_fini(struct cr_cfi *c);

#endif
