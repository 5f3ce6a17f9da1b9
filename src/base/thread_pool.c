#include "base/thread_pool.h"

#include <sched.h>

#include "base/mem.h"

static atomic_uint limit; /* 0: none was set */

void
cr_thread_pool_limit(unsigned threads)
{
	atomic_store(&limit, CR_MIN(threads, CR_THREAD_POOL_MOST));
}

unsigned
cr_thread_pool_processors(void)
{
	const unsigned set_limit = atomic_load(&limit);
	cpu_set_t set;

	if (set_limit)
		return set_limit;
	/* More processors than the set can hold. */
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return CR_THREAD_POOL_MOST;
	return CR_MIN(CR_MAX((unsigned)CPU_COUNT(&set), 1u), CR_THREAD_POOL_MOST);
}

bool
cr_thread_pool_go_on(struct cr_thread_pool *pool)
{
	const uint64_t done = atomic_load(&pool->done);

	if (pthread_equal(pthread_self(), pool->caller) &&
		!cr_progress_step(
			pool->progress, pool->what, CR_MIN(done, pool->whole), pool->whole))
		atomic_store(&pool->stop, true);
	return !atomic_load(&pool->stop);
}

void
cr_thread_pool_did(struct cr_thread_pool *pool, uint64_t much)
{
	atomic_fetch_add(&pool->done, much);
}

static void *
take_turns(void *user)
{
	struct cr_thread_pool *pool = user;

	while (cr_thread_pool_go_on(pool)) {
		const uint32_t item = atomic_fetch_add(&pool->next, 1);

		if (item >= pool->items)
			break;
		pool->work(pool, pool->user, item);
	}
	return NULL;
}

bool
cr_thread_pool_run(struct cr_thread_pool *pool)
{
	const unsigned most = pool->threads ? CR_MIN(pool->threads, CR_THREAD_POOL_MOST)
					    : cr_thread_pool_processors();
	const uint32_t want = CR_MIN(most, CR_MAX(pool->items, 1u));
	pthread_t threads[CR_THREAD_POOL_MOST];
	uint32_t n = 0;

	pool->caller = pthread_self();
	while (n + 1 < want && pthread_create(&threads[n], NULL, take_turns, pool) == 0)
		n++;
	take_turns(pool);
	while (n > 0)
		pthread_join(threads[--n], NULL);
	return !atomic_load(&pool->stop);
}
