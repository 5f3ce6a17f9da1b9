#ifndef CR_BASE_PROGRESS_H
#define CR_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Callback by which lower layers report progress and detect cancellation. Functions accept NULL for
 * it. Called at most every few thousand records; returns true to continue, false to stop with
 * CR_ECANCEL. done and whole are bytes while reading, otherwise items; whole is 0 if unknown.
 */
struct cr_progress {
	bool (*step)(void *user, const char *what, uint64_t done, uint64_t whole);
	void *user;
};

static inline bool
cr_progress_step(const struct cr_progress *p, const char *what, uint64_t done, uint64_t whole)
{
	return !p || !p->step || p->step(p->user, what, done, whole);
}

#endif
