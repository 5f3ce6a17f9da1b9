#include "model/cost.h"

#include "model/columns.h"
#include "model/field.h"
#include "model/parallelism.h"
#include "model/tree/default_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Weights from here on are divided without a scale: what is rounded off is below 0.001 %. */
#define LARGE 100000u
#define SCALE 1000u

/* The new weights of an event. */
struct source {
	const struct cr_field *field; /* of the cost, or the parallelism; NULL: as recorded */
	uint32_t scale;               /* of latencies: what weights are multiplied by */
	uint64_t at;                  /* of the values: that of the next sample */
	uint64_t without, negative;   /* samples without a value, or with a negative one */
};

struct change {
	struct cr_profile *p;
	const char *cost;
	bool is_latency;
	struct source *of; /* by event */
	struct cr_event *events;
};

/* ---- what is asked for */

static bool
is_recorded(const struct cr_profile *p, uint32_t event)
{
	return p->events[event].samples && !cr_event_is_sum(p, (cr_event_id){event}) &&
	       !cr_event_is_derived(p, (cr_event_id){event});
}

static bool
is_number(const struct cr_field *d)
{
	return d->form == CR_FORM_NUMBER || d->form == CR_FORM_SIGNED;
}

/* The field of a name whose values are numbers; NULL if the event has none. */
static const struct cr_field *
number_of(const struct cr_profile *p, uint32_t event, struct cr_str name)
{
	if (!is_recorded(p, event))
		return NULL;
	for (uint32_t i = 0; i < p->n_fields; i++) {
		const struct cr_field *d = &p->fields[i];

		if (d->event.i == event && d->value && is_number(d) && cr_str_eq(d->name, name))
			return d;
	}
	return NULL;
}

/* Find the sources of all events. Returns how many there are. */
static uint32_t
sources_find(struct change *c, const char *field)
{
	const struct cr_profile *p = c->p;
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_events; i++) {
		c->of[i] = (struct source){.field = number_of(p, i, cr_str_of(field))};
		n += c->of[i].field != NULL;
	}
	return n;
}

static void
scales_find(struct change *c)
{
	for (uint32_t i = 0; i < c->p->n_events; i++) {
		const struct cr_event *e = &c->p->events[i];

		c->of[i].scale = cr_str_eq(e->unit, CR_STR("ns")) || e->weight / LARGE >= e->samples
					 ? 1
					 : SCALE;
	}
}

/* There is no such number: say what there is instead. */
static int
no_number(const struct cr_profile *p, const char *cost, struct cr_err *err)
{
	static const char *const are[CR_FORMS] = {
		[CR_FORM_HEX] = "addresses or flags", [CR_FORM_TEXT] = "texts"};

	if (strcmp(cost, CR_COST_LATENCY) == 0)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"latency needs the times and threads of samples, which it lacks");
	for (uint32_t i = 0; i < p->n_fields; i++)
		if (cr_str_eq(p->fields[i].name, cr_str_of(cost)) && are[p->fields[i].form])
			return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
				"cost: the values of the field %s are %s, not amounts", cost,
				are[p->fields[i].form]);
	return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
		"cost: no event has a field %s (cresset info lists the fields)", cost);
}

/* ---- weights */

static uint64_t
latency_of(uint64_t weight, uint32_t scale, uint64_t parallelism)
{
	const uint64_t by = parallelism && parallelism <= UINT16_MAX + 1u ? parallelism : 1;
	uint64_t scaled;

	if (!cr_mul_ok(weight, scale, &scaled))
		scaled = UINT64_MAX;
	return scaled / by + (scaled % by >= by - by / 2); /* half and more is rounded up */
}

static uint64_t
amount_of(struct source *s, uint64_t value)
{
	if (value == cr_form_none((enum cr_form)s->field->form)) {
		s->without++;
		return 0;
	}
	if (s->field->form == CR_FORM_SIGNED && (int64_t)value < 0) {
		s->negative++;
		return 0;
	}
	return value;
}

/* The weight of the next sample of an event. */
static uint64_t
weight_of(const struct change *c, struct source *s, uint64_t recorded)
{
	const uint64_t at = s->at++;

	if (!s->field)
		return recorded;
	if (c->is_latency)
		return at < s->field->n ? latency_of(recorded, s->scale, s->field->value[at])
					: recorded;
	return amount_of(s, at < s->field->n ? s->field->value[at]
					     : cr_form_none((enum cr_form)s->field->form));
}

