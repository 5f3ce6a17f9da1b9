#include "stats/distribution.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define TERMS_MOST 100000 /* of a series or a fraction; a few hundred are usual */
#define TINY 1e-300       /* in the place of a zero divisor */

/* lgamma() writes to a global variable; this does not. */
static double
log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

static double
not_tiny(double x)
{
	return fabs(x) < TINY ? TINY : x;
}

/* The continued fraction of I_x(a, b) by the method of Lentz; it converges fast for x < a/(a+b). */
static double
beta_fraction(double x, double a, double b)
{
	double c = 1, d = 1 / not_tiny(1 - (a + b) * x / (a + 1)), h = d;

	for (int m = 1; m < TERMS_MOST; m++) {
		const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
			     odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 / not_tiny(1 + even * d);
		c = not_tiny(1 + even / c);
		h *= d * c;
		d = 1 / not_tiny(1 + odd * d);
		c = not_tiny(1 + odd / c);
		step = d * c;
		h *= step;
		if (fabs(step - 1) < DBL_EPSILON)
			break;
	}
	return h;
}

double
cr_incomplete_beta(double x, double a, double b)
{
	double front;

	if (!(x >= 0 && x <= 1 && a > 0 && b > 0))
		return NAN;
	if (x == 0 || x == 1)
		return x;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double
cr_student_two_sided(double t, double df)
{
	if (!(df > 0) || isnan(t))
		return NAN;
	if (isinf(t))
		return 0;
	return cr_incomplete_beta(df / (df + t * t), df / 2, 0.5);
}

/*
 * The x in [low, high] at which a function that rises reaches p. 200 halvings exhaust a double,
 * also from a wide range.
 */
static double
invert(double (*f)(double x, double df), double df, double p, double low, double high)
{
	for (int i = 0; i < 200; i++) {
		const double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			break;
		if (f(middle, df) < p)
			low = middle;
		else
			high = middle;
	}
	return low + (high - low) / 2;
}

/* P(|T| < t), which rises with t. */
static double
student_within(double t, double df)
{
	return 1 - cr_student_two_sided(t, df);
}

/* -P(|T| >= t): it keeps its digits where student_within() is near 1. */
static double
student_beyond(double t, double df)
{
	return -cr_student_two_sided(t, df);
}

double
cr_student_quantile(double p, double df)
{
	const double tail = 2 * (p < 0.5 ? p : 1 - p); /* of both sides */
	double high = 1, t;

	if (!(p > 0 && p < 1 && df > 0))
		return NAN;
	if (p == 0.5)
		return 0;
	while (cr_student_two_sided(high, df) > tail && high < 1e300)
		high *= 2;
	t = tail > 0.5 ? invert(student_within, df, 1 - tail, 0, high)
		       : invert(student_beyond, df, -tail, 0, high);
	return p < 0.5 ? -t : t;
}

double
cr_normal_two_sided(double z)
{
	return erfc(fabs(z) / sqrt(2));
}

double
cr_binomial_at_most(double k, double n, double p)
{
	if (!(n >= 0 && p >= 0 && p <= 1) || isnan(k))
		return NAN;
	if (k < 0)
		return 0;
	if (k >= n)
		return 1;
	return cr_incomplete_beta(1 - p, n - floor(k), floor(k) + 1);
}

double
cr_incomplete_gamma(double a, double x)
{
	const double front = exp(a * log(x) - x - log_gamma(a));

	if (!(a > 0 && x >= 0))
		return NAN;
	if (x == 0)
		return 0;
	if (x < a + 1) {
		double term = 1 / a, sum = term;

		for (int i = 1; i < TERMS_MOST && term > sum * DBL_EPSILON; i++) {
			term *= x / (a + i);
			sum += term;
		}
		return front * sum;
	} else {
		double b = x + 1 - a, c = 1 / TINY, d = 1 / not_tiny(b), h = d;

		for (int i = 1; i < TERMS_MOST; i++) {
			const double factor = -i * (i - a);
			double step;

			b += 2;
			d = 1 / not_tiny(factor * d + b);
			c = not_tiny(b + factor / c);
			step = d * c;
			h *= step;
			if (fabs(step - 1) < DBL_EPSILON)
				break;
		}
		return 1 - front * h;
	}
}

double
cr_chi_square_at_most(double x, double df)
{
	return cr_incomplete_gamma(df / 2, x / 2);
}

double
cr_chi_square_quantile(double p, double df)
{
	double high = df > 1 ? df : 1;

	if (!(p > 0 && p < 1 && df > 0))
		return NAN;
	while (cr_chi_square_at_most(high, df) < p && high < 1e300)
		high *= 2;
	return invert(cr_chi_square_at_most, df, p, 0, high);
}
