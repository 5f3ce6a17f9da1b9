#include "job.h"

#include "cresset/store/store.h"
#include "writing.h"

int cr_cmd_export(const struct cr_options *o);

int
cr_cmd_export(const struct cr_options *o)
{
	const struct cr_writer *w;
	struct cr_profile *p;
	unsigned parts = CR_STORE_OUTLINE;
	int code = cr_writing_choose(o, NULL, &w);

	if (code != EXIT_DONE)
		return code;
	if ((w->needs & CR_WRITER_SAMPLES) || cr_filter_needs_samples(&o->filter))
		parts = CR_STORE_ALL;
	code = cr_job_load(o, o->args[0], parts, &p);
	if (code != EXIT_DONE)
		return code;
	code = cr_writing_profile(o, w, p, false);
	cr_profile_free(p);
	return code;
}
