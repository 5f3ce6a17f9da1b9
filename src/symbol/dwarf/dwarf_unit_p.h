#ifndef CR_SYMBOL_DWARF_DWARF_UNIT_P_H
#define CR_SYMBOL_DWARF_DWARF_UNIT_P_H

#include "base/hash.h"
#include "dwarf_units_p.h"
#include "model/profile.h"

/*
 * What a compilation unit contributes for the asked addresses: their lines, the function that
 * contains each, and the functions inlined there.
 */
struct cr_unit_node {
	uint32_t function; /* row of functions; CR_NO_ROW if it has no name */
	uint32_t caller;   /* the node it is inlined into; CR_NO_ROW if it is not inlined */
	uint32_t file;     /* file of the call, a row of files */
	uint32_t line;     /* line of the call; 0 if unknown */
	uint64_t start;    /* start address, if it is not inlined */
};

struct cr_unit_answer {
	uint32_t node; /* the innermost function; CR_NO_ROW if the unit has no function there */
	uint32_t file; /* row of files */
	uint32_t line; /* 0 if unknown */
};

struct cr_unit {
	const struct cr_dwarf_hit *hit;
	struct cr_unit_answer *answers; /* by key of the hit; NULL until cr_unit_read() is done */
	bool bare; /* only lines are known: the rest is in a missing .dwo file */
	CR_VEC(struct cr_unit_node) nodes;
	CR_VEC(struct cr_function) functions; /* their dso is not set */
	CR_VEC(struct cr_str) files; /* paths; [0] is "", unknown. Not necessarily distinct */
	struct cr_arena arena;
};

/* A callback asked now and then; if it returns false, cr_unit_read() gives up. */
struct cr_unit_watch {
	bool (*go_on)(void *user);
	void *user;
};

/*
 * Fill u, whose hit is set. First the lines are read. Then the DIEs of the unit are walked once,
 * skipping those that cannot contain the addresses. If some addresses have no function after that,
 * all DIEs are walked, since functions may be inside types and other functions. lowest: as for
 * cr_dwarf_units().
 */
void cr_unit_read(struct cr_unit *u, struct cr_dwarf *d, uint64_t lowest, bool demangle,
	const struct cr_unit_watch *watch);
void cr_unit_fini(struct cr_unit *u);

/* ---- internal parts */

/* The file table of a unit: this one or one that it refers to. */
struct cr_unit_files {
	Dwarf_CU *cu;
	Dwarf_CU *split; /* its split unit in another file, with the same files; NULL if none */
	struct cr_line_table table; /* empty if there is none */
	uint32_t *rows; /* by file of the table: row of the unit's files; CR_NO_ROW until used */
};

struct cr_unit_work {
	struct cr_unit *u;
	struct cr_dwarf *d;
	const struct cr_unit_watch *watch;
	uint64_t lowest;
	bool demangle;
	bool stop;
	uint64_t spare;                      /* remaining bytes of tables of other units to read */
	uint64_t name_bytes;                 /* remaining bytes of names to store */
	uint64_t seen;                       /* number of DIEs visited */
	CR_VEC(struct cr_unit_files) tables; /* [0] is the unit's own */
	struct cr_index by_unit;             /* over tables, by cu */
	struct cr_index by_entry;            /* over names, by DIE */
	CR_VEC(struct {
		const void *entry;
		uint32_t function;
	})
	names;
	struct cr_text text, linkage; /* scratch buffers */
};

/* Walk the DIEs of a unit: dwarf_tree.c. */
void cr_unit_walk(struct cr_unit_work *w, Dwarf_Die *unit);

/*
 * The row of functions for a DIE, named through its abstract origin: dwarf_name.c. CR_NO_ROW if it
 * has no name.
 */
uint32_t cr_unit_function(struct cr_unit_work *w, Dwarf_Die *die, bool inlined);

/* The row of files for a file number in the unit of `die`. */
uint32_t cr_unit_file(struct cr_unit_work *w, Dwarf_Die *die, uint64_t number);

#endif
