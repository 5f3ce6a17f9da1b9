#ifndef CR_BYTES_UNPACK_P_H
#define CR_BYTES_UNPACK_P_H

#include "base/err.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cr_feed;
struct cr_spool;

#define CR_UNPACK_HEAD 6 /* bytes needed to recognise packed data */

/* Limit of the output: 1100 times the input (gzip reaches 1032) plus 64 MiB. */
#define CR_UNPACK_RATIO_MAX 1100u
#define CR_UNPACK_RATIO_FREE ((uint64_t)64 << 20)

/* True if the bytes begin like gzip, xz or zstd data. */
bool cr_unpack_is(const unsigned char *head, size_t len);

/*
 * Copy a feed to a spool, unpacked if it is packed. Consecutive members, streams and frames, also
 * of different formats, are one input; zero bytes between and after them are skipped.
 *
 * Damage is not a failure if some data could be unpacked: that is in the spool, and *damage has the
 * code, the text and the offset in the packed data. Otherwise *damage is unchanged.
 *
 * Fails with CR_ELIMIT if the output exceeds max_bytes, or CR_UNPACK_RATIO_MAX times the input plus
 * CR_UNPACK_RATIO_FREE; with CR_EUNSUPPORTED for a format whose library was missing at build time;
 * with CR_ECANCEL if progress stops it.
 */
int cr_unpack(struct cr_feed *f, struct cr_spool *out, uint64_t max_bytes,
	const struct cr_progress *progress, struct cr_err *damage, struct cr_err *err);

/*
 * Copy a feed that begins with a UTF-16 byte order mark to a spool, as UTF-8 without the mark. *bad
 * is the number of invalid characters that were replaced. Fails like cr_unpack().
 */
int cr_unpack_utf16(struct cr_feed *f, bool big, struct cr_spool *out, uint64_t max_bytes,
	const struct cr_progress *progress, uint64_t *bad, struct cr_err *err);

#endif
