#ifndef CR_READ_FOLDED_FOLDED_COUNTS_H
#define CR_READ_FOLDED_FOLDED_COUNTS_H

#include "base/sink.h"
#include "read/folded/folded_tree.h"

/*
 * The counts of folded stacks of two sides, before and after, added up by stack: what difffolded.pl
 * computes. Stacks are kept as text.
 */
struct cr_folded_counts;

/* strip_hex: write hexadecimal numbers in names as "0x...", so that stacks with them are equal. */
struct cr_folded_counts *cr_folded_counts_new(bool strip_hex);
void cr_folded_counts_free(struct cr_folded_counts *c);

/* Add the lines of the len bytes at p to a side, 0 or 1; done as for cr_folded_tree_read(). */
struct cr_folded_lines cr_folded_counts_read(struct cr_folded_counts *c, uint32_t side,
	const void *p, size_t len, cr_folded_done *done, void *user);

/*
 * Write "STACK BEFORE AFTER" for each stack, sorted by its bytes. normalize: multiply the counts
 * before with the ratio of the sums and cut off fractions, so that both sides have about the same
 * sum. CR_EIO if the sink accepts no more.
 */
int cr_folded_counts_write(
	struct cr_folded_counts *c, bool normalize, struct cr_sink *out, struct cr_err *err);

#endif
