#ifndef CR_MODEL_PARALLELISM_H
#define CR_MODEL_PARALLELISM_H

#include "base/err.h"
#include "model/profile.h"

/*
 * How many threads of a process ran at the time of a sample, and the latency that follows: the
 * weight of a sample, divided by that number. The latencies of one moment add up to its length, so
 * a function has that part of the time to the result which would be saved without it.
 *
 * The number is the field "parallelism". A recording with records of switches has it. Without them
 * it can be estimated: the threads of the process that were sampled at most one period before or
 * after.
 */
#define CR_PARALLELISM "parallelism"

/* Name of the fact that says for which events it was estimated. */
#define CR_PARALLELISM_ESTIMATED "parallelism estimated"

/*
 * Add the estimated field to the recorded events that lack it. Does nothing for a profile without
 * times or threads. All columns and fields of p must have been read. Time is n log n in the number
 * of samples.
 */
void cr_parallelism_estimate(struct cr_profile *p);

/* True if the field of this event is an estimate. */
bool cr_parallelism_is_estimate(const struct cr_profile *p, cr_event_id event);

#endif
