#include "job.h"

#include "cresset/store/store.h"
#include "writing.h"

int cr_cmd_collapse(const struct cr_options *o);

int
cr_cmd_collapse(const struct cr_options *o)
{
	const char *what = o->n_args ? o->args[0] : "-";
	const struct cr_writer *w = cr_writer_find("folded");
	struct cr_options once = *o;
	struct cr_profile *p;
	int code;

	once.load.no_store = true; /* a step of a pipeline leaves nothing behind */
	code = cr_job_load(&once, what, CR_STORE_ALL, &p);
	if (code != EXIT_DONE)
		return code;
	code = cr_writing_profile(o, w, p, true);
	cr_profile_free(p);
	return code;
}
