#ifndef CR_SYMBOL_DWARF_DWARF_UNIT_P_H
#define CR_SYMBOL_DWARF_DWARF_UNIT_P_H

#include "base/hash.h"
#include "dwarf_units_p.h"
#include "model/profile.h"

/*
 * What a unit says of the addresses that are asked of it: their lines, the function that they are
 * in and the functions inlined there.
 */
struct cr_unit_node {
	uint32_t function; /* row of functions; CR_NO_ROW when it has no name */
	uint32_t caller;   /* the node that it is inlined in; CR_NO_ROW for a function of its own */
	uint32_t file;     /* of the call, a row of files */
	uint32_t line;     /* of the call; 0 when not known */
	uint64_t start;    /* of a function of its own */
};

struct cr_unit_answer {
	uint32_t node; /* the innermost one; CR_NO_ROW when the unit knows of no function there */
	uint32_t file; /* row of files */
	uint32_t line; /* 0 when not known */
};

struct cr_unit {
	const struct cr_dwarf_hit *hit;
	struct cr_unit_answer
		*answers; /* of the hit's keys; NULL until cr_unit_read() is through */
	bool bare;        /* lines only: the rest of it is in a .dwo file that cannot be had */
	CR_VEC(struct cr_unit_node) nodes;
	CR_VEC(struct cr_function) functions; /* without dso */
	CR_VEC(struct cr_str) files;          /* paths; [0] is "", not known. Two may be the same */
	struct cr_arena arena;
};

/* Whether to go on, asked now and then; false makes cr_unit_read() give up. */
struct cr_unit_watch {
	bool (*go_on)(void *user);
	void *user;
};

/*
 * Fill u, whose hit is set. The lines first, then one way through the entries of the unit, into
 * those only that can have code at one of the addresses. When that leaves some without a function,
 * once more into all of them: functions may be inside of types and of other functions. lowest: as
 * for cr_dwarf_units().
 */
void cr_unit_read(struct cr_unit *u, struct cr_dwarf *d, uint64_t lowest, bool demangle,
	const struct cr_unit_watch *watch);
void cr_unit_fini(struct cr_unit *u);

/* ---- for the parts of it */

/* The files of a unit, this one or one that it refers to. */
struct cr_unit_files {
	Dwarf_CU *cu;
	Dwarf_CU *split; /* what is in another file of it, with the same files; NULL for nothing */
	struct cr_line_table table; /* empty when there is none */
	uint32_t *rows;             /* of the unit's files, by the table's; CR_NO_ROW until asked */
};

struct cr_unit_work {
	struct cr_unit *u;
	struct cr_dwarf *d;
	const struct cr_unit_watch *watch;
	uint64_t lowest;
	bool demangle;
	bool stop;
	uint64_t seen;                       /* entries */
	CR_VEC(struct cr_unit_files) tables; /* [0] is the unit's own */
	struct cr_index by_unit;             /* tables by cu */
	struct cr_index by_entry;            /* names by entry */
	CR_VEC(struct {
		const void *entry;
		uint32_t function;
	})
	names;
	struct cr_text text, linkage; /* scratch */
};

/* The walk: dwarf_tree.c. */
void cr_unit_walk(struct cr_unit_work *w, Dwarf_Die *unit);

/*
 * A row of functions for an entry, through what it is an instance of: dwarf_name.c. CR_NO_ROW
 * without a name.
 */
uint32_t cr_unit_function(struct cr_unit_work *w, Dwarf_Die *die, bool inlined);

/* A row of files; of the files as the unit of `die` numbers them. */
uint32_t cr_unit_file(struct cr_unit_work *w, Dwarf_Die *die, uint64_t number);

#endif
