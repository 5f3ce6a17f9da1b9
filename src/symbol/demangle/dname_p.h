#ifndef CR_SYMBOL_DEMANGLE_DNAME_P_H
#define CR_SYMBOL_DEMANGLE_DNAME_P_H

#include "base/text.h"

#include <stdbool.h>

/*
 * A mangled name of D while it is read: for demangle_d.c, and dvalue.c, which reads the values of
 * template parameters.
 */
struct cr_dname {
	const char *name;
	size_t at, end; /* name[at, end) is to be read; name[end] is a NUL or the suffix */
	size_t behind;  /* a reference to a type stands before this one: they lead backwards */
	struct cr_text *out;
	uint32_t fuel; /* steps, and bytes put or moved about, that are left */
	uint32_t depth;
	bool bad; /* sticks: all that is read from then on is nothing */
};

#define CR_DNAME_FUEL ((uint32_t)1 << 18) /* some milliseconds */

static inline bool
cr_dname_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* What comes, so far ahead; NUL at the end, and once it is bad. */
char cr_dname_peek(const struct cr_dname *r, size_t ahead);
/* Pass by `what`, if that is what comes. */
bool cr_dname_next(struct cr_dname *r, const char *what);
uint32_t cr_dname_number(struct cr_dname *r);
/* Q and a number of base 26, its last digit a small letter: so many bytes before the Q. */
bool cr_dname_reference(struct cr_dname *r, size_t *target);

void cr_dname_put(struct cr_dname *r, const char *p, size_t len);
void cr_dname_puts(struct cr_dname *r, const char *s);
/* What was put at [from, middle) goes to the end. */
void cr_dname_move_to_end(struct cr_dname *r, size_t from, size_t middle);
/* Forget what was put behind the first len bytes. */
void cr_dname_cut(struct cr_dname *r, size_t len);

void cr_dname_burn(struct cr_dname *r, size_t steps);
/* Around what may be nested. */
bool cr_dname_enter(struct cr_dname *r);
void cr_dname_leave(struct cr_dname *r);

/* A value of a type, its name and the letter that it starts with. */
void cr_dname_value(struct cr_dname *r, struct cr_str type_name, char type);
/* Behind _D: the name, then its type, or Z if the compiler made it. */
void cr_dname_mangled(struct cr_dname *r);

#endif
