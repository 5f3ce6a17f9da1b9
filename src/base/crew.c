#include "base/crew.h"

#include <sched.h>

#include "base/mem.h"

unsigned
cr_crew_processors(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0) /* more of them than a set has room for */
		return CR_CREW_MOST;
	return CR_MIN(CR_MAX((unsigned)CPU_COUNT(&set), 1u), CR_CREW_MOST);
}

bool
cr_crew_go_on(struct cr_crew *crew)
{
	const uint64_t done = atomic_load(&crew->done);

	if (pthread_equal(pthread_self(), crew->caller) &&
		!cr_progress_step(
			crew->progress, crew->what, CR_MIN(done, crew->whole), crew->whole))
		atomic_store(&crew->stop, true);
	return !atomic_load(&crew->stop);
}

void
cr_crew_did(struct cr_crew *crew, uint64_t much)
{
	atomic_fetch_add(&crew->done, much);
}

static void *
take_turns(void *user)
{
	struct cr_crew *crew = user;

	while (cr_crew_go_on(crew)) {
		const uint32_t item = atomic_fetch_add(&crew->next, 1);

		if (item >= crew->items)
			break;
		crew->work(crew, crew->user, item);
	}
	return NULL;
}

bool
cr_crew_run(struct cr_crew *crew)
{
	const unsigned most =
		crew->threads ? CR_MIN(crew->threads, CR_CREW_MOST) : cr_crew_processors();
	const uint32_t want = CR_MIN(most, CR_MAX(crew->items, 1u));
	pthread_t threads[CR_CREW_MOST];
	uint32_t n = 0;

	crew->caller = pthread_self();
	while (n + 1 < want && pthread_create(&threads[n], NULL, take_turns, crew) == 0)
		n++;
	take_turns(crew);
	while (n > 0)
		pthread_join(threads[--n], NULL);
	return !atomic_load(&crew->stop);
}
