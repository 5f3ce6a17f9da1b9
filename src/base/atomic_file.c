#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/confine.h"
#include "base/mem.h"
#include "base/text.h"

#define ACL "system.posix_acl_access"

/*
 * A file that replaces another is readable only by its owner until it has the permissions of the
 * other.
 */
static mode_t
first_mode(const char *path, uint32_t mode, struct cr_access access)
{
	struct stat st;

	if (lstat(path, &st) == 0)
		return 0600;
	if (access.readers == CR_READERS_GROUP)
		return (mode_t)mode & 0770;
	return (mode_t)cr_access_mode(access, mode, 0);
}

/* The directory may give the file another group than the one that may read the input. */
static int
narrow(const struct cr_atomic_file *f, struct cr_err *err)
{
	struct stat st;
	mode_t mode;

	if (f->access.readers != CR_READERS_GROUP)
		return CR_OK;
	if (fstat(f->fd, &st) < 0)
		return cr_fail_errno(err, CR_EIO, "cannot write");
	mode = (mode_t)cr_access_mode(f->access, st.st_mode & 07777, st.st_gid);
	if (mode != (st.st_mode & 07777) && fchmod(f->fd, mode) < 0)
		return cr_fail_errno(err, CR_EIO, "cannot set its permissions");
	return CR_OK;
}

int
cr_atomic_open(const char *path, uint32_t mode, const struct cr_access *access,
	struct cr_atomic_file *f, struct cr_err *err)
{
	*f = (struct cr_atomic_file){.path = path, .fd = -1, .old = -1};
	if (access)
		f->access = *access;
	for (int tries = 0; f->fd < 0 && tries < 16; tries++) {
		struct cr_text t = {0};
		uint64_t salt = 0;

		/* O_EXCL keeps writers apart, so a weak random number is enough. */
		if (getrandom(&salt, sizeof(salt), GRND_NONBLOCK) < 0)
			salt = (uint64_t)tries;
		cr_text_printf(&t, "%s.tmp.%ld.", path, (long)getpid());
		cr_text_hex(&t, salt);
		free(f->temp);
		f->temp = t.p;
		f->fd = cr_cleanup_create(f->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
			first_mode(path, mode, f->access));
		if (f->fd < 0 && errno != EEXIST)
			break;
	}
	if (f->fd < 0) {
		cr_fail_errno(err, CR_EIO, "cannot create");
		cr_confine_report(err, f->temp, W_OK);
		free(f->temp);
		f->temp = NULL;
		return err->code;
	}
	flock(f->fd, LOCK_EX | LOCK_NB);
	if (narrow(f, err) == CR_OK)
		return CR_OK;
	cr_atomic_close(f);
	return err->code;
}

int
cr_atomic_write(struct cr_atomic_file *f, const void *bytes, size_t len, struct cr_err *err)
{
	return cr_write_whole(f->fd, bytes, len, err);
}

