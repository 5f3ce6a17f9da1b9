#ifndef CR_BYTES_CURSOR_H
#define CR_BYTES_CURSOR_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bounded binary reads. A read past the end sets `bad` and moves the cursor to its end; every later
 * read then returns 0 or an empty span. So a decoder reads straight through and checks `bad` once.
 * A decoder that is given a sub-cursor cannot read outside it.
 */
struct cr_cursor {
	const unsigned char *p;
	const unsigned char *end;
	const unsigned char *start; /* of the outermost span: cr_cursor_at() counts from here */
	bool bad;
	bool swap; /* the writer's byte order differs from ours */
};

/* Read the len bytes at p, which are borrowed, in the byte order of this machine. */
void cr_cursor_init(struct cr_cursor *c, const void *p, size_t len);

static inline size_t
cr_cursor_left(const struct cr_cursor *c)
{
	return (size_t)(c->end - c->p);
}

static inline uint64_t
cr_cursor_at(const struct cr_cursor *c)
{
	return (uint64_t)(c->p - c->start);
}

/* Skip len bytes and return a pointer to them, borrowed; NULL and bad if there are fewer. */
static inline const unsigned char *
cr_cursor_take(struct cr_cursor *c, uint64_t len)
{
	const unsigned char *p = c->p;

	if (len > cr_cursor_left(c)) {
		c->bad = true;
		c->p = c->end;
		return NULL;
	}
	if (len) /* p of an empty cursor may be NULL */
		c->p += len;
	return p;
}

static inline uint8_t
cr_cursor_u8(struct cr_cursor *c)
{
	const unsigned char *p = cr_cursor_take(c, 1);

	return p ? *p : 0;
}

static inline uint16_t
cr_cursor_u16(struct cr_cursor *c)
{
	const unsigned char *p = cr_cursor_take(c, 2);
	uint16_t v;

	if (!p)
		return 0;
	memcpy(&v, p, 2);
	return c->swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t
cr_cursor_u32(struct cr_cursor *c)
{
	const unsigned char *p = cr_cursor_take(c, 4);
	uint32_t v;

	if (!p)
		return 0;
	memcpy(&v, p, 4);
	return c->swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t
cr_cursor_u64(struct cr_cursor *c)
{
	const unsigned char *p = cr_cursor_take(c, 8);
	uint64_t v;

	if (!p)
		return 0;
	memcpy(&v, p, 8);
	return c->swap ? __builtin_bswap64(v) : v;
}

/*
 * LEB128 as in DWARF: bits beyond 64 are lost; more than CR_LEB_BYTES bytes are bad. The _sleb
 * functions sign-extend. Nearly all numbers have one byte; the _long functions read any.
 */
#define CR_LEB_BYTES 16
uint64_t cr_cursor_uleb_long(struct cr_cursor *c);
int64_t cr_cursor_sleb_long(struct cr_cursor *c);

static inline bool
cr_cursor_is_short(const struct cr_cursor *c)
{
	return c->p < c->end && *c->p < 0x80 && !c->bad;
}

static inline uint64_t
cr_cursor_uleb(struct cr_cursor *c)
{
	return cr_cursor_is_short(c) ? *c->p++ : cr_cursor_uleb_long(c);
}

static inline int64_t
cr_cursor_sleb(struct cr_cursor *c)
{
	return cr_cursor_is_short(c) ? (int64_t)(*c->p++ ^ 0x40) - 0x40 : cr_cursor_sleb_long(c);
}

/*
 * Read a u32 or u64 count. If fewer than count * item_bytes bytes are left, the result is 0 and
 * bad.
 */
uint32_t cr_cursor_count(struct cr_cursor *c, size_t item_bytes);
uint64_t cr_cursor_count64(struct cr_cursor *c, size_t item_bytes);

/*
 * Return the next len bytes as a cursor and skip them. If there are fewer, the result is empty and
 * bad, and c is bad too.
 */
static inline struct cr_cursor
cr_cursor_sub(struct cr_cursor *c, uint64_t len)
{
	struct cr_cursor s = *c;
	const unsigned char *p = cr_cursor_take(c, len);

	if (p) {
		s.end = p + len;
		return s;
	}
	s.bad = true;
	s.p = s.end;
	return s;
}

/* Skip len bytes and return them as text, up to the first NUL. */
struct cr_str cr_cursor_text(struct cr_cursor *c, uint64_t len);

/* Return the text up to the next NUL and skip both; empty and bad without a NUL. */
struct cr_str cr_cursor_string(struct cr_cursor *c);

/* Skip len bytes. */
static inline void
cr_cursor_skip(struct cr_cursor *c, uint64_t len)
{
	cr_cursor_take(c, len);
}

#endif
