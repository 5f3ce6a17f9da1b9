#ifndef CR_SYMBOL_DATA_DATA_SYMBOLS_H
#define CR_SYMBOL_DATA_DATA_SYMBOLS_H

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
 */
void cr_data_symbols(struct cr_profile *p, const struct cr_symbol_opts *opts);

#endif
