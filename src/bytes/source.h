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
 * One input as one read-only span of bytes. A regular file is mapped; a pipe, a device or "-"
 * (standard input) is read to its end. Data packed with gzip, xz or zstd is unpacked, and UTF-16
 * text with a byte order mark is converted to UTF-8. So readers always see plain bytes.
 *
 * Up to 64 MiB of read or unpacked data is stored in memory. More is stored in a mapped temporary
 * file without a name, in the first usable directory of $TMPDIR, /var/tmp and /tmp. If there is no
 * such file, or its disk is full, up to 8 GiB of memory is used. The decompressor itself uses as
 * much memory as the window of the data, at most 1 GiB.
 *
 * If another program truncates a mapped file while it is read, the missing pages read as zeros, and
 * cr_source_damage() reports it afterwards.
 */
struct cr_source;

/*
 * Default for max_bytes: the limit for bytes from a pipe or from unpacking. Mapped files have no
 * limit.
 */
#define CR_SOURCE_MAX_PIPE ((uint64_t)64 << 30)

/*
 * Open the input at path. Fails with:
 * - CR_ELIMIT beyond max_bytes, or if unpacking yields more than 1100 times the input size plus 64
 *   MiB;
 * - CR_EUNSUPPORTED if it is packed in a format left out at build time;
 * - CR_EFORMAT or CR_ETRUNC if it is packed and nothing can be unpacked;
 * - CR_EMEM, and CR_EIO or CR_ENOTFOUND with the system's reason.
 */
int cr_source_open(
	const char *path, uint64_t max_bytes, struct cr_source **out, struct cr_err *err);
/* The same for an open descriptor, which the caller may close at once. */
int cr_source_open_fd(int fd, uint64_t max_bytes, struct cr_source **out, struct cr_err *err);
/*
 * The same for len bytes at p, which are unpacked if they are packed. The caller may free them
 * afterwards.
 */
int cr_source_open_memory(
	const void *p, size_t len, uint64_t max_bytes, struct cr_source **out, struct cr_err *err);
void cr_source_close(struct cr_source *s);

/*
 * The same in two steps, for callers that may not need the bytes once the identity is known. A
 * packed or UTF-16 file that can be mapped stays as it is until cr_source_unpack(); for other
 * inputs that does nothing. Both fail with CR_ECANCEL if progress (may be NULL) stops them.
 */
int cr_source_open_packed(const char *path, uint64_t max_bytes, const struct cr_progress *progress,
	struct cr_source **out, struct cr_err *err);
/* The same for an open descriptor, which the caller may close at once. */
int cr_source_open_packed_fd(int fd, uint64_t max_bytes, const struct cr_progress *progress,
	struct cr_source **out, struct cr_err *err);
int cr_source_unpack(struct cr_source *s, uint64_t max_bytes, const struct cr_progress *progress,
	struct cr_err *err);

/*
 * Copy the first n bytes of the unpacked input to out, or all if there are fewer; returns their
 * number. For UTF-16 text it may be up to three fewer.
 */
size_t cr_source_peek(const struct cr_source *s, unsigned char *out, size_t n);

const unsigned char *cr_source_bytes(const struct cr_source *s); /* never NULL, even if empty */
size_t cr_source_len(const struct cr_source *s);
/* True for a regular file, false for a pipe or a device. */
bool cr_source_is_file(const struct cr_source *s);

/*
 * Why the bytes are incomplete, as far as known now; NULL if they are not. The offset is in the
 * packed data, where it was truncated or damaged and unpacking ended.
 */
const struct cr_err *cr_source_damage(const struct cr_source *s);

/* Number of invalid characters of UTF-16 text, which were replaced by U+FFFD. */
uint64_t cr_source_replaced(const struct cr_source *s);

/*
 * Tell the system that the bytes [from, to) are not needed soon. Pages of a file are dropped and
 * read back on access; bytes that are only in memory stay.
 */
void cr_source_done(struct cr_source *s, uint64_t from, uint64_t to);

/*
 * Fetch the bytes [from, to) of a file, for a thread that reads them soon. Returns when they are in
 * memory. Any thread may call it.
 */
void cr_source_expect(const struct cr_source *s, uint64_t from, uint64_t to);

/*
 * Identity of the input, without reading all of it. For a file: a hash of device, inode, size,
 * mtime and ctime. For a pipe: a hash of its length and its first and last MiB.
 */
uint64_t cr_source_identity(const struct cr_source *s);
bool cr_source_owner(const struct cr_source *s, uint32_t *uid); /* false for a pipe */
int64_t cr_source_mtime(const struct cr_source *s); /* seconds since 1970; 0 for a pipe */
struct cr_access cr_source_access(const struct cr_source *s);

/*
 * Append the identity of a file as text, not hashed: two files never have the same one. It consists
 * of hexadecimal digits, '-' and '.'.
 */
void cr_source_stamp(const struct cr_source *s, struct cr_text *out);

/*
 * Wait, at most some milliseconds, until the clock of the file system has passed the last change of
 * this file. After that every change gives the file another time, and so another identity.
 */
void cr_source_wait_for_clock(const struct cr_source *s);

#endif
