#include "stats/robust.h"

#include <math.h>
#include <stdlib.h>

static int
double_cmp(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
cr_median(double *values, size_t n)
{
	if (!n)
		return NAN;
	qsort(values, n, sizeof(*values), double_cmp);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static int
weighted_cmp(const void *a, const void *b)
{
	return double_cmp(
		&((const struct cr_weighted *)a)->value, &((const struct cr_weighted *)b)->value);
}

double
cr_weighted_median(struct cr_weighted *values, size_t n)
{
	double whole = 0, sum = 0;

	if (n)
		qsort(values, n, sizeof(*values), weighted_cmp);
	for (size_t i = 0; i < n; i++)
		whole += values[i].weight;
	for (size_t i = 0; i < n && whole > 0; i++) {
		sum += values[i].weight;
		if (sum * 2 > whole)
			return values[i].value;
		if (sum * 2 == whole && i + 1 < n)
			return (values[i].value + values[i + 1].value) / 2;
	}
	return NAN;
}

double
cr_mean(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return n ? sum / (double)n : NAN;
}

double
cr_variance(const double *values, size_t n)
{
	const double mean = cr_mean(values, n);
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return n > 1 ? sum / (double)(n - 1) : 0;
}
