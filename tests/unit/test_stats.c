#include "testing.h"

#include <math.h>

#include "base/mem.h"
#include "stats/adjust.h"
#include "stats/distribution.h"
#include "stats/robust.h"

/*
 * The values of distributions were computed with 50 digits by mpmath 1.3 from the definitions as
 * integrals and sums; those that printed tables have agree with them.
 */
#define CLOSE 1e-10

static void
assert_close(double got, double want)
{
	if (!(fabs(got - want) <= CLOSE * fmax(fabs(want), 1e-30)))
		fail_msg("%.17g, not %.17g", got, want);
}

static void
test_student_two_sided(void **state)
{
	static const double cases[][3] = {
		{0, 1, 1.0},
		{0.5, 1, 0.70483276469913345},
		{1, 1, 0.5},
		{12.7062047361747, 1, 0.050000000000000018},
		{2, 2, 0.18350341907227397},
		{4.5, 2, 0.046001907994276019},
		{2.5, 3, 0.087706647008065547},
		{0.1, 5, 0.92423014115466037},
		{2.015, 5, 0.10000617232680635},
		{6, 8, 0.00032339322188514896},
		{1.96, 10, 0.078436240247699708},
		{3.3, 14, 0.0052622855264021534},
		{2.2, 30, 0.03564843999683579},
		{1.5, 46, 0.14044718441616374},
		{2, 62, 0.049885839287642726},
		{8, 62, 3.9572594258270916e-11},
		{1.7, 120, 0.09172146378060364},
		{30, 6, 9.0991470444433764e-8},
		{2.5, 7.5, 0.038820258273625557},
		{40, 62, 5.4521378255553865e-46},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		assert_close(cr_student_two_sided(cases[i][0], cases[i][1]), cases[i][2]);
		assert_close(cr_student_two_sided(-cases[i][0], cases[i][1]), cases[i][2]);
	}
	assert_true(cr_student_two_sided(INFINITY, 3) == 0);
	assert_true(isnan(cr_student_two_sided(NAN, 3)));
	assert_true(isnan(cr_student_two_sided(1, 0)));
	assert_true(isnan(cr_student_two_sided(1, -2)));
}

