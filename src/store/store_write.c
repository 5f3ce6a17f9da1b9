#include "store/store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "file_lock_p.h"
#include "model/columns.h"
#include "model/tree/tree_ahead.h"
#include "packing_p.h"
#include "proven_p.h"
#include "seams_p.h"
#include "store/format/directory_p.h"
#include "store/format/layout_p.h"
#include "store/format/ticks_p.h"
#include "store/format/tree_code_p.h"
#include "store/format/tree_streams_p.h"
#include "store/format/value_p.h"

#define STRING_BLOCK_BYTES ((size_t)4 << 20)
#define LARGE_NODES ((uint32_t)2 << 20)
#define MANY_FUNCTIONS ((uint32_t)1 << 19) /* no program has so many, but a made-up text */
#define CUT_ROWS 8192u /* planes of fewer bytes are too small for codes of their own */
#define TICK_ROWS 64u  /* fewer times are not worth the head of their ticks */
#define TABLE_LEVEL 6  /* trees and locations become 5 % smaller */
#define STREAM_LEVEL 1 /* the streams of a tree have little to repeat */
#define TIME_LEVEL 1   /* as small as at level 3, give or take 1 %, in half the time */
#define TEXT_LEVEL 9   /* names of C++ templates become a quarter smaller than at level 3 */

/* Distinct strings, by number; the profile owns their bytes. */
struct pool {
	struct cr_index index;
	CR_VEC(struct cr_str) rows;
};

struct writer {
	struct cr_atomic_file file;
	uint64_t at; /* number of bytes written so far */
	uint32_t group_rows;
	struct cr_packing *packing;
	int level; /* for samples and values, which may be very many */
	int table_level, text_level;
	struct cr_buf raw;      /* the block being built */
	struct cr_cuts cuts;    /* of raw */
	struct cr_buf modelled; /* the same with columns of modelled_p.h, if any_modelled */
	bool any_modelled;
	bool small;       /* the profile is: modelling its columns takes some milliseconds */
	uint64_t *values; /* buffer for one of its columns */
	uint64_t tick;    /* that the times of a large profile are of, see ticks_p.h; 0: none */
	CR_VEC(struct cr_section) sections;
	CR_VEC(struct cr_block) blocks;
	struct pool strings;          /* strings of the tables */
	struct pool sources;          /* strings of codes and source lines only */
	struct cr_stored_zone *zones; /* by block of the samples */
};

static int
write_all(struct writer *w, const void *bytes, size_t len, struct cr_err *err)
{
	w->at += len;
	return cr_atomic_write(&w->file, bytes, len, err);
}

static void
section_begin(struct writer *w, enum cr_section_id id)
{
	const struct cr_section s = {
		.id = id,
		.version = CR_SECTION_VERSION,
		.first_block = (uint32_t)w->blocks.n,
	};

	cr_vec_push(&w->sections, s);
}

/* Write blocks whose compression is due; `all`: every block. */
static int
blocks_write(struct writer *w, bool all, struct cr_err *err)
{
	const struct cr_packed *packed;
	int rc = CR_OK;

	while (rc == CR_OK && (packed = cr_packing_take(w->packing, all))) {
		struct cr_block *b = &w->blocks.p[packed->row];
		/* The section of the block is one of the last, since few blocks wait. */
		struct cr_section *s = &w->sections.p[w->sections.n - 1];

		while (packed->row < s->first_block)
			s--;
		s->version = CR_MAX(s->version, packed->version);
		b->offset = w->at;
		b->raw_bytes = (uint32_t)packed->raw_bytes;
		b->stored_bytes = (uint32_t)packed->stored_bytes;
		b->sum = cr_block_sum(packed->stored, b, s->id, packed->row - s->first_block);
		rc = write_all(w, packed->stored, packed->stored_bytes, err);
	}
	return rc;
}

/* Make w->raw the next block of the current section. */
static int
block_put_at(struct writer *w, int level, uint32_t rows, struct cr_err *err)
{
	struct cr_section *s = &w->sections.p[w->sections.n - 1];
	const struct cr_block b = {.rows = rows};

	if (w->raw.n > CR_BLOCK_RAW_MAX)
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"a block of %zu bytes is more than a store can hold", w->raw.n);
	if (!w->any_modelled)
		w->modelled.n = 0;
	w->any_modelled = false;
	if (level && cr_layout_of((enum cr_section_id)s->id)->phrases) {
		s->version = CR_SECTION_PHRASES;
		cr_packing_give_texts(w->packing, &w->raw, level, (uint32_t)w->blocks.n);
	} else {
		cr_packing_give(
			w->packing, &w->raw, &w->cuts, &w->modelled, level, (uint32_t)w->blocks.n);
	}
	cr_vec_push(&w->blocks, b);
	s->n_blocks++;
	s->rows += rows;
	return blocks_write(w, false, err);
}

