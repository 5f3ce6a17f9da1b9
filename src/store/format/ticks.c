#include "ticks_p.h"

#include <stdlib.h>

#include "base/mem.h"

/*
 * If all times are multiples of the size of a tick, so are their differences. The size is looked
 * for as its inverse, ticks per ns times 2^64: the product with a difference, modulo 2^64, is the
 * difference's part of a tick, and is near 0 for the right one. First many sizes are tried on small
 * differences, for which a size need not be precise. Then the best is made more precise step by
 * step with larger and larger ones.
 */
#define LOOKED_AT 4096u                /* times */
#define FAR_PAIRS 512u                 /* pairs of times that are 2, 4, 8 ... rows apart */
#define SMALL_NS 4000u                 /* the differences that a size is guessed from are less */
#define LARGE_NS (UINT64_MAX / 4)      /* those above are not looked at */
#define FEWEST 48u                     /* such differences are needed */
#define AT_ONCE 128u                   /* differences that a size is judged by */
#define RATE_LEAST ((uint64_t)1 << 56) /* a tick of 256 ns */
#define RATE_MOST ((uint64_t)3 << 61)  /* of 2.7 ns */
#define RATE_STEP ((uint64_t)1 << (64 - 15)) /* moves a difference of SMALL_NS by 1/8 */
#define HALF_STEPS 16u                       /* rates that are tried to either side */
#define STEP_PARTS 32u            /* each moves the largest difference by this part of a tick */
#define FAR_MOST (UINT64_MAX / 6) /* how far from a multiple they may be on average, of a tick */

static int
compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* How far the differences are from multiples of a tick, added up, of 2^32 ticks. */
static uint64_t
far_of(const uint64_t *by, uint32_t n, uint64_t rate)
{
	uint64_t far = 0;

	for (uint32_t i = 0; i < n; i++) {
		const uint64_t part = by[i] * rate;

		far += (part >> 63 ? 0 - part : part) >> 32;
	}
	return far;
}

/* The rate that fits the differences best. */
static uint64_t
guess(const uint64_t *by, uint32_t n)
{
	uint64_t best = 0, least = UINT64_MAX;

	for (uint64_t rate = RATE_LEAST; rate < RATE_MOST; rate += RATE_STEP) {
		const uint64_t far = far_of(by, n, rate);

		if (far < least) {
			least = far;
			best = rate;
		}
	}
	return best;
}

/* The best of the rates around this one. */
static uint64_t
refine(const uint64_t *by, uint32_t n, uint64_t rate, uint64_t step)
{
	uint64_t best = rate, least = far_of(by, n, rate);

	for (uint64_t i = 1; i <= HALF_STEPS; i++)
		for (unsigned down = 0; down < 2; down++) {
			const uint64_t at = down ? rate - i * step : rate + i * step;
			const uint64_t far = far_of(by, n, at);

			if (far < least) {
				least = far;
				best = at;
			}
		}
	return best;
}

/* Differences, sorted; each is a multiple of a tick if the times are. */
struct differences {
	uint64_t *by;
	uint32_t n;
};

static bool
collect(const uint64_t *v, uint32_t n, struct differences *d)
{
	uint32_t n_steps = 0;
	uint64_t *by;

	d->by = by = cr_alloc((uint64_t)32 * LOOKED_AT, sizeof(*by));
	for (uint32_t i = 1; i < n; i++) {
		if (v[i] < v[i - 1])
			return false;
		if (n_steps < LOOKED_AT && v[i] > v[i - 1])
			by[n_steps++] = v[i] - v[i - 1];
	}
	qsort(by, n_steps, sizeof(*by), compare);
	d->n = n_steps;
	/* Differences of differences are smaller. */
	for (uint32_t by_rows = 1; by_rows < n_steps && by_rows < 1u << 14; by_rows *= 2)
		for (uint32_t i = by_rows; i < n_steps; i++)
			by[d->n++] = by[i] - by[i - by_rows];
	for (uint32_t rows = 2; rows < n; rows *= 2)
		for (uint32_t i = 0, k = CR_MIN(n - rows, FAR_PAIRS); i < k; i++) {
			const uint32_t at = (uint32_t)((uint64_t)i * (n - rows) / k);

			by[d->n++] = v[at + rows] - v[at];
		}
	qsort(by, d->n, sizeof(*by), compare);
	return true;
}

