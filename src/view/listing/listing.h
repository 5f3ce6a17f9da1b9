#ifndef CRESSET_VIEW_LISTING_LISTING_H
#define CRESSET_VIEW_LISTING_LISTING_H

#include "base/text.h"
#include "query/table/annotate.h"

/*
 * An annotated function as rows to be shown one below the other: lines of source, or instructions
 * with the lines that they are of between them. What has no cost is shown only around what has; the
 * rest is a gap.
 */
enum cr_listing_kind {
	CR_LISTING_FILE,   /* text: the path of what follows */
	CR_LISTING_SYMBOL, /* text: the function whose code follows; number: its address */
	CR_LISTING_LINE,   /* a line of the function's own; number: the line, 0 for no line known */
	CR_LISTING_INLINED, /* one of what is inlined at the line above; text begins with where it
			       is */
	CR_LISTING_PLACE,   /* in code: the line that the following instructions are of; text as of
			       INLINED */
	CR_LISTING_INSTRUCTION, /* number: its address */
	CR_LISTING_GAP,
};

struct cr_listing_row {
	uint8_t kind; /* enum cr_listing_kind */
	bool has_cost;
	uint32_t depth; /* of INLINED: 1 and more */
	uint32_t of; /* of what has a cost: its row of a->lines or a->addresses; else CR_NO_ROW */
	uint64_t number;
	struct cr_str text; /* "" where it is not known */
	struct cr_cost cost;
};

struct cr_listing {
	CR_VEC(struct cr_listing_row) rows;
	struct cr_arena arena; /* texts that are made; the others are borrowed */
};

/* Where an instruction is of; function: that which is inlined there, "" for the function itself. */
struct cr_listing_place {
	struct cr_str file, function;
	uint32_t line;
};

/* What only its caller can know. Texts are borrowed as long as the listing lives. */
struct cr_listing_in {
	const struct cr_profile *p;
	const struct cr_annotate *a;
	/* The line of a file; false when it is not to be had. */
	bool (*source)(void *user, struct cr_str file, uint32_t line, struct cr_str *text);
	/* The instruction at an address, or its bytes, and how its address is shown. */
	void (*code)(void *user, const struct cr_annotate_address *at, uint64_t *shown,
		struct cr_str *text);
	/*
	 * Where an instruction is of that no sample has told it of; false when it is not known. May
	 * be NULL.
	 */
	bool (*place)(
		void *user, const struct cr_annotate_address *at, struct cr_listing_place *place);
	void *user;
	uint64_t least,
		least_samples; /* what has less of both self and total counts as without cost */
};

/* Has it cost, and not less than the least? */
bool cr_listing_counts(const struct cr_listing_in *in, const struct cr_cost *c);

/* By source: own lines, and at each what is inlined there. */
void cr_listing_lines(const struct cr_listing_in *in, struct cr_listing *out);

/* By instruction. places: with the lines they are of. */
void cr_listing_code(const struct cr_listing_in *in, bool places, struct cr_listing *out);

/*
 * The n lines with most self, those inlined too: kind PLACE, each with its cost. None where no line
 * is known at all.
 */
void cr_listing_hottest(const struct cr_listing_in *in, uint32_t n, struct cr_listing *out);

void cr_listing_fini(struct cr_listing *l);

/* What the two shares of a row are of. */
struct cr_listing_shares {
	uint64_t whole;
	bool hits; /* samples are counted, not weights */
};

/*
 * Append a row as text, safe for a terminal: its shares of self and total, then the line or the
 * instruction. Ends with a line feed; a row of kind FILE or SYMBOL begins with one.
 */
void cr_listing_line(
	const struct cr_listing_row *r, const struct cr_listing_shares *of, struct cr_text *t);

#endif
