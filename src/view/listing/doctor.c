#include "view/listing/doctor.h"

#include "doctor_p.h"

#include "base/text.h"
#include "query/health/waits.h"

#include <inttypes.h>
#include <stdlib.h>

#define EVENTS 6
#define LINE_MAX_BYTES 4096

/* ---- head of the page */

static void
put_fact(struct cr_text *t, const struct cr_profile *p, const char *key, const char *before)
{
	const struct cr_str value = cr_profile_fact(p, key);

	if (!value.len)
		return;
	cr_text_puts(t, t->len ? ", " : "");
	cr_text_puts(t, before);
	cr_page_name(t, value, PAGE_NAME_CELLS);
}

/* A fact that is a number; false for any other text. */
static bool
parse_u64(struct cr_str s, uint64_t *out)
{
	*out = 0;
	for (uint32_t i = 0; i < s.len; i++) {
		if (s.p[i] < '0' || s.p[i] > '9' || *out > (UINT64_MAX - 9) / 10)
			return false;
		*out = *out * 10 + (uint64_t)(s.p[i] - '0');
	}
	return s.len > 0;
}

static void
head_recorded(struct doctor *d, struct cr_text *t)
{
	uint64_t ns;

	cr_page_name(t, cr_str_basename(cr_str_of(d->what)), PAGE_NAME_CELLS);
	put_fact(t, d->p, "source format", "");
	put_fact(t, d->p, "date", "");
	if (parse_u64(cr_profile_fact(d->p, "duration_ns"), &ns)) {
		cr_text_puts(t, ", ");
		cr_text_duration(t, ns);
	}
}

static void
head_scope(struct doctor *d, struct cr_text *t)
{
	const struct cr_record_line *line = &d->line;

	if (line->understood && cr_record_line_find(line, CR_RECORD_ALL_CPUS))
		cr_text_puts(t, "the whole system, ");
	else if (line->understood && cr_record_line_find(line, CR_RECORD_CPU))
		cr_text_puts(t, "some processors, ");
	else if (line->understood && cr_record_line_find(line, CR_RECORD_TARGET))
		cr_text_puts(t, "running processes, ");
	else if (line->understood && line->command.len)
		cr_text_puts(t, "one command, ");
	if (d->h.threads) {
		cr_page_count(t, d->h.processes, "process");
		cr_text_puts(t, ", ");
		cr_page_count(t, d->h.threads, "thread");
	} else if (t->len) {
		t->len -= 2;
	}
}

static void
head_sampling(struct doctor *d, struct cr_text *t)
{
	static const char *const stacks[] = {
		[CR_CALL_GRAPH_NONE] = "no call graph",
		[CR_CALL_GRAPH_FP] = "call graph by frame pointers",
		[CR_CALL_GRAPH_DWARF] = "call graph by DWARF",
		[CR_CALL_GRAPH_LBR] = "call graph by the processor's branch records",
		[CR_CALL_GRAPH_UNKNOWN] = "with call graph",
	};

	if (!(d->p->flags & CR_PROFILE_HAS_ADDR))
		return;
	put_fact(t, d->p, "sampling", "");
	if (!t->len && d->advice.was_freq)
		cr_text_printf(t, "%" PRIu64 " Hz", d->advice.was_freq);
	cr_text_printf(t, "%s%s, deepest stack ", t->len ? ", " : "", stacks[d->h.call_graph]);
	cr_page_count(t, d->h.max_depth, "frame");
}

static void
head_event(struct doctor *d, uint32_t i, struct cr_text *t)
{
	const struct cr_event *e = &d->p->events[i];
	const struct cr_health_event *s = &d->h.events[i];
	const char *noun = cr_rows_are_stacks(d->p, e->unit) ? "stack" : "sample";

	cr_page_name(t, e->name, PAGE_NAME_CELLS);
	cr_text_puts(t, ": ");
	cr_page_count(t, s->samples, noun);
	if (!cr_event_counts_samples(e)) {
		cr_text_puts(t, ", weight ");
		cr_text_grouped(t, s->weight);
	}
	if (!cr_event_counts_samples(e) && !cr_unit_is_unknown(e->unit)) {
		cr_text_char(t, ' ');
		cr_page_name(t, e->unit, PAGE_NAME_CELLS);
	}
	if (s->nameless_samples) {
		cr_text_puts(t, ", ");
		cr_text_share(t, s->nameless_weight, s->weight);
		cr_text_puts(t, " without a name (");
		cr_page_count(t, s->nameless_samples, noun);
		cr_text_puts(t, ")");
	}
	cr_page_head(&d->page, "event", t);
}

static void
put_heads(struct doctor *d)
{
	const struct cr_profile *p = d->p;
	struct cr_text t = {0};

	head_recorded(d, &t);
	cr_page_head(&d->page, "recording", &t);
	cr_page_name(&t, cr_profile_fact(p, "cmdline"), 2 * PAGE_NAME_CELLS);
	cr_page_head(&d->page, "command", &t);
	put_fact(&t, p, "hostname", "");
	put_fact(&t, p, "osrelease", "kernel ");
	put_fact(&t, p, "arch", "");
	put_fact(&t, p, "cpus online", "processors ");
	put_fact(&t, p, "cpudesc", "");
	put_fact(&t, p, "perf version", "perf ");
	cr_page_head(&d->page, "machine", &t);
	head_scope(d, &t);
	cr_page_head(&d->page, "scope", &t);
	head_sampling(d, &t);
	cr_page_head(&d->page, "sampled", &t);
	for (uint32_t i = 0; i < p->n_events && i < EVENTS; i++)
		head_event(d, i, &t);
	if (p->n_events > EVENTS) {
		cr_text_printf(&t, "%" PRIu32 " more, see cresset info", p->n_events - EVENTS);
		cr_page_head(&d->page, "", &t);
	}
	if (p->n_events > 1) {
		cr_text_puts(&t, "everything below refers to ");
		cr_page_name(&t, p->events[d->h.event].name, PAGE_NAME_CELLS);
		cr_text_puts(&t, "; --event selects another");
		cr_page_head(&d->page, "", &t);
	}
	cr_text_fini(&t);
}

