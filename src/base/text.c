#include "base/text.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "base/wide.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

static void
text_room(struct cr_text *t, size_t more)
{
	size_t want = t->len + more + 1;

	if (want <= t->cap)
		return;
	if (want < t->cap * 2)
		want = t->cap * 2;
	if (want < 64)
		want = 64;
	t->p = cr_realloc(t->p, want, 1);
	t->p[t->len] = '\0';
	t->cap = want;
}

void
cr_text_put(struct cr_text *t, const void *p, size_t len)
{
	text_room(t, len);
	if (len)
		memcpy(t->p + t->len, p, len);
	t->len += len;
	t->p[t->len] = '\0';
}

void
cr_text_puts(struct cr_text *t, const char *s)
{
	cr_text_put(t, s, strlen(s));
}

void
cr_text_str(struct cr_text *t, struct cr_str s)
{
	cr_text_put(t, s.p, s.len);
}

void
cr_text_char(struct cr_text *t, char c)
{
	cr_text_put(t, &c, 1);
}

void
cr_text_pad(struct cr_text *t, char c, size_t count)
{
	text_room(t, count);
	memset(t->p + t->len, c, count);
	t->len += count;
	t->p[t->len] = '\0';
}

void
cr_text_printf(struct cr_text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	text_room(t, 64);
	va_start(ap, fmt);
	n = vsnprintf(t->p + t->len, t->cap - t->len, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n >= t->cap - t->len) {
		text_room(t, (size_t)n);
		va_start(ap, fmt);
		vsnprintf(t->p + t->len, t->cap - t->len, fmt, ap);
		va_end(ap);
	}
	t->len += (size_t)n;
}

void
cr_text_u64(struct cr_text *t, uint64_t v)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	cr_text_put(t, digits + at, sizeof(digits) - at);
}

void
cr_text_hex(struct cr_text *t, uint64_t v)
{
	char digits[16];
	size_t at = sizeof(digits);

	do {
		digits[--at] = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v);
	cr_text_put(t, digits + at, sizeof(digits) - at);
}

void
cr_text_clear(struct cr_text *t)
{
	t->len = 0;
	if (t->p)
		t->p[0] = '\0';
}

void
cr_text_fini(struct cr_text *t)
{
	free(t->p);
	*t = (struct cr_text){0};
}

static void
text_hex_bytes(struct cr_text *t, const char *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const unsigned char b = (unsigned char)p[i];
		const char out[4] = {
			'\\', 'x', "0123456789abcdef"[b >> 4], "0123456789abcdef"[b & 15]};

		cr_text_put(t, out, sizeof(out));
	}
}

bool
cr_text_is_hidden(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
#include "text_hidden.def"
	};
	size_t lo = 0, hi = CR_LEN(ranges);

	if (c >= 0x20 && c < 0x7f)
		return false;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (c > ranges[mid].last)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < CR_LEN(ranges) && c >= ranges[lo].first;
}

/* first: the character has nothing before it that it could combine with. */
static void
text_safe_char(struct cr_text *t, const char *p, uint32_t c, unsigned used, bool first)
{
	if (c != CR_UTF8_BAD && !cr_text_is_hidden(c) && !(first && cr_utf8_width(c) == 0))
		cr_text_put(t, p, used);
	else
		text_hex_bytes(t, p, used);
}

void
cr_text_safe(struct cr_text *t, struct cr_str s)
{
	uint32_t i = cr_utf8_plain(s);

	cr_text_put(t, s.p, i);
	for (unsigned used; i < s.len; i += used) {
		const uint32_t c = cr_utf8_decode(s.p + i, s.len - i, &used);

		text_safe_char(t, s.p + i, c, used, i == 0);
	}
}

