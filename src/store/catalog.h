#ifndef CR_STORE_CATALOG_H
#define CR_STORE_CATALOG_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cr_log;
struct cr_profile;

/*
 * A directory of stored profiles, listed anew each time: there is no index that could be out of
 * date. A name is a file name without ".cresset".
 */
struct cr_catalog_entry {
	char *name;
	char *path;
	uint64_t size_bytes;
	int64_t mtime_ns; /* since 1970 */
};

struct cr_catalog {
	struct cr_catalog_entry *entries; /* sorted by name */
	size_t n;
};

/*
 * Return the store's directory in *out: dir if given, otherwise $CRESSET_STORE,
 * $XDG_DATA_HOME/cresset or $HOME/.local/share/cresset. The caller frees it. CR_EUSAGE if none of
 * them is set.
 */
int cr_catalog_dir(const char *dir, char **out, struct cr_err *err);

/* Create the directory and its parents, with mode 0700, if it is missing. */
int cr_catalog_make(const char *dir, struct cr_err *err);

/*
 * Remove temporary files of killed writers: at once if no process has their pid, otherwise after a
 * day; never while the writer holds its lock. Functions that list or change a directory of profiles
 * call it first.
 */
void cr_catalog_sweep(const char *dir);

/*
 * List the profiles in dir. A missing directory is an empty list. Files whose name cannot be the
 * name of a profile, see cr_catalog_path(), are ignored.
 */
int cr_catalog_list(const char *dir, struct cr_catalog *out, struct cr_err *err);
void cr_catalog_fini(struct cr_catalog *c);

/*
 * Return in *out the path of NAME in dir, or NAME itself if it is a path (contains '/' or ends in
 * ".cresset"). The caller frees it. CR_EUSAGE for an invalid file name ("", ".", with a NUL, 200
 * bytes or more).
 */
int cr_catalog_path(const char *dir, const char *name, char **out, struct cr_err *err);
bool cr_catalog_is_path(const char *name);

/*
 * Fail because a file or profile could not be looked up; why: the errno of that. If it does not
 * exist, the message is "missing" and the code CR_ENOTFOUND; otherwise the system's reason and
 * CR_EIO. Returns the code.
 */
int cr_catalog_no_file(int why, const char *missing, struct cr_err *err);

/*
 * Remove a profile. CR_ENOTFOUND if it does not exist, CR_EFORMAT for a path to a file that is no
 * stored profile.
 */
int cr_catalog_remove(const char *dir, const char *name, struct cr_err *err);

/*
 * Rename a profile of the store atomically. CR_EEXISTS if the new name exists and replace is false,
 * CR_EUSAGE for paths.
 */
int cr_catalog_rename(
	const char *dir, const char *from, const char *to, bool replace, struct cr_err *err);

/*
 * Store a profile under a name, which may be a path; the directory is created. how: CR_STORE_NEW or
 * CR_STORE_REPLACE, optionally with CR_STORE_REMEMBER. With CR_STORE_NEW, CR_EEXISTS if the name
 * exists, also if another process created it meanwhile. CR_EFORMAT for a path to a file that is no
 * stored profile.
 */
int cr_catalog_put(const char *dir, const char *name, unsigned how, const struct cr_profile *p,
	struct cr_err *err);

/*
 * Check in advance whether cr_catalog_put() would fail because of the name. Call it before a long
 * job, and still check the result of cr_catalog_put().
 */
int cr_catalog_may_put(const char *dir, const char *name, bool replace, struct cr_err *err);

/*
 * Store a profile under a free name derived from an input path, see cr_catalog_fresh(). The caller
 * frees *name.
 */
int cr_catalog_put_fresh(const char *dir, const char *input_path, unsigned how,
	const struct cr_profile *p, char **name, struct cr_err *err);

/*
 * Import a stored profile from a file, or from standard input for "-": copy it, check the copy as
 * cr_store_verify() does, and only then rename it into place. name NULL: a free name derived from
 * the file's. Never replaces a profile: CR_EEXISTS. *got becomes the name, which the caller frees.
 */
int cr_catalog_import(const char *dir, const char *path, const char *name, char **got,
	struct cr_log *log, struct cr_err *err);

/*
 * Copy a stored profile, byte for byte, to a path, replacing what is there. A damaged one is
 * refused.
 */
int cr_catalog_copy(const char *from, const char *to, struct cr_log *log, struct cr_err *err);

/* The preferred name for an input: "perf.data" becomes "perf". The caller frees it. */
char *cr_catalog_stem(const char *input_path);

/* A free name for an input: "perf.data" becomes "perf", then "perf-2". The caller frees it. */
char *cr_catalog_fresh(const char *dir, const char *input_path);

#endif
