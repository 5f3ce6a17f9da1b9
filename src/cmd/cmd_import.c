#include "job_p.h"

#include "base/text.h"
#include "store/catalog.h"

#include <stdio.h>
#include <stdlib.h>

int cr_cmd_import(const struct cr_options *o);

static void
report_kept(const char *path, const char *name)
{
	struct cr_text t = {0};

	cr_text_safe(&t, cr_str_of(path));
	cr_text_puts(&t, " was stored as ");
	cr_text_safe(&t, cr_str_of(name));
	cr_text_char(&t, '\n');
	cr_job_say(t.p);
	cr_text_fini(&t);
}

int
cr_cmd_import(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	int code = EXIT_DONE;
	char *dir;

	if (o->name && o->n_args > 1) {
		cr_options_complain(o->name, "-n names one profile, but there are several files");
		return EXIT_USAGE;
	}
	if (cr_catalog_dir(o->load.store_dir, &dir, &err) < 0)
		return cr_job_fail(NULL, &err);
	for (int i = 0; i < o->n_args; i++) {
		struct cr_log log = {0};
		char *name;

		if (cr_catalog_import(dir, o->args[i], o->name, &name, &log, &err) < 0) {
			cr_job_warn(o->args[i], &log);
			code = cr_job_fail_keep(o, o->args[i], &err);
			continue;
		}
		report_kept(o->args[i], name);
		free(name);
	}
	free(dir);
	return code;
}
