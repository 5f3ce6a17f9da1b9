#include "base/vec.h"
#include "bytes/scan.h"
#include "bytes/source.h"
#include "folded_frame_p.h"
#include "folded_header_p.h"
#include "folded_line_p.h"
#include "folded_path_p.h"
#include "read/kit/line_cache_p.h"
#include "read/kit/pieces_p.h"
#include "read/kit/stacks_p.h"
#include "read/reader.h"
#include "read/shape_p.h"

#include <stdlib.h>

/*
 * Folded stacks: "frame;frame;frame COUNT", root first, one stack per line. Written by the
 * stackcollapse-* scripts, inferno, async-profiler, py-spy and others.
 *
 * Two properties are determined for the whole file before it is read in pieces: whether counts have
 * fractions, which stores all in millionths; and whether it is differential, which it is if each
 * line has two counts.
 */
#define NAMES_BYTES ((size_t)65536) /* searched for comments at both ends */
#define COMMENTS_MOST 64u
#define AHEAD 16u       /* lines looked up at a time, since each lookup waits for memory */
#define LINE_BYTES 256u /* estimate, to predict the number of samples */
/* Bytes between two checks for cancellation; pages before are dropped. */
#define SURVEY_STEP ((size_t)64 << 20)

/* Properties of a file, determined before it is read. */
struct folded {
	bool fractions;
	bool differential;
	bool mixed; /* most lines have two counts, but not all */
	bool austin;
	struct cr_str event, unit;
	struct folded_header header; /* event and unit of the counts, from the first line */
};

/* ---- state of a thread */

struct split {
	struct cr_str text;
	struct cr_hash128 hash;
};

struct state {
	const struct folded *file;
	struct cr_builder *b;
	cr_event_id event[2];
	cr_address_space_id space;
	cr_task_id nobody;
	struct cr_line_cache stacks; /* nodes; more: their task */
	struct cr_line_cache frames; /* locations; more: inlined or not */
	struct folded_path last;
	CR_VEC(struct split) split; /* frames of the current stack after that part */
	/* Of the current stack, after the part shared with the last one. */
	CR_VEC(cr_location_id) path;
	CR_VEC(cr_node_id) nodes;
	CR_VEC(struct cr_named) inlined; /* functions of a location, outermost first */
	struct cr_diagnostics_sum sum[2];
};

static void *
state_open(struct cr_builder *b, const void *shared)
{
	struct state *st = cr_alloc(1, sizeof(*st));
	const struct folded *file = shared;

	st->file = file;
	st->b = b;
	st->event[0] = cr_builder_event(
		b, file->differential ? CR_STR("before") : file->event, file->unit);
	st->event[1] = file->differential ? cr_builder_event(b, CR_STR("after"), file->unit)
					  : st->event[0];
	st->space = cr_builder_address_space(b);
	st->nobody = cr_builder_task(b, -1, -1, CR_STR(""), st->space);
	cr_line_cache_init(&st->stacks);
	cr_line_cache_init(&st->frames);
	return st;
}

static void
state_close(void *state)
{
	struct state *st = state;

	cr_line_cache_fini(&st->stacks);
	cr_line_cache_fini(&st->frames);
	cr_vec_fini(&st->last.steps);
	cr_vec_fini(&st->split);
	cr_vec_fini(&st->path);
	cr_vec_fini(&st->nodes);
	cr_vec_fini(&st->inlined);
	free(st);
}

/* ---- frames */

static cr_dso_id
dso_of(struct cr_builder *b, enum cr_kind kind)
{
	static const struct cr_dso dsos[CR_KINDS] = {
		[CR_KIND_KERNEL] = {.name = {"[kernel]", 8}, .kind = CR_KIND_KERNEL},
		[CR_KIND_JIT] = {.name = {"[jit]", 5}, .kind = CR_KIND_JIT},
		[CR_KIND_GROUP] = {.name = {"", 0}, .kind = CR_KIND_GROUP},
	};

	return kind == CR_KIND_UNKNOWN ? CR_DSO_UNKNOWN : cr_builder_dso(b, &dsos[kind]);
}

