#ifndef CR_QUERY_FOLD_SELECT_P_H
#define CR_QUERY_FOLD_SELECT_P_H

#include "model/columns.h"
#include "query/fold/select.h"

/*
 * A filter made ready for one profile: tables that say of each task, cpu, node what becomes of its
 * samples.
 */
struct cr_selector {
	const struct cr_profile *p;
	cr_event_id event;                      /* the filter's, or the main one */
	uint8_t *events, *tasks, *cpus, *nodes; /* NULL: no condition */
	struct cr_time *times;                  /* all in ns */
	size_t n_times;
	uint64_t first_ns;                /* what they count from */
	struct cr_selector_field *fields; /* of wheres, one for each name */
	size_t n_fields;
	uint8_t *zones;   /* which zones may have any; NULL: all */
	bool has_columns; /* the columns that the conditions read, by row, were looked up */
	struct {
		const uint64_t *times;
		const uint32_t *tasks, *nodes;
		const uint16_t *cpus;
		struct cr_event_column events;
	} columns;
};

/* Fails as cr_select() does; to be ended in any case. */
int cr_selector_init(struct cr_selector *s, const struct cr_profile *p, const struct cr_filter *f,
	struct cr_err *err);
void cr_selector_fini(struct cr_selector *s);

/* Every row is taken. */
bool cr_selector_is_all(const struct cr_selector *s);

/*
 * The first row from `row` on that may be taken, up to *end: so many of them have to be looked at.
 * False when there is none.
 */
bool cr_selector_next(const struct cr_selector *s, uint64_t *row, uint64_t *end);

/*
 * A column, by row, for those who look at the rows that may be taken only. It must have been read
 * for these.
 */
const void *cr_selector_column(const struct cr_selector *s, enum cr_sample_column c);
struct cr_event_column cr_selector_events(const struct cr_selector *s);

/*
 * A byte for each row, 1 for taken. Where there are fields, runs of rows have to be asked for in
 * their order and without a gap.
 */
void cr_selector_rows(struct cr_selector *s, uint64_t from, uint64_t to, uint8_t *out);

/*
 * The first and the last time of any sample, told by the zones where each sample has one, else by
 * the column, which must have been read then; UINT64_MAX and 0 where none has. And so many
 * millionths of a length.
 */
void cr_selector_span(const struct cr_profile *p, uint64_t *first, uint64_t *last);
uint64_t cr_selector_share(uint64_t whole, uint64_t millionths);

/* Is s any of them, or are there none? */
bool cr_selector_any(const struct cr_strs *any, struct cr_str s);

#endif
