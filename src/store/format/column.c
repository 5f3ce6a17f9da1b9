#include "column_p.h"

#include "base/mem.h"
#include "base/vec.h"
#include "ticks_p.h"

#include <stdlib.h>
#include <string.h>

unsigned char *
cr_buf_grow(struct cr_buf *b, size_t len)
{
	cr_vec_reserve(b, b->n + len);
	b->n += len;
	return b->p + b->n - len;
}

void
cr_buf_put(struct cr_buf *b, const void *p, size_t len)
{
	if (len)
		memcpy(cr_buf_grow(b, len), p, len);
}

void
cr_buf_int(struct cr_buf *b, uint64_t v, unsigned bytes)
{
	unsigned char *p = cr_buf_grow(b, bytes);

	for (unsigned k = 0; k < bytes; k++)
		p[k] = (unsigned char)(v >> (8 * k));
}

void
cr_buf_leb(struct cr_buf *b, uint64_t v)
{
	for (; v >= 128; v >>= 7)
		cr_buf_int(b, (v & 127) | 128, 1);
	cr_buf_int(b, v, 1);
}

/* Replace the values by steps; *bits becomes all bits that are set in any of them. */
static uint64_t
reduce_to_deltas(uint64_t *v, uint32_t n, bool twice, uint64_t *bits)
{
	const uint64_t first = n ? v[0] : 0;
	uint64_t before = first, step_before = 0, all = 0;

	for (uint32_t i = 0; i < n; i++) {
		const uint64_t step = v[i] - before;

		before = v[i];
		v[i] = cr_zigzag(step - step_before);
		all |= v[i];
		if (twice)
			step_before = step;
	}
	*bits = all;
	return first;
}

uint64_t
cr_common_divisor(const uint64_t *v, uint32_t n)
{
	uint64_t divisor = 0;

	for (uint32_t i = 0; i < n && divisor != 1; i++)
		for (uint64_t rest = v[i], over; rest; rest = over) {
			over = divisor % rest;
			divisor = rest;
		}
	return divisor ? divisor : 1;
}

static unsigned
bytes_of(uint64_t v)
{
	unsigned bytes = 0;

	for (; v; v >>= 8)
		bytes++;
	return bytes;
}

enum cr_coding
cr_column_best(const uint64_t *v, uint32_t n)
{
	uint64_t least = UINT64_MAX, most = 0, steps = 0;

	for (uint32_t i = 0; i < n; i++) {
		least = CR_MIN(least, v[i]);
		most = CR_MAX(most, v[i]);
		steps |= i ? cr_zigzag(v[i] - v[i - 1]) : 0;
	}
	return n && bytes_of(steps) < bytes_of(most - least) ? CR_CODING_DELTA : CR_CODING_PLAIN;
}

/* How the values of a column are written. */
struct reduced {
	enum cr_coding coding;
	uint64_t base;
	uint64_t least; /* what is still to be subtracted from each */
	uint64_t most;  /* has as many bytes as the greatest of them then */
};

/* Reduce the values of v with this coding, or with plain if that is as good. */
static struct reduced
reduce(uint64_t *v, uint32_t n, enum cr_coding coding)
{
	struct reduced r = {.coding = coding};
	uint64_t least = UINT64_MAX, most = 0, divisor = 1;

	if (coding == CR_CODING_DELTA || coding == CR_CODING_DELTA2) {
		r.base = reduce_to_deltas(v, n, coding == CR_CODING_DELTA2, &r.most);
		return r;
	}
	for (uint32_t i = 0; i < n; i++) {
		least = CR_MIN(least, v[i]);
		most = CR_MAX(most, v[i]);
	}
	if (coding == CR_CODING_SCALED)
		divisor = cr_common_divisor(v, n);
	if (coding != CR_CODING_SCALED || n == 0 ||
		bytes_of(most / divisor) >= bytes_of(most - least)) {
		r.coding = CR_CODING_PLAIN;
		r.base = r.least = n ? least : 0;
		r.most = n ? most - least : 0;
		return r;
	}
	for (uint32_t i = 0; i < n; i++)
		v[i] /= divisor;
	r.base = divisor;
	r.most = most / divisor;
	return r;
}

