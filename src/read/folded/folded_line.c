#include "folded_line_p.h"

#include "base/mem.h"
#include "bytes/scan.h"

static bool
is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Parse "3", "2.", "1.5": digits with at most one point and at least one digit before it. */
static bool
count_parse(struct cr_str s, struct folded_count *out)
{
	uint32_t i = 0, place = FOLDED_FRACTION / 10;

	*out = (struct folded_count){0};
	for (; i < s.len && is_digit(s.p[i]); i++)
		out->over |=
			__builtin_mul_overflow(out->whole, 10, &out->whole) ||
			__builtin_add_overflow(out->whole, (uint64_t)(s.p[i] - '0'), &out->whole);
	if (i == 0 || (i < s.len && s.p[i] != '.'))
		return false;
	for (i++; i < s.len; i++, place /= 10) {
		if (!is_digit(s.p[i]))
			return false;
		out->millionths += place * (uint32_t)(s.p[i] - '0');
	}
	if (out->over)
		out->whole = UINT64_MAX;
	return true;
}

uint64_t
cr_folded_count(const struct folded_count *c, bool millionths)
{
	if (!millionths)
		return c->whole;
	return cr_add_sat(cr_mul_sat(c->whole, FOLDED_FRACTION), c->millionths);
}

static bool
count_meant(struct cr_str s)
{
	return (s.len && (is_digit(s.p[0]) || memchr("+.-", s.p[0], 3))) ||
	       cr_str_eq(s, CR_STR("inf")) || cr_str_eq(s, CR_STR("nan"));
}

/* Number of blanks at the end of s. */
static uint32_t
blanks_at_end(struct cr_str s)
{
	uint32_t n = 0;

	while (n < s.len && is_blank(s.p[s.len - n - 1]))
		n++;
	return n;
}

/*
 * Split off the last word of s, which has no trailing blanks. One blank separates the two; further
 * blanks belong to the last frame. If they include a TAB, they separate columns.
 */
static struct cr_str
cut_word(struct cr_str *s)
{
	uint32_t at = s->len, blanks;
	struct cr_str word;

	while (at && !is_blank(s->p[at - 1]))
		at--;
	word = (struct cr_str){s->p + at, s->len - at};
	s->len = at;
	blanks = blanks_at_end(*s);
	s->len -= blanks && memchr(s->p + at - blanks, '\t', blanks) ? blanks : blanks != 0;
	return word;
}

/* Find the first of two counts, if there is a stack before it. */
static void
find_first_count(struct folded_line *l)
{
	struct cr_str before = l->stack, word;

	before.len -= blanks_at_end(before);
	word = cut_word(&before);
	if (before.len == 0 || !count_parse(word, &l->count[1]))
		return;
	l->count[1] = l->count[0];
	count_parse(word, &l->count[0]);
	l->stack = before;
	l->counts = 2;
}

enum folded_verdict
cr_folded_line_parse(struct cr_str text, bool two, struct folded_line *out)
{
	const bool led_by_blank = text.len && is_blank(text.p[0]);
	struct cr_str s = cr_scan_trim(text), word;

	if (s.len == 0 || (s.p[0] == '#' && (s.len == 1 || s.p[1] == ' ')))
		return FOLDED_SKIP;
	word = cut_word(&s);
	if (s.len == 0 && !led_by_blank)
		return FOLDED_NO_COUNT;
	if (word.p[0] == '-' &&
		count_parse((struct cr_str){word.p + 1, word.len - 1}, &out->count[0]))
		return FOLDED_NEGATIVE;
	if (!count_parse(word, &out->count[0]))
		return count_meant(word) ? FOLDED_BAD_COUNT : FOLDED_NO_COUNT;
	out->stack = s;
	out->counts = 1;
	if (two)
		find_first_count(out);
	return FOLDED_OK;
}

bool
cr_folded_line_plain(struct cr_str text, struct cr_str *stack, uint64_t *count)
{
	uint32_t at = text.len;
	uint64_t v = 0;

	while (at && is_digit(text.p[at - 1]))
		at--;
	if (at < 2 || text.len - at - 1 > 18 || text.p[at - 1] != ' ' || is_blank(text.p[at - 2]) ||
		is_blank(text.p[0]) || text.p[0] == '#')
		return false;
	for (uint32_t i = at; i < text.len; i++)
		v = v * 10 + (uint64_t)(text.p[i] - '0');
	*stack = (struct cr_str){text.p, at - 1};
	*count = v;
	return true;
}
