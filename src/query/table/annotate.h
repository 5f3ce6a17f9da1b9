#ifndef CR_QUERY_TABLE_ANNOTATE_H
#define CR_QUERY_TABLE_ANNOTATE_H

#include "base/err.h"
#include "base/vec.h"
#include "model/profile.h"

struct cr_filter;

/*
 * What a function costs line by line and instruction by instruction. A function is all rows of one
 * name in one dso, as in the tables: what is called, and what is inlined elsewhere.
 *
 * Self of a line is what the samples cost that were taken there, total what those cost that have it
 * anywhere in their stack, each once however often it recurs. Selfs of the function's own lines add
 * up to its self, what has no line among them.
 */
struct cr_cost {
	uint64_t self, total; /* in the event's unit */
	uint64_t self_samples, total_samples;
};

/*
 * A line of the function's own, or of one that is inlined there: these know the line at which they
 * are. Its file may be another one than the function's.
 */
struct cr_annotate_line {
	cr_function_id function;
	struct cr_str file; /* "" when not known */
	uint32_t line;      /* 0 when not known */
	uint32_t at; /* row of lines: where it is inlined; CR_NO_ROW for a line of the function's
			own */
	struct cr_cost cost;
};

/*
 * An instruction, or an address where none is known. Self is that of the instruction, whatever is
 * inlined there.
 */
struct cr_annotate_address {
	cr_function_id function;
	uint64_t addr; /* in the dso */
	uint32_t size; /* of the instruction; 0 when not known */
	uint32_t line; /* row of lines: the innermost one there; CR_NO_ROW where no sample tells */
	struct cr_cost cost;
};

/* Another function that it is inlined in, and what it costs there. */
struct cr_annotate_host {
	cr_function_id function;
	struct cr_cost cost;
};

struct cr_annotate {
	cr_event_id event;
	uint64_t whole, whole_samples; /* of what is selected */
	struct cr_cost cost;           /* of the function, as the tables have it */
	struct cr_cost code; /* of its code: with what is inlined in it, without copies inlined
				elsewhere */
	CR_VEC(struct cr_annotate_line)
	lines; /* by file, then line, what is inlined behind where it is */
	CR_VEC(struct cr_annotate_address)
	addresses; /* by function, then address; all that are known, and further ones */
	CR_VEC(struct cr_annotate_host) hosts; /* by falling total */
};

/*
 * Functions by a name: as the tables show it or as the symbol table has it; or /PATTERN/, a regular
 * expression.
 */
struct cr_annotate_name {
	struct cr_str name, dso; /* as in the tables */
	uint32_t first, n;       /* of functions */
};

struct cr_annotate_found {
	CR_VEC(struct cr_annotate_name)
	names; /* one is what one wants; of none nothing is called so */
	CR_VEC(cr_function_id) functions;
	struct cr_arena arena;
};

/* dso: a path or what follows its last '/'; NULL is any. CR_EUSAGE for a bad pattern. */
int cr_annotate_find(const struct cr_profile *p, const char *what, const char *dso,
	struct cr_annotate_found *out, struct cr_err *err);
void cr_annotate_found_fini(struct cr_annotate_found *f);

/*
 * p must have its samples, tree and lines. `known`: instructions by function, then address, without
 * overlap; of them only function, addr and size are read. A caller's cost is that of its call, so
 * an address in the midst of an instruction counts for it. Fails as cr_select() does. O(samples +
 * nodes + lines).
 */
int cr_annotate_make(const struct cr_profile *p, const struct cr_filter *f,
	const cr_function_id *functions, uint32_t n, const struct cr_annotate_address *known,
	size_t n_known, struct cr_annotate *out, struct cr_err *err);
void cr_annotate_fini(struct cr_annotate *a);

/* The same of the samples that sel selects, as cr_select() gives them, which are of this event. */
void cr_annotate_selected(const struct cr_profile *p, cr_event_id event, const uint8_t *sel,
	const cr_function_id *functions, uint32_t n, const struct cr_annotate_address *known,
	size_t n_known, struct cr_annotate *out);

#endif
