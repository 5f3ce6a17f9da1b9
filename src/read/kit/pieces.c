#include "pieces_p.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/thread_pool.h"
#include "bytes/source.h"

#define PIECE_BYTES ((size_t)8 << 20) /* some milliseconds of work */
#define FIRST_SHARE 4u                /* the first piece is so much smaller than the others */

/*
 * Rows of a piece's own builder are looked up again when they are appended. With one new row for
 * each DENSE_BYTES of text this takes as long as reading the text, so that one thread is as fast as
 * two and takes half the time of the processors. With one for each SPARSE_BYTES it pays again.
 */
#define DENSE_BYTES 96u
#define SPARSE_BYTES 192u

#define WAIT_NS 20000000L /* between two reports of progress while another thread reads */

/* State of one thread. */
struct worker {
	struct cr_builder *b;
	struct cr_builder_appended appended;
	void *state;
	struct worker *next_idle;
};

struct reading {
	const struct cr_pieces *reader;
	const void *shared;
	const struct cr_input *in;
	const struct cr_read_opts *opts;
	struct cr_builder *b;
	struct cr_diagnostics report; /* of the pieces that are in b */
	size_t piece_bytes, first_bytes;
	size_t at;             /* start of the next piece */
	pthread_mutex_t lock;  /* protects the following, and `at` */
	pthread_cond_t came;   /* signalled when a piece is in b */
	uint64_t n_cut, n_put; /* number of pieces begun; number that are in b, in order */
	struct worker *idle;
	unsigned more_workers; /* that may be made */
	/*
	 * Pieces are read one at a time, by one thread, directly into b; so is the first one, which
	 * shows how it is.
	 */
	bool direct;
	bool reading; /* a thread does so */
	size_t ahead; /* end of what another thread has fetched for it */
	void *state;  /* for that; NULL before the first */
};

/* A part of the input, and its number. */
struct stretch {
	size_t from, to;
	uint64_t nth;
};

/* Returns false if nothing is left. */
static bool
next_stretch(struct reading *r, struct stretch *out)
{
	const size_t len = r->in->len;
	const size_t bytes = r->n_cut ? r->piece_bytes : r->first_bytes;

	if (r->at >= len)
		return false;
	out->from = r->at;
	out->to = len;
	if (len - r->at > bytes)
		out->to = r->reader->cut((const char *)r->in->p, r->at + bytes, len, r->shared);
	out->nth = r->n_cut++;
	r->at = out->to;
	return true;
}

static void
read_stretch(const struct reading *r, const struct stretch *s, struct cr_builder *b, void *state,
	struct cr_diagnostics *report)
{
	const char *p = (const char *)r->in->p;

	r->reader->read(
		state, &(struct cr_piece){p + s->from, p + s->to, s->from, b, report, r->opts});
	cr_diagnostics_finish(report);
}

/* Its samples are in r->b, and so are all before it. */
static void
stretch_done(struct reading *r, const struct stretch *s, const struct cr_diagnostics *report)
{
	cr_diagnostics_append(&r->report, report);
	if (r->in->source)
		cr_source_done(r->in->source, s->from, s->to);
}

/* ---- with one thread */

static bool
read_here(struct reading *r)
{
	void *state = r->reader->open(r->b, r->shared);
	bool go_on = true;
	struct stretch s;

	while ((go_on = cr_progress_step(r->opts->progress, "reading", r->at, r->in->len)) &&
		next_stretch(r, &s)) {
		struct cr_diagnostics report = {0};

		read_stretch(r, &s, r->b, state, &report);
		stretch_done(r, &s, &report);
	}
	r->reader->close(state);
	return go_on;
}

/* ---- with several threads */

static struct worker *
worker_new(const struct reading *r)
{
	struct worker *h = cr_alloc(1, sizeof(*h));

	h->b = cr_builder_new(NULL);
	h->state = r->reader->open(h->b, r->shared);
	return h;
}

static void
hands_free(struct reading *r)
{
	while (r->idle) {
		struct worker *h = r->idle;

		r->idle = h->next_idle;
		r->reader->close(h->state);
		cr_builder_appended_fini(&h->appended);
		cr_builder_free(h->b);
		free(h);
	}
}

/*
 * Fetch the text of the next piece, while another thread reads one. The lock is held, but not
 * meanwhile. Returns false if there is nothing to do.
 */
static bool
fetch_ahead(struct reading *r)
{
	const size_t from = r->at, to = CR_MIN(r->in->len, from + r->piece_bytes);

	if (!r->in->source || !r->reading || r->ahead >= to)
		return false;
	r->ahead = to;
	pthread_mutex_unlock(&r->lock);
	cr_source_expect(r->in->source, from, to);
	pthread_mutex_lock(&r->lock);
	return true;
}

/* The lock is held. Returns false when the work was cancelled. */
static bool
wait_for_others(struct reading *r, struct cr_thread_pool *pool)
{
	struct timespec until;

	if (fetch_ahead(r))
		return cr_thread_pool_go_on(pool);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += WAIT_NS;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	pthread_cond_timedwait(&r->came, &r->lock, &until);
	return cr_thread_pool_go_on(pool);
}

/* Decide how to read on, after a piece added that many rows. The lock is held. */
static void
decide(struct reading *r, const struct stretch *s, uint64_t rows)
{
	const uint64_t bytes = s->to - s->from;

	r->direct = rows > bytes / (r->direct ? SPARSE_BYTES : DENSE_BYTES);
}

