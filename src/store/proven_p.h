#ifndef CR_STORE_PROVEN_P_H
#define CR_STORE_PROVEN_P_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

/*
 * The list of stored profiles whose default tree is known to agree with their samples. For these
 * the check at opening is skipped (default_tree_check_p.h). A profile is identified by its file's
 * identity, which changes with every change of the file. The list is the file "proven" of the
 * cache.
 *
 * It contains only files that belong to the effective user or to root, and that nobody else may
 * write to. The same must hold for the list and its directory (store/cache.h); otherwise it is not
 * used.
 */
struct cr_proven_id {
	uint64_t device, inode, size;
	int64_t changed_ns, written_ns; /* ctime and mtime */
};

/* Store the identity of a file; false if the file cannot be on the list. */
bool cr_proven_id_of(const struct stat *st, struct cr_proven_id *out);

/* True if the file is on the list. */
bool cr_proven_has(const struct cr_proven_id *id);

/*
 * Add a file to the list. Does nothing if there is no cache or its limit is 0 (cr_cache_limit()). A
 * full list forgets another file.
 */
void cr_proven_add(const struct cr_proven_id *id);

/*
 * True if the file was changed so recently that a further change could leave its times unchanged. A
 * process that only read such a file does not add it to the list.
 */
bool cr_proven_is_recent(const struct cr_proven_id *id);

#endif
