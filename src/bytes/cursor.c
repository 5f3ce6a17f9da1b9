#include "bytes/cursor.h"

void
cr_cursor_init(struct cr_cursor *c, const void *p, size_t len)
{
	*c = (struct cr_cursor){.p = p, .start = p};
	c->end = len ? c->p + len : c->p; /* p of an empty cursor may be NULL */
}

static void
cursor_fail(struct cr_cursor *c)
{
	c->bad = true;
	c->p = c->end;
}

uint32_t
cr_cursor_count(struct cr_cursor *c, size_t item_bytes)
{
	const uint32_t n = cr_cursor_u32(c);

	if (n <= cr_cursor_left(c) / item_bytes)
		return n;
	cursor_fail(c);
	return 0;
}

uint64_t
cr_cursor_count64(struct cr_cursor *c, size_t item_bytes)
{
	const uint64_t n = cr_cursor_u64(c);

	if (n <= cr_cursor_left(c) / item_bytes)
		return n;
	cursor_fail(c);
	return 0;
}

struct cr_str
cr_cursor_text(struct cr_cursor *c, uint64_t len)
{
	const char *p = (const char *)cr_cursor_take(c, len);
	const char *nul;

	if (!p || len > UINT32_MAX)
		return (struct cr_str){"", 0};
	nul = len ? memchr(p, 0, (size_t)len) : NULL;
	return (struct cr_str){p, (uint32_t)(nul ? (uint64_t)(nul - p) : len)};
}

struct cr_str
cr_cursor_string(struct cr_cursor *c)
{
	const size_t left = cr_cursor_left(c);
	const unsigned char *nul = left ? memchr(c->p, 0, left) : NULL;

	return cr_cursor_text(c, nul ? (uint64_t)(nul - c->p) + 1 : UINT64_MAX);
}

/*
 * Read seven bits of each byte, lowest first. *bits is the number of bits read, *last the last byte
 * without its top bit.
 */
static uint64_t
leb(struct cr_cursor *c, unsigned *bits, uint8_t *last)
{
	uint64_t v = 0;
	unsigned n = 0;
	uint8_t byte;

	*bits = 0;
	do {
		byte = n++ < CR_LEB_BYTES ? cr_cursor_u8(c) : 0;
		if (*bits < 64)
			v |= (uint64_t)(byte & 0x7f) << *bits;
		*bits += *bits < 64 ? 7 : 0;
	} while (byte & 0x80);
	*last = byte;
	if (n > CR_LEB_BYTES)
		cr_cursor_skip(c, UINT64_MAX);
	return c->bad ? 0 : v;
}

uint64_t
cr_cursor_uleb_long(struct cr_cursor *c)
{
	unsigned bits;
	uint8_t last;

	return leb(c, &bits, &last);
}

int64_t
cr_cursor_sleb_long(struct cr_cursor *c)
{
	unsigned bits;
	uint8_t last;
	uint64_t v = leb(c, &bits, &last);

	if (!c->bad && bits < 64 && (last & 0x40))
		v |= ~(uint64_t)0 << bits;
	return (int64_t)v;
}
