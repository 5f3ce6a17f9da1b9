#include "base/vec.h"
#include "bytes/scan.h"
#include "perf_script_branch_p.h"
#include "perf_script_field_p.h"
#include "perf_script_p.h"
#include "perf_script_stack_p.h"
#include "read/kit/line_cache_p.h"
#include "read/kit/pieces_p.h"
#include "read/perf_data/header/perf_attr_p.h"
#include "read/reader.h"
#include "read/shape_p.h"

#include <stdatomic.h>
#include <stdlib.h>

/*
 * Output of perf script, of any version and with any fields:
 *
 *	HEADER               see perf_script_header.c
 *		ADDR NAME (DSO)      innermost frame first; inlined ones before the one that has
 *		                     the code
 *	  FILE:LINE          after each frame, with the field srcline
 *	 REGISTERS, BRANCHES ...
 *	                     a blank line, unless something stands in its place
 *
 * Nearly all lines are frames that occurred before. So a line costs a search for its end, a hash of
 * what follows the address, and a lookup. A stack costs only the part that differs from the last
 * one.
 */
#define EVENTS_MAX 1024u

/* Shared by all pieces. */
struct shared {
	bool headless;      /* only frames: -F ip,sym */
	const char *unit;   /* unit of samples without a period */
	atomic_uint *edges; /* bits of enum perf_script_edge_events */
};

/* A sample whose lines were read, but whose node was not looked up yet. */
struct awaited {
	bool any;
	struct cr_sample sample;
	struct cr_str payload;
	struct perf_script_branches branches;
};

/* State of a thread, and the current sample. */
struct script {
	struct cr_builder *b;
	const struct shared *shared;
	struct cr_diagnostics *report;
	const char *p, *end; /* the rest of the piece */

	struct cr_line_cache who, events; /* rows of tasks and of events */
	struct perf_script_stacks stacks;
	struct cr_str last_who; /* within the piece; its task is last_task */
	uint32_t last_task;
	struct cr_text last_event; /* its event is last_event_id */
	cr_event_id last_event_id;
	uint32_t n_events;
	cr_address_space_id space;
	struct perf_script_fields fields;
	struct perf_script_edges edges;

	bool open;        /* a sample is being read */
	bool has_sources; /* a line after a frame was its source */
	struct cr_sample sample;
	struct cr_str payload;
	struct perf_script_branches branches;
	struct awaited awaited;
};

/* ---- samples */

/* Complete the waiting sample with its node. */
static void
complete_awaited(struct script *s)
{
	struct awaited *w = &s->awaited;

	if (!w->any)
		return;
	w->sample.node = cr_perf_script_stacks_node(&s->stacks);
	cr_builder_sample(s->b, &w->sample);
	if (w->payload.len)
		cr_perf_script_payload(&s->fields, s->b, w->sample.event, w->payload);
	if (w->branches.n)
		cr_perf_script_branches(&s->fields, s->b, w->sample.event, &w->branches);
	w->any = false;
}

/* Report the last line. */
static void
complain(struct script *s, enum cr_reason why, struct cr_str line)
{
	cr_diagnostics_add(s->report, why, s->report->lines, line);
}

static void
push_frame(struct script *s, struct cr_str line, const struct perf_script_line *l,
	struct cr_str source)
{
	cr_diagnostics_fate(s->report, CR_LINE_USED);
	if (!cr_perf_script_stacks_push(&s->stacks, line, l, source))
		complain(s, CR_REASON_TRUNCATED_FRAME, line);
}

static void
sample_end(struct script *s)
{
	if (!s->open)
		return;
	complete_awaited(s);
	s->awaited = (struct awaited){true, s->sample, s->payload, s->branches};
	cr_perf_script_stacks_await(&s->stacks, s->sample.task);
	s->open = s->has_sources = false;
	s->payload = (struct cr_str){0};
	s->branches = (struct perf_script_branches){0};
}

/* The thread in a header, usually that of the header before. */
static cr_task_id
task_of(struct script *s, const struct perf_script_header *h)
{
	struct perf_script_who who;
	struct cr_line_cache_slot *slot;
	struct cr_hash128 hash;

	if (s->last_who.len && cr_str_eq(h->who, s->last_who))
		return (cr_task_id){s->last_task};
	hash = cr_line_cache_hash(&s->who, h->who.p, h->who.len);
	slot = cr_line_cache_slot(&s->who, hash);
	s->last_who = h->who;
	if (slot->row1)
		return (cr_task_id){s->last_task = slot->row1 - 1};
	who = cr_perf_script_who(h);
	s->last_task = cr_builder_task(
		s->b, who.pid, who.tid, who.comm.len ? who.comm : CR_STR("[unknown]"), s->space)
			       .i;
	cr_line_cache_add(&s->who, slot, hash, s->last_task, 0);
	return (cr_task_id){s->last_task};
}