/*
 * The name is kept unchanged, with surrounding blanks. An empty one becomes "-" without a dso; see
 * cr_function_as_is().
 */
static struct cr_str
frame_name(struct cr_str text)
{
	return text.len ? text : CR_STR("-");
}

/* Parse the annotations of the name. An empty name is no mark. */
static void
frame_parse(const struct state *st, struct cr_str text, struct folded_frame *out)
{
	*out = (struct folded_frame){.kind = CR_KIND_UNKNOWN};
	if (text.len)
		cr_folded_frame_parse(text, st->file->austin, out);
}

/* The location of a frame. Frames inlined into the frame above are reported in *inlined instead. */
static cr_location_id
frame_location(struct state *st, struct cr_str text, struct cr_hash128 h, bool *inlined)
{
	struct cr_line_cache_slot *slot = cr_line_cache_slot(&st->frames, h);
	struct folded_frame f;
	struct cr_named named;
	cr_location_id location;

	if (slot->row1) {
		*inlined = slot->more;
		return (cr_location_id){slot->row1 - 1};
	}
	named.name = frame_name(text);
	frame_parse(st, text, &f);
	named.file = f.file;
	named.line = f.line;
	location = cr_builder_named_at(st->b, dso_of(st->b, f.kind), 0, &named, 1);
	cr_line_cache_add(&st->frames, slot, h, location.i, f.inlined);
	*inlined = f.inlined;
	return location;
}

/* ---- stacks */

/* A location for a frame and those inlined into it, which follow it in the text. */
static cr_location_id
chain_location(struct state *st, struct cr_str host, struct folded_frames *rest)
{
	struct folded_frame f, of_host;

	frame_parse(st, host, &of_host);
	st->inlined.n = 0;
	cr_vec_push(
		&st->inlined, ((struct cr_named){frame_name(host), of_host.file, of_host.line}));
	while (rest->more && st->inlined.n < UINT16_MAX) {
		struct folded_frames after = *rest;
		const struct cr_str text = cr_folded_frames_next(&after);

		frame_parse(st, text, &f);
		if (!f.inlined)
			break;
		cr_vec_push(&st->inlined, ((struct cr_named){frame_name(text), f.file, f.line}));
		*rest = after;
	}
	for (size_t i = 0, k = st->inlined.n - 1; i < k; i++, k--) {
		const struct cr_named x = st->inlined.p[i];

		st->inlined.p[i] = st->inlined.p[k];
		st->inlined.p[k] = x;
	}
	return cr_builder_named_at(
		st->b, dso_of(st->b, of_host.kind), 0, st->inlined.p, st->inlined.n);
}

static cr_node_id
push_with_inlined(struct state *st, cr_node_id node, struct cr_str stack)
{
	struct folded_frames rest = cr_folded_frames_from(stack, 0);

	while (rest.more) {
		const struct cr_str host = cr_folded_frames_next(&rest);

		node = cr_builder_push(st->b, node, chain_location(st, host, &rest));
	}
	return node;
}

/* Cut a stack that is too deep to its innermost frames, below a frame for the missing ones. */
static cr_node_id
cut_depth(struct state *st, struct cr_str *stack)
{
	if (!cr_folded_frames_cut(stack))
		return CR_ROOT;
	return cr_builder_push(st->b, CR_ROOT, cr_builder_truncated(st->b));
}

