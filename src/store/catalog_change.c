#include "store/catalog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/access.h"
#include "base/atomic_file.h"
#include "base/confine.h"
#include "base/mem.h"
#include "file_lock_p.h"
#include "store/store.h"

/* Changes in the directory of stored profiles. */

static int
name_taken(const char *name, struct cr_err *err)
{
	return cr_fail(err, CR_EEXISTS, CR_NO_OFFSET, "there is a profile called %s already", name);
}

static int
no_such_profile(struct cr_err *err)
{
	return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no such profile");
}

/* Remove temporary files of killed writers from the directory of path. */
static void
sweep_around(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash ? cr_memdup(path, (size_t)(slash - path) + 1) : cr_strdup(".");

	cr_catalog_sweep(directory);
	free(directory);
}

int
cr_catalog_remove(const char *dir, const char *name, struct cr_err *err)
{
	struct cr_file_lock lock;
	char *path;
	int rc;

	if ((rc = cr_catalog_path(dir, name, &path, err)) < 0)
		return rc;
	/*
	 * In the store a damaged profile may be removed; elsewhere only a file that is a profile.
	 */
	if (cr_catalog_is_path(name) && access(path, F_OK) == 0 && !cr_store_is_file(path)) {
		rc = cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "not a stored profile; not changed");
		goto out;
	}
	sweep_around(path);
	if ((rc = cr_file_lock_open(path, &lock, err)) < 0)
		goto out;
	if (unlink(path) < 0)
		rc = errno == ENOENT ? no_such_profile(err)
				     : cr_fail_errno(err, CR_EIO, "cannot remove");
	else
		rc = cr_sync_directory(path, err);
	cr_file_lock_close(&lock);
out:
	free(path);
	return rc;
}

static int
rename_locked(
	const char *from, const char *to, const char *to_name, bool replace, struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;
	struct stat st;
	int rc = CR_OK;

	if (lstat(from, &st) < 0)
		return errno == ENOENT ? no_such_profile(err)
				       : cr_fail_errno(err, CR_EIO, "cannot rename");
	if (S_ISDIR(st.st_mode))
		return no_such_profile(err);
	if (!replace)
		rc = cr_rename_new(from, to, &why);
	else if (rename(from, to) < 0)
		rc = cr_fail_errno(&why, CR_EIO, "cannot rename");
	if (rc < 0 && S_ISLNK(st.st_mode)) /* the sandbox allows creating files, but not links */
		cr_confine_report(&why, to, W_OK);
	if (rc == CR_OK)
		rc = cr_sync_directory(to, err);
	else if (rc == CR_EEXISTS)
		name_taken(to_name, err);
	else
		*err = why;
	return rc;
}

static int
refuse_path(const char *name, struct cr_err *err)
{
	if (!cr_catalog_is_path(name))
		return CR_OK;
	return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
		"%s is a path; only profiles in the store can be renamed", name);
}

int
cr_catalog_rename(
	const char *dir, const char *from, const char *to, bool replace, struct cr_err *err)
{
	char *old = NULL, *new = NULL;
	struct cr_file_lock locks[2];
	int rc;

	if ((rc = refuse_path(from, err)) < 0 || (rc = refuse_path(to, err)) < 0 ||
		(rc = cr_catalog_path(dir, from, &old, err)) < 0 ||
		(rc = cr_catalog_path(dir, to, &new, err)) < 0)
		goto out;
	sweep_around(old);
	if ((rc = cr_file_lock_open_two(old, new, locks, err)) < 0)
		goto out;
	rc = rename_locked(old, new, to, replace, err);
	cr_file_lock_close(&locks[1]);
	cr_file_lock_close(&locks[0]);
out:
	free(old);
	free(new);
	return rc;
}

/* Fail if a profile cannot be stored at path, under this name. */
static int
may_put(const char *path, const char *name, bool replace, struct cr_err *err)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return CR_OK;
	if (cr_catalog_is_path(name) && !cr_store_is_file(path))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"%s is not a stored profile; not changed", name);
	return replace ? CR_OK : name_taken(name, err);
}

int
cr_catalog_may_put(const char *dir, const char *name, bool replace, struct cr_err *err)
{
	char *path;
	int rc;

	if ((rc = cr_catalog_path(dir, name, &path, err)) == CR_OK)
		rc = may_put(path, name, replace, err);
	free(path);
	return rc;
}

int
cr_catalog_put(const char *dir, const char *name, unsigned how, const struct cr_profile *p,
	struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;
	char *path = NULL;
	int rc = cr_catalog_path(dir, name, &path, err);

	if (rc == CR_OK && !cr_catalog_is_path(name))
		rc = cr_catalog_make(dir, err);
	if (rc < 0)
		goto out;
	sweep_around(path);
	if ((rc = may_put(path, name, how & CR_STORE_REPLACE, err)) < 0)
		goto out;
	rc = cr_store_write(path, p, how, &why);
	if (why.code == CR_EEXISTS)
		name_taken(name, err);
	else if (why.code)
		cr_fail(err, why.code, why.offset, "%s: %s", path, why.text);
out:
	free(path);
	return rc;
}

