#ifndef CR_BASE_OPTION_H
#define CR_BASE_OPTION_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * An option as data: what it is called, what it takes, and where its value is stored in the struct
 * that it belongs to. The command line, the output formats and the browser's commands have tables
 * of these, which help, completion and the manual's test read.
 */
enum cr_option_type {
	CR_OPTION_FLAG, /* bool: set by the name alone; yes or no where a value is given */
	CR_OPTION_TEXT, /* const char *, not copied; empty only if min is 0 */
	CR_OPTION_U32,  /* uint32_t from min to max */
	CR_OPTION_WORD, /* uint32_t or an enum: the number of one of the words */
};

struct cr_option_spec {
	const char *name;    /* "width", without dashes */
	const char *arg;     /* "PIXELS"; NULL for a flag */
	const char *help;    /* what it does, in lower case, without the default */
	const char *initial; /* the default as the user would write it, or NULL */
	enum cr_option_type type;
	size_t at; /* offsetof() the value in its struct */
	uint32_t min, max;
	const char *(*word)(size_t i); /* of a WORD: the words from 0 on; NULL past the last */
	const char *old_word, *now;    /* of a WORD: an old spelling of the word `now`, or NULL */
};

/*
 * Store the value that `text` names in the struct at `to`. CR_EUSAGE, with what is expected
 * instead, if the option cannot have it. text may be NULL for a flag, and must live as long as *to
 * for a text.
 */
int cr_option_set(const struct cr_option_spec *o, const char *text, void *to, struct cr_err *err);

/*
 * The one of n words that `given` was most likely meant to be, NULL if none is near enough: a
 * letter too many, too few, another one, or two that changed places, once for every three letters.
 */
const char *cr_closest(const char *given, const char *const *words, size_t n);

#endif
