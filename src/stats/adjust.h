#ifndef CR_STATS_ADJUST_H
#define CR_STATS_ADJUST_H

#include <stddef.h>

/*
 * Adjust n P values, in place, so that calling those at or below ALPHA keeps the expected share of
 * false calls at ALPHA. Each result is at most 1.
 *
 * cr_adjust_bh() is by Benjamini and Hochberg, for tests that are independent or depend on each
 * other positively. cr_adjust_by() is by Benjamini and Yekutieli, for any dependence.
 */
void cr_adjust_bh(double *p, size_t n);
void cr_adjust_by(double *p, size_t n);

#endif
