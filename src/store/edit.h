#ifndef CR_STORE_EDIT_H
#define CR_STORE_EDIT_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* A change of one fact of a stored profile. */
struct cr_edit {
	struct cr_str key;
	struct cr_str value;
	bool remove; /* remove the fact; no error if it does not exist */
};

/*
 * Apply changes to facts of a stored profile, in order. Blocks are copied unchanged, even damaged
 * ones; only the summary is rewritten. The new file is written next to the old one and renamed, so
 * at any moment the path is a complete file. Concurrent changes of one profile wait for each other.
 * CR_ENOTFOUND if the file does not exist, CR_EFORMAT if it is no stored profile or its summary is
 * damaged.
 */
int cr_store_edit(const char *path, const struct cr_edit *edits, size_t n, struct cr_err *err);

#endif
