#ifndef CR_SYMBOL_DWARF_LINES_P_H
#define CR_SYMBOL_DWARF_LINES_P_H

#include "dwarf_unit_p.h"
#include "model/build/naming.h"
#include "symbol/names_p.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * The source lines of a dso's locations, and the functions inlined there. Units may be read in any
 * order and by several threads; the result is the same.
 *
 *	cr_lines_open(&l, opts, n)               n has its functions, and its files are still open
 *	cr_lines_read(&l, i, watch)              each unit, once; several at the same time
 *	cr_lines_did(&l, 1)                      after the last one n's files are closed
 *	cr_lines_functions(&l)                   before n's functions are added to the profile
 *	cr_lines_attach(&l, n, asked, ids, naming) for each location, in order
 *	cr_lines_fini(&l)
 *
 * All zero bytes is a valid empty one, without lines.
 */
enum cr_lines_state {
	CR_LINES_NONE,    /* not opened, or no debug info */
	CR_LINES_STOPPED, /* cancelled: some units were not read */
	CR_LINES_REFUSED, /* cr_dwarf_open() did not open the file */
	CR_LINES_READ,
};

struct cr_lines {
	const struct cr_symbol_opts *opts;
	struct cr_names *n;
	enum cr_lines_state state; /* set by cr_lines_functions(); before only READ and NONE */
	uint32_t bare;             /* set then too: number of units whose .dwo file is missing */
	uint64_t lowest;           /* start of the code, in addresses of the debug file */
	struct cr_dwarf_hits hits;
	struct cr_unit *units; /* by hits.units */
	struct cr_lines_spot {
		uint32_t unit; /* CR_NO_ROW if none */
		uint32_t key;  /* index among the unit's keys */
	} * spots;             /* by n's asked */
	uint32_t **ids; /* by unit: rows of its functions in the profile, CR_NO_ROW until needed */
	atomic_uint left;    /* number of units to read */
	atomic_bool refused; /* a unit could not be read */
	pthread_mutex_t lock;
	bool is_checked;              /* a handle was opened */
	CR_VEC(struct cr_dwarf) idle; /* handles not used by a thread at the moment */
};

/* Find the units; none if there is no debug info. */
void cr_lines_open(struct cr_lines *l, const struct cr_symbol_opts *opts, struct cr_names *n);
/* Read a unit. */
void cr_lines_read(struct cr_lines *l, uint32_t unit, const struct cr_unit_watch *watch);
/* Report that `units` units are done, read or not. After the last one the files are closed. */
void cr_lines_did(struct cr_lines *l, uint32_t units);

/*
 * Give n's functions their files and first lines; and name locations without a symbol by the
 * function of the debug info.
 */
void cr_lines_functions(struct cr_lines *l);

/*
 * Add the lines of a named location, asked[i] of n. ids: by function of n, its row in the profile.
 */
void cr_lines_attach(struct cr_lines *l, const struct cr_names *n, uint32_t i, const uint32_t *ids,
	struct cr_naming *naming);

void cr_lines_fini(struct cr_lines *l);

#endif
