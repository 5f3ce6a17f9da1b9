#ifndef CR_BYTES_UNPACK_P_H
#define CR_BYTES_UNPACK_P_H

#include "base/err.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cr_feed;
struct cr_spool;

#define CR_UNPACK_HEAD 6 /* bytes that tell whether data are packed */

/* So much more may come out than goes in: 1100 times as much (gzip reaches 1032), and 64 MiB. */
#define CR_UNPACK_RATIO_MAX 1100u
#define CR_UNPACK_RATIO_FREE ((uint64_t)64 << 20)

/* Does it begin as gzip, xz or zstd data do? */
bool cr_unpack_is(const unsigned char *head, size_t len);

/*
 * All of a feed into a spool: unpacked if it is packed, else as it is. Members, streams and
 * frames that follow one another, also of different formats, are one input; zeros between and
 * behind them are passed over.
 *
 * Damage is no failure once there is something to show for it: what could be unpacked is in the
 * spool, and damage has code, text and the offset in the packed data. It is untouched otherwise.
 *
 * Fails with CR_ELIMIT when more than max_bytes come out, or more than CR_UNPACK_RATIO_MAX times
 * what goes in and CR_UNPACK_RATIO_FREE; with CR_EUNSUPPORTED for a format whose library was not
 * there at build time; with CR_ECANCEL when progress says stop.
 */
int cr_unpack(struct cr_feed *f, struct cr_spool *out, uint64_t max_bytes,
	const struct cr_progress *progress, struct cr_err *damage, struct cr_err *err);

/*
 * All of a feed that begins with a byte order mark of UTF-16 into a spool, as UTF-8 and without the
 * mark. *bad counts what is no character and was replaced. Fails as cr_unpack() does.
 */
int cr_unpack_utf16(struct cr_feed *f, bool big, struct cr_spool *out, uint64_t max_bytes,
	const struct cr_progress *progress, uint64_t *bad, struct cr_err *err);

#endif
