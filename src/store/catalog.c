#include "store/catalog.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "base/text.h"
#include "base/vec.h"
#include "file_lock_p.h"
#include "store/store.h"

#define SUFFIX CR_STORE_SUFFIX
#define NAME_BYTES_MAX 199u
#define SWEEP_AGE_SECONDS (24 * 60 * 60)

static char *
join(const char *dir, const char *name, const char *suffix)
{
	struct cr_text t = {0};

	cr_text_puts(&t, dir);
	if (t.len == 0 || t.p[t.len - 1] != '/')
		cr_text_char(&t, '/');
	cr_text_puts(&t, name);
	cr_text_puts(&t, suffix);
	return t.p;
}

int
cr_catalog_dir(const char *dir, char **out, struct cr_err *err)
{
	const char *from;

	*out = NULL;
	if (dir && *dir)
		*out = cr_strdup(dir);
	else if ((from = getenv("CRESSET_STORE")) && *from)
		*out = cr_strdup(from);
	else if ((from = getenv("XDG_DATA_HOME")) && *from == '/') /* ignored if relative */
		*out = join(from, "cresset", "");
	else if ((from = getenv("HOME")) && *from)
		*out = join(from, ".local/share/cresset", "");
	if (*out)
		return CR_OK;
	return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
		"no directory for the store; use --store DIR, or set CRESSET_STORE or HOME");
}

static int
directory_make(const char *path, struct cr_err *err)
{
	struct stat st;
	int why;

	if (mkdir(path, 0700) == 0 || errno == EEXIST)
		return CR_OK;
	why = errno;
	/* Parent directories may exist but not be writable: EACCES, EROFS. */
	if (stat(path, &st) == 0)
		return CR_OK;
	errno = why;
	return cr_fail_errno(err, CR_EIO, "cannot make the directory %s", path);
}

int
cr_catalog_make(const char *dir, struct cr_err *err)
{
	char *path = cr_strdup(dir);
	struct stat st;
	int rc = CR_OK;

	for (char *slash = path; rc == CR_OK && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		rc = directory_make(path, err);
		*slash = '/';
	}
	if (rc == CR_OK)
		rc = directory_make(path, err);
	if (rc == CR_OK && stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
		rc = cr_fail(err, CR_EIO, CR_NO_OFFSET, "%s is not a directory", path);
	free(path);
	return rc;
}

/* If this is NAME.cresset.tmp.PID.RANDOM, return the pid, else 0. */
static long
temp_pid(const char *file)
{
	const char *at = NULL, *next = file;
	char *end;
	long pid;

	/* The last one: a name may contain ".tmp." itself. */
	while ((next = strstr(next, SUFFIX ".tmp.")))
		at = next += strlen(SUFFIX ".tmp.");
	if (!at)
		return 0;
	errno = 0;
	pid = strtol(at, &end, 10);
	if (errno || end == at || pid <= 0 || *end != '.')
		return 0;
	return end[1] && strspn(end + 1, "0123456789abcdef") == strlen(end + 1) ? pid : 0;
}

/*
 * Remove the file of a killed writer: at once if no process has its pid, otherwise after a day,
 * since another process may have the pid by now. Never while it is locked: the pid of a writer in
 * another container means nothing here.
 */
static void
temp_sweep(int directory, const char *file, long pid)
{
	const bool dead = kill((pid_t)pid, 0) < 0 && errno == ESRCH;
	struct stat st;
	int fd;

	if (fstatat(directory, file, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
		return;
	if (!dead && time(NULL) - st.st_mtime < SWEEP_AGE_SECONDS)
		return;
	fd = openat(directory, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		unlinkat(directory, file, 0);
	close(fd);
}

void
cr_catalog_sweep(const char *dir)
{
	DIR *directory = opendir(dir);
	const struct dirent *d;

	while (directory && (d = readdir(directory))) {
		const long pid = temp_pid(d->d_name);

		if (pid)
			temp_sweep(dirfd(directory), d->d_name, pid);
		else if (cr_file_lock_is(d->d_name))
			cr_file_lock_sweep(dirfd(directory), d->d_name);
	}
	if (directory)
		closedir(directory);
}

static int
by_name(const void *x, const void *y)
{
	const struct cr_catalog_entry *a = x, *b = y;

	return strcmp(a->name, b->name);
}

/* True if it can be the name of a profile, apart from the characters of a path. */
static bool
is_name(const char *name)
{
	return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
	       strlen(name) <= NAME_BYTES_MAX;
}

typedef CR_VEC(struct cr_catalog_entry) entry_vec;

/* Handle one file of the directory: remove it if a killed writer left it, or add the profile. */
static int
list_one(const char *dir, int directory, const char *file, entry_vec *found, struct cr_err *err)
{
	const size_t len = strlen(file);
	const long pid = temp_pid(file);
	struct cr_catalog_entry e = {0};
	struct stat st;

	if (pid)
		temp_sweep(directory, file, pid);
	else if (cr_file_lock_is(file))
		cr_file_lock_sweep(directory, file);
	if (len <= strlen(SUFFIX) || strcmp(file + len - strlen(SUFFIX), SUFFIX) != 0)
		return CR_OK;
	if (fstatat(directory, file, &st, 0) < 0) {
		/* Removed meanwhile, or a dangling link. */
		if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)
			return CR_OK;
		return cr_fail_errno(err, CR_EIO, "cannot list %s: %s", dir, file);
	}
	if (!S_ISREG(st.st_mode))
		return CR_OK;
	e.name = cr_memdup(file, len - strlen(SUFFIX));
	if (cr_catalog_is_path(e.name) || !is_name(e.name)) {
		free(e.name);
		return CR_OK;
	}
	e.path = join(dir, file, "");
	e.size_bytes = (uint64_t)st.st_size;
	e.mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	cr_vec_push(found, e);
	return CR_OK;
}

int
cr_catalog_list(const char *dir, struct cr_catalog *out, struct cr_err *err)
{
	DIR *directory = opendir(dir);
	const struct dirent *d;
	entry_vec found = {0};
	int rc = CR_OK;

	*out = (struct cr_catalog){0};
	if (!directory && errno == ENOENT)
		return CR_OK;
	if (!directory)
		return cr_fail_errno(err, CR_EIO, "cannot list %s", dir);
	while (rc == CR_OK && (errno = 0, d = readdir(directory)))
		rc = list_one(dir, dirfd(directory), d->d_name, &found, err);
	if (rc == CR_OK && errno)
		rc = cr_fail_errno(err, CR_EIO, "cannot list %s", dir);
	closedir(directory);
	if (found.n)
		qsort(found.p, found.n, sizeof(*found.p), by_name);
	out->entries = found.p;
	out->n = found.n;
	if (rc < 0)
		cr_catalog_fini(out);
	return rc;
}

void
cr_catalog_fini(struct cr_catalog *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->entries[i].name);
		free(c->entries[i].path);
	}
	free(c->entries);
	*c = (struct cr_catalog){0};
}

bool
cr_catalog_is_path(const char *name)
{
	return strchr(name, '/') || cr_str_ends(cr_str_of(name), SUFFIX);
}

int
cr_catalog_no_file(int why, const char *missing, struct cr_err *err)
{
	if (why == ENOENT || why == ENOTDIR)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "%s", missing);
	errno = why;
	return cr_fail_errno(err, CR_EIO, "cannot open");
}

