#include "health_p.h"

#include <stdlib.h>

#define SHARE_WORTH_REPORTING 10000 /* in millionths */

static void
finding(struct cr_health *h, enum cr_finding_kind kind, uint32_t share_ppm)
{
	h->findings[h->n_findings++] = (struct cr_finding){kind, share_ppm};
}

/* True for a risk or a remark, listed after known problems. */
static bool
is_aside(const struct cr_finding *f)
{
	return f->kind == CR_FINDING_NO_BUILD_ID || f->kind == CR_FINDING_NOTED;
}

static int
by_share(const void *x, const void *y)
{
	const struct cr_finding *a = x, *b = y;

	if (is_aside(a) != is_aside(b))
		return is_aside(a) ? 1 : -1;
	if (a->share_ppm != b->share_ppm)
		return a->share_ppm < b->share_ppm ? 1 : -1;
	return (int)a->kind - (int)b->kind;
}

/* Twice the standard error of a share of 10 %, in millionths. */
static uint32_t
doubt_ppm(uint64_t samples)
{
	uint64_t square = UINT64_C(360000000000) / CR_MAX(samples, 1), root = 0;

	for (uint64_t bit = UINT64_C(1) << 20; bit; bit >>= 1)
		if ((root + bit) * (root + bit) <= square)
			root += bit;
	return (uint32_t)root;
}

static void
judge_names(const struct cr_profile *p, struct cr_health *h)
{
	const uint32_t nameless = cr_share_ppm(h->here.nameless_weight, h->here.weight);
	const uint32_t frames = cr_share_ppm(h->nameless_frames, h->frames);
	uint32_t unidentified = cr_share_ppm(h->unidentified, h->here.weight);

	if (CR_MAX(nameless, frames) >= SHARE_WORTH_REPORTING)
		finding(h, CR_FINDING_NAMELESS, CR_MAX(nameless, frames));
	if (!(p->flags & CR_PROFILE_HAS_ADDR))
		return;
	if (unidentified >= SHARE_WORTH_REPORTING || h->unchecked)
		finding(h, CR_FINDING_NO_BUILD_ID, unidentified);
}

static void
judge_stacks(const struct cr_profile *p, struct cr_health *h)
{
	if (!(p->flags & CR_PROFILE_HAS_ADDR))
		return;
	if (h->call_graph == CR_CALL_GRAPH_NONE)
		finding(h, CR_FINDING_NO_STACKS, 1000000);
	if (cr_share_ppm(h->broken, h->user_stacks) >= SHARE_WORTH_REPORTING)
		finding(h, CR_FINDING_BROKEN, cr_share_ppm(h->broken, h->here.samples));
	if (cr_share_ppm(h->cut + h->stitched, h->user_stacks) >= SHARE_WORTH_REPORTING)
		finding(h, CR_FINDING_CUT, cr_share_ppm(h->cut + h->stitched, h->here.samples));
	if (h->guessed)
		finding(h, CR_FINDING_GUESSED, cr_share_ppm(h->guessed, h->here.samples));
	if (cr_share_ppm(h->could_guess, h->all_samples) >= SHARE_WORTH_REPORTING)
		finding(h, CR_FINDING_COULD_GUESS, cr_share_ppm(h->could_guess, h->all_samples));
	if (h->truncated)
		finding(h, CR_FINDING_TRUNCATED, cr_share_ppm(h->truncated, h->here.samples));
}

static bool
has_notes(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_quality; i++)
		if (cr_quality_class(&p->quality[i]) == CR_QUALITY_OTHER)
			return true;
	return false;
}

void
cr_verdict_make(const struct cr_profile *p, struct cr_health *h)
{
	if (h->all_samples == 0)
		finding(h, CR_FINDING_EMPTY, 1000000);
	if (p->flags & CR_PROFILE_IN_PART)
		finding(h, CR_FINDING_DAMAGED, 1000000);
	else if (has_notes(p))
		finding(h, CR_FINDING_NOTED, 0);
	if (h->lost)
		finding(h, CR_FINDING_LOST,
			cr_share_ppm(h->lost, cr_add_sat(h->lost, h->all_samples)));
	if (h->throttled)
		finding(h, CR_FINDING_THROTTLED,
			cr_share_ppm(h->throttled, cr_add_sat(h->throttled, h->all_samples)));
	if (h->here.samples && h->here.samples < CR_HEALTH_FEW && cr_health_is_sampled(p, h->event))
		finding(h, CR_FINDING_FEW, doubt_ppm(h->here.samples));
	if (h->here.samples) {
		judge_stacks(p, h);
		judge_names(p, h);
	}
	qsort(h->findings, h->n_findings, sizeof(*h->findings), by_share);
}