/* Number of values processed together: constant, so that the compiler can vectorise. */
#define STRIDE 64u

/* Write STRIDE values, less `least`, as planes, the next of which is n bytes behind. */
static void
stride_write(unsigned char *plane, const uint64_t *v, uint64_t least, uint32_t n, unsigned width)
{
	unsigned char bytes[STRIDE];
	uint32_t half[STRIDE];

	for (unsigned k = 0; k < width; k++, plane += n) {
		if (k % 4 == 0)
			for (unsigned i = 0; i < STRIDE; i++)
				half[i] = (uint32_t)((v[i] - least) >> 8 * k);
		for (unsigned i = 0; i < STRIDE; i++)
			bytes[i] = (unsigned char)(half[i] >> 8 * (k % 4) & 0xff);
		memcpy(plane, bytes, STRIDE);
	}
}

/* Write n values, less `least`, as planes of n bytes each. */
static void
planes_write(unsigned char *planes, const uint64_t *v, uint64_t least, uint32_t n, unsigned width)
{
	uint32_t at = 0;

	for (; n - at >= STRIDE; at += STRIDE)
		stride_write(planes + at, v + at, least, n, width);
	for (unsigned k = 0; k < width; k++)
		for (uint32_t i = at; i < n; i++)
			planes[(size_t)k * n + i] = (unsigned char)((v[i] - least) >> 8 * k);
}

void
cr_column_write(struct cr_buf *out, uint64_t *v, uint32_t n, enum cr_coding coding)
{
	const struct reduced r = reduce(v, n, coding);
	const unsigned width = bytes_of(r.most);

	cr_buf_int(out, r.coding, 1);
	cr_buf_int(out, width, 1);
	cr_buf_int(out, r.base, 8);
	planes_write(cr_buf_grow(out, (size_t)width * n), v, r.least, n, width);
}

#define WRONG_MOST 8u /* one of so many times may be wrong; more are not worth it */

/* How the times of a column are ticks. */
struct ticks {
	uint32_t *ticks;      /* since the time before; of the first 0 */
	unsigned char *wrong; /* zigzag of what the time is wrong by */
	uint32_t least, most; /* of the ticks */
};

static bool
ticks_count(const uint64_t *v, uint32_t n, uint64_t size, struct ticks *out)
{
	struct cr_ticks clock = {size, CR_TICKS_PART};
	uint32_t n_wrong = 0;

	out->least = n > 1 ? UINT32_MAX : 0;
	for (uint32_t i = 1; i < n; i++) {
		const uint64_t passed = v[i] - v[i - 1];
		const uint32_t ticks = cr_ticks_of(&clock, passed);
		const uint64_t by = passed - cr_ticks_take(&clock, ticks);

		cr_ticks_correct(&clock, by);
		n_wrong += by != 0;
		if (cr_zigzag(by) > UINT8_MAX || n_wrong > n / WRONG_MOST)
			return false;
		out->ticks[i] = ticks;
		out->wrong[i] = (unsigned char)cr_zigzag(by);
		out->least = CR_MIN(out->least, ticks);
		out->most = CR_MAX(out->most, ticks);
	}
	out->ticks[0] = out->least;
	return true;
}

static void
ticks_put(struct cr_buf *out, const struct ticks *t, uint32_t n)
{
	const unsigned width = bytes_of(t->most - t->least);
	unsigned char *planes = cr_buf_grow(out, (size_t)width * n);

	for (unsigned k = 0; k < width; k++)
		for (uint32_t i = 0; i < n; i++)
			planes[(size_t)k * n + i] =
				(unsigned char)((t->ticks[i] - t->least) >> 8 * k);
	cr_buf_put(out, t->wrong, n);
}

