#include "opening.h"

#include <stdlib.h>
#include <string.h>

void *
cr_opening_heap(struct cr_opening *o, uint64_t count, size_t size, struct cr_err *err)
{
	uint64_t bytes;
	void *p;

	if (!cr_mul_ok(count, size, &bytes) || bytes > o->budget) {
		cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"%llu items of %zu bytes are too many for a store this small",
			(unsigned long long)count, size);
		return NULL;
	}
	o->budget -= bytes;
	p = cr_try_alloc(count, size);
	if (!p)
		cr_fail(err, CR_EMEM, CR_NO_OFFSET, "no memory for %llu items of %zu bytes",
			(unsigned long long)count, size);
	return p;
}

void *
cr_opening_room(struct cr_opening *o, uint64_t count, size_t size, struct cr_err *err)
{
	void *p = cr_opening_heap(o, count, size, err);

	return p ? cr_arena_take(&o->p->arena, p) : NULL;
}

int
cr_opening_section(struct cr_opening *o, enum cr_section_id id, const struct cr_section **out,
	struct cr_err *err)
{
	const struct cr_section *s = *out = cr_directory_find(&o->dir, id);
	const char *name = cr_layout_of(id)->name;

	if (!s)
		return cr_fail(
			err, CR_EFORMAT, CR_NO_OFFSET, "section '%s' is not in the store", name);
	if (s->version > CR_SECTION_VERSION)
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"section '%s' was written by a newer cresset (version %u, this one reads "
			"%u)",
			name, s->version, CR_SECTION_VERSION);
	if (s->version == 0)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"section '%s' has version 0, which does not exist", name);
	if (s->rows >= UINT32_MAX && id != CR_SECTION_SAMPLES && id != CR_SECTION_WEIGHTS && id != CR_SECTION_VALUES)
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET, "section '%s' has %llu rows", name,
			(unsigned long long)s->rows);
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

int
cr_opening_check(
	struct cr_opening *o, const struct cr_section *s, uint32_t number, struct cr_err *err)
{
	const struct cr_block *b = cr_opening_block(o, s, number);
	const char *name =
		s->id < CR_SECTIONS && s->id ? cr_layout_of(s->id)->name : "of a later version";

	if (o->unchecked || cr_block_sum(o->bytes + b->offset, b, s->id, number) == b->sum)
		return CR_OK;
	return cr_fail(
		err, CR_EFORMAT, b->offset, "section '%s' is damaged: the checksum is off", name);
}

/* A block of a table, checked and unpacked: borrowed until the next one. */
static int
block_load(struct cr_opening *o, const struct cr_section *s, uint32_t number, struct cr_cursor *out,
	struct cr_err *err)
{
	const struct cr_block *b = cr_opening_block(o, s, number);
	const unsigned char *stored = o->bytes + b->offset;
	const uint64_t most =
		cr_layout_of(s->id)->n_fields * (CR_COLUMN_HEAD + 8 * (uint64_t)b->rows);
	int rc;

	if ((rc = cr_opening_check(o, s, number, err)) < 0)
		return rc;
	if (b->raw_bytes > most)
		return cr_opening_damaged(s, b, "a block is larger than its rows", err);
	if (b->raw_bytes != b->stored_bytes) {
		if (o->raw_cap < b->raw_bytes) {
			free(o->raw);
			o->raw = cr_try_alloc(b->raw_bytes, 1);
			o->raw_cap = o->raw ? b->raw_bytes : 0;
		}
		if (!o->raw)
			return cr_fail(err, CR_EMEM, b->offset, "no memory to unpack a block");
		if ((rc = cr_unpacker_unpack(o->unpacker, stored, b, o->raw, err)) < 0)
			return rc;
		stored = o->raw;
	}
	cr_cursor_init(out, stored, b->raw_bytes);
	out->swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	return CR_OK;
}

int
cr_opening_texts(struct cr_opening *o, const struct cr_section *s, uint32_t number,
	struct cr_cursor *out, struct cr_err *err)
{
	const struct cr_block *b = cr_opening_block(o, s, number);
	unsigned char *p;
	int rc;

	if ((rc = cr_opening_check(o, s, number, err)) < 0)
		return rc;
	p = cr_opening_room(o, b->raw_bytes, 1, err);
	if (!p)
		return err->code;
	if ((rc = cr_unpacker_unpack(o->unpacker, o->bytes + b->offset, b, p, err)) < 0)
		return rc;
	cr_cursor_init(out, p, b->raw_bytes);
	out->swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	return CR_OK;
}

