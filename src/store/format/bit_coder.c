#include "bit_coder_p.h"

#include "base/mem.h"

#include <stdlib.h>

/* 65536 / (1 + e^-x) for x from -8 to 8 in steps of 1/2. */
static const uint16_t steps[33] = {22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812,
	11955, 17625, 24743, 32768, 40793, 47911, 53581, 57724, 60565, 62428, 63615, 64357, 64816,
	65097, 65269, 65374, 65438, 65476, 65500, 65514};

struct cr_bit_coder *
cr_bit_coder_new(void)
{
	struct cr_bit_coder *c = cr_alloc(1, sizeof(*c));
	uint32_t p = 0;

	c->high = UINT32_MAX;
	for (uint32_t x = 0; x < CR_LEN(c->squashed); x++) {
		const uint32_t from = steps[x / 128], to = steps[x / 128 + 1];

		c->squashed[x] = (uint16_t)(from + (to - from) * (x % 128) / 128);
		for (; p <= c->squashed[x] >> 4; p++)
			c->stretched[p] = (int16_t)((int32_t)x - 2048);
	}
	for (uint32_t n = 0; n < CR_LEN(c->rates); n++)
		c->rates[n] = 2 * 65536 / (2 * n + 3);
	for (; p < CR_LEN(c->stretched); p++)
		c->stretched[p] = 2047;
	return c;
}

struct cr_bit_coder *
cr_bit_coder_open(const unsigned char *bytes, size_t len)
{
	struct cr_bit_coder *c = cr_bit_coder_new();
	struct cr_cursor in, predicted;

	c->reads = true;
	cr_cursor_init(&in, bytes, len);
	predicted = cr_cursor_sub(&in, cr_cursor_uleb(&in));
	c->bad = in.bad;
	c->at = predicted.p;
	c->end = predicted.end;
	c->raw_at = in.p;
	c->raw_end = in.end;
	for (unsigned i = 0; i < 4; i++) {
		c->past += c->at == c->end;
		c->code = c->code << 8 | (c->at < c->end ? *c->at++ : 0);
	}
	return c;
}

void
cr_bit_coder_free(struct cr_bit_coder *c)
{
	if (!c)
		return;
	free(c->predicted.p);
	free(c->raw.p);
	free(c);
}

static uint64_t
raw_read(struct cr_bit_coder *c, unsigned n)
{
	uint64_t v;

	for (; c->n_held < n; c->n_held += 8) {
		c->bad |= c->raw_at == c->raw_end;
		c->held |= (uint64_t)(c->raw_at < c->raw_end ? *c->raw_at++ : 0) << c->n_held;
	}
	v = c->held & (((uint64_t)1 << n) - 1);
	c->held >>= n;
	c->n_held -= n;
	return v;
}

static void
raw_write(struct cr_bit_coder *c, uint64_t v, unsigned n)
{
	c->held |= (v & (((uint64_t)1 << n) - 1)) << c->n_held;
	for (c->n_held += n; c->n_held >= 8; c->n_held -= 8, c->held >>= 8)
		*cr_buf_grow(&c->raw, 1) = (unsigned char)c->held;
}

#define AT_ONCE 32u /* together with 7 bits that wait, they fit in 64 */

uint64_t
cr_bit_coder_raw(struct cr_bit_coder *c, uint64_t v, unsigned n)
{
	const unsigned low = CR_MIN(n, AT_ONCE), high = n - low;
	uint64_t got = 0;

	if (c->reads) {
		got = raw_read(c, low);
		return high ? got | raw_read(c, high) << AT_ONCE : got;
	}
	raw_write(c, v, low);
	if (high)
		raw_write(c, v >> AT_ONCE, high);
	return v;
}

void
cr_bit_coder_put(struct cr_bit_coder *c, struct cr_buf *out)
{
	/* A byte that lies between the ends, whatever follows; what is not there counts as 0. */
	if (c->low)
		*cr_buf_grow(&c->predicted, 1) = (unsigned char)((c->low >> 24) + 1);
	if (c->n_held)
		raw_write(c, 0, 8 - c->n_held);
	cr_buf_leb(out, c->predicted.n);
	cr_buf_put(out, c->predicted.p, c->predicted.n);
	cr_buf_put(out, c->raw.p, c->raw.n);
}

/* The first four bytes are read before they are needed. */
bool
cr_bit_coder_at_end(const struct cr_bit_coder *c)
{
	return !c->bad && c->at == c->end && c->past <= 4 && c->raw_at == c->raw_end &&
	       c->held == 0;
}
