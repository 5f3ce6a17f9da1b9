#ifndef CR_STORE_BESIDE_H
#define CR_STORE_BESIDE_H

#include "cresset/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A file in the making: it is written as PATH.tmp.PID.RANDOM beside the place where it will stand, and takes that
 * place whole or not at all.
 *
 *	cr_beside_open(path, mode, &b, err)
 *	cr_beside_write(&b, bytes, len, err)      any number of times; or to b.fd
 *	cr_beside_commit(&b, replace, err)        synced, in its place
 *	cr_beside_close(&b)                       always; without a commit nothing is left
 *
 * What a killed writer leaves is for cr_catalog_list() to sweep: a lock on the file tells it that the writer lives.
 */
struct cr_beside {
	const char *path; /* the caller's */
	char *temp;       /* NULL when it is gone */
	int fd;
};

/* mode: of the new file, before the umask. */
int cr_beside_open(const char *path, unsigned mode, struct cr_beside *b, struct cr_err *err);
int cr_beside_write(struct cr_beside *b, const void *bytes, size_t len, struct cr_err *err);
/* The bytes [from, to) of another file; shared with it where the file system can. */
int cr_beside_copy(struct cr_beside *b, int fd, uint64_t from, uint64_t to, struct cr_err *err);
/* CR_EEXISTS when something stands at the path and is not to be replaced. */
int cr_beside_commit(struct cr_beside *b, bool replace, struct cr_err *err);
void cr_beside_close(struct cr_beside *b);

/* Rename, but not over anything: CR_EEXISTS. */
int cr_beside_rename_new(const char *from, const char *to, struct cr_err *err);

/* What was renamed in the folder of path is on the disk. A file system that cannot do it is let be. */
void cr_beside_sync_folder(const char *path);

#endif
