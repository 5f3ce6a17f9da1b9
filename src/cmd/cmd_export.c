#include "job.h"

#include "cresset/store/store.h"
#include "writing.h"

int cr_cmd_export(const struct cr_options *o);

int
cr_cmd_export(const struct cr_options *o)
{
	const struct cr_writer *w;
	struct cr_profile *p;
	unsigned parts = cr_job_parts(o);
	int code = cr_writing_choose(o, NULL, &w);

	if (code != EXIT_DONE)
		return code;
	if (o->fields && !(w->needs & CR_WRITER_FIELDS)) {
		cr_options_complain(w->name, "has no place for --fields; -f script has");
		return EXIT_USAGE;
	}
	if ((o->srcline || o->full_source_path) && !(w->needs & CR_WRITER_FIELDS)) {
		cr_options_complain(w->name, "has no place for --srcline; -f script has");
		return EXIT_USAGE;
	}
	if (o->group && !(w->needs & CR_WRITER_TREE)) {
		cr_options_complain(w->name, "lists samples, so there is nothing to --group");
		return EXIT_USAGE;
	}
	if (w->needs & CR_WRITER_SAMPLES)
		parts |= CR_STORE_SAMPLES;
	if (o->fields)
		parts |= CR_STORE_DETAILS;
	code = cr_job_load(o, o->args[0], parts, &p);
	if (code != EXIT_DONE)
		return code;
	code = cr_writing_profile(o, w, p);
	cr_profile_free(p);
	return code;
}
