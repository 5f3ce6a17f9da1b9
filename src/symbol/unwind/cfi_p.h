#ifndef CR_SYMBOL_UNWIND_CFI_P_H
#define CR_SYMBOL_UNWIND_CFI_P_H

#include "base/vec.h"
#include "bytes/cursor.h"
#include "unwind_arch_p.h"

/*
 * Call frame information: how to restore the caller's registers at an address of code. Sources:
 * DWARF 5 section 6.4; "Exception Frames" of the Linux Standard Base 5.0 for .eh_frame and its
 * table; AADWARF64 for arm64.
 *
 * libdw's dwarf_cfi_addrframe() is not used: for a hostile file that says "register 134000000" it
 * allocates 2 GiB of registers, and again for each remembered state.
 */
enum cr_cfi_how {
	CR_CFI_SAME, /* the caller's value is the callee's */
	CR_CFI_UNDEFINED,
	CR_CFI_AT,         /* saved at CFA + n */
	CR_CFI_VALUE,      /* equals CFA + n; for the CFA itself register + n */
	CR_CFI_REGISTER,   /* equals another register of the callee */
	CR_CFI_AT_EXPR,    /* saved at the result of an expression */
	CR_CFI_VALUE_EXPR, /* equals the result of an expression */
};

struct cr_cfi_rule {
	union {
		int64_t n;
		const unsigned char *expr; /* borrowed from the section */
	};
	uint32_t expr_len;
	uint8_t how;  /* enum cr_cfi_how */
	uint8_t slot; /* register that the rule restores */
	uint8_t reg;  /* slot of the other register */
	uint8_t zero; /* so that equal rules are equal bytes */
};

/* The rules that apply to an address. */
struct cr_cfi_row {
	struct cr_cfi_rule cfa; /* CR_CFI_VALUE or CR_CFI_VALUE_EXPR */
	uint8_t ra;             /* slot of the return address */
	uint8_t n_at, n_rules;  /* number of rules; those with CR_CFI_AT come first */
	uint8_t flags;          /* bits of enum cr_cfi_flags */
	uint32_t zero;
	struct cr_cfi_rule rules[CR_UNWIND_SLOTS]; /* of registers that are not CR_CFI_SAME */
};

enum cr_cfi_flags {
	/* Signal frame, made by the kernel: the next address is where code was interrupted. */
	CR_CFI_SIGNAL = 1,
	CR_CFI_OLDEST = 2, /* outermost frame: the thread started here */
};

struct cr_cfi_entry {
	uint64_t start, end; /* addresses of code */
	uint64_t at;         /* offset in the section */
};

/* One section. All zero bytes is one without entries. */
struct cr_cfi {
	const struct cr_unwind_arch *arch;
	struct cr_cursor all; /* the whole section */
	uint64_t vaddr;       /* of its first byte */
	bool eh;              /* .eh_frame, not .debug_frame */
	/* Of .eh_frame_hdr: pairs of s32, start of code and entry, relative to table_base. */
	struct cr_cursor table;
	uint64_t table_base;
	CR_VEC(struct cr_cfi_entry) index; /* sorted by start; used if there is no table */
	bool indexed;
	/* Instructions that may still be executed: limits the cost of a hostile file. */
	uint64_t steps;
};

/* all: the section's bytes, borrowed, with their byte order. */
void cr_cfi_init(struct cr_cfi *c, const struct cr_unwind_arch *arch, struct cr_cursor all,
	uint64_t vaddr, bool eh);

/* Use the linker's search table, .eh_frame_hdr, at address vaddr. An invalid one is ignored. */
void cr_cfi_table(struct cr_cfi *c, struct cr_cursor hdr, uint64_t vaddr);

/* Read all entries into c->index, unless that was done. Returns their number. */
size_t cr_cfi_index(struct cr_cfi *c);

/* Find the row for an address of the dso; false if there is none or it is not understood. */
bool cr_cfi_find(struct cr_cfi *c, uint64_t addr, struct cr_cfi_row *out);

/* Number of bytes of a row that must be compared for equality. */
size_t cr_cfi_row_bytes(const struct cr_cfi_row *row);

void cr_cfi_fini(struct cr_cfi *c);

#endif
