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
/*
 * Degrees of freedom that each row adds to the estimated noise of a pair. The median m of n values
 * has the variance 1 / (4 n f^2), f their density there; one of a variance with df degrees has
 * 2 m^2 / df. For chi-square with one degree m = 0.4549 and f = 0.4711, so df / n = 8 m^2 f^2.
 */
#define NOISE_DF 0.3674
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
	double df;       /* of the variance; whole for a pair */
};

/* Quantiles of Student's distribution that are the same for all rows with these degrees. */
struct quantiles {
	double interval; /* half the width of an interval, in standard deviations; 0: not known */
	double power;    /* the smallest change that would be called, in standard deviations */
};

#define PAIR_DF_MOST (2 * (CR_VERDICT_BLOCKS_MOST - 1))

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
	double squares;           /* sum of the squared weights of all recordings */
	double df;                /* of the recordings, or of the blocks of a pair */
	double *room;             /* for the recordings of a side */
	double noise, noise_seen;
	double noise_df; /* of the noise of a pair; 0 if the noise is assumed */
	struct quantiles quantiles[PAIR_DF_MOST + 1]; /* of a pair: by degrees of freedom */
};

/* ---- what is tested */

static double
scale_of(const struct cr_verdict_recording *r)
{
	return r->scale > 0 ? r->scale : 1;
}

static double
weight_of(const struct cr_verdict_side *side, uint32_t recording)
{
	return side->weights ? side->weights[recording] : 1.0 / side->n;
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
			t->squares += weight_of(side, r) * weight_of(side, r);
		}
		t->inverse_pair +=
			t->scaled[s] / t->samples[s] * t->scaled[s] / t->samples[s] / t->samples[s];
		n += side->n;
	}
	t->inverse /= n;
	/* One against two is too little for a spread between recordings. */
	t->pair = n <= 2 || (n == 3 && (t->in->side[0].n == 1 || t->in->side[1].n == 1));
	t->df = t->pair ? t->in->side[0].blocks + t->in->side[1].blocks - 2.0 : n - 2.0;
	if (t->pair && !(t->df >= 2 && t->df <= PAIR_DF_MOST))
		t->df = PAIR_DF_MOST;
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
			v->share[s] +=
				shares[r] * scale_of(&side->recordings[r]) * weight_of(side, r);
			v->samples[s] += shares[r] * side->recordings[r].samples;
		}
		v->share[s] = rounded(v->share[s]);
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
 * The median ratio of after to before. Shares add up to 1: if one row changes much, all others
 * change a little, and that is not noise.
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

/* The median of the deviations, each divided by its expected value with this noise. */
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

/*
 * The deviations of a pair, from the common ratio. The row that this is the ratio of has none; it
 * would make the median too small, so it is left out. Returns their number.
 */
static size_t
deviations_of_pair(const struct test *t, struct deviation *out)
{
	const double ratio = sqrt(common_ratio(t)); /* half of it for each side */
	bool left_out = ratio == 1;
	size_t n = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct row *row = &t->rows[i];
		const struct cr_verdict *v = &t->out[row->at];
		const double off = v->share[1] / ratio - v->share[0] * ratio;

		if (!left_out && fabs(off) <= 1e-9 * row->share)
			left_out = true;
		else if (row->share >= NOISE_SHARE)
			out[n++] = (struct deviation){off * off, row->sampling, row->share};
	}
	return n;
}

static size_t
deviations_of_recordings(const struct test *t, struct deviation *out)
{
	size_t n = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct row *row = &t->rows[i];

		if (row->share >= NOISE_SHARE)
			out[n++] = (struct deviation){row->seen, row->sampling, row->share};
	}
	return n;
}

/* Estimate the noise, and use it unless a larger one is assumed. */
static void
set_noise(struct test *t)
{
	struct deviation *d = cr_alloc(t->n, sizeof(*d));
	const double least = t->in->noise > 0 ? t->in->noise : t->pair ? NOISE_PAIR : NOISE_SEVERAL;
	const size_t n = t->pair ? deviations_of_pair(t, d) : deviations_of_recordings(t, d);

	t->noise_seen = t->pair ? solve_noise(d, n, 2, cr_chi_square_quantile(0.5, 1))
				: solve_noise(d, n, 1, cr_chi_square_quantile(0.5, t->df) / t->df);
	t->noise = fmax(t->noise_seen, least);
	t->noise_df = t->noise_seen > least ? NOISE_DF * (double)n : 0;
	free(d);
}

