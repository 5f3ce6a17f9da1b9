#ifndef CR_STORE_CACHE_H
#define CR_STORE_CACHE_H

#include "base/err.h"
#include "model/profile.h"
#include "store/catalog.h"

#include <stdbool.h>
#include <stdint.h>

struct cr_log;

/*
 * The cache: copies of recordings, so that a recording opens at once the next time. It is separate
 * from the store, which holds only what the user put there. A copy is a stored profile,
 * KEY.cresset. The key identifies the recording and everything else that affects the result, so
 * equal keys mean equal profiles.
 *
 * Any copy may be removed at any time. When the copies together exceed the limit, those not used
 * for the longest time are removed; the file "used" says how much there is, so that a new copy does
 * not look at all others. The modification time of a file is the time when the copy was
 * last used. The cache also has a list of the stored profiles whose default trees are known to
 * agree with their samples (proven_p.h).
 *
 * A copy is used only if it belongs to the effective user or to root and nobody else may write to
 * it. The same holds for the directory. New directories have mode 0700 and copies 0600.
 */
#define CR_CACHE_PROVEN "proven"           /* the file of proven_p.h */
#define CR_CACHE_LIMIT ((uint64_t)2 << 30) /* in bytes; the default limit */

/*
 * $XDG_CACHE_HOME/cresset, or $HOME/.cache/cresset; the caller frees it. CR_EUSAGE if neither
 * variable is set.
 */
int cr_cache_dir(char **out, struct cr_err *err);

/*
 * Open the copy with this key, reading these parts (bits of enum cr_store_parts), and mark it as
 * used. CR_ENOTFOUND if there is no usable copy; other codes if it is damaged or was written by
 * another version.
 */
int cr_cache_open(const char *dir, const char *key, unsigned parts, struct cr_profile **out,
	struct cr_err *err);

/*
 * Store a copy under this key and remove old ones beyond the limit. Returns CR_OK also if there is
 * no cache: the limit is 0, the directory belongs to another user, or this user may not write
 * there. Fails with CR_EIO, for example on a full disk.
 */
int cr_cache_put(const char *dir, const char *key, const struct cr_profile *p, struct cr_err *err);

/*
 * True if the copies in dir are used. Otherwise *err says why not. A missing directory is no error.
 */
bool cr_cache_usable(const char *dir, struct cr_err *err);

/*
 * Create the directory if it is missing and copies may be stored in it: the limit is not 0, and its
 * parent is writable and belongs to this user or root. A failure is ignored: there will be no
 * copies.
 */
void cr_cache_make(const char *dir);

/* List all copies, the most recently used first. Free it with cr_catalog_fini(). */
int cr_cache_list(const char *dir, struct cr_catalog *out, struct cr_err *err);

/*
 * Remove all copies and the list of compared profiles; *n becomes the number of copies and *bytes
 * their size. Fails with the error of the first that could not be removed.
 */
int cr_cache_clear(const char *dir, uint64_t *n, uint64_t *bytes, struct cr_err *err);

/*
 * The limit in bytes: the number that cr_cache_set_limit() wrote to the file "limit" of the
 * directory, otherwise CR_CACHE_LIMIT. Setting it removes copies beyond the new limit; 0 disables
 * the cache.
 */
uint64_t cr_cache_limit(const char *dir);
int cr_cache_set_limit(const char *dir, uint64_t bytes, struct cr_err *err);

#endif
