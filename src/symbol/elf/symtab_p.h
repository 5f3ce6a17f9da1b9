#ifndef CR_SYMBOL_ELF_SYMTAB_P_H
#define CR_SYMBOL_ELF_SYMTAB_P_H

#include "base/text.h"
#include "base/vec.h"
#include "symbol/addrkey_p.h"
#include "symtree_p.h"

/*
 * The symbols of one dso, and which of them contains an address. The answers equal perf's even
 * where perf's rules are odd: see cr_symtab_fix() and cr_symtab_index().
 *
 *	cr_symtab_add(&t, &sym) ...   a table, in file order
 *	cr_symtab_fix(&t)
 *	cr_symtab_add(&t, &sym) ...   a further table, fixed or not
 *	cr_symtab_index(&t)
 *	cr_symtab_find(&t, 0, addr)
 *
 * If the addresses are known in advance, set t.asked: then most symbols need not be added, see
 * cr_asked_needs(). The answers are the same, unless t.short_of is set: an answer needed a symbol
 * that was left out, and everything must be repeated without t.asked.
 *
 * All zero bytes is a valid empty table.
 */
enum cr_symbol_flags {
	CR_SYMBOL_WEAK = 1,
	CR_SYMBOL_GLOBAL = 2,
	CR_SYMBOL_UNTYPED = 4, /* a label from an assembler */
	/* Chooses a function at load time, or has the same address as one that does. */
	CR_SYMBOL_IFUNC = 8,
	CR_SYMBOL_PLT = 16,    /* the PLT stub of that name: shown with "@plt" */
	CR_SYMBOL_THUMB = 32,  /* ARM: its instructions are Thumb */
	CR_SYMBOL_OBJECT = 64, /* data */
	/* The file has no size: it was extended, see cr_symtab_fix(). */
	CR_SYMBOL_EXTENDED = 128,
};

struct cr_symbol {
	uint64_t start;
	uint64_t end;     /* equal to start if the size is unknown */
	const char *name; /* as in the file; borrowed from it or from the table's arena */
	/* In kallsyms 1 + row of the modules; 0 for the kernel and all other files. */
	uint16_t module;
	uint8_t flags; /* enum cr_symbol_flags */
};

struct cr_symtab_round {
	uint32_t added, erased; /* sizes of `all` and of `erased` after the fix */
};

struct cr_symtab {
	bool demangle;                  /* compare and show names demangled */
	const struct cr_addrkey *asked; /* sorted, borrowed; NULL if any address may be looked up */
	size_t n_asked;
	bool partial;                   /* symbols were left out, as `asked` allows */
	bool short_of;                  /* an answer needed one of those */
	CR_VEC(struct cr_symbol) all;   /* in order of insertion */
	size_t listed;                  /* number of symbols of `all` that are in `live` */
	CR_VEC(struct cr_addrkey) live; /* rows of `all`, sorted by start, then by insertion */
	/* Largest end of live[0] to live[i]; empty if there are modules. */
	CR_VEC(uint64_t) furthest;
	CR_VEC(uint32_t) erased;               /* rows that fixes removed, in that order */
	CR_VEC(struct cr_symtab_round) rounds; /* the fixes so far */
	struct cr_symtree tree; /* all insertions and removals replayed, if that is needed */
	struct cr_symtab_round replayed; /* progress of the replay */
	CR_VEC(struct cr_addrkey) order; /* content of the tree, in its order */
	struct cr_arena arena;           /* for names that are in no file's memory */
};

/* Add a symbol; from the 2^26th on they are dropped. */
void cr_symtab_add(struct cr_symtab *t, const struct cr_symbol *s);

/*
 * Apply perf's corrections to all symbols so far, as perf does after each table. A symbol without a
 * size is extended to the next one; the last one to the end of its page plus one page, and so the
 * last one of a kernel module. Of several symbols at one address one is kept.
 */
void cr_symtab_fix(struct cr_symtab *t);

/*
 * Prepare for cr_symtab_find(). Call it again after further additions.
 *
 * perf searches an address on one path down a tree sorted by start. If symbols overlap, it may miss
 * one that contains the address; what it finds depends on the shape of the tree, and so on all
 * insertions and removals before. Without overlap the last symbol that starts at or before the
 * address is the only candidate. Only if an earlier symbol extends over the address,
 * cr_symtab_find() replays perf's tree.
 *
 * Symbols of kallsyms end where the next symbol of the same module starts, if there are modules.
 */
void cr_symtab_index(struct cr_symtab *t);

/* The symbol that contains addr, NULL if none; borrowed from t. */
const struct cr_symbol *cr_symtab_find(struct cr_symtab *t, uint16_t module, uint64_t addr);

/*
 * Look up n sorted addresses, after subtracting bias: rows[i] becomes the row of `all`, or
 * CR_NO_ROW.
 */
void cr_symtab_find_each(struct cr_symtab *t, uint16_t module, uint64_t bias,
	const struct cr_addrkey *asked, size_t n, uint32_t *rows);

/*
 * True if an address in [lo, hi) is asked or a symbol overlaps it. Call it after cr_symtab_index().
 */
bool cr_symtab_touches(const struct cr_symtab *t, uint64_t lo, uint64_t hi);

/*
 * End the symbol that starts below addr and contains it at addr. Call it after cr_symtab_index(),
 * which need not be repeated.
 */
void cr_symtab_cut(struct cr_symtab *t, uint64_t addr);

/*
 * The address of a symbol of the kernel itself (module 0) by name, 0 if there is none. Linear
 * search.
 */
uint64_t cr_symtab_address(const struct cr_symtab *t, const char *name);

/*
 * Subtract delta from the addresses of the kernel's own symbols (module 0). Call it after
 * cr_symtab_fix(), before cr_symtab_index().
 */
void cr_symtab_shift(struct cr_symtab *t, uint64_t delta);

/*
 * Store the name to show in `name`, and the name in the file in `linkage` if it differs; otherwise
 * linkage is empty.
 */
void cr_symtab_names(const struct cr_symtab *t, const struct cr_symbol *s, struct cr_text *name,
	struct cr_text *linkage);

void cr_symtab_fini(struct cr_symtab *t);

#endif