static int
block_put(struct writer *w, uint32_t rows, struct cr_err *err)
{
	return block_put_at(w, w->level, rows, err);
}

static uint32_t
string_row(struct pool *pool, struct cr_str s)
{
	const uint64_t h = cr_hash(s.p, s.len);
	uint32_t row;

	cr_index_each(&pool->index, h, row)
		if (cr_str_eq(pool->rows.p[row], s))
			return row;
	row = (uint32_t)pool->rows.n;
	cr_vec_push(&pool->rows, s);
	cr_index_add(&pool->index, h, row);
	return row;
}

static void
pool_fini(struct pool *pool)
{
	cr_index_fini(&pool->index);
	cr_vec_fini(&pool->rows);
}

#define GATHER(type)                                   \
	for (uint32_t i = 0; i < n; i++) {             \
		type x;                                \
		memcpy(&x, p + i * stride, sizeof(x)); \
		v[i] = x;                              \
	}

/* Collect n values of a column, starting at p, stride bytes apart, as 64-bit numbers. */
static void
gather(struct writer *w, const struct cr_column_field *f, const unsigned char *p, size_t stride,
	uint32_t n)
{
	uint64_t *v = w->values;

	if (f->sense == CR_SENSE_STRING) {
		for (uint32_t i = 0; i < n; i++) {
			struct cr_str s;

			memcpy(&s, p + i * stride, sizeof(s));
			v[i] = string_row(
				f->bound == CR_BOUND_SOURCES ? &w->sources : &w->strings, s);
		}
		return;
	}
	switch (f->size) {
	case 1: GATHER(uint8_t); break;
	case 2: GATHER(uint16_t); break;
	case 4: GATHER(uint32_t); break;
	default: GATHER(uint64_t); break;
	}
}

static void
encode(const struct cr_column_field *f, uint64_t row, uint64_t *v, uint32_t n)
{
	if (f->sense == CR_SENSE_BACK)
		for (uint32_t i = 0; i < n; i++)
			v[i] = row + i - v[i];
	if (f->sense == CR_SENSE_OR_NONE)
		for (uint32_t i = 0; i < n; i++)
			v[i] = (uint32_t)(v[i] + 1);
}

/* True if the columns of a table of so many rows are modelled where that takes less space. */
static bool
may_model(const struct writer *w, const struct cr_layout *lay, uint64_t rows)
{
	return w->small && lay->modelled && rows <= CR_MODELLED_ROWS &&
	       rows / w->group_rows < CR_MODELLED_BLOCKS;
}

/* How a column is written, in a block and in its modelled form. */
struct column_how {
	enum cr_coding coding;
	bool model;
	enum cr_modelled modelled;
	struct cr_modelled_sides sides;
};

/* Append w->values, which are lost, as a column to the block and to its modelled form. */
static void
column_put(struct writer *w, uint32_t n, const struct column_how *how)
{
	const bool modelled = how->model && cr_modelled_write(&w->modelled, w->values, n,
						    how->modelled, &how->sides);
	const size_t at = w->raw.n;

	cr_column_write(&w->raw, w->values, n, how->coding);
	for (size_t plane = at + CR_COLUMN_HEAD; n >= CUT_ROWS && plane < w->raw.n; plane += n)
		cr_cuts_add(&w->cuts, plane + n);
	w->any_modelled |= modelled;
	if (how->model && !modelled)
		cr_buf_put(&w->modelled, w->raw.p + at, w->raw.n - at);
}

/* Write a block of rows. at: its first row among the structs, or in the array of each column. */
static int
rows_write(struct writer *w, const struct cr_layout *lay, uint64_t row, uint32_t n, bool model,
	const void *const *at, struct cr_err *err)
{
	for (uint32_t k = 0; k < lay->n_fields; k++) {
		const struct cr_column_field *f = &lay->fields[k];
		const size_t stride = lay->row_bytes ? lay->row_bytes : f->size;
		const unsigned char *first = at[lay->row_bytes ? 0 : k];
		struct column_how how = {f->coding, model, f->modelled, {0}};

		gather(w, f, first + f->offset, stride, n);
		encode(f, row, w->values, n);
		if (f->modelled == CR_MODELLED_ENDS)
			how.sides.before = at[k - 1];
		column_put(w, n, &how);
	}
	return block_put_at(w, w->table_level, n, err);
}

