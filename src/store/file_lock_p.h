#ifndef CR_STORE_FILE_LOCK_P_H
#define CR_STORE_FILE_LOCK_P_H

#include "base/err.h"

#include <stdbool.h>

struct cr_atomic_file;

/*
 * Programs that change the same profile take turns: whoever replaces, renames or removes PATH holds
 * PATH.lock meanwhile. The lock file is made for that, has mode 0600 and is removed afterwards, so
 * that nobody who may only read the profile can hold it. It contains the pid and user of its
 * holder.
 *
 * A lock is given up when its process ends, however it ends. Waiting for one is limited to 30 s, or
 * $CRESSET_LOCK_SECONDS; then CR_ELOCKED says who has held it since when. A lock file that cannot
 * be opened and is older than 10 min was left behind by a process that was killed, and is removed.
 *
 * Where no lock file can be made, because the disk is full or the directory may not be written,
 * there is none, and that is no failure: removing a profile has to be possible, and anything else
 * fails on its own account.
 */
struct cr_file_lock {
	char *path; /* of the lock file; NULL when there is none */
	int fd;
};

int cr_file_lock_open(const char *path, struct cr_file_lock *lock, struct cr_err *err);
void cr_file_lock_close(struct cr_file_lock *lock);

/* Both, in an order that is the same for all who want both. */
int cr_file_lock_open_two(
	const char *a, const char *b, struct cr_file_lock lock[2], struct cr_err *err);

/* Commit a file in the place of another one (CR_ATOMIC_REPLACE) while its lock is held. */
int cr_file_lock_commit(struct cr_atomic_file *f, struct cr_err *err);

/* Is this the name of a lock file? */
bool cr_file_lock_is(const char *file);

/* Remove the lock file in an open directory if nobody holds it. */
void cr_file_lock_sweep(int dir, const char *file);

#endif