/* With a period, samples have its weight; without one each counts 1. */
static cr_event_id
event_make(struct script *s, const struct perf_script_header *h)
{
	const bool tracepoint =
		memchr(h->event.p, ':', h->event.len) && cr_perf_script_is_tracepoint(h->event);
	const char *unit =
		h->has_period || tracepoint ? cr_perf_name_unit(h->event) : s->shared->unit;

	if (s->n_events == EVENTS_MAX)
		return cr_builder_event(s->b, CR_STR("other events"), CR_STR("events"));
	s->n_events++;
	return cr_builder_event(s->b, h->event, cr_str_of(unit));
}

static cr_event_id
event_of(struct script *s, struct perf_script_header *h)
{
	struct cr_line_cache_slot *slot;
	struct cr_hash128 hash;

	if (!h->event.len)
		h->event = h->has_period ? CR_STR("events") : CR_STR("samples");
	if (cr_str_eq(h->event, cr_text_view(&s->last_event)))
		return s->last_event_id;
	hash = cr_line_cache_hash(&s->events, h->event.p, h->event.len);
	slot = cr_line_cache_slot(&s->events, hash);
	if (slot->row1) {
		s->last_event_id.i = slot->row1 - 1;
	} else {
		s->last_event_id = event_make(s, h);
		cr_line_cache_add(&s->events, slot, hash, s->last_event_id.i, 0);
	}
	cr_text_clear(&s->last_event);
	cr_text_str(&s->last_event, h->event);
	return s->last_event_id;
}

/* Add the branches of the open sample. */
static void
add_branches(struct script *s, struct cr_str branches, struct cr_str line)
{
	const uint64_t before = s->branches.unusable;

	cr_perf_script_branches_add(&s->edges, s->b, s->sample.task, branches, &s->branches);
	if (s->branches.unusable > before)
		complain(s, CR_REASON_BAD_ADDRESS, line);
}

/* What follows the event in a header: a payload, an address with its function, branches. */
static void
header_rest(struct script *s, struct cr_str rest, struct cr_str line)
{
	struct perf_script_line frame;
	struct cr_str before, from, to;
	uint32_t cut;
	bool lost;
	const uint32_t at = cr_perf_script_branches_in_header(rest, &cut, &lost);

	if (at < rest.len)
		add_branches(s, cr_str_from(rest, rest.p + at), line);
	if (lost)
		complain(s, CR_REASON_BAD_ADDRESS, line);
	for (rest.len = cut; rest.len && rest.p[rest.len - 1] == ' ';)
		rest.len--;
	s->payload = cr_scan_trim(rest);
	if (!s->payload.len || !cr_perf_script_line_at_end(rest, &before, &frame))
		return;
	s->payload = cr_scan_trim(before);
	push_frame(s, line, &frame, (struct cr_str){0});
	if (cr_perf_script_traced(cr_str_from(rest, frame.addr.p), &from, &to))
		cr_perf_script_traced_add(&s->edges, s->b, s->sample.task, from, to);
}

static void
sample_begin(struct script *s, struct perf_script_header *h, struct cr_str line)
{
	sample_end(s);
	cr_diagnostics_fate(s->report, h->record ? CR_LINE_PASSED : CR_LINE_USED);
	if (h->record)
		return;
	if (h->over)
		complain(s, CR_REASON_OVERFLOW, line);
	s->open = true;
	s->sample = (struct cr_sample){.time_ns = h->time_ns,
		.weight = h->has_period ? h->period : 1,
		.task = task_of(s, h),
		.event = event_of(s, h),
		.cpu = h->cpu};
	cr_builder_flags(s->b, CR_PROFILE_HAS_TASK | CR_PROFILE_SYMBOL_NAMES |
				       (h->has_time ? (uint32_t)CR_PROFILE_HAS_TIME : 0) |
				       (h->cpu != CR_CPU_NONE ? (uint32_t)CR_PROFILE_HAS_CPU : 0));
	if (h->rest.len)
		header_rest(s, h->rest, line);
}

/* ---- lines */

/* The next line, without its end, and truncated to CR_SCAN_LINE_MOST; p is moved after it. */
static struct cr_str
line_at(const char **p, const char *end)
{
	const char *from = *p, *lf = memchr(from, '\n', (size_t)(end - from));
	size_t len = (size_t)((lf ? lf : end) - from);

	*p += len + (lf != NULL);
	if (len && from[len - 1] == '\r')
		len--;
	return (struct cr_str){from, (uint32_t)CR_MIN(len, CR_SCAN_LINE_MOST)};
}

