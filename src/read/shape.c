#include "shape_p.h"

#include "base/mem.h"
#include "bytes/scan.h"
#include "model/build/tidy.h"

/* Counts of lines that are neither blank nor begin with "#". */
enum kind {
	KIND_PERF,       /* a header of perf script and a frame below it, or an event on one line */
	KIND_HEADER,     /* a header of perf script, by its pid and time, with or without frames */
	KIND_NATIVE,     /* 0x7f12 : main+0x1/0x2 [/bin/prog] */
	KIND_TAB_COUNT,  /* a count after a TAB */
	KIND_TAB_LONELY, /* the same, directly below another one */
	KIND_TAB_OTHER,  /* something else after a TAB */
	KIND_BLANK_COUNT,   /* a right-aligned count */
	KIND_BACKTICK,      /* libc.so.1`read+0x5, indented */
	KIND_ADDRESS,       /* 0x7f12 alone, indented */
	KIND_ADDRESS_COUNT, /* a right-aligned count below such an address */
	KIND_AT,            /* at pkg.Class.method(File.java:3) */
	KIND_ROW,           /* 123 4 pkg.Class.method(File.java:3) */
	KIND_ROWS_END,      /* Total trace count */
	KIND_FOLDED,        /* from column 0, a count after the last blank */
	KIND_SEMICOLON,     /* the same with more than one frame */
	KIND_ONE_WORD,      /* the same with one frame, not a sentence */
	KIND_PLACE,         /* the same, with the last frame like "work (lib/w.py:10)" */
	KINDS
};

struct votes {
	uint64_t lines;
	uint64_t n[KINDS];
	uint64_t first[KINDS];
	uint64_t last_tab_count; /* index of that line among the counted ones; 0 if none */
	uint64_t last_address;   /* the same for an address alone */
};

static void
vote(struct votes *v, enum kind kind, uint64_t line)
{
	if (v->n[kind]++ == 0)
		v->first[kind] = line;
}

/* ---- words of a line */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The next run of non-blank bytes; false at the end. */
static bool
next_word(struct cr_str *rest, struct cr_str *word)
{
	uint32_t n = 0;

	while (rest->len && is_blank(rest->p[0])) {
		rest->p++;
		rest->len--;
	}
	while (n < rest->len && !is_blank(rest->p[n]))
		n++;
	*word = (struct cr_str){rest->p, n};
	rest->p += n;
	rest->len -= n;
	return n > 0;
}

static uint32_t
count_digits(const char *p, uint32_t len)
{
	uint32_t n = 0;

	while (n < len && p[n] >= '0' && p[n] <= '9')
		n++;
	return n;
}

static uint32_t
count_hex(const char *p, uint32_t len)
{
	uint32_t n = 0;

	while (n < len &&
		((p[n] >= '0' && p[n] <= '9') || ((p[n] | 32) >= 'a' && (p[n] | 32) <= 'f')))
		n++;
	return n;
}

static bool
is_number(struct cr_str s)
{
	return s.len && count_digits(s.p, s.len) == s.len;
}

static bool
is_hex(struct cr_str s)
{
	return s.len && s.len <= 16 && count_hex(s.p, s.len) == s.len;
}

static bool
starts(struct cr_str s, const char *with)
{
	const size_t n = strlen(with);

	return s.len >= n && memcmp(s.p, with, n) == 0;
}

static bool
holds(struct cr_str s, const char *what)
{
	return s.len && memmem(s.p, s.len, what, strlen(what)) != NULL;
}

/* ---- perf script */

/* "[003]" */
static bool
is_processor(struct cr_str word)
{
	return word.len > 2 && word.p[0] == '[' && word.p[word.len - 1] == ']' &&
	       count_digits(word.p + 1, word.len - 2) == word.len - 2;
}

/* "12.345678:", the time of a header. After a processor it may have any number of decimals. */
static bool
is_time(struct cr_str word, struct cr_str before)
{
	const uint32_t whole = count_digits(word.p, word.len);
	uint32_t fraction;

	if (!whole || whole == word.len || word.p[whole] != '.')
		return false;
	fraction = count_digits(word.p + whole + 1, word.len - whole - 1);
	return fraction >= (is_processor(before) ? 1 : 3) && fraction <= 9 &&
	       whole + 1 + fraction + 1 == word.len && word.p[word.len - 1] == ':';
}

