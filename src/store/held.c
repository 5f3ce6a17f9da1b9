#include "held.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is this still what path leads to? While it was waited for, another may have taken its place. */
static bool
is_at(const char *path, int fd)
{
	struct stat here, there;

	return fstat(fd, &here) == 0 && stat(path, &there) == 0 && here.st_dev == there.st_dev &&
	       here.st_ino == there.st_ino;
}

int
cr_held_open(const char *path, int *fd, struct cr_err *err)
{
	for (;;) {
		struct stat st;

		*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (*fd < 0 && errno == ENOENT)
			return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no such profile");
		if (*fd < 0)
			return cr_fail_errno(err, CR_EIO, "cannot open");
		if (fstat(*fd, &st) == 0 && !S_ISREG(st.st_mode)) {
			close(*fd);
			*fd = -1;
			return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "not a regular file");
		}
		while (flock(*fd, LOCK_EX) < 0 && errno == EINTR)
			continue;
		if (is_at(path, *fd))
			return CR_OK;
		close(*fd);
	}
}
