#include "query/diff/significance.h"

#include "base/mem.h"
#include "stats/adjust.h"
#include "stats/distribution.h"
#include "stats/robust.h"

#include <math.h>
#include <stdlib.h>

/* Constants of the procedure. They were chosen on recordings of unchanged programs. */
#define ALPHA 0.05       /* expected share of false calls */
#define FLOOR 0.005      /* a smaller difference is never called */
#define COUNT_LEAST 10   /* samples of both sides; rows with fewer are not tested */
#define COUNT_EXACT 40   /* rows with fewer samples are also tested by counting */
#define SHARE_MOST 0.999 /* rows that are nearly everything are not tested */
#define NOISE_PAIR 0.10  /* least noise of one recording a side */
#define NOISE_SEVERAL 0.02
#define NOISE_SHARE 0.003 /* rows with a larger share are used to estimate noise */
#define NOISE_ROWS 8      /* at least this number of them */
#define NOISE_HIGHEST 2.0
#define PRIOR 4          /* degrees of freedom of the variance that all rows have in common */
#define RATIO_CAP 0.05   /* most weight of a row in the common ratio, as a share of all samples */
#define SAME 0.10        /* a relative difference that does not matter */
#define SAMPLES_PAIR 100 /* a pair with fewer samples on a side gives no verdicts */
#define POWER 0.84       /* normal quantile of 0.8 */
#define SHARE_SHOWN 0.05 /* the share for which the summary gives a smallest change */

static const char *const words[CR_VERDICT_WORDS] = {
	[CR_VERDICT_NOT_TESTED] = "not tested",
	[CR_VERDICT_MACHINE] = "machine",
	[CR_VERDICT_CANNOT_TELL] = "cannot tell",
	[CR_VERDICT_WITHIN_NOISE] = "within noise",
	[CR_VERDICT_LIKELY_CHANGED] = "likely changed",
	[CR_VERDICT_CHANGED] = "changed",
	[CR_VERDICT_NEW] = "new",
	[CR_VERDICT_GONE] = "gone",
};

const char *
cr_verdict_word(enum cr_verdict_word w)
{
	return words[w];
}

bool
cr_verdict_is_call(enum cr_verdict_word w)
{
	return w >= CR_VERDICT_LIKELY_CHANGED;
}

uint32_t
cr_verdict_blocks(double samples)
{
	const double blocks = floor(samples / 32);

	if (!(blocks > CR_VERDICT_BLOCKS_LEAST))
		return CR_VERDICT_BLOCKS_LEAST;
	return blocks < CR_VERDICT_BLOCKS_MOST ? (uint32_t)blocks : CR_VERDICT_BLOCKS_MOST;
}

/* A row while it is tested. */
struct row {
	uint32_t at;     /* in the output */
	double share;    /* of both sides together, scaled */
	double sampling; /* variance of delta, or of a share, by the number of samples alone */
	double seen;     /* variance that was seen: between blocks, or between recordings */
	double variance; /* of delta */
};

struct test {
	const struct cr_verdict_input *in;
	struct cr_verdict *out;
	struct row *rows; /* those that are tested */
	uint32_t n;
	bool pair;
	double samples[CR_SIDES]; /* of all recordings of a side */
	double inverse;           /* mean of scale^2 / samples over all recordings */
	double scaled[CR_SIDES];  /* samples times their scale */
	double inverse_pair;      /* sum over the sides of scale^2 / samples */
	double df;                /* of the recordings, or of the blocks of a pair */
	double *room;             /* for the recordings of a side */
	double noise, noise_seen;
	double interval; /* half the width of an interval, in standard deviations */
	double power;    /* the smallest change that would be called, in standard deviations */
};

/* ---- what is tested */

static double
scale_of(const struct cr_verdict_recording *r)
{
	return r->scale > 0 ? r->scale : 1;
}

static void
sum_sides(struct test *t)
{
	uint32_t n = 0;

	for (int s = 0; s < CR_SIDES; s++) {
		const struct cr_verdict_side *side = &t->in->side[s];

		for (uint32_t r = 0; r < side->n; r++) {
			const double scale = scale_of(&side->recordings[r]);

			t->samples[s] += side->recordings[r].samples;
			t->scaled[s] += scale * side->recordings[r].samples;
			t->inverse += scale * scale / side->recordings[r].samples;
		}
		t->inverse_pair +=
			t->scaled[s] / t->samples[s] * t->scaled[s] / t->samples[s] / t->samples[s];
		n += side->n;
	}
	t->inverse /= n;
	/* One against two is too little for a spread between recordings. */
	t->pair = n <= 2 || (n == 3 && (t->in->side[0].n == 1 || t->in->side[1].n == 1));
	t->df = t->pair ? t->in->side[0].blocks + t->in->side[1].blocks - 2.0 : n - 2.0;
	if (t->pair && !(t->df >= 2))
		t->df = 2.0 * (CR_VERDICT_BLOCKS_MOST - 1);
}