/* Undo what bend() of the writer did, and see that every value is one that its field may have. */
static bool
straighten(const struct cr_opening *o, const struct cr_field *f, uint64_t row, uint32_t n)
{
	const uint64_t bound = o->bound[f->bound];
	const uint64_t most = f->bound != CR_BOUND_NONE ? bound - 1
			      : f->size == 8            ? UINT64_MAX
							: ((uint64_t)1 << (8 * f->size)) - 1;
	uint64_t *v = o->values;
	bool out = f->bound != CR_BOUND_NONE && bound == 0 && f->sense != CR_SENSE_OR_NONE;

	if (f->sense == CR_SENSE_BACK)
		for (uint32_t i = 0; i < n; i++)
			v[i] = row + i - v[i];
	if (f->sense == CR_SENSE_OR_NONE) {
		for (uint32_t i = 0; i < n; i++) {
			out |= v[i] > bound;
			v[i]--; /* none, 0, becomes CR_NO_ROW in the 32 bits that are kept of it */
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
/* Twice, so that the compiler sees an array of its own as one. */
#define SCATTER(type)                          \
	if (stride == sizeof(type))            \
		SCATTER_BY(type, sizeof(type)) \
	else                                   \
		SCATTER_BY(type, stride)

static void
scatter(const struct cr_opening *o, const struct cr_field *f, unsigned char *p, size_t stride,
	uint32_t n)
{
	const uint64_t *v = o->values;

	if (f->sense == CR_SENSE_STRING) {
		for (uint32_t i = 0; i < n; i++)
			memcpy(p + i * stride, &o->strings[v[i]], sizeof(*o->strings));
		return;
	}
	switch (f->size) {
	case 1:
		SCATTER(uint8_t);
		break;
	case 2:
		SCATTER(uint16_t);
		break;
	case 4:
		SCATTER(uint32_t);
		break;
	default:
		SCATTER(uint64_t);
		break;
	}
}

static int
table_block(struct cr_opening *o, const struct cr_section *s, uint32_t number, uint64_t row,
	void *const *bases, struct cr_err *err)
{
	const struct cr_layout *lay = cr_layout_of(s->id);
	const struct cr_block *b = cr_opening_block(o, s, number);
	struct cr_cursor c;
	int rc;

	if ((rc = block_load(o, s, number, &c, err)) < 0)
		return rc;
	for (uint32_t k = 0; k < lay->n_fields; k++) {
		const struct cr_field *f = &lay->fields[k];
		const size_t stride = lay->row_bytes ? lay->row_bytes : f->size;
		unsigned char *base = bases[lay->row_bytes ? 0 : k];

		if (!cr_column_read(&c, o->values, b->rows))
			return cr_opening_damaged(s, b, "a column ends early", err);
		if (b->rows && !straighten(o, f, row, b->rows))
			return cr_opening_damaged(s, b, "a value is out of range", err);
		scatter(o, f, base + row * stride + f->offset, stride, b->rows);
	}
	return cr_cursor_left(&c) ? cr_opening_damaged(s, b, "bytes behind the last column", err)
				  : CR_OK;
}

/* Read a table into bases, which the caller made for its s->rows rows. */
static int
table_read(struct cr_opening *o, const struct cr_section *s, void *const *bases, struct cr_err *err)
{
	uint64_t row = 0;
	int rc;

	for (uint32_t k = 0; k < s->n_blocks; row += cr_opening_block(o, s, k++)->rows)
		if ((rc = table_block(o, s, k, row, bases, err)) < 0)
			return rc;
	return CR_OK;
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
cr_opening_fields(struct cr_opening *o, enum cr_section_id id, void *rows, uint32_t n, struct cr_err *err)
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

int
cr_opening_arrays(struct cr_opening *o, enum cr_section_id id, void **bases, uint64_t *n,
	struct cr_err *err)
{
	const struct cr_layout *lay = cr_layout_of(id);
	const struct cr_section *s;
	int rc;

	if ((rc = cr_opening_section(o, id, &s, err)) < 0)
		return rc;
	for (uint32_t k = 0; k < lay->n_fields; k++) {
		bases[k] = cr_opening_room(o, s->rows, lay->fields[k].size, err);
		if (!bases[k])
			return err->code;
	}
	*n = s->rows;
	return table_read(o, s, bases, err);
}