bool
cr_column_write_ticks(struct cr_buf *out, const uint64_t *v, uint32_t n, uint64_t size)
{
	struct ticks t = {.ticks = cr_alloc(n, sizeof(*t.ticks)), .wrong = cr_alloc(n, 1)};
	const bool good = n && ticks_count(v, n, size, &t);

	if (good) {
		cr_buf_int(out, CR_CODING_TICKS, 1);
		cr_buf_int(out, bytes_of(t.most - t.least), 1);
		cr_buf_int(out, v[0], 8);
		cr_buf_int(out, size, 8);
		cr_buf_int(out, t.least, 8);
		ticks_put(out, &t, n);
	}
	free(t.ticks);
	free(t.wrong);
	return good;
}

static void
add_deltas(uint64_t *v, uint32_t n, uint64_t first, bool twice)
{
	uint64_t before = first, step = 0;

	for (uint32_t i = 0; i < n; i++) {
		step = cr_unzigzag(v[i]) + (twice ? step : 0);
		before += step;
		v[i] = before;
	}
}

/* A column as stored in a block. */
struct column {
	unsigned coding, width;
	uint64_t base;
	const unsigned char *planes;
};

static bool
column_open(struct cr_cursor *in, uint32_t n, struct column *c)
{
	c->coding = cr_cursor_u8(in);
	c->width = cr_cursor_u8(in);
	c->base = cr_cursor_u64(in);
	if (in->bad || c->coding >= CR_CODINGS || c->width > 8)
		return false;
	c->planes = cr_cursor_take(in, (uint64_t)c->width * n);
	return c->planes != NULL;
}

/*
 * width 0 means that all reduced values are 0: deltas repeat the first value, scaled values are 0.
 */
bool
cr_column_is_constant(const struct cr_cursor *in, uint64_t *value)
{
	struct cr_cursor head = *in;
	struct column c;

	if (!column_open(&head, 0, &c) || c.width != 0)
		return false;
	*value = c.coding == CR_CODING_SCALED ? 0 : c.base;
	return true;
}

/*
 * Several values at once: so many fit in one register. They are compared as signed numbers, which
 * every processor can, with the sign bit turned over. n is at least 1.
 */
#define SPAN_OF(name, type, signed_type, sign)                                        \
	static struct cr_column_span name(const type *v, uint32_t n)                  \
	{                                                                             \
		typedef signed_type lanes __attribute__((vector_size(16)));           \
		enum { LANES = sizeof(lanes) / sizeof(type) };                        \
		const lanes turned = (lanes){0} + (signed_type)(sign);                \
		struct cr_column_span s = {v[n - 1], v[n - 1]};                       \
		lanes least, most, x, less, more;                                     \
		type low[LANES], high[LANES];                                         \
		uint32_t at = 0;                                                      \
                                                                                      \
		for (unsigned i = 0; i < LANES; i++)                                  \
			low[i] = high[i] = (type)(v[0] ^ (sign));                     \
		memcpy(&least, low, sizeof(least));                                   \
		most = least;                                                         \
		for (; n - at >= LANES; at += LANES) {                                \
			memcpy(&x, v + at, sizeof(x));                                \
			x ^= turned;                                                  \
			less = (lanes)(x < least);                                    \
			more = (lanes)(x > most);                                     \
			least = (x & less) | (least & ~less);                         \
			most = (x & more) | (most & ~more);                           \
		}                                                                     \
		memcpy(low, &least, sizeof(least));                                   \
		memcpy(high, &most, sizeof(most));                                    \
		for (unsigned i = 0; i < LANES; i++) {                                \
			s.least = CR_MIN(s.least, (uint64_t)(type)(low[i] ^ (sign))); \
			s.most = CR_MAX(s.most, (uint64_t)(type)(high[i] ^ (sign)));  \
		}                                                                     \
		for (; at < n; at++) {                                                \
			s.least = CR_MIN(s.least, (uint64_t)v[at]);                   \
			s.most = CR_MAX(s.most, (uint64_t)v[at]);                     \
		}                                                                     \
		return s;                                                             \
	}