static bool
can_test(const struct test *t)
{
	for (int s = 0; s < CR_SIDES; s++) {
		const struct cr_verdict_side *side = &t->in->side[s];

		for (uint32_t r = 0; r < side->n; r++)
			if (!(side->recordings[r].samples > 0))
				return false;
		if (t->pair && t->samples[s] < SAMPLES_PAIR)
			return false;
	}
	return true;
}

/* The nearest multiple of 1e-12, see struct cr_verdict. */
static double
rounded(double v)
{
	return round(v * 1e12) / 1e12;
}

static void
measure_row(const struct test *t, uint32_t i)
{
	struct cr_verdict *v = &t->out[i];

	*v = (struct cr_verdict){.low = NAN, .high = NAN, .p = NAN, .q = NAN, .smallest = NAN};
	for (int s = 0; s < CR_SIDES; s++) {
		const struct cr_verdict_side *side = &t->in->side[s];
		const double *shares = side->shares + (size_t)i * side->n;

		for (uint32_t r = 0; r < side->n; r++) {
			v->share[s] += shares[r] * scale_of(&side->recordings[r]);
			v->samples[s] += shares[r] * side->recordings[r].samples;
		}
		v->share[s] = rounded(v->share[s] / side->n);
		v->samples[s] = rounded(v->samples[s]);
	}
	v->delta = rounded(v->share[1] - v->share[0]);
	if (t->in->machine && t->in->machine[i])
		v->word = CR_VERDICT_MACHINE;
}

static bool
is_tested(const struct cr_verdict *v, bool scaled)
{
	return v->word != CR_VERDICT_MACHINE && v->samples[0] + v->samples[1] >= COUNT_LEAST &&
	       (scaled || (v->share[0] + v->share[1]) / 2 < SHARE_MOST);
}

/* ---- variances */

/* The variance of the mean of the blocks of both sides. */
static double
between_blocks(const struct test *t, uint32_t i)
{
	double sum = 0;

	for (int s = 0; s < CR_SIDES; s++) {
		const struct cr_verdict_side *side = &t->in->side[s];
		const double scale = scale_of(&side->recordings[0]);

		if (side->n == 1 && side->block_shares && side->blocks > 1)
			sum += scale * scale *
			       cr_variance(side->block_shares + (size_t)i * side->blocks,
				       side->blocks) /
			       side->blocks;
	}
	return sum;
}

/* The variance of scaled shares within the sides, pooled. room: for the shares of a row. */
static double
between_recordings(const struct test *t, uint32_t i, double *room)
{
	double sum = 0;

	for (int s = 0; s < CR_SIDES; s++) {
		const struct cr_verdict_side *side = &t->in->side[s];

		for (uint32_t r = 0; r < side->n; r++)
			room[r] = side->shares[(size_t)i * side->n + r] *
				  scale_of(&side->recordings[r]);
		sum += cr_variance(room, side->n) * (side->n - 1.0);
	}
	return sum / t->df;
}

static void
add_row(struct test *t, uint32_t i)
{
	const struct cr_verdict *v = &t->out[i];
	const double share = (v->samples[0] + v->samples[1]) / (t->samples[0] + t->samples[1]),
		     binomial = fmax(share * (1 - share), 0);
	struct row *row = &t->rows[t->n++];

	*row = (struct row){.at = i,
		.share = share * (t->scaled[0] + t->scaled[1]) / (t->samples[0] + t->samples[1])};
	if (t->pair) {
		row->sampling = binomial * t->inverse_pair;
		row->seen = between_blocks(t, i);
	} else {
		row->sampling = binomial * t->inverse;
		row->seen = between_recordings(t, i, t->room);
	}
}

/* ---- noise: the spread from run to run, as a part of a row's share */

/*
 * The median ratio of after to before. Where one row changes much all others change a little, as
 * shares add up to 1: that is no noise.
 */