/* Find the locations of these frames; false if one of them is inlined. */
static bool
locate_frames(struct state *st, struct folded_frames rest)
{
	bool inlined = false;

	st->split.n = st->path.n = 0;
	while (rest.more) { /* the slots of all of them, before the first is read */
		const struct cr_str text = cr_folded_frames_next(&rest);
		const struct cr_hash128 h = cr_line_cache_hash(&st->frames, text.p, text.len);

		cr_line_cache_prefetch(&st->frames, h);
		cr_vec_push(&st->split, ((struct split){text, h}));
	}
	cr_vec_reserve(&st->path, st->split.n);
	for (size_t i = 0; i < st->split.n && !inlined; i++)
		st->path.p[i] =
			frame_location(st, st->split.p[i].text, st->split.p[i].hash, &inlined);
	st->path.n = st->split.n;
	return !inlined;
}

/* Add below `from` the frames after the first `shared`, which belong to the last stack too. */
static cr_node_id
push_frames(struct state *st, cr_node_id from, struct cr_str stack, size_t shared)
{
	const struct folded_step *from_step = shared ? &st->last.steps.p[shared - 1] : NULL;
	const uint32_t end = shared ? from_step->end : 0;
	struct folded_frames rest = {.more = false};

	if (shared)
		from = (cr_node_id){from_step->node};
	if (!shared || end < stack.len)
		rest = cr_folded_frames_from(stack, shared ? end + 1 : 0);
	if (!locate_frames(st, rest)) {
		cr_folded_path_forget(&st->last);
		return push_with_inlined(st, shared ? CR_ROOT : from, stack);
	}
	if (st->path.n == 0)
		return from;
	cr_vec_reserve(&st->nodes, st->path.n);
	cr_builder_push_path(st->b, from, st->path.p, st->path.n, st->nodes.p);
	st->last.last = stack;
	st->last.steps.n = shared;
	cr_vec_reserve(&st->last.steps, shared + st->path.n);
	for (size_t i = 0; i < st->path.n; i++) {
		const struct cr_str text = st->split.p[i].text;

		st->last.steps.p[shared + i] = (struct folded_step){
			(uint32_t)(text.p + text.len - stack.p), st->nodes.p[i].i};
	}
	st->last.steps.n = shared + st->path.n;
	return st->nodes.p[st->path.n - 1];
}

static cr_node_id
push_stack(struct state *st, struct cr_str stack, bool *cut)
{
	cr_node_id node = cut_depth(st, &stack);

	*cut = node.i != CR_ROOT.i;
	node = push_frames(st, node, stack, *cut ? 0 : cr_folded_path_shared(&st->last, stack));
	if (*cut)
		cr_folded_path_forget(&st->last);
	return node;
}

/* ---- lines */

struct ahead {
	struct cr_str text;
	bool cut; /* the line is longer than the limit */
	struct folded_line line;
	enum folded_verdict verdict;
	bool asked;             /* the cache was asked for the stack; otherwise there is no hash */
	struct cr_hash128 hash; /* of the stack */
};

static void
stack_ask(struct state *st, struct ahead *a)
{
	a->asked = cr_line_cache_pays(&st->stacks);
	if (!a->asked)
		return;
	a->hash = cr_line_cache_hash(&st->stacks, a->line.stack.p, a->line.stack.len);
	cr_line_cache_prefetch(&st->stacks, a->hash);
}

static void
line_read(struct state *st, struct ahead *a)
{
	const struct folded *file = st->file;

	if (!file->differential && !file->fractions && !file->mixed &&
		cr_folded_line_plain(a->text, &a->line.stack, &a->line.count[0].whole)) {
		a->verdict = FOLDED_OK;
		a->line.counts = 1;
		a->line.count[0].millionths = 0;
		a->line.count[0].over = false;
	} else {
		a->verdict =
			cr_folded_line_parse(a->text, file->differential || file->mixed, &a->line);
	}
	if (a->verdict == FOLDED_OK)
		stack_ask(st, a);
}

static cr_task_id
task_of(struct state *st, struct cr_str stack)
{
	int32_t pid, tid;

	if (!st->file->austin || !cr_folded_frame_task(stack, &pid, &tid))
		return st->nobody;
	return cr_builder_task(st->b, pid, tid, CR_STR(""), st->space);
}

