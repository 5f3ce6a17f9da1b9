#include "job_p.h"

#include "store/store.h"
#include "stored_p.h"
#include "writing_p.h"

#include <stdlib.h>
#include <string.h>

int cr_cmd_export(const struct cr_options *o);

/* True for -f cresset, which needs no writer: the stored profile is not what the filters select. */
static bool
is_stored(const struct cr_options *o)
{
	if (o->write.format)
		return strcmp(o->write.format, "cresset") == 0;
	return o->write.output && cr_str_ends(cr_str_of(o->write.output), ".cresset");
}

/* Load what the writer needs, and write. */
static int
load_and_write(const struct cr_options *o, const struct cr_writer *w, const void *options)
{
	const unsigned needs = cr_writer_needs(w, options);
	unsigned parts = cr_job_parts(o);
	struct cr_profile *p;
	int code;

	if (cr_query_has(&o->query, CR_WORD_FOLDS | CR_WORD_TRANSFORMS) &&
		!(needs & (CR_WRITER_TREE | CR_WRITER_PLACES))) {
		cr_options_complain(w->name,
			"this format lists samples as recorded; it cannot group or change stacks");
		return EXIT_USAGE;
	}
	if (needs & (CR_WRITER_SAMPLES | CR_WRITER_PLACES))
		parts |= CR_STORE_SAMPLES;
	if (needs & CR_WRITER_FIELDS)
		parts |= CR_STORE_FIELDS;
	if (needs & CR_WRITER_CODE)
		parts |= CR_STORE_CODE;
	code = cr_job_load(o, o->args[0], parts, &p);
	if (code != EXIT_DONE)
		return code;
	code = cr_writing_profile(o, w, options, p);
	cr_profile_free(p);
	return code;
}

static int export(const struct cr_options *o)
{
	const struct cr_writer *w;
	void *options;
	int code;

	if (is_stored(o)) {
		code = cr_writing_check(o, "cresset");
		return code == EXIT_DONE ? cr_stored_export(o) : code;
	}
	code = cr_writing_choose(o, NULL, &w);
	if (code == EXIT_DONE)
		code = cr_writing_options(o, w, &options);
	if (code != EXIT_DONE)
		return code;
	code = load_and_write(o, w, options);
	free(options);
	return code;
}

int
cr_cmd_export(const struct cr_options *o)
{
	const char *standard_input[] = {"-"};
	struct cr_options mine = *o;

	if (cr_job_lacks_input(o))
		return EXIT_USAGE;
	if (o->n_args == 0) {
		mine.args = standard_input;
		mine.n_args = 1;
	}
	return export(&mine);
}
