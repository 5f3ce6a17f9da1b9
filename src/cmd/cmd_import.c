#include "job_p.h"
#include "stored_p.h"

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

static void
put_json(struct cr_json_out *j, const char *path, const char *name)
{
	cr_json_out_line(j, "");
	cr_json_out_open(j, '{');
	cr_json_out_text_of(j, "file", cr_str_of(path));
	cr_json_out_text_of(j, "name", cr_str_of(name));
	cr_json_out_close(j);
}

int
cr_cmd_import(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_reply r;
	int code = EXIT_DONE;
	char *dir;

	if (o->name && o->n_args > 1) {
		cr_options_complain(o->name, "-n names one profile, but there are several files");
		return EXIT_USAGE;
	}
	if (cr_catalog_dir(o->load.store_dir, &dir, &err) < 0)
		return cr_job_fail(NULL, &err);
	cr_reply_begin(&r, o, CR_REPLY_ALL);
	cr_json_out_open(&r.json, '[');
	for (int i = 0; i < o->n_args; i++) {
		struct cr_log log = {0};
		char *name;

		if (cr_catalog_import(dir, o->args[i], o->name, &name, &log, &err) < 0) {
			cr_job_warn(o, o->args[i], &log);
			code = cr_job_fail_keep(o, o->args[i], &err);
			continue;
		}
		if (o->json)
			put_json(&r.json, o->args[i], name);
		else
			report_kept(o->args[i], name);
		free(name);
	}
	cr_json_out_close(&r.json);
	cr_stored_reply_end(&r);
	free(dir);
	return code;
}
