#include "writing.h"

#include "job.h"

#include "cresset/query/fold.h"

#include <stdio.h>
#include <stdlib.h>

int
cr_writing_choose(const struct cr_options *o, const char *fallback, const struct cr_writer **out)
{
	const char *name = o->format ? o->format : fallback;

	*out = NULL;
	if (!o->format && o->output)
		*out = cr_writer_for_path(o->output);
	if (!*out && name)
		*out = cr_writer_find(name);
	if (*out)
		return EXIT_DONE;
	fprintf(stderr, "cresset: %s: no such format; -f takes", name ? name : o->output ? o->output : "export");
	for (size_t i = 0; cr_writer_at(i); i++)
		fprintf(stderr, " %s", cr_writer_at(i)->name);
	fputc('\n', stderr);
	return EXIT_USAGE;
}

int
cr_writing_run(const struct cr_options *o, const struct cr_writer *w, struct cr_write_in *in)
{
	struct cr_err err = CR_ERR_INIT;

	in->title = o->title;
	in->icicle = o->icicle;
	in->palette = o->palette;
	in->width_px = o->width_px;
	if (cr_writer_run(w, in, o->output, &err) < 0)
		return cr_job_fail(o->output ? o->output : "standard output", &err);
	return EXIT_DONE;
}

int
cr_writing_profile(const struct cr_options *o, const struct cr_writer *w, const struct cr_profile *p, bool tidy)
{
	struct cr_write_in in = {.p = p, .tidy = tidy};
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t = NULL;
	uint8_t *sel = NULL;
	/* Samples are written as they were recorded, all events in their order, unless some were asked for. */
	const bool some = o->filter.event || cr_filter_needs_samples(&o->filter);
	int rc = CR_OK, code;

	if (w->needs & CR_WRITER_TREE)
		rc = cr_fold(p, &o->filter, CR_GROUP_COMM, &t, &err);
	else if (some)
		rc = cr_select(p, &o->filter, &sel, &err);
	in.tree = t;
	in.select = sel;
	code = rc < 0 ? cr_job_fail(o->n_args ? o->args[0] : "-", &err) : cr_writing_run(o, w, &in);
	cr_tree_free(t);
	free(sel);
	return cr_job_end(o, p, code);
}
