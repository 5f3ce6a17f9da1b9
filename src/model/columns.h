#ifndef CR_MODEL_COLUMNS_H
#define CR_MODEL_COLUMNS_H

#include "model/profile.h"

/*
 * Checked access to those tables of a profile that a stored one reads only on request. Code that
 * may be given a stored profile reads them through these functions. Reading a table that nobody
 * requested is a mistake in the program, not in the input: it would read nothing, or zeros, and
 * print wrong numbers. So the program prints which table it is and stops.
 */
_Noreturn void cr_columns_stop(unsigned needs);

/* Stop unless all of these tables and columns, bits of enum cr_needs, were read whole. */
static inline void
cr_needed(const struct cr_profile *p, unsigned needs)
{
	if (p->not_read & needs)
		cr_columns_stop(p->not_read & needs);
}

/*
 * The columns of the samples, by row. Each must have been read whole. NULL if there are no samples.
 */
static inline const uint64_t *
cr_column_times(const struct cr_profile *p)
{
	cr_needed(p, CR_NEEDS_TIME);
	return p->samples.time_ns;
}

static inline const uint64_t *
cr_column_weights(const struct cr_profile *p)
{
	cr_needed(p, CR_NEEDS_WEIGHT);
	return p->samples.weight;
}

static inline const uint32_t *
cr_column_tasks(const struct cr_profile *p)
{
	cr_needed(p, CR_NEEDS_TASK);
	return p->samples.task;
}

static inline const uint32_t *
cr_column_nodes(const struct cr_profile *p)
{
	cr_needed(p, CR_NEEDS_NODE);
	return p->samples.node;
}

static inline const uint16_t *
cr_column_cpus(const struct cr_profile *p)
{
	cr_needed(p, CR_NEEDS_CPU);
	return p->samples.cpu;
}

/*
 * The event of each row. Where only one event has samples its column need not be read: every row is
 * of that event then.
 */
struct cr_event_column {
	const uint16_t *at; /* by row; NULL: all rows are of `same` */
	uint32_t same;
};

struct cr_event_column cr_column_events(const struct cr_profile *p);

static inline uint32_t
cr_event_of(const struct cr_event_column *c, uint64_t row)
{
	return c->at ? c->at[row] : c->same;
}

/* True, with the event's row, if only one event has samples. */
bool cr_column_one_event(const struct cr_profile *p, uint32_t *event);

/*
 * True, with the weight, if the zones say that all samples have the same weight. Its column need
 * not be read then.
 */
bool cr_column_one_weight(const struct cr_profile *p, uint64_t *weight);

/*
 * A column in some zones only: zones[z] is not 0 for those that are looked at, NULL for all of
 * them. Stops if one of these was not read. Returns the column, whose other rows mean nothing.
 */
const void *cr_column_in_zones(
	const struct cr_profile *p, enum cr_sample_column c, const uint8_t *zones);

#endif
