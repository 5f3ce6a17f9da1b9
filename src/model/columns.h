#ifndef CR_MODEL_COLUMNS_H
#define CR_MODEL_COLUMNS_H

#include "model/profile.h"

/*
 * Checked access to the tables that a stored profile reads only on request. All code that may be
 * given a stored profile reads them through these functions. Reading a table that was not requested
 * is a bug of the program, not of the input: it would read NULL or zeros, and print wrong numbers.
 * In that case the program prints the names of the missing tables and stops.
 */
_Noreturn void cr_columns_stop(unsigned needs);

/*
 * Stop the program unless all of these tables and columns (bits of enum cr_needs) were read
 * completely.
 */
static inline void
cr_needed(const struct cr_profile *p, unsigned needs)
{
	if (p->not_read & needs)
		cr_columns_stop(p->not_read & needs);
}

/*
 * The columns of the samples, indexed by row. Each must have been read completely. NULL if there
 * are no samples.
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
 * The event of each row. If only one event has samples, the column need not be read: all rows
 * belong to that event.
 */
struct cr_event_column {
	const uint16_t *at; /* by row; NULL if all rows belong to `same` */
	uint32_t same;
};

/* The column of events of p; borrows from p. */
struct cr_event_column cr_column_events(const struct cr_profile *p);

static inline uint32_t
cr_event_of(const struct cr_event_column *c, uint64_t row)
{
	return c->at ? c->at[row] : c->same;
}

/* If only one event has samples, store its row in *event and return true. */
bool cr_column_one_event(const struct cr_profile *p, uint32_t *event);

/*
 * If the zones prove that all samples have the same weight, store it in *weight and return true.
 * The column need not be read then.
 */
bool cr_column_one_weight(const struct cr_profile *p, uint64_t *weight);

/*
 * A column of which only some zones are needed. zones[z] is not 0 for the zones that the caller
 * reads; NULL means all zones. Stops the program if one of these was not read. Returns the column,
 * whose other rows are undefined.
 */
const void *cr_column_in_zones(
	const struct cr_profile *p, enum cr_sample_column c, const uint8_t *zones);

#endif
