#include "query/diff/bare_name.h"

#include <string.h>

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$';
}

/* The end of "operator" and its symbol at `at`, such as "operator<<" or "operator()"; else at. */
static uint32_t
skip_operator(struct cr_str s, uint32_t at)
{
	static const char word[] = "operator";
	const uint32_t n = sizeof(word) - 1;
	uint32_t end = at + n;

	if (s.len - at < n || memcmp(s.p + at, word, n) != 0 || (at && is_word(s.p[at - 1])) ||
		(end < s.len && is_word(s.p[end])))
		return at;
	if (s.len - end >= 2 &&
		(memcmp(s.p + end, "()", 2) == 0 || memcmp(s.p + end, "[]", 2) == 0))
		return end + 2;
	if (end < s.len && s.p[end] == ' ') { /* "operator new(", "operator int(" */
		while (end < s.len && s.p[end] != '(')
			end++;
		return end;
	}
	while (end < s.len && strchr("<>=!+-*/%&|^~,", s.p[end]))
		end++;
	return end + 1 < s.len && s.p[end] == ' ' && s.p[end + 1] == '<' ? end + 1 : end;
}

/* The parts of a name: [from, to) is the name itself. */
struct parts {
	uint32_t from, to;
};

/* True if what follows the parameters is only a qualifier, such as " const". */
static bool
is_qualifier(struct cr_str s)
{
	static const char *const words[] = {"", " const", " volatile", " const volatile", " &",
		" &&", " const &", " const&", " noexcept"};

	for (size_t i = 0; i < CR_LEN(words); i++)
		if (cr_str_eq(s, cr_str_of(words[i])))
			return true;
	return false;
}

/* Find the outermost blanks and parentheses. Returns false if brackets do not match. */
static bool
find_parts(struct cr_str s, struct parts *out)
{
	uint32_t depth = 0, open = s.len, close = s.len, blank1 = 0;

	*out = (struct parts){0, s.len};
	for (uint32_t i = 0; i < s.len; i++) {
		const uint32_t past = skip_operator(s, i);

		if (past > i) {
			i = past - 1;
			continue;
		}
		if (s.p[i] == '(' && !depth)
			open = i;
		if (s.p[i] == ' ' && !depth && open == s.len)
			blank1 = i + 1;
		if (strchr("(<{[", s.p[i]))
			depth++;
		if (strchr(")}]", s.p[i]) || (s.p[i] == '>' && !(i && s.p[i - 1] == '-'))) {
			if (!depth--)
				return false;
			if (!depth && s.p[i] == ')')
				close = i;
		}
	}
	if (depth)
		return false;
	if (open > 0 && close < s.len && open < close &&
		is_qualifier((struct cr_str){s.p + close + 1, s.len - close - 1}))
		*out = (struct parts){blank1 < open ? blank1 : 0, open};
	return true;
}

/* Length of "[abi:...]" at the beginning, or of "#12" with numbers; else 0. */
static uint32_t
mark_len(struct cr_str s, bool numbers)
{
	const char *end = memchr(s.p, ']', s.len);
	uint32_t n = 1;

	if (cr_str_starts(s, "[abi:") && end)
		return (uint32_t)(end - s.p) + 1;
	if (!numbers || s.p[0] != '#')
		return 0;
	while (n < s.len && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	return n > 1 ? n : 0;
}

/* True for most names: they have nothing that could be removed. */
static bool
is_bare(struct cr_str s)
{
	return !memchr(s.p, '(', s.len) && !memchr(s.p, '@', s.len) && !memchr(s.p, '[', s.len);
}

void
cr_bare_name(struct cr_str name, bool numbers, struct cr_text *out)
{
	const char *version = memchr(name.p, '@', name.len);
	struct parts part;

	cr_text_clear(out);
	if (!numbers && is_bare(name)) {
		cr_text_str(out, name);
		return;
	}
	if (version > name.p && name.p + name.len - version > 1)
		name.len = (uint32_t)(version - name.p);
	if (!find_parts(name, &part))
		part = (struct parts){0, name.len};
	for (uint32_t i = part.from; i < part.to;) {
		const struct cr_str rest = {name.p + i, part.to - i};
		const uint32_t skip = mark_len(rest, numbers);

		if (!skip)
			cr_text_char(out, rest.p[0]);
		i += skip ? skip : 1;
	}
}
