#include "query/time/latency.h"

#include "base/text.h"
#include "base/wide.h"
#include "model/columns.h"
#include "query/fold/stack_filter.h"
#include "ranked_p.h"

#include <inttypes.h>
#include <stdlib.h>

#define LANES_MOST 30000u

uint64_t
cr_latency_least(uint32_t bucket)
{
	if (bucket < CR_LATENCY_STEPS)
		return bucket;
	return (uint64_t)(CR_LATENCY_STEPS + bucket % CR_LATENCY_STEPS)
	       << (bucket / CR_LATENCY_STEPS - 1);
}

uint64_t
cr_latency_most(uint32_t bucket)
{
	return bucket + 1 < CR_LATENCY_BUCKETS ? cr_latency_least(bucket + 1) - 1 : UINT64_MAX;
}

/* ---- choosing the event */

static bool
is_time(struct cr_str unit)
{
	return cr_text_measure_scales(unit) && !cr_str_eq(unit, CR_STR("bytes"));
}

static bool
has_intervals(const struct cr_profile *p, cr_event_id event)
{
	return is_time(p->events[event.i].unit) && !cr_event_is_summed(p, event) &&
	       !cr_event_is_sum(p, event);
}

static int
no_intervals(const struct cr_profile *p, cr_event_id event, struct cr_err *err)
{
	const struct cr_event *e = &p->events[event.i];
	struct cr_text others = {0};

	for (uint32_t i = 0; i < p->n_events; i++) {
		if (!p->events[i].samples || !has_intervals(p, (cr_event_id){i}))
			continue;
		cr_text_puts(&others, others.len ? ", " : "; events with times: ");
		cr_text_safe(&others, p->events[i].name);
	}
	if (!is_time(e->unit))
		cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"weights of event %.*s are not times, but in %.*s%s", (int)e->name.len,
			e->name.p, e->unit.len ? (int)e->unit.len : 12,
			e->unit.len ? e->unit.p : "nothing known", others.p ? others.p : "");
	else
		cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"weights of event %.*s are sums of many times%s", (int)e->name.len,
			e->name.p, others.p ? others.p : "");
	cr_text_fini(&others);
	return err->code;
}

int
cr_latency_event(
	const struct cr_profile *p, const struct cr_filter *f, cr_event_id *out, struct cr_err *err)
{
	int rc;

	if (!f->event)
		for (uint32_t i = 0; i < p->n_events; i++)
			if (cr_event_is_derived(p, (cr_event_id){i}) &&
				!cr_str_eq(p->events[i].name, CR_STR("lifetime")) &&
				has_intervals(p, (cr_event_id){i})) {
				*out = (cr_event_id){i};
				return CR_OK;
			}
	if (!f->event)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"the profile has no times off the CPU (recorded by sched:sched_switch or "
			"--switch-events); --event selects another event");
	if ((rc = cr_filter_event(p, f, out, err)) < 0)
		return rc;
	return has_intervals(p, *out) ? CR_OK : no_intervals(p, *out, err);
}

unsigned
cr_latency_needs(const struct cr_query *q, const struct cr_latency_opts *o)
{
	return cr_filter_needs(cr_query_filter(q)) | cr_stack_filter_needs(q) |
	       cr_lanes_need(&o->by) | CR_NEEDS_EVENT | CR_NEEDS_WEIGHT;
}

/* ---- values, grouped by place */

struct values {
	uint64_t *v;
	/* By place: its values end there, and begin where those of the previous place end. */
	uint64_t *end;
	struct cr_ranked ranked;
};

static uint64_t *
values_from(const struct values *v, uint32_t place)
{
	return v->v + (place ? v->end[place - 1] : 0);
}

/* All selected weights; those of a place are adjacent. */
static void
values_make(const struct cr_profile *p, const uint8_t *sel, const struct cr_lanes *lanes,
	uint32_t top, struct values *out)
{
	uint64_t *weight = cr_alloc(lanes->n, sizeof(*weight)),
		 *samples = cr_alloc(lanes->n, sizeof(*samples)), n = 0;
	const uint64_t *values = cr_column_weights(p);

	for (uint64_t i = 0; i < p->samples.n; i++)
		if (sel[i]) {
			const uint32_t lane = cr_lanes_of(lanes, i);

			samples[lane]++;
			weight[lane] = cr_add_sat(weight[lane], values[i]);
			n++;
		}
	cr_ranked_make(lanes, weight, samples, top, &out->ranked);
	out->v = cr_alloc(n, sizeof(*out->v));
	out->end = cr_alloc(out->ranked.places + 1, sizeof(*out->end));
	for (uint32_t i = 0; i < lanes->n; i++)
		if (samples[i])
			out->end[out->ranked.place[i] + 1] += samples[i];
	for (uint32_t i = 1; i <= out->ranked.places;
		i++) /* first the start of each; filling moves it to the end */
		out->end[i] += out->end[i - 1];
	for (uint64_t i = 0; i < p->samples.n; i++)
		if (sel[i])
			out->v[out->end[out->ranked.place[cr_lanes_of(lanes, i)]]++] = values[i];
	free(weight);
	free(samples);
}

static void
values_fini(struct values *v)
{
	free(v->v);
	free(v->end);
	cr_ranked_fini(&v->ranked);
}

/*
 * The value with a rank, 0 for the smallest: the range that contains it is divided in 256,
 * repeatedly, until it is one value. One pass for each 8 bits of the range, for any values.
 */
