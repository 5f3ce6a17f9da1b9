#ifndef CR_STORE_CATALOG_H
#define CR_STORE_CATALOG_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cr_log;
struct cr_profile;

/*
 * A directory of stored profiles. The directory is the catalogue: there is no index to get out of
 * step. A name is a file name without ".cresset".
 */
struct cr_catalog_entry {
	char *name;
	char *path;
	uint64_t size_bytes;
	int64_t mtime_ns; /* since 1970 */
};

struct cr_catalog {
	struct cr_catalog_entry *entries; /* by name */
	size_t n;
};

/*
 * The store's directory: dir if given, else $CRESSET_STORE, else $XDG_DATA_HOME/cresset, else
 * $HOME/.local/share/cresset; the caller's to free. CR_EUSAGE when none of these is set.
 */
int cr_catalog_dir(const char *dir, char **out, struct cr_err *err);

/* Make the directory and its parents, 0700, if it is missing. */
int cr_catalog_make(const char *dir, struct cr_err *err);

/*
 * Remove what killed writers left in a directory: at once if no process has their pid, else after a
 * day; never while its writer holds the lock on it. Whatever lists or changes a directory of
 * profiles does this first.
 */
void cr_catalog_sweep(const char *dir);

/*
 * A missing directory is an empty catalogue. Passed over are files that no profile can be called
 * like, as cr_catalog_path() has it.
 */
int cr_catalog_list(const char *dir, struct cr_catalog *out, struct cr_err *err);
void cr_catalog_fini(struct cr_catalog *c);

/*
 * The path of NAME in dir, or NAME itself if it is a path (it has a '/' or ends in ".cresset");
 * the caller's to free. CR_EUSAGE for a name that cannot be a file name ("", ".", a NUL, 200 bytes
 * and more).
 */
int cr_catalog_path(const char *dir, const char *name, char **out, struct cr_err *err);
bool cr_catalog_is_path(const char *name);

/*
 * Fail because a file or profile could not be looked up; why is the errno of that. If nothing has
 * the name the message is "missing" and the code CR_ENOTFOUND; otherwise the system's reason and
 * CR_EIO. Returns the code.
 */
int cr_catalog_no_file(int why, const char *missing, struct cr_err *err);

/* CR_ENOTFOUND if there is no such profile, CR_EFORMAT for a path to a file that is none. */
int cr_catalog_remove(const char *dir, const char *name, struct cr_err *err);

/*
 * Give a profile of the store another name, at once. CR_EEXISTS when that is taken and not to be
 * replaced, CR_EUSAGE for paths.
 */
int cr_catalog_rename(
	const char *dir, const char *from, const char *to, bool replace, struct cr_err *err);

/*
 * Keep a profile under a name, which may be a path; the directory is made. how: CR_STORE_NEW or
 * CR_STORE_REPLACE, and CR_STORE_REMEMBER or not. CR_EEXISTS when the name is taken and not to be
 * replaced, also when somebody else took it meanwhile; CR_EFORMAT for a path where a file is that
 * is no profile.
 */
int cr_catalog_put(const char *dir, const char *name, unsigned how, const struct cr_profile *p,
	struct cr_err *err);

/*
 * Would that fail because of what has the name? To be asked before a long job, not instead of what
 * it returns.
 */
int cr_catalog_may_put(const char *dir, const char *name, bool replace, struct cr_err *err);

/*
 * The same under a free name for an input, see cr_catalog_fresh(); *name is the caller's to free.
 */
int cr_catalog_put_fresh(const char *dir, const char *input_path, unsigned how,
	const struct cr_profile *p, char **name, struct cr_err *err);

/*
 * Take a stored profile over, from a file, or from standard input as "-": copied, checked as
 * cr_store_verify() does, and put into its place only then. name NULL: a free one, from the file's.
 * Never in the place of another: CR_EEXISTS. *got gets the name, the caller's to free.
 */
int cr_catalog_import(const char *dir, const char *path, const char *name, char **got,
	struct cr_log *log, struct cr_err *err);

/*
 * A whole stored profile, byte for byte, to a path, in the place of what stands there; one that is
 * damaged is refused.
 */
int cr_catalog_copy(const char *from, const char *to, struct cr_log *log, struct cr_err *err);

/*
 * The name an input gets if nothing has it yet: "perf.data" becomes "perf". The caller's to free.
 */
char *cr_catalog_stem(const char *input_path);

/*
 * A free name for an input, from its file name ("perf.data" becomes "perf", then "perf-2").
 * The caller's to free.
 */
char *cr_catalog_fresh(const char *dir, const char *input_path);

#endif
