#include "stored_p.h"

#include "job_p.h"
#include "model/anonymize.h"
#include "model/tree/default_tree.h"

#include "base/atomic_file.h"
#include "bytes/source.h"
#include "store/catalog.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int
cr_stored_path(const struct cr_options *o, const char *name, char **out)
{
	struct cr_err err = CR_ERR_INIT;
	char *dir = NULL;
	int rc = cr_catalog_dir(o->load.store_dir, &dir, &err);

	*out = NULL;
	if (rc == CR_OK)
		cr_catalog_sweep(dir);
	if (rc == CR_OK)
		rc = cr_catalog_path(dir, name, out, &err);
	/* Report why this file is no profile. */
	if (rc == CR_OK && access(*out, F_OK) < 0 && access(name, F_OK) == 0) {
		free(*out);
		*out = cr_strdup(name);
	}
	if (rc == CR_OK && access(*out, F_OK) < 0) {
		rc = cr_catalog_no_file(
			errno, cr_catalog_is_path(name) ? "no such file" : "no such profile", &err);
		free(*out);
		*out = NULL;
	}
	free(dir);
	return rc < 0 ? cr_job_fail(name, &err) : EXIT_DONE;
}

int
cr_stored_may_add(const struct cr_options *o, const char *name)
{
	struct cr_err err = CR_ERR_INIT;
	char *dir = NULL;
	int code = EXIT_DONE;

	if (cr_catalog_is_path(name)) {
		cr_options_complain(name, "-o wants a name in the store, not a path");
		return EXIT_USAGE;
	}
	if (cr_catalog_dir(o->load.store_dir, &dir, &err) < 0)
		return cr_job_fail(NULL, &err);
	if (cr_catalog_may_put(dir, name, o->replace, &err) < 0)
		code = cr_job_fail_keep(o, name, &err);
	free(dir);
	return code;
}

int
cr_stored_peek(const struct cr_options *o, const char *name, struct cr_profile **out)
{
	struct cr_err err = CR_ERR_INIT;
	char *path;
	int code = cr_stored_path(o, name, &path);

	*out = NULL;
	if (code == EXIT_DONE && cr_store_peek(path, out, &err) < 0)
		code = cr_job_fail(name, &err);
	free(path);
	return code;
}

int
cr_stored_edit(const struct cr_options *o, const char *name, const struct cr_edit *edits, size_t n)
{
	struct cr_err err = CR_ERR_INIT;
	char *path;
	int code = cr_stored_path(o, name, &path);

	if (code == EXIT_DONE && cr_store_edit(path, edits, n, &err) < 0)
		code = cr_job_fail(name, &err);
	free(path);
	return code;
}

/* ---- export */

/* Copy the bytes of the stored profile at path to a pipe or a device, which cannot be replaced. */
static int
print_stored(const char *what, const char *path, int out, const char *out_name)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_source *s = NULL;
	int fd, code = EXIT_DONE;

	if (isatty(out)) {
		cr_options_complain(
			what, "a stored profile cannot be printed on a terminal; use -o FILE");
		return EXIT_USAGE;
	}
	if (cr_store_file_open(path, &fd, &err) < 0)
		return cr_job_fail(what, &err);
	if (cr_source_open_fd(fd, CR_SOURCE_MAX_PIPE, &s, &err) < 0 ||
		cr_store_verify(path, &log, &err) < 0)
		code = cr_job_fail(what, &err);
	else if (cr_write_whole(out, cr_source_bytes(s), cr_source_len(s), &err) < 0)
		code = cr_job_fail(out_name, &err);
	cr_source_close(s);
	close(fd);
	return code;
}

/*
 * The path to replace: the target of a link. False if it is no regular file, which is written
 * directly instead.
 */
static bool
output_path(const char *output, char **path)
{
	struct stat st;

	*path = realpath(output, NULL);
	if (!*path)
		*path = cr_strdup(output);
	return stat(*path, &st) < 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);
}

