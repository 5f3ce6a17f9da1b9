#include "base/work.h"

#include <stddef.h>

static _Thread_local struct {
	const struct cr_progress *progress;
	bool stopped;
} work;

void
cr_work_begin(const struct cr_progress *p)
{
	work.progress = p;
	work.stopped = false;
}

void
cr_work_end(void)
{
	work.progress = NULL;
	work.stopped = false;
}

bool
cr_work_step(const char *what, uint64_t done, uint64_t whole)
{
	if (!work.stopped && !cr_progress_step(work.progress, what, done, whole))
		work.stopped = true;
	return !work.stopped;
}

bool
cr_work_stopped(void)
{
	return work.stopped;
}

int
cr_work_check(struct cr_err *err)
{
	return work.stopped ? cr_fail(err, CR_ECANCEL, CR_NO_OFFSET, "stopped") : CR_OK;
}
