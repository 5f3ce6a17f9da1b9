#ifndef CR_STATS_DISTRIBUTION_H
#define CR_STATS_DISTRIBUTION_H

/*
 * Distribution functions. All are pure and thread-safe. Probabilities are in [0, 1]. An argument
 * outside its range, or NaN, gives NaN. The relative error is below 1e-10 where the result is above
 * 1e-280, for shape parameters up to 1e5.
 */

/* P(|T| >= |t|) of Student's t with df > 0 degrees of freedom. */
double cr_student_two_sided(double t, double df);

/* The t with P(T <= t) = p, for 0 < p < 1 and df > 0. */
double cr_student_quantile(double p, double df);

/* P(|Z| >= |z|) of the standard normal distribution. */
double cr_normal_two_sided(double z);

/* P(X <= k) of the binomial distribution with n trials of probability p; n and k are whole. */
double cr_binomial_at_most(double k, double n, double p);

/* P(X <= x) of chi-square with df > 0 degrees of freedom, for x >= 0. */
double cr_chi_square_at_most(double x, double df);

/* The x with P(X <= x) = p, for 0 < p < 1 and df > 0. */
double cr_chi_square_quantile(double p, double df);

/* The regularized incomplete beta function I_x(a, b), for a, b > 0 and 0 <= x <= 1. */
double cr_incomplete_beta(double x, double a, double b);

/* The regularized lower incomplete gamma function P(a, x), for a > 0 and x >= 0. */
double cr_incomplete_gamma(double a, double x);

#endif