int
cr_catalog_path(const char *dir, const char *name, char **out, struct cr_err *err)
{
	*out = NULL;
	if (cr_catalog_is_path(name)) {
		*out = cr_strdup(name);
		return CR_OK;
	}
	if (strlen(name) > NAME_BYTES_MAX)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"the name of a profile has at most %u bytes, this one has %zu",
			NAME_BYTES_MAX, strlen(name));
	if (!is_name(name))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"\"%s\" cannot be the name of a profile", name);
	*out = join(dir, name, SUFFIX);
	return CR_OK;
}

/* perf.data to perf, a/b.folded.gz to b, a/perf.data/ to perf, "-" to "profile". */
char *
cr_catalog_stem(const char *input_path)
{
	static const char *const endings[] = {
		".gz",
		".xz",
		".zst",
		".bz2",
		".data",
		".old",
		".txt",
		".folded",
		".collapsed",
		".stacks",
		".script",
		".perf",
		".out",
		SUFFIX,
	};
	struct cr_str s = cr_str_of(input_path);
	bool again = true;

	while (s.len && s.p[s.len - 1] == '/')
		s.len--;
	s = cr_str_basename(s);
	while (again) {
		again = false;
		for (size_t i = 0; i < CR_LEN(endings); i++)
			if (s.len > strlen(endings[i]) && cr_str_ends(s, endings[i])) {
				s.len -= (uint32_t)strlen(endings[i]);
				again = true;
			}
	}
	if (s.len == 0 || cr_str_eq(s, CR_STR("-")) || cr_str_eq(s, CR_STR(".")) ||
		cr_str_eq(s, CR_STR("..")))
		s = CR_STR("profile");
	s.len = CR_MIN(s.len, NAME_BYTES_MAX - 20); /* leave space for "-2" and similar suffixes */
	return cr_memdup(s.p, s.len);
}

char *
cr_catalog_fresh(const char *dir, const char *input_path)
{
	char *stem = cr_catalog_stem(input_path);
	struct cr_text name = {0};

	cr_text_puts(&name, stem);
	for (unsigned k = 2;; k++) {
		char *path = join(dir, name.p, SUFFIX);
		struct stat st;
		const bool taken = lstat(path, &st) == 0;

		free(path);
		if (!taken)
			break;
		cr_text_clear(&name);
		cr_text_printf(&name, "%s-%u", stem, k);
	}
	free(stem);
	return name.p;
}
