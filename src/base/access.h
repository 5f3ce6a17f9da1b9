#ifndef CR_BASE_ACCESS_H
#define CR_BASE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

/*
 * Who may read an input, so that a file made from it does not show it to others. All zero bytes
 * means that everybody may read it; this includes inputs of unknown access, such as a pipe.
 */
enum cr_readers { CR_READERS_ALL, CR_READERS_GROUP, CR_READERS_OWNER };

struct cr_access {
	uint32_t readers; /* enum cr_readers */
	uint32_t gid;     /* for CR_READERS_GROUP: the group whose members may read it */
};

/*
 * Access of an open file: read permissions of a regular file, search permissions of a directory. If
 * the file has an access control list, only the owner counts, unless everybody may read it: the
 * list may name others than the group.
 */
struct cr_access cr_access_of(int fd, const struct stat *st);

/*
 * True if only this user and root can have written the file: one of them owns it, and nobody else
 * may write to it.
 */
bool cr_access_is_own(const struct stat *st);

/* Access of those who may read both inputs. */
struct cr_access cr_access_join(struct cr_access a, struct cr_access b);

/*
 * The part of the permission bits `mode` that a file of group gid may have if its content has
 * access `a`.
 */
uint32_t cr_access_mode(struct cr_access a, uint32_t mode, uint32_t gid);

#endif
