#ifndef CR_STORE_CATALOG_H
#define CR_STORE_CATALOG_H

#include "cresset/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A folder of stored profiles. The folder is the catalogue: there is no index to get out of
 * step. A name is a file name without ".cresset".
 */
struct cr_catalog_entry {
	char *name;
	char *path;
	uint64_t size_bytes;
	int64_t mtime; /* seconds since 1970 */
};

struct cr_catalog {
	struct cr_catalog_entry *entries; /* by name */
	size_t n;
};

/*
 * The store's folder: dir if given, else $CRESSET_STORE, else $XDG_DATA_HOME/cresset, else
 * $HOME/.local/share/cresset; the caller's to free. CR_EUSAGE when none of these is set.
 */
int cr_catalog_dir(const char *dir, char **out, struct cr_err *err);

/* Make the folder and its parents, 0700, if it is missing. */
int cr_catalog_make(const char *dir, struct cr_err *err);

/*
 * A missing folder is an empty catalogue. What killed writers left is swept: at once if no process
 * has their pid, else after a day; never while its writer holds the lock on it.
 */
int cr_catalog_list(const char *dir, struct cr_catalog *out, struct cr_err *err);
void cr_catalog_fini(struct cr_catalog *c);

/*
 * The path of NAME in dir, or NAME itself if it is a path (it has a '/' or ends in ".cresset");
 * the caller's to free. CR_EUSAGE for a name that cannot be a file name ("", ".", a NUL, 200 bytes and more).
 */
int cr_catalog_path(const char *dir, const char *name, char **out, struct cr_err *err);
bool cr_catalog_is_path(const char *name);

/* CR_ENOTFOUND if there is no such profile, CR_EFORMAT for a path to a file that is none. */
int cr_catalog_remove(const char *dir, const char *name, struct cr_err *err);

/* The name an input gets if nothing has it yet: "perf.data" becomes "perf". The caller's to free. */
char *cr_catalog_stem(const char *input_path);

/*
 * A free name for an input, from its file name ("perf.data" becomes "perf", then "perf-2").
 * The caller's to free.
 */
char *cr_catalog_fresh(const char *dir, const char *input_path);

#endif
