#include "line_pattern_p.h"

static bool
is_of(char kind, char c)
{
	if (kind == '_')
		return c == ' ' || c == '\t';
	if (c >= '0' && c <= '9')
		return true;
	return kind == 'x' && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
}

static uint32_t
run_of(char kind, struct cr_str s, uint32_t from)
{
	uint32_t n = 0;

	while (from + n < s.len && is_of(kind, s.p[from + n]))
		n++;
	return n;
}

/* How many more bytes a %* before `rest` must match at least, if rest does not match at i. */
static uint32_t
step(const char *rest, struct cr_str s, uint32_t i)
{
	const bool is_run = rest[0] == '%' && rest[1] && strchr("dx_", rest[1]);
	const uint32_t n = is_run ? run_of(rest[1], s, i) : 0;

	return n ? n : 1; /* a run matches completely or not at all, so skip it */
}

bool
cr_line_pattern(struct cr_str s, const char *pattern, struct cr_str *found)
{
	struct cr_str unasked[CR_LINE_PATTERN_FOUND];
	const char *p = pattern, *star = NULL; /* position after the last %* */
	uint32_t i = 0, n, n_found = 0, n_star = 0;

	if (!found)
		found = unasked;
	for (;;) {
		if (p[0] == '%' && p[1] == '*') {
			p += 2;
			star = p;
			found[n_found] = (struct cr_str){s.p + i, 0};
			n_star = ++n_found;
		} else if (p[0] == '%' && p[1] != '%' && (n = run_of(p[1], s, i)) > 0) {
			found[n_found++] = (struct cr_str){s.p + i, n};
			i += n;
			p += 2;
		} else if (p[0] && i < s.len &&
			   (p[0] == '%' ? p[1] == '%' && s.p[i] == '%' : p[0] == s.p[i])) {
			p += p[0] == '%' ? 2 : 1;
			i++;
		} else if (!p[0] && i == s.len) {
			return true;
		} else {
			struct cr_str *any = star ? &found[n_star - 1] : NULL;

			if (!any || any->p + any->len == s.p + s.len)
				return false;
			i = (uint32_t)(any->p - s.p) + any->len;
			any->len += step(star, s, i);
			i = (uint32_t)(any->p - s.p) + any->len;
			n_found = n_star;
			p = star;
		}
	}
}
