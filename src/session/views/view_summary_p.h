#ifndef CR_SESSION_VIEW_SUMMARY_P_H
#define CR_SESSION_VIEW_SUMMARY_P_H

#include "base/vec.h"
#include "session/state_p.h"
#include "view/sheet/sheet.h"

/*
 * What the summary shows, whatever the size of the screen: sections with a heading and entries. The
 * view (view_summary.c) chooses how many entries of each are shown, and where.
 */
enum cr_summary_form {
	CR_SUMMARY_BLANK,
	CR_SUMMARY_HEADING,
	CR_SUMMARY_TITLE, /* what was recorded */
	CR_SUMMARY_FACT,
	CR_SUMMARY_COST, /* a share with a bar */
	CR_SUMMARY_WELL,
	CR_SUMMARY_FINDING,
	CR_SUMMARY_REMEDY, /* of the finding above it */
	CR_SUMMARY_KEY,    /* a key, and what it shows */
	CR_SUMMARY_CHART,  /* cost over time; number: the row of it, from the top */
	CR_SUMMARY_AXIS,
};

struct cr_summary_item {
	enum cr_summary_form form;
	char *text;    /* as it came: not safe for a terminal */
	char *line;    /* the command that Enter runs; NULL for an item that cannot be selected */
	uint32_t node; /* selected together with the item; CR_NO_ROW for none */
	uint8_t kind;  /* enum cr_kind, of a cost */
	uint64_t number, whole; /* of a cost */
	uint64_t scale;         /* of a cost: what its bar would be full at */
	struct {
		uint64_t total[CR_SIDES], self[CR_SIDES], samples[CR_SIDES]; /* samples of total */
	} cost;
	int32_t change; /* of a cost's share in a difference, in millionths */
};

enum cr_summary_part {
	CR_SUMMARY_RECORDED,
	CR_SUMMARY_CHANGES, /* of a difference: what it shows, and could have shown */
	CR_SUMMARY_KINDS,
	CR_SUMMARY_FUNCTIONS,
	CR_SUMMARY_PROGRAMS,
	CR_SUMMARY_DSOS,
	CR_SUMMARY_QUALITY,
	CR_SUMMARY_KEYS,
	CR_SUMMARY_PARTS
};

typedef CR_VEC(struct cr_summary_item) cr_summary_items;

struct cr_summary_bins {
	uint64_t *weight; /* n of them; n is 0 where no sample has a time */
	uint32_t n;
	uint64_t most, from_ns, to_ns;
};

/* Fill the sections of a session, by part; those of nothing stay empty. */
void cr_summary_collect(struct cr_session *s, cr_summary_items parts[CR_SUMMARY_PARTS]);
void cr_summary_clear(cr_summary_items parts[CR_SUMMARY_PARTS]);

/* The heading of a part; "" for none. */
const char *cr_summary_heading(enum cr_summary_part part);

/*
 * The sections as a table for programs, one row for each cost and each sentence; `sides`: of the
 * costs. Borrows parts; out must not move. There is nothing to free.
 */
struct cr_summary_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	const cr_summary_items *parts;
};

void cr_summary_sheet_init(const cr_summary_items parts[CR_SUMMARY_PARTS], uint32_t sides,
	struct cr_summary_sheet *out);

/* Cost over time in n bins at most; free() out->weight. */
void cr_summary_bins_make(struct cr_session *s, uint32_t n, struct cr_summary_bins *out);

#endif