static bool
is_empty(struct cr_str line)
{
	return cr_scan_trim(line).len == 0;
}

/* True if the line after a frame is its source: two blanks, and neither a frame nor a header. */
static bool
is_source(const struct script *s, struct cr_str line, bool tabs)
{
	struct perf_script_line frame;
	struct perf_script_header h;

	if (line.len < 2 || line.p[0] != ' ' || line.p[1] != ' ')
		return false;
	if (line.len == 2)
		return s->has_sources;
	return cr_perf_script_is_source(line) && !cr_perf_script_header_timed(line, &h) &&
	       (tabs || !cr_perf_script_line(line, &frame));
}

static void
frame_line(struct script *s, struct cr_str line, const struct perf_script_line *l, bool tabs)
{
	const char *next = s->p;
	struct cr_str source;

	if (next == s->end || *next != ' ') {
		push_frame(s, line, l, (struct cr_str){0});
		return;
	}
	source = line_at(&next, s->end);
	if (!is_source(s, source, tabs)) {
		push_frame(s, line, l, (struct cr_str){0});
		return;
	}
	s->p = next;
	s->has_sources = true;
	push_frame(s, line, l, source);
	cr_diagnostics_used(s->report, 1);
}

/* Begin a stack without a header. */
static void
headless_begin(struct script *s)
{
	struct perf_script_header h = {.cpu = CR_CPU_NONE};

	sample_begin(s, &h, (struct cr_str){0});
}

/* A frame with a word instead of an address. */
static bool
word_frame(struct script *s, struct cr_str line, struct perf_script_line *frame)
{
	if (!cr_perf_script_line_word(line, frame))
		return false;
	complain(s, CR_REASON_BAD_ADDRESS, line);
	return true;
}

static void
tab_line(struct script *s, struct cr_str line)
{
	struct perf_script_line frame;

	if (s->open && cr_perf_script_is_code(line)) {
		cr_diagnostics_fate(s->report, CR_LINE_PASSED);
		return;
	}
	if (!cr_perf_script_line(line, &frame) && !(s->open && word_frame(s, line, &frame))) {
		complain(s, CR_REASON_BAD_FRAME, line);
		return;
	}
	if (!s->open && s->shared->headless)
		headless_begin(s);
	if (!s->open)
		complain(s, CR_REASON_FRAME_OUTSIDE_SAMPLE, line);
	else
		frame_line(s, line, &frame, true);
}

/* True if the next relevant line is a frame. A piece may end before a header with a time. */
static bool
frame_follows(const struct script *s)
{
	struct perf_script_line frame;
	struct perf_script_header h;
	const char *p = s->p;

	while (p < s->end) {
		const struct cr_str line = line_at(&p, s->end);

		if (line.len && line.p[0] == '#')
			continue;
		return line.len && cr_perf_script_line(line, &frame) &&
		       (line.p[0] == '\t' || !cr_perf_script_header_timed(line, &h));
	}
	return false;
}

static bool
begins_sample(const struct script *s, struct cr_str line, struct perf_script_header *h)
{
	return cr_perf_script_header(line, h) && (h->sure || frame_follows(s));
}

static bool
is_record(struct cr_str line)
{
	static const char mark[] = " PERF_RECORD_";

	return memmem(line.p, line.len, mark, sizeof(mark) - 1) != NULL;
}

/* The processor's trace could not be decoded here. */
static bool
is_trace_error(struct script *s, struct cr_str line)
{
	static const char mark[] = "instruction trace error";

	if (!memmem(line.p, line.len, mark, sizeof(mark) - 1))
		return false;
	sample_end(s);
	cr_perf_script_traced_gap(&s->edges);
	complain(s, CR_REASON_NOISE, line);
	return true;
}

static void
other_line(struct script *s, struct cr_str line)
{
	static const char *const messages[] = {
		"Warning", "WARNING", "[ perf", "Failed", "failed", "Error"};
	const struct cr_str text = cr_scan_trim(line);

	if (is_record(line)) {
		sample_end(s);
		cr_diagnostics_fate(s->report, CR_LINE_PASSED);
		return;
	}
	if (is_trace_error(s, line))
		return;
	for (size_t i = 0; i < CR_LEN(messages); i++)
		if (cr_str_starts(text, messages[i])) {
			complain(s, CR_REASON_NOISE, line);
			return;
		}
	complain(s, CR_REASON_BAD_HEADER, line);
}

