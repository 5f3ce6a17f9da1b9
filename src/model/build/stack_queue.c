#include "model/build/stack_queue.h"

#include "base/thread_pool.h"
#include "builder_p.h"

#include <pthread.h>
#include <stdlib.h>

#define BATCHES 4u            /* a power of two */
#define BATCH_FRAMES 8192u    /* a batch with so many frames, locations, samples or */
#define BATCH_POINTERS 16384u /* stack pointers is handed over */
/* Frames before a slot of the index is needed, and before its row is, when it is prefetched. */
#define SLOT_AHEAD 40u
#define ROW_AHEAD 16u
#define TICKETS_MOST (UINT32_MAX - 1)

struct given_stack {
	uint32_t family, shared, n;
	bool truncated;
};

/* A stack that is complete, see cr_builder_whole(). */
struct given_whole {
	uint32_t task, ticket, n;
};

struct batch {
	CR_VEC(struct given_stack) stacks;
	CR_VEC(struct cr_stack_frame) frames; /* of all stacks, and of lone locations */
	CR_VEC(uint32_t) starts;              /* by stack: the first of its frames */
	uint32_t lone;                        /* number of lone locations */
	CR_VEC(struct cr_location_at) at;
	CR_VEC(uint32_t) samples; /* tickets */
	CR_VEC(struct given_whole) wholes;
	CR_VEC(uint64_t) pointers;         /* of all wholes */
	unsigned char apart[CR_MEM_APART]; /* from the next one, which the other thread writes */
};

/* The last stack of a family, root first. */
struct family {
	CR_VEC(cr_node_id) nodes;
	CR_VEC(uint32_t) paths; /* as in struct cr_built_node, unless a limit was met */
};

struct cr_stack_queue {
	struct cr_builder *b;
	/* of the reader */
	struct batch *filling;
	uint32_t tickets, last_ticket;
	uint64_t over_tickets;
	bool has_truncated;
	/* of the thread */
	unsigned char apart[CR_MEM_APART];
	struct cr_mapped_vector nodes; /* cr_node_id, by ticket */
	struct family families[CR_STACK_FAMILIES];
	cr_location_id *places;
	CR_VEC(cr_location_id) answers;   /* by location of the batch */
	CR_VEC(cr_location_id) locations; /* by frame of the batch, like */
	CR_VEC(uint64_t) hashes;
	/* of both */
	unsigned char apart_too[CR_MEM_APART];
	struct batch batches[BATCHES];
	pthread_mutex_t mutex; /* for what follows */
	pthread_cond_t given_more, did_more;
	uint64_t given, done;
	bool ending;
	bool threaded;
	pthread_t thread;
};

/* ---- in the thread */

/* The locations of all frames, in the order in which they were given. */
static void
batch_locate(struct cr_stack_queue *q, const struct batch *k)
{
	size_t next = 0;

	cr_vec_reserve(&q->answers, k->at.n);
	cr_vec_reserve(&q->locations, k->frames.n);
	cr_builder_locations(q->b, k->at.p, k->at.n, q->answers.p);
	for (size_t i = 0; i < k->frames.n; i++) {
		const struct cr_stack_frame f = k->frames.p[i];

		if (f.is_new)
			q->places[f.place] = q->answers.p[next++];
		q->locations.p[i] = q->places[f.place];
	}
}

/* The hash of every frame's node, for prefetching. */
static void
batch_hash(struct cr_stack_queue *q, const struct batch *k)
{
	cr_vec_reserve(&q->hashes, k->frames.n);
	if (k->lone)
		memset(q->hashes.p, 0, k->frames.n * sizeof(*q->hashes.p));
	for (size_t s = 0; s < k->stacks.n; s++) {
		const struct given_stack *g = &k->stacks.p[s];
		struct family *f = &q->families[g->family];
		const uint32_t at = k->starts.p[s];
		uint32_t path = 0;

		if (g->shared)
			path = f->paths.p[g->shared - 1];
		else if (g->truncated)
			path = (uint32_t)(cr_built_path_hash(
						  0, (cr_location_id){q->b->truncated1 - 1}) >>
					  32);
		cr_vec_reserve(&f->paths, (size_t)g->shared + g->n);
		for (uint32_t i = 0; i < g->n; i++) {
			q->hashes.p[at + i] = cr_built_path_hash(path, q->locations.p[at + i]);
			path = (uint32_t)(q->hashes.p[at + i] >> 32);
			f->paths.p[g->shared + i] = path;
		}
	}
}

/* The frames of a batch whose slots and rows were prefetched. */
struct fetched {
	size_t slots, rows;
};

