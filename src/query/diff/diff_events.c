#include "query/diff/diff.h"

#include "query/fold/select.h"

#include <stdlib.h>

/* ---- do two events match? */

/* Modifiers for precision and ways of sampling, and those that determine what is counted. */
#define HOW "pPDWebSH"
#define WHAT "ukhGI"

/*
 * The name without modifiers: "cycles" from "cycles:ppp", "cpu/cycles/" from "cpu/cycles/u". *what
 * becomes a bit set of those that determine what is counted. A tracepoint's name,
 * "sched:sched_switch", has none.
 */
static struct cr_str
without_modifiers(struct cr_str name, unsigned *what)
{
	uint32_t at = name.len;

	*what = 0;
	while (at > 0 && memchr(HOW WHAT, name.p[at - 1], sizeof(HOW WHAT) - 1))
		at--;
	if (at == 0 || (name.p[at - 1] != ':' && name.p[at - 1] != '/'))
		return name;
	for (uint32_t i = at; i < name.len; i++) {
		const char *bit = memchr(WHAT, name.p[i], sizeof(WHAT) - 1);

		*what |= bit ? 1u << (bit - WHAT) : 0;
	}
	return (struct cr_str){name.p, name.p[at - 1] == ':' ? at - 1 : at};
}

static bool
same_names(struct cr_str a, struct cr_str b)
{
	unsigned of_a, of_b;

	a = without_modifiers(a, &of_a);
	b = without_modifiers(b, &of_b);
	return cr_str_eq(a, b) && of_a == of_b;
}

/* Weights are compared as shares, so the scale of time units does not matter. */
bool
cr_diff_is_time(struct cr_str unit)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};

	for (size_t i = 0; i < CR_LEN(units); i++)
		if (cr_str_eq(unit, cr_str_of(units[i])))
			return true;
	return false;
}

static bool
is_alike(const struct cr_measure *a, const struct cr_measure *b)
{
	return same_names(a->event, b->event) &&
	       (cr_str_eq(a->unit, b->unit) ||
		       (cr_diff_is_time(a->unit) && cr_diff_is_time(b->unit)));
}

/* "cycles:u (cycles)" for an event whose unit adds information. */
static void
put_measure(const struct cr_measure *m, struct cr_text *out)
{
	cr_text_safe(out, m->event.len ? m->event : CR_STR("an event without a name"));
	if (!m->unit.len || cr_str_eq(m->unit, m->event))
		return;
	cr_text_puts(out, " (");
	cr_text_safe(out, m->unit);
	cr_text_char(out, ')');
}

int
cr_diff_alike(const struct cr_measure *before, const struct cr_measure *after, struct cr_err *err)
{
	struct cr_text t = {0};

	if (is_alike(before, after))
		return CR_OK;
	put_measure(before, &t);
	cr_text_puts(&t, " and ");
	put_measure(after, &t);
	cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
		"different events or units: %s; --event NAME selects one that both have, --force "
		"compares these",
		t.p);
	cr_text_fini(&t);
	return err->code;
}

/* ---- choosing the events to compare */

static struct cr_measure
measure_of(const struct cr_event *e)
{
	return (struct cr_measure){.event = e->name, .unit = e->unit};
}

static bool
has_samples(const struct cr_profile *p, uint32_t event)
{
	return p->events[event].samples || cr_event_is_sum(p, (cr_event_id){event});
}

/*
 * A matching event of p, preferably with the same name and with samples; CR_NO_EVENT if there is
 * none.
 */
#define CR_NO_EVENT UINT32_MAX

static uint32_t
find_alike(const struct cr_profile *p, const struct cr_event *e)
{
	const struct cr_measure m = measure_of(e);
	uint32_t best = CR_NO_EVENT;
	int best_rank = -1;

	for (uint32_t i = 0; i < p->n_events; i++) {
		const struct cr_measure n = measure_of(&p->events[i]);
		const int rank = 2 * has_samples(p, i) + cr_str_eq(n.event, m.event);

		if (rank > best_rank && is_alike(&m, &n)) {
			best = i;
			best_rank = rank;
		}
	}
	return best;
}

