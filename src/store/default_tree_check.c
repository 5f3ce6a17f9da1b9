#include "default_tree_check_p.h"

#include <stdlib.h>

#include "base/thread_pool.h"
#include "bytes/source.h"
#include "model/tree/default_tree_proof.h"
#include "parts_p.h"

struct cr_default_tree_check {
	struct cr_opening *o;
	struct cr_default_tree_proof *proof;
	/* NULL for columns that are not needed. */
	const struct cr_section *columns[CR_SAMPLE_COLUMNS];
	struct cr_default_tree_sum sum;
	uint32_t done; /* number of blocks */
	/* While the threads run: */
	atomic_uint next;
	uint32_t end;
	pthread_mutex_t lock; /* protects sum and the following */
	uint32_t bad;         /* first bad block; UINT32_MAX if none */
	struct cr_err err;    /* error of that block */
};

int
cr_default_tree_check_new(
	struct cr_opening *o, struct cr_default_tree_check **out, struct cr_err *err)
{
	static const enum cr_sample_column columns[] = {
		CR_SAMPLE_NODE, CR_SAMPLE_TASK, CR_SAMPLE_WEIGHT, CR_SAMPLE_EVENT};
	struct cr_default_tree_check *check = cr_alloc(1, sizeof(*check));
	int rc = CR_OK;

	*out = NULL;
	for (size_t i = 0; i < CR_LEN(columns) && rc == CR_OK; i++)
		rc = cr_part_column_section(o, columns[i], &check->columns[columns[i]], err);
	if (rc == CR_OK)
		check->proof = cr_default_tree_proof_new(o->p);
	check->o = o;
	if (check->proof)
		*out = check;
	else
		cr_default_tree_check_free(check);
	return rc;
}

void
cr_default_tree_check_free(struct cr_default_tree_check *check)
{
	if (!check)
		return;
	cr_default_tree_proof_free(check->proof);
	free(check);
}

/* Buffers of one thread for a block of each column. */
struct room {
	void *columns[CR_SAMPLE_COLUMNS];
	struct cr_opening_scratch *scratch;
};

static void
room_init(const struct cr_default_tree_check *check, struct room *room)
{
	const struct cr_section *s = check->columns[CR_SAMPLE_NODE];
	uint32_t most = 1;

	for (uint32_t k = 0; k < s->n_blocks; k++)
		most = CR_MAX(most, cr_opening_block(check->o, s, k)->rows);
	room->scratch = cr_opening_scratch_new(check->o, s);
	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
		room->columns[c] =
			check->columns[c]
				? cr_alloc(most, cr_sample_column_bytes((enum cr_sample_column)c))
				: NULL;
}

static void
room_fini(struct room *room)
{
	cr_opening_scratch_free(room->scratch);
	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
		free(room->columns[c]);
}

static int
add_block(const struct cr_default_tree_check *check, uint32_t number, struct room *room,
	struct cr_default_tree_sum *sum, struct cr_err *err)
{
	const struct cr_default_tree_rows rows = {.node = room->columns[CR_SAMPLE_NODE],
		.task = room->columns[CR_SAMPLE_TASK],
		.weight = room->columns[CR_SAMPLE_WEIGHT],
		.event = room->columns[CR_SAMPLE_EVENT],
		.n = cr_opening_block(check->o, check->columns[CR_SAMPLE_NODE], number)->rows};
	int rc = CR_OK;

	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS && rc == CR_OK; c++)
		if (check->columns[c])
			rc = cr_opening_column_block(check->o, check->columns[c], number,
				room->columns[c], room->scratch, err);
	if (rc == CR_OK)
		cr_default_tree_proof_add(check->proof, &rows, sum);
	return rc;
}

/* Process blocks until none is left. Keep the error of the first bad block. */
static void
add_blocks(struct cr_thread_pool *pool, void *user, uint32_t item)
{
	struct cr_default_tree_check *check = user;
	struct cr_default_tree_sum sum = {0};
	struct cr_err err = CR_ERR_INIT;
	struct room room;
	int rc = CR_OK;
	uint32_t k;

	(void)pool;
	(void)item;
	room_init(check, &room);
	while (rc == CR_OK && (k = atomic_fetch_add(&check->next, 1)) < check->end)
		rc = add_block(check, k, &room, &sum, &err);
	room_fini(&room);
	pthread_mutex_lock(&check->lock);
	cr_default_tree_proof_join(&check->sum, &sum);
	if (rc < 0 && k < check->bad) {
		check->bad = k;
		check->err = err;
	}
	pthread_mutex_unlock(&check->lock);
}

/* The pages of the file that were read are not needed any more. */
static void
release_pages(const struct cr_default_tree_check *check, uint32_t from, uint32_t to)
{
	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++) {
		const struct cr_section *s = check->columns[c];
		const struct cr_block *first, *last;

		if (!s || !check->o->src || from == to)
			continue;
		first = cr_opening_block(check->o, s, from);
		last = cr_opening_block(check->o, s, to - 1);
		if (last->offset >= first->offset)
			cr_source_done(
				check->o->src, first->offset, last->offset + last->stored_bytes);
	}
}

#define BLOCKS_PER_THREAD 4u /* fewer blocks are not worth starting a thread */

int
cr_default_tree_check_run(
	struct cr_default_tree_check *check, uint32_t blocks, bool *more, struct cr_err *err)
{
	const uint32_t from = check->done, all = check->columns[CR_SAMPLE_NODE]->n_blocks;
	struct cr_thread_pool pool = {.work = add_blocks, .user = check};

	check->end = from + CR_MIN(blocks, all - from);
	check->bad = UINT32_MAX;
	atomic_store(&check->next, from);
	pool.items = CR_MAX(
		CR_MIN(cr_thread_pool_processors(), (check->end - from) / BLOCKS_PER_THREAD), 1u);
	pthread_mutex_init(&check->lock, NULL);
	if (check->end > from)
		cr_thread_pool_run(&pool);
	pthread_mutex_destroy(&check->lock);
	release_pages(check, from, check->end);
	check->done = check->end;
	*more = check->done < all;
	if (check->bad == UINT32_MAX)
		return CR_OK;
	*err = check->err;
	return err->code;
}

bool
cr_default_tree_check_holds(const struct cr_default_tree_check *check)
{
	return cr_default_tree_proof_holds(check->proof, &check->sum);
}
