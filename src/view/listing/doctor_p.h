#ifndef CRESSET_VIEW_LISTING_DOCTOR_P_H
#define CRESSET_VIEW_LISTING_DOCTOR_P_H

#include "page_p.h"

#include "query/health/advice.h"
#include "query/health/health.h"
#include "view/listing/doctor.h"

/* What the page of cresset doctor is made from. */
struct doctor {
	const struct cr_profile *p;
	const char *what; /* NAME or FILE, as it was given */
	struct cr_health h;
	struct cr_advice advice;
	struct cr_record_line line;
	struct page page;
	struct cr_doctor_page *out; /* its list of findings is filled */
};

/* What is wrong, a numbered paragraph or more each, most costly first. */
void cr_doctor_findings(struct doctor *d);

#endif
