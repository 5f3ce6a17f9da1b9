#ifndef CR_BASE_PROGRESS_H
#define CR_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How lower layers tell of progress and learn of cancel. May be NULL wherever it is taken.
 * Called at most every few thousand records; returns true to go on, false to stop with
 * CR_ECANCEL. done and whole are bytes while reading, items later; whole 0 is unknown.
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
