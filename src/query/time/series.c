#include "query/time/series.h"

#include "model/columns.h"
#include "query/fold/select_p.h"
#include "query/fold/stack_filter.h"
#include "ranked_p.h"

#include <inttypes.h>
#include <stdlib.h>

#define SECOND_NS UINT64_C(1000000000)

/* ---- the span */

/*
 * From the earliest to the latest requested time. last: end of the recording, in ns after its first
 * sample.
 */
static void
span_narrow(struct cr_span *s, const struct cr_times *times, uint64_t last)
{
	uint64_t from = UINT64_MAX, to = 0;

	for (size_t i = 0; i < times->n; i++) {
		const struct cr_time *t = &times->p[i];
		const bool is_open = t->is_share ? t->to >= 1000000 : t->to > last;

		from = CR_MIN(from, t->is_share ? cr_selector_share(last, t->from) : t->from);
		to = CR_MAX(to, is_open       ? last + 1
				: t->is_share ? cr_selector_share(last, t->to)
					      : t->to);
	}
	s->from_ns = CR_MIN(from, last);
	s->len_ns = to > s->from_ns ? to - s->from_ns : 1;
}

static int
span_of(const struct cr_profile *p, const struct cr_filter *f, struct cr_span *out,
	struct cr_err *err)
{
	uint64_t first, last;

	cr_selector_span(p, &first, &last);
	if (!(p->flags & CR_PROFILE_HAS_TIME) || last == 0)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "its samples have no times");
	last = CR_MIN(last - first, UINT64_MAX - 1);
	*out = (struct cr_span){.first_ns = first, .len_ns = last + 1};
	if (f->times.n)
		span_narrow(out, &f->times, last);
	return CR_OK;
}

/* Samples are nearly in time order: most are in the bin of the previous one. */
struct bins {
	uint64_t start_ns, width_ns; /* on the recording's clock */
	uint64_t at, here_ns;        /* the last bin, and its start */
	uint64_t n;
};

static inline uint64_t
bin_of(struct bins *b, uint64_t time_ns)
{
	if (time_ns - b->here_ns >= b->width_ns) {
		b->at = CR_MIN((time_ns - b->start_ns) / b->width_ns, b->n - 1);
		b->here_ns = b->start_ns + b->at * b->width_ns;
	}
	return b->at;
}

static uint64_t
start_of(const struct cr_span *s)
{
	return s->first_ns + s->from_ns;
}

/* ---- series */

unsigned
cr_series_needs(
	const struct cr_profile *p, const struct cr_query *q, const struct cr_series_opts *o)
{
	unsigned needs = cr_filter_needs(cr_query_filter(q)) | cr_stack_filter_needs(q) |
			 cr_lanes_need(&o->by) | CR_NEEDS_EVENT | CR_NEEDS_TIME;
	uint64_t weight;

	if (!p || !cr_column_one_weight(p, &weight))
		needs |= CR_NEEDS_WEIGHT;
	return needs;
}

/* The samples that a series counts: one by one, or their sums. */
struct counted {
	const struct cr_profile *p;
	const uint8_t *sel; /* by row; NULL if sums are used */
	const struct cr_slices *slices;
	struct cr_selector selector; /* of the sums */
	bool has_selector;
	enum cr_lane_key key;
	struct cr_lanes lanes;
	struct cr_ranked ranked;
	bool only_samples; /* for events whose weights cannot be added */
};

/* The weights of rows. */
struct weights {
	const uint64_t *at; /* by row; NULL: each is `same` */
	uint64_t same;
};

static struct weights
weights_of(const struct counted *c)
{
	struct weights w = {NULL, 1};

	if (!c->only_samples && !cr_column_one_weight(c->p, &w.same))
		w.at = cr_column_weights(c->p);
	return w;
}

static inline uint64_t
weight_of(const struct weights *w, uint64_t row)
{
	return w->at ? w->at[row] : w->same;
}

/* The lane of a sum. */
static uint32_t
lane_of(const struct counted *c, const struct cr_slices_sum *sum)
{
	switch (c->key) {
	case CR_LANE_COMM:
	case CR_LANE_PID:
	case CR_LANE_TID: return c->lanes.of[sum->task];
	case CR_LANE_CPU: return c->lanes.of[sum->cpu];
	default: return c->lanes.of[sum->event];
	}
}