/* "123" or "123/-1". */
static bool
is_pid(struct cr_str s)
{
	for (unsigned parts = 0; s.len && parts < 2; parts++) {
		const uint32_t sign = s.p[0] == '-';
		const uint32_t n = sign + count_digits(s.p + sign, s.len - sign);

		if (n == sign)
			return false;
		if (n == s.len)
			return true;
		if (s.p[n] != '/')
			return false;
		s = (struct cr_str){s.p + n + 1, s.len - n - 1};
	}
	return false;
}

/* A header with a time that is not its first word. */
struct header {
	struct cr_str rest; /* after the time */
	bool has_pid;       /* before the time, maybe with the processor in between */
};

static bool
is_timed_header(struct cr_str line, struct header *out)
{
	struct cr_str word, last = {0}, before = {0};

	out->rest = line;
	for (uint32_t n = 0; next_word(&out->rest, &word); n++) {
		if (n && is_time(word, last)) {
			out->has_pid = is_pid(last) || (last.p[0] == '[' && is_pid(before));
			return true;
		}
		before = last;
		last = word;
	}
	return false;
}

/*
 * "prog 123 [000] 1000 cycles:": without a time it ends with the event, after a pid and maybe a
 * period.
 */
static bool
is_untimed_header(struct cr_str line)
{
	struct cr_str word, last[3] = {{0}};
	uint32_t n = 0;

	for (; next_word(&line, &word); n++) {
		last[2] = last[1];
		last[1] = last[0];
		last[0] = word;
	}
	if (n < 3 || last[0].len < 2 || !cr_str_ends(last[0], ":"))
		return false;
	return is_pid(last[1]) || (n > 3 && last[1].p[0] == '[' && is_pid(last[2]));
}

/* "\tWORD NAME (DSO)": a frame with a word as address. */
static bool
is_worded_frame(struct cr_str line, struct cr_str word, struct cr_str rest)
{
	for (uint32_t i = 0; i < word.len; i++)
		if (!cr_tidy_is_word(word.p[i]))
			return false;
	rest = cr_scan_trim(rest);
	return line.p[0] == '\t' && rest.len && rest.p[0] != '(' && cr_str_ends(rest, ")") &&
	       holds(rest, " (");
}

/* An indented address and its symbol; in the oldest versions from column 0, followed by the dso. */
static bool
is_perf_frame(struct cr_str line)
{
	const bool indented = line.len && is_blank(line.p[0]);
	struct cr_str rest = line, word;
	struct header ignored;

	if (!next_word(&rest, &word) || is_timed_header(line, &ignored))
		return false;
	if (!is_hex(word))
		return is_worded_frame(line, word, rest);
	if (indented)
		return rest.len > 0 || word.len >= 4;
	return word.len >= 2 && cr_str_ends(cr_scan_trim(rest), ")") && holds(rest, " (");
}

/* Words like "add a line" look like a frame, but count only below a certain header. */
static bool
is_sure_perf_frame(struct cr_str line)
{
	struct cr_str rest = line, word;

	return is_perf_frame(line) && next_word(&rest, &word) && is_hex(word) && word.len >= 4 &&
	       cr_str_ends(cr_scan_trim(rest), ")");
}

/*
 * "... 1000 cycles: 7f12 main (/bin/prog)": the frame of an event without a callchain, after its
 * header.
 */
static bool
is_one_line_event(struct cr_str rest)
{
	struct cr_str word;

	if (!next_word(&rest, &word))
		return false;
	if (is_number(word) && !next_word(&rest, &word))
		return false;
	return cr_str_ends(word, ":") && next_word(&rest, &word) && is_hex(word) &&
	       holds(rest, " (") && cr_str_ends(cr_scan_trim(rest), ")");
}

/* ---- other formats */

