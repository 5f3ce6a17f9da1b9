#ifndef CR_STORE_FILE_LOCK_P_H
#define CR_STORE_FILE_LOCK_P_H

#include "base/err.h"

#include <stdbool.h>

struct cr_atomic_file;

/*
 * A lock for programs that replace, rename or remove the profile PATH: they hold PATH.lock
 * meanwhile. The lock file is created for that with mode 0600 and removed afterwards, so users who
 * may only read the profile cannot block it. It contains the pid and user of its holder.
 *
 * A lock ends when its process ends. Waiting is limited to 30 s, or to $CRESSET_LOCK_SECONDS; then
 * the call fails with CR_ELOCKED, and the message names the holder and the time. A lock file that
 * cannot be opened and is older than 10 min was left by a killed process, and is removed.
 *
 * If no lock file can be created, because the disk is full or the directory is not writable, the
 * call succeeds without a lock: removing a profile must be possible, and other changes fail by
 * themselves.
 */
struct cr_file_lock {
	char *path; /* path of the lock file; NULL if there is none */
	int fd;
};

/* path: the file to lock. Release the lock with cr_file_lock_close(). */
int cr_file_lock_open(const char *path, struct cr_file_lock *lock, struct cr_err *err);
void cr_file_lock_close(struct cr_file_lock *lock);

/* Lock two paths, in an order that is the same for all callers. */
int cr_file_lock_open_two(
	const char *a, const char *b, struct cr_file_lock lock[2], struct cr_err *err);

/* Commit a file over an existing one (CR_ATOMIC_REPLACE) while holding its lock. */
int cr_file_lock_commit(struct cr_atomic_file *f, struct cr_err *err);

/* True for the name of a lock file. */
bool cr_file_lock_is(const char *file);

/* Remove the lock file from an open directory if nobody holds it. */
void cr_file_lock_sweep(int dir, const char *file);

#endif