SPAN_OF(span_16, uint16_t, int16_t, 0x8000u)
SPAN_OF(span_32, uint32_t, int32_t, 0x80000000u)

struct cr_column_span
cr_column_span_of(const void *items, size_t size, uint32_t n)
{
	struct cr_column_span s = {UINT64_MAX, 0};

	if (n && size == sizeof(uint16_t))
		return span_16(items, n);
	if (n && size == sizeof(uint32_t))
		return span_32(items, n);
	for (uint32_t i = 0; i < n; i++) {
		s.least = CR_MIN(s.least, ((const uint64_t *)items)[i]);
		s.most = CR_MAX(s.most, ((const uint64_t *)items)[i]);
	}
	return s;
}

/*
 * Add the planes from `first` up to `end` of some rows to v, the first of them as its lowest byte.
 */
#define ADD_PLANES(type, v, rows, first, end)                                          \
	for (unsigned k = first; k < (end); k++) {                                     \
		const unsigned char *plane = c->planes + (size_t)k * n + at;           \
                                                                                       \
		for (unsigned i = 0; i < (rows); i++)                                  \
			(v)[i] = (type)((v)[i] + ((type)plane[i] << 8 * (k - first))); \
	}

/*
 * Compute reduced value plus base of n rows, as items of one type. There is one function for each
 * type, since opening a large store spends most of its time here. Returns false if a value exceeds
 * `most`.
 */
#define JOIN_PLANES(name, type)                                                               \
	static bool name(const struct column *c, type *out, uint32_t n, type base, type most) \
	{                                                                                     \
		type past[STRIDE] = {0};                                                      \
                                                                                              \
		for (uint32_t at = 0; at < n; at += STRIDE) {                                 \
			const uint32_t rows = CR_MIN(n - at, STRIDE);                         \
			type v[STRIDE];                                                       \
                                                                                              \
			for (unsigned i = 0; i < STRIDE; i++)                                 \
				v[i] = base;                                                  \
			if (rows == STRIDE)                                                   \
				ADD_PLANES(type, v, STRIDE, 0, c->width)                      \
			else                                                                  \
				ADD_PLANES(type, v, rows, 0, c->width)                        \
			for (unsigned i = 0; i < STRIDE; i++)                                 \
				past[i] |= v[i] > most;                                       \
			memcpy(out + at, v, rows * sizeof(*v));                               \
		}                                                                             \
		for (unsigned i = 1; i < STRIDE; i++)                                         \
			past[0] |= past[i];                                                   \
		return n == 0 || !past[0];                                                    \
	}

JOIN_PLANES(join_16, uint16_t)
JOIN_PLANES(join_32, uint32_t)

/* The same for 64 bits, where the upper half is usually 0. */
static void
join_64(const struct column *c, uint64_t *out, uint32_t n, uint64_t base)
{
	const unsigned low_planes = CR_MIN(c->width, 4u);

	for (uint32_t at = 0; at < n; at += STRIDE) {
		const uint32_t rows = CR_MIN(n - at, STRIDE);
		uint32_t low[STRIDE] = {0};
		uint64_t v[STRIDE] = {0};

		if (rows == STRIDE)
			ADD_PLANES(uint32_t, low, STRIDE, 0u, low_planes)
		else
			ADD_PLANES(uint32_t, low, rows, 0u, low_planes)
		ADD_PLANES(uint64_t, v, rows, 4u, c->width)
		for (unsigned i = 0; i < STRIDE; i++)
			v[i] = base + low[i] + (v[i] << 32);
		memcpy(out + at, v, rows * sizeof(*v));
	}
}

