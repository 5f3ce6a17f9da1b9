#ifndef CR_STORE_CACHE_H
#define CR_STORE_CACHE_H

#include "base/err.h"
#include "model/profile.h"
#include "store/catalog.h"

#include <stdbool.h>
#include <stdint.h>

struct cr_log;

/*
 * The cache: copies of recordings that were read, so that a recording opens at once the next time.
 * It is apart from the store, which holds only what the user put there. A copy is a stored profile,
 * KEY.cresset; the key names the recording and everything else that decides what is read from it,
 * so that equal keys mean equal profiles.
 *
 * Nothing in it is needed: any copy may be removed at any time. When the copies together are larger
 * than the limit, the ones that were not used for the longest time are removed. The time of a
 * file's last change is the time when the copy was last used. There is also a list of the stored
 * profiles whose default trees are known to agree with their samples (proven_p.h).
 *
 * A copy is used only if it belongs to the effective user or to root and nobody else may write to
 * it; the same holds for the directory. New directories have mode 0700 and copies 0600.
 */
#define CR_CACHE_PROVEN "proven"           /* the file of proven_p.h */
#define CR_CACHE_LIMIT ((uint64_t)2 << 30) /* bytes, where the user has set no other limit */

/*
 * $XDG_CACHE_HOME/cresset, or $HOME/.cache/cresset; the caller frees it. CR_EUSAGE if neither
 * variable is set.
 */
int cr_cache_dir(char **out, struct cr_err *err);

/*
 * Open the copy with this key, with these parts (enum cr_store_parts), and mark it as used.
 * CR_ENOTFOUND if there is none that may be used; other codes if it is damaged or was written by
 * another version.
 */
int cr_cache_open(const char *dir, const char *key, unsigned parts, struct cr_profile **out,
	struct cr_err *err);

/*
 * Store a copy under this key and remove old ones down to the limit. CR_OK also if there is no
 * cache: the limit is 0, the directory belongs to another user, or this user may not write there.
 * Fails with CR_EIO, for example on a full disk.
 */
int cr_cache_put(const char *dir, const char *key, const struct cr_profile *p, struct cr_err *err);

/*
 * True if the copies in dir are used. Otherwise err says why they are not. A missing directory is
 * fine.
 */
bool cr_cache_usable(const char *dir, struct cr_err *err);

/*
 * Make the directory if copies may be stored in it and it is missing: the limit is not 0, and its
 * parent can be written to and belongs to this user or root. Its failure is none: there will be no
 * copies.
 */
void cr_cache_make(const char *dir);

/* All copies, the one used last first; cr_catalog_fini(). */
int cr_cache_list(const char *dir, struct cr_catalog *out, struct cr_err *err);

/*
 * Remove all copies and the list of profiles that were compared; *n and *bytes get how many copies
 * there were and their size. Fails with the first that stays.
 */
int cr_cache_clear(const char *dir, uint64_t *n, uint64_t *bytes, struct cr_err *err);

/*
 * The limit in bytes: what cr_cache_set_limit() wrote into the file "limit" of the directory, else
 * CR_CACHE_LIMIT. Setting it removes copies down to the new limit; 0 keeps none.
 */
uint64_t cr_cache_limit(const char *dir);
int cr_cache_set_limit(const char *dir, uint64_t bytes, struct cr_err *err);

#endif
