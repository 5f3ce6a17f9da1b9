#ifndef CR_BASE_CREW_H
#define CR_BASE_CREW_H

#include "base/progress.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * Threads that work items off, whoever is free taking the next. Only the thread that runs the crew
 * tells of progress, between items and where an item asks cr_crew_go_on().
 */
struct cr_crew {
	const struct cr_progress *progress;
	const char *what; /* for progress */
	uint64_t whole;   /* of what cr_crew_did() adds up */
	uint32_t items;
	unsigned threads; /* at most so many, CR_CREW_MOST at most; 0: as many as
			     cr_crew_processors() */
	void (*work)(struct cr_crew *crew, void *user, uint32_t item); /* in any thread */
	void *user;
	/* the crew's own */
	atomic_uint next;
	atomic_ullong done;
	atomic_bool stop;
	pthread_t caller;
};

#define CR_CREW_MOST 16u

/* How many processors this process may run on, CR_CREW_MOST at most. */
unsigned cr_crew_processors(void);

/* All items, the first ones first. False when progress said stop: some were not begun. */
bool cr_crew_run(struct cr_crew *crew);

/* False when there is no need to go on. May be called often. */
bool cr_crew_go_on(struct cr_crew *crew);

void cr_crew_did(struct cr_crew *crew, uint64_t much);

#endif
