#include "recording_p.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "bytes/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STREAM "data."

static bool
is_kind(const char *path, mode_t kind)
{
	struct stat st;

	return stat(path, &st) == 0 && (st.st_mode & S_IFMT) == kind;
}

/*
 * Open a regular file of an open directory; -1 with errno: ELOOP for a link, EINVAL for anything
 * else.
 */
static int
open_regular(int dir, const char *name)
{
	struct stat seen, st;
	int fd;

	if (fstatat(dir, name, &seen, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	if (!S_ISREG(seen.st_mode)) {
		errno = S_ISLNK(seen.st_mode) ? ELOOP : EINVAL;
		return -1;
	}
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0 &&
		(fstat(fd, &st) < 0 || st.st_dev != seen.st_dev || st.st_ino != seen.st_ino)) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

/*
 * Open a file of the recording in dir, in its subdirectory sub unless that is NULL. The author of
 * the directory chose its content: a link could lead to any file that the user may read.
 */
static int
open_inside(const char *dir, const char *sub, const char *name)
{
	int at = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC), below, fd;

	if (at >= 0 && sub) {
		below = openat(at, sub, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		close(at);
		at = below;
	}
	if (at < 0)
		return -1;
	fd = open_regular(at, name);
	close(at);
	return fd;
}

static bool
is_perf_data(const char *dir)
{
	unsigned char bytes[64];
	struct cr_head head = {.p = bytes, .binary = true};
	const int fd = open_inside(dir, NULL, "data");
	uint64_t line;
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, bytes, sizeof(bytes));
	close(fd);
	head.len = n > 0 ? (size_t)n : 0;
	return cr_reader_find("perf.data")->probe(&head, &line) > 0;
}

bool
cr_recording_is_directory(const char *path)
{
	return is_kind(path, S_IFDIR) && is_perf_data(path);
}

static int
by_name(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

/* The names data.0, data.1 ..., sorted. Source: perf's data.c, Linux 6.1. */
static int
streams_list(const char *dir, char ***out, size_t *n, struct cr_err *err)
{
	CR_VEC(char *) found = {0};
	DIR *directory = opendir(dir);
	const struct dirent *d;
	int rc = CR_OK;

	if (!directory)
		return cr_fail_errno(err, CR_EIO, "cannot list");
	while (found.n <= CR_RECORDING_STREAMS_MAX && (errno = 0, d = readdir(directory))) {
		struct stat st;

		if (strncmp(d->d_name, STREAM, strlen(STREAM)) != 0)
			continue;
		/* A link stays in the list, so that source_add() refuses it with a message. */
		if (fstatat(dirfd(directory), d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
			(S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)))
			cr_vec_push(&found, cr_strdup(d->d_name));
	}
	/* This is how readdir() reports an error. */
	if (found.n <= CR_RECORDING_STREAMS_MAX && errno)
		rc = cr_fail_errno(err, CR_EIO, "cannot list");
	closedir(directory);
	if (found.n > CR_RECORDING_STREAMS_MAX)
		rc = cr_fail(err, CR_ELIMIT, CR_NO_OFFSET, "more than %u files called " STREAM "*",
			CR_RECORDING_STREAMS_MAX);
	if (found.n)
		qsort(found.p, found.n, sizeof(*found.p), by_name);
	*out = found.p;
	*n = found.n;
	return rc;
}

/* Add a file of the directory. Messages about it begin with its name. */
static int
source_add(const char *dir, const char *name, const struct cr_progress *progress,
	struct cr_recording *r, struct cr_source **out, struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;
	const int fd = open_inside(dir, NULL, name);
	int rc;

	if (fd < 0 && (errno == ELOOP || errno == EINVAL))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"%s: not a regular file; links are not followed here", name);
	if (fd < 0)
		return cr_fail_errno(err, CR_EIO, "%s: cannot open", name);
	rc = cr_source_open_packed_fd(fd, CR_SOURCE_MAX_PIPE, progress, out, &why);
	close(fd);
	if (rc < 0)
		return cr_fail(err, why.code, why.offset, "%s: %s", name, why.text);
	r->identity = cr_digest_mix(r->identity, cr_source_identity(*out));
	r->access = cr_access_join(r->access, cr_source_access(*out));
	return CR_OK;
}

static int
streams_open(const char *dir, const struct cr_progress *progress, struct cr_recording *r,
	struct cr_err *err)
{
	char **names = NULL;
	size_t n = 0;
	int rc = streams_list(dir, &names, &n, err);

	r->streams = cr_alloc(n, sizeof(struct cr_source *));
	r->inputs = cr_alloc(n, sizeof(*r->inputs));
	for (size_t i = 0; i < n && rc == CR_OK; i++)
		if ((rc = source_add(dir, names[i], progress, r, &r->streams[i], err)) == CR_OK)
			r->n_streams++;
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
	return rc;
}

/* The kernel's symbols stay open and are read when needed; their identity counts at once. */
static void
kallsyms_find(const char *dir, struct cr_recording *r)
{
	struct cr_err ignored = CR_ERR_INIT;
	const int fd = open_inside(dir, "kcore_dir", "kallsyms");
	struct cr_source *s;

	if (fd < 0)
		return;
	if (cr_source_open_packed_fd(fd, CR_SOURCE_MAX_PIPE, NULL, &s, &ignored) < 0) {
		close(fd);
		return;
	}
	r->identity = cr_digest_mix(r->identity, cr_source_identity(s));
	r->access = cr_access_join(r->access, cr_source_access(s));
	cr_source_close(s);
	r->kallsyms_fd = fd;
	r->has_kallsyms = true;
}

/*
 * Without search permission on the directory its files are unreadable, whatever their permissions
 * are.
 */
static struct cr_access
directory_access(const char *dir)
{
	const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct cr_access access = {CR_READERS_OWNER, 0};
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0)
		access = cr_access_of(fd, &st);
	if (fd >= 0)
		close(fd);
	return access;
}