/* Prefetch for the frames that follow the first `done` ones. */
static void
frames_prefetch(
	const struct cr_stack_queue *q, const struct batch *k, size_t done, struct fetched *f)
{
	const size_t slots = CR_MIN(k->frames.n, done + SLOT_AHEAD);
	const size_t rows = CR_MIN(k->frames.n, done + ROW_AHEAD);

	for (; f->slots < slots; f->slots++)
		cr_index_prefetch(&q->b->node_index, q->hashes.p[f->slots]);
	for (; f->rows < rows; f->rows++)
		cr_built_row_prefetch(q->b, q->hashes.p[f->rows]);
}

static void
stack_make(struct cr_stack_queue *q, const struct given_stack *g, uint32_t at)
{
	struct family *f = &q->families[g->family];
	cr_node_id node = CR_ROOT;

	if (g->shared)
		node = f->nodes.p[g->shared - 1];
	else if (g->truncated)
		node = cr_builder_push(q->b, CR_ROOT, (cr_location_id){q->b->truncated1 - 1});
	cr_vec_reserve(&f->nodes, (size_t)g->shared + g->n);
	cr_built_path(
		q->b, node, q->locations.p + at, q->hashes.p + at, g->n, f->nodes.p + g->shared);
	if (g->n)
		node = f->nodes.p[g->shared + g->n - 1];
	cr_mapped_vector_push(&q->nodes, &node, sizeof(node));
}

static cr_node_id
node_of(const struct cr_stack_queue *q, uint32_t ticket)
{
	cr_node_id node = CR_ROOT;

	if (ticket)
		memcpy(&node, q->nodes.p + (size_t)(ticket - 1) * sizeof(node), sizeof(node));
	return node;
}

/* In a copy of the column, whose neighbours the reader's thread writes. */
static void
push_nodes(struct cr_stack_queue *q, const struct batch *k)
{
	struct cr_mapped_vector column = q->b->columns[CR_SAMPLE_NODE];

	for (size_t i = 0; i < k->samples.n; i++) {
		const cr_node_id node = node_of(q, k->samples.p[i]);

		cr_mapped_vector_push(&column, &node.i, sizeof(node.i));
	}
	q->b->columns[CR_SAMPLE_NODE] = column;
}

static void
batch_make(struct cr_stack_queue *q, struct batch *k)
{
	const uint64_t *sp = k->pointers.p;
	struct fetched fetched = {0};

	batch_locate(q, k);
	batch_hash(q, k);
	for (size_t s = 0; s < k->stacks.n; s++) {
		frames_prefetch(q, k, (size_t)k->starts.p[s] + k->stacks.p[s].n, &fetched);
		stack_make(q, &k->stacks.p[s], k->starts.p[s]);
	}
	push_nodes(q, k);
	for (size_t i = 0; i < k->wholes.n; sp += k->wholes.p[i++].n)
		cr_built_whole(q->b, k->wholes.p[i].task, node_of(q, k->wholes.p[i].ticket).i, sp,
			k->wholes.p[i].n);
	k->stacks.n = k->frames.n = k->starts.n = k->at.n = 0;
	k->samples.n = k->wholes.n = k->pointers.n = k->lone = 0;
}

static void *
make_in_thread(void *user)
{
	struct cr_stack_queue *q = user;

	pthread_mutex_lock(&q->mutex);
	while (q->done < q->given || !q->ending) {
		if (q->done == q->given) {
			pthread_cond_wait(&q->given_more, &q->mutex);
			continue;
		}
		pthread_mutex_unlock(&q->mutex);
		batch_make(q, &q->batches[q->done % BATCHES]);
		pthread_mutex_lock(&q->mutex);
		q->done++;
		pthread_cond_signal(&q->did_more);
	}
	pthread_mutex_unlock(&q->mutex);
	return NULL;
}

/* ---- in the reader's thread */

/* Hand over the batch; wait until at most `waiting` are not done. */
static void
hand_over(struct cr_stack_queue *q, unsigned waiting)
{
	if (!q->threaded) {
		batch_make(q, q->filling);
		return;
	}
	pthread_mutex_lock(&q->mutex);
	q->given++;
	pthread_cond_signal(&q->given_more);
	while (q->given - q->done > waiting)
		pthread_cond_wait(&q->did_more, &q->mutex);
	q->filling = &q->batches[q->given % BATCHES];
	pthread_mutex_unlock(&q->mutex);
}

/* Hand over the batch if it has so many of what was just added. */
static void
hand_over_full(struct cr_stack_queue *q, bool full)
{
	if (full)
		hand_over(q, BATCHES - 1);
}

