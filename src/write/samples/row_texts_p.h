#ifndef CR_WRITE_SAMPLES_ROW_TEXTS_P_H
#define CR_WRITE_SAMPLES_ROW_TEXTS_P_H

#include "base/text.h"

/*
 * What a writer made for a row of a table, so that it copies it the next time: samples repeat
 * stacks and threads. Keeps at most CR_ROW_TEXTS_MOST bytes of text; the writer makes the rest
 * anew each time.
 */
#define CR_ROW_TEXTS_MOST ((size_t)64 << 20)

struct cr_row_texts {
	uint32_t *from, *to; /* by row: its text */
	struct cr_text text;
};

/* Begin with no texts, for n rows. End with cr_row_texts_fini(). */
void cr_row_texts_init(struct cr_row_texts *t, uint32_t n);
void cr_row_texts_fini(struct cr_row_texts *t);

/* Append the text of a row to out. Returns false if none is kept. */
bool cr_row_texts_put(const struct cr_row_texts *t, uint32_t row, struct cr_text *out);

/* Keep a copy of the end of `made`, from `start` on, as the text of a row that has none. */
void cr_row_texts_keep(
	struct cr_row_texts *t, uint32_t row, const struct cr_text *made, size_t start);

#endif
