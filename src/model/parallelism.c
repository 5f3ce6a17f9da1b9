#include "model/parallelism.h"

#include "base/hash.h"
#include "base/vec.h"
#include "model/columns.h"
#include "model/field.h"

#include <stdlib.h>
#include <string.h>

#define EXACT " (latency)"
#define ESTIMATE " (≈latency)"

#define GAPS_MOST 65536u /* that a median is computed of */
/* Weights from here on are divided without a scale: what is rounded off is below 0.001 %. */
#define LARGE 100000u
#define SCALE 1000u

/* ---- the estimate */

struct sampled {
	uint64_t time_ns, at; /* at: of the event's samples */
	int32_t pid;
	uint32_t thread;
};

static int
by_process_and_time(const void *x, const void *y)
{
	const struct sampled *a = x, *b = y;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static int
by_value(const void *x, const void *y)
{
	const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

/* By task: a number for its thread. */
static uint32_t *
threads_of(const struct cr_profile *p, uint32_t *n)
{
	uint32_t *of = cr_alloc(CR_MAX(p->n_tasks, 1u), sizeof(*of));
	struct cr_index ix = {0};

	*n = 0;
	for (uint32_t i = 0; i < p->n_tasks; i++) {
		const struct cr_task *t = &p->tasks[i];
		const uint64_t h = cr_hash_mix((uint32_t)t->pid, (uint32_t)t->tid);
		uint32_t row;

		of[i] = UINT32_MAX;
		cr_index_each(&ix, h, row)
			if (p->tasks[row].pid == t->pid && p->tasks[row].tid == t->tid)
				of[i] = of[row];
		if (of[i] != UINT32_MAX)
			continue;
		of[i] = (*n)++;
		cr_index_add(&ix, h, i);
	}
	cr_index_fini(&ix);
	return of;
}

/* The median of the times between two samples of a thread. s: sorted by process and time. */
static uint64_t
period_of(const struct sampled *s, uint64_t n, uint32_t n_threads)
{
	uint64_t *last = cr_alloc(CR_MAX(n_threads, 1u), sizeof(*last)), median = 0;
	CR_VEC(uint64_t) gaps = {0};
	const uint64_t step = n / GAPS_MOST + 1;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t *before = &last[s[i].thread];

		if (*before && s[i].time_ns > *before && i % step == 0)
			cr_vec_push(&gaps, s[i].time_ns - *before);
		*before = s[i].time_ns;
	}
	if (gaps.n) {
		qsort(gaps.p, gaps.n, sizeof(*gaps.p), by_value);
		median = gaps.p[gaps.n / 2];
	}
	cr_vec_fini(&gaps);
	free(last);
	return median;
}

static uint64_t
processors(const struct cr_profile *p)
{
	const struct cr_str s = cr_profile_fact(p, "cpus available");
	uint64_t n = 0;

	for (uint32_t i = 0; i < s.len && i < 6 && s.p[i] >= '0' && s.p[i] <= '9'; i++)
		n = n * 10 + (uint64_t)(s.p[i] - '0');
	return n ? n : UINT32_MAX;
}

/* In the window of one period before and after each sample, count the threads of its process. */
static void
count_threads(const struct sampled *s, uint64_t n, uint64_t period, uint32_t n_threads,
	uint64_t most, uint64_t *value)
{
	uint64_t *in = cr_alloc(CR_MAX(n_threads, 1u), sizeof(*in)); /* samples in the window */
	uint64_t from = 0, to = 0, threads = 0;

	for (uint64_t i = 0; i < n; i++) {
		for (; to < n && s[to].pid == s[i].pid && s[to].time_ns <= s[i].time_ns + period;
			to++)
			threads += in[s[to].thread]++ == 0;
		for (; s[from].pid != s[i].pid || s[from].time_ns + period < s[i].time_ns; from++)
			threads -= --in[s[from].thread] == 0;
		value[s[i].at] = CR_MAX(CR_MIN(threads, most), 1u);
	}
	free(in);
}

/* Samples without a time or a process have no value. */
static uint64_t *
estimate(struct cr_profile *p, cr_event_id event, uint64_t *n)
{
	const struct cr_event_column events = cr_column_events(p);
	const uint64_t *time_ns = cr_column_times(p);
	const uint32_t *task = cr_column_tasks(p);
	uint32_t n_threads, *thread = threads_of(p, &n_threads);
	struct sampled *s = cr_alloc(CR_MAX(p->events[event.i].samples, 1u), sizeof(*s));
	uint64_t *value, used = 0;

	*n = 0;
	value = cr_arena_array(&p->arena, p->events[event.i].samples, sizeof(*value));
	for (uint64_t i = 0; i < p->samples.n; i++) {
		if (cr_event_of(&events, i) != event.i || *n == p->events[event.i].samples)
			continue;
		value[*n] = cr_form_none(CR_FORM_NUMBER);
		if (time_ns[i] && time_ns[i] < INT64_MAX && p->tasks[task[i]].pid >= 0)
			s[used++] = (struct sampled){
				time_ns[i], *n, p->tasks[task[i]].pid, thread[task[i]]};
		(*n)++;
	}
	qsort(s, (size_t)used, sizeof(*s), by_process_and_time);
	count_threads(s, used, period_of(s, used, n_threads), n_threads, processors(p), value);
	free(s);
	free(thread);
	return value;
}

static bool
is_recorded(const struct cr_profile *p, uint32_t event)
{
	return p->events[event].samples && !cr_event_is_sum(p, (cr_event_id){event}) &&
	       !cr_event_is_derived(p, (cr_event_id){event});
}

static void
fact_set(struct cr_profile *p, const char *key, struct cr_str value)
{
	struct cr_fact *facts = cr_arena_array(&p->arena, p->n_facts + 1u, sizeof(*facts));
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_facts; i++)
		if (!cr_str_eq(p->facts[i].key, cr_str_of(key)))
			facts[n++] = p->facts[i];
	facts[n++] = (struct cr_fact){
		cr_str_of(key), {cr_arena_copy(&p->arena, value.p, value.len), value.len}};
	p->facts = facts;
	p->n_facts = n;
}