static bool
is_zero(const struct folded_count *c)
{
	return !c->whole && !c->millionths;
}

/* Convert the count to the unit of the file, and report problems. */
static uint64_t
weight_of(struct state *st, const struct folded_count *c, unsigned side, bool *over)
{
	const uint64_t weight = cr_folded_count(c, st->file->fractions);

	*over |= c->over || (st->file->fractions && weight == UINT64_MAX);
	*over |= cr_diagnostics_sum(&st->sum[side], weight);
	return weight;
}

static void
line_add(struct state *st, struct ahead *a, struct cr_diagnostics *report, uint64_t at)
{
	struct cr_line_cache_slot *slot =
		a->asked ? cr_line_cache_slot(&st->stacks, a->hash) : NULL;
	struct cr_sample s = {.cpu = CR_CPU_NONE};
	bool over = false, cut = false;

	if (slot)
		cr_line_cache_count(&st->stacks, slot->row1);
	if (slot && slot->row1) {
		s.node.i = slot->row1 - 1;
		s.task.i = slot->more;
	} else {
		s.task = task_of(st, a->line.stack);
		s.node = push_stack(st, a->line.stack, &cut);
	}
	if (slot && !slot->row1)
		cr_line_cache_add(&st->stacks, slot, a->hash, s.node.i, s.task.i);
	for (unsigned side = 0; side <= st->file->differential; side++) {
		/* Only the other side has this stack. */
		if (st->file->differential && is_zero(&a->line.count[side]) &&
			!is_zero(&a->line.count[!side]))
			continue;
		s.event = st->event[side];
		s.weight = weight_of(st, &a->line.count[side], side, &over);
		cr_builder_sample(st->b, &s);
	}
	if (over)
		cr_diagnostics_add(report, CR_REASON_OVERFLOW, at, a->text);
	if (cut)
		cr_diagnostics_add(report, CR_REASON_TRUNCATED_FRAME, at, a->text);
}

/*
 * Check a header inside the file: one equal to the file's own is ignored; another one means that
 * its counts have another event.
 */
static void
header_check(const struct state *st, struct cr_str text, struct cr_diagnostics *report, uint64_t at)
{
	if (!cr_folded_header_is(text))
		return;
	cr_diagnostics_fate(report, CR_LINE_USED);
	if (cr_folded_header_differs(&st->file->header, text))
		cr_diagnostics_add(report, CR_REASON_OTHER_EVENT, at, text);
}

static void
line_done(struct state *st, struct ahead *a, struct cr_diagnostics *report, uint64_t at)
{
	static const enum cr_reason reasons[] = {
		[FOLDED_NO_COUNT] = CR_REASON_NO_COUNT,
		[FOLDED_BAD_COUNT] = CR_REASON_BAD_COUNT,
		[FOLDED_NEGATIVE] = CR_REASON_NEGATIVE,
	};

	cr_diagnostics_line(report, a->text);
	cr_diagnostics_fate(report, a->verdict == FOLDED_SKIP && !cr_diagnostics_is_blank(a->text)
					    ? CR_LINE_PASSED
					    : CR_LINE_USED);
	if (a->cut)
		cr_diagnostics_add(report, CR_REASON_LONG_LINE, at, a->text);
	if (a->verdict == FOLDED_SKIP) {
		header_check(st, a->text, report, at);
		return;
	}
	if (a->verdict != FOLDED_OK) {
		cr_diagnostics_add(report, reasons[a->verdict], at, a->text);
		return;
	}
	if (st->file->mixed) { /* the first number is part of the name */
		if (a->line.counts == 1)
			cr_diagnostics_add(report, CR_REASON_MIXED_COLUMNS, at, a->text);
		cr_folded_line_parse(a->text, false, &a->line);
		stack_ask(st, a);
	}
	line_add(st, a, report, at);
}

