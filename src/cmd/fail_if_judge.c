#include "fail_if_judge_p.h"

#include "job_p.h"

#include "query/health/health.h"
#include "query/lang/pattern.h"
#include "store/store.h"

#include <stdlib.h>

/* ---- what they are about */

/* A part of a whole; the whole is 0 if the recording does not tell. */
struct part {
	uint64_t part, whole;
};

/* hit: by frame. A node below one that counts already does not count again. */
static uint64_t
cost_of(const struct cr_tree *t, const uint8_t *hit, bool totals)
{
	uint64_t sum = 0;

	for (uint32_t n = 1; n < t->n;) {
		const bool is_hit = hit[t->frame[n]];

		if (is_hit)
			sum = cr_add_sat(sum, totals ? t->total[0][n] : t->self[0][n]);
		n = is_hit && totals ? t->end[n] : n + 1;
	}
	return sum;
}

static int
part_of_functions(
	const struct cr_fail_if *f, const struct cr_tree *t, struct part *out, struct cr_err *err)
{
	uint8_t *hit = cr_alloc(t->n_frames, 1);
	const int rc = cr_function_match(t, f->function, hit, err);

	*out = (struct part){cost_of(t, hit, f->what == CR_FAIL_TOTAL), t->total[0][0]};
	free(hit);
	return rc;
}

static int
part_of(const struct cr_fail_if *f, const struct cr_tree *t, const struct cr_health *h,
	struct part *out, struct cr_err *err)
{
	switch (f->what) {
	case CR_FAIL_UNRESOLVED:
		*out = (struct part){cr_tree_unresolved(t, 0), t->total[0][0]};
		return CR_OK;
	case CR_FAIL_BROKEN: *out = (struct part){h->broken, h->user_stacks}; return CR_OK;
	case CR_FAIL_TRUNCATED: *out = (struct part){h->truncated, h->user_stacks}; return CR_OK;
	case CR_FAIL_LOST:
		*out = (struct part){h->lost, cr_add_sat(h->lost, h->all_samples)};
		return CR_OK;
	default: return part_of_functions(f, t, out, err);
	}
}

/* ---- judging */

/* Report a condition that holds or that cannot be judged; true if it was reported. */
static bool
reported(const struct cr_options *o, const struct cr_fail_if *f, struct part part)
{
	struct cr_text said = {0};
	const double percent = part.whole ? 100.0 * (double)part.part / (double)part.whole : 0;

	if (part.whole && !(percent > f->percent))
		return false;
	cr_text_puts(&said, "--fail-if '");
	cr_text_safe(&said, cr_str_of(f->text));
	if (part.whole)
		cr_text_printf(&said, "': it is %.2f %%", percent);
	else
		cr_text_puts(&said, "': the recording does not tell");
	cr_options_complain(o->cmd->name, said.p);
	cr_text_fini(&said);
	return true;
}

static bool
needs_health(const struct cr_options *o)
{
	for (uint32_t i = 0; i < o->n_fail_if; i++)
		if (o->fail_if[i].what != CR_FAIL_UNRESOLVED && o->fail_if[i].what < CR_FAIL_SELF)
			return true;
	return false;
}

static int
health_of(const struct cr_options *o, const struct cr_profile *p, struct cr_health *out,
	struct cr_err *err)
{
	cr_event_id event = {UINT32_MAX};
	const int rc = cr_filter_event(p, cr_query_filter(&o->query), &event, err);

	if (rc == CR_OK)
		cr_health_make(p, event.i, out);
	return rc;
}

int
cr_fail_if_judge(const struct cr_options *o, struct cr_profile *p)
{
	const bool whole = needs_health(o);
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_health h = {0};
	struct cr_tree *t = NULL;
	bool any = false;
	int rc;

	if (!o->n_fail_if)
		return EXIT_DONE;
	rc = cr_store_fetch(p, cr_job_parts(o) | (whole ? CR_STORE_ALL : 0u), &log, &err);
	cr_job_warn(o, o->args[0], &log);
	if (rc == CR_OK)
		rc = cr_job_fold(o, p, &t, &err);
	if (rc == CR_OK && whole)
		rc = health_of(o, p, &h, &err);
	for (uint32_t i = 0; i < o->n_fail_if && rc == CR_OK; i++) {
		struct part part;

		rc = part_of(&o->fail_if[i], t, &h, &part, &err);
		any |= rc == CR_OK && reported(o, &o->fail_if[i], part);
	}
	if (whole)
		cr_health_fini(&h);
	cr_tree_free(t);
	if (rc < 0)
		return cr_job_fail_query(o->args[0], &err);
	return any ? EXIT_NOTHING : EXIT_DONE;
}
