#ifndef CR_BASE_THREAD_POOL_H
#define CR_BASE_THREAD_POOL_H

#include "base/progress.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * Threads that work items off, whoever is free taking the next. Only the thread that runs the
 * thread pool tells of progress, between items and where an item asks cr_thread_pool_go_on().
 */
struct cr_thread_pool {
	const struct cr_progress *progress;
	const char *what; /* for progress */
	uint64_t whole;   /* of what cr_thread_pool_did() adds up */
	uint32_t items;
	unsigned threads; /* at most so many, CR_THREAD_POOL_MOST at most; 0: as many as
			     cr_thread_pool_processors() */
	void (*work)(struct cr_thread_pool *pool, void *user, uint32_t item); /* in any thread */
	void *user;
	/* the thread pool's own */
	atomic_uint next;
	atomic_ullong done;
	atomic_bool stop;
	pthread_t caller;
};

#define CR_THREAD_POOL_MOST 16u

/* How many processors this process may run on, CR_THREAD_POOL_MOST at most. */
unsigned cr_thread_pool_processors(void);

/* All items, the first ones first. False when progress said stop: some were not begun. */
bool cr_thread_pool_run(struct cr_thread_pool *pool);

/* False when there is no need to go on. May be called often. */
bool cr_thread_pool_go_on(struct cr_thread_pool *pool);

void cr_thread_pool_did(struct cr_thread_pool *pool, uint64_t much);

#endif
