#ifndef CRESSET_VIEW_LISTING_DOCTOR_H
#define CRESSET_VIEW_LISTING_DOCTOR_H

#include "base/text.h"
#include "query/health/health.h"

/* The page of cresset doctor: what was recorded, what is wrong with it, how to record it better. */
struct cr_doctor_page {
	struct cr_text text;
	struct {
		uint8_t kind; /* enum cr_finding_kind */
		/* Position in text where its paragraph begins; it ends at the next one. */
		size_t from;
	} findings[CR_FINDINGS]; /* in the order of the page */
	uint32_t n_findings;
};

/*
 * Make the page of p, which must have been read completely. name: NAME or FILE as given by the
 * user. event: the event to examine; UINT32_MAX for a profile without events. Free *out with
 * cr_doctor_fini().
 */
void cr_doctor_make(const struct cr_profile *p, const char *name, cr_event_id event,
	struct cr_doctor_page *out);
void cr_doctor_fini(struct cr_doctor_page *page);

#endif