static double
common_ratio(const struct test *t)
{
	struct cr_weighted *ratios = cr_alloc(t->n, sizeof(*ratios));
	const double most = RATIO_CAP * (t->samples[0] + t->samples[1]);
	double ratio = 1;
	size_t n = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct cr_verdict *v = &t->out[t->rows[i].at];

		if (v->samples[0] >= COUNT_LEAST && v->samples[1] >= COUNT_LEAST)
			ratios[n++] = (struct cr_weighted){log(v->share[1] / v->share[0]),
				fmin(v->samples[0] + v->samples[1], most)};
	}
	if (n >= NOISE_ROWS)
		ratio = exp(cr_weighted_median(ratios, n));
	free(ratios);
	return ratio;
}

/* By row, a squared deviation, and what it would be without noise. */
struct deviation {
	double squared, sampling, share;
};

/* The median of deviations, each as a part of what this noise makes one expect. */
static double
median_at(const struct deviation *d, double *room, size_t n, double factor, double noise)
{
	for (size_t i = 0; i < n; i++)
		room[i] = d[i].squared /
			  (d[i].sampling + factor * noise * noise * d[i].share * d[i].share);
	return cr_median(room, n);
}

/* The noise at which the median of the deviations is the one of a chi-square distribution. */
static double
solve_noise(const struct deviation *d, size_t n, double factor, double median)
{
	double *room = cr_alloc(n, sizeof(*room)), low = 0, high = NOISE_HIGHEST;

	if (n < NOISE_ROWS || median_at(d, room, n, factor, 0) <= median) {
		free(room);
		return 0;
	}
	for (int i = 0; i < 40; i++) {
		const double middle = (low + high) / 2;

		if (median_at(d, room, n, factor, middle) > median)
			low = middle;
		else
			high = middle;
	}
	free(room);
	return (low + high) / 2;
}

static double
estimate_noise(const struct test *t)
{
	struct deviation *d = cr_alloc(t->n, sizeof(*d));
	const double ratio = t->pair ? sqrt(common_ratio(t)) : 1; /* half of it for each side */
	double noise;
	size_t n = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct row *row = &t->rows[i];
		const struct cr_verdict *v = &t->out[row->at];
		const double off = v->share[1] / ratio - v->share[0] * ratio;

		if (row->share >= NOISE_SHARE)
			d[n++] = (struct deviation){
				t->pair ? off * off : row->seen, row->sampling, row->share};
	}
	noise = t->pair ? solve_noise(d, n, 2, cr_chi_square_quantile(0.5, 1))
			: solve_noise(d, n, 1, cr_chi_square_quantile(0.5, t->df) / t->df);
	free(d);
	return noise;
}

/* ---- the test */

static double
degrees(const struct test *t)
{
	return t->pair ? t->df : PRIOR + t->df;
}

static double
variance_of(const struct test *t, double sampling, double seen, double share)
{
	const double noise = t->noise * t->noise * share * share,
		     expected = sampling + noise; /* of the share of a recording */

	if (t->pair)
		return fmax(sampling, seen) + 2 * noise;
	return fmax(seen, (PRIOR * expected + t->df * seen) / (PRIOR + t->df)) *
	       (1.0 / t->in->side[0].n + 1.0 / t->in->side[1].n);
}

/* Twice the smaller tail of the number of samples of the second side, given those of both. */
static double
exact_p(const struct test *t, const struct cr_verdict *v)
{
	const double n = round(v->samples[0] + v->samples[1]), k = round(v->samples[1]),
		     before = t->samples[0] * t->samples[0] / t->scaled[0],
		     after = t->samples[1] * t->samples[1] / t->scaled[1],
		     part = after / (before + after), below = cr_binomial_at_most(k, n, part),
		     above = k > 0 ? cr_binomial_at_most(n - k, n, 1 - part) : 1;

	return fmin(1, 2 * fmin(below, above));
}

static void
test_row(const struct test *t, struct row *row)
{
	struct cr_verdict *v = &t->out[row->at];
	double half;

	row->variance = variance_of(t, row->sampling, row->seen, row->share);
	if (!(row->variance > 0)) /* a row that has everything of both sides */
		v->p = v->delta == 0 ? 1 : 0;
	else
		v->p = cr_student_two_sided(v->delta / sqrt(row->variance), degrees(t));
	if (t->pair) {
		if (v->samples[0] + v->samples[1] < COUNT_EXACT || v->samples[0] <= 0 ||
			v->samples[1] <= 0)
			v->p = fmax(v->p, exact_p(t, v));
		if (row->sampling > 0)
			v->p = fmax(v->p, cr_normal_two_sided(v->delta / sqrt(row->sampling)));
	}
	half = t->interval * sqrt(row->variance);
	v->low = rounded(v->delta - half);
	v->high = rounded(v->delta + half);
}

