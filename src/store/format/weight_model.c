#include "weight_model_p.h"

#include <stdlib.h>

#include "base/mem.h"

#define CLASSES 65u

/* What is known of a counter. */
struct counter {
	uint64_t key1;    /* its key, plus 1; 0: none */
	uint64_t last;    /* its last weight */
	uint64_t adapted; /* the period after that */
	uint64_t time_ns; /* of its last sample */
	/*
	 * How many bits `last` and `adapted` were wrong by, of late: averages, times 16. The latter
	 * is preferred if both are the same.
	 */
	uint32_t errors[2];
	uint32_t classes[2]; /* of the last two differences that were coded */
};

#define ERROR_FIRST (16u * 20u)

/* Counters by key: a hash table, at most half full. */
struct counters {
	struct counter *rows;
	unsigned bits; /* it has 1 << bits rows */
};

static void
counters_init(struct counters *t, uint32_t n)
{
	t->bits = 4;
	while ((uint32_t)1 << t->bits < 2 * n)
		t->bits++;
	t->rows = cr_alloc((uint64_t)1 << t->bits, sizeof(*t->rows));
}

/* The counter of row i. If it is new, key1 is 0. */
static struct counter *
counter_at(struct counters *t, uint64_t key1)
{
	uint64_t at = key1 * 0x9e3779b97f4a7c15u >> (64 - t->bits);

	while (t->rows[at].key1 && t->rows[at].key1 != key1)
		at = (at + 1) & (((uint64_t)1 << t->bits) - 1);
	return &t->rows[at];
}

static uint64_t
key1_of(unsigned key, const struct cr_weight_sides *s, uint32_t i)
{
	return 1 + ((uint64_t)s->event[i] << 48 |
			   (uint64_t)(key & CR_WEIGHT_CPU ? s->cpu[i] : 0) << 32 |
			   (key & CR_WEIGHT_TASK ? s->task[i] : 0));
}

static uint32_t
bits_between(uint64_t a, uint64_t b)
{
	const uint64_t size = (a - b) >> 63 ? b - a : a - b;

	return size ? 64 - (uint32_t)__builtin_clzll(size) : 0;
}

#define PERIOD_MOST ((uint64_t)1 << 34) /* less: 10^9 times as much fits in 64 bits */
#define TOOK_MOST 8000000u /* ns: the kernel does not adapt after two of its ticks, at 250 Hz */

static uint64_t
adapted(uint64_t period, uint64_t took_ns, uint32_t rate)
{
	uint64_t goal;

	if (rate == 0 || period >= PERIOD_MOST || took_ns == 0 || took_ns > TOOK_MOST)
		return period;
	goal = period * 1000000000 / (took_ns * rate);
	return goal >= PERIOD_MOST ? period
				   : period + (uint64_t)(((int64_t)goal - (int64_t)period + 7) / 8);
}

static void
learn(struct counter *k, uint64_t key1, uint64_t v, uint64_t time_ns, uint32_t rate)
{
	if (k->key1 == 0) {
		*k = (struct counter){key1, v, v, time_ns, {ERROR_FIRST, ERROR_FIRST}, {0}};
		return;
	}
	k->errors[0] = k->errors[0] - k->errors[0] / 8 + 2 * bits_between(v, k->last);
	k->errors[1] = k->errors[1] - k->errors[1] / 8 + 2 * bits_between(v, k->adapted);
	k->adapted = adapted(v, time_ns - k->time_ns, rate);
	k->last = v;
	k->time_ns = time_ns;
}

void
cr_weight_model_code(const struct cr_weight_form *form, struct cr_bit_coder *c, uint64_t *v,
	uint32_t n, const struct cr_weight_sides *sides)
{
	struct cr_number_model first, next;
	struct counters counters;

	counters_init(&counters, n);
	cr_number_model_init(&first, form->class_bits, false, false, 1);
	cr_number_model_init(&next, form->class_bits, false, true, CLASSES);
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		const uint64_t key1 = key1_of(form->key, sides, i);
		struct counter *k = counter_at(&counters, key1);
		const bool by_rate = k->errors[1] <= k->errors[0];
		const uint64_t guess = by_rate ? k->adapted : k->last;
		uint64_t got;

		if (k->key1 == 0) {
			got = cr_number_model_code(&first, c, 0, v[i]);
		} else {
			next.last = k->classes[0];
			next.second = k->classes[1];
			got = guess +
			      cr_number_model_code(&next, c, k->errors[by_rate] / 16, v[i] - guess);
			k->classes[1] = k->classes[0];
			k->classes[0] = next.last;
		}
		learn(k, key1, got, sides->time_ns[i], form->rate);
		if (c->reads)
			v[i] = got;
	}
	cr_number_model_fini(&first);
	cr_number_model_fini(&next);
	free(counters.rows);
}