void
cr_stack_queue_begin(struct cr_builder *b)
{
	struct cr_stack_queue *q = cr_alloc(1, sizeof(*q));

	q->b = b;
	q->nodes.no_file = true; /* read in any order, and smaller than the nodes themselves */
	q->filling = &q->batches[0];
	q->places = cr_alloc(CR_STACK_PLACES, sizeof(*q->places));
	pthread_mutex_init(&q->mutex, NULL);
	pthread_cond_init(&q->given_more, NULL);
	pthread_cond_init(&q->did_more, NULL);
	q->threaded = cr_thread_pool_processors() > 1 &&
		      pthread_create(&q->thread, NULL, make_in_thread, q) == 0;
	b->queue = q;
}

cr_node_id
cr_stack_queue_stack(struct cr_builder *b, const struct cr_stack *s)
{
	struct cr_stack_queue *q = b->queue;
	struct batch *k = q->filling;

	if (q->tickets == TICKETS_MOST) {
		q->over_tickets++;
		return CR_ROOT;
	}
	cr_vec_push(&k->stacks, ((struct given_stack){s->family, s->shared, s->n, s->truncated}));
	cr_vec_push(&k->starts, (uint32_t)k->frames.n);
	cr_vec_append(&k->frames, s->frames, s->n);
	cr_vec_append(&k->at, s->at, s->n_at);
	q->tickets++;
	hand_over_full(q, k->frames.n >= BATCH_FRAMES || k->stacks.n >= BATCH_FRAMES);
	return (cr_node_id){q->tickets};
}

void
cr_stack_queue_truncated(struct cr_builder *b)
{
	if (b->queue->has_truncated)
		return;
	cr_stack_queue_drain(b);
	cr_builder_truncated(b);
	b->queue->has_truncated = true;
}

void
cr_stack_queue_location(struct cr_builder *b, const struct cr_location_at *at)
{
	struct batch *k = b->queue->filling;

	cr_vec_push(&k->frames, ((struct cr_stack_frame){CR_STACK_PLACES - 1, 1}));
	cr_vec_push(&k->at, *at);
	k->lone++;
	hand_over_full(b->queue, k->frames.n >= BATCH_FRAMES);
}

void
cr_built_queue_sample(struct cr_builder *b, cr_node_id ticket)
{
	struct cr_stack_queue *q = b->queue;
	struct batch *k = q->filling;

	q->last_ticket = ticket.i;
	cr_vec_push(&k->samples, ticket.i);
	hand_over_full(q, k->samples.n >= BATCH_FRAMES);
}

void
cr_built_queue_whole(struct cr_builder *b, uint32_t task, const uint64_t *sp, size_t n)
{
	struct cr_stack_queue *q = b->queue;
	struct batch *k = q->filling;

	if (n == 0 || n > UINT32_MAX)
		return;
	cr_vec_push(&k->wholes, ((struct given_whole){task, q->last_ticket, (uint32_t)n}));
	for (size_t i = 0; i < n; i++)
		cr_vec_push(&k->pointers, sp[i]);
	hand_over_full(q, k->wholes.n >= BATCH_FRAMES || k->pointers.n >= BATCH_POINTERS);
}

void
cr_stack_queue_drain(struct cr_builder *b)
{
	hand_over(b->queue, 0);
}

cr_node_id
cr_stack_queue_node(struct cr_builder *b, cr_node_id ticket)
{
	cr_stack_queue_drain(b);
	return node_of(b->queue, ticket.i);
}

static void
batch_fini(struct batch *k)
{
	cr_vec_fini(&k->stacks);
	cr_vec_fini(&k->frames);
	cr_vec_fini(&k->starts);
	cr_vec_fini(&k->at);
	cr_vec_fini(&k->samples);
	cr_vec_fini(&k->wholes);
	cr_vec_fini(&k->pointers);
}

void
cr_built_queue_fini(struct cr_builder *b)
{
	struct cr_stack_queue *q = b->queue;

	if (!q)
		return;
	cr_stack_queue_drain(b);
	b->queue = NULL;
	if (q->threaded) {
		pthread_mutex_lock(&q->mutex);
		q->ending = true;
		pthread_cond_signal(&q->given_more);
		pthread_mutex_unlock(&q->mutex);
		pthread_join(q->thread, NULL);
	}
	b->over_nodes += q->over_tickets;
	for (size_t i = 0; i < BATCHES; i++)
		batch_fini(&q->batches[i]);
	for (size_t i = 0; i < CR_STACK_FAMILIES; i++) {
		cr_vec_fini(&q->families[i].nodes);
		cr_vec_fini(&q->families[i].paths);
	}
	cr_mapped_vector_fini(&q->nodes);
	cr_vec_fini(&q->answers);
	cr_vec_fini(&q->locations);
	cr_vec_fini(&q->hashes);
	free(q->places);
	pthread_cond_destroy(&q->given_more);
	pthread_cond_destroy(&q->did_more);
	pthread_mutex_destroy(&q->mutex);
	free(q);
}

void
cr_stack_queue_end(struct cr_builder *b)
{
	cr_built_queue_fini(b);
}
