#ifndef CRESSET_VIEW_STYLE_SPARK_H
#define CRESSET_VIEW_STYLE_SPARK_H

#include "base/text.h"

/*
 * Numbers as characters, one each: in Unicode eight heights of blocks, or four shades; otherwise
 * ASCII characters of rising density. Zero is a blank, any other value is not, and `most` is the
 * highest.
 */
void cr_spark_heights(struct cr_text *t, const uint64_t *v, size_t n, uint64_t most, bool unicode);
void cr_spark_shade(struct cr_text *t, uint64_t v, uint64_t most, bool unicode);

/* A horizontal bar of at most `cells` cells in steps of an eighth of a cell, padded with blanks. */
void cr_spark_bar(struct cr_text *t, uint64_t v, uint64_t most, uint32_t cells, bool unicode);

#endif