/* Registers, branches etc. after the frames; only the branches are used. */
static void
tail_line(struct script *s, struct cr_str line)
{
	const uint32_t at = cr_perf_script_branches_at(line);

	cr_diagnostics_fate(s->report, at < line.len ? CR_LINE_USED : CR_LINE_PASSED);
	if (at < line.len)
		add_branches(s, cr_str_from(line, line.p + at), line);
}

/* A line of the branches of a sample alone; those of brstacksym have no blank before the first. */
static bool
is_branches(struct cr_str line)
{
	const uint32_t at = cr_perf_script_branches_at(line);

	return at < line.len && cr_scan_trim((struct cr_str){line.p, at}).len == 0;
}

/* A number alone, below frames that begin with a TAB, is the physical address. */
static bool
is_physical_address(const struct script *s, const struct perf_script_line *frame)
{
	const struct perf_script_frames *f = &s->stacks.frames;

	return !cr_scan_trim(frame->text).len && f->v.n && f->v.p[f->v.n - 1].p[0] == '\t';
}

/* A line with leading blanks: a frame, a right-aligned header, or registers and branches. */
static void
blank_line(struct script *s, struct cr_str line)
{
	struct perf_script_line frame;
	struct perf_script_header h;

	if (is_empty(line)) {
		sample_end(s);
		return;
	}
	if (cr_perf_script_header_timed(line, &h)) {
		sample_begin(s, &h, line);
		return;
	}
	if (s->open && cr_perf_script_line(line, &frame) && !is_physical_address(s, &frame)) {
		frame_line(s, line, &frame, false);
		return;
	}
	if (s->open && (cr_perf_script_is_tail(line) || is_branches(line))) {
		tail_line(s, line);
		return;
	}
	if (begins_sample(s, line, &h)) {
		sample_begin(s, &h, line);
		return;
	}
	if (is_trace_error(s, line))
		return;
	if (s->open && !is_record(line))
		complain(s, CR_REASON_BAD_FRAME, line);
	else if (cr_perf_script_line(line, &frame))
		complain(s, CR_REASON_FRAME_OUTSIDE_SAMPLE, line);
	else
		other_line(s, line);
}

/* "ffffffff8103d0ca name (dso)" at the start of a line, as left by editors. */
static bool
is_frame_unindented(struct cr_str line, struct perf_script_line *frame)
{
	return line.p[line.len - 1] == ')' && cr_perf_script_line(line, frame) &&
	       frame->addr.len >= 2 && frame->text.len;
}

static void
text_line(struct script *s, struct cr_str line)
{
	struct perf_script_line frame;
	struct perf_script_header h;

	if (cr_perf_script_header_timed(line, &h)) {
		sample_begin(s, &h, line);
		return;
	}
	if (s->open && is_branches(line)) {
		tail_line(s, line);
		return;
	}
	if (s->open && is_frame_unindented(line, &frame)) {
		frame_line(s, line, &frame, false);
		return;
	}
	if (begins_sample(s, line, &h))
		sample_begin(s, &h, line);
	else if (cr_perf_script_is_code(line))
		cr_diagnostics_fate(s->report, CR_LINE_PASSED);
	else
		other_line(s, line);
}

/*
 * Fast path for frames as perf prints them, nearly all of a text. Everything else is left to
 * script_line().
 */
static void
frame_lines(struct script *s)
{
	const uint32_t text_at = PERF_SCRIPT_ADDR + 2;
	const size_t before = s->stacks.frames.v.n;
	const char *p = s->p;

	while ((size_t)(s->end - p) > text_at && p[0] == '\t' && p[text_at - 1] == ' ' &&
		perf_script_addr_padded(p + 1)) {
		const char *lf = memchr(p + text_at, '\n', (size_t)(s->end - p - text_at));

		if (!lf || (size_t)(lf - p) >= CR_SCAN_LINE_MOST || lf[-1] == '\r' ||
			s->end - lf < 2 || lf[1] == ' ' || perf_script_stacks_full(&s->stacks))
			break;
		cr_vec_push(&s->stacks.frames.v, ((struct perf_script_pushed){.p = p,
							 .len = (uint32_t)(lf - p),
							 .addr_at = 1,
							 .text_at = text_at}));
		p = lf + 1;
	}
	s->p = p;
	if (s->stacks.frames.v.n > before)
		cr_diagnostics_used(s->report, s->stacks.frames.v.n - before);
}

