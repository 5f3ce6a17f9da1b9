#include "testing.h"

#include <math.h>

#include "base/mem.h"
#include "query/diff/significance.h"

#define ROWS_MOST 64

/* Two sides of some recordings with the same number of samples each, without blocks. */
struct sides {
	uint32_t rows, n[CR_SIDES];
	struct cr_verdict_recording recordings[CR_SIDES][8];
	double shares[CR_SIDES][ROWS_MOST * 8];
	struct cr_verdict out[ROWS_MOST];
	struct cr_verdict_summary sum;
	uint8_t machine[ROWS_MOST];
	bool totals;
};

static void
sides_init(struct sides *s, uint32_t rows, uint32_t before, uint32_t after, double samples)
{
	memset(s, 0, sizeof(*s));
	s->rows = rows;
	s->n[0] = before;
	s->n[1] = after;
	for (int k = 0; k < CR_SIDES; k++)
		for (uint32_t r = 0; r < s->n[k]; r++)
			s->recordings[k][r] = (struct cr_verdict_recording){samples, true};
}

static double *
share(struct sides *s, int side, uint32_t row, uint32_t recording)
{
	return &s->shares[side][row * s->n[side] + recording];
}

/* Shares that fall as 1 / row, the same in all recordings; they add up to 1. */
static void
fill(struct sides *s)
{
	double sum = 0;

	for (uint32_t i = 0; i < s->rows; i++)
		sum += 1.0 / (i + 1);
	for (int k = 0; k < CR_SIDES; k++)
		for (uint32_t i = 0; i < s->rows; i++)
			for (uint32_t r = 0; r < s->n[k]; r++)
				*share(s, k, i, r) = 1.0 / (i + 1) / sum;
}

static void
judge(struct sides *s)
{
	struct cr_verdict_input in = {.n = s->rows, .machine = s->machine, .totals = s->totals};

	for (int k = 0; k < CR_SIDES; k++)
		in.side[k] = (struct cr_verdict_side){
			.n = s->n[k], .recordings = s->recordings[k], .shares = s->shares[k]};
	cr_verdicts(&in, s->out, &s->sum);
}

/* The verdict of a row that is this share before and after, beside 19 others that stay. */
static enum cr_verdict_word
word_of(uint32_t before, uint32_t after, double samples, double was, double now)
{
	struct sides s;

	sides_init(&s, 20, before, after, samples);
	for (int k = 0; k < CR_SIDES; k++)
		for (uint32_t r = 0; r < s.n[k]; r++) {
			const double first = k ? now : was;

			*share(&s, k, 0, r) = first;
			for (uint32_t i = 1; i < s.rows; i++)
				*share(&s, k, i, r) = (1 - first) / 19;
		}
	judge(&s);
	return s.out[0].word;
}

static void
test_words(void **state)
{
	(void)state;
	/* One recording a side: new and gone functions, and large changes. */
	assert_int_equal(word_of(1, 1, 5000, 0, 0.02), CR_VERDICT_NEW);
	assert_int_equal(word_of(1, 1, 5000, 0.02, 0), CR_VERDICT_GONE);
	assert_int_equal(word_of(1, 1, 5000, 0.05, 0.15), CR_VERDICT_LIKELY_CHANGED);
	/* 10 % of run-to-run noise is assumed, so a tenth more is nothing. */
	assert_int_equal(word_of(1, 1, 5000, 0.20, 0.22), CR_VERDICT_CANNOT_TELL);
	assert_int_equal(word_of(1, 1, 100000, 0.002, 0.0021), CR_VERDICT_WITHIN_NOISE);
	/* 9 samples are too few, whatever they do. */
	assert_int_equal(word_of(1, 1, 900, 0, 0.01), CR_VERDICT_NOT_TESTED);
	assert_int_equal(word_of(1, 1, 1100, 0, 0.01), CR_VERDICT_NEW);
	/* Several a side: the word is "changed", and less is found. */
	assert_int_equal(word_of(3, 3, 5000, 0.05, 0.08), CR_VERDICT_CHANGED);
	assert_int_equal(word_of(3, 3, 50000, 0.05, 0.051), CR_VERDICT_WITHIN_NOISE);
	assert_int_equal(word_of(1, 3, 5000, 0.05, 0.09), CR_VERDICT_LIKELY_CHANGED);
	/* A significant difference under half a point is not called. */
	assert_int_equal(word_of(5, 5, 1000000, 0.010, 0.014), CR_VERDICT_WITHIN_NOISE);
}

