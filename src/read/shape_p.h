#ifndef CR_READ_SHAPE_P_H
#define CR_READ_SHAPE_P_H

#include "read/probe.h"

/*
 * Formats without a line that names them are recognised by what most lines look like. The lines of
 * a head are counted once, before the readers are asked; the result is one format or none.
 */
enum cr_vote {
	CR_VOTE_NONE,
	CR_VOTE_PERF, /* perf script */
	CR_VOTE_STAP,
	CR_VOTE_DTRACE,
	CR_VOTE_EXCEPTIONS, /* Java exceptions in a log */
	CR_VOTE_LJP,
	CR_VOTE_FOLDED,
};

struct cr_shape {
	enum cr_vote vote;
	unsigned bits; /* CR_EVIDENCE_SHAPE or CR_EVIDENCE_WEAK; 0 with CR_VOTE_NONE */
	uint64_t line; /* the first matching line */
};

/* Examine a head of text. Time is linear in its size. */
struct cr_shape cr_shape_of(const struct cr_head *head);

/* For the probe of a reader that is recognised by shape: its evidence. */
unsigned cr_shape_bid(const struct cr_head *head, enum cr_vote vote, uint64_t *line);

#endif