static void
adjust_rows(const struct test *t)
{
	double *p = cr_alloc(t->n, sizeof(*p));

	for (uint32_t i = 0; i < t->n; i++)
		p[i] = t->out[t->rows[i].at].p;
	if (t->in->totals)
		cr_adjust_by(p, t->n);
	else
		cr_adjust_bh(p, t->n);
	for (uint32_t i = 0; i < t->n; i++)
		t->out[t->rows[i].at].q = p[i];
	free(p);
}

static enum cr_verdict_word
word_of(const struct test *t, const struct cr_verdict *v)
{
	const double same = fmax(FLOOR, SAME * v->share[0]);

	if (v->q <= ALPHA && fabs(v->delta) >= FLOOR) {
		if (v->samples[0] <= 0)
			return CR_VERDICT_NEW;
		if (v->samples[1] <= 0)
			return CR_VERDICT_GONE;
		return t->in->side[0].n > 1 && t->in->side[1].n > 1 ? CR_VERDICT_CHANGED
								    : CR_VERDICT_LIKELY_CHANGED;
	}
	return v->low >= -same && v->high <= same ? CR_VERDICT_WITHIN_NOISE
						  : CR_VERDICT_CANNOT_TELL;
}

/*
 * The difference at which the first row of a table with this many rows would be called, in 8 of 10
 * cases; in standard deviations.
 */
static double
smallest(double df, uint32_t rows)
{
	return cr_student_quantile(1 - ALPHA / (2.0 * rows), df) + POWER;
}

static void
summarize(const struct test *t, struct cr_verdict_summary *out)
{
	const double binomial = SHARE_SHOWN * (1 - SHARE_SHOWN),
		     spread = t->noise * t->noise * SHARE_SHOWN * SHARE_SHOWN,
		     of_recording = binomial * t->inverse + spread;
	double variance;

	*out = (struct cr_verdict_summary){.tested = t->n,
		.noise = t->noise,
		.noise_seen = t->noise_seen,
		.smallest = NAN,
		.smallest_of_three = NAN,
		.pair = t->pair};
	for (uint32_t i = 0; i < t->in->n; i++)
		out->called += cr_verdict_is_call(t->out[i].word);
	if (!t->n)
		return;
	variance = t->pair ? binomial * t->inverse_pair + 2 * spread
			   : of_recording * (1.0 / t->in->side[0].n + 1.0 / t->in->side[1].n);
	out->smallest = t->power * sqrt(variance);
	out->smallest_of_three = smallest(PRIOR + 4, t->n) * sqrt(of_recording * 2 / 3);
}

void
cr_verdicts(const struct cr_verdict_input *in, struct cr_verdict *out,
	struct cr_verdict_summary *summary)
{
	struct test t = {.in = in,
		.out = out,
		.rows = cr_alloc(in->n, sizeof(*t.rows)),
		.room = cr_alloc(CR_MAX(in->side[0].n, in->side[1].n), sizeof(*t.room))};

	sum_sides(&t);
	for (uint32_t i = 0; i < in->n; i++)
		measure_row(&t, i);
	for (uint32_t i = 0; i < in->n && can_test(&t); i++)
		if (is_tested(&out[i], in->scaled))
			add_row(&t, i);
	t.noise_seen = estimate_noise(&t);
	t.noise = fmax(t.noise_seen, in->noise > 0 ? in->noise
				     : t.pair      ? NOISE_PAIR
						   : NOISE_SEVERAL);
	t.interval = cr_student_quantile(0.975, degrees(&t));
	t.power = t.n ? smallest(degrees(&t), t.n) : NAN;
	for (uint32_t i = 0; i < t.n; i++)
		test_row(&t, &t.rows[i]);
	adjust_rows(&t);
	for (uint32_t i = 0; i < t.n; i++) {
		struct cr_verdict *v = &out[t.rows[i].at];

		v->smallest = rounded(t.power * sqrt(t.rows[i].variance));
		v->word = word_of(&t, v);
	}
	summarize(&t, summary);
	free(t.rows);
	free(t.room);
}
