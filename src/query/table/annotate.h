#ifndef CR_QUERY_TABLE_ANNOTATE_H
#define CR_QUERY_TABLE_ANNOTATE_H

#include "base/err.h"
#include "base/vec.h"
#include "model/profile.h"

struct cr_block_cycles;
struct cr_filter;
struct cr_node_costs;

/*
 * The cost of a function by line and by instruction. A function means all functions with one name
 * in one dso, as in the tables: the callable copy and the inlined ones.
 *
 * Self of a line is the cost of samples taken there; total is the cost of samples with the line
 * anywhere in their stack, each counted once. The selfs of the function's own lines, including the
 * unknown line, add up to its self.
 */
struct cr_cost {
	uint64_t self, total; /* in the event's unit */
	uint64_t self_samples, total_samples;
};

/*
 * The basic blocks that end at a line or an instruction: their cycles, and how many they are.
 * Both are 0 if no branch with cycles was recorded there. The cycles of one block; 0: not known.
 */
struct cr_block_sum {
	uint64_t cycles, n;
	uint64_t least, most;
};

/*
 * A line of the function, or of a function inlined into it; then `at` is the line where. Its file
 * may differ from the function's.
 */
struct cr_annotate_line {
	cr_function_id function;
	struct cr_str file; /* "" if unknown */
	uint32_t line;      /* 0 if unknown */
	/* Row of lines: where it is inlined; CR_NO_ROW for a line of the function itself. */
	uint32_t at;
	struct cr_cost cost;
	struct cr_block_sum blocks;
};

/*
 * An instruction, or an address if instructions are unknown. Self is the cost of the instruction,
 * including functions inlined there.
 */
struct cr_annotate_address {
	cr_function_id function;
	uint64_t addr; /* in the dso */
	uint32_t size; /* of the instruction, in bytes; 0 if unknown */
	uint32_t line; /* row of lines: the innermost one there; CR_NO_ROW if no sample tells */
	struct cr_cost cost;
	struct cr_block_sum blocks;
	/* Instructions and cycles of all blocks of the function that ran through it; 0: unknown. */
	uint64_t run_instructions, run_cycles;
	struct cr_str type; /* of the data that it accesses, see code_types.h; "" if unknown */
};

/* Another function that this one is inlined into, and its cost there. */
struct cr_annotate_host {
	cr_function_id function;
	struct cr_cost cost;
};

struct cr_annotate {
	cr_event_id event;
	uint64_t whole, whole_samples; /* total of the selected samples */
	struct cr_cost cost;           /* of the function, as in the tables */
	/* Of its code: with functions inlined into it, without its copies inlined elsewhere. */
	struct cr_cost code;
	/* Sorted by file, then line; inlined ones after the line where they are. */
	CR_VEC(struct cr_annotate_line)
	lines;
	/* Sorted by function, then address; all known instructions, and other addresses. */
	CR_VEC(struct cr_annotate_address)
	addresses;
	CR_VEC(struct cr_annotate_host) hosts; /* by falling total */
	bool has_blocks;                       /* some line has blocks */
	/* Of all blocks inside the function whose instructions are known. */
	uint64_t run_instructions, run_cycles;
	uint32_t n_run, n_known; /* instructions in such blocks; known ones */
	bool has_types;          /* some address has a type */
	struct cr_arena types;   /* owns them */
};

/*
 * Functions with a name: as shown in tables, as in the symbol table, or matching /PATTERN/, a
 * regular expression.
 */
struct cr_annotate_name {
	struct cr_str name, dso; /* as in the tables */
	uint32_t first, n;       /* range of functions */
};

struct cr_annotate_found {
	/* One for an unambiguous match; empty if nothing matches. */
	CR_VEC(struct cr_annotate_name)
	names;
	CR_VEC(cr_function_id) functions;
	struct cr_arena arena;
};

/* dso: a path, or what follows its last '/'; NULL means any. CR_EUSAGE for an invalid pattern. */
int cr_annotate_find(const struct cr_profile *p, const char *what, const char *dso,
	struct cr_annotate_found *out, struct cr_err *err);
void cr_annotate_found_fini(struct cr_annotate_found *f);

/* The row of an address of a function in the finished a->addresses; CR_NO_ROW if it has none. */
uint32_t cr_annotate_row(const struct cr_annotate *a, cr_function_id function, uint64_t addr);

/*
 * p must have its samples, tree and lines. known: instructions sorted by function, then address,
 * without overlap; only function, addr and size are read. The cost of a caller belongs to its call,
 * so an address inside an instruction counts for it. Fails like cr_select(). O(samples + nodes +
 * lines).
 */
int cr_annotate_make(const struct cr_profile *p, const struct cr_filter *f,
	const cr_function_id *functions, uint32_t n, const struct cr_annotate_address *known,
	size_t n_known, struct cr_annotate *out, struct cr_err *err);
void cr_annotate_fini(struct cr_annotate *a);

/*
 * The same from the costs of the selected samples, which are of this event. blocks: those of the
 * profile, or NULL; lines and addresses where they end are included. O(nodes + lines + blocks).
 */
void cr_annotate_costs(const struct cr_profile *p, cr_event_id event,
	const struct cr_node_costs *costs, const struct cr_block_cycles *blocks,
	const cr_function_id *functions, uint32_t n, const struct cr_annotate_address *known,
	size_t n_known, struct cr_annotate *out);

#endif
