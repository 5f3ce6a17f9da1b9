#include "recording.h"

#include "cresset/base/hash.h"
#include "cresset/base/text.h"
#include "cresset/base/vec.h"
#include "cresset/bytes/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STREAM "data."

static char *
join(const char *dir, const char *name)
{
	struct cr_text t = {0};

	cr_text_printf(&t, "%s/%s", dir, name);
	return t.p;
}

static bool
is_kind(const char *path, mode_t kind)
{
	struct stat st;

	return stat(path, &st) == 0 && (st.st_mode & S_IFMT) == kind;
}

static bool
is_perf_data(const char *path)
{
	unsigned char bytes[64];
	struct cr_head head = {.p = bytes, .binary = true};
	uint64_t line;
	ssize_t n = -1;
	int fd;

	if (!is_kind(path, S_IFREG) || (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	n = read(fd, bytes, sizeof(bytes));
	close(fd);
	head.len = n > 0 ? (size_t)n : 0;
	return cr_reader_find("perf.data")->probe(&head, &line) > 0;
}

bool
cr_recording_is_folder(const char *path)
{
	char *data = join(path, "data");
	const bool is = is_kind(path, S_IFDIR) && is_perf_data(data);

	free(data);
	return is;
}

static int
by_name(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

/* The paths of data.0, data.1 and on, sorted. Source: perf's data.c, Linux 6.1. */
static int
streams_list(const char *dir, char ***out, size_t *n, struct cr_err *err)
{
	CR_VEC(char *) found = {0};
	DIR *folder = opendir(dir);
	const struct dirent *d;
	int rc = CR_OK;

	if (!folder)
		return cr_fail_errno(err, CR_EIO, "cannot list");
	while ((d = readdir(folder)) && found.n <= CR_RECORDING_STREAMS_MAX) {
		char *path;

		if (strncmp(d->d_name, STREAM, strlen(STREAM)) != 0)
			continue;
		path = join(dir, d->d_name);
		if (is_kind(path, S_IFREG))
			cr_vec_push(&found, path);
		else
			free(path);
	}
	closedir(folder);
	if (found.n > CR_RECORDING_STREAMS_MAX)
		rc = cr_fail(err, CR_ELIMIT, CR_NO_OFFSET, "more than %u files called " STREAM "*",
			     CR_RECORDING_STREAMS_MAX);
	if (found.n)
		qsort(found.p, found.n, sizeof(*found.p), by_name);
	*out = found.p;
	*n = found.n;
	return rc;
}

/* One file more; what is wrong with it is told with its name. */
static int
source_add(const char *path, const struct cr_progress *progress, struct cr_recording *r, struct cr_source **out,
	struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;

	if (cr_source_open_packed(path, CR_SOURCE_MAX_PIPE, progress, out, &why) < 0)
		return cr_fail(err, why.code, why.offset, "%s: %s", strrchr(path, '/') + 1, why.text);
	r->identity = cr_digest_mix(r->identity, cr_source_identity(*out));
	return CR_OK;
}

static int
streams_open(const char *dir, const struct cr_progress *progress, struct cr_recording *r, struct cr_err *err)
{
	char **paths = NULL;
	size_t n = 0;
	int rc = streams_list(dir, &paths, &n, err);

	r->streams = cr_alloc(n, sizeof(struct cr_source *));
	r->inputs = cr_alloc(n, sizeof(*r->inputs));
	for (size_t i = 0; i < n && rc == CR_OK; i++)
		if ((rc = source_add(paths[i], progress, r, &r->streams[i], err)) == CR_OK)
			r->n_streams++;
	for (size_t i = 0; i < n; i++)
		free(paths[i]);
	free(paths);
	return rc;
}

/* Of the kernel's symbols only the identity: who names things opens them by their path. */
static void
kallsyms_find(const char *dir, struct cr_recording *r)
{
	struct cr_err ignored = CR_ERR_INIT;
	char *path = join(dir, "kcore_dir/kallsyms");
	struct cr_source *s;

	if (is_kind(path, S_IFREG) && source_add(path, NULL, r, &s, &ignored) == CR_OK) {
		cr_source_close(s);
		r->kallsyms = path;
		return;
	}
	free(path);
}

static int
folder_open(const char *dir, const struct cr_progress *progress, struct cr_recording *r, struct cr_err *err)
{
	char *data = join(dir, "data");
	int rc;

	if (access(data, R_OK) < 0 && errno != ENOENT)
		rc = cr_fail_errno(err, CR_EIO, "data: cannot open");
	else if (!is_perf_data(data))
		rc = cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "is a directory, without a recording called data in it");
	else
		rc = source_add(data, progress, r, &r->main, err);
	free(data);
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
		return folder_open(path, progress, r, err);
	rc = cr_source_open_packed(path, CR_SOURCE_MAX_PIPE, progress, &r->main, err);
	if (rc == CR_OK)
		r->identity = cr_source_identity(r->main);
	return rc;
}

void
cr_recording_settle(const struct cr_recording *r)
{
	cr_source_settle(r->main);
	for (size_t i = 0; i < r->n_streams; i++)
		cr_source_settle(r->streams[i]);
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
	free(r->kallsyms);
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
		cr_log_warn(log, "input is not whole", e->offset, "%s", e->text);
	if (replaced)
		cr_log_count(log, "characters of UTF-16 that are none", replaced, 0);
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
