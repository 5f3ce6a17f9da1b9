#ifndef CR_BYTES_SOURCE_H
#define CR_BYTES_SOURCE_H

#include "cresset/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One input as one read-only span: a regular file is mapped, a pipe, a device or "-" (standard
 * input) is read to its end, at most max_bytes of it.
 *
 * A mapped file that somebody cuts while it is read does not end the program: the pages that
 * are gone read as zeros, and cr_source_damaged() says so afterwards.
 */
struct cr_source;

#define CR_SOURCE_MAX_PIPE ((uint64_t)8 << 30)

int cr_source_open(const char *path, uint64_t max_bytes, struct cr_source **out, struct cr_err *err);
/* The same of an open descriptor, which stays the caller's and may be closed at once. */
int cr_source_open_fd(int fd, uint64_t max_bytes, struct cr_source **out, struct cr_err *err);
void cr_source_close(struct cr_source *s);

const unsigned char *cr_source_bytes(const struct cr_source *s); /* never NULL, also when empty */
size_t cr_source_len(const struct cr_source *s);
bool cr_source_is_file(const struct cr_source *s); /* a regular file, not a pipe or a device */
bool cr_source_damaged(const struct cr_source *s);

/*
 * What tells this input from another one without reading it whole: device, inode, size and
 * time of change of a file, hashed; of a pipe the bytes themselves. The key of "seen before".
 */
uint64_t cr_source_identity(const struct cr_source *s);
int64_t cr_source_mtime(const struct cr_source *s); /* seconds since 1970; 0 for a pipe */

#endif
