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

/*
 * Replace the weights of all samples that have the field by their latency, and the sums of their
 * events. The names of these events get " (latency)" at their end, or " (≈latency)". Events that
 * are not measured in ns, and whose weights are small, are then counted in thousandths: the unit
 * "samples" becomes "samples/1000". All columns and fields must have been read; the default tree
 * has to be made again. CR_EUSAGE if no event has the field.
 */
int cr_parallelism_weigh(struct cr_profile *p, struct cr_err *err);

/* True if the name of the event is `name`, or `name` with what cr_parallelism_weigh() added. */
bool cr_parallelism_names(const struct cr_event *event, struct cr_str name);

#endif
