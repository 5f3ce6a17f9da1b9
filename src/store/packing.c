#include "packing_p.h"

#include "base/mem.h"
#include "base/thread_pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 8u        /* blocks held at a time; a power of two */
#define MOST_THREADS 8u /* blocks are not made any faster */

struct slot {
	struct cr_buf raw, other;
	struct cr_cuts cuts; /* of raw */
	int level;
	bool texts;
	struct cr_buf room; /* the compressed bytes */
	struct cr_packed out;
	bool done;
};

struct cr_packing {
	pthread_mutex_t mutex; /* for what follows, up to `ending` */
	pthread_cond_t given_more, did_more;
	uint64_t given, begun, taken; /* numbers of blocks */
	struct slot slots[SLOTS];     /* block i is in slot i % SLOTS */
	bool ending;
	struct cr_packer *packer; /* of the calling thread */
	pthread_t threads[MOST_THREADS];
	unsigned n_threads;
};

/* Compress one form of a block. The smaller form is the result. */
static void
pack_form(struct slot *s, struct cr_packer *packer, const struct cr_buf *raw, bool first)
{
	size_t n;
	const void *stored = s->texts ? cr_packer_pack_texts(packer, s->level, raw->p, raw->n, &n)
				      : cr_packer_pack_at(packer, s->level, raw->p, raw->n,
						first ? &s->cuts : NULL, &n);
	struct cr_cursor head;

	if (!first && n >= s->out.stored_bytes)
		return;
	s->out.stored = stored;
	s->out.stored_bytes = n;
	s->out.raw_bytes = raw->n;
	s->out.is_other = !first;
	cr_cursor_init(&head, raw->p, raw->n);
	s->out.version = first ? 0 : cr_modelled_version(&head);
	if (stored == raw->p)
		return;
	s->room.n = 0;
	s->out.stored = memcpy(cr_buf_grow(&s->room, n), stored, n);
}

/* Compress a block, which no other thread uses. */
static void
pack(struct slot *s, struct cr_packer *packer)
{
	pack_form(s, packer, &s->raw, true);
	if (s->other.n && s->other.n <= s->raw.n)
		pack_form(s, packer, &s->other, false);
}

/* Compress the next block, if there is one. Called with the mutex locked. */
static bool
pack_next(struct cr_packing *k, struct cr_packer *packer)
{
	struct slot *s;

	if (k->begun == k->given)
		return false;
	s = &k->slots[k->begun++ % SLOTS];
	pthread_mutex_unlock(&k->mutex);
	pack(s, packer);
	pthread_mutex_lock(&k->mutex);
	s->done = true;
	pthread_cond_broadcast(&k->did_more);
	return true;
}

static void *
pack_in_thread(void *user)
{
	struct cr_packing *k = user;
	struct cr_packer *packer = cr_packer_new(1);

	pthread_mutex_lock(&k->mutex);
	while (!k->ending)
		if (!pack_next(k, packer))
			pthread_cond_wait(&k->given_more, &k->mutex);
	pthread_mutex_unlock(&k->mutex);
	cr_packer_free(packer);
	return NULL;
}

struct cr_packing *
cr_packing_new(void)
{
	const unsigned want = CR_MIN(cr_thread_pool_processors() - 1, MOST_THREADS);
	struct cr_packing *k = cr_alloc(1, sizeof(*k));

	k->packer = cr_packer_new(1);
	pthread_mutex_init(&k->mutex, NULL);
	pthread_cond_init(&k->given_more, NULL);
	pthread_cond_init(&k->did_more, NULL);
	while (k->n_threads < want &&
		pthread_create(&k->threads[k->n_threads], NULL, pack_in_thread, k) == 0)
		k->n_threads++;
	return k;
}

void
cr_packing_free(struct cr_packing *k)
{
	if (!k)
		return;
	pthread_mutex_lock(&k->mutex);
	k->ending = true;
	pthread_cond_broadcast(&k->given_more);
	pthread_mutex_unlock(&k->mutex);
	while (k->n_threads)
		pthread_join(k->threads[--k->n_threads], NULL);
	for (size_t i = 0; i < SLOTS; i++) {
		free(k->slots[i].raw.p);
		free(k->slots[i].other.p);
		free(k->slots[i].room.p);
	}
	cr_packer_free(k->packer);
	pthread_cond_destroy(&k->given_more);
	pthread_cond_destroy(&k->did_more);
	pthread_mutex_destroy(&k->mutex);
	free(k);
}

/* Exchange them; the caller gets an empty buffer. */
static void
give_buffer(struct cr_buf *from, struct cr_buf *to)
{
	const struct cr_buf given = *from;

	*from = (struct cr_buf){.p = to->p, .cap = to->cap};
	*to = given;
}

static void
give(struct cr_packing *k, struct cr_buf *raw, struct cr_cuts *cuts, struct cr_buf *other,
	int level, bool texts, uint32_t row)
{
	struct slot *s = &k->slots[k->given % SLOTS];

	pthread_mutex_lock(&k->mutex);
	give_buffer(raw, &s->raw);
	give_buffer(other, &s->other);
	s->cuts = *cuts;
	cuts->n = 0;
	s->level = level;
	s->texts = texts;
	s->out.row = row;
	s->done = false;
	k->given++;
	pthread_cond_signal(&k->given_more);
	pthread_mutex_unlock(&k->mutex);
}

void
cr_packing_give(struct cr_packing *k, struct cr_buf *raw, struct cr_cuts *cuts,
	struct cr_buf *other, int level, uint32_t row)
{
	give(k, raw, cuts, other, level, false, row);
}

void
cr_packing_give_texts(struct cr_packing *k, struct cr_buf *raw, int level, uint32_t row)
{
	struct cr_cuts cuts = {0};
	struct cr_buf other = {0};

	give(k, raw, &cuts, &other, level, true, row);
	free(other.p);
}

/* If the block that is wanted next has not been begun, it is compressed in the calling thread. */
const struct cr_packed *
cr_packing_take(struct cr_packing *k, bool all)
{
	struct slot *s = &k->slots[k->taken % SLOTS];
	bool is_due;

	pthread_mutex_lock(&k->mutex);
	is_due = all ? k->taken < k->given : k->given - k->taken == SLOTS;
	while (is_due && !s->done)
		if (!pack_next(k, k->packer))
			pthread_cond_wait(&k->did_more, &k->mutex);
	k->taken += is_due;
	pthread_mutex_unlock(&k->mutex);
	return is_due ? &s->out : NULL;
}
