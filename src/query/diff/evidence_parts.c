#include "evidence_parts_p.h"

#include "model/columns.h"
#include "model/merge/fleet.h"

#include <stdlib.h>

#define RECORDINGS_MOST 4096 /* maximum number of recordings of a side that are distinguished */

struct timed {
	uint64_t time, row;
};

static int
timed_cmp(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

static void
sort_by_time(struct cr_parts *s)
{
	const uint64_t *times = cr_column_times(s->p);
	struct timed *order;
	bool sorted = true;

	for (uint64_t i = 1; i < s->n_rows && sorted; i++)
		sorted = times[s->rows[i - 1]] <= times[s->rows[i]];
	if (sorted)
		return;
	order = cr_alloc(s->n_rows, sizeof(*order));
	for (uint64_t i = 0; i < s->n_rows; i++)
		order[i] = (struct timed){times[s->rows[i]], s->rows[i]};
	qsort(order, (size_t)s->n_rows, sizeof(*order), timed_cmp);
	for (uint64_t i = 0; i < s->n_rows; i++)
		s->rows[i] = order[i].row;
	free(order);
}

static int
select_rows(struct cr_parts *s, struct cr_err *err)
{
	const struct cr_profile *p = s->p;
	uint8_t *select;
	int rc = cr_select(p, cr_query_filter(s->query), &select, err);

	if (rc < 0)
		return rc;
	if (!cr_column_one_weight(p, &s->weight))
		s->weights = cr_column_weights(p);
	s->rows = cr_alloc(p->samples.n, sizeof(*s->rows));
	for (uint64_t i = 0; i < p->samples.n; i++)
		if (select[i])
			s->rows[s->n_rows++] = i;
	free(select);
	return CR_OK;
}

/* ---- number of samples */

static uint64_t
gcd(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * The number of samples if each row is a sum over samples. If the event counts samples, it is the
 * weight. Otherwise all samples are assumed to have the same weight, the greatest common divisor of
 * the rows. 0 if that is 1, or leaves fewer than 100 samples.
 */
static double
samples_of_sums(const struct cr_parts *s, const struct cr_event *e, double whole)
{
	uint64_t divisor = 0;

	if (cr_event_counts_samples(e))
		return whole;
	for (uint64_t i = 0; i < s->n_rows && divisor != 1; i++)
		divisor = gcd(divisor, cr_parts_weight(s, s->rows[i]));
	return divisor > 1 && whole / (double)divisor >= 100 ? whole / (double)divisor : 0;
}

/* Fill in the samples of each recording; that of a row is part_of[row]. */
static void
count_samples(struct cr_parts *s, cr_event_id event)
{
	const struct cr_profile *p = s->p;
	double *sum = cr_alloc(s->recordings, sizeof(*sum)),
	       *squares = cr_alloc(s->recordings, sizeof(*squares));

	for (uint64_t i = 0; i < s->n_rows; i++) {
		const double w = (double)cr_parts_weight(s, s->rows[i]);
		const uint32_t r = s->part_of[s->rows[i]];

		sum[r] += w;
		squares[r] += w * w;
	}
	for (uint32_t r = 0; r < s->recordings; r++)
		s->recording[r] = (struct cr_verdict_recording){
			.samples = squares[r] > 0 ? sum[r] * sum[r] / squares[r] : 0,
			.has_times = p->flags & CR_PROFILE_HAS_TIME};
	if (cr_event_is_summed(p, event))
		for (uint32_t r = 0; r < s->recordings; r++)
			s->recording[r].samples = samples_of_sums(s, &p->events[event.i], sum[r]);
	free(sum);
	free(squares);
}

/* By group and event of a fleet, at [group * n_events + event]: the weight of all its rows. */
static double *
group_weights(const struct cr_profile *p, const struct cr_fleet *fleet)
{
	double *weight = cr_alloc((uint64_t)fleet->n * p->n_events + 1, sizeof(*weight));
	const struct cr_event_column events = cr_column_events(p);

	for (uint64_t i = 0; i < p->samples.n; i++) {
		const uint32_t group = p->tasks[cr_column_tasks(p)[i]].space.i;

		weight[(size_t)group * p->n_events + cr_event_of(&events, i)] +=
			(double)cr_column_weights(p)[i];
	}
	return weight;
}

/* The same of a fleet: of the effective samples of a group, rows have their part of its weight. */
static void
count_fleet_samples(struct cr_parts *s, const struct cr_fleet *fleet)
{
	const struct cr_profile *p = s->p;
	const struct cr_event_column events = cr_column_events(p);
	double *weight = group_weights(p, fleet);

	for (uint32_t r = 0; r < s->recordings; r++)
		s->recording[r].has_times = false;
	for (uint64_t i = 0; i < s->n_rows; i++) {
		const uint64_t row = s->rows[i];
		const size_t at = (size_t)p->tasks[cr_column_tasks(p)[row]].space.i * p->n_events +
				  cr_event_of(&events, row);

		if (weight[at] > 0)
			s->recording[s->part_of[row]].samples +=
				(double)fleet->counts[at].effective *
				(double)cr_parts_weight(s, row) / weight[at];
	}
	free(weight);
}

/* ---- parts */

/*
 * By task: its recording; of a fleet, its batch. Returns NULL if there are none, or too many; *n is
 * their number. The caller frees the result.
 */
static uint32_t *
recordings_of_tasks(const struct cr_profile *p, const struct cr_fleet *fleet, uint32_t *n)
{
	struct cr_merge_inputs inputs;
	uint32_t *of_task;

	cr_merge_inputs(p, &inputs);
	*n = fleet->n ? CR_FLEET_BATCHES : inputs.n;
	cr_merge_inputs_fini(&inputs);
	if (*n < 2 || *n > RECORDINGS_MOST)
		return NULL;
	of_task = cr_alloc(p->n_tasks, sizeof(*of_task));
	if (!fleet->n)
		cr_merge_recordings(p, of_task);
	for (uint32_t i = 0; i < p->n_tasks && fleet->n; i++)
		of_task[i] = fleet->groups[p->tasks[i].space.i].batch;
	return of_task;
}

/* Number the recordings that have selected rows, and put each row in its own. */
static void
cut_recordings(struct cr_parts *s, const struct cr_fleet *fleet)
{
	const struct cr_profile *p = s->p;
	uint32_t *of_task, *number, n;

	s->recordings = 1;
	s->part_of = cr_alloc(p->samples.n, sizeof(*s->part_of));
	if (!(of_task = recordings_of_tasks(p, fleet, &n)))
		return;
	number = cr_alloc(n, sizeof(*number));
	s->recordings = 0;
	for (uint64_t i = 0; i < s->n_rows; i++) {
		uint32_t *at = &number[of_task[cr_column_tasks(p)[s->rows[i]]]];

		if (!*at)
			*at = ++s->recordings;
		s->part_of[s->rows[i]] = (uint16_t)(*at - 1);
	}
	free(of_task);
	free(number);
	s->recordings = CR_MAX(s->recordings, 1u);
}

static void
cut_blocks(struct cr_parts *s)
{
	double whole = 0, sum = 0;

	s->n = cr_verdict_blocks(s->recording[0].samples);
	sort_by_time(s);
	for (uint64_t i = 0; i < s->n_rows; i++)
		whole += (double)cr_parts_weight(s, s->rows[i]);
	for (uint64_t i = 0; i < s->n_rows; i++) {
		const double block = whole > 0 ? sum / whole * s->n : 0;

		s->part_of[s->rows[i]] = (uint16_t)CR_MIN((uint32_t)block, s->n - 1);
		sum += (double)cr_parts_weight(s, s->rows[i]);
	}
}

static int
cut_side(struct cr_parts *s, struct cr_err *err)
{
	struct cr_fleet fleet;
	cr_event_id event;
	int rc;

	if ((rc = select_rows(s, err)) < 0 ||
		(rc = cr_filter_event(s->p, cr_query_filter(s->query), &event, err)) < 0)
		return rc;
	if (!cr_fleet_of(s->p, &fleet))
		fleet.n = 0;
	cut_recordings(s, &fleet);
	s->n = s->recordings;
	s->recording = cr_alloc(s->recordings, sizeof(*s->recording));
	if (fleet.n)
		count_fleet_samples(s, &fleet);
	else
		count_samples(s, event);
	cr_fleet_fini(&fleet);
	return CR_OK;
}

int
cr_parts_cut(struct cr_parts side[CR_SIDES], struct cr_err *err)
{
	int rc;

	for (int s = 0; s < CR_SIDES; s++)
		if ((rc = cut_side(&side[s], err)) < 0)
			return rc;
	if (side[0].recordings + side[1].recordings > 2)
		return CR_OK;
	for (int s = 0; s < CR_SIDES; s++)
		if (side[s].recording[0].has_times && side[s].n_rows)
			cut_blocks(&side[s]);
	return CR_OK;
}

double
cr_parts_weigh(struct cr_parts *s, const double *whole, const double *amount)
{
	double cost = 0, sum = 0;

	s->recording_weights = cr_alloc(s->recordings, sizeof(*s->recording_weights));
	for (uint32_t i = 0; i < s->n; i++) {
		const uint32_t r = s->recordings > 1 ? i : 0;
		const double each = amount ? amount[r] : 1;

		cost += whole[i];
		if (each > 0)
			s->recording_weights[r] += whole[i] / each;
	}
	for (uint32_t r = 0; r < s->recordings; r++)
		sum += s->recording_weights[r];
	for (uint32_t r = 0; r < s->recordings; r++)
		s->recording_weights[r] =
			sum > 0 ? s->recording_weights[r] / sum : 1.0 / s->recordings;
	return sum > 0 ? cost / sum : 1;
}

void
cr_parts_fini(struct cr_parts *s)
{
	free(s->rows);
	free(s->part_of);
	free(s->recording);
	free(s->recording_weights);
	*s = (struct cr_parts){.p = NULL};
}
