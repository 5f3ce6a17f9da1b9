#include "job_p.h"
#include "stored_p.h"

#include "base/text.h"
#include "model/merge/merge.h"
#include "model/tree/default_tree.h"
#include "store/catalog.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>

int cr_cmd_merge(const struct cr_options *o);

/* Add the inputs one after the other; each is freed when it was added. */
static int
gather(const struct cr_options *o, struct cr_merge *m)
{
	for (int i = 0; i < o->n_args; i++) {
		char *title = cr_job_title(o->args[i]);
		struct cr_err err = CR_ERR_INIT;
		struct cr_profile *p;
		int code = cr_job_load(o, o->args[i], CR_STORE_ALL, &p);

		if (code == EXIT_DONE && cr_merge_add(m, p, cr_str_of(title), &err) < 0)
			code = cr_job_fail(o->args[i], &err);
		free(title);
		cr_profile_free(p);
		if (code != EXIT_DONE)
			return code;
	}
	return EXIT_DONE;
}

/* Check the name before anything is read, which may take long. */
static int
check_name(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	char *dir;
	int rc = cr_catalog_dir(o->load.store_dir, &dir, &err);

	if (rc == CR_OK)
		rc = cr_catalog_may_put(dir, o->write.output, o->replace, &err);
	free(dir);
	return rc < 0 ? cr_job_fail_keep(o, o->write.output, &err) : EXIT_DONE;
}

static int
keep(const struct cr_options *o, struct cr_profile *p)
{
	struct cr_err err = CR_ERR_INIT;
	char *dir;
	int rc = cr_catalog_dir(o->load.store_dir, &dir, &err);

	if (rc == CR_OK) {
		cr_default_tree_make(p);
		rc = cr_catalog_put(dir, o->write.output,
			(o->replace ? CR_STORE_REPLACE : CR_STORE_NEW) |
				(o->load.no_cache ? 0 : CR_STORE_REMEMBER),
			p, &err);
	}
	free(dir);
	return rc < 0 ? cr_job_fail_keep(o, o->write.output, &err) : EXIT_DONE;
}

static void
report_kept(const struct cr_options *o, const struct cr_profile *p)
{
	struct cr_merge_inputs inputs;
	struct cr_text lead = {0};

	cr_merge_inputs(p, &inputs);
	cr_text_grouped(&lead, inputs.n);
	cr_text_puts(&lead, inputs.n == 1 ? " profile is" : " profiles are");
	cr_stored_report(lead.p, o->write.output, p);
	cr_text_fini(&lead);
	cr_merge_inputs_fini(&inputs);
}

int
cr_cmd_merge(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p = NULL;
	struct cr_merge *m;
	int code;

	if (!o->write.output) {
		cr_options_complain("merge", "-o NAME is required: the name of the merged profile");
		return EXIT_USAGE;
	}
	if ((code = check_name(o)) != EXIT_DONE)
		return code;
	m = cr_merge_new();
	code = gather(o, m);
	if (code == EXIT_DONE && cr_merge_finish(m, &p, &err) < 0)
		code = cr_job_fail(NULL, &err);
	cr_merge_free(m);
	if (code == EXIT_DONE)
		code = keep(o, p);
	if (code == EXIT_DONE) {
		report_kept(o, p);
		code = cr_job_end(o, p, code);
	}
	cr_profile_free(p);
	return code;
}