/* True if lanes with this key can be made of sums. */
static bool
key_has_sums(enum cr_lane_key key)
{
	return key != CR_LANE_DSO && key != CR_LANE_FUNCTION && key != CR_LANE_FIELD;
}

/* Costs by lane. */
struct lane_costs {
	const struct counted *c;
	struct cr_series *out;
	uint64_t *weight, *samples;
};

static void
add_sum(void *user, uint32_t slice, const struct cr_slices_sum *sum)
{
	const struct lane_costs *costs = user;
	const struct counted *c = costs->c;
	const uint32_t lane = lane_of(c, sum);

	(void)slice;
	if (!sum->is_timed) {
		costs->out->untimed += sum->rows;
		return;
	}
	costs->samples[lane] += sum->rows;
	costs->weight[lane] =
		cr_add_sat(costs->weight[lane], c->only_samples ? sum->rows : sum->weight);
}

static void
add_rows(const struct lane_costs *costs)
{
	const struct counted *c = costs->c;
	const uint64_t *time_ns = cr_column_times(c->p);
	const struct weights w = weights_of(c);

	for (uint64_t i = 0; i < c->p->samples.n; i++) {
		uint32_t lane;

		cr_samples_sweep(&c->p->samples, i);
		if (!c->sel[i])
			continue;
		if (!time_ns[i]) {
			costs->out->untimed++;
			continue;
		}
		lane = cr_lanes_of(&c->lanes, i);
		costs->samples[lane]++;
		costs->weight[lane] = cr_add_sat(costs->weight[lane], weight_of(&w, i));
	}
}

static void
rank_lanes(struct counted *c, uint32_t top, struct cr_series *out)
{
	struct lane_costs costs = {c, out, cr_alloc(c->lanes.n, sizeof(uint64_t)),
		cr_alloc(c->lanes.n, sizeof(uint64_t))};
	/* One bin for all times. Without bins, a sum does not say whether its rows have a time. */
	const struct cr_slices_bins any = {0, UINT64_MAX, 1};

	if (c->sel)
		add_rows(&costs);
	else
		cr_slices_each(c->slices, &c->selector, &any, NULL, add_sum, &costs);
	cr_ranked_make(&c->lanes, costs.weight, costs.samples, top, &c->ranked);
	free(costs.weight);
	free(costs.samples);
}

static void
series_lanes(const struct counted *c, struct cr_series *out)
{
	const struct cr_ranked *r = &c->ranked;

	out->n_lanes = r->places;
	out->lanes = cr_arena_array(&out->arena, out->n_lanes, sizeof(*out->lanes));
	for (uint32_t i = 0; i < out->n_lanes; i++) {
		struct cr_series_lane *l = &out->lanes[i];

		l->is_rest = i == r->apart;
		l->keys = l->is_rest ? r->used - r->apart : 1;
		l->name = l->is_rest ? CR_STR("") : c->lanes.lanes[r->lane[i]].name;
		l->number = l->is_rest ? 0 : c->lanes.lanes[r->lane[i]].number;
		l->bin_samples = cr_arena_array(&out->arena, out->n_bins, sizeof(uint64_t));
		l->bin_weight = cr_arena_array(&out->arena, out->n_bins, sizeof(uint64_t));
	}
}

static void
fill_rows(const struct counted *c, struct cr_series *out)
{
	const uint64_t *time_ns = cr_column_times(c->p);
	const struct weights w = weights_of(c);
	struct bins bins = {.start_ns = start_of(&out->span),
		.width_ns = out->bin_ns,
		.here_ns = start_of(&out->span),
		.n = out->n_bins};

	for (uint64_t i = 0; i < c->p->samples.n; i++) {
		cr_samples_sweep(&c->p->samples, i);
		if (!c->sel[i] || !time_ns[i])
			continue;
		struct cr_series_lane *l = &out->lanes[c->ranked.place[cr_lanes_of(&c->lanes, i)]];
		const uint64_t bin = bin_of(&bins, time_ns[i]);

		l->bin_samples[bin]++;
		l->bin_weight[bin] = cr_add_sat(l->bin_weight[bin], weight_of(&w, i));
	}
}