/*
 * Read the next part directly. The lock is held, but not meanwhile. Returns false if nothing is
 * left.
 */
static bool
read_directly(struct reading *r, struct cr_thread_pool *pool)
{
	struct cr_diagnostics report = {0};
	struct stretch s;
	uint64_t rows;

	if (!next_stretch(r, &s))
		return false;
	r->reading = true;
	pthread_mutex_unlock(&r->lock);
	if (!r->state)
		r->state = r->reader->open(r->b, r->shared);
	rows = cr_builder_rows(r->b);
	read_stretch(r, &s, r->b, r->state, &report);
	stretch_done(r, &s, &report);
	rows = cr_builder_rows(r->b) - rows;
	cr_thread_pool_did(pool, s.to - s.from);
	pthread_mutex_lock(&r->lock);
	r->reading = false;
	r->n_put++;
	decide(r, &s, rows);
	return true;
}

/*
 * Get the next part, after all parts that are to be read directly, and a worker to read it with.
 * NULL: all others have one, and this part is read directly when its turn has come, by the state
 * that knows the lines of the first part. Returns false if nothing is left, or if the work was
 * cancelled.
 */
static bool
begin(struct reading *r, struct cr_thread_pool *pool, struct stretch *s, struct worker **worker)
{
	bool more = true, make;

	pthread_mutex_lock(&r->lock);
	while (more && r->direct && r->at < r->in->len) {
		if (r->reading || r->n_put < r->n_cut)
			more = wait_for_others(r, pool);
		else
			more = read_directly(r, pool) && cr_thread_pool_go_on(pool);
		if (!r->direct || r->at >= r->in->len)
			pthread_cond_broadcast(&r->came);
	}
	more = more && next_stretch(r, s);
	*worker = more ? r->idle : NULL;
	if (*worker)
		r->idle = (*worker)->next_idle;
	make = more && !*worker && r->more_workers;
	r->more_workers -= make;
	pthread_mutex_unlock(&r->lock);
	if (make)
		*worker = worker_new(r);
	return more;
}

/* From its turn to the end of its append, this thread owns the builder. */
static void
wait_for_turn(struct reading *r, const struct stretch *s)
{
	pthread_mutex_lock(&r->lock);
	while (r->n_put != s->nth)
		pthread_cond_wait(&r->came, &r->lock);
	pthread_mutex_unlock(&r->lock);
}

static void
end_turn(struct reading *r, struct worker *worker, const struct stretch *s, uint64_t rows)
{
	pthread_mutex_lock(&r->lock);
	r->n_put++;
	decide(r, s, rows);
	if (worker) {
		worker->next_idle = r->idle;
		r->idle = worker;
	}
	pthread_cond_broadcast(&r->came);
	pthread_mutex_unlock(&r->lock);
}

static void
read_item(struct cr_thread_pool *pool, void *user, uint32_t item)
{
	struct reading *r = user;
	struct cr_diagnostics report = {0};
	struct stretch s;
	struct worker *worker;
	uint64_t rows;

	(void)item; /* pieces are taken in order, whatever the item */
	if (!begin(r, pool, &s, &worker))
		return;
	if (worker)
		read_stretch(r, &s, worker->b, worker->state, &report);
	wait_for_turn(r, &s);
	rows = cr_builder_rows(r->b);
	if (worker)
		cr_builder_append_rows(r->b, worker->b, &worker->appended);
	else
		read_stretch(r, &s, r->b, r->state, &report);
	stretch_done(r, &s, &report);
	end_turn(r, worker, &s, cr_builder_rows(r->b) - rows);
	cr_thread_pool_did(pool, s.to - s.from);
}

static bool
read_in_pool(struct reading *r, unsigned threads)
{
	const size_t len = r->in->len - r->at;
	struct cr_thread_pool pool = {.progress = r->opts->progress,
		.what = "reading",
		.whole = len,
		.items = (uint32_t)CR_MIN(
			len / r->piece_bytes + 2, (size_t)UINT32_MAX - CR_THREAD_POOL_MOST),
		.threads = threads,
		.work = read_item,
		.user = r};
	bool done;

	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->came, NULL);
	r->direct = true;
	r->more_workers = threads - 1;
	r->first_bytes = CR_MAX(r->piece_bytes / FIRST_SHARE, (size_t)1);
	done = cr_thread_pool_run(&pool);
	hands_free(r);
	if (r->state)
		r->reader->close(r->state);
	pthread_cond_destroy(&r->came);
	pthread_mutex_destroy(&r->lock);
	return done;
}

int
cr_pieces_run(const struct cr_pieces *reader, const void *shared, const struct cr_input *in,
	size_t from, struct cr_builder *b, const struct cr_read_opts *opts, struct cr_err *err)
{
	const unsigned threads = opts->threads ? opts->threads : cr_thread_pool_processors();
	struct reading r = {.reader = reader,
		.shared = shared,
		.in = in,
		.opts = opts,
		.b = b,
		.at = from,
		.piece_bytes = opts->piece_bytes ? opts->piece_bytes : PIECE_BYTES};
	bool done;

	r.first_bytes = r.piece_bytes;
	if (threads == 1 || in->len - from < r.piece_bytes * 2)
		done = read_here(&r);
	else
		done = read_in_pool(&r, threads);
	cr_diagnostics_end(&r.report, b, opts->log);
	return done ? CR_OK : cr_fail(err, CR_ECANCEL, r.at, "stopped");
}