static void
script_line(struct script *s)
{
	struct cr_str line;

	if (s->open && *s->p == '\t')
		frame_lines(s);
	line = line_at(&s->p, s->end);
	cr_diagnostics_line(s->report, line);
	if (line.len == CR_SCAN_LINE_MOST)
		complain(s, CR_REASON_LONG_LINE, line);
	if (line.len == 0)
		sample_end(s);
	else if (line.p[0] == '\t')
		tab_line(s, line);
	else if (line.p[0] == ' ')
		blank_line(s, line);
	else if (line.p[0] != '#')
		text_line(s, line);
	else
		cr_diagnostics_fate(
			s->report, cr_perf_script_is_fact(line) ? CR_LINE_USED : CR_LINE_PASSED);
}

/* ---- pieces */

static void *
script_open(struct cr_builder *b, const void *shared)
{
	struct script *s = cr_alloc(1, sizeof(*s));

	s->b = b;
	s->shared = shared;
	s->space = cr_builder_address_space(b);
	cr_line_cache_init(&s->who);
	cr_perf_script_stacks_init(&s->stacks, b);
	cr_line_cache_init(&s->events);
	cr_perf_script_fields_init(&s->fields);
	cr_perf_script_edges_init(&s->edges);
	return s;
}

static void
script_read(void *state, const struct cr_piece *piece)
{
	struct script *s = state;

	s->report = piece->report;
	s->p = piece->p;
	s->end = piece->end;
	s->last_who.len = 0;
	cr_perf_script_stacks_restart(&s->stacks);
	while (s->p < s->end)
		script_line(s);
	sample_end(s);
	complete_awaited(s);
	atomic_fetch_or(s->shared->edges, cr_perf_script_edges_put(&s->edges, s->b));
}

static void
script_close(void *state)
{
	struct script *s = state;

	cr_line_cache_fini(&s->who);
	cr_perf_script_stacks_fini(&s->stacks);
	cr_line_cache_fini(&s->events);
	cr_perf_script_fields_fini(&s->fields);
	cr_perf_script_edges_fini(&s->edges);
	cr_text_fini(&s->last_event);
	free(s);
}

/* Cut after a blank line, or before a header if there are none: no sample is open there. */
static size_t
script_cut(const char *p, size_t from, size_t len, const void *shared)
{
	const char *at = p + from, *end = p + len;
	struct perf_script_header h;

	(void)shared;
	line_at(&at, end); /* may begin before `from` */
	while (at < end) {
		const char *start = at;
		const struct cr_str line = line_at(&at, end);

		if (line.len == 0)
			return (size_t)(at - p);
		if (line.p[0] != '\t' && line.p[0] != '#' && cr_perf_script_header_timed(line, &h))
			return (size_t)(start - p);
	}
	return len;
}

static const struct cr_pieces pieces = {script_cut, script_open, script_read, script_close};

/* ---- detection */

/* Counts of the lines at the start. */
struct looks {
	uint64_t frames; /* number of lines that begin with a TAB */
	uint64_t headers;
};

static struct looks
look(const char *p, size_t len)
{
	struct looks out = {0};
	struct script s = {.p = p, .end = p + len};
	struct perf_script_line frame;
	struct perf_script_header h;
	struct cr_str line;

	while (s.p < s.end) {
		line = line_at(&s.p, s.end);
		if (line.len == 0 || line.p[0] == '#')
			continue;
		if (line.p[0] == '\t') {
			out.frames += cr_perf_script_line(line, &frame);
			continue;
		}
		out.headers += begins_sample(&s, line, &h);
	}
	return out;
}

static unsigned
probe_perf_script(const struct cr_head *head, uint64_t *line)
{
	return cr_shape_bid(head, CR_VOTE_PERF, line);
}

static int
read_perf_script(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	static const char mark[] = "\xef\xbb\xbf";
	const size_t from = in->len >= 3 && memcmp(in->p, mark, 3) == 0 ? 3 : 0;
	const struct looks seen =
		look((const char *)in->p + from, CR_MIN(in->len - from, (size_t)CR_PROBE_BYTES));
	atomic_uint edges = 0;
	const struct shared shared = {.headless = !seen.headers && seen.frames,
		.unit = opts->unit ? opts->unit : "samples",
		.edges = &edges};
	int rc;

	cr_perf_script_facts((const char *)in->p + from, in->len - from, b);
	rc = cr_pieces_run(&pieces, &shared, in, from, b, opts, err);
	if (atomic_load(&edges) & PERF_SCRIPT_BRANCHES)
		cr_branch_rows_derived(b, false);
	if (atomic_load(&edges) & PERF_SCRIPT_BLOCKS)
		cr_branch_rows_derived(b, true);
	return rc;
}

const struct cr_reader cr_reader_perf_script = {
	.name = "perf",
	.about = "the text of perf script",
	.probe = probe_perf_script,
	.read = read_perf_script,
};
