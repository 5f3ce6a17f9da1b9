#ifndef CRESSET_VIEW_LISTING_PAGE_P_H
#define CRESSET_VIEW_LISTING_PAGE_P_H

#include "base/text.h"

/*
 * A page of plain sentences, 80 cells wide: a head of lines with a word on the left, below it
 * paragraphs, those of a list with a number. All zero bytes is an empty page.
 */
#define PAGE_CELLS 80
#define PAGE_INDENT 3
#define PAGE_NAME_CELLS 100 /* of a name that the input gives */

struct page {
	struct cr_text out;
	uint32_t number; /* what the next paragraph begins with; 0 for nothing */
};

/*
 * Both fill text into lines, and empty it. A line of the head without text is left out; its word
 * has 11 cells at most.
 */
void cr_page_head(struct page *g, const char *word, struct cr_text *text);
void cr_page_paragraph(struct page *g, struct cr_text *text);

/*
 * A command as a shell takes it, on several lines where it does not fit one. pieces: what belongs
 * on one line, each ended by NUL.
 */
void cr_page_command(struct page *g, const struct cr_text *pieces);

/* A name of the input made safe, cut to so many cells where it is too long to be a help. */
void cr_page_name(struct cr_text *t, struct cr_str name, uint32_t cells);

/* "1 sample", "12 345 samples" */
void cr_page_count(struct cr_text *t, uint64_t n, const char *noun);

#endif
