#include "query/fold/slices.h"

#include "base/hash.h"
#include "base/vec.h"
#include "base/work.h"
#include "query/fold/stack_filter.h"
#include "select_p.h"

#include <stdlib.h>

#define LEAST_SLICES 16u /* a smaller profile is counted row by row */
#define LEAST_SAVED 4u   /* rows of a sum, on average */

/* Rows of a slice that agree in event, task and cpu. */
struct sum {
	uint32_t task;
	uint16_t cpu, event;
	uint32_t rows;
};

struct slice {
	uint64_t least_ns, most_ns; /* of the rows with a time; least > most if there are none */
	size_t sums;                /* where its sums begin */
	bool has_untimed;           /* a row has no time */
};

/* The columns of the rows; NULL where all rows agree. */
struct columns {
	const uint64_t *time_ns, *weight;
	const uint32_t *task;
	const uint16_t *cpu;
	struct cr_event_column event;
	uint64_t same_weight;
};

struct cr_slices {
	const struct cr_profile *p;
	uint64_t n; /* rows */
	uint32_t rows, n_slices, n_cpus;
	struct columns columns;
	struct slice *slices; /* n_slices of them, and one more for the end of the sums */
	CR_VEC(struct sum) sums;
	CR_VEC(uint64_t) weights; /* by sum; unused if all rows have the same weight */
};

unsigned
cr_slices_need(const struct cr_profile *p)
{
	unsigned needs = 0;
	uint64_t weight;
	uint32_t event;

	if (p->flags & CR_PROFILE_HAS_TIME)
		needs |= CR_NEEDS_TIME;
	if (p->flags & CR_PROFILE_HAS_TASK)
		needs |= CR_NEEDS_TASK;
	if (p->flags & CR_PROFILE_HAS_CPU)
		needs |= CR_NEEDS_CPU;
	if (!cr_column_one_weight(p, &weight))
		needs |= CR_NEEDS_WEIGHT;
	if (!cr_column_one_event(p, &event))
		needs |= CR_NEEDS_EVENT;
	return needs;
}

static void
find_columns(const struct cr_profile *p, struct columns *c)
{
	*c = (struct columns){.event = cr_column_events(p)};
	if (p->flags & CR_PROFILE_HAS_TIME)
		c->time_ns = cr_column_times(p);
	if (p->flags & CR_PROFILE_HAS_TASK)
		c->task = cr_column_tasks(p);
	if (p->flags & CR_PROFILE_HAS_CPU)
		c->cpu = cr_column_cpus(p);
	if (!cr_column_one_weight(p, &c->same_weight))
		c->weight = cr_column_weights(p);
}

static inline struct sum
sum_of_row(const struct columns *c, uint64_t row)
{
	return (struct sum){.task = c->task ? c->task[row] : 0,
		.cpu = c->cpu ? c->cpu[row] : CR_CPU_NONE,
		.event = (uint16_t)cr_event_of(&c->event, row),
		.rows = 1};
}

static uint64_t
weight_of_row(const struct columns *c, uint64_t row)
{
	return c->weight ? c->weight[row] : c->same_weight;
}

/* ---- making */

/* Where the sums of the current slice are found: open addressing, with the slice as a stamp. */
struct place {
	uint64_t key;
	uint32_t slice1; /* + 1 */
	uint32_t sum;
};

/* Most rows find their sum among these, which stay in the nearest cache. */
#define RECENT 512u

struct adder {
	struct cr_slices *s;
	struct place recent[RECENT];
	struct place *places;
	uint32_t mask;
};

static uint64_t
key_of(const struct sum *row)
{
	return (uint64_t)row->task << 32 | (uint32_t)row->cpu << 16 | row->event;
}

/* The sum of a key in the table of all sums of the slice; it may be new. */
static uint32_t
sum_find(struct adder *a, uint32_t slice, uint64_t key, uint32_t hash)
{
	struct cr_slices *s = a->s;

	for (uint32_t at = hash;; at++) {
		struct place *place = &a->places[at & a->mask];

		if (place->slice1 == slice + 1 && place->key == key)
			return place->sum;
		if (place->slice1 == slice + 1)
			continue;
		*place = (struct place){key, slice + 1, (uint32_t)s->sums.n};
		cr_vec_push(&s->sums, ((struct sum){(uint32_t)(key >> 32), (uint16_t)(key >> 16),
					      (uint16_t)key, 0}));
		if (s->columns.weight)
			cr_vec_push(&s->weights, 0);
		return place->sum;
	}
}

