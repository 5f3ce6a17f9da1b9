#include "opening_p.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "base/thread_pool.h"
#include "bytes/source.h"
#include "store/format/tree_streams_p.h"

static bool
may_be_modelled(const struct cr_section *s)
{
	return s->rows <= CR_MODELLED_ROWS && s->n_blocks <= CR_MODELLED_BLOCKS;
}

/* True if the version of this section is for modelled columns only. */
static bool
is_for_models(const struct cr_section *s)
{
	return s->version == CR_SECTION_MODELLED ||
	       (s->version == CR_SECTION_STREAMS && s->id == CR_SECTION_COLUMN);
}

/* True if columns of this section may be modelled. */
static bool
has_models(const struct cr_section *s)
{
	return is_for_models(s) || (s->version == CR_SECTION_TICKS && may_be_modelled(s));
}

int
cr_opening_section(const struct cr_opening *o, enum cr_section_id id, const struct cr_section **out,
	struct cr_err *err)
{
	const struct cr_section *s = *out = cr_directory_find(&o->dir, id);
	const struct cr_layout *lay = cr_layout_of(id);

	if (!s)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "section '%s' is not in the store",
			lay->name);
	if (s->version > cr_layout_version(id))
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"section '%s' was written by a newer cresset (version %u, this one reads "
			"%u)",
			lay->name, s->version, cr_layout_version(id));
	if (!cr_layout_has_version(id, s->version))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"section '%s' has version %u, which does not exist", lay->name, s->version);
	if (is_for_models(s) && !may_be_modelled(s))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"section '%s' has %llu rows in %u blocks, more than version %u allows",
			lay->name, (unsigned long long)s->rows, s->n_blocks, s->version);
	if (s->rows >= UINT32_MAX && !lay->many)
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET, "section '%s' has %llu rows",
			lay->name, (unsigned long long)s->rows);
	return CR_OK;
}

const struct cr_block *
cr_opening_block(const struct cr_opening *o, const struct cr_section *s, uint32_t number)
{
	return &o->dir.blocks[s->first_block + number];
}

int
cr_opening_damaged(
	const struct cr_section *s, const struct cr_block *b, const char *how, struct cr_err *err)
{
	return cr_fail(err, CR_EFORMAT, b->offset, "section '%s' is damaged: %s",
		cr_layout_of(s->id)->name, how);
}

void
cr_opening_lose(struct cr_opening *o, const char *part, const struct cr_err *err)
{
	struct cr_arena *a = &o->p->arena;
	struct cr_text t = {0};

	cr_log_warn(o->log, "part of the store lost", err->offset, "%s lost: %s", part, err->text);
	cr_text_printf(&t, "%s lost: %s", part, err->text);
	if (err->offset != CR_NO_OFFSET)
		cr_text_printf(&t, " at offset %llu", (unsigned long long)err->offset);
	cr_vec_push(&o->lost,
		((struct cr_quality){{cr_arena_copy(a, t.p, t.len), (uint32_t)t.len}, 1}));
	o->p->flags |= CR_PROFILE_IN_PART;
	cr_text_fini(&t);
}

static int
check_sum(const struct cr_opening *o, const struct cr_section *s, uint32_t number,
	const void *stored, struct cr_err *err)
{
	const struct cr_block *b = cr_opening_block(o, s, number);
	const char *name =
		s->id < CR_SECTIONS && s->id ? cr_layout_of(s->id)->name : "of a later version";

	if (o->unchecked || cr_block_sum(stored, b, s->id, number) == b->sum)
		return CR_OK;
	return cr_fail(
		err, CR_EFORMAT, b->offset, "section '%s' is damaged: the checksum is off", name);
}

int
cr_opening_check(
	const struct cr_opening *o, const struct cr_section *s, uint32_t number, struct cr_err *err)
{
	return check_sum(o, s, number, o->bytes + cr_opening_block(o, s, number)->offset, err);
}

