#include "store/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/access.h"
#include "base/mem.h"
#include "base/text.h"
#include "bytes/scan.h"
#include "store/store.h"

#define LIMIT_FILE "limit"
#define USED_FILE "used"

static char *
join(const char *dir, const char *name, const char *suffix)
{
	struct cr_text t = {0};

	cr_text_printf(&t, "%s/%s%s", dir, name, suffix);
	return t.p;
}

int
cr_cache_dir(char **out, struct cr_err *err)
{
	const char *from = getenv("XDG_CACHE_HOME");

	*out = NULL;
	if (from && *from == '/') /* the XDG specification requires to ignore a relative path */
		*out = join(from, "cresset", "");
	else if ((from = getenv("HOME")) && *from)
		*out = join(from, ".cache/cresset", "");
	if (*out)
		return CR_OK;
	return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
		"no directory for the cache: set XDG_CACHE_HOME or HOME");
}

bool
cr_cache_usable(const char *dir, struct cr_err *err)
{
	struct stat st;

	if (stat(dir, &st) < 0) {
		if (errno == ENOENT)
			return true;
		cr_fail_errno(err, CR_EIO, "cannot use the cache %s", dir);
		return false;
	}
	if (!S_ISDIR(st.st_mode))
		cr_fail(err, CR_EIO, CR_NO_OFFSET, "the cache %s is not a directory", dir);
	else if (!cr_access_is_own(&st))
		cr_fail(err, CR_EIO, CR_NO_OFFSET,
			"the cache %s is not used: another user may write to it", dir);
	else
		return true;
	return false;
}

/*
 * Create the directory if it is missing. Returns false, without an error, if this user may not
 * create it, or if its parent belongs to another user. (Root with a user's HOME would leave a
 * directory that the user cannot write to.)
 */
static bool
cache_make(const char *dir, int *rc, struct cr_err *err)
{
	char *path = cr_strdup(dir);
	struct stat st;
	bool made = false;

	*rc = CR_OK;
	for (char *slash; stat(path, &st) < 0 && (slash = strrchr(path, '/')) && slash > path;)
		*slash = '\0';
	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode) ||
		(st.st_uid != geteuid() && st.st_uid != 0) || access(path, W_OK | X_OK) < 0)
		goto out;
	*rc = cr_catalog_make(dir, err);
	made = *rc == CR_OK && cr_cache_usable(dir, err) && access(dir, W_OK | X_OK) == 0;
out:
	free(path);
	return made;
}

void
cr_cache_make(const char *dir)
{
	struct cr_err ignored = CR_ERR_INIT;
	int rc;

	if (cr_cache_limit(dir))
		cache_make(dir, &rc, &ignored);
}

/* ---- one copy */

static int
copy_open(const char *path, struct cr_err *err)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && cr_access_is_own(&st))
		return fd;
	if (fd >= 0)
		close(fd);
	cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no copy in the cache");
	return -1;
}

int
cr_cache_open(const char *dir, const char *key, unsigned parts, struct cr_profile **out,
	struct cr_err *err)
{
	struct cr_log log = {0};
	char *path;
	int fd, rc;

	*out = NULL;
	if (!cr_cache_usable(dir, err))
		return err->code;
	path = join(dir, key, CR_STORE_SUFFIX);
	fd = copy_open(path, err);
	free(path);
	if (fd < 0)
		return err->code;
	/* Nobody else can have written it: see copy_open(). */
	rc = cr_store_open_fd(fd, parts | CR_STORE_TRUSTED, out, &log, err);
	/* A copy with a lost part is useless: the recording has everything. */
	if (rc == CR_OK && log.n) {
		cr_profile_free(*out);
		*out = NULL;
		rc = cr_fail(err, CR_EFORMAT, log.entries[0].offset, "%s", log.entries[0].first);
	}
	if (rc == CR_OK)
		futimens(fd, NULL);
	close(fd);
	return rc;
}

/* ---- all copies */

static int
by_use(const void *x, const void *y)
{
	const struct cr_catalog_entry *a = x, *b = y;

	if (a->mtime_ns != b->mtime_ns)
		return a->mtime_ns > b->mtime_ns ? -1 : 1;
	return strcmp(a->name, b->name);
}

int
cr_cache_list(const char *dir, struct cr_catalog *out, struct cr_err *err)
{
	const int rc = cr_catalog_list(dir, out, err);

	if (rc == CR_OK && out->n)
		qsort(out->entries, out->n, sizeof(*out->entries), by_use);
	return rc;
}

/* ---- how much is used */

/*
 * The size of all copies, so that not every new one has to look at all others. It may be too low if
 * two programs write at once, so after `left` more copies all are looked at: as many as there were,
 * so that this costs little for each.
 */
struct used {
	uint64_t bytes, left;
};

#define LEFT_LEAST 64u
#define USED_DIGITS 20u

static bool
used_read(const char *dir, struct used *out)
{
	char *path = join(dir, USED_FILE, ""), text[2 * USED_DIGITS + 8];
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	const ssize_t n = fd >= 0 ? read(fd, text, sizeof(text)) : -1;

	free(path);
	if (fd >= 0)
		close(fd);
	return n == 2 * USED_DIGITS + 2 && text[USED_DIGITS] == ' ' && text[n - 1] == '\n' &&
	       cr_scan_u64((struct cr_str){text, USED_DIGITS}, &out->bytes) &&
	       cr_scan_u64((struct cr_str){text + USED_DIGITS + 1, USED_DIGITS}, &out->left);
}

