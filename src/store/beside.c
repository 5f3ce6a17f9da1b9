#include "beside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include "cresset/base/cleanup.h"
#include "cresset/base/confine.h"
#include "cresset/base/mem.h"
#include "cresset/base/text.h"

int
cr_beside_open(const char *path, unsigned mode, struct cr_beside *b, struct cr_err *err)
{
	*b = (struct cr_beside){.path = path, .fd = -1};
	for (int tries = 0; b->fd < 0 && tries < 16; tries++) {
		struct cr_text t = {0};
		uint64_t salt = 0;

		if (getrandom(&salt, sizeof(salt), GRND_NONBLOCK) < 0)
			salt = (uint64_t)tries; /* O_EXCL is what keeps writers apart */
		cr_text_printf(&t, "%s.tmp.%ld.", path, (long)getpid());
		cr_text_hex(&t, salt);
		free(b->temp);
		b->temp = t.p;
		b->fd = cr_cleanup_create(b->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (b->fd < 0 && errno != EEXIST)
			break;
	}
	if (b->fd < 0) {
		cr_fail_errno(err, CR_EIO, "cannot write");
		cr_confine_tell(err, b->temp, W_OK);
		free(b->temp);
		b->temp = NULL;
		return err->code;
	}
	flock(b->fd, LOCK_EX | LOCK_NB);
	return CR_OK;
}

int
cr_beside_write(struct cr_beside *b, const void *bytes, size_t len, struct cr_err *err)
{
	const char *p = bytes;

	while (len) {
		const ssize_t n = write(b->fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return cr_fail_errno(err, CR_EIO, "cannot write");
		p += n;
		len -= (size_t)n;
	}
	return CR_OK;
}

int
cr_beside_copy(struct cr_beside *b, int fd, uint64_t from, uint64_t to, struct cr_err *err)
{
	off_t at = (off_t)from;
	char bytes[1 << 14];
	int rc;

	while ((uint64_t)at < to) {
		ssize_t n = copy_file_range(fd, &at, b->fd, NULL, (size_t)(to - (uint64_t)at), 0);

		if (n > 0)
			continue;
		if (n < 0 && errno != EXDEV && errno != ENOSYS && errno != EINVAL && errno != EOPNOTSUPP)
			return cr_fail_errno(err, CR_EIO, "cannot write");
		n = pread(fd, bytes, (size_t)CR_MIN(to - (uint64_t)at, sizeof(bytes)), at);
		if (n <= 0)
			return cr_fail_errno(err, CR_EIO, "cannot read");
		if ((rc = cr_beside_write(b, bytes, (size_t)n, err)) < 0)
			return rc;
		at += n;
	}
	return CR_OK;
}

/* File systems that cannot rename this way can mostly link; those that cannot do either check first, and race. */
int
cr_beside_rename_new(const char *from, const char *to, struct cr_err *err)
{
	bool done = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0;

	if (!done && (errno == EINVAL || errno == ENOSYS)) {
		done = link(from, to) == 0;
		if (done)
			unlink(from);
		else if (errno != EEXIST)
			done = access(to, F_OK) < 0 ? rename(from, to) == 0 : (errno = EEXIST, false);
	}
	if (done)
		return CR_OK;
	if (errno == EEXIST)
		return cr_fail(err, CR_EEXISTS, CR_NO_OFFSET, "there is such a file already");
	return cr_fail_errno(err, CR_EIO, "cannot rename");
}

int
cr_beside_commit(struct cr_beside *b, bool replace, struct cr_err *err)
{
	int rc = CR_OK;

	if (fsync(b->fd) < 0)
		return cr_fail_errno(err, CR_EIO, "cannot write");
	if (!replace)
		rc = cr_beside_rename_new(b->temp, b->path, err);
	else if (rename(b->temp, b->path) < 0)
		rc = cr_fail_errno(err, CR_EIO, "cannot write");
	if (rc < 0)
		return rc;
	cr_cleanup_forget(b->temp);
	free(b->temp);
	b->temp = NULL;
	cr_beside_sync_folder(b->path);
	return CR_OK;
}

void
cr_beside_close(struct cr_beside *b)
{
	if (b->temp) {
		unlink(b->temp);
		cr_cleanup_forget(b->temp);
	}
	free(b->temp);
	b->temp = NULL;
	if (b->fd >= 0)
		close(b->fd); /* after fsync() nothing is left that it could fail on */
	b->fd = -1;
}

void
cr_beside_sync_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? cr_memdup(path, (size_t)(slash - path) + 1) : cr_strdup(".");
	const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(folder);
}
