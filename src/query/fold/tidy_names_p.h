#ifndef CR_QUERY_FOLD_TIDY_NAMES_P_H
#define CR_QUERY_FOLD_TIDY_NAMES_P_H

#include "base/text.h"

/*
 * The rules of one language, for names of functions as they are shown.
 *
 * _is_glue(): true for a function of the interpreter, the runtime or an executor, between the
 * functions of a program. _is_name(): true for a function of the program that the language itself
 * has named; NULL if glue is glue in any stack. _rename(): append the name without the marks that
 * the runtime adds, such as a compiler's tier or a number; it may be the same. NULL: names stay.
 * joins: a function below another one that gets the same name is a part of it, no call.
 */
struct cr_language {
	const char *word;
	bool (*is_glue)(struct cr_str name);
	bool (*is_name)(struct cr_str name);
	void (*rename)(struct cr_str name, struct cr_text *out);
	bool joins;
};

/* The language of this word; NULL if it is unknown. All of them: until cr_language_at() is NULL. */
const struct cr_language *cr_language_find(struct cr_str word);
const struct cr_language *cr_language_at(size_t i);

#endif