static uint64_t
value_of_rank(const uint64_t *v, size_t n, uint64_t rank, uint64_t least, uint64_t most)
{
	while (least < most) {
		const uint32_t bits = 64 - (uint32_t)__builtin_clzll(most - least),
			       shift = bits > 8 ? bits - 8 : 0;
		uint64_t count[256] = {0};
		uint32_t part = 0;

		for (size_t i = 0; i < n; i++)
			if (v[i] >= least && v[i] <= most)
				count[(v[i] - least) >> shift]++;
		for (; rank >= count[part]; part++)
			rank -= count[part];
		least += (uint64_t)part << shift;
		most = CR_MIN(most, least + ((UINT64_C(1) << shift) - 1));
	}
	return least;
}

/* The bucket that contains a rank; *rank becomes the rank within it. */
static uint32_t
bucket_of_rank(const struct cr_latency_lane *l, uint64_t *rank)
{
	uint32_t bucket = 0;

	for (; *rank >= l->bucket_count[bucket]; bucket++)
		*rank -= l->bucket_count[bucket];
	return bucket;
}

static void
lane_fill(struct cr_latency_lane *l, const uint64_t *v, size_t n, struct cr_arena *arena)
{
	static const uint64_t thousandths[CR_LATENCY_MARKS] = {500, 900, 990, 999, 1000};

	l->bucket_count = cr_arena_array(arena, CR_LATENCY_BUCKETS, sizeof(*l->bucket_count));
	l->bucket_sum = cr_arena_array(arena, CR_LATENCY_BUCKETS, sizeof(*l->bucket_sum));
	l->count = n;
	for (size_t i = 0; i < n; i++) {
		const uint32_t bucket = cr_latency_bucket(v[i]);

		l->bucket_count[bucket]++;
		l->bucket_sum[bucket] = cr_add_sat(l->bucket_sum[bucket], v[i]);
		l->sum = cr_add_sat(l->sum, v[i]);
		l->least = i ? CR_MIN(l->least, v[i]) : v[i];
		l->at[CR_LATENCY_MAX] = CR_MAX(l->at[CR_LATENCY_MAX], v[i]);
	}
	for (int mark = 0; n && mark < CR_LATENCY_MAX; mark++) {
		/* The number of values that are at most as large, rounded up. */
		uint64_t rank = cr_mul_div_sat(n, thousandths[mark], 1000, CR_ROUND_UP) - 1;
		const uint32_t bucket = bucket_of_rank(l, &rank);

		l->at[mark] = value_of_rank(
			v, n, rank, cr_latency_least(bucket), cr_latency_most(bucket));
	}
}

static int
latency_fill(const struct cr_profile *p, const uint8_t *sel, const struct cr_lanes *lanes,
	uint32_t top, struct cr_latency *out, struct cr_err *err)
{
	struct values v = {0};
	int rc = CR_OK;

	values_make(p, sel, lanes, top, &v);
	out->n_lanes = v.ranked.places;
	if (out->n_lanes > LANES_MOST) {
		rc = cr_fail(err, CR_ELIMIT, CR_NO_OFFSET, "%" PRIu32 " keys are too many",
			out->n_lanes);
		goto out;
	}
	out->lanes = cr_arena_array(&out->arena, out->n_lanes, sizeof(*out->lanes));
	for (uint32_t i = 0; i < out->n_lanes; i++) {
		struct cr_latency_lane *l = &out->lanes[i];
		const uint64_t *from = values_from(&v, i);

		l->is_rest = i == v.ranked.apart;
		l->keys = l->is_rest ? v.ranked.used - v.ranked.apart : 1;
		l->name = l->is_rest ? CR_STR("") : lanes->lanes[v.ranked.lane[i]].name;
		l->number = l->is_rest ? 0 : lanes->lanes[v.ranked.lane[i]].number;
		lane_fill(l, from, (size_t)(v.v + v.end[i] - from), &out->arena);
	}
	out->all = (struct cr_latency_lane){.name = CR_STR("all"), .keys = v.ranked.used};
	lane_fill(&out->all, v.v, v.ranked.places ? (size_t)v.end[v.ranked.places - 1] : 0,
		&out->arena);
out:
	values_fini(&v);
	return rc;
}

int
cr_latency_make(const struct cr_profile *p, const struct cr_query *q,
	const struct cr_latency_opts *o, struct cr_latency *out, struct cr_err *err)
{
	struct cr_filter one = *cr_query_filter(q);
	struct cr_text name = {0};
	struct cr_lanes lanes = {0};
	uint8_t *sel = NULL;
	cr_event_id event;
	int rc;

	*out = (struct cr_latency){0};
	if ((rc = cr_latency_event(p, &one, &event, err)) < 0)
		return rc;
	out->event = p->events[event.i].name;
	out->unit = p->events[event.i].unit;
	cr_text_str(&name, out->event);
	one.event = name.p ? name.p : "";
	if ((rc = cr_lanes_make(p, &one, &o->by, &sel, &lanes, err)) == CR_OK &&
		(rc = cr_stack_filter(p, q, sel, err)) == CR_OK)
		rc = latency_fill(p, sel, &lanes, o->top, out, err);
	cr_arena_join(&out->arena, &lanes.names);
	cr_lanes_fini(&lanes);
	cr_text_fini(&name);
	free(sel);
	if (rc < 0)
		cr_latency_fini(out);
	return rc;
}

void
cr_latency_fini(struct cr_latency *l)
{
	cr_arena_fini(&l->arena);
	*l = (struct cr_latency){0};
}