/* bases: the array of structs, or one array for each column. */
static int
table_write(struct writer *w, enum cr_section_id id, uint64_t rows, const void *const *bases,
	struct cr_err *err)
{
	const struct cr_layout *lay = cr_layout_of(id);
	const bool model = may_model(w, lay, rows);
	const void *at[CR_LAYOUT_ARRAYS];
	int rc = CR_OK;

	assert(lay->row_bytes || lay->n_fields <= CR_LAYOUT_ARRAYS);
	section_begin(w, id);
	for (uint64_t row = 0; row < rows && rc == CR_OK; row += w->group_rows) {
		const uint32_t n = (uint32_t)CR_MIN(rows - row, w->group_rows);

		for (uint32_t k = 0; k < (lay->row_bytes ? 1 : lay->n_fields); k++)
			at[k] = (const unsigned char *)bases[k] +
				row * (lay->row_bytes ? lay->row_bytes : lay->fields[k].size);
		rc = rows_write(w, lay, row, n, model, at, err);
	}
	return rc;
}

static void
zone_take(struct cr_stored_zone *z, enum cr_sample_column c, const uint64_t *v, uint32_t n)
{
	z->least[c] = UINT64_MAX;
	for (uint32_t i = 0; i < n; i++) {
		z->least[c] = CR_MIN(z->least[c], v[i]);
		z->most[c] = CR_MAX(z->most[c], v[i]);
	}
}

/*
 * Append w->values, times, as ticks. The size of a tick is that of the first block, since finding
 * it takes some milliseconds.
 */
static bool
times_put(struct writer *w, uint64_t row, uint32_t n)
{
	const size_t at = w->raw.n;

	if (row == 0)
		w->tick = cr_ticks_find(w->values, n);
	if (!w->tick || n < TICK_ROWS || !cr_column_write_ticks(&w->raw, w->values, n, w->tick))
		return false;
	for (size_t end = at + (w->raw.n - at) % n + n; n >= CUT_ROWS && end < w->raw.n; end += n)
		cr_cuts_add(&w->cuts, end);
	w->sections.p[w->sections.n - 1].version = CR_SECTION_TICKS;
	return true;
}

/* Write a column of the samples, and drop its pages after use. */
static int
column_write(struct writer *w, const struct cr_samples *s, enum cr_sample_column c,
	const unsigned char *base, struct cr_err *err)
{
	const enum cr_section_id id = (enum cr_section_id)(CR_SECTION_COLUMN + c);
	const struct cr_column_field *f = cr_layout_of(id)->fields;
	const bool model = may_model(w, cr_layout_of(id), s->n);
	int rc = CR_OK;

	section_begin(w, id);
	for (uint64_t row = 0; row < s->n && rc == CR_OK; row += w->group_rows) {
		const uint32_t n = (uint32_t)CR_MIN(s->n - row, w->group_rows);
		const struct cr_weight_sides sides = {
			s->time_ns + row, s->task + row, s->cpu + row, s->event + row};

		gather(w, f, base + row * f->size, f->size, n);
		zone_take(&w->zones[row / w->group_rows], c, w->values, n);
		if (model || c != CR_SAMPLE_TIME || !times_put(w, row, n))
			column_put(w, n,
				&(struct column_how){
					f->coding, model, f->modelled, {.samples = &sides}});
		rc = block_put_at(
			w, c == CR_SAMPLE_TIME ? CR_MIN(w->level, TIME_LEVEL) : w->level, n, err);
		if (s->filed >> c & 1)
			cr_mapping_done(base, row * f->size, (row + n) * f->size);
	}
	return rc;
}

