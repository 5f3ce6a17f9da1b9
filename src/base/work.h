#ifndef CR_BASE_WORK_H
#define CR_BASE_WORK_H

#include "base/err.h"
#include "base/progress.h"

/*
 * Progress and cancellation of work that a thread does for a waiting user, such as a command of the
 * browser. Loops in lower layers report progress and ask whether to continue. The callback belongs
 * to the thread, so it need not be passed through every function in between.
 *
 * A cancelled loop ends early and leaves its partial result in a state that can be freed. Partial
 * results are never stored: a function that stores a result beyond the work calls cr_work_check()
 * first. Once cancelled, all later steps report cancellation too.
 */

/* Send the steps of this thread to p until cr_work_end(). p is borrowed. */
void cr_work_begin(const struct cr_progress *p);
void cr_work_end(void);

/*
 * Report a step, like cr_progress_step(). Returns false to stop. Call it at most every few thousand
 * items; it costs almost nothing if no callback is set.
 */
bool cr_work_step(const char *what, uint64_t done, uint64_t whole);

/* True if a step was told to stop. */
bool cr_work_stopped(void);

/* Return CR_ECANCEL if a step was told to stop, else CR_OK. */
int cr_work_check(struct cr_err *err);

/* For loops over many items: report a step for every 65536th item. */
static inline bool
cr_work_at(const char *what, uint64_t i, uint64_t n)
{
	return (i & 0xffff) != 0 || cr_work_step(what, i, n);
}

#endif
