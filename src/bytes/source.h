#ifndef CR_BYTES_SOURCE_H
#define CR_BYTES_SOURCE_H

#include "base/access.h"
#include "base/err.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cr_text;

/*
 * One input as one read-only span: a regular file is mapped, a pipe, a device or "-" (standard
 * input) is read to its end. What gzip, xz or zstd have packed is unpacked, and text in UTF-16
 * with a byte order mark becomes UTF-8, so that nobody above knows of it.
 *
 * What is read or unpacked is kept in memory up to 64 MiB, beyond that in a temporary file that
 * has no name, in the first of $TMPDIR, /var/tmp and /tmp where one can be made, and mapped from
 * there. Without such a file, or with its disk full, memory is used up to 8 GiB. Unpacking itself
 * takes as much memory as the data want to refer back to, at most 1 GiB.
 *
 * A mapped file that somebody cuts while it is read does not end the program: the pages that
 * are gone read as zeros, and cr_source_damage() says so afterwards.
 */
struct cr_source;

/* For max_bytes: what comes through a pipe, or out of unpacking. Mapped files have no limit. */
#define CR_SOURCE_MAX_PIPE ((uint64_t)64 << 30)

/*
 * Fails with CR_ELIMIT past max_bytes, or when more than 1100 times the size of the input and
 * 64 MiB is unpacked; CR_EUNSUPPORTED when it is packed in a way that was
 * left out at build time, CR_EFORMAT or CR_ETRUNC when it is packed and nothing of it can be
 * unpacked, CR_EMEM, and CR_EIO or CR_ENOTFOUND with the system's reason.
 */
int cr_source_open(
	const char *path, uint64_t max_bytes, struct cr_source **out, struct cr_err *err);
/* The same of an open descriptor, which stays the caller's and may be closed at once. */
int cr_source_open_fd(int fd, uint64_t max_bytes, struct cr_source **out, struct cr_err *err);
/*
 * What len packed bytes at p unpack to, as they are if they are not packed; they are not needed
 * afterwards.
 */
int cr_source_open_memory(
	const void *p, size_t len, uint64_t max_bytes, struct cr_source **out, struct cr_err *err);
void cr_source_close(struct cr_source *s);

/*
 * The same in two steps, for who may not need the bytes once the identity is known: a packed or
 * recoded file that can be mapped is left as it is, and its bytes are the packed ones, until
 * cr_source_unpack(), which for anything else does nothing. Both say CR_ECANCEL when progress (may
 * be NULL) says stop.
 */
int cr_source_open_packed(const char *path, uint64_t max_bytes, const struct cr_progress *progress,
	struct cr_source **out, struct cr_err *err);
/* The same of an open descriptor, which stays the caller's. */
int cr_source_open_packed_fd(int fd, uint64_t max_bytes, const struct cr_progress *progress,
	struct cr_source **out, struct cr_err *err);
int cr_source_unpack(struct cr_source *s, uint64_t max_bytes, const struct cr_progress *progress,
	struct cr_err *err);

/*
 * The first n bytes that it would give, into out, or as many as there are: so many. Of text in
 * UTF-16 up to three fewer.
 */
size_t cr_source_peek(const struct cr_source *s, unsigned char *out, size_t n);

const unsigned char *cr_source_bytes(const struct cr_source *s); /* never NULL, also when empty */
size_t cr_source_len(const struct cr_source *s);
bool cr_source_is_file(const struct cr_source *s); /* a regular file, not a pipe or a device */

/*
 * Why the bytes are not all that there should be, as far as that is known by now; NULL if it is
 * not so. The offset is in the packed data, where they were cut or damaged and unpacking ended.
 */
const struct cr_err *cr_source_damage(const struct cr_source *s);

/* How many characters of text in UTF-16 were none, and are U+FFFD now. */
uint64_t cr_source_replaced(const struct cr_source *s);

/*
 * The bytes in [from, to) will not be looked at for a while: the pages that lie in them are let
 * go. They come back from the file when they are looked at; bytes that are in memory only stay.
 */
void cr_source_done(struct cr_source *s, uint64_t from, uint64_t to);

/*
 * What tells this input from another one without reading it whole: device, inode, size, and times
 * of change (mtime and ctime) of a file, hashed; of a pipe its length, its first and its last MiB.
 */
uint64_t cr_source_identity(const struct cr_source *s);
bool cr_source_owner(const struct cr_source *s, uint32_t *uid); /* false for a pipe */
int64_t cr_source_mtime(const struct cr_source *s); /* seconds since 1970; 0 for a pipe */
struct cr_access cr_source_access(const struct cr_source *s);

/*
 * The same of a file as text, not hashed: two files never have the same stamp. Hexadecimal digits,
 * '-' and '.'.
 */
void cr_source_stamp(const struct cr_source *s, struct cr_text *out);

/*
 * Wait, for at most some ms, until the clock of the file system has passed the time when this file
 * was changed last: from then on every change gives the file another time, and with it another
 * identity.
 */
void cr_source_wait_for_clock(const struct cr_source *s);

#endif