static void
column_values(const struct column *c, uint64_t *v, uint32_t n)
{
	join_64(c, v, n, c->coding == CR_CODING_PLAIN ? c->base : 0);
	if (c->coding == CR_CODING_DELTA || c->coding == CR_CODING_DELTA2)
		add_deltas(v, n, c->base, c->coding == CR_CODING_DELTA2);
	for (uint32_t i = 0; c->coding == CR_CODING_SCALED && i < n; i++)
		v[i] *= c->base;
}

bool
cr_column_read(struct cr_cursor *in, uint64_t *v, uint32_t n)
{
	struct column c;

	if (!column_open(in, n, &c))
		return false;
	column_values(&c, v, n);
	return true;
}

bool
cr_column_is_ticks(const struct cr_cursor *in)
{
	return cr_cursor_left(in) && *in->p == CR_CODING_TICKS;
}

bool
cr_column_read_ticks(struct cr_cursor *in, uint64_t *v, uint32_t n)
{
	struct cr_ticks clock = {0, CR_TICKS_PART};
	const unsigned char *wrong;
	struct column c;
	uint64_t at;

	c.coding = cr_cursor_u8(in);
	c.width = cr_cursor_u8(in);
	at = cr_cursor_u64(in);
	clock.size = cr_cursor_u64(in);
	c.base = cr_cursor_u64(in);
	if (in->bad || c.width > sizeof(uint32_t) || c.base > UINT32_MAX ||
		clock.size < CR_TICKS_LEAST || clock.size >= CR_TICKS_MOST)
		return false;
	c.planes = cr_cursor_take(in, (uint64_t)c.width * n);
	wrong = cr_cursor_take(in, n);
	if (!c.planes || !wrong)
		return false;
	join_64(&c, v, n, c.base);
	for (uint32_t i = 0; i < n; i++) {
		if (v[i] > UINT32_MAX)
			return false;
		if (i) {
			const uint64_t by = cr_unzigzag(wrong[i]);

			at += cr_ticks_take(&clock, (uint32_t)v[i]) + by;
			cr_ticks_correct(&clock, by);
		}
		v[i] = at;
	}
	return true;
}

/* True if the results fit in the type, whatever the planes contain. */
static bool
fits(const struct column *c, uint64_t type_most)
{
	const uint64_t span = c->width == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * c->width)) - 1;

	return c->coding == CR_CODING_PLAIN && c->base <= type_most && span <= type_most - c->base;
}

bool
cr_column_narrow(void *items, size_t size, const uint64_t *v, uint32_t n, uint64_t most)
{
	bool past = false;

	for (uint32_t i = 0; i < n; i++)
		past |= v[i] > most;
	for (uint32_t i = 0; size == 2 && i < n; i++)
		((uint16_t *)items)[i] = (uint16_t)v[i];
	for (uint32_t i = 0; size == 4 && i < n; i++)
		((uint32_t *)items)[i] = (uint32_t)v[i];
	return !past;
}

enum cr_column_result
cr_column_read_array(
	struct cr_cursor *in, void *items, size_t size, uint32_t n, uint64_t most, uint64_t *room)
{
	struct column c;
	bool in_range;

	if (!column_open(in, n, &c))
		return CR_COLUMN_BAD;
	if (size == 8) {
		column_values(&c, items, n);
		in_range = most == UINT64_MAX || cr_column_narrow(items, size, items, n, most);
	} else if (size == 2 && fits(&c, UINT16_MAX)) {
		in_range = join_16(&c, items, n, (uint16_t)c.base, (uint16_t)most);
	} else if (size == 4 && fits(&c, UINT32_MAX)) {
		in_range = join_32(&c, items, n, (uint32_t)c.base, (uint32_t)most);
	} else {
		column_values(&c, room, n);
		in_range = cr_column_narrow(items, size, room, n, most);
	}
	return in_range ? CR_COLUMN_GOOD : CR_COLUMN_OUT;
}