static int
directory_open(const char *dir, const struct cr_progress *progress, struct cr_recording *r,
	struct cr_err *err)
{
	const int fd = open_inside(dir, NULL, "data");
	const bool is_absent = fd < 0 && errno == ENOENT;
	int rc;

	r->access = directory_access(dir);
	if (fd >= 0)
		close(fd);
	if (is_absent || (fd >= 0 && !is_perf_data(dir)))
		rc = cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"is a directory without a recording called data");
	else
		rc = source_add(dir, "data", progress, r, &r->main, err);
	if (rc == CR_OK)
		rc = streams_open(dir, progress, r, err);
	if (rc == CR_OK)
		kallsyms_find(dir, r);
	return rc;
}

int
cr_recording_open(const char *path, const struct cr_progress *progress, struct cr_recording *r,
	struct cr_err *err)
{
	int rc;

	*r = (struct cr_recording){0};
	if (strcmp(path, "-") != 0 && is_kind(path, S_IFDIR))
		return directory_open(path, progress, r, err);
	rc = cr_source_open_packed(path, CR_SOURCE_MAX_PIPE, progress, &r->main, err);
	if (rc == CR_OK) {
		r->identity = cr_source_identity(r->main);
		r->access = cr_source_access(r->main);
	}
	return rc;
}

int
cr_recording_open_memory(const void *p, size_t len, struct cr_recording *r, struct cr_err *err)
{
	*r = (struct cr_recording){0};
	return cr_source_open_memory(p, len, CR_SOURCE_MAX_PIPE, &r->main, err);
}

void
cr_recording_wait_for_clock(const struct cr_recording *r)
{
	cr_source_wait_for_clock(r->main);
	for (size_t i = 0; i < r->n_streams; i++)
		cr_source_wait_for_clock(r->streams[i]);
}

static struct cr_input
input_of(struct cr_source *s)
{
	return (struct cr_input){.p = cr_source_bytes(s), .len = cr_source_len(s), .source = s};
}

int
cr_recording_unpack(struct cr_recording *r, const struct cr_progress *progress, struct cr_err *err)
{
	int rc = cr_source_unpack(r->main, CR_SOURCE_MAX_PIPE, progress, err);

	for (size_t i = 0; i < r->n_streams && rc == CR_OK; i++) {
		rc = cr_source_unpack(r->streams[i], CR_SOURCE_MAX_PIPE, progress, err);
		r->inputs[i] = input_of(r->streams[i]);
	}
	return rc;
}

void
cr_recording_close(struct cr_recording *r)
{
	for (size_t i = 0; i < r->n_streams; i++)
		cr_source_close(r->streams[i]);
	cr_source_close(r->main);
	free(r->streams);
	free(r->inputs);
	if (r->has_kallsyms)
		close(r->kallsyms_fd);
	*r = (struct cr_recording){0};
}

struct cr_input
cr_recording_input(const struct cr_recording *r)
{
	struct cr_input in = input_of(r->main);

	in.streams = r->inputs;
	in.n_streams = r->n_streams;
	return in;
}

static bool
source_damage(const struct cr_source *s, struct cr_log *log)
{
	const struct cr_err *e = cr_source_damage(s);
	const uint64_t replaced = cr_source_replaced(s);

	if (e)
		cr_log_warn(log, "input is incomplete", e->offset, "%s", e->text);
	if (replaced)
		cr_log_count(log, "invalid UTF-16 characters", replaced, 0);
	return e || replaced;
}

bool
cr_recording_damage(const struct cr_recording *r, struct cr_log *log)
{
	bool any = source_damage(r->main, log);

	for (size_t i = 0; i < r->n_streams; i++)
		any |= source_damage(r->streams[i], log);
	return any;
}