void
cr_text_xml(struct cr_text *t, struct cr_str s)
{
	unsigned used;

	text_room(t, s.len);
	for (uint32_t i = 0; i < s.len; i += used) {
		const uint32_t c = cr_utf8_decode(s.p + i, s.len - i, &used);

		switch (c) {
		case '<': cr_text_puts(t, "&lt;"); break;
		case '>': cr_text_puts(t, "&gt;"); break;
		case '&': cr_text_puts(t, "&amp;"); break;
		case '"': cr_text_puts(t, "&quot;"); break;
		case '\'': cr_text_puts(t, "&#39;"); break;
		case 0xfffe: /* not characters in XML */
		case 0xffff: text_hex_bytes(t, s.p + i, used); break;
		default: text_safe_char(t, s.p + i, c, used, i == 0);
		}
	}
}

/* True if a spreadsheet would read this as a formula. A signed number is not one. */
static bool
is_formula(struct cr_str s)
{
	if (!s.len || !memchr("=+-@", s.p[0], 4))
		return false;
	for (uint32_t i = 1; i < s.len; i++)
		if ((s.p[i] < '0' || s.p[i] > '9') && s.p[i] != '.')
			return true;
	return s.len == 1 || s.p[0] == '=' || s.p[0] == '@';
}

void
cr_text_csv(struct cr_text *t, struct cr_str s)
{
	struct cr_text safe = {0};

	if (is_formula(s))
		cr_text_char(&safe, '\'');
	cr_text_safe(&safe, s);
	if (!safe.len || !strpbrk(safe.p, "\",")) {
		cr_text_put(t, safe.p, safe.len);
	} else {
		cr_text_char(t, '"');
		for (const char *p = safe.p; *p; p++)
			cr_text_puts(t, *p == '"' ? "\"\"" : (const char[]){*p, '\0'});
		cr_text_char(t, '"');
	}
	cr_text_fini(&safe);
}

void
cr_text_grouped(struct cr_text *t, uint64_t v)
{
	char digits[27];
	size_t at = sizeof(digits);

	for (unsigned n = 0;; n++) {
		if (n && n % 3 == 0)
			digits[--at] = ' ';
		digits[--at] = (char)('0' + v % 10);
		v /= 10;
		if (!v)
			break;
	}
	cr_text_put(t, digits + at, sizeof(digits) - at);
}

void
cr_text_counted(struct cr_text *t, uint64_t v, const char *one, const char *many)
{
	cr_text_grouped(t, v);
	cr_text_char(t, ' ');
	cr_text_puts(t, v == 1 ? one : many);
}

void
cr_text_bytes(struct cr_text *t, uint64_t bytes)
{
	static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
	double v = (double)bytes;
	size_t u = 0;

	if (bytes < 1000) {
		cr_text_printf(t, "%" PRIu64 " B", bytes);
		return;
	}
	v /= 1000;
	while (v >= 999.95 && u + 1 < CR_LEN(units)) {
		v /= 1000;
		u++;
	}
	cr_text_printf(t, "%.*f %s", v < 99.95 ? 1 : 0, v, units[u]);
}

void
cr_text_duration(struct cr_text *t, uint64_t ns)
{
	if (ns < 1000)
		cr_text_printf(t, "%" PRIu64 " ns", ns);
	else if (ns < 999950) /* not "1000.0 us" */
		cr_text_printf(t, "%.1f us", (double)ns / 1e3);
	else if (ns < 999950000)
		cr_text_printf(t, "%.1f ms", (double)ns / 1e6);
	else if (ns < 120 * UINT64_C(1000000000))
		cr_text_printf(t, "%.1f s", (double)ns / 1e9);
	else if (ns < 7200 * UINT64_C(1000000000))
		cr_text_printf(t, "%" PRIu64 " min %02" PRIu64 " s", ns / 60000000000,
			ns / 1000000000 % 60);
	else
		cr_text_printf(t, "%" PRIu64 " h %02" PRIu64 " min", ns / 3600000000000,
			ns / 60000000000 % 60);
}