static void
piece_read(void *state, const struct cr_piece *piece)
{
	struct state *st = state;
	struct cr_scan scan = {.p = piece->p, .start = piece->p, .end = piece->end};
	struct ahead lines[AHEAD];
	unsigned n;

	do {
		for (n = 0; n < AHEAD && cr_scan_line(&scan, &lines[n].text); n++) {
			lines[n].cut = scan.cut;
			line_read(st, &lines[n]);
		}
		for (unsigned i = 0; i < n; i++)
			line_done(st, &lines[i], piece->report, scan.line - n + i + 1);
	} while (n);
}

static size_t
piece_cut(const char *p, size_t from, size_t len, const void *shared)
{
	const char *lf = from ? memchr(p + from - 1, '\n', len - from + 1) : p - 1;

	(void)shared;
	return lf ? (size_t)(lf + 1 - p) : len;
}

/* ---- properties of the whole file */

struct survey {
	/* Number of lines with a count, with two; exact as long as all have two. */
	uint64_t lines, two;
	bool fractions;
};

static void
survey_line(struct survey *v, struct cr_str text)
{
	struct folded_line l;

	if (cr_folded_line_parse(text, true, &l) != FOLDED_OK)
		return;
	v->lines++;
	v->two += l.counts == 2;
	v->fractions |= l.count[0].millionths || (l.counts == 2 && l.count[1].millionths);
}

/* True if the line may end in a count with a fraction. */
static bool
looks_fractional(struct cr_str text)
{
	uint32_t at = text.len;

	while (at && (text.p[at - 1] == ' ' || text.p[at - 1] == '\t'))
		at--;
	while (at && (unsigned char)(text.p[at - 1] - '0') < 10)
		at--;
	return at && text.p[at - 1] == '.';
}

/*
 * Lines are parsed fully while all have two counts, and in the head, which decides whether most
 * have. After that only their ends are examined, and nothing when everything is known.
 */
static int
survey(const struct cr_input *in, size_t from, struct folded *file,
	const struct cr_progress *progress, struct cr_err *err)
{
	struct cr_scan scan = {.p = (const char *)in->p + from,
		.start = (const char *)in->p,
		.end = (const char *)in->p + in->len};
	const char *const head_end = scan.start + CR_MIN(in->len, (size_t)CR_PROBE_BYTES),
			  *step = scan.p;
	struct survey v = {0};
	struct cr_str text;

	while (cr_scan_line(&scan, &text)) {
		const bool closely = v.two == v.lines || scan.p <= head_end;

		if (closely || looks_fractional(text))
			survey_line(&v, text);
		if (scan.p <= head_end)
			file->mixed = v.two * 4 >= v.lines * 3 && v.two;
		else if (v.fractions && v.two < v.lines)
			break;
		if ((size_t)(scan.p - step) < SURVEY_STEP)
			continue;
		if (in->source)
			cr_source_done(in->source, (size_t)(step - scan.start),
				(size_t)(scan.p - scan.start));
		step = scan.p;
		if (!cr_progress_step(progress, "looking", cr_scan_at(&scan), in->len))
			return cr_fail(err, CR_ECANCEL, cr_scan_at(&scan), "stopped");
	}
	file->fractions = v.fractions;
	file->differential = v.two == v.lines && v.lines >= 2;
	file->mixed = file->mixed && v.two < v.lines;
	return CR_OK;
}

