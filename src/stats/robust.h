#ifndef CR_STATS_ROBUST_H
#define CR_STATS_ROBUST_H

#include <stddef.h>

/* The median of n values, which are sorted in place; NaN for none. */
double cr_median(double *values, size_t n);

struct cr_weighted {
	double value, weight; /* weight >= 0 */
};

/*
 * The weighted median of n values, which are sorted in place: the least value such that the values
 * up to it have more than half of the weight. If they have exactly half, it is the mean of that
 * value and the next one. NaN if there is no weight.
 */
double cr_weighted_median(struct cr_weighted *values, size_t n);

/* The mean of n values, and their variance with the divisor n - 1; the variance of one is 0. */
double cr_mean(const double *values, size_t n);
double cr_variance(const double *values, size_t n);

#endif