/* If a column is lost, no samples are written. */
static int
samples_write(struct writer *w, const struct cr_samples *s, struct cr_err *err)
{
	const void *const columns[CR_SAMPLE_COLUMNS] = {
		s->time_ns, s->weight, s->task, s->node, s->cpu, s->event};
	struct cr_samples all = *s;
	uint64_t n_zones;
	int rc;

	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
		if (!columns[c])
			all.n = 0;
	n_zones = (all.n + w->group_rows - 1) / w->group_rows;
	w->zones = cr_alloc(n_zones, sizeof(*w->zones));
	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
		if ((rc = column_write(w, &all, (enum cr_sample_column)c, columns[c], err)) < 0)
			return rc;
	return table_write(w, CR_SECTION_ZONES, n_zones, (const void *const[]){w->zones}, err);
}

static void
put_text(struct writer *w, struct cr_str s)
{
	cr_buf_int(&w->raw, s.len, 4);
	cr_buf_put(&w->raw, s.p, s.len);
}

static int
summary_write(struct writer *w, const struct cr_profile *p, struct cr_err *err)
{
	section_begin(w, CR_SECTION_SUMMARY);
	cr_buf_int(&w->raw, p->flags, 4);
	cr_buf_int(&w->raw, p->n_spaces, 4);
	cr_buf_int(&w->raw, p->n_facts, 4);
	for (uint32_t i = 0; i < p->n_facts; i++) {
		put_text(w, p->facts[i].key);
		put_text(w, p->facts[i].value);
	}
	cr_buf_int(&w->raw, p->n_events, 4);
	for (uint32_t i = 0; i < p->n_events; i++) {
		put_text(w, p->events[i].name);
		put_text(w, p->events[i].unit);
		cr_buf_int(&w->raw, p->events[i].samples, 8);
		cr_buf_int(&w->raw, p->events[i].weight, 8);
	}
	return block_put(w, 1, err);
}

/* Its texts are inside the section: the report of damage must not depend on another section. */
static int
quality_write(struct writer *w, const struct cr_profile *p, struct cr_err *err)
{
	int rc = CR_OK;

	section_begin(w, CR_SECTION_QUALITY);
	for (uint32_t row = 0; row < p->n_quality && rc == CR_OK; row += w->group_rows) {
		const uint32_t n = CR_MIN(p->n_quality - row, w->group_rows);

		for (uint32_t i = row; i < row + n; i++) {
			put_text(w, p->quality[i].what);
			cr_buf_int(&w->raw, p->quality[i].count, 8);
		}
		rc = block_put(w, n, err);
	}
	return rc;
}

/* A block of strings: a column of lengths, followed by the bytes. */
static int
strings_write(struct writer *w, enum cr_section_id id, const struct cr_str *strings, size_t n,
	struct cr_err *err)
{
	int rc = CR_OK;

	section_begin(w, id);
	for (size_t row = 0, next = 0; row < n && rc == CR_OK; row = next) {
		size_t bytes = 0;

		for (; next < n && next - row < w->group_rows && bytes < STRING_BLOCK_BYTES;
			next++) {
			w->values[next - row] = strings[next].len;
			bytes += strings[next].len;
		}
		cr_column_write(&w->raw, w->values, (uint32_t)(next - row), CR_CODING_PLAIN);
		for (size_t i = row; i < next; i++)
			cr_buf_put(&w->raw, strings[i].p, strings[i].len);
		rc = block_put_at(w, w->text_level, (uint32_t)(next - row), err);
	}
	return rc;
}

/* A block holds values of one field only, so that a constant field takes no space. */
static int
values_write(struct writer *w, const struct cr_field *d, bool model, struct cr_err *err)
{
	int rc = CR_OK;

	for (uint64_t row = 0; row < d->n && rc == CR_OK; row += w->group_rows) {
		const uint32_t n = (uint32_t)CR_MIN(d->n - row, w->group_rows);

		memcpy(w->values, d->value + row, n * sizeof(*w->values));
		cr_value_encode(d->form, w->values, n);
		column_put(w, n,
			&(struct column_how){
				cr_column_best(w->values, n), model, CR_MODELLED_NUMBERS, {0}});
		rc = block_put(w, n, err);
		if (d->filed)
			cr_mapping_done(
				d->value, row * sizeof(*d->value), (row + n) * sizeof(*d->value));
	}
	return rc;
}

/*
 * If the profile was opened without the values, they cannot be written; only the description of the
 * fields is.
 */
