#include "bytes/scan.h"

#include "base/mem.h"

void
cr_scan_init(struct cr_scan *s, const void *p, size_t len)
{
	*s = (struct cr_scan){.p = p, .start = p};
	s->end = s->p + len;
	if (len >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		s->p += 3;
}

bool
cr_scan_line(struct cr_scan *s, struct cr_str *line)
{
	const char *lf;
	size_t len;

	if (s->p >= s->end)
		return false;
	lf = memchr(s->p, '\n', (size_t)(s->end - s->p));
	len = (size_t)((lf ? lf : s->end) - s->p);
	line->p = s->p;
	s->p += len + (lf != NULL);
	s->line++;
	if (len && line->p[len - 1] == '\r')
		len--;
	s->cut = len > CR_SCAN_LINE_MOST;
	line->len = (uint32_t)(s->cut ? CR_SCAN_LINE_MOST : len);
	return true;
}

struct cr_str
cr_scan_trim(struct cr_str s)
{
	while (s.len && (s.p[0] == ' ' || s.p[0] == '\t')) {
		s.p++;
		s.len--;
	}
	while (s.len && (s.p[s.len - 1] == ' ' || s.p[s.len - 1] == '\t'))
		s.len--;
	return s;
}

bool
cr_scan_u64(struct cr_str s, uint64_t *out)
{
	uint64_t v = 0;

	if (s.len == 0)
		return false;
	for (uint32_t i = 0; i < s.len; i++) {
		const unsigned d = (unsigned)(unsigned char)s.p[i] - '0';

		if (d > 9 || __builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, d, &v))
			return false;
	}
	*out = v;
	return true;
}

#define EXPONENT_MAX 10000 /* beyond it any number is 0 or overflows */

/* Read the digits and the point between them. *exponent is that of the last digit used. */
static const char *
decimal_digits(const char *p, const char *end, uint64_t *value, int *exponent, bool *exact)
{
	bool any = false, point = false, full = false;

	for (; p < end; p++) {
		const unsigned digit = (unsigned)(unsigned char)*p - '0';

		if (*p == '.' && !point) {
			point = true;
			continue;
		}
		if (digit > 9)
			break;
		any = true;
		full = full || *value > (UINT64_MAX - 9) / 10;
		if (!full)
			*value = *value * 10 + digit;
		else if (digit)
			*exact = false;
		if (*exponent<EXPONENT_MAX && * exponent> - EXPONENT_MAX)
			*exponent += (int)full - (int)point;
	}
	return any ? p : NULL;
}

/* Read an exponent such as "e-3", if there is one. */
static const char *
decimal_exponent(const char *p, const char *end, int *exponent)
{
	int e = 0;
	bool negative;

	if (p == end || (*p != 'e' && *p != 'E'))
		return p;
	p++;
	negative = p < end && *p == '-';
	p += p < end && (*p == '-' || *p == '+');
	if (p == end)
		return NULL;
	for (; p < end && *p >= '0' && *p <= '9'; p++)
		if (e < EXPONENT_MAX)
			e = e * 10 + (*p - '0');
	*exponent += negative ? -e : e;
	return p;
}

bool
cr_scan_decimal(struct cr_str s, unsigned scale, struct cr_decimal *out)
{
	const char *p = s.p, *end;
	int exponent = 0;
	unsigned last = 0;

	*out = (struct cr_decimal){.exact = true};
	if (s.len == 0)
		return false;
	end = p + s.len;
	if (*p == '-' || *p == '+')
		out->negative = *p++ == '-';
	if (p == end || !(p = decimal_digits(p, end, &out->value, &exponent, &out->exact)) ||
		!(p = decimal_exponent(p, end, &exponent)) || p != end)
		return false;
	for (exponent += (int)scale; exponent > 0 && out->value; exponent--) {
		if (!cr_mul_ok(out->value, 10, &out->value)) {
			out->value = UINT64_MAX;
			return true;
		}
	}
	for (; exponent < 0 && (out->value || last); exponent++) {
		last = (unsigned)(out->value % 10);
		out->exact = out->exact && last == 0;
		out->value /= 10;
	}
	out->value += last >= 5;
	return true;
}

bool
cr_scan_hex(struct cr_str s, uint64_t *out)
{
	uint64_t v = 0;

	if (s.len > 2 && s.p[0] == '0' && (s.p[1] == 'x' || s.p[1] == 'X')) {
		s.p += 2;
		s.len -= 2;
	}
	if (s.len == 0)
		return false;
	for (uint32_t i = 0; i < s.len; i++) {
		const unsigned lower = (unsigned char)s.p[i] | 0x20u, letter = lower - 'a';
		const unsigned d = letter < 6 ? letter + 10 : (unsigned)(unsigned char)s.p[i] - '0';

		if (d > 15 || v >> 60)
			return false;
		v = v << 4 | d;
	}
	*out = v;
	return true;
}

bool
cr_scan_source_line(struct cr_str *s, uint32_t *line)
{
	const char *colon = s->len ? memrchr(s->p, ':', s->len) : NULL;
	uint64_t number;

	if (!colon ||
		!cr_scan_u64(
			(struct cr_str){colon + 1, (uint32_t)(s->p + s->len - colon) - 1}, &number))
		return false;
	s->len = (uint32_t)(colon - s->p);
	*line = number <= INT32_MAX ? (uint32_t)number : 0;
	return true;
}

struct cr_str
cr_scan_word(struct cr_str *rest)
{
	struct cr_str word;

	while (rest->len && (rest->p[0] == ' ' || rest->p[0] == '\t')) {
		rest->p++;
		rest->len--;
	}
	word = (struct cr_str){rest->p, 0};
	while (rest->len && rest->p[0] != ' ' && rest->p[0] != '\t') {
		rest->p++;
		rest->len--;
		word.len++;
	}
	return word;
}