/* The estimated field of an event; false if none of its samples has a value. */
static bool
add_estimate(struct cr_profile *p, cr_event_id event, struct cr_field *out)
{
	*out = (struct cr_field){
		.name = CR_STR(CR_PARALLELISM), .event = event, .form = CR_FORM_NUMBER};
	out->value = estimate(p, event, &out->n);
	cr_fields_sum_up(out, 1, p->n_texts);
	return out->have != 0;
}

void
cr_parallelism_estimate(struct cr_profile *p)
{
	struct cr_field *fields;
	struct cr_text names = {0};
	uint32_t n = 0, old = 0;

	if (!(p->flags & CR_PROFILE_HAS_TIME) || !cr_profile_has_threads(p) || !p->samples.n ||
		!(p->flags & CR_PROFILE_HAS_SAMPLES))
		return;
	fields = cr_arena_array(&p->arena, (uint64_t)p->n_fields + p->n_events, sizeof(*fields));
	for (uint32_t i = 0; i < p->n_events; i++) { /* fields are sorted by event */
		const bool has = cr_field_find(p, (cr_event_id){i}, CR_STR(CR_PARALLELISM));

		for (; old < p->n_fields && p->fields[old].event.i <= i; old++)
			fields[n++] = p->fields[old];
		if (has || !is_recorded(p, i) || !add_estimate(p, (cr_event_id){i}, &fields[n]))
			continue;
		cr_text_puts(&names, names.len ? ", " : "");
		cr_text_str(&names, p->events[i].name);
		n++;
	}
	if (n > p->n_fields) {
		fact_set(p, CR_PARALLELISM_ESTIMATED, cr_text_view(&names));
		p->fields = fields;
		p->n_fields = n;
	}
	cr_text_fini(&names);
}

bool
cr_parallelism_is_estimate(const struct cr_profile *p, cr_event_id event)
{
	struct cr_str list = cr_profile_fact(p, CR_PARALLELISM_ESTIMATED);
	const struct cr_event *e = &p->events[event.i];

	while (list.len) {
		const char *end = memmem(list.p, list.len, ", ", 2);
		const uint32_t len = end ? (uint32_t)(end - list.p) : list.len;

		if (cr_parallelism_names(e, (struct cr_str){list.p, len}))
			return true;
		list.p += CR_MIN(len + 2, list.len);
		list.len -= CR_MIN(len + 2, list.len);
	}
	return false;
}

/* ---- latency */

bool
cr_parallelism_names(const struct cr_event *event, struct cr_str name)
{
	const struct cr_str rest = {event->name.p + name.len, event->name.len - name.len};

	if (cr_str_eq(event->name, name))
		return true;
	return event->name.len > name.len && memcmp(event->name.p, name.p, name.len) == 0 &&
	       (cr_str_eq(rest, CR_STR(EXACT)) || cr_str_eq(rest, CR_STR(ESTIMATE)));
}

static struct cr_str
kept(struct cr_profile *p, struct cr_text *t)
{
	const struct cr_str s = {cr_arena_copy(&p->arena, t->p, t->len), (uint32_t)t->len};

	cr_text_fini(t);
	return s;
}

