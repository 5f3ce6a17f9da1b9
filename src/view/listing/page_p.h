#ifndef CRESSET_VIEW_LISTING_PAGE_P_H
#define CRESSET_VIEW_LISTING_PAGE_P_H

#include "base/text.h"

/*
 * A page of text, 80 cells wide: a head of lines with a word on the left, followed by paragraphs,
 * which may be numbered. All zero bytes is an empty page.
 */
#define PAGE_CELLS 80
#define PAGE_INDENT 3
#define PAGE_NAME_CELLS 100 /* maximum width of a name from the input */

struct page {
	struct cr_text out;
	uint32_t number; /* number of the next paragraph; 0 for none */
};

/*
 * Both wrap text into lines and clear it. A head line without text is omitted; `word` has at most
 * 11 cells.
 */
void cr_page_head(struct page *g, const char *word, struct cr_text *text);
void cr_page_paragraph(struct page *g, struct cr_text *text);

/*
 * Write a shell command, on several lines if needed. pieces: parts that belong on one line, each
 * ended by NUL.
 */
void cr_page_command(struct page *g, const struct cr_text *pieces);

/* Append a name made safe, shortened to `cells` cells. */
void cr_page_name(struct cr_text *t, struct cr_str name, uint32_t cells);

/* "1 sample", "12 345 samples" */
void cr_page_count(struct cr_text *t, uint64_t n, const char *noun);

#endif
