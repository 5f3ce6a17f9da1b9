#include "base/utf8.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

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

unsigned
cr_utf8_width(uint32_t c)
{
	static const struct {
		uint32_t first, last, width;
	} ranges[] = {
#include "utf8_widths.def"
	};
	size_t lo = 0, hi = CR_LEN(ranges);

	if (c < ranges[0].first)
		return 1;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (c > ranges[mid].last)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < CR_LEN(ranges) && c >= ranges[lo].first ? ranges[lo].width : 1;
}

uint32_t
cr_utf8_plain(struct cr_str s)
{
	const uint64_t ones = UINT64_MAX / 255, high = ones << 7;
	uint32_t n = 0;

	for (uint64_t w; s.len - n >= sizeof(w); n += sizeof(w)) {
		memcpy(&w, s.p + n, sizeof(w));
		/* the high bit of each byte below 0x20, of 0x7f, and above */
		if (((w - ones * 0x20) | (w + ones) | w) & high)
			break;
	}
	while (n < s.len && s.p[n] >= 0x20 && s.p[n] < 0x7f)
		n++;
	return n;
}

uint32_t
cr_utf8_cells(struct cr_str s)
{
	uint32_t cells = cr_utf8_plain(s);
	unsigned used;

	for (uint32_t i = cells; i < s.len; i += used) {
		const uint32_t c = cr_utf8_decode(s.p + i, s.len - i, &used);

		cells += c == CR_UTF8_BAD ? 1 : cr_utf8_width(c);
	}
	return cells;
}

uint32_t
cr_utf8_fit(struct cr_str s, uint32_t cells)
{
	uint32_t have, i;
	unsigned used;

	have = i = cr_utf8_plain((struct cr_str){s.p, CR_MIN(s.len, cells)});
	for (; i < s.len; i += used) {
		const uint32_t c = cr_utf8_decode(s.p + i, s.len - i, &used);
		const uint32_t w = c == CR_UTF8_BAD ? 1 : cr_utf8_width(c);

		if (have + w > cells)
			break;
		have += w;
	}
	return i;
}

/* True if the name of a locale has its encoding after a dot, and that is UTF-8. */
static bool
names_utf8(const char *locale)
{
	const char *encoding = strchr(locale, '.');

	return encoding &&
	       (strncasecmp(encoding, ".UTF-8", 6) == 0 || strncasecmp(encoding, ".utf8", 5) == 0);
}

bool
cr_utf8_locale(void)
{
	static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *now = setlocale(LC_CTYPE, NULL);

	if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
		return true;
	if (!now || strcmp(now, "C") != 0)
		return false;
	/* The first that is not empty decides, as in setlocale(). */
	for (size_t i = 0; i < CR_LEN(variables); i++) {
		const char *value = getenv(variables[i]);

		if (value && *value)
			return names_utf8(value);
	}
	return false;
}