static void
weights_make(struct change *c)
{
	struct cr_profile *p = c->p;
	const struct cr_event_column of = cr_column_events(p);
	const uint64_t *weight = cr_column_weights(p);
	uint64_t *out = cr_arena_array(&p->arena, p->samples.n, sizeof(*out));

	for (uint64_t i = 0; i < p->samples.n; i++) {
		const uint32_t e = cr_event_of(&of, i);

		out[i] = weight_of(c, &c->of[e], weight[i]);
		c->events[e].weight = cr_add_sat(c->events[e].weight, out[i]);
		cr_samples_sweep(&p->samples, i);
	}
	p->samples.weight = out;
	p->samples.filed &= ~(unsigned)CR_NEEDS_WEIGHT; /* its pages must not be dropped */
}

/* The least and the most of the weights are not those of the zones any more. */
static void
zones_open(struct cr_profile *p)
{
	struct cr_sample_zone *zones;

	if (!p->samples.n_zones)
		return;
	zones = cr_arena_array(&p->arena, p->samples.n_zones, sizeof(*zones));
	memcpy(zones, p->samples.zones, p->samples.n_zones * sizeof(*zones));
	for (uint32_t z = 0; z < p->samples.n_zones; z++) {
		zones[z].least[CR_SAMPLE_WEIGHT] = 0;
		zones[z].most[CR_SAMPLE_WEIGHT] = UINT64_MAX;
		zones[z].open |= CR_NEEDS_WEIGHT;
	}
	p->samples.zones = zones;
}

/* The sum of others has their new weights; *has becomes true if one of them is changed. */
static void
sum_make(struct change *c, uint32_t sum, uint8_t *has)
{
	struct cr_event *events = c->events;

	events[sum].weight = 0;
	for (uint32_t k = 0; k < c->p->n_events; k++)
		if (k != sum && cr_event_includes(c->p, (cr_event_id){sum}, (cr_event_id){k})) {
			events[sum].weight = cr_add_sat(events[sum].weight, events[k].weight);
			has[sum] |= has[k];
		}
}

static void
sums_make(struct change *c, uint8_t *has)
{
	for (uint32_t i = 0; i < c->p->n_events; i++)
		if (cr_event_is_sum(c->p, (cr_event_id){i}))
			sum_make(c, i, has);
}

/* ---- names and units */

static struct cr_str
kept(struct cr_profile *p, struct cr_text *t)
{
	const struct cr_str s = {cr_arena_copy(&p->arena, t->p, t->len), (uint32_t)t->len};

	cr_text_fini(t);
	return s;
}

/*
 * The unit of a field, where its name defines it. Otherwise the unit is called like the field,
 * unless that is the name of another unit.
 */
static struct cr_str
unit_of(struct cr_str field)
{
	static const char *const units[][2] = {{"weight", "cycles"}, {"ins_lat", "cycles"},
		{"retire_lat", "cycles"}, {"bytes_alloc", "bytes"}, {"bytes_req", "bytes"},
		{"bytes", "bytes"}, {"samples", "amount"}, {"millionths", "amount"}};

	for (size_t i = 0; i < CR_LEN(units); i++)
		if (cr_str_eq(field, cr_str_of(units[i][0])))
			return cr_str_of(units[i][1]);
	return cr_text_measure_scales(field) ? CR_STR("amount") : field;
}

static void
label(struct change *c, uint32_t event)
{
	struct cr_profile *p = c->p;
	struct cr_event *e = &c->events[event];
	const bool is_main = cr_str_eq(cr_profile_fact(p, "main event"), e->name);
	const bool is_estimate =
		c->is_latency && cr_parallelism_is_estimate(p, (cr_event_id){event});
	struct cr_text name = {0}, unit = {0};

	cr_text_str(&name, e->name);
	cr_text_printf(&name, " (%s%s)", is_estimate ? "≈" : "", c->cost);
	e->name = kept(p, &name);
	if (is_main)
		cr_profile_set_fact(p, "main event", e->name);
	if (!c->is_latency) {
		e->unit = unit_of(c->of[event].field->name);
	} else if (c->of[event].scale > 1) {
		cr_text_str(&unit, e->unit);
		cr_text_puts(&unit, "/1000");
		e->unit = kept(p, &unit);
	}
}

/* The main event has the cost, so that it is what is shown first. */
static void
main_choose(struct cr_profile *p)
{
	const uint32_t main = cr_event_main(p).i;
	uint32_t best = UINT32_MAX;

	if (p->has_cost[main])
		return;
	for (uint32_t i = 0; i < p->n_events; i++)
		if (p->has_cost[i] &&
			(best == UINT32_MAX || p->events[i].samples > p->events[best].samples))
			best = i;
	cr_profile_set_fact(p, "main event", p->events[best].name);
}

static uint32_t
put_quality(struct cr_profile *p, struct cr_quality *out, const struct cr_event *e,
	const char *which, const char *cost, uint64_t count)
{
	struct cr_text t = {0};

	if (!count)
		return 0;
	cr_text_puts(&t, "samples of ");
	cr_text_str(&t, e->name);
	cr_text_printf(&t, " %s %s, which cost 0", which, cost);
	*out = (struct cr_quality){kept(p, &t), count};
	return 1;
}

