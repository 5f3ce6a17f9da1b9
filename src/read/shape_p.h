#ifndef CR_READ_SHAPE_P_H
#define CR_READ_SHAPE_P_H

#include "read/probe.h"

/*
 * Formats that no line says the name of are told by what most of their lines look like. The lines
 * of a head are counted once, before the readers are asked, and the counts are for one format or
 * for none.
 */
enum cr_vote {
	CR_VOTE_NONE,
	CR_VOTE_PERF, /* perf script */
	CR_VOTE_STAP,
	CR_VOTE_DTRACE,
	CR_VOTE_EXCEPTIONS, /* of Java, in a log */
	CR_VOTE_LJP,
	CR_VOTE_FOLDED,
};

struct cr_shape {
	enum cr_vote vote;
	unsigned bits; /* CR_EVIDENCE_SHAPE or CR_EVIDENCE_WEAK; 0 with CR_VOTE_NONE */
	uint64_t line; /* the first that tells */
};

/* Of a head of text. Time grows with its bytes. */
struct cr_shape cr_shape_of(const struct cr_head *head);

/* For the probe of a reader that is told by shape: its bid. */
unsigned cr_shape_bid(const struct cr_head *head, enum cr_vote vote, uint64_t *line);

#endif
