#include "stored.h"

#include "job.h"

#include "cresset/bytes/source.h"
#include "cresset/store/catalog.h"
#include "cresset/store/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	if (rc == CR_OK && access(*out, F_OK) < 0 && access(name, F_OK) == 0) { /* a file of another kind: what it is not is told */
		free(*out);
		*out = cr_strdup(name);
	}
	if (rc == CR_OK && access(*out, F_OK) < 0) {
		rc = cr_catalog_no_file(errno, cr_catalog_is_path(name) ? "no such file" : "no such profile", &err);
		free(*out);
		*out = NULL;
	}
	free(dir);
	return rc < 0 ? cr_job_fail(name, &err) : EXIT_DONE;
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

static int
print_stored(const char *what, const char *path)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_source *s = NULL;
	int code = EXIT_DONE;

	if (isatty(STDOUT_FILENO)) {
		cr_options_complain(what, "a stored profile is nothing for a terminal: -o FILE");
		return EXIT_USAGE;
	}
	if (cr_source_open(path, CR_SOURCE_MAX_PIPE, &s, &err) < 0 || cr_store_verify(path, &log, &err) < 0)
		code = cr_job_fail(what, &err);
	else
		fwrite(cr_source_bytes(s), 1, cr_source_len(s), stdout); /* a full disk is told at the end */
	cr_source_close(s);
	return code;
}

static int
copy_stored(const struct cr_options *o, const char *what, const char *path)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};

	if (!o->output || strcmp(o->output, "-") == 0)
		return print_stored(what, path);
	return cr_catalog_copy(path, o->output, &log, &err) < 0 ? cr_job_fail(what, &err) : EXIT_DONE;
}

/* Of a recording: what ingest would keep. */
static int
write_loaded(const struct cr_options *o, const char *what)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	int code;

	if (!o->output || strcmp(o->output, "-") == 0) {
		cr_options_complain(what, "-o FILE says where the stored profile goes");
		return EXIT_USAGE;
	}
	code = cr_job_load(o, what, CR_STORE_ALL, &p);
	if (code == EXIT_DONE && cr_store_write(o->output, p, CR_STORE_REPLACE, &err) < 0)
		code = cr_job_fail(o->output, &err);
	if (code == EXIT_DONE)
		code = cr_job_end(o, p, code);
	cr_profile_free(p);
	return code;
}

void
cr_stored_tell(const char *lead, const char *name, const struct cr_profile *p)
{
	struct cr_text t = {0};

	cr_text_puts(&t, lead);
	cr_text_puts(&t, " kept as ");
	cr_text_safe(&t, cr_str_of(name));
	cr_text_puts(&t, ": ");
	cr_text_grouped(&t, p->samples.n);
	cr_text_puts(&t, p->n_events && cr_rows_are_stacks(p, p->events[cr_event_main(p).i].unit) ? " stacks, " : " samples, ");
	cr_text_grouped(&t, p->n_nodes - 1);
	cr_text_puts(&t, " distinct frames of stacks\n");
	fputs(t.p, stdout);
	cr_text_fini(&t);
}

int
cr_stored_export(const struct cr_options *o)
{
	const char *what = o->args[0];
	char *path;
	int code;

	if (o->given & ~(unsigned)(OPT_ANY | OPT_LOAD | OPT_FROM | OPT_OUTPUT)) {
		cr_options_complain(what, "a stored profile is written whole: no filters, no looks");
		return EXIT_USAGE;
	}
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

uint64_t
cr_stored_samples(const struct cr_profile *p)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < p->n_events; i++) {
		const struct cr_event *e = &p->events[i];

		if (!cr_event_is_sum(p, (cr_event_id){i}))
			n = cr_add_sat(n, cr_unit_is_unknown(e->unit) ? e->weight : cr_event_samples(e));
	}
	return n;
}
