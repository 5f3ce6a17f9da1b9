#include "model/tree/tree_ahead.h"

#include "base/thread_pool.h"
#include "model/tree/default_tree.h"

#include <stdlib.h>

#define FEW_SAMPLES 65536u /* their tree takes less time than a thread is worth */

/* From so many nodes on, the memory that is freed is returned to the system. */
#define LARGE_NODES ((uint32_t)3 << 19)

struct cr_tree_ahead {
	struct cr_profile *p;
	struct cr_arena arena; /* of the tree, until it joins that of p */
	const struct cr_default_tree *tree;
	pthread_t thread;
	pthread_mutex_t mutex; /* for what follows */
	pthread_cond_t decided;
	bool named, unwanted; /* p has its names; no tree is wanted */
};

/* Wait until p has its names. Returns false if no tree is wanted. */
static bool
wait_for_names(struct cr_tree_ahead *a)
{
	bool wanted;

	pthread_mutex_lock(&a->mutex);
	while (!a->named && !a->unwanted)
		pthread_cond_wait(&a->decided, &a->mutex);
	wanted = !a->unwanted;
	pthread_mutex_unlock(&a->mutex);
	return wanted;
}

static void *
make_in_thread(void *user)
{
	struct cr_tree_ahead *a = user;
	struct cr_path_sums *sums = cr_default_tree_sum_up(a->p);

	if (wait_for_names(a))
		a->tree = cr_default_tree_of_sums(
			a->p, sums, cr_default_tree_most_nodes(a->p), &a->arena);
	else
		cr_path_sums_free(sums);
	return NULL;
}

static void
decide(struct cr_tree_ahead *a, bool unwanted)
{
	pthread_mutex_lock(&a->mutex);
	a->named = true;
	a->unwanted = unwanted;
	pthread_cond_signal(&a->decided);
	pthread_mutex_unlock(&a->mutex);
}

/* Wait for the thread, and free all but the tree. */
static void
end(struct cr_tree_ahead *a)
{
	pthread_join(a->thread, NULL);
	a->p->ahead = NULL;
	pthread_cond_destroy(&a->decided);
	pthread_mutex_destroy(&a->mutex);
}

void
cr_tree_ahead_begin(struct cr_profile *p)
{
	struct cr_tree_ahead *a;

	if (p->ahead || p->samples.n < FEW_SAMPLES || cr_thread_pool_processors() < 2)
		return;
	cr_event_find_roles(
		p); /* the thread must not look for them in the facts, which may change */
	a = cr_alloc(1, sizeof(*a));
	a->p = p;
	pthread_mutex_init(&a->mutex, NULL);
	pthread_cond_init(&a->decided, NULL);
	if (pthread_create(&a->thread, NULL, make_in_thread, a) == 0) {
		p->ahead = a;
		return;
	}
	pthread_cond_destroy(&a->decided);
	pthread_mutex_destroy(&a->mutex);
	free(a);
}

void
cr_tree_ahead_start(struct cr_profile *p)
{
	cr_tree_ahead_begin(p);
	if (p->ahead)
		decide(p->ahead, false);
	else
		cr_default_tree_make(p);
}

void
cr_tree_ahead_drop(struct cr_profile *p)
{
	struct cr_tree_ahead *a = p->ahead;

	if (!a)
		return;
	decide(a, true);
	end(a);
	cr_arena_fini(&a->arena);
	free(a);
}

void
cr_tree_ahead_wait(const struct cr_profile *p)
{
	struct cr_tree_ahead *a = p->ahead;
	struct cr_profile *whose;

	if (!a)
		return;
	end(a);
	whose = a->p;
	whose->default_tree = a->tree;
	cr_arena_join(&whose->arena, &a->arena);
	free(a);
	if (p->n_nodes >= LARGE_NODES)
		cr_mem_trim();
}
