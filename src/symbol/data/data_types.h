#ifndef CR_SYMBOL_DATA_DATA_TYPES_H
#define CR_SYMBOL_DATA_DATA_TYPES_H

#include "model/profile.h"
#include "symbol/data/data_symbols.h"

/*
 * The types of the data that sampled instructions access, from debug info. Three fields are added
 * to all recorded events:
 *
 *	type          "struct node", or "(stack operation)" for push, pop, call and ret
 *	type_offset   the distance from its start, in bytes
 *	type_member   the member there: "list.next"; "" for types without members
 *
 * Where that finds no variable or no member, and the sample has the address of data, the global
 * variable there counts. places: of cr_data_symbols().
 *
 * The variable is found by the registers of the memory operand; see register_types_p.h. Data
 * quality gets a row for each reason why samples whose instructions access memory have no type, and
 * the fact "data types" says how many have one. p was symbolized. Needs libcapstone, and code of
 * x86-64.
 */
void cr_data_types(struct cr_profile *p, const struct cr_symbol_opts *opts,
	const struct cr_data_places *places);

#endif