static int
fields_write(struct writer *w, const struct cr_profile *p, struct cr_err *err)
{
	const struct cr_layout *lay = cr_layout_of(CR_SECTION_VALUES);
	uint64_t rows = 0;
	bool model;
	int rc;

	for (uint32_t i = 0; i < p->n_fields && p->fields[i].value; i++)
		rows += p->fields[i].n;
	model = may_model(w, lay, rows) && rows / w->group_rows + p->n_fields < CR_MODELLED_BLOCKS;
	section_begin(w, CR_SECTION_VALUES);
	for (uint32_t i = 0; i < p->n_fields && p->fields[i].value; i++)
		if ((rc = values_write(w, &p->fields[i], model, err)) < 0)
			return rc;
	if ((rc = strings_write(w, CR_SECTION_TEXTS, p->texts, p->n_texts, err)) < 0)
		return rc;
	return table_write(
		w, CR_SECTION_FIELDS, p->n_fields, (const void *const[]){p->fields}, err);
}

/* Write `up` and `way` of each node as columns. */
static int
nodes_write_columns(struct writer *w, enum cr_section_id id, const uint32_t *parent, uint32_t n,
	bool model, const struct cr_tree_code *ways, struct cr_err *err)
{
	const struct cr_layout *lay = cr_layout_of(id);
	uint32_t *up = cr_alloc(w->group_rows, sizeof(*up)); /* of the rows of a block */
	int rc = CR_OK;

	for (uint32_t row = 0, rows; row < n && rc == CR_OK; row += rows) {
		rows = CR_MIN(n - row, w->group_rows);
		cr_tree_code_up(parent, row, rows, up);
		rc = rows_write(
			w, lay, row, rows, model, (const void *const[]){up, ways->way + row}, err);
	}
	free(up);
	return rc;
}

static int
nodes_write_streams(struct writer *w, const uint32_t *parent, const uint32_t *key, uint32_t n,
	uint32_t n_keys, const struct cr_tree_code *ways, struct cr_err *err)
{
	uint32_t *first = cr_tree_code_ways(ways, n_keys);
	struct cr_tree_streams *t = cr_tree_streams_new(first, n_keys);
	int rc = CR_OK;

	w->sections.p[w->sections.n - 1].version = CR_SECTION_STREAMS;
	for (uint32_t row = 0, rows; row < n && rc == CR_OK; row += rows) {
		rows = CR_MIN(n - row, w->group_rows);
		cr_tree_streams_write(
			t, parent, key, ways->way, row, row + rows, &w->raw, &w->cuts);
		rc = block_put_at(w, w->level ? STREAM_LEVEL : 0, rows, err);
	}
	cr_tree_streams_free(t);
	free(first);
	return rc;
}

/* Write a tree in preorder whose nodes have keys less than n_keys. */
static int
nodes_write(struct writer *w, enum cr_section_id id, enum cr_section_id ways_id,
	const uint32_t *parent, const uint32_t *key, uint32_t n, uint32_t n_keys,
	struct cr_err *err)
{
	const bool model = may_model(w, cr_layout_of(id), n);
	struct cr_tree_code ways;
	int rc;

	cr_tree_code_make(parent, key, n, n_keys, &ways);
	section_begin(w, id);
	rc = model || !cr_layout_of(id)->streams
		     ? nodes_write_columns(w, id, parent, n, model, &ways, err)
		     : nodes_write_streams(w, parent, key, n, n_keys, &ways, err);
	if (rc == CR_OK)
		rc = table_write(
			w, ways_id, ways.n, (const void *const[]){ways.from, ways.to}, err);
	cr_tree_code_fini(&ways);
	return rc;
}

static int
default_tree_write(struct writer *w, const struct cr_default_tree *o, struct cr_err *err)
{
	int rc;

	if ((rc = table_write(w, CR_SECTION_WEIGHTS, (uint64_t)o->n * o->n_events,
		     (const void *const[]){o->self, o->self_samples}, err)) < 0)
		return rc;
	if ((rc = nodes_write(w, CR_SECTION_DEFAULT_TREE_NODES, CR_SECTION_DEFAULT_TREE_WAYS,
		     o->parent, o->frame, o->n, o->n_frames, err)) < 0)
		return rc;
	return table_write(w, CR_SECTION_FRAMES, o->n_frames,
		(const void *const[]){o->frame_function, o->frame_comm}, err);
}

static int
code_write(struct writer *w, const struct cr_profile *p, struct cr_err *err)
{
	int rc;

	if ((rc = table_write(
		     w, CR_SECTION_CODES, p->n_codes, (const void *const[]){p->codes}, err)) < 0)
		return rc;
	if ((rc = table_write(w, CR_SECTION_SOURCE_LINES, p->n_source_lines,
		     (const void *const[]){p->source_lines}, err)) < 0)
		return rc;
	return strings_write(w, CR_SECTION_SOURCES, w->sources.rows.p, w->sources.rows.n, err);
}

