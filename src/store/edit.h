#ifndef CR_STORE_EDIT_H
#define CR_STORE_EDIT_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* What is to become of a fact of a stored profile. */
struct cr_edit {
	struct cr_str key;
	struct cr_str value;
	bool remove; /* no failure where there is none */
};

/*
 * Change facts of a stored profile, one after the other, and nothing else: its blocks are copied as
 * they are, damaged ones too, and the summary is written anew. Through a temporary file beside it,
 * so that at any moment the old one or the new one stands there whole; two who change the same
 * profile take turns. CR_ENOTFOUND when there is no such file, CR_EFORMAT when it is no store or
 * its summary is damaged.
 */
int cr_store_edit(const char *path, const struct cr_edit *edits, size_t n, struct cr_err *err);

#endif