/* If it cannot be written, it must not remain as it was. */
static bool
used_write(const char *dir, const struct used *used)
{
	char *path = join(dir, USED_FILE, ""), text[2 * USED_DIGITS + 8];
	const int fd = open(
		path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	const int len = snprintf(
		text, sizeof(text), "%020" PRIu64 " %020" PRIu64 "\n", used->bytes, used->left);
	const bool good = fd >= 0 && pwrite(fd, text, (size_t)len, 0) == len;

	if (fd >= 0)
		close(fd);
	if (!good)
		unlink(path);
	free(path);
	return good;
}

static void
used_forget(const char *dir)
{
	char *path = join(dir, USED_FILE, "");

	unlink(path);
	free(path);
}

/* Count the new copy at path. Returns false if all copies must be looked at. */
static bool
used_add(const char *dir, const char *path, uint64_t limit)
{
	struct used used;
	struct stat st;

	if (!used_read(dir, &used) || used.left == 0 || stat(path, &st) < 0)
		return false;
	used.left--;
	used.bytes = cr_add_sat(used.bytes, (uint64_t)st.st_size);
	return used.bytes <= limit && used_write(dir, &used);
}

/*
 * Remove the copies beyond the limit, and any that exceeds it alone. Another process may remove the
 * same copies.
 */
static int
cache_trim(const char *dir, uint64_t limit, uint64_t *n, uint64_t *bytes, struct cr_err *err)
{
	struct cr_catalog c;
	struct used used = {0, 0};
	uint64_t kept = 0;
	int rc = cr_cache_list(dir, &c, err);

	*n = *bytes = 0;
	for (size_t i = 0; i < c.n; i++) {
		const struct cr_catalog_entry *e = &c.entries[i];

		if (limit && e->size_bytes <= limit &&
			(kept = cr_add_sat(kept, e->size_bytes)) <= limit) {
			used.bytes = kept;
			used.left++;
			continue;
		}
		if (unlink(e->path) == 0) {
			++*n;
			*bytes += e->size_bytes;
		} else if (errno != ENOENT && rc == CR_OK) {
			rc = cr_fail_errno(err, CR_EIO, "cannot remove %s", e->path);
		}
	}
	cr_catalog_fini(&c);
	used.left = CR_MAX(used.left, LEFT_LEAST);
	if (rc < 0 || !limit)
		used_forget(dir);
	else
		used_write(dir, &used);
	return rc;
}

int
cr_cache_put(const char *dir, const char *key, const struct cr_profile *p, struct cr_err *err)
{
	const uint64_t limit = cr_cache_limit(dir);
	uint64_t n, bytes;
	char *path;
	int rc;

	if (!limit || !cache_make(dir, &rc, err))
		return limit ? rc : CR_OK;
	path = join(dir, key, CR_STORE_SUFFIX);
	rc = cr_store_write(path, p, CR_STORE_PRIVATE, err);
	if (rc == CR_OK && !used_add(dir, path, limit))
		rc = cache_trim(dir, limit, &n, &bytes, err);
	free(path);
	return rc;
}

int
cr_cache_clear(const char *dir, uint64_t *n, uint64_t *bytes, struct cr_err *err)
{
	char *path = join(dir, CR_CACHE_PROVEN, "");
	int rc = cache_trim(dir, 0, n, bytes, err);

	/* On a file system that is read-only unlink() fails even if there is nothing to remove. */
	if (access(path, F_OK) == 0 && unlink(path) < 0 && errno != ENOENT && rc == CR_OK)
		rc = cr_fail_errno(err, CR_EIO, "cannot remove %s", path);
	free(path);
	return rc;
}

/* ---- the limit */

uint64_t
cr_cache_limit(const char *dir)
{
	char *path = join(dir, LIMIT_FILE, "");
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char text[32];
	const ssize_t n = fd >= 0 ? read(fd, text, sizeof(text)) : -1;
	uint64_t limit;

	free(path);
	if (fd >= 0)
		close(fd);
	if (n < 2 || text[n - 1] != '\n' ||
		!cr_scan_u64((struct cr_str){text, (uint32_t)n - 1}, &limit))
		return CR_CACHE_LIMIT;
	return limit;
}

/*
 * Always the same length, written in one call: if the program is killed, the file holds the old or
 * the new number.
 */
static int
limit_write(const char *dir, uint64_t limit, struct cr_err *err)
{
	char *path = join(dir, LIMIT_FILE, "");
	const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	char text[32];
	const int len = snprintf(text, sizeof(text), "%020" PRIu64 "\n", limit);
	int rc = CR_OK;

	if (fd < 0 || pwrite(fd, text, (size_t)len, 0) != len || fsync(fd) < 0)
		rc = cr_fail_errno(err, CR_EIO, "cannot write %s", path);
	if (fd >= 0)
		close(fd);
	free(path);
	return rc;
}

int
cr_cache_set_limit(const char *dir, uint64_t limit, struct cr_err *err)
{
	uint64_t n, bytes;
	int rc;

	if (!cr_cache_usable(dir, err))
		return err->code;
	if ((rc = cr_catalog_make(dir, err)) < 0 || (rc = limit_write(dir, limit, err)) < 0)
		return rc;
	return cache_trim(dir, limit, &n, &bytes, err);
}