static void
test_a_side_against_itself_is_never_called(void **state)
{
	static const uint32_t n[][2] = {{1, 1}, {1, 2}, {2, 2}, {3, 3}, {1, 4}};

	(void)state;
	for (size_t k = 0; k < CR_LEN(n); k++)
		for (int totals = 0; totals < 2; totals++) {
			struct sides s;

			sides_init(&s, 40, n[k][0], n[k][1], 20000);
			fill(&s);
			s.totals = totals;
			judge(&s);
			assert_int_equal(s.sum.called, 0);
			assert_true(s.sum.tested > 30);
			for (uint32_t i = 0; i < s.rows; i++) {
				assert_true(fabs(s.out[i].delta) < 1e-15);
				if (!isnan(s.out[i].q))
					assert_true(s.out[i].q > 0.999);
			}
		}
}

static void
test_turned_round_differences_change_their_sign_alone(void **state)
{
	static const uint32_t n[][2] = {{1, 1}, {3, 3}, {3, 5}};

	(void)state;
	for (size_t k = 0; k < CR_LEN(n); k++) {
		struct sides a, b;

		sides_init(&a, 30, n[k][0], n[k][1], 8000);
		fill(&a);
		for (uint32_t i = 0; i < a.rows; i++)
			for (uint32_t r = 0; r < a.n[1]; r++)
				*share(&a, 1, i, r) *= 1 + 0.3 * sin(i) + 0.02 * cos(i + 7.0 * r);
		sides_init(&b, 30, n[k][1], n[k][0], 8000);
		for (int side = 0; side < CR_SIDES; side++)
			memcpy(b.shares[side], a.shares[1 - side], sizeof(a.shares[0]));
		judge(&a);
		judge(&b);
		assert_int_equal(a.sum.called, b.sum.called);
		for (uint32_t i = 0; i < a.rows; i++) {
			const struct cr_verdict *v = &a.out[i], *w = &b.out[i];

			assert_true(v->delta == -w->delta);
			assert_true(isnan(v->q) ? isnan(w->q) : fabs(v->q - w->q) < 1e-12);
			assert_true(isnan(v->low) || fabs(v->low + w->high) < 1e-12);
		}
	}
}

static void
test_extremes_are_survived(void **state)
{
	struct sides s;

	(void)state;
	sides_init(&s, 1, 1, 1, 5000); /* one row that has everything */
	*share(&s, 0, 0, 0) = *share(&s, 1, 0, 0) = 1;
	judge(&s);
	assert_int_equal(s.out[0].word, CR_VERDICT_NOT_TESTED);
	assert_int_equal(s.sum.tested, 0);
	assert_true(isnan(s.sum.smallest));

	sides_init(&s, 2, 1, 1, 1); /* one sample */
	*share(&s, 0, 0, 0) = *share(&s, 1, 1, 0) = 1;
	judge(&s);
	assert_int_equal(s.sum.tested, 0);

	sides_init(&s, 2, 1, 1, 5000); /* all goes from one to the other */
	*share(&s, 0, 0, 0) = *share(&s, 1, 1, 0) = 1;
	judge(&s);
	assert_int_equal(s.out[0].word, CR_VERDICT_GONE);
	assert_int_equal(s.out[1].word, CR_VERDICT_NEW);

	sides_init(&s, 20, 3, 3, 5000); /* no number of samples is known */
	fill(&s);
	s.recordings[1][2].samples = 0;
	judge(&s);
	assert_int_equal(s.sum.tested, 0);
	assert_int_equal(s.out[3].word, CR_VERDICT_NOT_TESTED);

	sides_init(&s, 20, 1, 1, 5000); /* nothing but the machine */
	fill(&s);
	memset(s.machine, 1, sizeof(s.machine));
	judge(&s);
	assert_int_equal(s.sum.tested, 0);
	assert_int_equal(s.out[0].word, CR_VERDICT_MACHINE);

	sides_init(&s, 0, 1, 1, 5000);
	judge(&s);
	assert_int_equal(s.sum.tested, 0);
}

