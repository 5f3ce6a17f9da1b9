#ifndef CR_SYMBOL_DWARF_LINES_P_H
#define CR_SYMBOL_DWARF_LINES_P_H

#include "dwarf_unit_p.h"
#include "model/build/naming.h"
#include "symbol/names_p.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * The source lines of a dso's locations, and the functions inlined there. Units are read side
 * by side, in any order and by any thread; what comes out is the same.
 *
 *	cr_lines_open(&l, opts, n)               n's functions are known, and its files are kept
 *	cr_lines_read(&l, i, watch)              each unit, once; several at the same time
 *	cr_lines_did(&l, 1)                      after the last one n's files are closed
 *	cr_lines_functions(&l)                   before n's functions are told to the profile
 *	cr_lines_attach(&l, n, asked, ids, naming) for each location, in order
 *	cr_lines_fini(&l)
 *
 * All zero bytes is a valid empty one: no lines are known.
 */
enum cr_lines_state {
	CR_LINES_NONE,    /* not opened, or nothing to open */
	CR_LINES_STOPPED, /* units were not read */
	CR_LINES_READ,
};

struct cr_lines {
	const struct cr_symbol_opts *opts;
	struct cr_names *n;
	enum cr_lines_state state; /* after cr_lines_functions(); READ and NONE before */
	uint32_t bare;             /* then: units that are without their .dwo file */
	uint64_t lowest;           /* of the code, in the debug file's addresses */
	struct cr_dwarf_hits hits;
	struct cr_unit *units; /* of hits.units */
	struct cr_lines_spot {
		uint32_t unit; /* CR_NO_ROW for none */
		uint32_t key;  /* of the unit's */
	} * spots;             /* of n's asked */
	uint32_t **ids;   /* by unit: the profile's rows of its functions, CR_NO_ROW until needed */
	atomic_uint left; /* units to be read */
	pthread_mutex_t lock;
	CR_VEC(struct cr_dwarf) idle; /* handles that no thread uses just now */
};

/* Find the units. Without debug info there are none. */
void cr_lines_open(struct cr_lines *l, const struct cr_symbol_opts *opts, struct cr_names *n);
void cr_lines_read(struct cr_lines *l, uint32_t unit, const struct cr_unit_watch *watch);
/* So many units need not be read any more; the last one lets go of the files. */
void cr_lines_did(struct cr_lines *l, uint32_t units);

/*
 * Give n's functions their files and first lines, and what no symbol names the function that debug
 * info knows there.
 */
void cr_lines_functions(struct cr_lines *l);

/*
 * Tell the lines of a named location, asked[i] of n, the dso's names. ids are the profile's rows
 * of n's functions.
 */
void cr_lines_attach(struct cr_lines *l, const struct cr_names *n, uint32_t i, const uint32_t *ids,
	struct cr_naming *naming);

void cr_lines_fini(struct cr_lines *l);

#endif
