#ifndef CR_SYMBOL_NAMES_P_H
#define CR_SYMBOL_NAMES_P_H

#include "model/profile.h"
#include "symbol/files/debugfile_p.h"

/*
 * What the addresses of one dso are called. One thread fills it, seeing only the profile, the
 * files and this; another one hands all of them to the profile, in order.
 */
struct cr_names {
	const struct cr_profile *p;
	cr_dso_id dso;
	struct cr_addrkey *asked; /* n rows of p's locations: the nameless ones of the dso */
	uint32_t n;
	const uint32_t *maps; /* n_maps rows of p's maps: those of the dso, in their order */
	uint32_t n_maps;
	int32_t pid;        /* of the process whose maps they are; -1 for none, or for several */
	uint32_t *function; /* for each the row of functions, CR_NO_ROW for none */
	CR_VEC(struct cr_function) functions;
	struct cr_arena arena; /* their strings */
	const char
		*why; /* a literal or in arena: why nothing can be named; NULL when something can */
	const char *refused; /* in arena: a file that could have told more but was of another build;
				NULL for none */
	struct cr_build_id learned; /* the build-id of the file, when the recording has none */
	bool unchecked;             /* named from the file at the path, whatever it is now */
	struct cr_debugfile files;  /* for the lines; empty without debug info */
};

/* Bring asked in the order of addresses; due before any of the others. */
void cr_names_sort(struct cr_names *n);

/*
 * Name the locations, once. A location's address is one of the table's plus bias, and so is that
 * of a function. false, and nothing is named, when the table is short of something.
 */
bool cr_names_add(struct cr_names *n, struct cr_symtab *t, uint16_t module, uint64_t bias);

/*
 * The same where the table has absolute addresses and the locations' are of the mapped dso.
 * What the dso's mappings do not hold is not named.
 */
void cr_names_add_mapped(struct cr_names *n, struct cr_symtab *t);

/* Keep what a search for files says of itself; the same words only once. */
void cr_names_report(struct cr_names *n, const char *why, const char *refused);

/* Give all of them the same name: that of the dso. */
void cr_names_add_dso(struct cr_names *n);

/*
 * Take the files, so that lines and inlined functions can be looked up in them afterwards. d is
 * empty then; without debug info it is closed.
 */
void cr_names_keep(struct cr_names *n, struct cr_debugfile *d);

/* The first mapping of the dso that holds addr, for addr 0 its first; NULL without one. */
const struct cr_map *cr_names_map(const struct cr_names *n, uint64_t addr);

void cr_names_fini(struct cr_names *n);

#endif