/* Blocks that differ much widen the interval; their number is that of the samples. */
static void
test_phases_widen_the_interval(void **state)
{
	const struct cr_verdict_recording recording = {4096, true};
	double shares[2] = {0.10, 0.90}, steady[2 * 32], phases[2 * 32];
	struct cr_verdict_input in = {.n = 2};
	struct cr_verdict even[2], uneven[2];
	struct cr_verdict_summary sum;

	(void)state;
	for (int b = 0; b < 32; b++) {
		steady[b] = 0.10;
		phases[b] = b < 8 ? 0.40 : 0;
		steady[32 + b] = 0.90;
		phases[32 + b] = 1 - phases[b];
	}
	for (int k = 0; k < CR_SIDES; k++)
		in.side[k] = (struct cr_verdict_side){1, &recording, shares, 32, steady};
	cr_verdicts(&in, even, &sum);
	for (int k = 0; k < CR_SIDES; k++)
		in.side[k].block_shares = phases;
	cr_verdicts(&in, uneven, &sum);
	assert_true(uneven[0].high > 1.5 * even[0].high);
	assert_int_equal(cr_verdict_blocks(100), 8);
	assert_int_equal(cr_verdict_blocks(32 * 20), 20);
	assert_int_equal(cr_verdict_blocks(1e9), 32);
	assert_int_equal(cr_verdict_blocks(NAN), 8);
}

/* Shares whose last bit depends on how they were computed. */
/* The largest row's smallest change, as a multiple of half its interval. */
static double
smallest_of_first(double spread)
{
	struct sides s;

	sides_init(&s, 40, 1, 1, 100000);
	fill(&s);
	for (uint32_t i = 0; i < s.rows; i++)
		*share(&s, 1, i, 0) *= i % 2 ? 1 + spread : 1 - spread;
	judge(&s);
	assert_true((s.sum.noise_seen > 0.1) == (spread > 0.1));
	return 2 * s.out[0].smallest / (s.out[0].high - s.out[0].low);
}

/* Noise that was estimated from 40 rows has few degrees of freedom; assumed noise has no error. */
static void
test_estimated_noise_has_few_degrees_of_freedom(void **state)
{
	const double assumed = smallest_of_first(0.02), estimated = smallest_of_first(0.3);

	(void)state;
	assert_true(assumed > 1.8 && assumed < 2.3); /* Student with 62 degrees */
	assert_true(estimated > assumed + 0.1);      /* with 14 */
}

/* A recording counts for its weight; unequal ones say less about the side. */
static void
test_recordings_count_for_their_weights(void **state)
{
	static const double even[] = {0.25, 0.25, 0.25, 0.25}, uneven[] = {0.85, 0.05, 0.05, 0.05};
	struct cr_verdict_input in = {.n = 20};
	struct cr_verdict equal[20], some[20];
	struct cr_verdict_summary sum;
	struct sides s;

	(void)state;
	sides_init(&s, 20, 4, 4, 5000);
	fill(&s);
	*share(&s, 1, 0, 0) *= 0.9;
	for (int k = 0; k < CR_SIDES; k++)
		in.side[k] = (struct cr_verdict_side){.n = s.n[k],
			.recordings = s.recordings[k],
			.shares = s.shares[k],
			.weights = even};
	judge(&s);
	cr_verdicts(&in, equal, &sum);
	assert_true(fabs(equal[0].delta - s.out[0].delta) < 1e-9);
	assert_true(fabs(equal[0].low - s.out[0].low) < 1e-9);
	in.side[1].weights = uneven;
	cr_verdicts(&in, some, &sum);
	assert_true(fabs(some[0].delta - 0.85 * 4 * equal[0].delta) < 1e-9);
	assert_true(some[0].high - some[0].low > 1.3 * (equal[0].high - equal[0].low));
}

static void
test_rounding_errors_are_no_differences(void **state)
{
	struct sides s;

	(void)state;
	sides_init(&s, 4, 1, 1, 4000);
	*share(&s, 0, 0, 0) = 0.1 + 0.2;
	*share(&s, 1, 0, 0) = 0.3;
	*share(&s, 1, 1, 0) = 0.7 - 0.6;
	*share(&s, 1, 2, 0) = 0.1;
	*share(&s, 0, 3, 0) = 0.015;
	*share(&s, 1, 3, 0) = 0.02;
	judge(&s);
	assert_true(s.out[0].delta == 0);
	assert_true(s.out[1].delta == s.out[2].delta);
	assert_true(s.out[3].delta == 0.005);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_a_side_against_itself_is_never_called),
		cmocka_unit_test(test_turned_round_differences_change_their_sign_alone),
		cmocka_unit_test(test_extremes_are_survived),
		cmocka_unit_test(test_phases_widen_the_interval),
		cmocka_unit_test(test_estimated_noise_has_few_degrees_of_freedom),
		cmocka_unit_test(test_recordings_count_for_their_weights),
		cmocka_unit_test(test_rounding_errors_are_no_differences),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