/* " 0x7f12 : ", " 0x7f12 [module+0x" and "Returning from: ". */
static bool
is_native(struct cr_str line)
{
	struct cr_str s = cr_scan_trim(line);
	uint32_t n;

	if (starts(s, "Returning from: ") || starts(s, "Returning to  : "))
		return true;
	if (!starts(s, "0x") || (n = count_hex(s.p + 2, s.len - 2)) == 0)
		return false;
	s = (struct cr_str){s.p + 2 + n, s.len - 2 - n};
	return (starts(s, " : ") && (holds(s, "0x") || holds(s, "<unknown>"))) ||
	       (starts(s, " [") && holds(s, "+0x"));
}

static bool
is_count(struct cr_str s)
{
	const uint32_t sign = s.len && s.p[0] == '-';

	return is_number((struct cr_str){s.p + sign, s.len - sign});
}

/* module`function, indented; the module is one word. Quoted text has two backticks. */
static bool
is_backtick(struct cr_str line)
{
	const struct cr_str s = cr_scan_trim(line);
	const char *tick = s.len ? memchr(s.p, '`', s.len) : NULL;
	const uint32_t at = tick ? (uint32_t)(tick - s.p) : 0;

	if (!at || !is_blank(line.p[0]) || at + 1 == s.len || is_blank(s.p[at + 1]) ||
		s.p[at + 1] == '`')
		return false;
	return !memchr(s.p, ' ', at) && !memchr(s.p, '(', at) &&
	       !memchr(tick + 1, '`', s.len - at - 1);
}

static bool
is_address(struct cr_str line)
{
	struct cr_str s = cr_scan_trim(line);

	return is_blank(line.p[0]) && starts(s, "0x") &&
	       is_hex((struct cr_str){s.p + 2, s.len - 2});
}

static bool
is_at(struct cr_str s)
{
	const char *open;

	if (!starts(s, "at ") || !cr_str_ends(s, ")"))
		return false;
	open = memchr(s.p, '(', s.len);
	return open && open > s.p + 3 && !memchr(s.p + 3, ' ', (size_t)(open - s.p - 3));
}

/* COUNT DEPTH frame(file:line) */
static bool
is_row(struct cr_str s)
{
	struct cr_str word;

	if (!next_word(&s, &word) || !is_number(word) || !next_word(&s, &word) || !is_number(word))
		return false;
	s = cr_scan_trim(s);
	return cr_str_ends(s, ")") && memchr(s.p, '(', s.len);
}

/*
 * "3", "1.5": at the end, after a blank, in a line that begins in column 0 and is no row of a
 * table.
 */
static bool
is_folded(struct cr_str line, struct cr_str *stack)
{
	struct cr_str s = cr_scan_trim(line);
	uint32_t at = s.len, n;

	if (!s.len || is_blank(line.p[0]))
		return false;
	while (at && !is_blank(s.p[at - 1]))
		at--;
	n = count_digits(s.p + at, s.len - at);
	if (at == 0 || n == 0)
		return false;
	n += at;
	if (n < s.len && s.p[n] == '.')
		n += 1 + count_digits(s.p + n + 1, s.len - n - 1);
	*stack = cr_scan_trim((struct cr_str){s.p, at});
	return n == s.len && !memchr(stack->p, '\t', stack->len);
}

/* True for more than one frame; in prose a blank follows a semicolon. */
static bool
has_frames(struct cr_str stack)
{
	for (uint32_t i = 0; i + 1 < stack.len; i++)
		if (stack.p[i] == ';' && !is_blank(stack.p[i + 1]))
			return true;
	return false;
}

/* What precedes the count is a name or a signature; lines of fstab and tcpdump have more words. */
static bool
is_one_word(struct cr_str stack)
{
	struct cr_str word;

	if (memchr(stack.p, '(', stack.len))
		return true;
	if (!next_word(&stack, &word) || is_number(word))
		return false;
	return !next_word(&stack, &word) ||
	       (is_number(word) && !next_word(&stack, &word)); /* maybe two counts */
}

/*
 * "work (lib/w.py:10)", as written by samplers of languages: the file has a suffix, and the text
 * ends with the line.
 */
