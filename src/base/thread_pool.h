#ifndef CR_BASE_THREAD_POOL_H
#define CR_BASE_THREAD_POOL_H

#include "base/progress.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * Runs items on several threads; each thread takes the next item when it is free. Only the calling
 * thread reports progress: between items, and when an item calls cr_thread_pool_go_on().
 */
struct cr_thread_pool {
	const struct cr_progress *progress;
	const char *what; /* for progress */
	uint64_t whole;   /* total of the amounts passed to cr_thread_pool_did() */
	uint32_t items;
	/*
	 * Maximum number of threads, at most CR_THREAD_POOL_MOST; 0 means
	 * cr_thread_pool_processors().
	 */
	unsigned threads;
	/* Called in any thread. */
	void (*work)(struct cr_thread_pool *pool, void *user, uint32_t item);
	void *user;
	/* private to the pool */
	atomic_uint next;
	atomic_ullong done;
	atomic_bool stop;
	pthread_t caller;
};

#define CR_THREAD_POOL_MOST 16u

/*
 * Number of threads that work is divided among: the number of processors that this process may run
 * on, at most CR_THREAD_POOL_MOST, or the number set by cr_thread_pool_limit().
 */
unsigned cr_thread_pool_processors(void);

/* Set that number for the whole process, whatever the number of processors; 0 unsets it. */
void cr_thread_pool_limit(unsigned threads);

/*
 * Process all items, in order of start. Returns false if progress stopped it: some items were not
 * started.
 */
bool cr_thread_pool_run(struct cr_thread_pool *pool);

/* False if the work was cancelled. Cheap enough to call often. */
bool cr_thread_pool_go_on(struct cr_thread_pool *pool);

/* Report that an amount of work was done, in the unit of `whole`. */
void cr_thread_pool_did(struct cr_thread_pool *pool, uint64_t much);

#endif
