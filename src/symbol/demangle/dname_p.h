#ifndef CR_SYMBOL_DEMANGLE_DNAME_P_H
#define CR_SYMBOL_DEMANGLE_DNAME_P_H

#include "base/text.h"

#include <stdbool.h>

/*
 * A mangled D name being parsed: shared by demangle_d.c and dvalue.c, which parses the values of
 * template parameters.
 */
struct cr_dname {
	const char *name;
	size_t at, end; /* name[at, end) is still to be parsed; name[end] is a NUL or the suffix */
	/* Position of the type reference being followed; nested ones must be before it. */
	size_t behind;
	struct cr_text *out;
	uint32_t fuel; /* remaining budget of steps, and of bytes written or moved */
	uint32_t depth;
	bool bad; /* an error occurred: everything parsed from then on is empty */
};

#define CR_DNAME_FUEL ((uint32_t)1 << 18) /* some milliseconds */

static inline bool
cr_dname_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The byte `ahead` bytes after the position; NUL at the end, and after an error. */
char cr_dname_peek(const struct cr_dname *r, size_t ahead);
/* Skip `what` if it comes next. */
bool cr_dname_next(struct cr_dname *r, const char *what);
/* Parse a decimal number. */
uint32_t cr_dname_number(struct cr_dname *r);
/*
 * Parse a back reference: Q and a number in base 26 whose last digit is lower case. *target is the
 * position that many bytes before the Q.
 */
bool cr_dname_reference(struct cr_dname *r, size_t *target);

/* Append bytes to the output. */
void cr_dname_put(struct cr_dname *r, const char *p, size_t len);
void cr_dname_puts(struct cr_dname *r, const char *s);
/* Move the output in [from, middle) to the end. */
void cr_dname_move_to_end(struct cr_dname *r, size_t from, size_t middle);
/* Truncate the output to len bytes. */
void cr_dname_cut(struct cr_dname *r, size_t len);

/* Use up `steps` of the budget; sets bad when it is exhausted. */
void cr_dname_burn(struct cr_dname *r, size_t steps);
/* Enter and leave a nesting level; false if it is too deep. */
bool cr_dname_enter(struct cr_dname *r);
void cr_dname_leave(struct cr_dname *r);

/* Parse a value of a type, given by its name and its first letter. */
void cr_dname_value(struct cr_dname *r, struct cr_str type_name, char type);
/* Parse what follows _D: the name, then its type, or Z for a name made by the compiler. */
void cr_dname_mangled(struct cr_dname *r);

#endif
