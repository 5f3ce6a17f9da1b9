#ifndef CR_QUERY_TABLE_SUM_CODES_P_H
#define CR_QUERY_TABLE_SUM_CODES_P_H

#include "query/fold/stack_sums.h"
#include "query/table/table_p.h"

/*
 * The codes of the frames of sums of stacks. Of a profile without symbols most frames are addresses
 * that hardly occur twice, and few of them are shown. So a code of an address is only a number
 * until cr_sum_codes_make(): neither its values nor its row in the codes of the table are made.
 */

/* A frame of a location. */
struct cr_sum_place {
	uint32_t code : 31;
	uint32_t kernel : 1;
};

#define CR_SUM_NO_CODE 0x7fffffffu

/* A group of the sums, and that of the table. Several of the former may be one of the latter. */
struct cr_sum_group {
	uint32_t of_sums, of_table;
};

struct cr_sum_codes {
	const struct cr_stack_sums *s;
	struct cr_sum_place *places; /* those of all locations, as in the run of their frames */
	/* By location: the only one; CR_SUM_NO_CODE if there are several. */
	struct cr_sum_place *only;
	uint32_t n;      /* all codes are less than this */
	uint32_t n_made; /* the codes less than this have rows in the codes of the table */
};

/* m: its keys are set, and m->frames has room for the frames that have been made. */
void cr_sum_codes_init(
	struct cr_sum_codes *c, struct cr_table_maker *m, const struct cr_stack_sums *s);
void cr_sum_codes_fini(struct cr_sum_codes *c);

/* Make the codes of the rows of m. */
void cr_sum_codes_make(const struct cr_sum_codes *c, struct cr_table_maker *m);

/* The frames of a location: from *from up to *to, exclusive, the outermost first. */
static inline void
cr_sum_codes_at(const struct cr_sum_codes *c, uint32_t location, const struct cr_sum_place **from,
	const struct cr_sum_place **to)
{
	*from = &c->only[location];
	*to = *from + 1;
	if ((*from)->code == CR_SUM_NO_CODE) {
		*from = c->places + c->s->frames.first[location];
		*to = c->places + c->s->frames.first[location + 1];
	}
}

/* The innermost frame of a location. */
static inline struct cr_sum_place
cr_sum_codes_leaf(const struct cr_sum_codes *c, uint32_t location)
{
	const struct cr_sum_place only = c->only[location];

	return only.code == CR_SUM_NO_CODE ? c->places[c->s->frames.first[location + 1] - 1] : only;
}

#endif