/* ---- what is good, and what cannot be determined */

static void
put_well(struct doctor *d)
{
	const struct cr_health *h = &d->h;
	struct cr_text t = {0};

	if (d->p->flags & CR_PROFILE_HAS_ADDR) {
		if (!h->lost && !h->throttled && !cr_health_find(h, CR_FINDING_DAMAGED))
			cr_text_puts(&t, "Nothing was lost. ");
		if (h->whole) {
			cr_text_share(&t, h->whole, h->user_stacks);
			cr_text_puts(&t, " of the user stacks reach the start of their thread. ");
		}
		if (cr_share_ppm(h->undecided, h->user_stacks) >= 1000) {
			cr_text_share(&t, h->undecided, h->user_stacks);
			cr_text_puts(&t, " end in a function without a name, so it is unknown "
					 "whether they are complete. ");
		}
		if (h->call_graph != CR_CALL_GRAPH_NONE &&
			cr_share_ppm(h->one_frame, h->here.samples) >= 10000) {
			cr_text_share(&t, h->one_frame, h->here.samples);
			cr_text_puts(&t, " of the samples have a stack of one frame. ");
		}
	} else if (d->p->flags & CR_PROFILE_FLEET) {
		cr_text_puts(&t,
			"Recordings were folded into this profile. It has sums of equal stacks, "
			"and no single samples, threads, processors, addresses and source lines. ");
	} else {
		cr_text_puts(&t,
			"This format has no addresses and no dsos. It does not show what was lost, "
			"where stacks should begin, the build-ids, and how it was recorded. ");
	}
	if (h->here.samples && !cr_health_find(h, CR_FINDING_NAMELESS)) {
		cr_text_share(&t, h->here.weight - CR_MIN(h->here.nameless_weight, h->here.weight),
			h->here.weight);
		cr_text_puts(&t, " of the cost has a function name.");
	}
	if (t.len) {
		cr_text_char(&d->page.out, '\n');
		cr_page_paragraph(&d->page, &t);
	}
	cr_text_fini(&t);
}

/* ---- waits */

/* What is not known about waiting threads, and how to record it. */
static void
put_waits(struct doctor *d)
{
	const enum cr_waits waits = cr_waits_recorded(d->p);
	struct cr_text t = {0};

	if (!(d->p->flags & CR_PROFILE_HAS_ADDR) || waits == CR_WAITS_PLACES ||
		cr_health_find(&d->h, CR_FINDING_EMPTY))
		return;
	if (waits == CR_WAITS_NONE)
		cr_text_puts(&t,
			"Waits are not recorded: how long threads slept or were blocked, and "
			"where. ");
	else
		cr_text_puts(&t,
			"It is recorded how long threads waited, but not where: there are no "
			"stacks. ");
	cr_text_puts(&t,
		"cresset record --off-cpu records both, like perf record --off-cpu. An older "
		"perf can do it as root, with -g --switch-events -e sched:sched_switch and "
		"the -e of before.");
	cr_text_char(&d->page.out, '\n');
	cr_page_paragraph(&d->page, &t);
	cr_text_fini(&t);
}

/* ---- the better command line */

static void
put_better(struct doctor *d)
{
	struct cr_text t = {0}, pieces = {0};

	if (!(d->p->flags & CR_PROFILE_HAS_ADDR) || cr_health_find(&d->h, CR_FINDING_EMPTY))
		return;
	cr_advice_line(&d->advice, &d->line, &pieces);
	cr_text_char(&d->page.out, '\n');
	if (!cr_advice_changes(&d->advice) && !d->advice.max_stack) {
		cr_text_puts(&t, "Nothing suggests a different perf record line.");
		cr_page_paragraph(&d->page, &t);
	} else if (!pieces.len || pieces.len > LINE_MAX_BYTES) {
		cr_text_puts(&t, "The command that recorded it is unknown, or is not a perf record "
				 "line that can be changed here. The options are named above.");
		cr_page_paragraph(&d->page, &t);
	} else {
		cr_text_puts(&d->page.out, "Better:\n");
		if (d->advice.max_stack)
			cr_text_printf(&d->page.out,
				"   sysctl kernel.perf_event_max_stack=%" PRIu32 "\n",
				d->advice.max_stack);
		cr_page_command(&d->page, &pieces);
	}
	cr_text_fini(&t);
	cr_text_fini(&pieces);
}

void
cr_doctor_make(
	const struct cr_profile *p, const char *name, cr_event_id event, struct cr_doctor_page *out)
{
	struct doctor d = {.p = p, .what = name, .out = out};

	*out = (struct cr_doctor_page){.n_findings = 0};
	cr_health_make(p, event.i, &d.h);
	cr_record_line_parse(cr_profile_fact(p, "cmdline"), &d.line);
	cr_advice_make(p, &d.h, &d.line, &d.advice);
	put_heads(&d);
	cr_doctor_findings(&d);
	put_well(&d);
	put_waits(&d);
	put_better(&d);
	out->text = d.page.out;
	cr_record_line_fini(&d.line);
	cr_health_fini(&d.h);
}

void
cr_doctor_fini(struct cr_doctor_page *page)
{
	cr_text_fini(&page->text);
	*page = (struct cr_doctor_page){.n_findings = 0};
}
