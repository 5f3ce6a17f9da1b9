#ifndef CR_BASE_ATOMIC_FILE_H
#define CR_BASE_ATOMIC_FILE_H

#include "base/access.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A file that is written as PATH.tmp.PID.RANDOM beside its place, synced and renamed: at any moment
 * the old file is there or the new one, whole.
 *
 *	cr_atomic_open(path, mode, access, &f, err)
 *	cr_atomic_write(&f, bytes, len, err)      any number of times; or write to f.fd
 *	cr_atomic_commit(&f, how, err)
 *	cr_atomic_close(&f)                       always; without a commit nothing is left
 *
 * A signal removes the temporary file (base/cleanup.h). What SIGKILL leaves of a stored
 * profile cr_catalog_sweep() removes: a lock on the file says that its writer lives.
 */
struct cr_atomic_file {
	const char *path; /* the caller's */
	char *temp;       /* NULL when it is gone */
	int fd;
	int old; /* the caller's: the file whose permissions are kept, -1: the one at path */
	struct cr_access access;
};

/*
 * mode: permissions of a new file, before the umask. access: who may read what is written to it;
 * the file gets no permission that shows it to others. NULL: no limit.
 */
int cr_atomic_open(const char *path, uint32_t mode, const struct cr_access *access,
	struct cr_atomic_file *f, struct cr_err *err);

int cr_atomic_write(struct cr_atomic_file *f, const void *bytes, size_t len, struct cr_err *err);

/* The same to any open file: all bytes, in as many calls as that takes. CR_EIO. */
int cr_write_whole(int fd, const void *bytes, size_t len, struct cr_err *err);

/* Copy the bytes [from, to) of another file; shared with it where the file system can. */
int cr_atomic_copy(
	struct cr_atomic_file *f, int fd, uint64_t from, uint64_t to, struct cr_err *err);

enum cr_atomic_how {
	CR_ATOMIC_NEW,     /* CR_EEXISTS if something is at the path */
	CR_ATOMIC_REPLACE, /* the file that is there is replaced; the new one keeps what is listed
			      below */
	CR_ATOMIC_FORCE,   /* the same, and keeps nothing of the old one */
};

/*
 * Sync the file and rename it. Whoever replaces a file keeps its owner, group, read, write and
 * execute permissions, access control list and extended attributes (except for those that are about
 * its bytes, such as security.ima); where that is not permitted, it fails and nothing is replaced.
 * Permissions that `access` rules out are not kept, and a file of another user is not replaced by
 * what not everybody may read. If only the directory cannot be synced, that is an error too, though
 * the new file is in its place: it may be lost when the machine stops.
 */
int cr_atomic_commit(struct cr_atomic_file *f, enum cr_atomic_how how, struct cr_err *err);

void cr_atomic_close(struct cr_atomic_file *f);

/* Rename, but not over anything: CR_EEXISTS. */
int cr_rename_new(const char *from, const char *to, struct cr_err *err);

/*
 * Sync the directory that path is in, so that what was renamed or removed there stays so when the
 * machine stops. A file system that cannot sync directories, and a directory that may be written
 * but not read, are no failure.
 */
int cr_sync_directory(const char *path, struct cr_err *err);

#endif