static void
fill_sum(void *user, uint32_t slice, const struct cr_slices_sum *sum)
{
	const struct lane_costs *costs = user;
	const struct counted *c = costs->c;
	struct cr_series_lane *l;

	(void)slice;
	if (!sum->is_timed)
		return;
	l = &costs->out->lanes[c->ranked.place[lane_of(c, sum)]];
	l->bin_samples[sum->bin] += sum->rows;
	l->bin_weight[sum->bin] =
		cr_add_sat(l->bin_weight[sum->bin], c->only_samples ? sum->rows : sum->weight);
}

static void
series_fill(struct counted *c, struct cr_series *out)
{
	struct lane_costs costs = {.c = c, .out = out};
	const struct cr_slices_bins bins = {start_of(&out->span), out->bin_ns, out->n_bins};

	if (c->sel)
		fill_rows(c, out);
	else
		cr_slices_each(c->slices, &c->selector, &bins, NULL, fill_sum, &costs);
	for (uint32_t i = 0; i < out->n_lanes; i++) {
		struct cr_series_lane *l = &out->lanes[i];

		for (uint32_t k = 0; k < out->n_bins; k++) {
			l->samples += l->bin_samples[k];
			l->weight = cr_add_sat(l->weight, l->bin_weight[k]);
		}
		out->samples += l->samples;
		out->weight = cr_add_sat(out->weight, l->weight);
	}
}

static void
series_label(const struct cr_profile *p, cr_event_id event, struct cr_series *out)
{
	out->event = p->events[event.i].name;
	out->unit = p->events[event.i].unit;
	out->summed = cr_event_is_summed(p, event);
}

/*
 * The common unit of all events; false if there are several, so that only samples can be counted.
 */
static bool
series_label_all(const struct cr_profile *p, struct cr_series *out)
{
	const struct cr_event *first = NULL;

	for (uint32_t i = 0; i < p->n_events; i++) {
		const struct cr_event *e = &p->events[i];

		if (!e->samples)
			continue;
		if (first && !cr_str_eq(e->unit, first->unit)) {
			out->unit = CR_STR("samples");
			return false;
		}
		first = e;
		out->unit = e->unit;
	}
	return true;
}

static int
series_bins(uint32_t bins, uint32_t lanes, struct cr_series *out, struct cr_err *err)
{
	const uint64_t len = out->span.len_ns;

	out->bin_ns = len / bins + (len % bins != 0);
	out->n_bins = (uint32_t)(len / out->bin_ns + (len % out->bin_ns != 0));
	if ((uint64_t)lanes * out->n_bins > CR_SERIES_CELLS_MOST)
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"%" PRIu32 " keys in %" PRIu32 " bins are too many", lanes, out->n_bins);
	return CR_OK;
}

/* Select the samples and make their lanes; of sums or of rows. *sel: free it. */
static int
count_begin(struct counted *c, const struct cr_query *q, const struct cr_series_opts *o,
	uint8_t **sel, struct cr_err *err)
{
	struct cr_filter f = *cr_query_filter(q);
	int rc;

	if (!cr_slices_can(o->slices, q) || !key_has_sums(o->by.key)) {
		if ((rc = cr_lanes_make(c->p, &f, &o->by, sel, &c->lanes, err)) < 0)
			return rc;
		c->sel = *sel;
		return cr_stack_filter(c->p, q, *sel, err);
	}
	c->slices = o->slices;
	c->has_selector = true;
	f.all_events |= o->by.key == CR_LANE_EVENT && !f.event;
	if ((rc = cr_selector_init(&c->selector, c->p, &f, err)) < 0)
		return rc;
	return cr_lanes_find(c->p, &f, &o->by, NULL, &c->lanes, err);
}

int
cr_series_make(const struct cr_profile *p, const struct cr_query *q, const struct cr_series_opts *o,
	struct cr_series *out, struct cr_err *err)
{
	const struct cr_filter *f = cr_query_filter(q);
	struct counted c = {.p = p, .key = o->by.key};
	uint8_t *sel = NULL;
	cr_event_id event;
	int rc;