static int
copy_stored(const struct cr_options *o, const char *what, const char *path)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	int fd, code = EXIT_DONE;
	char *to;

	if (!o->write.output || strcmp(o->write.output, "-") == 0)
		return print_stored(what, path, STDOUT_FILENO, "standard output");
	if (output_path(o->write.output, &to)) {
		if (cr_catalog_copy(path, to, &log, &err) < 0)
			code = cr_job_fail(what, &err);
	} else if ((fd = open(to, O_WRONLY | O_CLOEXEC | O_NOCTTY)) < 0) {
		cr_fail_errno(&err, CR_EIO, "cannot open");
		code = cr_job_fail(o->write.output, &err);
	} else {
		code = print_stored(what, path, fd, o->write.output);
		close(fd);
	}
	free(to);
	return code;
}

/* For a recording: write what ingest would store. Without names, the same of any profile. */
static int
write_loaded(const struct cr_options *o, const char *what)
{
	struct cr_anonymizer *a = NULL;
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	char *to = NULL;
	int code;

	if (!o->write.output || strcmp(o->write.output, "-") == 0 ||
		!output_path(o->write.output, &to)) {
		free(to);
		cr_options_complain(what, "use -o FILE; a recording can be written as a stored "
					  "profile only to a file, not to a pipe or device");
		return EXIT_USAGE;
	}
	code = cr_job_load(o, what, CR_STORE_ALL, &p);
	if (code == EXIT_DONE && o->write.anonymize) {
		a = cr_anonymizer_new();
		cr_anonymize_profile(a, p);
		cr_default_tree_make(p);
	}
	if (code == EXIT_DONE && cr_store_write(to, p, CR_STORE_REPLACE, &err) < 0)
		code = cr_job_fail(o->write.output, &err);
	if (code == EXIT_DONE)
		code = cr_job_end(o, p, code);
	cr_profile_free(p);
	cr_anonymizer_free(a);
	free(to);
	return code;
}

void
cr_stored_report(const char *lead, const char *name, const struct cr_profile *p)
{
	struct cr_text t = {0};

	cr_text_puts(&t, lead);
	cr_text_puts(&t, " stored as ");
	cr_text_safe(&t, cr_str_of(name));
	cr_text_puts(&t, ": ");
	if (p->n_events && cr_rows_are_stacks(p, p->events[cr_event_main(p).i].unit))
		cr_text_counted(&t, p->samples.n, "stack, ", "stacks, ");
	else
		cr_text_counted(&t, p->samples.n, "sample, ", "samples, ");
	cr_text_counted(&t, p->n_nodes - 1, "distinct call path\n", "distinct call paths\n");
	cr_job_say(t.p);
	cr_text_fini(&t);
}

void
cr_stored_reply(struct cr_json_out *j, const char *name, const struct cr_profile *p)
{
	cr_json_out_text_of(j, "name", cr_str_of(name));
	cr_json_out_u64_of(j, "samples", p->samples.n);
	cr_json_out_u64_of(j, "call_paths", p->n_nodes - 1);
}

void
cr_stored_reply_end(struct cr_reply *r)
{
	if (r->o->json) {
		cr_reply_end(r);
		cr_job_say("");
	} else {
		cr_reply_fini(r);
	}
}

int
cr_stored_export(const struct cr_options *o)
{
	const char *what = o->args[0];
	char *path;
	int code;

	if (o->given & ~(uint64_t)(OPT_ANY | OPT_LOAD | OPT_FROM | OPT_OUTPUT | OPT_ANONYMIZE)) {
		cr_options_complain(what, "a stored profile is written as a whole; filters and "
					  "options of pictures are refused");
		return EXIT_USAGE;
	}
	if (o->write.anonymize)
		return write_loaded(o, what);
	if (cr_store_is_file(what))
		return copy_stored(o, what, what);
	if (access(what, F_OK) == 0 || strcmp(what, "-") == 0)
		return write_loaded(o, what);
	code = cr_stored_path(o, what, &path);
	if (code == EXIT_DONE)
		code = copy_stored(o, what, path);
	free(path);
	return code;
}
