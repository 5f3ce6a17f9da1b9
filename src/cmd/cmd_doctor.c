#include "job_p.h"

#include "store/store.h"
#include "view/listing/doctor.h"

#include <stdio.h>

int cr_cmd_doctor(const struct cr_options *o);

int
cr_cmd_doctor(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	cr_event_id event = {UINT32_MAX};
	struct cr_options any = *o;
	struct cr_doctor_page page;
	struct cr_profile *p;
	int code;

	any.load.may_be_empty = true;
	code = cr_job_load(&any, o->args[0], CR_STORE_ALL | CR_STORE_PROOF, &p);
	if (code != EXIT_DONE)
		return code;
	if (p->n_events && cr_filter_event(p, cr_query_filter(&o->query), &event, &err) < 0) {
		code = cr_job_fail_query(o->args[0], &err);
		cr_profile_free(p);
		return code;
	}
	cr_doctor_make(p, o->args[0], event, &page);
	fwrite(page.text.p, 1, page.text.len, stdout);
	code = cr_job_end(o, p, EXIT_DONE);
	cr_doctor_fini(&page);
	cr_profile_free(p);
	return code;
}