	*out = (struct cr_series){0};
	if ((rc = cr_filter_event(p, f, &event, err)) < 0 ||
		(rc = count_begin(&c, q, o, &sel, err)) < 0 ||
		(rc = span_of(p, f, &out->span, err)) < 0)
		goto out;
	out->span.len_ns = CR_MAX(out->span.len_ns, o->len_ns);
	if (o->by.key == CR_LANE_EVENT && !f->event)
		c.only_samples = !series_label_all(p, out);
	else
		series_label(p, event, out);
	rank_lanes(&c, o->top, out);
	if ((rc = series_bins(o->bins, c.ranked.places, out, err)) < 0)
		goto out;
	series_lanes(&c, out);
	series_fill(&c, out);
	cr_arena_join(&out->arena, &c.lanes.names);
out:
	free(sel);
	if (c.has_selector)
		cr_selector_fini(&c.selector);
	cr_ranked_fini(&c.ranked);
	cr_lanes_fini(&c.lanes);
	if (rc < 0)
		cr_series_fini(out);
	return rc;
}

void
cr_series_fini(struct cr_series *s)
{
	cr_arena_fini(&s->arena);
	*s = (struct cr_series){0};
}

/* ---- heat */

unsigned
cr_heat_needs(const struct cr_query *q)
{
	return cr_filter_needs(cr_query_filter(q)) | cr_stack_filter_needs(q) | CR_NEEDS_EVENT |
	       CR_NEEDS_TIME;
}

/*
 * The row of a time in its column. A time outside the map, possible only in a damaged profile, is
 * moved to its end.
 */
static inline uint32_t
heat_row(const struct cr_heat *h, uint64_t after_ns)
{
	return after_ns < SECOND_NS ? (uint32_t)(after_ns * h->rows / SECOND_NS) : h->rows - 1;
}

static void
heat_fill(const struct cr_profile *p, const uint8_t *sel, struct cr_heat *out)
{
	const uint64_t *time_ns = cr_column_times(p);
	struct bins seconds = {.start_ns = start_of(&out->span),
		.width_ns = SECOND_NS,
		.here_ns = start_of(&out->span),
		.n = out->columns};

	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		if (!sel[i])
			continue;
		if (!time_ns[i]) {
			out->untimed++;
			continue;
		}
		const uint64_t column = bin_of(&seconds, time_ns[i]);
		uint64_t *cell = &out->samples[column * out->rows +
					       heat_row(out, time_ns[i] - seconds.here_ns)];

		out->whole++;
		++*cell;
		out->most = CR_MAX(out->most, *cell);
	}
}

int
cr_heat_make(const struct cr_profile *p, const struct cr_query *q, uint32_t rows,
	struct cr_heat *out, struct cr_err *err)
{
	const struct cr_filter *f = cr_query_filter(q);
	cr_event_id event;
	uint64_t seconds;
	uint8_t *sel;
	int rc;

	*out = (struct cr_heat){.rows = rows};
	if ((rc = cr_filter_event(p, f, &event, err)) < 0 || (rc = cr_select(p, f, &sel, err)) < 0)
		return rc;
	if ((rc = cr_stack_filter(p, q, sel, err)) < 0 || (rc = span_of(p, f, &out->span, err)) < 0)
		goto out;
	out->span.len_ns += out->span.from_ns % SECOND_NS;
	out->span.from_ns -= out->span.from_ns % SECOND_NS;
	seconds = (out->span.len_ns - 1) / SECOND_NS + 1;
	if (seconds > CR_SERIES_CELLS_MOST / rows) {
		rc = cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"%" PRIu64 " seconds do not fit in a heat map; select a range with --time",
			seconds);
		goto out;
	}
	out->columns = (uint32_t)seconds;
	out->event = p->events[event.i].name;
	out->samples =
		cr_arena_array(&out->arena, (uint64_t)out->columns * rows, sizeof(*out->samples));
	heat_fill(p, sel, out);
out:
	free(sel);
	if (rc < 0)
		cr_heat_fini(out);
	return rc;
}

void
cr_heat_fini(struct cr_heat *h)
{
	cr_arena_fini(&h->arena);
	*h = (struct cr_heat){0};
}
