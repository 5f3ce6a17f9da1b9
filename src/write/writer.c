#include "write/writer.h"

#include "base/atomic_file.h"
#include "base/confine.h"
#include "base/safe_stream.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define WRITER(name) extern const struct cr_writer cr_writer_##name;
#include "writers.def"
#undef WRITER

static const struct cr_writer *const writers[] = {
#define WRITER(name) &cr_writer_##name,
#include "writers.def"
#undef WRITER
};

const struct cr_writer *
cr_writer_at(size_t i)
{
	return i < CR_LEN(writers) ? writers[i] : NULL;
}

const struct cr_writer *
cr_writer_find(const char *name)
{
	for (size_t i = 0; i < CR_LEN(writers); i++)
		if (strcmp(writers[i]->name, name) == 0)
			return writers[i];
	return NULL;
}

const struct cr_writer *
cr_writer_for_path(const char *path)
{
	for (size_t i = 0; i < CR_LEN(writers); i++)
		if (cr_str_ends(cr_str_of(path), writers[i]->extension))
			return writers[i];
	return NULL;
}

static int
writer_check(const struct cr_writer *w, const struct cr_write_in *in, struct cr_err *err)
{
	if ((w->needs & CR_WRITER_TREE) && !in->tree)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"%s is made from a call tree, and there is none", w->name);
	if (!(w->needs & CR_WRITER_SAMPLES))
		return CR_OK;
	if (!in->p || !(in->p->flags & CR_PROFILE_HAS_SAMPLES))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"%s is made from samples, and there are none", w->name);
	return CR_OK;
}

/* Write, and hear of a full disk while there is still somebody to tell. */
static int
writer_to(const struct cr_writer *w, const struct cr_write_in *in, FILE *out, struct cr_err *err)
{
	int rc = w->write(in, out, err);

	if (rc < 0)
		return rc;
	if (fflush(out) != 0 || ferror(out))
		return cr_fail_errno(err, CR_EIO, "cannot write");
	return CR_OK;
}

static int
writer_to_fd(const struct cr_writer *w, const struct cr_write_in *in, int fd, struct cr_err *err)
{
	FILE *out = fdopen(fd, "w");
	int rc;

	if (!out) {
		rc = cr_fail_errno(err, CR_EIO, "cannot write");
		close(fd);
		return rc;
	}
	rc = writer_to(w, in, out, err);
	if (fclose(out) != 0 && rc == CR_OK)
		rc = cr_fail_errno(err, CR_EIO, "cannot write");
	return rc;
}

/*
 * Names are whatever the input has: what a terminal would act on is escaped there, and only there.
 */
static int
writer_to_stdout(const struct cr_writer *w, const struct cr_write_in *in, struct cr_err *err)
{
	FILE *safe = isatty(STDOUT_FILENO) ? cr_safe_stream_open(stdout) : NULL;
	int rc = writer_to(w, in, safe ? safe : stdout, err);

	if (safe && fclose(safe) != 0 && rc == CR_OK)
		rc = cr_fail_errno(err, CR_EIO, "cannot write");
	return rc;
}

/* Whoever looks at path sees the old file or the whole new one. */
static int
writer_replace(const struct cr_writer *w, const struct cr_write_in *in, const char *path,
	struct cr_err *err)
{
	struct cr_atomic_file f;
	int fd, rc = cr_atomic_open(path, 0666, NULL, &f, err);

	if (rc < 0)
		return rc;
	if ((fd = fcntl(f.fd, F_DUPFD_CLOEXEC, 0)) < 0)
		rc = cr_fail_errno(err, CR_EIO, "cannot write");
	else
		rc = writer_to_fd(w, in, fd, err);
	if (rc == CR_OK)
		rc = cr_atomic_commit(&f, CR_ATOMIC_REPLACE, err);
	cr_atomic_close(&f);
	return rc;
}

int
cr_writer_run(const struct cr_writer *w, const struct cr_write_in *in, const char *path,
	struct cr_err *err)
{
	struct stat st;
	char *real;
	int rc = writer_check(w, in, err);

	if (rc < 0)
		return rc;
	if (!path || strcmp(path, "-") == 0)
		return writer_to_stdout(w, in, err);
	if (stat(path, &st) < 0)
		return writer_replace(w, in, path, err);
	if (!S_ISREG(st.st_mode)) { /* a pipe or a device is written to, not replaced */
		const int fd = open(path, O_WRONLY | O_CLOEXEC);

		if (fd < 0) {
			rc = cr_fail_errno(err, CR_EIO, "cannot open");
			cr_confine_tell(err, path, W_OK);
			return rc;
		}
		return writer_to_fd(w, in, fd, err);
	}
	real = realpath(path, NULL); /* of a link, the file it leads to */
	rc = writer_replace(w, in, real ? real : path, err);
	free(real);
	return rc;
}
