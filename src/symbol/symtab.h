#ifndef CR_SYMBOL_SYMTAB_H
#define CR_SYMBOL_SYMTAB_H

#include "cresset/base/text.h"
#include "cresset/base/vec.h"
#include "symtree.h"

/*
 * The symbols of one object, and which of them an address belongs to. The answers are perf's,
 * also where perf's rules are odd: see cr_symtab_fix() and cr_symtab_flatten().
 *
 *	cr_symtab_add(&t, &sym) ...   a table, in file order
 *	cr_symtab_fix(&t)
 *	cr_symtab_add(&t, &sym) ...   a further table, fixed or not
 *	cr_symtab_flatten(&t)
 *	cr_symtab_find(&t, 0, addr)
 *
 * All zero bytes is a valid empty one.
 */
enum cr_symbol_flags {
	CR_SYMBOL_WEAK = 1,
	CR_SYMBOL_GLOBAL = 2,
	CR_SYMBOL_UNTYPED = 4, /* a label of the assembler's */
	CR_SYMBOL_IFUNC = 8,   /* chooses a function at load time, or stands where one does */
	CR_SYMBOL_PLT = 16,    /* the stub of that name: shown with "@plt" */
};

struct cr_symbol {
	uint64_t start;
	uint64_t end;     /* start where the size is not known */
	const char *name; /* as in the file; borrowed from it or from the arena of the table */
	uint16_t module;  /* of kallsyms: 1 + row of the modules; 0 the kernel, and all else */
	uint8_t flags;    /* enum cr_symbol_flags */
};

struct cr_symtab_piece {
	uint64_t start, end; /* [start, end) */
	uint32_t symbol;     /* row of all */
	uint16_t module;
};

struct cr_symtab_key {
	uint64_t start;
	uint32_t symbol; /* row of all */
};

struct cr_symtab_round {
	uint32_t added, erased; /* how many of all, of erased, there were after the fix */
};

struct cr_symtab {
	bool demangle;                         /* names are compared, and shown, demangled */
	CR_VEC(struct cr_symbol) all;          /* in the order they came */
	CR_VEC(struct cr_symtab_key) live;     /* the fixed ones by start, then as they came */
	CR_VEC(uint32_t) erased;               /* rows that a fix threw out, in that order */
	CR_VEC(struct cr_symtab_round) rounds; /* the fixes so far */
	struct cr_symtree tree;                /* all that happened replayed, if symbols overlap */
	struct cr_symtab_round replayed;       /* how far */
	CR_VEC(struct cr_symtab_piece) pieces; /* what find searches: disjoint, by module, start */
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

/* Make ready for cr_symtab_find(); again after further additions. Cheap where nothing overlaps. */
void cr_symtab_flatten(struct cr_symtab *t);

/* The symbol at addr, NULL when there is none; borrowed from t. */
const struct cr_symbol *cr_symtab_find(const struct cr_symtab *t, uint16_t module, uint64_t addr);

/* The symbol that reaches over addr from below ends there. After flatten, which is due again. */
void cr_symtab_cut(struct cr_symtab *t, uint64_t addr);

/* Move the symbols of the kernel itself (module 0) down by delta. After fix, before flatten. */
void cr_symtab_shift(struct cr_symtab *t, uint64_t delta);

/* The name to show, into name, and what the file calls it, into linkage, when that differs. */
void cr_symtab_names(const struct cr_symtab *t, const struct cr_symbol *s, struct cr_text *name,
	struct cr_text *linkage);

void cr_symtab_fini(struct cr_symtab *t);

#endif