int
cr_write_whole(int fd, const void *bytes, size_t len, struct cr_err *err)
{
	const char *p = bytes;

	while (len) {
		const ssize_t n = write(fd, p, len);

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
cr_atomic_copy(struct cr_atomic_file *f, int fd, uint64_t from, uint64_t to, struct cr_err *err)
{
	off_t at = (off_t)from;
	char bytes[1 << 14];
	int rc;

	while ((uint64_t)at < to) {
		ssize_t n = copy_file_range(fd, &at, f->fd, NULL, (size_t)(to - (uint64_t)at), 0);

		if (n > 0 || (n < 0 && errno == EINTR))
			continue;
		if (n < 0 && errno != EXDEV && errno != ENOSYS && errno != EINVAL &&
			errno != EOPNOTSUPP)
			return cr_fail_errno(err, CR_EIO, "cannot write");
		n = pread(fd, bytes, (size_t)CR_MIN(to - (uint64_t)at, sizeof(bytes)), at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			return cr_fail(err, CR_ETRUNC, CR_NO_OFFSET, "truncated while it was read");
		if (n < 0)
			return cr_fail_errno(err, CR_EIO, "cannot read");
		if ((rc = cr_atomic_write(f, bytes, (size_t)n, err)) < 0)
			return rc;
		at += n;
	}
	return CR_OK;
}

/* ---- what a new file inherits from the one it replaces */

/* True for attributes about the bytes of the file, which are different now. */
static bool
is_about_bytes(const char *name)
{
	return strcmp(name, "security.ima") == 0 || strcmp(name, "security.evm") == 0 ||
	       strcmp(name, "security.capability") == 0;
}

/*
 * True for attributes that a user set and must not lose. Labels set by the system may fail to copy.
 */
static bool
has_to_stay(const char *name)
{
	return strncmp(name, "user.", 5) == 0 || strncmp(name, "system.", 7) == 0;
}

static int
attribute_copy(int to, int from, const char *name, struct cr_err *err)
{
	const ssize_t size = fgetxattr(from, name, NULL, 0);
	char *value = size >= 0 ? cr_alloc((size_t)size + 1, 1) : NULL;
	const ssize_t len = value ? fgetxattr(from, name, value, (size_t)size) : -1;
	const bool done = len >= 0 && fsetxattr(to, name, value, (size_t)len, 0) == 0;

	if (!done && has_to_stay(name))
		cr_fail_errno(err, CR_EIO, "cannot keep its attribute %s", name);
	free(value);
	return done || !has_to_stay(name) ? CR_OK : err->code;
}

static int
attributes_copy(int to, int from, struct cr_err *err)
{
	const ssize_t size = flistxattr(from, NULL, 0);
	char *names = size > 0 ? cr_alloc((size_t)size, 1) : NULL;
	ssize_t len = names ? flistxattr(from, names, (size_t)size) : size;
	int rc = CR_OK;

	if (len < 0 && errno != ENOTSUP)
		rc = cr_fail_errno(err, CR_EIO, "cannot read its attributes");
	for (const char *name = names; rc == CR_OK && len > 0 && name < names + len;
		name += strlen(name) + 1)
		if (!is_about_bytes(name))
			rc = attribute_copy(to, from, name, err);
	free(names);
	return rc;
}

/* Content that not everybody may read is not given to another user. */
static int
owner_copy(const struct cr_atomic_file *f, const struct stat *old, struct cr_err *err)
{
	struct stat now;

	if (fstat(f->fd, &now) < 0)
		return cr_fail_errno(err, CR_EIO, "cannot write");
	if (old->st_uid != now.st_uid && f->access.readers != CR_READERS_ALL)
		return cr_fail(err, CR_EIO, CR_NO_OFFSET,
			"it belongs to user %lu, who may not read the input: not replaced",
			(unsigned long)old->st_uid);
	if ((old->st_uid != now.st_uid || old->st_gid != now.st_gid) &&
		fchown(f->fd, old->st_uid, old->st_gid) < 0)
		return cr_fail_errno(err, CR_EIO, "cannot keep its owner and group");
	return CR_OK;
}

/*
 * Widen the permissions step by step: the access control list, which is part of the mode, comes
 * last. The set-user-ID bit is not kept, since it was granted to the old bytes.
 */
static int
permissions_copy(const struct cr_atomic_file *f, int from, struct cr_err *err)
{
	struct stat old;
	mode_t mode, kept;
	int rc;

	if (fstat(from, &old) < 0)
		return cr_fail_errno(err, CR_EIO, "cannot replace");
	if (!S_ISREG(old.st_mode))
		return cr_fail(err, CR_EIO, CR_NO_OFFSET, "not a regular file: not replaced");
	mode = old.st_mode & 0777;
	if ((rc = owner_copy(f, &old, err)) < 0)
		return rc;
	/* The directory may have given the file a default access control list. */
	if (fremovexattr(f->fd, ACL) < 0 && errno != ENODATA && errno != ENOTSUP)
		return cr_fail_errno(err, CR_EIO, "cannot keep its permissions");
	if (fchmod(f->fd, mode) < 0)
		return cr_fail_errno(err, CR_EIO, "cannot keep its permissions");
	if ((rc = attributes_copy(f->fd, from, err)) < 0)
		return rc;
	kept = (mode_t)cr_access_mode(f->access, mode, old.st_gid);
	if (kept != mode && fchmod(f->fd, kept) < 0)
		return cr_fail_errno(err, CR_EIO, "cannot set its permissions");
	return CR_OK;
}

static int
keep(const struct cr_atomic_file *f, struct cr_err *err)
{
	int fd, rc;

	if (f->old >= 0)
		return permissions_copy(f, f->old, err);
	fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return errno == ENOENT ? CR_OK : cr_fail_errno(err, CR_EIO, "cannot replace");
	rc = permissions_copy(f, fd, err);
	close(fd);
	return rc;
}

/* ---- rename into place */

/*
 * Some file systems cannot rename without replacing, but most of those can link. The rest checks
 * first, which is a race.
 */
int
cr_rename_new(const char *from, const char *to, struct cr_err *err)
{
	bool done = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0;

	if (!done && (errno == EINVAL || errno == ENOSYS)) {
		done = link(from, to) == 0;
		if (done)
			unlink(from);
		else if (errno != EEXIST)
			done = access(to, F_OK) < 0 ? rename(from, to) == 0
						    : (errno = EEXIST, false);
	}
	if (done)
		return CR_OK;
	if (errno == EEXIST)
		return cr_fail(err, CR_EEXISTS, CR_NO_OFFSET, "the file exists already");
	return cr_fail_errno(err, CR_EIO, "cannot rename");
}

int
cr_sync_directory(const char *path, struct cr_err *err)
{
	const char *slash = strrchr(path, '/');
	char *dir = slash ? cr_memdup(path, (size_t)(slash - path) + 1) : cr_strdup(".");
	const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = CR_OK;

	free(dir);
	if (fd < 0 ? errno != EACCES : fsync(fd) < 0 && errno != EINVAL && errno != ENOTSUP)
		rc = cr_fail_errno(err, CR_EIO,
			"the directory cannot be synced, so this may be undone when the machine "
			"stops");
	if (fd >= 0)
		close(fd);
	return rc;
}

int
cr_atomic_commit(struct cr_atomic_file *f, enum cr_atomic_how how, struct cr_err *err)
{
	int rc = CR_OK;

	if (how == CR_ATOMIC_REPLACE && (rc = keep(f, err)) < 0)
		return rc;
	if (fsync(f->fd) < 0)
		return cr_fail_errno(err, CR_EIO, "cannot write");
	if (how == CR_ATOMIC_NEW)
		rc = cr_rename_new(f->temp, f->path, err);
	else if (rename(f->temp, f->path) < 0)
		rc = cr_fail_errno(err, CR_EIO, "cannot write");
	if (rc < 0)
		return rc;
	cr_cleanup_forget(f->temp);
	free(f->temp);
	f->temp = NULL;
	return cr_sync_directory(f->path, err);
}

void
cr_atomic_close(struct cr_atomic_file *f)
{
	if (f->temp) {
		unlink(f->temp);
		cr_cleanup_forget(f->temp);
	}
	free(f->temp);
	f->temp = NULL;
	if (f->fd >= 0)
		close(f->fd); /* after fsync() close() has nothing left to fail on */
	f->fd = -1;
}