/* names: the events as they were called before. */
static void
quality_add(const struct change *c, const struct cr_event *names)
{
	struct cr_profile *p = c->p;
	struct cr_quality *all =
		cr_arena_array(&p->arena, p->n_quality + 2 * (uint64_t)p->n_events, sizeof(*all));
	uint32_t n = p->n_quality;

	if (n)
		memcpy(all, p->quality, n * sizeof(*all));
	for (uint32_t i = 0; i < p->n_events; i++) {
		n += put_quality(p, &all[n], &names[i], "without", c->cost, c->of[i].without);
		n += put_quality(
			p, &all[n], &names[i], "with a negative", c->cost, c->of[i].negative);
	}
	p->quality = all;
	p->n_quality = n;
}

/* ---- */

static void
change_apply(struct change *c)
{
	struct cr_profile *p = c->p;
	const struct cr_event *were = p->events;
	uint8_t *has = cr_arena_array(&p->arena, p->n_events, 1);

	c->events = cr_arena_array(&p->arena, p->n_events, sizeof(*c->events));
	memcpy(c->events, p->events, p->n_events * sizeof(*c->events));
	for (uint32_t i = 0; i < p->n_events; i++) {
		c->events[i].weight = 0;
		has[i] = c->of[i].field != NULL;
	}
	weights_make(c);
	sums_make(c, has);
	for (uint32_t i = 0; i < p->n_events; i++)
		if (c->of[i].field)
			label(c, i);
	p->events = c->events;
	p->cost = c->cost;
	p->has_cost = has;
	p->default_tree = NULL;
	main_choose(p);
	zones_open(p);
	quality_add(c, were);
}

int
cr_cost_weigh(struct cr_profile *p, const char *cost, struct cr_err *err)
{
	struct change c = {.p = p};
	int rc = CR_OK;

	if (p->cost)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"only one of %s and %s can be the cost", p->cost, cost);
	if (!(p->flags & CR_PROFILE_HAS_SAMPLES))
		return no_number(p, cost, err);
	c.of = cr_alloc(CR_MAX(p->n_events, 1u), sizeof(*c.of));
	if (!sources_find(&c, cost) && strcmp(cost, CR_COST_LATENCY) == 0) {
		c.is_latency = true;
		sources_find(&c, CR_PARALLELISM);
		scales_find(&c);
	}
	for (uint32_t i = 0; i < p->n_events && !c.cost; i++)
		if (c.of[i].field)
			c.cost = cr_arena_copy(&p->arena, cost, (uint32_t)strlen(cost) + 1);
	if (c.cost)
		change_apply(&c);
	else
		rc = no_number(p, cost, err);
	free(c.of);
	return rc;
}

int
cr_cost_copy(
	const struct cr_profile *p, const char *cost, struct cr_profile **out, struct cr_err *err)
{
	struct cr_profile *copy = cr_alloc(1, sizeof(*copy));
	int rc;

	*copy = *p;
	copy->arena = (struct cr_arena){0};
	copy->origin = NULL;
	copy->ahead = NULL;
	copy->default_tree = NULL;
	if (strcmp(cost, CR_COST_LATENCY) == 0)
		cr_parallelism_estimate(copy);
	if ((rc = cr_cost_weigh(copy, cost, err)) < 0) {
		cr_profile_free(copy);
		copy = NULL;
	} else {
		cr_default_tree_make(copy);
	}
	*out = copy;
	return rc;
}

uint64_t
cr_cost_missing(const struct cr_profile *p, cr_event_id event)
{
	const struct cr_field *d =
		p->cost && p->has_cost[event.i] ? number_of(p, event.i, cr_str_of(p->cost)) : NULL;
	struct source s = {.field = d};

	for (uint64_t i = 0; d && i < d->n; i++)
		amount_of(&s, d->value[i]);
	return s.without + s.negative;
}

bool
cr_cost_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

int
cr_cost_check(const struct cr_profile *p, cr_event_id event, const char *cost, struct cr_err *err)
{
	const struct cr_str *name = &p->events[event.i].name;
	struct cr_text others = {0};

	if (!cost || (cr_cost_same(p->cost, cost) && p->has_cost[event.i]))
		return CR_OK;
	if (!cr_cost_same(p->cost, cost))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"the profile was opened with the cost %s, not %s",
			p->cost ? p->cost : CR_COST_PERIOD, cost);
	for (uint32_t i = 0; i < p->n_events; i++)
		if (p->has_cost[i]) {
			cr_text_puts(&others, others.len ? ", " : "");
			cr_text_safe(&others, p->events[i].name);
		}
	cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "event %.*s has no %s; these have: %s",
		(int)name->len, name->p, cost, others.p ? others.p : "none");
	cr_text_fini(&others);
	return err->code;
}
