#ifndef CR_SYMBOL_DATA_DATA_SYMBOLS_H
#define CR_SYMBOL_DATA_DATA_SYMBOLS_H

#include "base/vec.h"
#include "model/profile.h"
#include "symbol/opts.h"

/*
 * Name the data at the addresses that samples have: the field "addr" of perf's loads, stores and
 * page faults. Two fields are added to the events that have it:
 *
 *	data_symbol   the object of the symbol table that contains the address; without one, what is
 *	              mapped there: "[heap]", "[stack]", "//anon", the name of a file
 *	data_offset   the distance from the start of the object
 *
 * Objects without content in the file (.bss) are named too: they are in the anonymous memory that
 * follows the file's last mapping. Data of the kernel has no names. p has all samples and maps, and
 * was symbolized. Failures only leave names out.
 *
 * places: NULL, or where the data is, for cr_data_types(); cr_data_places_fini() it.
 */
struct cr_data_place {
	uint64_t addr; /* address in the dso: an offset in its file, or in .bss behind it */
	uint32_t dso;  /* 0 if it is in no file */
};

struct cr_data_rows {
	cr_event_id event;
	uint64_t n;     /* number of samples of the event */
	uint32_t *rows; /* by sample: the row of the places, CR_NO_ROW if none */
};

struct cr_data_places {
	CR_VEC(struct cr_data_place) list;
	CR_VEC(struct cr_data_rows) events;
};

void cr_data_symbols(
	struct cr_profile *p, const struct cr_symbol_opts *opts, struct cr_data_places *places);
void cr_data_places_fini(struct cr_data_places *places);

#endif
