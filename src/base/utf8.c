#include "cresset/base/utf8.h"

#include "cresset/base/mem.h"

uint32_t
cr_utf8_decode(const char *p, size_t len, unsigned *used)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *u = (const unsigned char *)p;
	uint32_t c;
	unsigned n;

	*used = 1;
	if (u[0] < 0x80)
		return u[0];
	if (u[0] >= 0xc2 && u[0] < 0xe0) {
		n = 2;
		c = u[0] & 0x1fu;
	} else if (u[0] >= 0xe0 && u[0] < 0xf0) {
		n = 3;
		c = u[0] & 0x0fu;
	} else if (u[0] >= 0xf0 && u[0] < 0xf5) {
		n = 4;
		c = u[0] & 0x07u;
	} else {
		return CR_UTF8_BAD;
	}
	if (len < n)
		return CR_UTF8_BAD;
	for (unsigned i = 1; i < n; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return CR_UTF8_BAD;
		c = c << 6 | (u[i] & 0x3fu);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return CR_UTF8_BAD;
	*used = n;
	return c;
}

unsigned
cr_utf8_encode(uint32_t c, char out[4])
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/*
 * Ranges, not a table of every character: a terminal's own table differs from any of ours
 * anyway, and names of code are ASCII nearly always. Sources: Unicode 15 EastAsianWidth.txt
 * (W and F), DerivedGeneralCategory.txt (Mn, Me, Cf), coarsened where the gaps are unassigned.
 */
struct range {
	uint32_t first, last;
};

static const struct range zero_width[] = {
	{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f},
	{0x06d6, 0x06dc}, {0x0900, 0x0902}, {0x093c, 0x093c}, {0x0941, 0x0948}, {0x0e31, 0x0e31},
	{0x0e34, 0x0e3a}, {0x0e47, 0x0e4e}, {0x1160, 0x11ff}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
	{0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x2064}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f},
	{0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef},
};

static const struct range two_wide[] = {
	{0x1100, 0x115f}, {0x231a, 0x231b}, {0x23e9, 0x23ec}, {0x25fd, 0x25fe}, {0x2614, 0x2615},
	{0x2648, 0x2653}, {0x26aa, 0x26ab}, {0x26bd, 0x26be}, {0x26c4, 0x26c5}, {0x2705, 0x2705},
	{0x270a, 0x270b}, {0x2753, 0x2755}, {0x2795, 0x2797}, {0x2e80, 0x303e}, {0x3041, 0x33ff},
	{0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xa000, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7a3},
	{0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x16fe0, 0x18aff},
	{0x1b000, 0x1b2ff}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f19a},
	{0x1f200, 0x1f320}, {0x1f32d, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f7e0, 0x1f7eb},
	{0x1f90c, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
};

static unsigned
in_ranges(const struct range *r, size_t n, uint32_t c)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		const size_t mid = (lo + hi) / 2;

		if (c > r[mid].last)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && c >= r[lo].first;
}

unsigned
cr_utf8_width(uint32_t c)
{
	if (c < 0x300)
		return 1;
	if (in_ranges(zero_width, CR_LEN(zero_width), c))
		return 0;
	return in_ranges(two_wide, CR_LEN(two_wide), c) ? 2 : 1;
}

uint32_t
cr_utf8_cells(struct cr_str s)
{
	uint32_t cells = 0;
	unsigned used;

	for (uint32_t i = 0; i < s.len; i += used) {
		const uint32_t c = cr_utf8_decode(s.p + i, s.len - i, &used);

		cells += c == CR_UTF8_BAD ? 1 : cr_utf8_width(c);
	}
	return cells;
}

uint32_t
cr_utf8_fit(struct cr_str s, uint32_t cells)
{
	uint32_t have = 0, i = 0;
	unsigned used;

	for (; i < s.len; i += used) {
		const uint32_t c = cr_utf8_decode(s.p + i, s.len - i, &used);
		const uint32_t w = c == CR_UTF8_BAD ? 1 : cr_utf8_width(c);

		if (have + w > cells)
			break;
		have += w;
	}
	return i;
}
