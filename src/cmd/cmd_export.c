#include "job_p.h"

#include "store/store.h"
#include "stored_p.h"
#include "writing_p.h"

#include <string.h>

int cr_cmd_export(const struct cr_options *o);

/* As a stored profile: no writer, for what is written is not what is shown. */
static bool
is_stored(const struct cr_options *o)
{
	if (o->format)
		return strcmp(o->format, "cresset") == 0;
	return o->output && cr_str_ends(cr_str_of(o->output), ".cresset");
}

int
cr_cmd_export(const struct cr_options *o)
{
	const struct cr_writer *w;
	struct cr_profile *p;
	unsigned parts = cr_job_parts(o);
	int code;

	if (is_stored(o)) {
		code = cr_writing_check(o, "cresset");
		return code == EXIT_DONE ? cr_stored_export(o) : code;
	}
	code = cr_writing_choose(o, NULL, &w);
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
	if (cr_query_has(&o->query, CR_WORD_FOLDS | CR_WORD_TRANSFORMS) &&
		!(w->needs & CR_WRITER_TREE)) {
		cr_options_complain(w->name,
			"lists samples as they are, so there are no stacks to group or change");
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
