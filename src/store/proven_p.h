#ifndef CR_STORE_PROVEN_P_H
#define CR_STORE_PROVEN_P_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

/*
 * Which stored profiles have a default tree that is known to agree with their samples, so that the
 * two need not be compared each time (default_tree_check_p.h). A profile is known by the identity
 * of its file, which changes with every change of the file; the list is the file "proven" of the
 * cache.
 *
 * Only files that belong to the effective user or to root, and that nobody else may write to, are
 * on the list. The same holds for the list and its directory (store/cache.h), or it is not used.
 */
struct cr_proven_id {
	uint64_t device, inode, size;
	int64_t changed_ns, written_ns; /* ctime and mtime */
};

/* False if the file is none that can be on the list. */
bool cr_proven_id_of(const struct stat *st, struct cr_proven_id *out);

/* Is it on the list? */
bool cr_proven_has(const struct cr_proven_id *id);

/*
 * Put it on the list. Nothing happens if there is no cache or it keeps nothing (cr_cache_limit()).
 * A full list forgets another one.
 */
void cr_proven_add(const struct cr_proven_id *id);

/*
 * Was the file changed so lately that a further change could leave its times as they are? Such a
 * file is not put on the list by a process that has only read it.
 */
bool cr_proven_is_recent(const struct cr_proven_id *id);

#endif
