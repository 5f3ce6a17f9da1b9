#include "column.h"

#include "cresset/base/vec.h"

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

static uint64_t
take_least(uint64_t *v, uint32_t n)
{
	uint64_t least = n ? v[0] : 0;

	for (uint32_t i = 1; i < n; i++)
		least = CR_MIN(least, v[i]);
	for (uint32_t i = 0; i < n; i++)
		v[i] -= least;
	return least;
}

static uint64_t
take_deltas(uint64_t *v, uint32_t n, bool twice)
{
	const uint64_t first = n ? v[0] : 0;
	uint64_t before = first, step_before = 0;

	for (uint32_t i = 0; i < n; i++) {
		const uint64_t step = v[i] - before;

		before = v[i];
		v[i] = cr_zigzag(step - step_before);
		if (twice)
			step_before = step;
	}
	return first;
}

static unsigned
bytes_of(uint64_t v)
{
	unsigned bytes = 0;

	for (; v; v >>= 8)
		bytes++;
	return bytes;
}

static unsigned
width_of(const uint64_t *v, uint32_t n)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < n; i++)
		bits |= v[i];
	return bytes_of(bits);
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

void
cr_column_write(struct cr_buf *out, uint64_t *v, uint32_t n, enum cr_coding coding)
{
	const uint64_t base = coding == CR_CODING_PLAIN
				      ? take_least(v, n)
				      : take_deltas(v, n, coding == CR_CODING_DELTA2);
	const unsigned width = width_of(v, n);
	unsigned char *p;

	cr_buf_int(out, coding, 1);
	cr_buf_int(out, width, 1);
	cr_buf_int(out, base, 8);
	p = cr_buf_grow(out, (size_t)width * n);
	for (unsigned k = 0; k < width; k++)
		for (uint32_t i = 0; i < n; i++)
			*p++ = (unsigned char)(v[i] >> (8 * k));
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

bool
cr_column_read(struct cr_cursor *in, uint64_t *v, uint32_t n)
{
	const unsigned coding = cr_cursor_u8(in);
	const unsigned width = cr_cursor_u8(in);
	const uint64_t base = cr_cursor_u64(in);
	const unsigned char *p;

	if (in->bad || coding >= CR_CODINGS || width > 8)
		return false;
	p = cr_cursor_take(in, (uint64_t)width * n);
	if (!p)
		return false;
	for (uint32_t i = 0; i < n; i++)
		v[i] = coding == CR_CODING_PLAIN ? base : 0;
	for (unsigned k = 0; k < width; k++, p += n)
		for (uint32_t i = 0; i < n; i++)
			v[i] += (uint64_t)p[i] << (8 * k);
	if (coding != CR_CODING_PLAIN)
		add_deltas(v, n, base, coding == CR_CODING_DELTA2);
	return true;
}
