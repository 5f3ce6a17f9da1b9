#include "base/access.h"

#include <stddef.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

struct cr_access
cr_access_of(int fd, const struct stat *st)
{
	const mode_t group = S_ISDIR(st->st_mode) ? S_IXGRP : S_IRGRP;
	const mode_t others = S_ISDIR(st->st_mode) ? S_IXOTH : S_IROTH;

	if (!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode))
		return (struct cr_access){0};
	if (!(st->st_mode & group))
		return (struct cr_access){CR_READERS_OWNER, 0};
	if (st->st_mode & others)
		return (struct cr_access){0};
	if (fgetxattr(fd, "system.posix_acl_access", NULL, 0) > 0)
		return (struct cr_access){CR_READERS_OWNER, 0};
	return (struct cr_access){CR_READERS_GROUP, st->st_gid};
}

bool
cr_access_is_own(const struct stat *st)
{
	return (st->st_uid == geteuid() || st->st_uid == 0) && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

struct cr_access
cr_access_join(struct cr_access a, struct cr_access b)
{
	if (a.readers == CR_READERS_GROUP && b.readers == CR_READERS_GROUP && a.gid != b.gid)
		return (struct cr_access){CR_READERS_OWNER, 0};
	return a.readers > b.readers ? a : b;
}

uint32_t
cr_access_mode(struct cr_access a, uint32_t mode, uint32_t gid)
{
	switch ((enum cr_readers)a.readers) {
	case CR_READERS_ALL: return mode;
	case CR_READERS_GROUP: return mode & (a.gid == gid ? 0770u : 0700u);
	case CR_READERS_OWNER: break;
	}
	return mode & 0700u;
}