void
cr_text_decimal(struct cr_text *t, uint64_t v, unsigned places)
{
	char digits[16];
	uint64_t one = 1;

	for (unsigned i = 0; i < places; i++)
		one *= 10;
	cr_text_u64(t, v / one);
	if (v % one == 0)
		return;
	v %= one;
	digits[0] = '.';
	for (unsigned i = places; i > 0; i--, v /= 10)
		digits[i] = (char)('0' + v % 10);
	while (digits[places] == '0')
		places--;
	cr_text_put(t, digits, places + 1);
}

void
cr_text_weight(struct cr_text *t, uint64_t weight, struct cr_str unit)
{
	if (cr_str_eq(unit, CR_STR("millionths")))
		cr_text_decimal(t, weight, 6);
	else
		cr_text_u64(t, weight);
}

/* Nanoseconds in one of the unit; 0 if it is no unit of time. */
static uint64_t
unit_ns(struct cr_str unit)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (cr_str_eq(unit, cr_str_of(units[i].name)))
			return units[i].ns;
	return 0;
}

void
cr_text_measure(struct cr_text *t, uint64_t weight, struct cr_str unit)
{
	const uint64_t one_ns = unit_ns(unit);
	uint64_t ns;

	if (one_ns) {
		if (__builtin_mul_overflow(weight, one_ns, &ns))
			ns = UINT64_MAX;
		cr_text_duration(t, ns);
	} else if (cr_str_eq(unit, CR_STR("bytes"))) {
		cr_text_bytes(t, weight);
	} else if (cr_str_eq(unit, CR_STR("millionths"))) {
		cr_text_weight(t, weight, unit);
		cr_text_puts(t, " weight"); /* texts with fractional counts do not name a unit */
	} else {
		cr_text_grouped(t, weight);
		cr_text_char(t, ' ');
		cr_text_safe(t, weight == 1 && cr_str_eq(unit, CR_STR("samples")) ? CR_STR("sample")
										  : unit);
	}
}

bool
cr_text_measure_scales(struct cr_str unit)
{
	return unit_ns(unit) || cr_str_eq(unit, CR_STR("bytes"));
}

uint32_t
cr_share_ppm(uint64_t part, uint64_t whole)
{
	uint64_t ppm;

	if (whole == 0)
		return 0;
	ppm = cr_mul_div_sat(part, 1000000, whole, CR_ROUND_NEAREST);
	return ppm < UINT32_MAX ? (uint32_t)ppm : UINT32_MAX;
}

void
cr_text_share(struct cr_text *t, uint64_t part, uint64_t whole)
{
	const uint64_t hundredths =
		whole ? cr_mul_div_sat(part, 10000, whole, CR_ROUND_NEAREST) : 0;

	cr_text_printf(t, "%" PRIu64 ".%02u %%", hundredths / 100, (unsigned)(hundredths % 100));
}

/* No line break inside "12 345" or before "%". */
static bool
breaks_at(const char *blank, const char *end)
{
	const bool behind_digit = blank[-1] >= '0' && blank[-1] <= '9';

	return !behind_digit || blank + 1 == end ||
	       !((blank[1] >= '0' && blank[1] <= '9') || blank[1] == '%');
}

void
cr_text_wrap(struct cr_text *out, struct cr_str text, uint32_t indent, uint32_t cells)
{
	const char *p = text.p, *end = p + text.len;
	uint32_t x = indent;

	while (p < end) {
		const char *word = p;
		uint32_t width;

		while (p < end && !(*p == ' ' && p > word && breaks_at(p, end)))
			p++;
		width = cr_utf8_cells((struct cr_str){word, (uint32_t)(p - word)});
		if (x > indent && x + 1 + width > cells) {
			cr_text_char(out, '\n');
			cr_text_pad(out, ' ', indent);
			x = indent;
		} else if (x > indent) {
			cr_text_char(out, ' ');
			x++;
		}
		cr_text_put(out, word, (size_t)(p - word));
		x += width;
		while (p < end && *p == ' ')
			p++;
	}
	cr_text_char(out, '\n');
}