static void
rename_event(struct cr_profile *p, struct cr_event *e, bool is_estimate)
{
	const bool is_main = cr_str_eq(cr_profile_fact(p, "main event"), e->name);
	struct cr_text t = {0};

	cr_text_str(&t, e->name);
	cr_text_puts(&t, is_estimate ? ESTIMATE : EXACT);
	e->name = kept(p, &t);
	if (is_main)
		fact_set(p, "main event", e->name);
}

/* By event: what weights are multiplied by; 0: the event has no parallelism. */
static uint32_t *
scales_of(const struct cr_profile *p, const struct cr_field **field)
{
	uint32_t *scale = cr_alloc(CR_MAX(p->n_events, 1u), sizeof(*scale));

	for (uint32_t i = 0; i < p->n_events; i++) {
		const struct cr_event *e = &p->events[i];

		field[i] = cr_field_find(p, (cr_event_id){i}, CR_STR(CR_PARALLELISM));
		if (!field[i] || !field[i]->value)
			continue;
		scale[i] = cr_str_eq(e->unit, CR_STR("ns")) || e->weight / LARGE >= e->samples
				   ? 1
				   : SCALE;
	}
	return scale;
}

static uint64_t
latency_of(uint64_t weight, uint32_t scale, uint64_t parallelism)
{
	const uint64_t by = parallelism && parallelism <= UINT16_MAX + 1u ? parallelism : 1;
	uint64_t scaled;

	if (!cr_mul_ok(weight, scale, &scaled))
		scaled = UINT64_MAX;
	return scaled / by + (scaled % by >= by - by / 2); /* half and more is rounded up */
}

static uint64_t *
latencies_make(struct cr_profile *p, const uint32_t *scale, const struct cr_field **field,
	struct cr_event *events)
{
	const struct cr_event_column of = cr_column_events(p);
	const uint64_t *weight = cr_column_weights(p);
	uint64_t *out = cr_arena_array(&p->arena, p->samples.n, sizeof(*out));
	uint64_t *at = cr_alloc(CR_MAX(p->n_events, 1u), sizeof(*at));

	for (uint64_t i = 0; i < p->samples.n; i++) {
		const uint32_t e = cr_event_of(&of, i);

		out[i] = weight[i];
		if (scale[e] && at[e] < field[e]->n)
			out[i] = latency_of(weight[i], scale[e], field[e]->value[at[e]]);
		at[e]++;
		events[e].weight = cr_add_sat(events[e].weight, out[i]);
	}
	free(at);
	return out;
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

static void
sums_make(const struct cr_profile *p, struct cr_event *events)
{
	for (uint32_t i = 0; i < p->n_events; i++) {
		if (!cr_event_is_sum(p, (cr_event_id){i}))
			continue;
		events[i].weight = 0;
		for (uint32_t k = 0; k < p->n_events; k++)
			if (k != i && cr_event_includes(p, (cr_event_id){i}, (cr_event_id){k}))
				events[i].weight = cr_add_sat(events[i].weight, events[k].weight);
	}
}

static void
label_events(struct cr_profile *p, const uint32_t *scale, struct cr_event *events)
{
	for (uint32_t i = 0; i < p->n_events; i++) {
		const bool is_estimate = cr_parallelism_is_estimate(p, (cr_event_id){i});
		struct cr_text t = {0};

		if (!scale[i])
			continue;
		rename_event(p, &events[i], is_estimate);
		if (scale[i] == 1)
			continue;
		cr_text_str(&t, events[i].unit);
		cr_text_puts(&t, "/1000");
		events[i].unit = kept(p, &t);
	}
}

int
cr_parallelism_weigh(struct cr_profile *p, struct cr_err *err)
{
	const struct cr_field **field;
	struct cr_event *events;
	uint32_t *scale, any = 0;

	field = cr_alloc(CR_MAX(p->n_events, 1u), sizeof(*field));
	scale = scales_of(p, field);
	for (uint32_t i = 0; i < p->n_events; i++)
		any |= p->flags & CR_PROFILE_HAS_SAMPLES ? scale[i] : 0;
	if (any) {
		events = cr_arena_array(&p->arena, p->n_events, sizeof(*events));
		memcpy(events, p->events, p->n_events * sizeof(*events));
		for (uint32_t i = 0; i < p->n_events; i++)
			events[i].weight = 0;
		p->samples.weight = latencies_make(p, scale, field, events);
		sums_make(p, events);
		label_events(p, scale, events);
		p->events = events;
		zones_open(p);
	}
	free(field);
	free(scale);
	return any ? CR_OK
		   : cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			     "latency needs the times and threads of samples, which it lacks");
}