/* ---- reading one block, in any thread */

struct cr_opening_scratch {
	struct cr_unpacker *unpacker;
	struct cr_buf stored, raw;
	uint64_t *values; /* of one column of a block */
	void *items;      /* the same as items of the column, for a file; NULL until needed */
	uint32_t most;    /* rows that there is room for */
};

/* Buffers for any block of a section, no larger: most sections are small. */
static void
scratch_init(struct cr_opening_scratch *w, const struct cr_opening *o, const struct cr_section *s)
{
	uint32_t most = 1;

	for (uint32_t k = 0; k < s->n_blocks; k++)
		most = CR_MAX(most, cr_opening_block(o, s, k)->rows);
	*w = (struct cr_opening_scratch){
		.unpacker = cr_unpacker_new(),
		.values = cr_alloc(most, sizeof(*w->values)),
		.most = most,
	};
}

static void
scratch_fini(struct cr_opening_scratch *w)
{
	cr_unpacker_free(w->unpacker);
	free(w->stored.p);
	free(w->raw.p);
	free(w->values);
	free(w->items);
}

/*
 * Copy the stored bytes to our memory and check the copy: a file changed by another process cannot
 * differ between check and use.
 */
static int
block_copy(const struct cr_opening *o, const struct cr_section *s, uint32_t number,
	struct cr_opening_scratch *w, struct cr_err *err)
{
	const struct cr_block *b = cr_opening_block(o, s, number);

	w->stored.n = 0;
	cr_buf_put(&w->stored, o->bytes + b->offset, b->stored_bytes);
	return check_sum(o, s, number, w->stored.p, err);
}