static void
test_student_quantile(void **state)
{
	static const double cases[][3] = {
		{0.975, 1, 12.706204736174705},
		{0.975, 2, 4.3026527297494639},
		{0.975, 4, 2.7764451051977944},
		{0.975, 5, 2.5705818356363155},
		{0.975, 8, 2.3060041352041667},
		{0.975, 10, 2.2281388519862747},
		{0.975, 12, 2.1788128296672289},
		{0.975, 30, 2.0422724563012383},
		{0.975, 62, 1.998971517033379},
		{0.995, 4, 4.6040948713499932},
		{0.9995, 8, 5.0413054333733674},
		{0.999999, 62, 5.2456777545359747},
		{0.6, 3, 0.27667066233268991},
		{0.5, 7, 0.0},
		{0.025, 62, -1.998971517033379},
		{0.001, 5, -5.8934295313560101},
		{0.75, 2.5, 0.7850136829923011},
		{0.99, 1, 31.820515953773958},
		{0.9, 120, 1.2886462336563779},
		{0.00001, 14, -6.2865493577106888},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_close(cr_student_quantile(cases[i][0], cases[i][1]), cases[i][2]);
	assert_true(isnan(cr_student_quantile(0, 3)));
	assert_true(isnan(cr_student_quantile(1, 3)));
	assert_true(isnan(cr_student_quantile(0.5, 0)));
}

static void
test_binomial(void **state)
{
	static const double cases[][4] = {
		{0, 10, 0.5, 0.0009765625},
		{5, 10, 0.5, 0.623046875},
		{9, 10, 0.5, 0.9990234375},
		{10, 10, 0.5, 1.0},
		{3, 20, 0.1, 0.86704667656566492},
		{0, 39, 0.5, 1.8189894035458565e-12},
		{12, 39, 0.5, 0.011851351235236507},
		{19, 39, 0.48, 0.59928893629839735},
		{1, 12, 0.25, 0.15838176012039185},
		{7, 30, 0.3, 0.28137670818688133},
		{20, 100, 0.2, 0.55946158487339758},
		{2, 100, 0.1, 0.0019448846518800164},
		{0, 300, 0.01, 0.049040894071285856},
		{5, 300, 0.01, 0.91709643671573914},
		{150, 300, 0.5, 0.52301375720951722},
		{4, 5, 0.9, 0.40951},
		{0, 1, 0.3, 0.7},
		{480, 1000, 0.5, 0.10872414660207047},
		{90, 1000, 0.1, 0.15823814139344067},
		{30, 2000, 0.02, 0.059844325516284018},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_close(
			cr_binomial_at_most(cases[i][0], cases[i][1], cases[i][2]), cases[i][3]);
	assert_true(cr_binomial_at_most(-1, 10, 0.5) == 0);
	assert_true(cr_binomial_at_most(0, 0, 0.5) == 1);
	assert_true(cr_binomial_at_most(3, 10, 0) == 1);
	assert_true(cr_binomial_at_most(3, 10, 1) == 0);
	assert_true(isnan(cr_binomial_at_most(3, 10, 1.5)));
}

static void
test_chi_square(void **state)
{
	static const double cases[][3] = {
		{0.5, 1, 0.45493642311957275},
		{0.5, 2, 1.3862943611198906},
		{0.5, 3, 2.3659738843753383},
		{0.5, 4, 3.3566939800333213},
		{0.5, 5, 4.3514601910955273},
		{0.5, 6, 5.3481206274471206},
		{0.5, 8, 7.3441214977017922},
		{0.5, 10, 9.3418177655919674},
		{0.5, 18, 17.337902368740744},
		{0.5, 30, 29.336031516661586},
		{0.95, 1, 3.841458820694126},
		{0.95, 4, 9.4877290367811568},
		{0.99, 10, 23.20925115895436},
		{0.05, 3, 0.3518463177492714},
		{0.01, 20, 8.2603983325463982},
		{0.25, 7, 4.2548521835465157},
		{0.9, 62, 76.630208004487742},
		{0.999, 2, 13.815510557964274},
		{0.1, 1.5, 0.084980972787860894},
		{0.75, 100, 109.1412410700806},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		assert_close(cr_chi_square_quantile(cases[i][0], cases[i][1]), cases[i][2]);
		assert_close(cr_chi_square_at_most(cases[i][2], cases[i][1]), cases[i][0]);
	}
	assert_true(cr_chi_square_at_most(0, 3) == 0);
	assert_true(isnan(cr_chi_square_at_most(-1, 3)));
	assert_true(isnan(cr_chi_square_quantile(0, 3)));
}

static void
test_normal(void **state)
{
	(void)state;
	assert_close(cr_normal_two_sided(0), 1);
	assert_close(cr_normal_two_sided(1.959963984540054), 0.05);
	assert_close(cr_normal_two_sided(-2.5758293035489004), 0.01);
	assert_close(cr_normal_two_sided(6), 1.9731752900753963e-9);
}

/* The example of Benjamini and Hochberg (1995): fifteen P values of which four are called. */
static void
test_adjusting(void **state)
{
	static const double given[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298,
		0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0};
	static const double bh[] = {0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.063857142857142857,
		0.063857142857142857, 0.0645, 0.0765, 0.486, 0.58118181818181818, 0.714875,
		0.75323076923076923, 0.81321428571428571, 1.0};
	const double harmonic = 3.3182289932289932; /* 1 + 1/2 + ... + 1/15 */
	double p[CR_LEN(given)], q[CR_LEN(given)];

	(void)state;
	memcpy(p, given, sizeof(p));
	memcpy(q, given, sizeof(q));
	cr_adjust_bh(p, CR_LEN(p));
	cr_adjust_by(q, CR_LEN(q));
	for (size_t i = 0; i < CR_LEN(given); i++) {
		assert_close(p[i], bh[i]);
		assert_close(q[i], fmin(1, bh[i] * harmonic));
	}
	/* The order of the input does not matter. */
	for (size_t i = 0; i < CR_LEN(given); i++)
		p[i] = given[CR_LEN(given) - 1 - i];
	cr_adjust_bh(p, CR_LEN(p));
	for (size_t i = 0; i < CR_LEN(given); i++)
		assert_close(p[i], bh[CR_LEN(given) - 1 - i]);
	cr_adjust_bh(p, 0);
	p[0] = 0.03;
	cr_adjust_by(p, 1);
	assert_close(p[0], 0.03);
}

static void
test_medians(void **state)
{
	double odd[] = {9, 1, 5}, even[] = {4, 1, 9, 2};
	struct cr_weighted w[] = {{3, 1}, {1, 1}, {2, 1}}, heavy[] = {{1, 1}, {2, 1}, {10, 5}},
			   half[] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}}, none[] = {{1, 0}};

	(void)state;
	assert_true(cr_median(odd, 3) == 5);
	assert_true(cr_median(even, 4) == 3);
	assert_true(isnan(cr_median(odd, 0)));
	assert_true(cr_weighted_median(w, 3) == 2);
	assert_true(cr_weighted_median(heavy, 3) == 10);
	assert_true(cr_weighted_median(half, 4) == 3);
	assert_true(isnan(cr_weighted_median(none, 1)));
	assert_true(isnan(cr_weighted_median(none, 0)));
	assert_close(cr_mean(even, 4), 4);
	assert_close(cr_variance(even, 4), 38.0 / 3);
	assert_true(cr_variance(even, 1) == 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_student_two_sided),
		cmocka_unit_test(test_student_quantile),
		cmocka_unit_test(test_binomial),
		cmocka_unit_test(test_chi_square),
		cmocka_unit_test(test_normal),
		cmocka_unit_test(test_adjusting),
		cmocka_unit_test(test_medians),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
