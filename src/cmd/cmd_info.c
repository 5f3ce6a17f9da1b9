#include "job.h"

#include "cresset/base/text.h"
#include "cresset/store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int cr_cmd_info(const struct cr_options *o);

static void
events(const struct cr_profile *p, struct cr_text *t)
{
	for (uint32_t i = 0; i < p->n_events; i++) {
		const struct cr_event *e = &p->events[i];

		cr_text_puts(t, "event: ");
		cr_text_safe(t, e->name);
		cr_text_puts(t, ": ");
		cr_text_grouped(t, cr_event_samples(e));
		cr_text_puts(t, " samples, weight ");
		cr_text_grouped(t, e->weight);
		cr_text_char(t, ' ');
		cr_text_safe(t, e->unit);
		cr_text_char(t, '\n');
	}
}

static void
objects(const struct cr_profile *p, struct cr_text *t)
{
	for (uint32_t i = 1; i < p->n_objects; i++) {
		const struct cr_object *o = &p->objects[i];

		cr_text_printf(t, "object: %-7s ", cr_kind_name(o->kind));
		for (unsigned k = 0; k < o->build_id_len; k++)
			cr_text_printf(t, "%02x", o->build_id[k]);
		if (!o->build_id_len)
			cr_text_puts(t, "no-build-id");
		cr_text_char(t, ' ');
		cr_text_safe(t, o->name);
		cr_text_char(t, '\n');
	}
}

int
cr_cmd_info(const struct cr_options *o)
{
	struct cr_text t = {0};
	struct cr_profile *p;
	int code = cr_job_load(o, o->args[0], CR_STORE_OUTLINE, &p);

	if (code != EXIT_DONE)
		return code;
	for (uint32_t i = 0; i < p->n_facts; i++)
		cr_fact_line(&p->facts[i], &t);
	events(p, &t);
	objects(p, &t);
	fputs(t.p ? t.p : "", stdout);
	cr_job_quality(p, "missing: ", UINT32_MAX, stdout);
	code = cr_job_end(o, p, EXIT_DONE);
	cr_text_fini(&t);
	cr_profile_free(p);
	return code;
}