/* ---- choosing the form */

/* The bits of the differences, all together and of the largest. */
struct cost {
	uint64_t bits;
	uint32_t most;
};

static struct cost
cost_of(const struct cr_weight_form *form, const uint64_t *v, uint32_t n,
	const struct cr_weight_sides *sides)
{
	struct counters counters;
	struct cost cost = {0};

	counters_init(&counters, n);
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t key1 = key1_of(form->key, sides, i);
		struct counter *k = counter_at(&counters, key1);

		const uint32_t bits =
			bits_between(v[i], k->errors[1] <= k->errors[0] ? k->adapted : k->last);

		cost.bits += bits;
		cost.most = CR_MAX(cost.most, bits);
		if (k->key1 == 0 && v[i] >> 63)
			cost.most = 64; /* it is not coded as a signed number */
		learn(k, key1, v[i], sides->time_ns[i], form->rate);
	}
	free(counters.rows);
	return cost;
}

/* The rate in Hz that most changes of a counter's weight agree with; 0 if there are none. */
static uint32_t
rate_of(unsigned key, const uint64_t *v, uint32_t n, const struct cr_weight_sides *sides)
{
	uint16_t *counts = cr_alloc(CR_WEIGHT_RATES, sizeof(*counts));
	struct counters counters;
	uint32_t best = 0;

	counters_init(&counters, n);
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t key1 = key1_of(key, sides, i);
		struct counter *k = counter_at(&counters, key1);
		/* `adapted` is used for how long the sample before took. */
		const uint64_t took_ns = k->key1 ? k->adapted : 0;
		/* Eight steps of this size lead to the period that gives the rate. */
		const uint64_t goal = 8 * (v[i] - k->last) + k->last;

		if (took_ns && took_ns <= TOOK_MOST && k->last < PERIOD_MOST &&
			goal - 1 < PERIOD_MOST && v[i] != k->last) {
			const uint64_t rate = (k->last * 1000000000 / goal + took_ns / 2) / took_ns;

			if (rate && rate < CR_WEIGHT_RATES && ++counts[rate] > counts[best])
				best = (uint32_t)rate;
		}
		k->adapted = k->key1 ? sides->time_ns[i] - k->time_ns : 0;
		k->key1 = key1;
		k->last = v[i];
		k->time_ns = sides->time_ns[i];
	}
	free(counters.rows);
	free(counts);
	return best;
}

/* 3987 becomes 4000: a rate that people ask for. */
static uint32_t
rounded(uint32_t rate)
{
	uint32_t unit = 1;

	while (rate / unit >= 100)
		unit *= 10;
	return (rate + unit / 2) / unit * unit;
}

struct cr_weight_form
cr_weight_model_form(const uint64_t *v, uint32_t n, uint32_t judged,
	const struct cr_weight_sides *sides, uint64_t *bits)
{
	struct cr_weight_form best = {0};

	*bits = UINT64_MAX;
	judged = CR_MIN(n, judged);
	for (unsigned key = 0; key < CR_WEIGHT_KEYS; key++) {
		const uint32_t rate = rate_of(key, v, judged, sides);
		const uint32_t rates[] = {0, rate, rounded(rate)};

		for (size_t i = 0; i < CR_LEN(rates); i++) {
			const struct cr_weight_form f = {.key = key, .rate = rates[i]};
			const uint64_t take = rates[i] < CR_WEIGHT_RATES
						      ? cost_of(&f, v, judged, sides).bits
						      : UINT64_MAX;

			if (take < *bits) {
				*bits = take;
				best = f;
			}
		}
	}
	best.class_bits = cr_number_model_bits(cost_of(&best, v, n, sides).most);
	return best;
}
