#include "cresset/base/vec.h"
#include "cresset/bytes/scan.h"
#include "cresset/read/reader.h"

/*
 * Folded stacks: "frame;frame;frame COUNT", root first, a line a stack. What stackcollapse-*
 * scripts, inferno, async-profiler, py-spy and others write. Counts may be fractions; the last
 * blank-separated token is the count, what stands before it may hold blanks and digits.
 */

#define FRACTION_SCALE 1000000u /* fractional counts are kept in millionths, all counts of the file then */

struct line {
	struct cr_str stack;
	uint64_t count;     /* whole part */
	uint32_t millionths;
};

enum verdict { LINE_OK, LINE_SKIP, LINE_NO_COUNT, LINE_BAD_COUNT, LINE_NEGATIVE };

/* "3", "2.", "1.5": digits with at most one point, at least one digit before it. */
static bool
count_parse(struct cr_str s, struct line *out)
{
	const char *dot = s.len ? memchr(s.p, '.', s.len) : NULL;
	const struct cr_str whole = {s.p, dot ? (uint32_t)(dot - s.p) : s.len};
	uint32_t place = FRACTION_SCALE / 10;

	out->millionths = 0;
	if (!cr_scan_u64(whole, &out->count))
		return false;
	for (uint32_t i = whole.len + 1; i < s.len; i++, place /= 10) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
		out->millionths += place * (uint32_t)(s.p[i] - '0');
	}
	return true;
}

/* Is it a number to somebody, only not to us: "1e3", "+3", ".5", "1,000", "inf"? */
static bool
count_meant(struct cr_str s)
{
	return (s.len && memchr("0123456789+.-", s.p[0], 13)) || cr_str_eq(s, CR_STR("inf")) || cr_str_eq(s, CR_STR("nan"));
}

static enum verdict
line_parse(struct cr_str text, struct line *out)
{
	const bool led_by_blank = text.len && (text.p[0] == ' ' || text.p[0] == '\t');
	struct cr_str s = cr_scan_trim(text), count;
	uint32_t at = s.len;

	if (s.len == 0)
		return LINE_SKIP;
	if (s.p[0] == '#' && (s.len == 1 || s.p[1] == ' '))
		return LINE_SKIP;
	while (at && s.p[at - 1] != ' ' && s.p[at - 1] != '\t')
		at--;
	count = (struct cr_str){s.p + at, s.len - at};
	if (at == 0 && !led_by_blank)
		return LINE_NO_COUNT;
	if (count.len > 1 && count.p[0] == '-' && count_parse((struct cr_str){count.p + 1, count.len - 1}, out))
		return LINE_NEGATIVE;
	if (!count_parse(count, out))
		return count_meant(count) ? LINE_BAD_COUNT : LINE_NO_COUNT;
	out->stack = cr_scan_trim((struct cr_str){s.p, at});
	return LINE_OK;
}

static unsigned
probe_folded(const struct cr_head *head, uint64_t *first)
{
	unsigned lines = 0, good = 0, with_frames = 0;
	struct cr_scan scan;
	struct cr_str text;
	struct line l;

	if (head->binary)
		return 0;
	/* The only line is cut off: its frames must do. */
	if (!head->whole && !memchr(head->p, '\n', head->len))
		return memchr(head->p, ';', head->len) && !strchr("{[<", head->p[0]) ? CR_EVIDENCE_WEAK : 0;
	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &text)) {
		const enum verdict v = line_parse(text, &l);

		if (v == LINE_SKIP)
			continue;
		lines++;
		/* A stack begins in column 0: tables of numbers are mostly set to the right. */
		if (v != LINE_OK || text.p[0] == ' ' || text.p[0] == '\t')
			continue;
		if (good++ == 0)
			*first = scan.line;
		with_frames += memchr(l.stack.p, ';', l.stack.len) != NULL;
	}
	if (lines == 0 || good * 5 < lines * 4)
		return with_frames >= 3 && with_frames * 4 >= lines ? CR_EVIDENCE_WEAK : 0;
	return with_frames || good == lines ? CR_EVIDENCE_SHAPE : 0;
}

/* Frames after one another; empty ones become "-", but for those at the end. */
static cr_node_id
push_stack(struct cr_builder *b, struct cr_str stack)
{
	cr_node_id node = CR_ROOT;

	while (stack.len && stack.p[stack.len - 1] == ';')
		stack.len--;
	while (stack.len) {
		const char *semi = memchr(stack.p, ';', stack.len);
		const uint32_t len = semi ? (uint32_t)(semi - stack.p) : stack.len;
		struct cr_str name = cr_scan_trim((struct cr_str){stack.p, len});

		if (name.len == 0)
			name = CR_STR("-");
		node = cr_builder_push(b, node, cr_builder_named(b, name, CR_OBJECT_UNKNOWN));
		stack.p += len + (semi != NULL);
		stack.len -= len + (semi != NULL);
	}
	return node;
}

static void
complain(struct cr_log *log, enum verdict v, const struct cr_scan *scan, struct cr_str text)
{
	static const char *const kinds[] = {
		[LINE_NO_COUNT] = "lines without a count",
		[LINE_BAD_COUNT] = "lines with a bad count",
		[LINE_NEGATIVE] = "lines with a negative count",
	};

	cr_log_warn(log, kinds[v], (uint64_t)(text.p - scan->start), "line %llu: %.*s",
		    (unsigned long long)scan->line, (int)CR_MIN(text.len, 80u), text.p);
}

/* Is there a count with a fraction? Then all counts are kept in millionths. */
static bool
has_fractions(const struct cr_input *in)
{
	struct cr_scan scan;
	struct cr_str text;
	struct line l;

	cr_scan_init(&scan, in->p, in->len);
	while (cr_scan_line(&scan, &text))
		if (line_parse(text, &l) == LINE_OK && l.millionths)
			return true;
	return false;
}

static int
read_folded(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts, struct cr_err *err)
{
	const bool fractions = has_fractions(in);
	const struct cr_str unit = fractions ? CR_STR("millionths") : CR_STR("samples");
	const cr_event_id event = cr_builder_event(b, CR_STR("samples"), unit);
	const cr_task_id task = cr_builder_task(b, -1, -1, CR_STR(""), cr_builder_space(b));
	struct cr_scan scan;
	struct cr_str text;

	cr_scan_init(&scan, in->p, in->len);
	while (cr_scan_line(&scan, &text)) {
		struct cr_sample s = {.event = event, .task = task, .cpu = CR_CPU_NONE};
		struct line l;
		const enum verdict v = line_parse(text, &l);

		if (scan.line % 4096 == 0 &&
		    !cr_progress_step(opts->progress, "reading", cr_scan_at(&scan), in->len))
			return cr_fail(err, CR_ECANCEL, cr_scan_at(&scan), "stopped");
		if (v == LINE_SKIP)
			continue;
		if (v != LINE_OK) {
			complain(opts->log, v, &scan, text);
			cr_builder_flags(b, CR_PROFILE_IN_PART);
			continue;
		}
		s.node = push_stack(b, l.stack);
		s.weight = l.count;
		if (fractions && (!cr_mul_ok(l.count, FRACTION_SCALE, &s.weight) ||
				  !cr_add_ok(s.weight, l.millionths, &s.weight)))
			s.weight = UINT64_MAX;
		cr_builder_sample(b, &s);
	}
	return CR_OK;
}

const struct cr_reader cr_reader_folded = {
	.name = "folded",
	.about = "folded stacks: frame;frame;frame COUNT",
	.probe = probe_folded,
	.read = read_folded,
};
