#ifndef CR_FUZZ_SEALED_H
#define CR_FUZZ_SEALED_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "store/format/directory_p.h"
#include "store/format/layout_p.h"
#include "store/format/ticks_p.h"

/*
 * Changes a store and gives it right checksums: the blocks are unpacked, a value of a column, a
 * row, a block or a section is changed, and head, blocks, directory and tail are written anew. So
 * the change gets past the checksums and is judged by what it means.
 */
#define SEALED_RAW_MOST ((size_t)4 << 20) /* of all blocks; larger stores stay as they are */

struct sealed_block {
	unsigned char *raw; /* free() it */
	uint32_t bytes, rows;
};

struct sealed_section {
	uint32_t id, version, n;
	struct sealed_block blocks[256];
};

struct sealed {
	struct sealed_section *sections;
	uint32_t n;
	enum cr_store_format format;
	uint64_t random;
};

static inline uint64_t
sealed_random(struct sealed *s)
{
	uint64_t z = s->random += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static inline uint32_t
sealed_below(struct sealed *s, uint64_t n)
{
	return (uint32_t)(sealed_random(s) % CR_MAX(n, (uint64_t)1));
}

static inline void
sealed_free(struct sealed *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t k = 0; k < s->sections[i].n; k++)
			free(s->sections[i].blocks[k].raw);
	free(s->sections);
	*s = (struct sealed){0};
}

static inline bool
sealed_unpack(struct sealed *s, const uint8_t *data, const struct cr_directory *dir)
{
	struct cr_unpacker *up = cr_unpacker_new();
	size_t whole = 0;
	bool good = true;

	s->sections = cr_alloc((uint64_t)dir->n_sections + 1, sizeof(*s->sections));
	for (uint32_t i = 0; i < dir->n_sections && good; i++) {
		const struct cr_section *from = &dir->sections[i];
		struct sealed_section *to = &s->sections[s->n++];

		int (*const unpack)(struct cr_unpacker *, const void *, const struct cr_block *,
			void *, struct cr_err *) =
			from->version == CR_SECTION_PHRASES && from->id && from->id < CR_SECTIONS &&
					cr_layout_of((enum cr_section_id)from->id)->phrases
				? cr_unpacker_unpack_texts
				: cr_unpacker_unpack;

		*to = (struct sealed_section){.id = from->id, .version = from->version};
		for (uint32_t k = 0; k < from->n_blocks && good; k++) {
			const struct cr_block *b = &dir->blocks[from->first_block + k];
			struct cr_err err = CR_ERR_INIT;

			whole += b->raw_bytes;
			good = to->n < CR_LEN(to->blocks) && whole <= SEALED_RAW_MOST;
			if (!good)
				break;
			to->blocks[to->n] = (struct sealed_block){
				cr_alloc((uint64_t)b->raw_bytes + 1, 1), b->raw_bytes, b->rows};
			good = unpack(up, data + b->offset, b, to->blocks[to->n++].raw, &err) ==
			       CR_OK;
		}
	}
	cr_unpacker_free(up);
	return good;
}

/*
 * Take a store apart, whatever its checksums are. False for what is none, or too large;
 * sealed_free() it then too.
 */
static inline bool
sealed_open(struct sealed *s, const uint8_t *data, size_t size, uint64_t seed)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_directory dir;
	bool good;

	*s = (struct sealed){.random = seed};
	if (cr_directory_read(data, size, true, &dir, &err) < 0)
		return false;
	s->format = dir.format;
	good = sealed_unpack(s, data, &dir);
	cr_directory_fini(&dir);
	return good;
}

/* The store with right checksums, nothing packed; free(out->p). */
static inline void
sealed_write(const struct sealed *s, struct cr_buf *out)
{
	struct cr_directory dir = {.sections = cr_alloc((uint64_t)s->n + 1, sizeof(*dir.sections)),
		.n_sections = s->n,
		.format = s->format};

	*out = (struct cr_buf){0};
	dir.blocks =
		cr_alloc((uint64_t)s->n * CR_LEN(s->sections->blocks) + 1, sizeof(*dir.blocks));
	cr_directory_head(s->format, out);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct sealed_section *from = &s->sections[i];
		struct cr_section *to = &dir.sections[i];

		*to = (struct cr_section){.id = from->id,
			.version = from->version,
			.first_block = dir.n_blocks,
			.n_blocks = from->n};
		for (uint32_t k = 0; k < from->n; k++) {
			const struct sealed_block *b = &from->blocks[k];
			struct cr_block *at = &dir.blocks[dir.n_blocks++];

			*at = (struct cr_block){.offset = out->n,
				.stored_bytes = b->bytes,
				.raw_bytes = b->bytes,
				.rows = b->rows};
			at->sum = cr_block_sum(b->raw, at, from->id, k);
			to->rows += b->rows;
			cr_buf_put(out, b->raw, b->bytes);
		}
	}
	cr_directory_write(&dir, out->n, out);
	cr_directory_fini(&dir);
}

