#include "write/writer.h"

#include "base/atomic_file.h"
#include "base/confine.h"
#include "base/mem.h"
#include "base/safe_stream.h"

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

/* Length of the longest extension that the path ends with; 0 if none. */
static uint32_t
match_length(const struct cr_writer *w, struct cr_str path)
{
	uint32_t longest = 0;

	for (size_t i = 0; w->extensions[i]; i++) {
		const uint32_t len = (uint32_t)strlen(w->extensions[i]);

		if (len > longest && cr_str_ends(path, w->extensions[i]))
			longest = len;
	}
	return longest;
}

const struct cr_writer *
cr_writer_among(const struct cr_writer *const *among, size_t n, const char *path)
{
	const struct cr_writer *best = NULL;
	uint32_t longest = 0;

	for (size_t i = 0; i < n; i++) {
		const uint32_t len = match_length(among[i], cr_str_of(path));

		if (len > longest) {
			longest = len;
			best = among[i];
		}
	}
	return best;
}

const struct cr_writer *
cr_writer_for_path(const char *path)
{
	return cr_writer_among(writers, CR_LEN(writers), path);
}

/* ---- options */

const struct cr_option_spec *
cr_writer_option(const struct cr_writer *w, struct cr_str name)
{
	for (const struct cr_option_spec *o = w->options; o && o->name; o++)
		if (cr_str_eq(name, cr_str_of(o->name)))
			return o;
	return NULL;
}

void *
cr_writer_defaults(const struct cr_writer *w)
{
	void *options = cr_alloc(1, w->options_size ? w->options_size : 1);
	struct cr_err unused = CR_ERR_INIT;

	for (const struct cr_option_spec *o = w->options; o && o->name; o++)
		if (o->initial)
			cr_option_set(o, o->initial, options, &unused);
	return options;
}

static int
no_option(const struct cr_writer *w, const char *name, struct cr_err *err)
{
	const char *names[48], *meant;
	size_t n = 0;

	for (const struct cr_option_spec *o = w->options; o && o->name && n < CR_LEN(names); o++)
		names[n++] = o->name;
	meant = cr_closest(name, names, n);
	return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "%s has no option '%s'%s%s%s", w->name,
		name, meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

int
cr_writer_set(const struct cr_writer *w, void *options, const char *name, const char *value,
	struct cr_err *err)
{
	const struct cr_option_spec *o = cr_writer_option(w, cr_str_of(name));

	return o ? cr_option_set(o, value, options, err) : no_option(w, name, err);
}

unsigned
cr_writer_needs(const struct cr_writer *w, const void *options)
{
	void *defaults = options ? NULL : cr_writer_defaults(w);
	const unsigned more = w->needs_for ? w->needs_for(options ? options : defaults) : 0;

	free(defaults);
	return w->needs | more;
}

/* ---- destination */

static int
writer_check(
	const struct cr_writer *w, const struct cr_write_in *in, unsigned needs, struct cr_err *err)
{
	if ((needs & CR_WRITER_TREE) && !in->tree)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"%s needs a call tree, and there is none", w->name);
	if (!(needs & (CR_WRITER_SAMPLES | CR_WRITER_PLACES)))
		return CR_OK;
	if (!in->p || !(in->p->flags & CR_PROFILE_HAS_SAMPLES))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s needs samples, and there are none",
			w->name);
	if ((needs & CR_WRITER_PLACES) && !in->place)
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"%s cannot represent a difference", w->name);
	return CR_OK;
}

int
cr_writer_write(const struct cr_writer *w, const struct cr_write_in *in, const void *options,
	struct cr_sink *out, struct cr_err *err)
{
	void *defaults = options ? NULL : cr_writer_defaults(w);
	int rc = writer_check(w, in, cr_writer_needs(w, options), err);

	if (rc == CR_OK)
		rc = w->write(in, options ? options : defaults, out, err);
	if (rc == CR_OK) /* report a full disk before the output is closed */
		rc = cr_sink_flush(out, err);
	free(defaults);
	return rc;
}

/*
 * Names may contain anything, so what a terminal would act on is escaped, but only on a terminal.
 */
static int
writer_to_stdout(const struct cr_writer *w, const struct cr_write_in *in, const void *options,
	struct cr_err *err)
{
	const bool escape = !w->for_terminals && isatty(STDOUT_FILENO);
	FILE *safe = escape ? cr_safe_stream_open(stdout) : NULL;
	struct cr_sink out = cr_sink_stream(safe ? safe : stdout);
	int rc = cr_writer_write(w, in, options, &out, err);

	if (safe && fclose(safe) != 0 && rc == CR_OK)
		rc = cr_fail_errno(err, CR_EIO, "cannot write");
	return rc;
}

/* A reader of the path sees the old file or the complete new one. */
static int
writer_replace(const struct cr_writer *w, const struct cr_write_in *in, const void *options,
	const char *path, struct cr_err *err)
{
	struct cr_atomic_file f;
	struct cr_sink out;
	int rc = cr_atomic_open(path, 0666, NULL, &f, err);

	if (rc < 0)
		return rc;
	out = cr_sink_descriptor(f.fd);
	rc = cr_writer_write(w, in, options, &out, err);
	if (rc == CR_OK)
		rc = cr_atomic_commit(&f, CR_ATOMIC_REPLACE, err);
	cr_atomic_close(&f);
	return rc;
}

/* A pipe or a device is written, not replaced. */
static int
writer_to_special(const struct cr_writer *w, const struct cr_write_in *in, const void *options,
	const char *path, struct cr_err *err)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	struct cr_sink out = cr_sink_descriptor(fd);
	int rc;

	if (fd < 0) {
		rc = cr_fail_errno(err, CR_EIO, "cannot open");
		cr_confine_report(err, path, W_OK);
		return rc;
	}
	rc = cr_writer_write(w, in, options, &out, err);
	if (close(fd) != 0 && rc == CR_OK)
		rc = cr_fail_errno(err, CR_EIO, "cannot write");
	return rc;
}

int
cr_writer_run(const struct cr_writer *w, const struct cr_write_in *in, const void *options,
	const char *path, struct cr_err *err)
{
	struct stat st;
	char *real;
	int rc = writer_check(w, in, cr_writer_needs(w, options), err);

	if (rc < 0)
		return rc;
	if (!path || strcmp(path, "-") == 0)
		return writer_to_stdout(w, in, options, err);
	if (stat(path, &st) < 0)
		return writer_replace(w, in, options, path, err);
	if (!S_ISREG(st.st_mode))
		return writer_to_special(w, in, options, path, err);
	real = realpath(path, NULL); /* for a link, its target */
	rc = writer_replace(w, in, options, real ? real : path, err);
	free(real);
	return rc;
}