/* The requested event, by its name or that of a matching one. */
static int
asked_event(
	const struct cr_profile *p, const struct cr_filter *f, cr_event_id *out, struct cr_err *err)
{
	struct cr_err unused = CR_ERR_INIT;

	if (cr_filter_event(p, f, out, &unused) == CR_OK)
		return CR_OK;
	for (uint32_t i = 0; i < p->n_events; i++)
		if (same_names(p->events[i].name, cr_str_of(f->event))) {
			*out = (cr_event_id){i};
			return CR_OK;
		}
	return cr_filter_event(p, f, out, err);
}

int
cr_diff_events(const struct cr_profile *const p[CR_SIDES], const struct cr_filter *f,
	cr_event_id out[CR_SIDES], uint32_t *side, struct cr_err *err)
{
	uint32_t found;
	int rc;

	for (uint32_t s = 0; s < CR_SIDES; s++) {
		if (side)
			*side = s;
		rc = f->event ? asked_event(p[s], f, &out[s], err)
			      : cr_filter_event(p[s], f, &out[s], err);
		if (rc < 0)
			return rc;
	}
	if (f->event)
		return CR_OK;
	if ((found = find_alike(p[1], &p[0]->events[out[0].i])) != CR_NO_EVENT &&
		has_samples(p[1], found))
		out[1].i = found;
	else if ((found = find_alike(p[0], &p[1]->events[out[1].i])) != CR_NO_EVENT &&
		 has_samples(p[0], found))
		out[0].i = found;
	return CR_OK;
}

int
cr_diff_partner(const struct cr_profile *p, const struct cr_event *e, bool force, cr_event_id *out,
	struct cr_err *err)
{
	const uint32_t found = find_alike(p, e);
	struct cr_measure a = measure_of(e), b;

	*out = (cr_event_id){found};
	if (found != CR_NO_EVENT)
		return CR_OK;
	*out = cr_event_main(p);
	for (uint32_t i = 0; i < p->n_events; i++)
		if (same_names(p->events[i].name, e->name))
			*out = (cr_event_id){i};
	if (force && p->n_events)
		return CR_OK;
	if (!p->n_events)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "contains no events");
	b = measure_of(&p->events[out->i]);
	return cr_diff_alike(&a, &b, err);
}

/* ---- sampling rates */

/* The number after `key` in the attributes of an event. */
static bool
number_after(struct cr_str line, const char *key, uint64_t *out)
{
	const char *at = memmem(line.p, line.len, key, strlen(key)), *end = line.p + line.len;

	*out = 0;
	if (!at)
		return false;
	for (at += strlen(key); at < end && *at >= '0' && *at <= '9'; at++)
		*out = *out * 10 + (uint64_t)(*at - '0');
	return true;
}

/* The line of the fact "event attributes" for this event: "NAME: type = 1, ...". */
static struct cr_str
attributes_of(const struct cr_profile *p, struct cr_str event)
{
	struct cr_str rest = cr_profile_fact(p, "event attributes");

	while (rest.len) {
		const char *end = memchr(rest.p, '\n', rest.len);
		const struct cr_str line = end ? cr_str_to(rest, end) : rest;

		if (line.len > event.len + 1 && memcmp(line.p, event.p, event.len) == 0 &&
			line.p[event.len] == ':' && line.p[event.len + 1] == ' ')
			return line;
		rest = end ? cr_str_from(rest, end + 1) : CR_STR("");
	}
	return CR_STR("");
}

static void
put_rate(const struct cr_profile *p, struct cr_str event, struct cr_text *out)
{
	const struct cr_str line = attributes_of(p, event);
	uint64_t rate, is_freq;

	if (!number_after(line, "{ sample_period, sample_freq } = ", &rate) || !rate) {
		cr_text_str(out, cr_profile_fact(p, "sampling"));
		return;
	}
	number_after(line, ", freq = ", &is_freq);
	cr_text_printf(out, is_freq ? "%llu Hz" : "every %llu", (unsigned long long)rate);
}

bool
cr_diff_rates(const struct cr_profile *const p[CR_SIDES], const struct cr_tree *t,
	struct cr_text out[CR_SIDES])
{
	for (uint32_t s = 0; s < CR_SIDES; s++)
		put_rate(p[s], cr_tree_measure(t, s).event, &out[s]);
	return out[0].len && out[1].len && !cr_str_eq(cr_text_view(&out[0]), cr_text_view(&out[1]));
}