/* 2^96 / rate, which is the size of a tick. */
static uint64_t
inverse(uint64_t rate)
{
	uint64_t rest = 1, size = 0;

	for (unsigned i = 0; i < 96; i++) {
		const bool carry = rest >> 63;

		rest <<= 1;
		size <<= 1;
		if (carry || rest >= rate) {
			rest -= rate;
			size |= 1;
		}
	}
	return size;
}

/* Choose at most `most` of the differences from `from` up to `end`. Equal ones would not help. */
static uint32_t
spread(const struct differences *d, uint32_t from, uint32_t end, uint32_t most, uint64_t *out)
{
	const uint32_t n = CR_MIN(end - from, most);

	for (uint32_t i = 0; i < n; i++)
		out[i] = d->by[from + (uint32_t)((uint64_t)(i + 1) * (end - from) / n) - 1];
	return n;
}

static uint64_t
find(const struct differences *d)
{
	uint64_t by[AT_ONCE], rate, better;
	uint32_t at = 0, n, from;

	while (at < d->n && d->by[at] < 16)
		at++; /* these fit any size well or badly */
	from = at;
	while (at < d->n && d->by[at] < SMALL_NS)
		at++;
	if (at - from < FEWEST)
		return 0;
	n = spread(d, from, at, AT_ONCE, by);
	rate = guess(by, n);
	if (far_of(by, n, rate) / n > FAR_MOST >> 32)
		return 0;
	/* A difference four times as large moves as much by a quarter of the step. */
	for (uint64_t most = SMALL_NS; at < d->n && most <= LARGE_NS; most *= 4) {
		while (at < d->n && d->by[at] < most)
			at++;
		/* If there are few of this size, smaller ones are looked at more closely. */
		while (from + FEWEST < at && d->by[from] < most / 8)
			from++;
		n = spread(d, from, at, AT_ONCE, by);
		better = refine(by, n, rate, CR_MAX(UINT64_MAX / STEP_PARTS / most, 1u));
		if (far_of(by, n, better) / n > FAR_MOST >> 32)
			break; /* the clock was set anew meanwhile */
		rate = better;
	}
	return inverse(rate);
}

uint64_t
cr_ticks_find(const uint64_t *v, uint32_t n)
{
	struct differences d = {0};
	uint64_t size = 0;

	if (n >= FEWEST && collect(v, n, &d))
		size = find(&d);
	free(d.by);
	return size >= CR_TICKS_LEAST && size < CR_TICKS_MOST ? size : 0;
}

uint32_t
cr_ticks_of(const struct cr_ticks *c, uint64_t ns)
{
	uint64_t ticks = ns < UINT32_MAX ? (ns << 32) / c->size : ns / (c->size >> 32);

	for (unsigned i = 0; i < 3; i++) {
		struct cr_ticks at = *c;
		const uint64_t took = ticks > UINT32_MAX ? 0 : cr_ticks_take(&at, (uint32_t)ticks);
		const uint64_t by = ns - took;

		if (ticks > UINT32_MAX)
			return 0;
		if (by == 0)
			break;
		/* Rounded to the nearest; the sign is kept. */
		if (by >> 63)
			ticks -= CR_MIN(
				ticks, (((0 - by) << 20) + (c->size >> 13)) / (c->size >> 12));
		else if (by >> 43)
			return 0;
		else
			ticks += ((by << 20) + (c->size >> 13)) / (c->size >> 12);
	}
	return ticks > UINT32_MAX ? 0 : (uint32_t)ticks;
}
