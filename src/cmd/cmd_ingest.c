#include "job_p.h"
#include "stored_p.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

int cr_cmd_ingest(const struct cr_options *o);

static void
report_kept(const char *path, const char *name, const struct cr_profile *p)
{
	struct cr_text lead = {0};

	cr_text_safe(&lead, cr_str_of(path));
	cr_text_puts(&lead, " is");
	cr_stored_report(lead.p, name, p);
	cr_text_fini(&lead);
}

static void
put_json(struct cr_json_out *j, const char *path, const char *name, const struct cr_profile *p)
{
	cr_json_out_line(j, "");
	cr_json_out_open(j, '{');
	cr_json_out_text_of(j, "file", cr_str_of(path));
	cr_stored_reply(j, name, p);
	cr_json_out_close(j);
}

int
cr_cmd_ingest(const struct cr_options *o)
{
	struct cr_reply r;
	int code = EXIT_DONE;

	if (o->name && o->n_args > 1) {
		fprintf(stderr, "cresset: -n names one profile, but there are %d files\n",
			o->n_args);
		return EXIT_USAGE;
	}
	cr_reply_begin(&r, o, CR_REPLY_ALL);
	cr_json_out_open(&r.json, '[');
	for (int i = 0; i < o->n_args; i++) {
		struct cr_profile *p;
		char *name;
		const int one = cr_job_ingest(o, o->args[i], o->name, &name, &p);

		if (one == EXIT_DONE) {
			if (o->json)
				put_json(&r.json, o->args[i], name, p);
			else
				report_kept(o->args[i], name, p);
			code = cr_job_end(o, p, code);
			cr_profile_free(p);
			free(name);
		} else if (code != EXIT_INPUT) { /* the exit code is the worst result */
			code = one;
		}
	}
	cr_json_out_close(&r.json);
	cr_stored_reply_end(&r);
	return code;
}
