#ifndef CR_BASE_ATOMIC_FILE_H
#define CR_BASE_ATOMIC_FILE_H

#include "base/access.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A file that is written as PATH.tmp.PID.RANDOM in the same directory, synced and renamed. At any
 * moment the path is the complete old file or the complete new one.
 *
 *	cr_atomic_open(path, mode, access, &f, err)
 *	cr_atomic_write(&f, bytes, len, err)      any number of times; or write to f.fd
 *	cr_atomic_commit(&f, how, err)
 *	cr_atomic_close(&f)                       always; without a commit nothing remains
 *
 * A signal removes the temporary file (base/cleanup.h). If SIGKILL leaves one of a stored profile,
 * cr_catalog_sweep() removes it: the writer holds a lock on the file as long as it lives.
 */
struct cr_atomic_file {
	const char *path; /* borrowed from the caller */
	char *temp;       /* NULL after the rename or removal */
	int fd;
	int old; /* borrowed: the file whose permissions are kept; -1: the one at path */
	struct cr_access access;
};

/*
 * Create the temporary file. mode: permissions of a new file, before the umask. access: who may
 * read the content; the file gets no permissions beyond that. NULL: no limit.
 */
int cr_atomic_open(const char *path, uint32_t mode, const struct cr_access *access,
	struct cr_atomic_file *f, struct cr_err *err);

/* Write all bytes. Returns CR_EIO on failure. */
int cr_atomic_write(struct cr_atomic_file *f, const void *bytes, size_t len, struct cr_err *err);

/* The same to any open file. */
int cr_write_whole(int fd, const void *bytes, size_t len, struct cr_err *err);

/*
 * Append the bytes [from, to) of the file fd. They are shared with it if the file system supports
 * that.
 */
int cr_atomic_copy(
	struct cr_atomic_file *f, int fd, uint64_t from, uint64_t to, struct cr_err *err);

enum cr_atomic_how {
	CR_ATOMIC_NEW,     /* fail with CR_EEXISTS if the path exists */
	CR_ATOMIC_REPLACE, /* replace an existing file and keep its permissions, as listed below */
	CR_ATOMIC_FORCE,   /* replace an existing file and keep nothing of it */
};

/*
 * Sync the file and rename it to its path. With CR_ATOMIC_REPLACE the new file gets the owner,
 * group, permissions (read, write, execute), access control list and extended attributes of the
 * old one. Attributes about its bytes, such as security.ima, are not copied. If that is not
 * permitted, the call fails and replaces nothing. Permissions beyond `access` are not kept. A file
 * of another user is not replaced by content that not everybody may read.
 *
 * If only the directory cannot be synced, the call fails too, but the new file is in place: it may
 * be lost if the machine stops.
 */
int cr_atomic_commit(struct cr_atomic_file *f, enum cr_atomic_how how, struct cr_err *err);

/* Close the file; remove the temporary file if it was not committed. */
void cr_atomic_close(struct cr_atomic_file *f);

/* Rename a file; CR_EEXISTS if the new name exists. */
int cr_rename_new(const char *from, const char *to, struct cr_err *err);

/*
 * Sync the directory of path, so that renames and removals in it survive a crash of the machine.
 * Not an error: a file system that cannot sync directories, and a directory that may be written but
 * not read.
 */
int cr_sync_directory(const char *path, struct cr_err *err);

#endif
