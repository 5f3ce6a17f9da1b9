#include "stats/adjust.h"

#include "base/mem.h"

#include <stdlib.h>

static int
by_value(const void *a, const void *b)
{
	const double x = **(double *const *)a, y = **(double *const *)b;

	return (x > y) - (x < y);
}

static void
adjust(double *p, size_t n, double factor)
{
	double **order = cr_alloc(n, sizeof(*order));
	double least = 1;

	for (size_t i = 0; i < n; i++)
		order[i] = &p[i];
	if (n)
		qsort(order, n, sizeof(*order), by_value);
	for (size_t i = n; i-- > 0;) {
		const double q = *order[i] * factor * (double)n / (double)(i + 1);

		least = q < least ? q : least;
		*order[i] = least;
	}
	free(order);
}

void
cr_adjust_bh(double *p, size_t n)
{
	adjust(p, n, 1);
}

void
cr_adjust_by(double *p, size_t n)
{
	double sum = 0;

	for (size_t i = n; i > 0; i--)
		sum += 1 / (double)i;
	adjust(p, n, sum);
}