/* ---- the test */

/*
 * Degrees of freedom of the sum of two variances, by Satterthwaite, as a whole number; not more
 * than those of the blocks. noise: the variance by run-to-run noise; rest: the other one.
 */
static double
pair_df(const struct test *t, double rest, double noise)
{
	const double sum = rest + noise;
	double df;

	if (!(t->noise_df > 0) || !(sum > 0))
		return t->df;
	df = sum * sum / (rest * rest / t->df + noise * noise / t->noise_df);
	return fmax(1, floor(fmin(df, t->df) + 1e-9));
}

/* Set the variance of a row's delta, and its degrees of freedom. */
static void
set_variance(const struct test *t, struct row *row)
{
	const double noise = t->noise * t->noise * row->share * row->share,
		     expected = row->sampling + noise; /* of the share of a recording */

	if (t->pair) {
		const double rest = fmax(row->sampling, row->seen);

		row->variance = rest + 2 * noise;
		row->df = pair_df(t, rest, 2 * noise);
		return;
	}
	row->variance = fmax(row->seen, (PRIOR * expected + t->df * row->seen) / (PRIOR + t->df)) *
			t->squares;
	row->df = PRIOR + t->df;
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

/* The quantiles for rows with these degrees of freedom, computed when they are first needed. */
static const struct quantiles *
quantiles_of(struct test *t, double df)
{
	struct quantiles *q = &t->quantiles[t->pair ? (size_t)df : 0];

	if (!(q->interval > 0))
		*q = (struct quantiles){cr_student_quantile(0.975, df), smallest(df, t->n)};
	return q;
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
test_row(struct test *t, struct row *row)
{
	struct cr_verdict *v = &t->out[row->at];
	double deviation;

	set_variance(t, row);
	deviation = sqrt(row->variance);
	if (!(row->variance > 0)) /* a row that has everything of both sides */
		v->p = v->delta == 0 ? 1 : 0;
	else
		v->p = cr_student_two_sided(v->delta / deviation, row->df);
	if (t->pair) {
		if (v->samples[0] + v->samples[1] < COUNT_EXACT || v->samples[0] <= 0 ||
			v->samples[1] <= 0)
			v->p = fmax(v->p, exact_p(t, v));
		if (row->sampling > 0)
			v->p = fmax(v->p, cr_normal_two_sided(v->delta / sqrt(row->sampling)));
	}
	v->low = rounded(v->delta - quantiles_of(t, row->df)->interval * deviation);
	v->high = rounded(v->delta + quantiles_of(t, row->df)->interval * deviation);
	v->smallest = rounded(quantiles_of(t, row->df)->power * deviation);
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

static bool
is_single(const struct test *t)
{
	return t->in->side[0].n == 1 || t->in->side[1].n == 1;
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
		return is_single(t) ? CR_VERDICT_LIKELY_CHANGED : CR_VERDICT_CHANGED;
	}
	return v->low >= -same && v->high <= same ? CR_VERDICT_WITHIN_NOISE
						  : CR_VERDICT_CANNOT_TELL;
}

static void
summarize(struct test *t, struct cr_verdict_summary *out)
{
	const double binomial = SHARE_SHOWN * (1 - SHARE_SHOWN),
		     spread = t->noise * t->noise * SHARE_SHOWN * SHARE_SHOWN,
		     of_recording = binomial * t->inverse + spread;
	struct row shown = {.share = SHARE_SHOWN};

	*out = (struct cr_verdict_summary){.tested = t->n,
		.noise = t->noise,
		.noise_seen = t->noise_seen,
		.smallest = NAN,
		.smallest_of_three = NAN,
		.single = is_single(t)};
	for (uint32_t i = 0; i < t->in->n; i++)
		out->called += cr_verdict_is_call(t->out[i].word);
	if (!t->n)
		return;
	shown.sampling = binomial * (t->pair ? t->inverse_pair : t->inverse);
	shown.seen = t->pair ? 0 : of_recording;
	set_variance(t, &shown);
	out->smallest = quantiles_of(t, shown.df)->power * sqrt(shown.variance);
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
	set_noise(&t);
	for (uint32_t i = 0; i < t.n; i++)
		test_row(&t, &t.rows[i]);
	adjust_rows(&t);
	for (uint32_t i = 0; i < t.n; i++)
		out[t.rows[i].at].word = word_of(&t, &out[t.rows[i].at]);
	summarize(&t, summary);
	free(t.rows);
	free(t.room);
}
