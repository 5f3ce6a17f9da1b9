#include "model/tree/tree_ahead.h"

#include "base/thread_pool.h"
#include "model/tree/default_tree.h"

#include <stdlib.h>

#define FEW_SAMPLES 65536u /* their tree takes less time than a thread is worth */

/* From so many nodes on, the memory that is freed is returned to the system. */
#define LARGE_NODES ((uint32_t)1 << 20)

struct cr_tree_ahead {
	struct cr_profile *p;
	struct cr_arena arena; /* of the tree, until it joins that of p */
	const struct cr_default_tree *tree;
	pthread_t thread;
};

static void *
make_in_thread(void *user)
{
	struct cr_tree_ahead *a = user;

	a->tree = cr_default_tree_compute(a->p, cr_default_tree_most_nodes(a->p), &a->arena);
	return NULL;
}

void
cr_tree_ahead_start(struct cr_profile *p)
{
	struct cr_tree_ahead *a;

	if (p->samples.n < FEW_SAMPLES || cr_thread_pool_processors() < 2) {
		cr_default_tree_make(p);
		return;
	}
	a = cr_alloc(1, sizeof(*a));
	a->p = p;
	if (pthread_create(&a->thread, NULL, make_in_thread, a) == 0) {
		p->ahead = a;
		return;
	}
	free(a);
	cr_default_tree_make(p);
}

void
cr_tree_ahead_wait(const struct cr_profile *p)
{
	struct cr_tree_ahead *a = p->ahead;

	if (!a)
		return;
	pthread_join(a->thread, NULL);
	a->p->ahead = NULL;
	a->p->default_tree = a->tree;
	cr_arena_join(&a->p->arena, &a->arena);
	free(a);
	if (p->n_nodes >= LARGE_NODES)
		cr_mem_trim();
}
