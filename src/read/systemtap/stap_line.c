#include "stap_line_p.h"

#include "bytes/scan.h"

static bool
is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static uint32_t
digits_at(struct cr_str s, uint32_t at)
{
	uint32_t n = 0;

	while (at + n < s.len && is_digit(s.p[at + n]))
		n++;
	return n;
}

static uint32_t
run_of(struct cr_str s, uint32_t at, char c)
{
	uint32_t n = 0;

	while (at + n < s.len && s.p[at + n] == c)
		n++;
	return n;
}

/* All of s as a count. */
static bool
count_parse(struct cr_str s, struct stap_count *out)
{
	const uint32_t sign = s.len && s.p[0] == '-', n = digits_at(s, sign);

	if (n == 0 || sign + n != s.len)
		return false;
	out->value = 0;
	out->negative = sign;
	out->over = !cr_scan_u64((struct cr_str){s.p + sign, n}, &out->value);
	if (out->over)
		out->value = UINT64_MAX;
	return true;
}

/* "12x", "1.5", "+3" after a TAB: an invalid count. Frames in that place begin with "0x". */
static bool
count_meant(struct cr_str s)
{
	const uint32_t sign = s.p[0] == '-' || s.p[0] == '+' || s.p[0] == '.';

	return digits_at(s, sign) && !cr_str_starts(s, "0x") && !memchr(s.p, ' ', s.len);
}

/* "    8 |@@@@      4", also with a leading sign or bracket. */
static bool
is_histogram_row(struct cr_str s)
{
	uint32_t at = 0, n;

	if (at < s.len && (s.p[at] == '<' || s.p[at] == '>'))
		at++;
	if (at < s.len && s.p[at] == '-')
		at++;
	if ((n = digits_at(s, at)) == 0)
		return false;
	at += n;
	if (!cr_str_starts((struct cr_str){s.p + at, s.len - at}, " |"))
		return false;
	at += 2;
	at += run_of(s, at, '@');
	n = run_of(s, at, ' ');
	at += n;
	return n && (n = digits_at(s, at)) > 0 && at + n == s.len;
}

bool
cr_stap_line_is_histogram(struct cr_str line)
{
	struct cr_str s = cr_scan_trim(line), word = cr_scan_word(&s);

	if (!cr_str_eq(word, CR_STR("value")))
		return false;
	word = cr_scan_word(&s);
	return word.len > 10 && word.p[0] == '|' && run_of(word, 1, '-') == word.len - 1 &&
	       cr_str_eq(cr_scan_trim(s), CR_STR("count"));
}

/* Usually decided by the first byte. */
static bool
is_noise(struct cr_str s)
{
	static const char *const starts[] = {
		"WARNING: ", "ERROR: ", "semantic error: ", "parse error: ", "Please wait for ",
		"Hit Ctrl-C to end.", "Exiting...Please wait...", "Time's up. ", "Start tracing ",
		"No backtraces found. ", "min/avg/max: "};

	switch (s.p[0]) {
	case '=': return s.len > 8 && cr_str_starts(s, "=== ") && cr_str_ends(s, " ===");
	case '~': return s.len == 1;
	case 'v': return cr_stap_line_is_histogram(s);
	case 'P':
		if (cr_str_starts(s, "Pass ") && s.len > 5 && is_digit(s.p[5]))
			return true;
		break;
	default:
		if (is_digit(s.p[0]) || s.p[0] == '<' || s.p[0] == '>' || s.p[0] == '-')
			return is_histogram_row(s);
	}
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (s.p[0] == starts[i][0] && cr_str_starts(s, starts[i]))
			return true;
	return false;
}

/* A count after the last TAB of a line that has something before it. */
static bool
cut_count_parse(struct cr_str s, struct stap_count *out)
{
	const char *tab;

	if (!is_digit(s.p[s.len - 1]) || !(tab = memrchr(s.p, '\t', s.len)))
		return false;
	out->frame = (struct cr_str){s.p, (uint32_t)(tab - s.p)};
	return count_parse((struct cr_str){tab + 1, s.len - out->frame.len - 1}, out);
}

enum stap_line
cr_stap_line_kind(struct cr_str line, struct stap_count *count)
{
	const struct cr_str s = cr_scan_trim(line);
	const bool led_by_tab = line.len && line.p[0] == '\t';

	if (s.len == 0)
		return STAP_LINE_BLANK;
	if (count_parse(s, count) && (!count->negative || led_by_tab || line.p[0] == ' '))
		return STAP_LINE_COUNT;
	if (cut_count_parse(s, count))
		return STAP_LINE_CUT_COUNT;
	if (led_by_tab && count_meant(s))
		return STAP_LINE_BAD_COUNT;
	return is_noise(s) ? STAP_LINE_NOISE : STAP_LINE_FRAME;
}
