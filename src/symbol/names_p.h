#ifndef CR_SYMBOL_NAMES_P_H
#define CR_SYMBOL_NAMES_P_H

#include "model/profile.h"
#include "symbol/files/debugfile_p.h"

/*
 * The names for the addresses of one dso. One thread fills it, using only the profile, the files
 * and this struct. Another thread adds the result of all dsos to the profile, in order.
 */
struct cr_names {
	const struct cr_profile *p;
	cr_dso_id dso;
	struct cr_addrkey *asked; /* n rows of p's locations: those of the dso without a name */
	uint32_t n;
	const uint32_t *maps; /* n_maps rows of p's maps: those of the dso, in order */
	uint32_t n_maps;
	int32_t pid;        /* the process that has these maps; -1 if none or several */
	uint32_t *function; /* by asked: its row of functions, CR_NO_ROW if none */
	CR_VEC(struct cr_function) functions;
	struct cr_arena arena; /* owns their strings */
	/* A string literal or in arena: why nothing can be named; NULL if something can. */
	const char *why;
	/* In arena: a file with more information that has another build-id; NULL if none. */
	const char *refused;
	struct cr_build_id learned; /* build-id of the file, if the recording has none */
	/* Named from the file now at the path, without proof that it is the recorded one. */
	bool unchecked;
	struct cr_debugfile files; /* files for the lines; empty without debug info */
};

/* Sort asked by address; call it before all others. */
void cr_names_sort(struct cr_names *n);

/*
 * Name the locations; call it once. Addresses of locations, and of functions, are those of the
 * table plus bias. Returns false, with nothing named, if the table lacks a needed symbol
 * (t->short_of).
 */
bool cr_names_add(struct cr_names *n, struct cr_symtab *t, uint16_t module, uint64_t bias);

/*
 * The same for a table with absolute addresses, where the locations' addresses are those of the
 * mapped dso. Addresses outside the dso's mappings get no name.
 */
void cr_names_add_mapped(struct cr_names *n, struct cr_symtab *t);

/* Store messages of a search for files; the first of each kind is kept. */
void cr_names_report(struct cr_names *n, const char *why, const char *refused);

/* Give all locations the name of the dso. */
void cr_names_add_dso(struct cr_names *n);

/*
 * Take ownership of the files, so that lines and inlined functions can be read from them. d is
 * empty afterwards. Without debug info it is closed.
 */
void cr_names_keep(struct cr_names *n, struct cr_debugfile *d);

/* The first mapping of the dso that contains addr, for addr 0 its first mapping; NULL if none. */
const struct cr_map *cr_names_map(const struct cr_names *n, uint64_t addr);

void cr_names_fini(struct cr_names *n);

#endif
