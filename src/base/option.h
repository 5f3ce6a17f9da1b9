#ifndef CR_BASE_OPTION_H
#define CR_BASE_OPTION_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * An option as data: name, argument, and where its value is stored in a struct. The command line,
 * the output formats and the browser's commands have tables of these. Help, completion and the test
 * of the manual read the tables.
 */
enum cr_option_type {
	CR_OPTION_FLAG,   /* bool: set by the name alone; yes or no if a value is given */
	CR_OPTION_TEXT,   /* const char *, not copied; may be empty only if min is 0 */
	CR_OPTION_U32,    /* uint32_t in [min, max] */
	CR_OPTION_WORD,   /* uint32_t or an enum: the index of the word */
	CR_OPTION_PARSED, /* of any type: parse() stores it */
};

struct cr_option_spec {
	const char *name;    /* "width", without dashes */
	const char *arg;     /* "PIXELS"; NULL for a flag */
	const char *help;    /* what it does, in lower case, without the default */
	const char *initial; /* the default as the user would write it, or NULL */
	enum cr_option_type type;
	size_t at; /* offsetof() the value in the struct */
	uint32_t min, max;
	/* For a WORD: the i-th word, counted from 0; NULL past the last. */
	const char *(*word)(size_t i);
	/* For PARSED: parse text into the value at `at`; CR_EUSAGE as for cr_option_set(). */
	int (*parse)(const char *text, void *at, struct cr_err *err);
	const char *old_word, *now; /* for a WORD: an old spelling of the word `now`, or NULL */
};

/*
 * Parse `text` and store the value in the struct at `to`. CR_EUSAGE, with the expected form in the
 * message, if it is invalid. text may be NULL for a flag. For CR_OPTION_TEXT it must live as long
 * as *to.
 */
int cr_option_set(const struct cr_option_spec *o, const char *text, void *to, struct cr_err *err);

/*
 * Return the one of n words that `given` is most likely a misspelling of, or NULL if none is close.
 * Each error is one letter added, missing, replaced or swapped with the next; one error per three
 * letters is allowed.
 */
const char *cr_closest(const char *given, const char *const *words, size_t n);

#endif
