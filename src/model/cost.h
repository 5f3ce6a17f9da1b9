#ifndef CR_MODEL_COST_H
#define CR_MODEL_COST_H

#include "base/err.h"
#include "model/profile.h"

/*
 * What a sample costs. As recorded it is the period of the event. Another number can take its
 * place: a field of the event, such as "weight" (the cycles that a load took) or "bytes_alloc", or
 * the latency (model/parallelism.h).
 */
#define CR_COST_PERIOD "period"
#define CR_COST_LATENCY "latency"

/*
 * Replace the weights of all samples of the recorded events that have the field `cost` by its
 * values, or, if no event has a field of that name and it is CR_COST_LATENCY, by their latency. The
 * sums, names and units of these events change, too: "cycles" becomes "cycles (weight)". The main
 * event is one of them from now on. Other events stay as they are.
 *
 * - A sample without a value, or with a negative one, costs 0. Their number is added to the data
 *   quality.
 * - Latencies of events that are not measured in ns, and whose weights are small, are counted in
 *   thousandths: the unit "samples" becomes "samples/1000".
 *
 * All columns and fields of p must have been read. The default tree is removed; make it again.
 * CR_EUSAGE if no event has such a number, or if p was changed like this before. `cost` is copied.
 */
int cr_cost_weigh(struct cr_profile *p, const char *cost, struct cr_err *err);

/*
 * The same in a copy. *out borrows everything else from p, so it must be freed before, with
 * cr_profile_free(). It has a default tree.
 */
int cr_cost_copy(
	const struct cr_profile *p, const char *cost, struct cr_profile **out, struct cr_err *err);

/*
 * The number of samples of an event of p that have no value of its cost, or a negative one; 0 for
 * costs as recorded. All fields must have been read.
 */
uint64_t cr_cost_missing(const struct cr_profile *p, cr_event_id event);

/* True if two costs are the same; NULL is the cost as recorded. */
bool cr_cost_same(const char *a, const char *b);

/*
 * CR_OK if the weights of this event are `cost`; NULL stands for any. Otherwise CR_ENOTFOUND, with
 * the events that have it.
 */
int cr_cost_check(
	const struct cr_profile *p, cr_event_id event, const char *cost, struct cr_err *err);

#endif
