#ifndef CR_BASE_WORK_H
#define CR_BASE_WORK_H

#include "base/err.h"
#include "base/progress.h"

/*
 * The work that a thread does for somebody who waits for it, and who may stop it: a command of the
 * browser. Loops far below that command report how far they are and ask whether to go on, without
 * a parameter through every function between: what is asked belongs to the thread.
 *
 * A loop that shall stop ends early and leaves whatever it has made so far in a state that can be
 * freed. Such a part of a result is never kept: the function that would store it in a place that
 * outlives the work calls cr_work_check() first. Once stopped, all later steps stop too.
 */

/* The steps of this thread go to p from here on, until cr_work_end(). p is borrowed. */
void cr_work_begin(const struct cr_progress *p);
void cr_work_end(void);

/*
 * Reports a step, as cr_progress_step() does. False: stop. Call it at most every few thousand
 * items; without somebody who waits it costs next to nothing.
 */
bool cr_work_step(const char *what, uint64_t done, uint64_t whole);

/* Was a step told to stop? */
bool cr_work_stopped(void);

/* CR_ECANCEL if it was, else CR_OK. */
int cr_work_check(struct cr_err *err);

/* In a loop over many items: a step for the first of every 65536. */
static inline bool
cr_work_at(const char *what, uint64_t i, uint64_t n)
{
	return (i & 0xffff) != 0 || cr_work_step(what, i, n);
}

#endif
