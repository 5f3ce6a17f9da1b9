#include "utf16_p.h"

#include "base/utf8.h"

#define REPLACEMENT 0xfffdu

bool
cr_utf16_is(const unsigned char *head, size_t len, bool *big)
{
	if (len < CR_UTF16_MARK)
		return false;
	*big = head[0] == 0xfe && head[1] == 0xff;
	if (head[0] == 0xff && head[1] == 0xfe)
		return len < 4 || head[2] || head[3];
	return *big;
}

static size_t
put(unsigned char *out, uint32_t c)
{
	return cr_utf8_encode(c, (char *)out);
}

static size_t
replace(struct cr_utf16 *u, unsigned char *out)
{
	u->high = 0;
	u->bad++;
	return put(out, REPLACEMENT);
}

/*
 * Convert one unit. *used is false if it must be processed again, after the waiting half was
 * replaced.
 */
static size_t
unit(struct cr_utf16 *u, uint32_t c, unsigned char *out, bool *used)
{
	const bool high = (c & 0xfc00) == 0xd800, low = (c & 0xfc00) == 0xdc00;
	uint32_t pair;

	*used = low || !u->high;
	if (u->high && low) {
		pair = 0x10000 + ((u->high & 0x3ff) << 10) + (c & 0x3ff);
		u->high = 0;
		return put(out, pair);
	}
	if (u->high || low)
		return replace(u, out);
	if (!high)
		return put(out, c);
	u->high = c;
	return 0;
}

size_t
cr_utf16_step(struct cr_utf16 *u, const unsigned char *in, size_t in_len, bool last,
	unsigned char *out, size_t room, size_t *took)
{
	size_t at = 0, made = 0;

	while (in_len - at >= 2 && room - made >= CR_UTF16_ROOM) {
		const uint32_t c = u->big ? (uint32_t)in[at] << 8 | in[at + 1]
					  : (uint32_t)in[at + 1] << 8 | in[at];
		bool used;

		made += unit(u, c, out + made, &used);
		at += used ? 2 : 0;
	}
	if (last && in_len - at < 2 && u->high && room - made >= CR_UTF16_ROOM)
		made += replace(u, out + made);
	if (last && in_len - at == 1 && room - made >= CR_UTF16_ROOM) {
		made += replace(u, out + made);
		at++;
	}
	*took = at;
	return made;
}
