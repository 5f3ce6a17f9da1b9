#ifndef CR_SYMBOL_DWARF_DWARF_TYPE_P_H
#define CR_SYMBOL_DWARF_DWARF_TYPE_P_H

#include "base/text.h"
#include "dwarf_file_p.h"

/*
 * Types of data in debug info. Types may refer to themselves in a hostile file, so every chain of
 * references has a limit. References to other files are followed only as cr_dwarf_refer() does.
 */

/* An attribute of a DIE, or of the DIE that it specifies or is an instance of. */
bool cr_dwarf_type_attr(
	const struct cr_dwarf *d, Dwarf_Die *die, unsigned name, Dwarf_Attribute *out);

/* The type of a variable, a parameter, a member or a type; false if it has none (void). */
bool cr_dwarf_type_of(const struct cr_dwarf *d, Dwarf_Die *die, Dwarf_Die *out);

/* Replace a typedef or a const, volatile ... type by what it stands for. */
void cr_dwarf_type_peel(const struct cr_dwarf *d, Dwarf_Die *type);

/* What a pointer or a reference points at; false for other types, and for void *. */
bool cr_dwarf_type_target(const struct cr_dwarf *d, const Dwarf_Die *type, Dwarf_Die *out);

/* The size in bytes; 0 if it is unknown. */
uint64_t cr_dwarf_type_size(const struct cr_dwarf *d, const Dwarf_Die *type);

/*
 * Append the name as in C: "struct node", "unsigned int", "node_t" for a typedef of a struct
 * without a name, "char *", "int[]". Nothing is appended if there is none.
 */
void cr_dwarf_type_name(const struct cr_dwarf *d, const Dwarf_Die *type, struct cr_text *out);

/*
 * The member at an offset of a type: its path is appended, such as "list.next" or "values[]", and
 * *type becomes its type; *offset what is left in that. *budget limits the number of members that
 * are examined; it is decreased.
 */
void cr_dwarf_type_member(const struct cr_dwarf *d, Dwarf_Die *type, uint64_t *offset,
	uint64_t *budget, struct cr_text *path);

/*
 * The only place in a type that an access of so many bytes may be of: a number or a pointer of that
 * size, or an array of them. False if there are several or none. What is examined is taken from
 * *budget.
 */
bool cr_dwarf_type_only(const struct cr_dwarf *d, const Dwarf_Die *type, unsigned bytes,
	uint64_t *budget, uint64_t *offset);

#endif