/* ---- changes */

/* A byte or some more of a block, wherever that is. */
static inline void
sealed_change_bytes(struct sealed *s, struct sealed_block *b)
{
	const uint32_t at = sealed_below(s, b->bytes);

	if (b->bytes == 0)
		return;
	switch (sealed_below(s, 5)) {
	case 0: b->raw[at] ^= (unsigned char)(1u << sealed_below(s, 8)); break;
	case 1: b->raw[at] = (unsigned char)sealed_random(s); break;
	case 2: b->raw[at] = sealed_below(s, 2) ? 0xff : 0; break;
	case 3: /* gone */
		memmove(b->raw + at, b->raw + at + 1, b->bytes - at - 1);
		b->bytes--;
		break;
	default: /* a word */
		for (uint32_t i = at; i < b->bytes && i < at + 8; i++)
			b->raw[i] = sealed_below(s, 2) ? (unsigned char)sealed_random(s) : 0xff;
	}
}

static inline uint64_t
sealed_value(struct sealed *s, const uint64_t *v, uint32_t rows, uint32_t at)
{
	switch (sealed_below(s, 9)) {
	case 0: return 0;
	case 1: return UINT64_MAX;
	case 2: return v[at] + 1;
	case 3: return v[at] - 1;
	case 4: return v[at] ^ UINT64_C(1) << sealed_below(s, 64);
	case 5: return v[sealed_below(s, rows)];
	case 6: return sealed_below(s, 20);
	case 7: return v[at] + (uint64_t)sealed_below(s, 30) * 1000000000;
	default: return sealed_random(s) >> sealed_below(s, 64);
	}
}

static inline void
sealed_change_column(struct sealed *s, uint64_t *v, uint32_t rows)
{
	const uint32_t a = sealed_below(s, rows), b = sealed_below(s, rows);
	const uint64_t kept = v[a];

	switch (sealed_below(s, 6)) {
	case 0: /* two change places: sums stay */
		v[a] = v[b];
		v[b] = kept;
		break;
	case 1:
		for (uint32_t i = 0; i < rows; i++)
			v[i] = kept;
		break;
	case 2: /* moved from one to the other: the sum stays */
		v[a] -= 1;
		v[b] += 1;
		break;
	default: v[a] = sealed_value(s, v, rows, a);
	}
}

#define SEALED_COLUMNS 32u

/* The 32-bit numbers of a column, which another one may refer to; free() them. */
static inline uint32_t *
sealed_before(const uint64_t *v, uint32_t n)
{
	uint32_t *before = v ? cr_alloc((uint64_t)n + 1, sizeof(*before)) : NULL;

	for (uint32_t i = 0; v && i < n; i++)
		before[i] = (uint32_t)v[i];
	return before;
}

/*
 * Columns k of a block, where the columns before are known. *modelled: its coding if it is modelled
 * or has ticks, otherwise 0.
 */
static inline bool
sealed_column_read(
	struct cr_cursor *in, uint64_t *const *v, uint32_t k, uint32_t rows, uint8_t *modelled)
{
	uint32_t *before;
	bool good;

	*modelled = cr_modelled_is_next(in) || cr_column_is_ticks(in) ? *in->p : 0;
	if (*modelled == CR_CODING_TICKS)
		return cr_column_read_ticks(in, v[k], rows);
	if (!*modelled)
		return cr_column_read(in, v[k], rows);
	before = sealed_before(k ? v[k - 1] : NULL, rows);
	good = cr_modelled_read(in, v[k], rows, &(struct cr_modelled_sides){.before = before});
	free(before);
	return good;
}

static inline void
sealed_column_write(struct cr_buf *out, uint64_t *const *v, uint32_t k, uint32_t n,
	const struct cr_layout *lay, uint8_t modelled)
{
	uint32_t *before = sealed_before(k && modelled ? v[k - 1] : NULL, n);
	const struct cr_modelled_sides sides = {.before = before};
	const uint64_t tick = modelled == CR_CODING_TICKS ? cr_ticks_find(v[k], n) : 0;

	if (!(tick && cr_column_write_ticks(out, v[k], n, tick)) &&
		!(modelled > CR_CODING_TICKS &&
			cr_modelled_write(out, v[k], n, (enum cr_modelled)modelled, &sides)))
		cr_column_write(out, v[k], n, (enum cr_coding)lay->fields[k].coding);
	free(before);
}

