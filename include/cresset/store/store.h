#ifndef CR_STORE_STORE_H
#define CR_STORE_STORE_H

#include "cresset/base/err.h"
#include "cresset/base/log.h"
#include "cresset/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A profile as one file: NAME.cresset. The format is described in docs/cresset-store.5.
 *
 * Writing goes to a temporary file beside the final name, which is synced and renamed: at any
 * moment either the old file stands there or the new one, whole.
 */
int cr_store_write(const char *path, const struct cr_profile *p, struct cr_err *err);

/* Does this input begin like a stored profile? */
bool cr_store_is(const void *head, size_t len);

/* Is there a regular file at path that does? */
bool cr_store_is_file(const char *path);

enum cr_store_parts {
	CR_STORE_OUTLINE = 0, /* names, tasks, events, facts, quality, outline: what the first screen needs */
	CR_STORE_TREE = 1,    /* and the location tree with its locations and lines */
	CR_STORE_SAMPLES = 2, /* and the samples and maps; brings the tree, which they point into */
	CR_STORE_DETAILS = 4, /* and the values and texts of the details */
	CR_STORE_ALL = 7,
};

/*
 * Read a stored profile. Tables that were not asked for are empty, and CR_PROFILE_HAS_SAMPLES is
 * set only if the samples are there. Details are always there, their values and
 * texts only if asked for. The file may go afterwards: the profile borrows nothing.
 *
 * Every block that is read is checked first. A damaged block costs its section: a section that
 * the profile cannot be shown without (names, events, outline) fails with CR_EFORMAT and the
 * offset; without another one (samples, details, mappings, tree, tasks, quality) the profile opens,
 * CR_PROFILE_IN_PART is set and the loss is logged and put into its quality. CR_EUNSUPPORTED
 * for what a newer cresset wrote, CR_ELIMIT for a small file that unpacks to more than 256 MiB
 * and 8192 times its size.
 */
int cr_store_open(const char *path, unsigned parts, struct cr_profile **out, struct cr_log *log, struct cr_err *err);

/* Facts and events only: what `ls` shows of a file, at the cost of one small section. */
int cr_store_peek(const char *path, struct cr_profile **out, struct cr_err *err);

/*
 * Check every block of a store, also those that this version has no use for, and then that it
 * can be opened whole. Fails with the first thing that is wrong; the log has all of them.
 */
int cr_store_verify(const char *path, struct cr_log *log, struct cr_err *err);

#endif
