#include "model/parallelism.h"

#include "base/hash.h"
#include "base/vec.h"
#include "model/columns.h"
#include "model/field.h"

#include <stdlib.h>
#include <string.h>

#define GAPS_MOST 65536u /* that a median is computed of */

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
		cr_profile_set_fact(p, CR_PARALLELISM_ESTIMATED, cr_text_view(&names));
		p->fields = fields;
		p->n_fields = n;
	}
	cr_text_fini(&names);
}

bool
cr_parallelism_is_estimate(const struct cr_profile *p, cr_event_id event)
{
	struct cr_str list = cr_profile_fact(p, CR_PARALLELISM_ESTIMATED);

	while (list.len) {
		const char *end = memmem(list.p, list.len, ", ", 2);
		const uint32_t len = end ? (uint32_t)(end - list.p) : list.len;

		if (cr_event_is_named(p, event, (struct cr_str){list.p, len}))
			return true;
		list.p += CR_MIN(len + 2, list.len);
		list.len -= CR_MIN(len + 2, list.len);
	}
	return false;
}
