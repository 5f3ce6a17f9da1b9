#ifndef CR_READ_SYSTEMTAP_STAP_SURVEY_P_H
#define CR_READ_SYSTEMTAP_STAP_SURVEY_P_H

#include "read/reader.h"

#include <stdbool.h>

/* Properties of a text, determined before it is read. */
struct stap {
	bool counts;    /* it has counts */
	bool histogram; /* the head of a histogram is among the first lines */
	bool all_32;    /* no address in the first lines exceeds 32 bits */
	bool root_first;
	const struct cr_symbol_opts *files; /* files of dsos may be read; otherwise NULL */
	bool kernel;                        /* symbols for kernel addresses are available */
	bool demangle;
	struct cr_str event, unit;
};

/*
 * Examine the text from `from` on: its head, and further until a count is found. Sets counts,
 * histogram and all_32, and stores as a fact in b what unit a message names.
 */
void cr_stap_survey(
	const struct cr_input *in, size_t from, struct stap *text, struct cr_builder *b);

/* The probe of the reader: see struct cr_reader. A short text may be a histogram. */
unsigned cr_stap_probe(const struct cr_head *head, uint64_t *line);

#endif
