#ifndef CR_SYMBOL_ELF_SYMTAB_P_H
#define CR_SYMBOL_ELF_SYMTAB_P_H

#include "base/text.h"
#include "base/vec.h"
#include "symbol/addrkey_p.h"
#include "symtree_p.h"

/*
 * The symbols of one dso, and which of them an address belongs to. The answers are perf's,
 * also where perf's rules are odd: see cr_symtab_fix() and cr_symtab_index().
 *
 *	cr_symtab_add(&t, &sym) ...   a table, in file order
 *	cr_symtab_fix(&t)
 *	cr_symtab_add(&t, &sym) ...   a further table, fixed or not
 *	cr_symtab_index(&t)
 *	cr_symtab_find(&t, 0, addr)
 *
 * Whoever knows beforehand what will be asked says so in t.asked: then most symbols need not be
 * added at all, see cr_asked_needs(). The answers are the same, or t.short_of says that one of
 * them needs what was left out: then all is to be done again without t.asked.
 *
 * All zero bytes is a valid empty one.
 */
enum cr_symbol_flags {
	CR_SYMBOL_WEAK = 1,
	CR_SYMBOL_GLOBAL = 2,
	CR_SYMBOL_UNTYPED = 4, /* a label of the assembler's */
	CR_SYMBOL_IFUNC = 8,   /* chooses a function at load time, or stands where one does */
	CR_SYMBOL_PLT = 16,    /* the stub of that name: shown with "@plt" */
	CR_SYMBOL_THUMB = 32,  /* of ARM: its instructions are Thumb's */
};

struct cr_symbol {
	uint64_t start;
	uint64_t end;     /* start where the size is not known */
	const char *name; /* as in the file; borrowed from it or from the arena of the table */
	uint16_t module;  /* of kallsyms: 1 + row of the modules; 0 the kernel, and all else */
	uint8_t flags;    /* enum cr_symbol_flags */
};

struct cr_symtab_round {
	uint32_t added, erased; /* how many of all, of erased, there were after the fix */
};

struct cr_symtab {
	bool demangle;                  /* names are compared, and shown, demangled */
	const struct cr_addrkey *asked; /* sorted, borrowed; NULL when it may be any */
	size_t n_asked;
	bool partial;                          /* symbols were left out, as asked allows */
	bool short_of;                         /* an answer would have needed it */
	CR_VEC(struct cr_symbol) all;          /* in the order they came */
	size_t listed;                         /* how many of all live has seen */
	CR_VEC(struct cr_addrkey) live;        /* rows of all by start, then as they came */
	CR_VEC(uint64_t) furthest;             /* how far live[0] to live[i] reach; none: modules */
	CR_VEC(uint32_t) erased;               /* rows that a fix threw out, in that order */
	CR_VEC(struct cr_symtab_round) rounds; /* the fixes so far */
	struct cr_symtree tree;                /* all that happened replayed, if that is needed */
	struct cr_symtab_round replayed;       /* how far */
	CR_VEC(struct cr_addrkey) order;       /* what is in the tree, in its order */
	struct cr_arena arena;                 /* for names that are in no file's memory */
};

/* A symbol past the 2^26th is dropped. */
void cr_symtab_add(struct cr_symtab *t, const struct cr_symbol *s);

/*
 * What perf does after each table, to all symbols so far: one without a size reaches to the next
 * (the last one to a page's end and one more; the last one of a kernel module likewise), then of
 * several at one address one stays.
 */
void cr_symtab_fix(struct cr_symtab *t);

/*
 * Make ready for cr_symtab_find(); again after further additions.
 *
 * perf looks for an address on one way down a tree that is ordered by start. Where symbols
 * overlap it may pass by one that holds the address, and what it finds depends on the shape of
 * the tree, so on everything that was ever put in and taken out. Elsewhere the last symbol that
 * starts at or before the address is the only one that may hold it. Only an address that an
 * earlier symbol reaches over makes cr_symtab_find() replay the tree.
 *
 * Symbols of kallsyms, if there are modules, end where the next one of the module starts.
 */
void cr_symtab_index(struct cr_symtab *t);

/* The symbol at addr, NULL when there is none; borrowed from t. */
const struct cr_symbol *cr_symtab_find(struct cr_symtab *t, uint16_t module, uint64_t addr);

/* Into rows, the rows of `all` at n sorted addresses, bias taken off each; CR_NO_ROW for none. */
void cr_symtab_find_each(struct cr_symtab *t, uint16_t module, uint64_t bias,
	const struct cr_addrkey *asked, size_t n, uint32_t *rows);

/* Is any of [lo, hi) asked, or does a symbol overlap it? After index. */
bool cr_symtab_touches(const struct cr_symtab *t, uint64_t lo, uint64_t hi);

/* The symbol that reaches over addr from below ends there. After index, which is not due again. */
void cr_symtab_cut(struct cr_symtab *t, uint64_t addr);

/*
 * The address of a symbol of the kernel itself (module 0), 0 when there is none. Slow: looks at
 * each.
 */
uint64_t cr_symtab_address(const struct cr_symtab *t, const char *name);

/* Move the symbols of the kernel itself (module 0) down by delta. After fix, before index. */
void cr_symtab_shift(struct cr_symtab *t, uint64_t delta);

/* The name to show, into name, and what the file calls it, into linkage, when that differs. */
void cr_symtab_names(const struct cr_symtab *t, const struct cr_symbol *s, struct cr_text *name,
	struct cr_text *linkage);

void cr_symtab_fini(struct cr_symtab *t);

#endif
