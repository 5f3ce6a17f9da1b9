#ifndef CRESSET_VIEW_LISTING_DOCTOR_P_H
#define CRESSET_VIEW_LISTING_DOCTOR_P_H

#include "page_p.h"

#include "query/health/advice.h"
#include "query/health/health.h"
#include "view/listing/doctor.h"

/* Data for the page of cresset doctor. */
struct doctor {
	const struct cr_profile *p;
	const char *what; /* NAME or FILE, as given */
	struct cr_health h;
	struct cr_advice advice;
	struct cr_record_line line;
	struct page page;
	struct cr_doctor_page *out; /* receives the list of findings */
};

/* Write the problems, most costly first, each in one or more numbered paragraphs. */
void cr_doctor_findings(struct doctor *d);

#endif
