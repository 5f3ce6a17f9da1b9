#include "job.h"

#include "cresset/store/store.h"
#include "writing.h"

#include <stdlib.h>

int cr_cmd_collapse(const struct cr_options *o);

int
cr_cmd_collapse(const struct cr_options *o)
{
	const char *what = o->n_args ? o->args[o->n_args - 1] : "-";
	const struct cr_writer *w = cr_writer_find("folded");
	struct cr_options once = *o;
	struct cr_profile *p;
	char *first = NULL;
	int code;

	if (o->n_args == 2)
		once.load.format = o->args[0];
	once.load.no_store = true; /* a step of a pipeline leaves nothing behind */
	code = cr_job_load(&once, what, CR_STORE_SAMPLES | cr_job_parts(o), &p);
	if (code != EXIT_DONE)
		return code;
	/* As collapsers do: of several events, the one that the first sample is of. */
	if (!once.filter.event && p->samples.n) {
		const struct cr_str name = p->events[p->samples.event[0]].name;

		once.filter.event = first = cr_memdup(name.p, name.len);
	}
	/* Names of text come as their writer left them: folding them again changes nothing. */
	code = cr_writing_profile(&once, w, p, p->flags & CR_PROFILE_HAS_ADDR);
	free(first);
	cr_profile_free(p);
	return code;
}
