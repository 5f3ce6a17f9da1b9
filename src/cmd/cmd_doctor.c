#include "job_p.h"
#include "reply_p.h"

#include "query/health/advice.h"
#include "query/health/waits.h"
#include "store/store.h"
#include "view/listing/brief.h"
#include "view/listing/doctor.h"

#include <stdio.h>

int cr_cmd_doctor(const struct cr_options *o);

/* ---- JSON */

static const char *const finding_words[CR_FINDINGS] = {
	[CR_FINDING_EMPTY] = "empty",
	[CR_FINDING_DAMAGED] = "damaged",
	[CR_FINDING_LOST] = "lost",
	[CR_FINDING_THROTTLED] = "throttled",
	[CR_FINDING_FEW] = "few",
	[CR_FINDING_NO_STACKS] = "no-stacks",
	[CR_FINDING_BROKEN] = "broken",
	[CR_FINDING_TRUNCATED] = "truncated",
	[CR_FINDING_CUT] = "cut",
	[CR_FINDING_GUESSED] = "guessed",
	[CR_FINDING_COULD_GUESS] = "could-guess",
	[CR_FINDING_NAMELESS] = "nameless",
	[CR_FINDING_NO_BUILD_ID] = "no-build-id",
	[CR_FINDING_NOTED] = "noted",
};

static void
json_event(const struct cr_profile *p, const struct cr_health *h, struct cr_json_out *j)
{
	cr_json_out_key(j, "event");
	if (h->event == UINT32_MAX)
		cr_json_out_null(j);
	else
		cr_json_out_text(j, p->events[h->event].name);
	cr_json_out_u64_of(j, "samples", h->here.samples);
	cr_json_out_u64_of(j, "nameless_samples", h->here.nameless_samples);
	cr_json_out_u64_of(j, "all_samples", h->all_samples);
	cr_json_out_u64_of(j, "lost", h->lost);
	cr_json_out_u64_of(j, "throttled", h->throttled);
	cr_json_out_u64_of(j, "processes", h->processes);
	cr_json_out_u64_of(j, "threads", h->threads);
}

static void
json_stacks(const struct cr_health *h, struct cr_json_out *j)
{
	static const char *const recorded[] = {
		[CR_CALL_GRAPH_NONE] = "none",
		[CR_CALL_GRAPH_FP] = "fp",
		[CR_CALL_GRAPH_DWARF] = "dwarf",
		[CR_CALL_GRAPH_LBR] = "lbr",
		[CR_CALL_GRAPH_UNKNOWN] = "unknown",
	};

	cr_json_out_line(j, "");
	cr_json_out_key(j, "stacks");
	cr_json_out_open(j, '{');
	cr_json_out_text_of(j, "recorded", cr_str_of(recorded[h->call_graph]));
	cr_json_out_u64_of(j, "deepest", h->max_depth);
	cr_json_out_u64_of(j, "one_frame", h->one_frame);
	cr_json_out_u64_of(j, "user", h->user_stacks);
	cr_json_out_u64_of(j, "whole", h->whole);
	cr_json_out_u64_of(j, "broken", h->broken);
	cr_json_out_u64_of(j, "truncated", h->truncated);
	cr_json_out_u64_of(j, "cut", h->cut);
	cr_json_out_u64_of(j, "stitched", h->stitched);
	cr_json_out_u64_of(j, "guessed", h->guessed);
	cr_json_out_u64_of(j, "undecided", h->undecided);
	cr_json_out_close(j);
}

static void
json_findings(const struct cr_profile *p, const struct cr_health *h, struct cr_json_out *j)
{
	cr_json_out_line(j, "");
	cr_json_out_key(j, "findings");
	cr_json_out_open(j, '[');
	for (uint32_t i = 0; i < h->n_findings; i++) {
		const struct cr_finding *f = &h->findings[i];
		struct cr_text what = {0}, remedy = {0};

		cr_brief_finding(p, h, f, &what);
		cr_brief_remedy(h, f, &remedy);
		cr_json_out_line(j, "");
		cr_json_out_open(j, '{');
		cr_json_out_text_of(j, "kind", cr_str_of(finding_words[f->kind]));
		cr_json_out_key(j, "share");
		cr_json_out_decimal(j, f->share_ppm, 6);
		cr_json_out_text_of(j, "text", cr_text_view(&what));
		cr_json_out_text_of(j, "remedy", cr_text_view(&remedy));
		cr_json_out_close(j);
		cr_text_fini(&what);
		cr_text_fini(&remedy);
	}
	cr_json_out_close(j);
}

/* The command line that records it better; null if there is none. */
static void
json_better(const struct cr_profile *p, const struct cr_health *h, struct cr_json_out *j)
{
	struct cr_text pieces = {0};
	struct cr_record_line line;
	struct cr_advice advice;

	cr_record_line_parse(cr_profile_fact(p, "cmdline"), &line);
	cr_advice_make(p, h, &line, &advice);
	if (cr_advice_changes(&advice) && !cr_health_find(h, CR_FINDING_EMPTY))
		cr_advice_line(&advice, &line, &pieces);
	for (size_t i = 0; i + 1 < pieces.len; i++)
		if (!pieces.p[i])
			pieces.p[i] = ' ';
	cr_json_out_line(j, "");
	cr_json_out_key(j, "better");
	if (pieces.len)
		cr_json_out_text(j, cr_str_of(pieces.p));
	else
		cr_json_out_null(j);
	cr_json_out_key(j, "max_stack");
	if (advice.max_stack)
		cr_json_out_u64(j, advice.max_stack);
	else
		cr_json_out_null(j);
	cr_record_line_fini(&line);
	cr_text_fini(&pieces);
}

static void
print_json(const struct cr_options *o, const struct cr_profile *p, cr_event_id event)
{
	static const char *const waits[] = {
		[CR_WAITS_NONE] = "none",
		[CR_WAITS_TIMES] = "times",
		[CR_WAITS_PLACES] = "places",
	};
	struct cr_health h;
	struct cr_reply r;

	cr_health_make(p, event.i, &h);
	cr_reply_begin(&r, o, CR_REPLY_ONE);
	cr_json_out_open(&r.json, '{');
	json_event(p, &h, &r.json);
	json_stacks(&h, &r.json);
	cr_json_out_text_of(&r.json, "waits", cr_str_of(waits[cr_waits_recorded(p)]));
	json_findings(p, &h, &r.json);
	json_better(p, &h, &r.json);
	cr_json_out_close(&r.json);
	cr_reply_end(&r);
	cr_health_fini(&h);
}

/* ---- */

static void
print_text(const struct cr_options *o, const struct cr_profile *p, cr_event_id event)
{
	struct cr_doctor_page page;

	cr_doctor_make(p, o->args[0], event, &page);
	fwrite(page.text.p, 1, page.text.len, stdout);
	cr_doctor_fini(&page);
}

int
cr_cmd_doctor(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	cr_event_id event = {UINT32_MAX};
	struct cr_options any = *o;
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
	if (o->json)
		print_json(o, p, event);
	else
		print_text(o, p, event);
	code = cr_job_end(o, p, EXIT_DONE);
	cr_profile_free(p);
	return code;
}