static bool
has_place(struct cr_str stack)
{
	const char *open = stack.len ? memrchr(stack.p, '(', stack.len) : NULL, *dot;
	struct cr_str place;
	uint32_t line;

	if (!open || open - stack.p < 2 || open[-1] != ' ' || !cr_str_ends(stack, ")"))
		return false;
	place = (struct cr_str){open + 1, (uint32_t)(stack.p + stack.len - open) - 2};
	if (!cr_scan_source_line(&place, &line) || line == 0)
		return false;
	dot = memrchr(place.p, '.', place.len);
	return dot && dot > place.p && dot + 1 < place.p + place.len &&
	       !memchr(dot, ' ', (size_t)(place.p + place.len - dot));
}

static void
vote_tab_count(struct votes *v, uint64_t line)
{
	vote(v, KIND_TAB_COUNT, line);
	if (v->last_tab_count && v->last_tab_count == v->lines - 1)
		vote(v, KIND_TAB_LONELY, line);
	v->last_tab_count = v->lines;
}

static void
vote_blank_count(struct votes *v, uint64_t line)
{
	vote(v, KIND_BLANK_COUNT, line);
	if (v->last_address && v->last_address == v->lines - 1)
		vote(v, KIND_ADDRESS_COUNT, line);
}

static void
vote_address(struct votes *v, uint64_t line)
{
	vote(v, KIND_ADDRESS, line);
	v->last_address = v->lines;
}

static void
vote_line(struct votes *v, struct cr_str line, uint64_t at)
{
	const struct cr_str s = cr_scan_trim(line);
	struct cr_str stack;

	if (is_native(line))
		vote(v, KIND_NATIVE, at);
	else if (line.p[0] == '\t' && is_count(s))
		vote_tab_count(v, at);
	else if (line.p[0] == ' ' && is_count(s))
		vote_blank_count(v, at);
	else if (is_backtick(line))
		vote(v, KIND_BACKTICK, at);
	else if (is_address(line))
		vote_address(v, at);
	else if (is_at(s))
		vote(v, KIND_AT, at);
	else if (is_row(s))
		vote(v, KIND_ROW, at);
	else if (starts(s, "Total trace count"))
		vote(v, KIND_ROWS_END, at);
	else if (line.p[0] == '\t')
		vote(v, KIND_TAB_OTHER, at);
	if (!is_folded(line, &stack))
		return;
	vote(v, KIND_FOLDED, at);
	if (has_frames(stack))
		vote(v, KIND_SEMICOLON, at);
	else if (is_one_word(stack))
		vote(v, KIND_ONE_WORD, at);
	if (has_place(stack))
		vote(v, KIND_PLACE, at);
}

static void
count_votes(const struct cr_head *head, struct votes *v)
{
	enum { NOTHING, DOUBTFUL, CERTAIN } above = NOTHING; /* kind of header above the line */
	uint64_t header = 0;
	struct cr_scan scan;
	struct header found;
	struct cr_str line;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &line)) {
		if (line.len && line.p[0] == '#')
			continue;
		if (cr_scan_trim(line).len == 0) {
			above = NOTHING;
			continue;
		}
		v->lines++;
		vote_line(v, line, scan.line);
		if ((above == CERTAIN && is_perf_frame(line)) ||
			(above == DOUBTFUL && is_sure_perf_frame(line)))
			vote(v, KIND_PERF, header);
		above = NOTHING;
		if (is_timed_header(line, &found)) {
			above = found.has_pid ? CERTAIN : DOUBTFUL;
			header = scan.line;
			if (found.has_pid)
				vote(v, KIND_HEADER, scan.line);
			if (is_one_line_event(found.rest))
				vote(v, KIND_PERF, scan.line);
		} else if (is_untimed_header(line)) {
			above = DOUBTFUL;
			header = scan.line;
		}
	}
}

/* ---- the verdict */

/*
 * The whole input is one truncated line: its frames must suffice, unless it is a program on one
 * line.
 */
static struct cr_shape
shape_of_cut_line(const struct cr_head *head)
{
	if (!memchr(head->p, ';', head->len) || memchr(head->p, '=', head->len) ||
		memchr(head->p, '"', head->len))
		return (struct cr_shape){0};
	return (struct cr_shape){CR_VOTE_FOLDED, CR_EVIDENCE_WEAK, 1};
}