/* Usually every file is the function's, and the section is omitted. */
static uint64_t
line_files(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_lines; i++)
		if (p->lines[i].file.len)
			return p->n_lines;
	return 0;
}

/* Only a recording with symbol tables has sizes. */
static uint64_t
function_sizes(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_functions; i++)
		if (p->functions[i].size)
			return p->n_functions;
	return 0;
}

static bool
may_be_absent(enum cr_section_id id)
{
	return id == CR_SECTION_LINE_FILES || id == CR_SECTION_FUNCTION_SIZES ||
	       id == CR_SECTION_THREADS;
}

/*
 * What is read last is written first, so that everything an opening needs is adjacent at the end of
 * the file. The strings follow all tables that use them.
 */
static int
sections_write(struct writer *w, const struct cr_profile *p, struct cr_err *err)
{
	const struct {
		enum cr_section_id id;
		uint64_t rows;
		const void *rows_at;
	} tables[] = {
		{CR_SECTION_MAPS, p->n_maps, p->maps},
		{CR_SECTION_LINE_FILES, line_files(p), p->lines},
		{CR_SECTION_LINES, p->n_lines, p->lines},
		{CR_SECTION_LOCATIONS, p->n_locations, p->locations},
		{CR_SECTION_FUNCTION_SIZES, function_sizes(p), p->functions},
		{CR_SECTION_THREADS, p->n_threads, p->threads},
		{CR_SECTION_TASKS, p->n_tasks, p->tasks},
		{CR_SECTION_FUNCTIONS, p->n_functions, p->functions},
		{CR_SECTION_DSOS, p->n_dsos, p->dsos},
	};
	int rc;

	if ((p->n_codes || p->n_source_lines) && (rc = code_write(w, p, err)) < 0)
		return rc;
	if (p->n_fields && (rc = fields_write(w, p, err)) < 0)
		return rc;
	if ((rc = samples_write(w, &p->samples, err)) < 0)
		return rc;
	/* The encoding of a large tree needs much memory, and so does making the default tree. */
	if (p->n_nodes > LARGE_NODES || p->n_functions > MANY_FUNCTIONS)
		cr_tree_ahead_wait(p);
	if ((rc = nodes_write(w, CR_SECTION_TREE_NODES, CR_SECTION_TREE_WAYS, p->node_parent,
		     p->node_location, p->n_nodes, p->n_locations, err)) < 0)
		return rc;
	for (size_t i = 0; i < CR_LEN(tables); i++)
		if ((tables[i].rows || !may_be_absent(tables[i].id)) &&
			(rc = table_write(
				 w, tables[i].id, tables[i].rows, &tables[i].rows_at, err)) < 0)
			return rc;
	cr_tree_ahead_wait(p);
	if (p->default_tree && (rc = default_tree_write(w, p->default_tree, err)) < 0)
		return rc;
	if ((rc = strings_write(w, CR_SECTION_STRINGS, w->strings.rows.p, w->strings.rows.n, err)) <
		0)
		return rc;
	if ((rc = quality_write(w, p, err)) < 0)
		return rc;
	return summary_write(w, p, err);
}

/* Memory needed to read everything: each row in memory, twice if arrays are converted. */
static uint64_t
memory_of(const struct writer *w)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < w->sections.n; i++) {
		const struct cr_section *s = &w->sections.p[i];
		const struct cr_layout *lay = cr_layout_of((enum cr_section_id)s->id);
		uint64_t row_bytes = lay->row_bytes;

		for (uint32_t k = 0; !lay->row_bytes && k < lay->n_fields; k++)
			row_bytes += lay->fields[k].size;
		bytes = cr_add_sat(bytes, 2 * row_bytes * s->rows);
		for (uint32_t k = 0; !lay->n_fields && k < s->n_blocks; k++)
			bytes = cr_add_sat(bytes, w->blocks.p[s->first_block + k].raw_bytes);
	}
	return bytes;
}

#define PADDING_BLOCK ((uint64_t)1 << 20)