/* Other processes may use a free name first; then the next one is tried. */
#define TRIES 100

int
cr_catalog_put_fresh(const char *dir, const char *input_path, unsigned how,
	const struct cr_profile *p, char **name, struct cr_err *err)
{
	int rc = CR_EEXISTS;

	*name = NULL;
	for (int i = 0; i < TRIES && rc == CR_EEXISTS; i++) {
		free(*name);
		*name = cr_catalog_fresh(dir, input_path);
		rc = cr_catalog_put(dir, *name, how, p, err);
	}
	if (rc < 0) {
		free(*name);
		*name = NULL;
	}
	return rc;
}

/* Copy until the end, since a pipe has no length. */
static int
copy_stream(int fd, struct cr_atomic_file *b, struct cr_err *err)
{
	char bytes[1 << 14];
	ssize_t n;
	int rc;

	while ((n = read(fd, bytes, sizeof(bytes))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return cr_fail_errno(err, CR_EIO, "cannot read");
		if ((rc = cr_atomic_write(b, bytes, (size_t)n, err)) < 0)
			return rc;
	}
	return CR_OK;
}

static int
copy_file(int fd, struct cr_atomic_file *b, struct cr_err *err)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0)
		return cr_atomic_copy(b, fd, 0, (uint64_t)st.st_size, err);
	return copy_stream(fd, b, err);
}

static int
access_of(int fd, struct cr_access *access, struct cr_err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return cr_fail_errno(err, CR_EIO, "cannot read");
	*access = cr_access_of(fd, &st);
	return CR_OK;
}

struct import {
	const char *dir;
	const char *from, *name; /* name NULL: choose a free one */
	char *got, *to;          /* the name and its path */
};

static int
import_name(struct import *m, struct cr_err *err)
{
	int rc;

	free(m->got);
	free(m->to);
	m->got = m->name ? cr_strdup(m->name) : cr_catalog_fresh(m->dir, m->from);
	if ((rc = cr_catalog_path(m->dir, m->got, &m->to, err)) < 0)
		return rc;
	if (!cr_catalog_is_path(m->got) && (rc = cr_catalog_make(m->dir, err)) < 0)
		return rc;
	return access(m->to, F_OK) == 0 ? name_taken(m->got, err) : CR_OK;
}

/* The copy is checked, not the source, which may have changed meanwhile. */
static int
import_run(struct import *m, int fd, struct cr_log *log, struct cr_err *err)
{
	struct cr_access access;
	struct cr_atomic_file b;
	int rc;

	if ((rc = access_of(fd, &access, err)) < 0 || (rc = import_name(m, err)) < 0)
		return rc;
	sweep_around(m->to);
	if ((rc = cr_atomic_open(m->to, 0644, &access, &b, err)) < 0)
		return rc;
	if ((rc = copy_file(fd, &b, err)) == CR_OK &&
		(rc = cr_store_verify(b.temp, log, err)) == CR_OK)
		rc = cr_atomic_commit(&b, CR_ATOMIC_NEW, err);
	for (int i = 0; i < TRIES && rc == CR_EEXISTS; i++) {
		rc = m->name ? name_taken(m->name, err) : import_name(m, err);
		if (m->name)
			break;
		b.path = m->to;
		if (rc == CR_OK)
			rc = cr_atomic_commit(&b, CR_ATOMIC_NEW, err);
	}
	cr_atomic_close(&b);
	return rc;
}

int
cr_catalog_copy(const char *from, const char *to, struct cr_log *log, struct cr_err *err)
{
	struct cr_access access;
	struct cr_atomic_file b;
	int fd, rc;

	if ((rc = cr_store_file_open(from, &fd, err)) < 0)
		return rc;
	if ((rc = access_of(fd, &access, err)) == CR_OK &&
		(rc = cr_atomic_open(to, 0644, &access, &b, err)) == CR_OK) {
		if ((rc = copy_file(fd, &b, err)) == CR_OK &&
			(rc = cr_store_verify(b.temp, log, err)) == CR_OK)
			rc = cr_file_lock_commit(&b, err);
		cr_atomic_close(&b);
	}
	close(fd);
	return rc;
}

int
cr_catalog_import(const char *dir, const char *path, const char *name, char **got,
	struct cr_log *log, struct cr_err *err)
{
	const bool is_stdin = strcmp(path, "-") == 0;
	const int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct import m = {.dir = dir, .from = path, .name = name};
	int rc;

	*got = NULL;
	if (fd < 0)
		return cr_fail_errno(err, errno == ENOENT ? CR_ENOTFOUND : CR_EIO, "cannot open");
	rc = import_run(&m, fd, log, err);
	if (rc == CR_OK) {
		*got = m.got;
		m.got = NULL;
	}
	free(m.got);
	free(m.to);
	if (!is_stdin)
		close(fd);
	return rc;
}
