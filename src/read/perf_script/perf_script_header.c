#include "perf_script_p.h"

#include "base/mem.h"
#include "bytes/scan.h"

/*
 *	[VM:N VCPU:N] [COMM] [PID/TID | TID] [[CPU]] [MISC] [DATE TIME] [SECONDS.FRACTION:]
 *		[PERIOD] [EVENT:] [REST]
 *
 * A comm may contain anything, so a line is parsed from the time in both directions. Without a time
 * it is parsed from the event's colon, and without an event from its end.
 */
#define NS_PER_S UINT64_C(1000000000)
#define DECIMALS_LEAST 3u /* digits of a time that no processor precedes, as in "[003] 0.0:" */

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool
all_digits(struct cr_str s)
{
	uint32_t i = 0;

	while (i < s.len && is_digit(s.p[i]))
		i++;
	return i && i == s.len;
}

/* Split off the last word of *s. */
static struct cr_str
last_word(struct cr_str *s)
{
	uint32_t end = s->len, at;

	while (end && is_blank(s->p[end - 1]))
		end--;
	for (at = end; at && !is_blank(s->p[at - 1]);)
		at--;
	s->len = at;
	return (struct cr_str){s->p + at, end - at};
}

static struct cr_str
trim_end(struct cr_str s)
{
	while (s.len && is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

/* ---- before the time */

/* "12", "12/34"; a pid may be -1. */
static bool
is_id(struct cr_str s)
{
	uint32_t i = s.len && s.p[0] == '-', from = i;

	while (i < s.len && is_digit(s.p[i]))
		i++;
	if (i == from)
		return false;
	if (i == s.len)
		return true;
	if (s.p[i++] != '/')
		return false;
	i += i < s.len && s.p[i] == '-';
	return i < s.len && all_digits((struct cr_str){s.p + i, s.len - i});
}

static bool
is_cpu(struct cr_str s)
{
	return s.len > 2 && s.p[0] == '[' && s.p[s.len - 1] == ']' &&
	       all_digits((struct cr_str){s.p + 1, s.len - 2});
}

/* Letters that tell who ran: user, kernel etc. */
static bool
is_misc(struct cr_str s)
{
	uint32_t i = 0;

	while (i < s.len && memchr("KUHGgMESp", s.p[i], 9))
		i++;
	return i && i == s.len && s.len <= 5;
}

/* "12:34:56.123456" */
static bool
is_clock(struct cr_str s)
{
	return s.len > 9 && s.p[2] == ':' && s.p[5] == ':' && s.p[8] == '.' && is_digit(s.p[0]) &&
	       is_digit(s.p[7]) && all_digits((struct cr_str){s.p + 9, s.len - 9});
}

static bool
is_date(struct cr_str s)
{
	return s.len >= 8 && is_digit(s.p[0]) && memchr(s.p, '-', s.len);
}

static uint16_t
cpu_number(struct cr_str s)
{
	uint64_t v;

	if (!cr_scan_u64((struct cr_str){s.p + 1, s.len - 2}, &v) || v >= CR_CPU_UNKNOWN)
		return CR_CPU_UNKNOWN;
	return (uint16_t)v;
}

/* Remove the cpu from the end of *s, if there is one. */
static void
parse_cpu(struct cr_str *s, struct perf_script_header *h)
{
	struct cr_str left = *s;
	const struct cr_str word = last_word(&left);

	if (!is_cpu(word))
		return;
	h->cpu = cpu_number(word);
	*s = left;
}

static void
parse_clock(struct cr_str *s)
{
	struct cr_str left = *s;

	if (is_clock(last_word(&left)) && is_date(last_word(&left)))
		*s = left;
}

/* Only between a thread or a cpu and the time, since a comm may look like it. */
static void
parse_misc(struct cr_str *s)
{
	struct cr_str left = *s, before;

	if (!is_misc(last_word(&left)))
		return;
	before = left;
	before = last_word(&before);
	if (is_cpu(before) || is_id(before))
		*s = left;
}

/* The rest is comm and thread; false if there is no thread. */
static bool
parse_who(struct cr_str s, struct perf_script_header *h)
{
	struct cr_str left = s;
	const struct cr_str word = last_word(&left);

	h->who = trim_end(s);
	h->id_len = is_id(word) ? word.len : 0;
	return h->id_len != 0;
}

static int32_t
id_number(struct cr_str s)
{
	uint64_t v;

	return cr_scan_u64(s, &v) && v <= INT32_MAX ? (int32_t)v : -1;
}

struct perf_script_who
cr_perf_script_who(const struct perf_script_header *h)
{
	struct cr_str comm = h->who, id;
	struct perf_script_who out = {.pid = -1, .tid = -1};
	const char *slash;

	if (comm.len == 0)
		return out;
	comm.len -= h->id_len;
	id = (struct cr_str){comm.p + comm.len, h->id_len};
	slash = id.len ? memchr(id.p, '/', id.len) : NULL;
	if (slash) {
		out.pid = id_number((struct cr_str){id.p, (uint32_t)(slash - id.p)});
		id = (struct cr_str){slash + 1, (uint32_t)(id.p + id.len - slash - 1)};
	}
	out.tid = id_number(id);
	comm = cr_scan_trim(comm);
	if (cr_str_starts(comm, "VM:")) { /* from a guest: "VM: 12 VCPU:003 prog" */
		struct cr_str rest = {comm.p + 3, comm.len - 3};
		const bool number = all_digits(cr_scan_word(&rest));

		if (number && cr_str_starts(cr_scan_word(&rest), "VCPU:"))
			comm = cr_scan_trim(rest);
	}
	out.comm = comm;
	return out;
}

/* ---- after the time */

/* The first ':' from `from` on that ends a word; s.len if none. */
static uint32_t
word_colon(struct cr_str s, uint32_t from)
{
	const char *end = s.p + s.len, *c = s.p + from;

	while (c < end && (c = memchr(c, ':', (size_t)(end - c)))) {
		if (c + 1 == end || is_blank(c[1]))
			return (uint32_t)(c - s.p);
		c++;
	}
	return s.len;
}

static void
parse_period(struct cr_str *s, struct perf_script_header *h)
{
	uint32_t i = 0;

	while (i < s->len && is_digit(s->p[i]))
		i++;
	if (i == 0 || (i < s->len && !is_blank(s->p[i])))
		return;
	h->has_period = true;
	if (!cr_scan_u64((struct cr_str){s->p, i}, &h->period)) {
		h->period = UINT64_MAX;
		h->over = true;
	}
	*s = cr_scan_trim((struct cr_str){s->p + i, s->len - i});
}

static void
parse_tail(struct cr_str s, struct perf_script_header *h)
{
	uint32_t colon;

	while (s.len && is_blank(s.p[0])) {
		s.p++;
		s.len--;
	}
	if (cr_str_starts(s, "PERF_RECORD_")) {
		h->record = true;
		return;
	}
	parse_period(&s, h);
	colon = word_colon(s, 0);
	if (colon < s.len) {
		h->event = (struct cr_str){s.p, colon};
		s.p += colon + 1;
		s.len -= colon + 1;
	}
	h->rest = s;
}

/* ---- the time */

/* "12.345678" that ends before the colon; false if it is something else. */
static bool
time_before(struct cr_str s, uint32_t colon, uint32_t *from, struct perf_script_header *h)
{
	uint64_t seconds, fraction = 0, unit = NS_PER_S;
	uint32_t dot = colon, at, digits;

	while (dot && is_digit(s.p[dot - 1]))
		dot--;
	digits = colon - dot;
	if (digits < 1 || digits > 9 || dot == 0 || s.p[--dot] != '.')
		return false;
	for (at = dot; at && is_digit(s.p[at - 1]);)
		at--;
	if (at == dot || (at && !is_blank(s.p[at - 1])))
		return false;
	if (digits < DECIMALS_LEAST && !is_cpu(last_word(&(struct cr_str){s.p, at})))
		return false;
	for (uint32_t i = dot + 1; i < colon; i++) {
		unit /= 10;
		fraction += (uint64_t)(s.p[i] - '0') * unit;
	}
	if (!cr_scan_u64((struct cr_str){s.p + at, dot - at}, &seconds) ||
		seconds >= UINT64_MAX / NS_PER_S)
		seconds = 0;
	h->has_time = true;
	h->time_ns = seconds * NS_PER_S + fraction;
	*from = at;
	return true;
}

/* ---- the usual header */

/* The number that ends at `end`, with at most `most` digits; *digits is how many it has. */
static uint64_t
number_before(const char *start, const char *end, unsigned most, unsigned *digits)
{
	uint64_t number = 0, unit = 1;
	unsigned n = 0;

	for (; n <= most && end > start && is_digit(end[-1]); n++, unit *= 10)
		number += (uint64_t)(*--end - '0') * unit;
	*digits = n && n <= most ? n : 0;
	return number;
}

static const char *
skip_blanks_before(const char *start, const char *end)
{
	while (end > start && is_blank(end[-1]))
		end--;
	return end;
}

/* Parse "[003]" that ends at *end, if it is there, and move *end before it and its blanks. */
static void
usual_cpu(const char *start, const char **end, struct perf_script_header *h)
{
	unsigned digits;
	const char *p = *end;
	uint64_t number;

	if (p == start || p[-1] != ']')
		return;
	number = number_before(start, --p, 4, &digits);
	p -= digits;
	if (!digits || p - start < 2 || *--p != '[' || !is_blank(p[-1]))
		return;
	h->cpu = (uint16_t)number;
	*end = skip_blanks_before(start, p);
}

/* Number of bytes before `end` that are "PID/TID" or "TID", after a blank; 0 if they are not. */
static uint32_t
usual_id(const char *start, const char *end)
{
	const char *p = end;
	unsigned digits;

	number_before(start, p, 10, &digits);
	p -= digits;
	if (digits && p > start && p[-1] == '/') {
		number_before(start, --p, 10, &digits);
		p -= digits;
	}
	return digits && p > start && is_blank(p[-1]) ? (uint32_t)(end - p) : 0;
}

/*
 * Parse "COMM TID [CPU] SECONDS.FRACTION: PERIOD EVENT: ...", as nearly all headers are, each byte
 * once. False, with *h in part changed, if the line is anything else, which may be a header too.
 */
static bool
header_usual(struct cr_str line, struct perf_script_header *h)
{
	const uint32_t colon = word_colon(line, 0);
	const char *p = line.p + colon, *const line_end = line.p + line.len;
	uint64_t fraction, seconds, unit = NS_PER_S;
	unsigned digits;
	struct cr_str s;
	uint32_t at;

	if (colon == line.len)
		return false;
	fraction = number_before(line.p, p, 9, &digits);
	p -= digits;
	if (digits < DECIMALS_LEAST || p == line.p || *--p != '.')
		return false;
	for (unsigned i = 0; i < digits; i++)
		unit /= 10;
	seconds = number_before(line.p, p, 9, &digits);
	p -= digits;
	if (!digits || p == line.p || !is_blank(p[-1]))
		return false;
	h->time_ns = seconds * NS_PER_S + fraction * unit;
	p = skip_blanks_before(line.p, p);
	usual_cpu(line.p, &p, h);
	h->id_len = usual_id(line.p, p);
	h->who = (struct cr_str){line.p, (uint32_t)(p - line.p)};
	for (p = line.p + colon + 1; p < line_end && is_blank(*p);)
		p++;
	s = (struct cr_str){p, (uint32_t)(line_end - p)};
	parse_period(&s, h);
	if (!h->id_len || !h->has_period || h->over)
		return false;
	at = word_colon(s, 0);
	if (at == s.len)
		return false;
	h->event = (struct cr_str){s.p, at};
	h->rest = (struct cr_str){s.p + at + 1, s.len - at - 1};
	return h->has_time = true;
}

bool
cr_perf_script_header_timed(struct cr_str line, struct perf_script_header *h)
{
	struct cr_str left, before, word;
	uint32_t colon, from = 0;

	*h = (struct perf_script_header){.cpu = CR_CPU_NONE, .sure = true};
	if (header_usual(line, h))
		return true;
	*h = (struct perf_script_header){.cpu = CR_CPU_NONE, .sure = true};
	for (colon = word_colon(line, 0); colon < line.len; colon = word_colon(line, colon + 1))
		if (time_before(line, colon, &from, h))
			break;
	if (colon == line.len)
		return false;
	left = before = (struct cr_str){line.p, from};
	word = last_word(&before);
	if (!is_id(word) && !is_cpu(word)) { /* rare */
		parse_clock(&left);
		parse_misc(&left);
	}
	parse_cpu(&left, h);
	parse_who(left, h);
	parse_tail((struct cr_str){line.p + colon + 1, line.len - colon - 1}, h);
	return true;
}

/* ---- without a time */

/* A comm and a thread, or a process and a thread. A single number may be anything. */
static bool
parse_thread(struct cr_str s, struct perf_script_header *h)
{
	parse_cpu(&s, h);
	if (!parse_who(s, h))
		return false;
	return cr_perf_script_who(h).comm.len ||
	       memchr(h->who.p + h->who.len - h->id_len, '/', h->id_len);
}

/* The last number before an event is the period if a thread precedes it. */
static void
parse_period_before(struct cr_str *s, struct perf_script_header *h)
{
	struct cr_str left = *s, before;
	const struct cr_str word = last_word(&left);

	before = left;
	before = last_word(&before);
	if (!all_digits(word) || !(is_id(before) || is_cpu(before)))
		return;
	parse_period(&(struct cr_str){word.p, word.len}, h);
	*s = left;
}

static bool
header_by_event(struct cr_str line, struct perf_script_header *h)
{
	for (uint32_t colon = word_colon(line, 0); colon < line.len;
		colon = word_colon(line, colon + 1)) {
		struct cr_str left = {line.p, colon}, before;
		struct perf_script_line frame;

		*h = (struct perf_script_header){.cpu = CR_CPU_NONE};
		h->event = last_word(&left);
		h->rest = (struct cr_str){line.p + colon + 1, line.len - colon - 1};
		parse_period_before(&left, h);
		if (!h->event.len || !parse_thread(left, h))
			continue;
		h->sure = cr_perf_script_line_at_end(h->rest, &before, &frame);
		return true;
	}
	return false;
}

bool
cr_perf_script_header(struct cr_str line, struct perf_script_header *h)
{
	if (cr_perf_script_header_timed(line, h) || header_by_event(line, h))
		return true;
	*h = (struct perf_script_header){.cpu = CR_CPU_NONE};
	return parse_thread(line, h);
}