static void
cursor_start(struct cr_cursor *out, const void *p, size_t len)
{
	cr_cursor_init(out, p, len);
	out->swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

/* Read, check and unpack a block of a table; borrowed until the next call. */
int
cr_opening_block_bytes(const struct cr_opening *o, const struct cr_section *s, uint32_t number,
	struct cr_opening_scratch *w, struct cr_cursor *out, struct cr_err *err)
{
	const struct cr_block *b = cr_opening_block(o, s, number);
	const uint64_t most =
		cr_layout_of(s->id)->n_fields * (CR_COLUMN_HEAD + 8 * (uint64_t)b->rows) +
		(s->version == CR_SECTION_STREAMS ? CR_TREE_STREAMS_HEAD + b->rows : 0) +
		(s->version == CR_SECTION_TICKS ? CR_COLUMN_TICKS : 0);
	int rc;

	if (b->raw_bytes > most)
		return cr_opening_damaged(s, b, "a block is larger than its rows", err);
	if ((rc = block_copy(o, s, number, w, err)) < 0)
		return rc;
	if (b->raw_bytes == b->stored_bytes) {
		cursor_start(out, w->stored.p, b->raw_bytes);
		return CR_OK;
	}
	w->raw.n = 0;
	cr_buf_grow(&w->raw, b->raw_bytes);
	cursor_start(out, w->raw.p, b->raw_bytes);
	return cr_unpacker_unpack(w->unpacker, w->stored.p, b, w->raw.p, err);
}

int
cr_opening_texts(struct cr_opening *o, const struct cr_section *s, uint32_t number,
	struct cr_cursor *out, struct cr_err *err)
{
	const struct cr_block *b = cr_opening_block(o, s, number);
	struct cr_opening_scratch w = {.unpacker = cr_unpacker_new()};
	unsigned char *p;
	int rc = block_copy(o, s, number, &w, err);

	if (rc < 0)
		goto out;
	p = cr_opening_room(o, b->raw_bytes, 1, err);
	if (!p) {
		rc = err->code;
		goto out;
	}
	rc = s->version == CR_SECTION_PHRASES
		     ? cr_unpacker_unpack_texts(w.unpacker, w.stored.p, b, p, err)
		     : cr_unpacker_unpack(w.unpacker, w.stored.p, b, p, err);
	cursor_start(out, p, b->raw_bytes);
out:
	scratch_fini(&w);
	return rc;
}

/* The largest value that a column allows; false if it allows none. */
static bool
field_most(const struct cr_opening *o, const struct cr_column_field *f, uint64_t *most)
{
	const uint64_t bound = o->bound[f->bound];

	*most = f->bound != CR_BOUND_NONE ? bound - 1
		: f->size == 8            ? UINT64_MAX
					  : ((uint64_t)1 << (8 * f->size)) - 1;
	return f->bound == CR_BOUND_NONE || bound > 0;
}

/* Undo the writer's conversion, and check that every value is allowed. */
static bool
decode(const struct cr_opening *o, const struct cr_column_field *f, uint64_t row, uint64_t *v,
	uint32_t n)
{
	const uint64_t bound = o->bound[f->bound];
	uint64_t most;
	bool out = !field_most(o, f, &most) && f->sense != CR_SENSE_OR_NONE;

	if (f->sense == CR_SENSE_BACK)
		for (uint32_t i = 0; i < n; i++)
			v[i] = row + i - v[i];
	if (f->sense == CR_SENSE_OR_NONE) {
		for (uint32_t i = 0; i < n; i++) {
			out |= v[i] > bound;
			v[i]--; /* 0, which means none, becomes CR_NO_ROW in 32 bits */
		}
		return !out;
	}
	for (uint32_t i = 0; i < n; i++)
		out |= v[i] > most;
	return !out;
}

#define SCATTER_BY(type, stride)                         \
	for (uint32_t i = 0; i < n; i++) {               \
		const type x = (type)v[i];               \
		memcpy(p + i * (stride), &x, sizeof(x)); \
	}
/* Written twice, so that the compiler recognises the contiguous case. */
#define SCATTER(type)                          \
	if (stride == sizeof(type))            \
		SCATTER_BY(type, sizeof(type)) \
	else                                   \
		SCATTER_BY(type, stride)

static void
scatter(const struct cr_opening *o, const struct cr_column_field *f, const uint64_t *v,
	unsigned char *p, size_t stride, uint32_t n)
{
	if (f->sense == CR_SENSE_STRING) {
		const struct cr_str *pool = f->bound == CR_BOUND_SOURCES ? o->sources : o->strings;

		for (uint32_t i = 0; i < n; i++)
			memcpy(p + i * stride, &pool[v[i]], sizeof(*pool));
		return;
	}
	switch (f->size) {
	case 1: SCATTER(uint8_t); break;
	case 2: SCATTER(uint16_t); break;
	case 4: SCATTER(uint32_t); break;
	default: SCATTER(uint64_t); break;
	}
}

/* A table being read from its blocks. */
struct reading {
	const struct cr_opening *o;
	const struct cr_section *s;
	void *const *bases;
	const uint64_t *first_row;    /* by block; NULL: a single block, written to the start */
	const uint8_t *want;          /* by block; NULL: all */
	struct cr_column_span *spans; /* by block, of the only column; NULL: not requested */
	int file1;                    /* descriptor, + 1, of the only column's file; 0: none */
	atomic_uint next;
	pthread_mutex_t lock; /* protects the following */
	uint32_t bad;         /* first bad block; n_blocks if none */
	struct cr_err err;    /* error of that block */
};

/*
 * Map fresh pages in one call, since a fault for each costs as much as filling it. Older kernels
 * ignore the request.
 */
static void
pages_expect(unsigned char *p, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t start = (uintptr_t)p & ~(page - 1),
			end = ((uintptr_t)p + bytes + page - 1) & ~(page - 1);

	if (bytes >= 16 * page)
		madvise((void *)start, end - start, MADV_POPULATE_WRITE);
#else
	(void)p;
	(void)bytes;
#endif
}

/* Write all of it; false if that fails. */
static bool
write_at(int fd, const unsigned char *p, size_t n, uint64_t at)
{
	while (n) {
		const ssize_t wrote = pwrite(fd, p, n, (off_t)at);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return false;
		p += wrote;
		n -= (size_t)wrote;
		at += (uint64_t)wrote;
	}
	return true;
}

static uint64_t
row_of(const struct reading *r, uint32_t number)
{
	return r->first_row ? r->first_row[number] : 0;
}

/*
 * Where the values of a block are decoded: its place in the table, or a buffer that is written to
 * the file. To touch the pages of a file through its mapping costs twice as much as decoding.
 */
static unsigned char *
place_of(const struct reading *r, unsigned char *items, size_t bytes, struct cr_opening_scratch *w)
{
	if (!r->file1) {
		pages_expect(items, bytes);
		return items;
	}
	if (!w->items)
		w->items = cr_alloc(w->most, sizeof(uint64_t));
	return w->items;
}

/* The values of a block, `bytes` at p, are decoded. */
static void
block_placed(const struct reading *r, unsigned char *items, const unsigned char *p, size_t bytes)
{
	const uint64_t at = (uint64_t)(items - (unsigned char *)r->bases[0]);

	if (!r->file1 || write_at(r->file1 - 1, p, bytes, at))
		return;
	memcpy(items, p, bytes);
	cr_mapping_done(r->bases[0], at, at + bytes);
}

static bool
is_modelled(const struct reading *r, const struct cr_cursor *c)
{
	return has_models(r->s) && cr_modelled_is_next(c) &&
	       cr_modelled_version(c) <= r->s->version;
}

/* Read a block of another column of the samples, to which the weights refer. NULL if that fails. */
static void *
side_read(const struct reading *r, enum cr_sample_column c, uint32_t number)
{
	const uint32_t rows = cr_opening_block(r->o, r->s, number)->rows;
	struct cr_opening_scratch *w;
	struct cr_err ignored = CR_ERR_INIT; /* told when the column is read */
	const struct cr_section *s;
	void *items;

	if (cr_opening_section(r->o, (enum cr_section_id)(CR_SECTION_COLUMN + c), &s, &ignored) <
			0 ||
		number >= s->n_blocks || cr_opening_block(r->o, s, number)->rows != rows)
		return NULL;
	items = cr_alloc(CR_MAX(rows, 1u), cr_sample_column_bytes(c));
	w = cr_opening_scratch_new(r->o, s);
	if (cr_opening_column_block(r->o, s, number, items, w, &ignored) < 0) {
		free(items);
		items = NULL;
	}
	cr_opening_scratch_free(w);
	return items;
}

static bool
weights_read(const struct reading *r, uint32_t number, uint64_t *v, struct cr_cursor *c)
{
	void *times = side_read(r, CR_SAMPLE_TIME, number);
	void *tasks = times ? side_read(r, CR_SAMPLE_TASK, number) : NULL;
	void *cpus = tasks ? side_read(r, CR_SAMPLE_CPU, number) : NULL;
	void *events = cpus ? side_read(r, CR_SAMPLE_EVENT, number) : NULL;
	const struct cr_weight_sides samples = {times, tasks, cpus, events};
	const bool good =
		events && cr_modelled_read(c, v, cr_opening_block(r->o, r->s, number)->rows,
				  &(struct cr_modelled_sides){.samples = &samples});

	free(times);
	free(tasks);
	free(cpus);
	free(events);
	return good;
}

/* before: where the items of the column before are, if they have the same size. */
static enum cr_column_result
modelled_read(const struct reading *r, const struct cr_column_field *f, uint32_t number,
	uint64_t most, unsigned char *p, const unsigned char *before, struct cr_cursor *c,
	struct cr_opening_scratch *w)
{
	const uint32_t rows = cr_opening_block(r->o, r->s, number)->rows;
	uint64_t *v = f->size == sizeof(*v) ? (uint64_t *)(void *)p : w->values;
	const struct cr_modelled_sides sides = {.before = (const uint32_t *)(const void *)before};
	const bool is_weights =
		r->s->id == CR_SECTION_COLUMN + CR_SAMPLE_WEIGHT && cr_modelled_needs_samples(c);

	if (!(is_weights ? weights_read(r, number, v, c) : cr_modelled_read(c, v, rows, &sides)))
		return CR_COLUMN_BAD;
	return cr_column_narrow(p, f->size, v, rows, most) ? CR_COLUMN_GOOD : CR_COLUMN_OUT;
}

/* Times are of 64 bits and may have any value. */
static enum cr_column_result
ticks_read(unsigned char *p, uint32_t rows, struct cr_cursor *c)
{
	return cr_column_read_ticks(c, (uint64_t *)(void *)p, rows) ? CR_COLUMN_GOOD
								    : CR_COLUMN_BAD;
}

/* Read a column of plain values. */
static enum cr_column_result
array_read(const struct reading *r, const struct cr_column_field *f, uint32_t number, uint64_t most,
	unsigned char *items, const unsigned char *before, struct cr_cursor *c,
	struct cr_opening_scratch *w)
{
	const size_t size = f->size;
	const uint32_t rows = cr_opening_block(r->o, r->s, number)->rows;
	unsigned char *p = place_of(r, items, rows * size, w);
	const enum cr_column_result got =
		is_modelled(r, c) ? modelled_read(r, f, number, most, p, before, c, w)
		: r->s->version == CR_SECTION_TICKS && cr_column_is_ticks(c)
			? ticks_read(p, rows, c)
			: cr_column_read_array(c, p, size, rows, most, w->values);

	if (r->spans)
		r->spans[number] = cr_column_span_of(p, size, rows);
	if (got == CR_COLUMN_GOOD)
		block_placed(r, items, p, rows * size);
	return got;
}

/* Read a column of other values. */
static enum cr_column_result
values_read(const struct reading *r, const struct cr_column_field *f, uint32_t number,
	unsigned char *items, size_t stride, struct cr_cursor *c, struct cr_opening_scratch *w)
{
	const uint32_t rows = cr_opening_block(r->o, r->s, number)->rows;
	unsigned char *p;

	if (!(is_modelled(r, c) ? cr_modelled_read(c, w->values, rows, NULL)
				: cr_column_read(c, w->values, rows)))
		return CR_COLUMN_BAD;
	if (rows && !decode(r->o, f, row_of(r, number), w->values, rows))
		return CR_COLUMN_OUT;
	if (!r->file1) {
		scatter(r->o, f, w->values, items, stride, rows);
		return CR_COLUMN_GOOD;
	}
	p = place_of(r, items, rows * stride, w);
	scatter(r->o, f, w->values, p, stride, rows);
	block_placed(r, items, p, rows * stride);
	return CR_COLUMN_GOOD;
}

/* Read a column of a block from c. */
static int
field_read(const struct reading *r, const struct cr_column_field *f, uint32_t number,
	unsigned char *items, size_t stride, const unsigned char *before, struct cr_cursor *c,
	struct cr_opening_scratch *w, struct cr_err *err)
{
	const struct cr_block *b = cr_opening_block(r->o, r->s, number);
	enum cr_column_result got;
	uint64_t most, same;

	if (f->sense == CR_SENSE_VALUE && stride == f->size && f->size > 1 && b->rows &&
		field_most(r->o, f, &most)) {
		/* Fresh memory is 0 already, and stays unmapped if untouched. */
		if (cr_column_is_constant(c, &same) && same == 0) {
			cr_cursor_skip(c, CR_COLUMN_HEAD);
			if (r->spans)
				r->spans[number] = (struct cr_column_span){0, 0};
			return CR_OK;
		}
		got = array_read(r, f, number, most, items, before, c, w);
	} else {
		got = values_read(r, f, number, items, stride, c, w);
	}
	if (got == CR_COLUMN_GOOD)
		return CR_OK;
	return cr_opening_damaged(r->s, b,
		got == CR_COLUMN_BAD ? "a column ends early" : "a value is out of range", err);
}

static int
block_read(
	const struct reading *r, uint32_t number, struct cr_opening_scratch *w, struct cr_err *err)
{
	const struct cr_layout *lay = cr_layout_of(r->s->id);
	const uint64_t row = row_of(r, number);
	const unsigned char *before = NULL;
	struct cr_cursor c;
	int rc;

	if ((rc = cr_opening_block_bytes(r->o, r->s, number, w, &c, err)) < 0)
		return rc;
	for (uint32_t k = 0; k < lay->n_fields; k++) {
		const struct cr_column_field *f = &lay->fields[k];
		const size_t stride = lay->row_bytes ? lay->row_bytes : f->size;
		unsigned char *base = r->bases[lay->row_bytes ? 0 : k];

		if ((rc = field_read(r, f, number, base + row * stride + f->offset, stride, before,
			     &c, w, err)) < 0)
			return rc;
		before =
			!lay->row_bytes && f->size == sizeof(uint32_t) ? base + row * stride : NULL;
	}
	if (cr_cursor_left(&c))
		return cr_opening_damaged(r->s, cr_opening_block(r->o, r->s, number),
			"bytes behind the last column", err);
	return CR_OK;
}

/*
 * Process blocks until none is left. Keep the error of the first bad block, whichever thread finds
 * it.
 */
static void
read_blocks(struct cr_thread_pool *pool, void *user, uint32_t item)
{
	struct reading *r = user;
	struct cr_opening_scratch w;

	(void)pool;
	(void)item;
	scratch_init(&w, r->o, r->s);
	for (uint32_t k; (k = atomic_fetch_add(&r->next, 1)) < r->s->n_blocks;) {
		struct cr_err err = CR_ERR_INIT;

		if ((r->want && !r->want[k]) || block_read(r, k, &w, &err) == CR_OK)
			continue;
		pthread_mutex_lock(&r->lock);
		if (k < r->bad) {
			r->bad = k;
			r->err = err;
		}
		pthread_mutex_unlock(&r->lock);
		break;
	}
	scratch_fini(&w);
}

#define BLOCKS_PER_THREAD 4u /* fewer blocks are not worth starting a thread */

static int
table_fill(struct cr_opening *o, struct reading *r, struct cr_err *err)
{
	const struct cr_section *s = r->s;
	uint64_t *first_row = cr_alloc(s->n_blocks + 1, sizeof(*first_row)), bytes = 0;
	struct cr_thread_pool pool = {.work = read_blocks, .user = r};

	for (uint32_t k = 0; k < s->n_blocks; k++) {
		first_row[k + 1] = first_row[k] + cr_opening_block(o, s, k)->rows;
		bytes += cr_opening_block(o, s, k)->stored_bytes;
	}
	r->o = o;
	r->first_row = first_row;
	r->bad = s->n_blocks;
	pthread_mutex_init(&r->lock, NULL);
	pool.items =
		CR_MAX(CR_MIN(cr_thread_pool_processors(), s->n_blocks / BLOCKS_PER_THREAD), 1u);
	if (s->n_blocks)
		cr_thread_pool_run(&pool);
	pthread_mutex_destroy(&r->lock);
	if (o->src && s->n_blocks)
		cr_source_done(o->src, cr_opening_block(o, s, 0)->offset,
			cr_opening_block(o, s, 0)->offset + bytes);
	free(first_row);
	if (r->bad == s->n_blocks)
		return CR_OK;
	*err = r->err;
	return err->code;
}

/* Read a table into bases, which have room for s->rows rows. */
static int
table_read(struct cr_opening *o, const struct cr_section *s, void *const *bases, struct cr_err *err)
{
	struct reading r = {.s = s, .bases = bases};

	return table_fill(o, &r, err);
}

int
cr_opening_column(struct cr_opening *o, const struct cr_section *s, void *array, int file1,
	const uint8_t *want, struct cr_column_span *spans, struct cr_err *err)
{
	struct reading r = {.s = s, .bases = &array, .want = want, .spans = spans, .file1 = file1};

	return table_fill(o, &r, err);
}

struct cr_opening_scratch *
cr_opening_scratch_new(const struct cr_opening *o, const struct cr_section *s)
{
	struct cr_opening_scratch *w = cr_alloc(1, sizeof(*w));

	scratch_init(w, o, s);
	return w;
}

void
cr_opening_scratch_free(struct cr_opening_scratch *w)
{
	scratch_fini(w);
	free(w);
}

int
cr_opening_column_block(const struct cr_opening *o, const struct cr_section *s, uint32_t number,
	void *array, struct cr_opening_scratch *w, struct cr_err *err)
{
	const struct reading r = {.o = o, .s = s, .bases = &array};

	memset(array, 0,
		(size_t)cr_opening_block(o, s, number)->rows * cr_layout_of(s->id)->fields[0].size);
	return block_read(&r, number, w, err);
}

int
cr_opening_constant(const struct cr_opening *o, const struct cr_section *s, uint32_t number,
	bool *is, uint64_t *value, struct cr_err *err)
{
	struct cr_opening_scratch w = {.unpacker = cr_unpacker_new()};
	struct cr_cursor c;
	int rc;

	rc = cr_opening_block_bytes(o, s, number, &w, &c, err);
	*is = rc == CR_OK && cr_column_is_constant(&c, value);
	scratch_fini(&w);
	return rc;
}

void *
cr_opening_structs(struct cr_opening *o, enum cr_section_id id, uint32_t *n, struct cr_err *err)
{
	const struct cr_section *s;
	void *rows;

	*n = 0;
	if (cr_opening_section(o, id, &s, err) < 0)
		return NULL;
	rows = cr_opening_room(o, s->rows, cr_layout_of(id)->row_bytes, err);
	if (!rows || table_read(o, s, &rows, err) < 0)
		return NULL;
	*n = (uint32_t)s->rows;
	return rows;
}

int
cr_opening_fields(
	struct cr_opening *o, enum cr_section_id id, void *rows, uint32_t n, struct cr_err *err)
{
	const struct cr_section *s;
	int rc;

	if ((rc = cr_opening_section(o, id, &s, err)) < 0)
		return rc;
	if (s->rows != n)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "section '%s' has %llu rows, not %u",
			cr_layout_of(id)->name, (unsigned long long)s->rows, n);
	return table_read(o, s, &rows, err);
}

static int
arrays_read(struct cr_opening *o, enum cr_section_id id,
	void *(*room)(struct cr_opening *o, uint64_t count, size_t size, struct cr_err *err),
	void **bases, uint64_t *n, struct cr_err *err)
{
	const struct cr_layout *lay = cr_layout_of(id);
	const struct cr_section *s;
	int rc;

	*n = 0;
	memset(bases, 0, lay->n_fields * sizeof(*bases));
	if ((rc = cr_opening_section(o, id, &s, err)) < 0)
		return rc;
	for (uint32_t k = 0; k < lay->n_fields; k++) {
		bases[k] = room(o, s->rows, lay->fields[k].size, err);
		if (!bases[k])
			return err->code;
	}
	*n = s->rows;
	return table_read(o, s, bases, err);
}

int
cr_opening_arrays(
	struct cr_opening *o, enum cr_section_id id, void **bases, uint64_t *n, struct cr_err *err)
{
	return arrays_read(o, id, cr_opening_room, bases, n, err);
}

int
cr_opening_arrays_heap(
	struct cr_opening *o, enum cr_section_id id, void **bases, uint64_t *n, struct cr_err *err)
{
	return arrays_read(o, id, cr_opening_heap, bases, n, err);
}
