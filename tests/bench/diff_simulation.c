/*
 * diff_simulation [PAIRS]: what verdicts say of simulated recordings, whose truth is known: 200
 * functions with shares that fall as 1 / rank^1.2, each moved from run to run by a random part of
 * itself, then sampled. For each number of samples and each spread: in what percentage of pairs of
 * the same program any row is called, and how many intervals of rows of at least 0.3 % hold the
 * true difference, which is none. Last, how often the first row is called if its share doubles.
 * PAIRS: of each line (default 300).
 */
#include "base/mem.h"
#include "query/diff/significance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 200
#define RUNS_MOST 5
#define SHARE_LEAST 0.003

struct simulation {
	uint64_t random;
	uint32_t runs;    /* recordings a side */
	uint32_t samples; /* of each */
	double spread;    /* from run to run, as a part of a share */
	double share[CR_SIDES][ROWS];
	struct cr_verdict_recording recordings[RUNS_MOST];
	double seen[CR_SIDES][ROWS * RUNS_MOST];
	struct cr_verdict out[ROWS];
	struct cr_verdict_summary sum;
};

/* Between 0 and 1, both excluded. */
static double
uniform(struct simulation *s)
{
	s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ((double)(s->random >> 33) + 0.5) / 2147483648.0;
}

static double
normal(struct simulation *s)
{
	return sqrt(-2 * log(uniform(s))) * cos(6.283185307179586 * uniform(s));
}

/* Sample one recording from the shares of a side, each moved by the spread. */
static void
record(struct simulation *s, int side, uint32_t run)
{
	double sum[ROWS], whole = 0;
	uint32_t count[ROWS] = {0};

	for (uint32_t i = 0; i < ROWS; i++)
		sum[i] = whole += s->share[side][i] * fmax(0, 1 + s->spread * normal(s));
	for (uint32_t k = 0; k < s->samples; k++) {
		const double at = uniform(s) * whole;
		uint32_t low = 0, high = ROWS - 1;

		while (low < high) {
			const uint32_t middle = (low + high) / 2;

			if (sum[middle] < at)
				low = middle + 1;
			else
				high = middle;
		}
		count[low]++;
	}
	for (uint32_t i = 0; i < ROWS; i++)
		s->seen[side][i * s->runs + run] = (double)count[i] / s->samples;
}

static void
judge(struct simulation *s)
{
	struct cr_verdict_input in = {.n = ROWS};

	for (int side = 0; side < CR_SIDES; side++) {
		for (uint32_t run = 0; run < s->runs; run++) {
			record(s, side, run);
			s->recordings[run] = (struct cr_verdict_recording){.samples = s->samples};
		}
		in.side[side] = (struct cr_verdict_side){
			.n = s->runs, .recordings = s->recordings, .shares = s->seen[side]};
	}
	cr_verdicts(&in, s->out, &s->sum);
}

/* factor: the first row has this many times its share on the side after. */
static void
set_shares(struct simulation *s, double factor)
{
	double whole = 0, first;

	for (uint32_t i = 0; i < ROWS; i++)
		whole += s->share[0][i] = pow(i + 1, -1.2);
	for (uint32_t i = 0; i < ROWS; i++)
		s->share[0][i] /= whole;
	first = s->share[0][0];
	s->share[1][0] = factor * first;
	for (uint32_t i = 1; i < ROWS; i++)
		s->share[1][i] = s->share[0][i] * (1 - factor * first) / (1 - first);
}

static void
print_unchanged(struct simulation *s, uint32_t pairs)
{
	uint32_t called = 0, rows = 0, held = 0;

	set_shares(s, 1);
	for (uint32_t k = 0; k < pairs; k++) {
		judge(s);
		called += s->sum.called > 0;
		for (uint32_t i = 0; i < ROWS; i++) {
			if (s->share[0][i] < SHARE_LEAST || isnan(s->out[i].low))
				continue;
			rows++;
			held += s->out[i].low <= 0 && s->out[i].high >= 0;
		}
	}
	printf("%u v %u  %6u samples  spread %2.0f %%   called %4.1f %%   intervals that hold "
	       "%5.1f "
	       "%%\n",
		s->runs, s->runs, s->samples, 100 * s->spread, 100.0 * called / pairs,
		100.0 * held / rows);
}

static void
print_doubled(struct simulation *s, uint32_t pairs)
{
	uint32_t found = 0;

	set_shares(s, 2);
	for (uint32_t k = 0; k < pairs; k++) {
		judge(s);
		found += cr_verdict_is_call(s->out[0].word) && s->out[0].delta > 0;
	}
	printf("%u v %u  %6u samples  spread %2.0f %%   the largest row doubled: found %4.1f %%\n",
		s->runs, s->runs, s->samples, 100 * s->spread, 100.0 * found / pairs);
}

int
main(int argc, char **argv)
{
	static const uint32_t runs[] = {1, 3, 5}, samples[] = {1024, 4096, 16384};
	static const double spreads[] = {0, 0.05, 0.1, 0.2};
	const uint32_t pairs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 300;
	struct simulation *s = cr_alloc(1, sizeof(*s));

	s->random = 1;
	for (size_t r = 0; r < CR_LEN(runs) && pairs; r++) {
		s->runs = runs[r];
		for (size_t n = 0; n < CR_LEN(samples); n++)
			for (size_t k = 0; k < CR_LEN(spreads); k++) {
				s->samples = samples[n];
				s->spread = spreads[k];
				print_unchanged(s, pairs);
			}
		s->spread = 0.05;
		print_doubled(s, pairs);
	}
	free(s);
	return 0;
}
