#ifndef CR_BASE_ACCESS_H
#define CR_BASE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

/*
 * Who may read an input, so that a file made from it does not show it to others. All zero bytes is
 * an input that everybody may read, and one of which nothing is known, such as a pipe.
 */
enum cr_readers { CR_READERS_ALL, CR_READERS_GROUP, CR_READERS_OWNER };

struct cr_access {
	uint32_t readers; /* enum cr_readers */
	uint32_t gid;     /* of CR_READERS_GROUP: the group whose members may read it */
};

/*
 * Of an open file: a regular file's read permissions, a directory's search permissions. With an
 * access control list it is the owner's alone unless everybody may read it, for the list may name
 * others than the group.
 */
struct cr_access cr_access_of(int fd, const struct stat *st);

/* Can only this user and root have written it: they own it, and nobody else may write to it. */
bool cr_access_is_own(const struct stat *st);

/* Who may read both. */
struct cr_access cr_access_join(struct cr_access a, struct cr_access b);

/* The permission bits of mode that a file of group gid may have if it holds what `a` is of. */
uint32_t cr_access_mode(struct cr_access a, uint32_t mode, uint32_t gid);

#endif