/* A comment "# key: value" becomes a fact "# key"; austin's comments determine the unit. */
static bool
comment_read(struct cr_str text, struct cr_builder *b, struct folded *file)
{
	const struct cr_str s = cr_scan_trim(text);
	const char *colon;
	struct cr_str value;
	char key[64];
	uint32_t n;

	if (s.len < 3 || s.p[0] != '#' || s.p[1] != ' ' || !(colon = memchr(s.p, ':', s.len)) ||
		cr_folded_header_is(s))
		return false;
	n = (uint32_t)(colon - s.p);
	if (n >= sizeof(key) || memchr(s.p, 0, n))
		return false;
	memcpy(key, s.p, n);
	key[n] = '\0';
	value = cr_scan_trim((struct cr_str){colon + 1, s.len - n - 1});
	cr_builder_fact(b, key, value);
	file->austin |= strcmp(key, "# austin") == 0;
	if (strcmp(key, "# mode") == 0 && file->austin)
		file->unit = cr_str_eq(value, CR_STR("memory")) ? CR_STR("bytes") : CR_STR("us");
	return true;
}

/* Comments are searched at the start and at the end, where people and programs put them. */
static void
comments_read(const char *p, const char *end, struct cr_builder *b, struct folded *file)
{
	struct cr_scan scan = {.p = p, .start = p, .end = end};
	struct cr_str text;

	for (unsigned n = 0; n < COMMENTS_MOST && cr_scan_line(&scan, &text);)
		n += comment_read(text, b, file);
}

/* Read the header written by cresset before folded stacks: the first line that is not blank. */
static void
header_read(const struct cr_input *in, size_t from, struct cr_builder *b, struct folded *file)
{
	struct cr_scan scan = {.p = (const char *)in->p + from,
		.start = (const char *)in->p,
		.end = (const char *)in->p + in->len};
	struct folded_header *h = &file->header;
	struct cr_text samples = {0};
	struct cr_str line = {0};

	while (cr_scan_line(&scan, &line))
		if (cr_scan_trim(line).len)
			break;
	if (!cr_folded_header_parse(line, h))
		return;
	file->event = cr_text_view(&h->event);
	file->unit = cr_text_view(&h->unit);
	if (h->n_samples) {
		cr_text_u64(&samples, h->samples[0]);
		if (h->n_samples == 2)
			cr_text_printf(&samples, " and %llu", (unsigned long long)h->samples[1]);
		cr_builder_fact(b, "samples added up", cr_text_view(&samples));
	}
	cr_text_fini(&samples);
}

static void
names_read(const struct cr_input *in, size_t from, struct cr_builder *b, struct folded *file)
{
	const char *const p = (const char *)in->p, *const end = p + in->len;

	comments_read(p + from, p + CR_MIN(in->len, from + NAMES_BYTES), b, file);
	if (in->len > NAMES_BYTES * 2)
		comments_read(p + piece_cut(p, in->len - NAMES_BYTES, in->len, NULL), end, b, file);
	if (file->fractions)
		file->unit = CR_STR("millionths");
	if (file->austin)
		cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT);
}

static unsigned
probe_folded(const struct cr_head *head, uint64_t *line)
{
	return cr_shape_bid(head, CR_VOTE_FOLDED, line);
}

static int
read_folded(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	static const struct cr_pieces pieces = {piece_cut, state_open, piece_read, state_close};
	const size_t from = in->len >= 3 && memcmp(in->p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	struct folded file = {0};
	int rc;

	if ((rc = survey(in, from, &file, opts->progress, err)) < 0)
		return rc;
	file.event = cr_stacks_default_event(b, opts, &file.unit);
	header_read(in, from, b, &file);
	names_read(in, from, b, &file);
	if (opts->unit && !file.fractions)
		file.unit = cr_str_of(opts->unit);
	cr_builder_expect(b, in->len / LINE_BYTES);
	cr_builder_flags(b, CR_PROFILE_FOLDED_NAMES);
	if (file.differential)
		cr_builder_fact(b, "differential",
			file.header.event.len ? file.event : CR_STR("before, after"));
	rc = cr_pieces_run(&pieces, &file, in, from, b, opts, err);
	cr_folded_header_fini(&file.header);
	return rc;
}

const struct cr_reader cr_reader_folded = {
	.name = "folded",
	.about = "folded stacks: frame;frame;frame COUNT",
	.probe = probe_folded,
	.read = read_folded,
};