static inline uint32_t
sum_of_key(struct adder *a, uint32_t slice, uint64_t key)
{
	const uint32_t hash = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40);
	struct place *recent = &a->recent[hash % RECENT];

	if (recent->key != key || recent->slice1 != slice + 1)
		*recent = (struct place){key, slice + 1, sum_find(a, slice, key, hash)};
	return recent->sum;
}

static void
add_rows(struct adder *a, uint32_t slice, uint64_t from, uint64_t to)
{
	struct cr_slices *s = a->s;
	const struct columns c = s->columns;

	for (uint64_t i = from; i < to; i++) {
		const struct sum row = sum_of_row(&c, i);
		const uint32_t at = sum_of_key(a, slice, key_of(&row));

		s->sums.p[at].rows++;
		if (c.weight)
			s->weights.p[at] = cr_add_sat(s->weights.p[at], c.weight[i]);
	}
}

static void
slice_make(struct adder *a, uint32_t slice, uint64_t from, uint64_t to)
{
	struct cr_slices *s = a->s;
	struct slice *out = &s->slices[slice];
	const uint64_t *time_ns = s->columns.time_ns;

	*out = (struct slice){.least_ns = UINT64_MAX, .sums = s->sums.n};
	add_rows(a, slice, from, to);
	for (size_t i = out->sums; i < s->sums.n; i++)
		if (s->sums.p[i].cpu < CR_CPU_UNKNOWN)
			s->n_cpus = CR_MAX(s->n_cpus, (uint32_t)s->sums.p[i].cpu + 1);
	for (uint64_t i = from; i < to; i++) {
		const uint64_t ns = time_ns ? time_ns[i] : 0;

		out->has_untimed |= ns == 0;
		out->least_ns = CR_MIN(out->least_ns, ns - 1);
		out->most_ns = CR_MAX(out->most_ns, ns);
	}
	out->least_ns += out->least_ns != UINT64_MAX; /* 0 was counted as the largest time */
}

static bool
make(struct cr_slices *s)
{
	const uint64_t sums_most = s->n / LEAST_SAVED;
	struct adder *a = cr_alloc(1, sizeof(*a));
	bool done = true;

	a->s = s;
	while (a->mask < 2 * s->rows)
		a->mask = a->mask << 1 | 1;
	a->places = cr_alloc((uint64_t)a->mask + 1, sizeof(*a->places));
	for (uint32_t i = 0; done && i < s->n_slices; i++) {
		const uint64_t from = (uint64_t)i * s->rows, to = CR_MIN(from + s->rows, s->n);

		slice_make(a, i, from, to);
		cr_samples_done(&s->p->samples, from, to);
		done = s->sums.n <= sums_most && cr_work_step("samples", to, s->n);
	}
	s->slices[s->n_slices].sums = s->sums.n;
	free(a->places);
	free(a);
	return done;
}

struct cr_slices *
cr_slices_new(const struct cr_profile *p, uint32_t rows)
{
	const uint64_t n = p->samples.n, n_slices = n / rows + (n % rows != 0);
	struct cr_slices *s;

	if (n_slices < LEAST_SLICES || n_slices >= UINT32_MAX ||
		!(p->flags & CR_PROFILE_HAS_SAMPLES))
		return NULL;
	s = cr_alloc(1, sizeof(*s));
	*s = (struct cr_slices){.p = p, .n = n, .rows = rows, .n_slices = (uint32_t)n_slices};
	s->slices = cr_alloc(n_slices + 1, sizeof(*s->slices));
	find_columns(p, &s->columns);
	if (make(s))
		return s;
	cr_slices_free(s);
	return NULL;
}

void
cr_slices_free(struct cr_slices *s)
{
	if (!s)
		return;
	free(s->slices);
	cr_vec_fini(&s->sums);
	cr_vec_fini(&s->weights);
	free(s);
}

bool
cr_slices_can(const struct cr_slices *s, const struct cr_query *q)
{
	const struct cr_filter *f = cr_query_filter(q);

	return s && s->n == s->p->samples.n && !f->dsos.n && !f->modes && !f->wheres.n &&
	       !cr_stack_filter_selects(q);
}

uint32_t
cr_slices_cpus(const struct cr_slices *s)
{
	return s->n_cpus;
}