/* See CR_STORE_UNPACK_RATIO. */
static int
padding_write(struct writer *w, struct cr_err *err)
{
	const uint64_t memory = memory_of(w);
	const uint64_t least = memory > CR_STORE_UNPACK_FREE
				       ? (memory - CR_STORE_UNPACK_FREE) / CR_STORE_UNPACK_RATIO
				       : 0;
	int rc = CR_OK;

	if (w->at >= least)
		return CR_OK;
	section_begin(w, CR_SECTION_PADDING);
	while (w->at < least && rc == CR_OK) {
		const size_t n = (size_t)CR_MIN(least - w->at, PADDING_BLOCK);

		memset(cr_buf_grow(&w->raw, n), 0, n);
		if ((rc = block_put_at(w, 0, 0, err)) == CR_OK)
			rc = blocks_write(w, true, err);
	}
	return rc;
}

static int
file_write(struct writer *w, const struct cr_profile *p, struct cr_err *err)
{
	const enum cr_store_format format =
		w->small ? CR_STORE_FORMAT_SHORT : CR_STORE_FORMAT_FIXED;
	struct cr_directory dir;
	int rc;

	cr_directory_head(format, &w->raw);
	rc = write_all(w, w->raw.p, w->raw.n, err);
	w->raw.n = 0;
	if (rc < 0 || (rc = sections_write(w, p, err)) < 0 ||
		(rc = blocks_write(w, true, err)) < 0 || (rc = padding_write(w, err)) < 0)
		return rc;
	dir = (struct cr_directory){
		.format = format,
		.sections = w->sections.p,
		.n_sections = (uint32_t)w->sections.n,
		.blocks = w->blocks.p,
		.n_blocks = (uint32_t)w->blocks.n,
	};
	cr_directory_write(&dir, w->at, &w->raw);
	return write_all(w, w->raw.p, w->raw.n, err);
}

/* The times of the file are the last ones only when it has its name. */
static void
remember(const struct writer *w)
{
	struct cr_proven_id id;
	struct stat st;

	if (fstat(w->file.fd, &st) == 0 && cr_proven_id_of(&st, &id))
		cr_proven_add(&id);
}

static int
writer_commit(struct writer *w, unsigned how, struct cr_err *err)
{
	const unsigned place = how & ~(unsigned)CR_STORE_REMEMBER;
	const int rc =
		place == CR_STORE_REPLACE
			? cr_file_lock_commit(&w->file, err)
			: cr_atomic_commit(&w->file,
				  place == CR_STORE_NEW ? CR_ATOMIC_NEW : CR_ATOMIC_FORCE, err);

	if (rc == CR_OK && (how & CR_STORE_REMEMBER))
		remember(w);
	return rc;
}

static int
profile_write(const char *path, const struct cr_profile *p, const struct cr_store_shape *shape,
	unsigned how, struct cr_err *err)
{
	struct writer w = {.group_rows = shape->group_rows};
	int rc;

	cr_needed(p, CR_NEEDS_ALL); /* parts that were not read would be missing in the copy */
	if ((rc = cr_atomic_open(
		     path, how & CR_STORE_PRIVATE ? 0600 : 0644, &p->access, &w.file, err)) < 0)
		return rc;
	w.packing = cr_packing_new();
	w.level = shape->level;
	w.small = shape->level && p->samples.n <= CR_MODELLED_ROWS;
	w.table_level = shape->level ? CR_MAX(shape->level, TABLE_LEVEL) : 0;
	w.text_level = shape->level ? CR_MAX(shape->level, TEXT_LEVEL) : 0;
	w.values = cr_alloc(w.group_rows, sizeof(*w.values));
	rc = file_write(&w, p, err);
	if (rc == CR_OK)
		rc = writer_commit(&w, how, err);
	cr_atomic_close(&w.file);
	cr_packing_free(w.packing);
	free(w.values);
	free(w.raw.p);
	free(w.modelled.p);
	cr_vec_fini(&w.sections);
	cr_vec_fini(&w.blocks);
	free(w.zones);
	pool_fini(&w.strings);
	pool_fini(&w.sources);
	return rc;
}

int
cr_store_write_shaped(const char *path, const struct cr_profile *p,
	const struct cr_store_shape *shape, struct cr_err *err)
{
	return profile_write(path, p, shape, CR_STORE_REPLACE, err);
}

int
cr_store_write(const char *path, const struct cr_profile *p, unsigned how, struct cr_err *err)
{
	static const struct cr_store_shape shape = CR_STORE_SHAPE_INIT;

	return profile_write(path, p, &shape, how, err);
}
