#include "cresset/bytes/scan.h"

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
	line->len = len > UINT32_MAX ? UINT32_MAX : (uint32_t)len;
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