uint32_t
cr_slices_count(const struct cr_slices *s)
{
	return s->n_slices;
}

/* ---- asking */

/* A question, as far as it is the same for all slices. */
struct asker {
	const struct cr_slices *s;
	struct cr_selector *selector;
	const struct cr_slices_bins *bins;
	void (*sum)(void *user, uint32_t slice, const struct cr_slices_sum *sum);
	void *user;
};

static uint32_t
bin_of(const struct cr_slices_bins *b, uint64_t ns)
{
	return (uint32_t)CR_MIN((ns - b->start_ns) / b->width_ns, (uint64_t)b->n - 1);
}

/* True if the sums of a slice stand for its rows. */
static bool
is_whole(const struct asker *a, const struct slice *slice)
{
	const struct cr_slices_bins *b = a->bins;

	return !b || (!slice->has_untimed && slice->least_ns >= b->start_ns &&
			     bin_of(b, slice->least_ns) == bin_of(b, slice->most_ns));
}

static bool
takes(const struct cr_selector *selector, const struct sum *sum)
{
	return (!selector->events || selector->events[sum->event]) &&
	       (!selector->tasks || selector->tasks[sum->task]) &&
	       (!selector->cpus || selector->cpus[sum->cpu]);
}

static void
ask_sums(const struct asker *a, uint32_t slice)
{
	const struct cr_slices *s = a->s;
	const struct slice *at = &s->slices[slice];
	struct cr_slices_sum out = {.is_timed = !at->has_untimed,
		.first_ns = at->least_ns,
		.last_ns = at->most_ns,
		.bin = a->bins ? bin_of(a->bins, at->least_ns) : 0};

	for (size_t i = at->sums; i < s->slices[slice + 1].sums; i++) {
		const struct sum *sum = &s->sums.p[i];

		if (!takes(a->selector, sum))
			continue;
		out.task = sum->task;
		out.cpu = sum->cpu;
		out.event = sum->event;
		out.rows = sum->rows;
		if (s->columns.weight)
			out.weight = s->weights.p[i];
		else if (!cr_mul_ok(sum->rows, s->columns.same_weight, &out.weight))
			out.weight = UINT64_MAX;
		a->sum(a->user, slice, &out);
	}
}

static void
ask_rows(const struct asker *a, uint32_t slice)
{
	const struct cr_slices *s = a->s;
	const struct columns *c = &s->columns;
	const uint64_t from = (uint64_t)slice * s->rows, to = CR_MIN(from + s->rows, s->n);
	uint8_t *select = cr_alloc(to - from, 1);

	cr_selector_rows(a->selector, from, to, select);
	for (uint64_t i = from; i < to; i++) {
		const uint64_t ns = c->time_ns ? c->time_ns[i] : 0;
		struct sum row;

		if (!select[i - from])
			continue;
		row = sum_of_row(c, i);
		a->sum(a->user, slice,
			&(struct cr_slices_sum){row.task, row.cpu, row.event, 1,
				weight_of_row(c, i), ns != 0, ns, ns,
				a->bins && ns ? bin_of(a->bins, ns) : 0});
	}
	free(select);
}

#define ROWS_DONE 65536u /* released together */

void
cr_slices_each(const struct cr_slices *s, struct cr_selector *selector,
	const struct cr_slices_bins *bins, const uint8_t *exact,
	void (*sum)(void *user, uint32_t slice, const struct cr_slices_sum *sum), void *user)
{
	const struct asker a = {s, selector, bins, sum, user};
	uint64_t done = 0;

	for (uint32_t i = 0; i < s->n_slices; i++) {
		const struct slice *slice = &s->slices[i];
		const uint64_t to = CR_MIN(((uint64_t)i + 1) * s->rows, s->n);
		enum cr_selector_part part =
			cr_selector_times(selector, slice->least_ns, slice->most_ns);

		if (slice->has_untimed && selector->n_times)
			part = CR_SELECTOR_SOME;
		if (part == CR_SELECTOR_ALL && !(exact && exact[i]) && is_whole(&a, slice))
			ask_sums(&a, i);
		else if (part != CR_SELECTOR_NONE)
			ask_rows(&a, i);
		/* Those of other slices too: the system maps pages around each one that is read. */
		if (to - done < ROWS_DONE && to < s->n)
			continue;
		cr_samples_done(&s->p->samples, done, to);
		done = to;
	}
}
