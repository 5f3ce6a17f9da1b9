#ifndef CRESSET_VIEW_LISTING_LISTING_H
#define CRESSET_VIEW_LISTING_LISTING_H

#include "base/text.h"
#include "query/table/annotate.h"

/*
 * An annotated function as rows: source lines, or instructions with their source lines in between.
 * Rows without cost are shown only next to those with cost; the rest is a gap.
 */
enum cr_listing_kind {
	CR_LISTING_FILE,    /* text: path of the following rows */
	CR_LISTING_SYMBOL,  /* text: function whose code follows; number: its address */
	CR_LISTING_LINE,    /* a line of the function itself; number: the line, 0 if unknown */
	CR_LISTING_INLINED, /* a line inlined at the line above; text begins with its location */
	/* Between instructions: the line of the following ones; text like that of INLINED. */
	CR_LISTING_PLACE,
	CR_LISTING_INSTRUCTION, /* number: its address */
	CR_LISTING_GAP,
};

struct cr_listing_row {
	uint8_t kind; /* enum cr_listing_kind */
	bool has_cost;
	uint32_t depth; /* for INLINED: at least 1 */
	uint32_t of; /* of what has a cost: its row of a->lines or a->addresses; else CR_NO_ROW */
	uint64_t number;
	struct cr_str text; /* "" if unknown */
	struct cr_cost cost;
	struct cr_block_sum blocks;            /* that end there; n: 0 if none */
	uint64_t run_instructions, run_cycles; /* see struct cr_annotate_address */
	struct cr_str type;                    /* the same */
};

struct cr_listing {
	CR_VEC(struct cr_listing_row) rows;
	struct cr_arena arena; /* owns the texts made here; others are borrowed */
};

/*
 * The source line of an instruction; function: the one inlined there, "" for the function itself.
 */
struct cr_listing_place {
	struct cr_str file, function;
	uint32_t line;
};

/* Input. Texts are borrowed as long as the listing lives. */
struct cr_listing_in {
	const struct cr_profile *p;
	const struct cr_annotate *a;
	/* Returns the text of a source line; false if it is unavailable. */
	bool (*source)(void *user, struct cr_str file, uint32_t line, struct cr_str *text);
	/* Returns the instruction at an address, or its bytes, and the address to show. */
	void (*code)(void *user, const struct cr_annotate_address *at, uint64_t *shown,
		struct cr_str *text);
	/*
	 * Returns the source line of an instruction without samples; false if unknown. May be NULL.
	 */
	bool (*place)(
		void *user, const struct cr_annotate_address *at, struct cr_listing_place *place);
	void *user;
	/* Costs with less self and less total than this count as none. */
	uint64_t least, least_samples;
};

/* True if the cost is at least the minimum. */
bool cr_listing_counts(const struct cr_listing_in *in, const struct cr_cost *c);

/* The same of a line or an instruction; without a minimum also if blocks end there. */
bool cr_listing_shows(
	const struct cr_listing_in *in, const struct cr_cost *c, const struct cr_block_sum *blocks);

/* List source lines: the function's own, and at each what is inlined there. */
void cr_listing_lines(const struct cr_listing_in *in, struct cr_listing *out);

/* List instructions. places: with their source lines. */
void cr_listing_code(const struct cr_listing_in *in, bool places, struct cr_listing *out);

/*
 * List the n lines with the largest self, including inlined ones: kind PLACE, each with its cost
 * and its row of a->lines.
 * Empty if no line is known.
 */
void cr_listing_hottest(const struct cr_listing_in *in, uint32_t n, struct cr_listing *out);

void cr_listing_fini(struct cr_listing *l);

/* What the shares of a row refer to. */
struct cr_listing_shares {
	uint64_t whole;
	bool hits;   /* count samples, not weights */
	bool cycles; /* with a column of the mean cycles of blocks */
	bool ipc;    /* before it one of the instructions each cycle */
};

/*
 * Append a row as text, safe for a terminal: its shares of self and total, then the line or
 * instruction. Ends with a newline; rows of kind FILE or SYMBOL begin with one.
 */
void cr_listing_line(
	const struct cr_listing_row *r, const struct cr_listing_shares *of, struct cr_text *t);

#endif