/* The values of a table's block, or rows of it. False for a block that holds no such columns. */
static inline bool
sealed_change_values(struct sealed *s, struct sealed_block *b, const struct cr_layout *lay)
{
	const uint32_t rows = b->rows, columns = lay->n_fields, chosen = sealed_below(s, columns),
		       row = sealed_below(s, rows);
	const uint32_t how = sealed_below(s, 12); /* 0: a row less, 1: a row twice */
	uint64_t *v[SEALED_COLUMNS] = {0};
	uint8_t modelled[SEALED_COLUMNS] = {0};
	struct cr_cursor in;
	struct cr_buf out = {0};
	bool good = columns > 0 && columns <= SEALED_COLUMNS && rows > 0 && rows <= CR_BLOCK_ROWS;
	uint32_t n = rows;

	cr_cursor_init(&in, b->raw, b->bytes);
	in.swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	for (uint32_t k = 0; good && k < columns; k++) {
		v[k] = cr_alloc((uint64_t)rows + 1, sizeof(*v[k]));
		good = sealed_column_read(&in, v, k, rows, &modelled[k]);
	}
	if (good && how < 2)
		n = how ? rows + 1 : rows - 1;
	for (uint32_t k = 0; good && k < columns; k++) {
		if (how == 0)
			memmove(v[k] + row, v[k] + row + 1, (rows - row - 1) * sizeof(*v[k]));
		else if (how == 1)
			v[k][rows] = v[k][row];
		else if (k == chosen)
			sealed_change_column(s, v[k], rows);
	}
	/* Writing changes the values, to which the column behind may refer. */
	for (uint32_t k = columns; good && k-- > 0;) {
		struct cr_buf column = {0};

		sealed_column_write(&column, v, k, n, lay, modelled[k]);
		cr_buf_put(&column, out.p, out.n);
		free(out.p);
		out = column;
	}
	for (uint32_t k = 0; k < CR_MIN(columns, SEALED_COLUMNS); k++)
		free(v[k]);
	if (!good)
		return false;
	free(b->raw);
	*b = (struct sealed_block){out.p ? out.p : cr_alloc(1, 1), (uint32_t)out.n, n};
	return true;
}

/* A section or block goes, comes twice, changes places, or is said to be another. */
static inline void
sealed_change_order(struct sealed *s)
{
	struct sealed_section *a = &s->sections[sealed_below(s, s->n)],
			      *b = &s->sections[sealed_below(s, s->n)];
	struct sealed_block kept;

	switch (sealed_below(s, 5)) {
	case 0: a->id = sealed_below(s, CR_SECTIONS + 2); break;
	case 1: a->version = sealed_below(s, 6); break;
	case 2:
		if (a->n)
			free(a->blocks[--a->n].raw);
		break;
	case 3:
		if (a->n == 0 || a->n == CR_LEN(a->blocks))
			break;
		kept = a->blocks[sealed_below(s, a->n)];
		a->blocks[a->n++] = (struct sealed_block){
			cr_memdup(kept.raw, kept.bytes), kept.bytes, kept.rows};
		break;
	default:
		if (a->n == 0 || b->n == 0)
			break;
		kept = a->blocks[a->n - 1];
		a->blocks[a->n - 1] = b->blocks[b->n - 1];
		b->blocks[b->n - 1] = kept;
	}
}

static inline void
sealed_change(struct sealed *s)
{
	struct sealed_section *a;
	struct sealed_block *b;

	if (s->n == 0)
		return;
	a = &s->sections[sealed_below(s, s->n)];
	if (a->n == 0 || sealed_below(s, 20) == 0) {
		sealed_change_order(s);
		return;
	}
	b = &a->blocks[sealed_below(s, a->n)];
	if (sealed_below(s, 40) == 0)
		b->rows += sealed_below(s, 2) ? 1u : UINT32_MAX;
	else if (a->id >= CR_SECTIONS || sealed_below(s, 8) == 0 ||
		 !sealed_change_values(s, b, cr_layout_of((enum cr_section_id)a->id)))
		sealed_change_bytes(s, b);
}

/*
 * Returns the changed store, which is sealed; free(out->p). False for what is no store, and then
 * out is empty.
 */
static inline bool
sealed_mutate(const uint8_t *data, size_t size, uint64_t seed, struct cr_buf *out)
{
	struct sealed s;
	const bool good = sealed_open(&s, data, size, seed);

	*out = (struct cr_buf){0};
	for (uint32_t n = good ? 1 + sealed_below(&s, 4) : 0; n > 0; n--)
		sealed_change(&s);
	if (good)
		sealed_write(&s, out);
	sealed_free(&s);
	return good;
}

#endif