struct cr_shape
cr_shape_of(const struct cr_head *head)
{
	struct votes v = {0};
	const uint64_t *const n = v.n;
	uint64_t counts, dtrace;
	bool tabs;

	if (!head->whole && !memchr(head->p, '\n', head->len))
		return shape_of_cut_line(head);
	count_votes(head, &v);
	counts = n[KIND_TAB_COUNT] + n[KIND_BLANK_COUNT];
	dtrace = n[KIND_BACKTICK] + n[KIND_ADDRESS] + counts;
	/*
	 * At most one stack may be empty. Other numbers after TABs are among lines that are
	 * indented too, or follow each other.
	 */
	tabs = n[KIND_TAB_COUNT] > n[KIND_TAB_OTHER] &&
	       (n[KIND_TAB_LONELY] < 2 || n[KIND_TAB_LONELY] * 8 < n[KIND_TAB_COUNT]);

	/*
	 * The order matters: a format sometimes looks like a later one, but not the other way
	 * round.
	 */
	const struct {
		bool is;
		enum cr_vote vote;
		unsigned bits;
		enum kind tells;
	} rules[] = {
		{n[KIND_PERF] > 0, CR_VOTE_PERF, CR_EVIDENCE_SHAPE, KIND_PERF},
		{n[KIND_NATIVE] && counts, CR_VOTE_STAP, CR_EVIDENCE_SHAPE, KIND_NATIVE},
		{n[KIND_BACKTICK] && counts && dtrace * 4 >= v.lines, CR_VOTE_DTRACE,
			CR_EVIDENCE_SHAPE, KIND_BACKTICK},
		{n[KIND_ADDRESS_COUNT] && !n[KIND_TAB_COUNT] && dtrace * 4 >= v.lines * 3,
			CR_VOTE_DTRACE, CR_EVIDENCE_SHAPE, KIND_ADDRESS},
		{tabs && (n[KIND_TAB_COUNT] * 2 <= v.lines || !n[KIND_FOLDED]), CR_VOTE_STAP,
			CR_EVIDENCE_SHAPE, KIND_TAB_COUNT},
		{n[KIND_AT] && n[KIND_AT] * 4 >= v.lines, CR_VOTE_EXCEPTIONS, CR_EVIDENCE_SHAPE,
			KIND_AT},
		{n[KIND_ROW] && n[KIND_ROWS_END], CR_VOTE_LJP, CR_EVIDENCE_SHAPE, KIND_ROW},
		{n[KIND_HEADER] && n[KIND_HEADER] * 2 >= v.lines, CR_VOTE_PERF, CR_EVIDENCE_WEAK,
			KIND_HEADER},
		{n[KIND_FOLDED] * 5 >= v.lines * 4 &&
				(n[KIND_SEMICOLON] || n[KIND_ONE_WORD] == v.lines),
			CR_VOTE_FOLDED, CR_EVIDENCE_SHAPE, KIND_FOLDED},
		{n[KIND_SEMICOLON] >= 3 && n[KIND_SEMICOLON] * 4 >= v.lines, CR_VOTE_FOLDED,
			CR_EVIDENCE_WEAK, KIND_SEMICOLON},
		{n[KIND_PLACE] && (n[KIND_FOLDED] + n[KIND_BLANK_COUNT]) * 2 > v.lines,
			CR_VOTE_FOLDED, CR_EVIDENCE_WEAK, KIND_PLACE},
		{n[KIND_NATIVE] > 0, CR_VOTE_STAP, CR_EVIDENCE_WEAK, KIND_NATIVE},
	};

	for (size_t i = 0; i < CR_LEN(rules) && v.lines; i++)
		if (rules[i].is)
			return (struct cr_shape){
				rules[i].vote, rules[i].bits, v.first[rules[i].tells]};
	return (struct cr_shape){0};
}

unsigned
cr_shape_bid(const struct cr_head *head, enum cr_vote vote_for, uint64_t *line)
{
	if (!head->shape || head->shape->vote != vote_for)
		return 0;
	*line = head->shape->line;
	return head->shape->bits;
}
