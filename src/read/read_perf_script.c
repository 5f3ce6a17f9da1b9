#include "cresset/base/vec.h"
#include "cresset/bytes/scan.h"
#include "cresset/read/reader.h"
#include "perf_attr.h"
#include "perf_script.h"
#include "perf_script_detail.h"
#include "pieces.h"
#include "seen.h"
#include "shape.h"

#include <stdlib.h>

/*
 * What perf script prints, of any version and with any fields:
 *
 *	HEADER               see perf_script_header.c
 *		ADDR NAME (OBJECT)   the innermost frame first; inlined ones before that which has the code
 *	  FILE:LINE          behind each frame, with the field srcline
 *	 REGISTERS, BRANCHES ...
 *	                     a blank line, unless something stands in its place
 *
 * Nearly all of it is frames that were there before, so a line costs a look for its end, a hash of
 * what follows the address, and a look-up; and a stack its part that is not that of the stack before.
 */
#define DEPTH_MAX 8192u  /* frames of a stack: of deeper ones the innermost are kept, below "[truncated]" */
#define INLINED_MAX 256u /* functions in one frame */
#define EVENTS_MAX 1024u

/* The same for all pieces. */
struct shared {
	bool headless; /* nothing but frames: -F ip,sym */
	const char *unit; /* of samples that do not say how much they weigh */
};

/* A line of a frame, and the one with its source behind it. */
struct frame {
	const char *p;           /* the line */
	uint32_t len, addr_at, text_at;
	struct cr_str source;
};

/* The lines of a stack, leaf first. */
struct frames {
	CR_VEC(struct frame) v;
	bool too_deep;           /* there were more, further out */
};

/* A frame, and the node of the stack from the root to here; of functions inlined into the next frame there is none. */
struct followed {
	struct frame frame;
	cr_node_id node;
};

/* The stack of the last sample of a thread, root first: that of the next is like it, but for frames near the leaf. */
struct last {
	CR_VEC(struct followed) v;
};

#define LASTS 16u

/* One of the profile's frames: lines from `first` to `end`, which were inlined into that before `end`. */
struct place {
	uint32_t first, end;
	struct cr_hash128 hash;
};

/* A sample whose lines were read, and whose node is yet to be found: what that takes is on the way from memory. */
struct awaited {
	bool any;
	struct cr_sample sample;
	struct cr_str payload;
	struct perf_script_branches branches;
	struct frames frames;
	struct last *last;         /* its stack by now */
	CR_VEC(struct place) path; /* what of it is not as in the one before, leaf first */
};

/* What a thread keeps, and the sample that it reads. */
struct script {
	struct cr_builder *b;
	const struct shared *shared;
	struct cr_report *report;
	const char *p, *end;       /* what is left of the piece */
	uint64_t line;

	struct cr_seen who, events; /* to rows of tasks and of events */
	struct cr_seen known;      /* to rows of locations */
	struct cr_seen objects;    /* to their rows */
	struct cr_str last_who;    /* of the piece, with last_task */
	uint32_t last_task;
	struct cr_text last_event; /* with last_event_id */
	cr_event_id last_event_id;
	uint32_t n_events;
	cr_space_id space;
	struct perf_script_details details;

	bool open;                 /* a sample is */
	bool has_sources;          /* a line behind a frame was its source */
	bool in_tail;              /* registers, branches or instructions were there */
	struct cr_sample sample;
	struct cr_str payload;
	struct perf_script_branches branches;
	struct frames frames;
	struct last lasts[LASTS];  /* of the piece, by task */
	struct awaited awaited;
	CR_VEC(cr_location_id) locations; /* root first */
	CR_VEC(cr_node_id) nodes;  /* theirs */
};

/* ---- frames */

static cr_object_id
object_make(struct script *s, const struct perf_script_frame *f)
{
	const enum cr_kind kind = perf_script_kind(f->object, f->name);

	if (!f->object.len && kind == CR_KIND_UNKNOWN)
		return CR_OBJECT_UNKNOWN;
	return cr_builder_object(s->b, &(struct cr_object){.name = f->object, .kind = (uint8_t)kind});
}

/* What it is its name alone tells, but for the programs of BPF. */
static cr_object_id
object_of(struct script *s, const struct perf_script_frame *f)
{
	struct cr_seen_slot *slot;
	struct cr_hash128 h;
	cr_object_id object;

	if (cr_str_starts(f->name, "bpf_prog_"))
		return object_make(s, f);
	h = cr_seen_hash(&s->objects, f->object.p, f->object.len);
	slot = cr_seen_slot(&s->objects, h);
	if (slot->row1)
		return (cr_object_id){slot->row1 - 1};
	object = object_make(s, f);
	cr_seen_add(&s->objects, slot, h, object.i, 0);
	return object;
}

static struct cr_str
addr_of(const struct frame *f)
{
	return cr_scan_trim((struct cr_str){f->p + f->addr_at, CR_MIN(f->text_at, f->len) - f->addr_at});
}

static struct cr_str
text_of(const struct frame *f)
{
	return (struct cr_str){f->p + f->text_at, f->len - f->text_at};
}

/* Lines that are one location, that of the last, which the others were inlined into. */
static cr_location_id
location_make(struct script *s, const struct frame *frames, size_t n)
{
	struct cr_named named[INLINED_MAX];
	const struct frame *last = &frames[n - 1];
	struct perf_script_frame f;

	for (size_t i = 0; i < n; i++) {
		perf_script_frame(text_of(&frames[i]), &f);
		named[i] = (struct cr_named){.name = f.name};
		if (i + 1 < n && !f.name.len)
			named[i].name = CR_STR("[unknown]");
		if (frames[i].source.p)
			perf_script_source(frames[i].source, &named[i].file, &named[i].line);
	}
	if (perf_script_inlined(text_of(last))) /* nothing tells what it was inlined into */
		f.object.len = 0;
	return cr_builder_named_at(s->b, object_of(s, &f), f.name.len ? f.offset : perf_script_addr(addr_of(last)), named, n);
}

static struct cr_hash128
hash_with(struct cr_hash128 h, uint64_t lo, uint64_t hi)
{
	return (struct cr_hash128){cr_hash_mix(h.lo, lo), cr_hash_mix(h.hi, hi)};
}

static struct cr_hash128
hash_with_text(const struct script *s, struct cr_hash128 h, struct cr_str text)
{
	const struct cr_hash128 of = cr_seen_hash(&s->known, text.p, text.len);

	return hash_with(h, of.lo, of.hi);
}

/* The location of n lines whose hash is h. */
static cr_location_id
location_of(struct script *s, const struct frame *frames, size_t n, struct cr_hash128 h)
{
	const uint32_t row1 = cr_seen_slot(&s->known, h)->row1;
	cr_location_id location;

	if (row1)
		return (cr_location_id){row1 - 1};
	location = location_make(s, frames, n);
	cr_seen_add(&s->known, cr_seen_slot(&s->known, h), h, location.i, 0);
	return location;
}

/*
 * What a frame without a name is known by has its address in it. That is told from how the text begins;
 * a name that begins so costs a look-up for each address, no more.
 */
static bool
is_nameless(struct cr_str text)
{
	return cr_str_starts(text, "[unknown]") || text.len == 0 || text.p[0] == ' ' ||
	       (text.p[0] == '(' && !cr_str_starts(text, "(anonymous"));
}

static struct cr_hash128
hash_frame(const struct script *s, const struct frame *f)
{
	const struct cr_str text = text_of(f);
	struct cr_hash128 h;

	if (!is_nameless(text))
		return cr_seen_hash(&s->known, text.p, text.len);
	h = cr_seen_hash(&s->known, f->p + f->addr_at, f->len - f->addr_at);
	h.lo = ~h.lo; /* the address "f" and "(x)" are not the name "f" and "(x)" */
	return h;
}

/* ---- stacks */

static bool
is_inlined(const struct frame *f)
{
	return perf_script_inlined(text_of(f));
}

static bool
same_frame(const struct frame *a, const struct frame *b)
{
	return a->len == b->len && memcmp(a->p, b->p, a->len) == 0 && cr_str_eq(a->source, b->source);
}

/* How many frames, from the leaf on, are not where `last` has the same ones below the root. */
static size_t
frames_apart(const struct frames *s, const struct last *last)
{
	const size_t all = s->v.n, most = CR_MIN(all, last->v.n);
	size_t n = all;

	while (all - n < most && same_frame(&s->v.p[n - 1], &last->v.p[all - n].frame))
		n--;
	/* A frame goes with what is inlined into it, in this stack and in the one before. */
	while (n < all && ((n && is_inlined(&s->v.p[n - 1])) ||
				  (all - n < last->v.n && is_inlined(&last->v.p[all - n].frame))))
		n++;
	return n;
}

/* How many of the n lines are one location: a frame with the functions inlined into it, which have its address. */
static uint32_t
lines_of_frame(const struct frame *frames, size_t n)
{
	const uint32_t most = (uint32_t)CR_MIN(n, (size_t)INLINED_MAX);
	uint32_t i = 1;

	while (i < most && is_inlined(&frames[i - 1]) && cr_str_eq(addr_of(&frames[i]), addr_of(&frames[0])))
		i++;
	return i;
}

/* The hash of the lines of a place. */
static struct cr_hash128
hash_place(const struct script *s, const struct frame *frames, size_t n)
{
	struct cr_hash128 h;

	if (n == 1 && !frames->source.p)
		return hash_frame(s, frames);
	h = hash_with_text(s, (struct cr_hash128){n, n}, addr_of(frames));
	for (size_t i = 0; i < n; i++) {
		h = hash_with_text(s, h, text_of(&frames[i]));
		if (frames[i].source.p)
			h = hash_with_text(s, h, frames[i].source);
	}
	return h;
}

/* The places of the first n frames; the last of the stack go on with these frames. */
static void
path_make(const struct script *s, struct awaited *w, size_t n)
{
	const struct frame *frames = w->frames.v.p;
	const size_t all = w->frames.v.n;
	uint32_t lines;

	w->path.n = 0;
	for (uint32_t i = 0; i < n; i += lines) {
		struct cr_hash128 hash;

		lines = lines_of_frame(frames + i, n - i);
		hash = hash_place(s, frames + i, lines);
		cr_seen_prefetch(&s->known, hash);
		cr_vec_push(&w->path, ((struct place){i, i + lines, hash}));
	}
	for (size_t i = 0; i < n; i++)
		w->last->v.p[all - 1 - i].frame = frames[i];
}

/*
 * The lines of a sample are there: what is to be looked up is asked for now and looked at when those
 * of the next one are. Mostly only the leaf differs from stacks that were there before.
 */
static void
await(struct script *s, struct awaited *w)
{
	const struct frames room = w->frames;
	size_t n;

	w->any = true;
	w->sample = s->sample;
	w->payload = s->payload;
	w->branches = s->branches;
	w->frames = s->frames;
	w->last = &s->lasts[s->sample.task.i % LASTS];
	s->frames = room;
	s->frames.v.n = 0;
	s->frames.too_deep = false;
	if (w->frames.too_deep) { /* the outermost gives way to what says so */
		w->frames.v.n--;
		w->last->v.n = 0;
	}
	n = frames_apart(&w->frames, w->last);
	cr_vec_reserve(&w->last->v, w->frames.v.n);
	w->last->v.n = w->frames.v.n;
	path_make(s, w, n);
}

/* The node that the path hangs from: of the part that is as in the stack before. */
static cr_node_id
path_top(struct script *s, const struct awaited *w)
{
	const size_t n = w->path.n ? w->path.p[w->path.n - 1].end : 0, same = w->frames.v.n - n;

	if (same)
		return w->last->v.p[same - 1].node;
	return w->frames.too_deep ? cr_builder_push(s->b, CR_ROOT, cr_builder_truncated(s->b)) : CR_ROOT;
}

/* The node of the awaited stack. */
static cr_node_id
path_node(struct script *s, const struct awaited *w)
{
	const size_t n = w->path.n;
	const cr_node_id top = path_top(s, w);

	cr_vec_reserve(&s->locations, n);
	cr_vec_reserve(&s->nodes, n);
	for (size_t i = 0; i < n; i++) {
		const struct place *p = &w->path.p[n - 1 - i];

		s->locations.p[i] = location_of(s, w->frames.v.p + p->first, p->end - p->first, p->hash);
	}
	cr_builder_push_path(s->b, top, s->locations.p, n, s->nodes.p);
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = w->path.p[n - 1 - i].first; k < w->path.p[n - 1 - i].end; k++)
			w->last->v.p[w->frames.v.n - 1 - k].node = s->nodes.p[i];
	return n ? s->nodes.p[n - 1] : top;
}

static void
awaited_take(struct script *s)
{
	struct awaited *w = &s->awaited;

	if (!w->any)
		return;
	w->sample.node = path_node(s, w);
	cr_builder_sample(s->b, &w->sample);
	if (w->payload.len)
		perf_script_payload(&s->details, s->b, w->sample.event, w->payload);
	if (w->branches.n)
		perf_script_branches(&s->details, s->b, w->sample.event, &w->branches);
	if (w->frames.too_deep) /* others begin at the root */
		w->last->v.n = 0;
	w->any = false;
}

static void
push_frame(struct script *s, struct cr_str line, const struct perf_script_line *l, struct cr_str source)
{
	const uint32_t text_at = (uint32_t)(l->text.p - line.p);

	if (s->frames.v.n == DEPTH_MAX) {
		if (!s->frames.too_deep)
			cr_report(s->report, CR_REASON_TRUNCATED_FRAME, s->line, line);
		s->frames.too_deep = true;
		return;
	}
	cr_vec_push(&s->frames.v, ((struct frame){.p = line.p, .len = text_at + l->text.len,
		.addr_at = (uint32_t)(l->addr.p - line.p), .text_at = text_at, .source = source}));
}

/* ---- samples */

static void
sample_end(struct script *s)
{
	if (!s->open)
		return;
	awaited_take(s);
	await(s, &s->awaited);
	s->open = s->has_sources = s->in_tail = false;
	s->payload = (struct cr_str){0};
	s->branches = (struct perf_script_branches){0};
}

/* The thread that a header names; most headers name that of the one before. */
static cr_task_id
task_of(struct script *s, const struct perf_script_header *h)
{
	struct perf_script_who who;
	struct cr_seen_slot *slot;
	struct cr_hash128 hash;

	if (s->last_who.len && cr_str_eq(h->who, s->last_who))
		return (cr_task_id){s->last_task};
	hash = cr_seen_hash(&s->who, h->who.p, h->who.len);
	slot = cr_seen_slot(&s->who, hash);
	s->last_who = h->who;
	if (slot->row1)
		return (cr_task_id){s->last_task = slot->row1 - 1};
	who = perf_script_who(h);
	s->last_task = cr_builder_task(s->b, who.pid, who.tid, who.comm.len ? who.comm : CR_STR("[unknown]"), s->space).i;
	cr_seen_add(&s->who, slot, hash, s->last_task, 0);
	return (cr_task_id){s->last_task};
}

/* A period says how much of what the event counts; without one a sample counts for itself. */
static cr_event_id
event_make(struct script *s, const struct perf_script_header *h)
{
	const bool tracepoint = memchr(h->event.p, ':', h->event.len) && perf_script_is_tracepoint(h->event);
	const char *unit = h->has_period || tracepoint ? perf_name_unit(h->event) : s->shared->unit;

	if (s->n_events == EVENTS_MAX)
		return cr_builder_event(s->b, CR_STR("other events"), CR_STR("events"));
	s->n_events++;
	return cr_builder_event(s->b, h->event, cr_str_of(unit));
}

static cr_event_id
event_of(struct script *s, struct perf_script_header *h)
{
	struct cr_seen_slot *slot;
	struct cr_hash128 hash;

	if (!h->event.len)
		h->event = h->has_period ? CR_STR("events") : CR_STR("samples");
	if (cr_str_eq(h->event, cr_text_view(&s->last_event)))
		return s->last_event_id;
	hash = cr_seen_hash(&s->events, h->event.p, h->event.len);
	slot = cr_seen_slot(&s->events, hash);
	if (slot->row1) {
		s->last_event_id.i = slot->row1 - 1;
	} else {
		s->last_event_id = event_make(s, h);
		cr_seen_add(&s->events, slot, hash, s->last_event_id.i, 0);
	}
	cr_text_clear(&s->last_event);
	cr_text_str(&s->last_event, h->event);
	return s->last_event_id;
}

static void
sample_begin(struct script *s, struct perf_script_header *h, struct cr_str line)
{
	struct perf_script_line frame;
	struct cr_str before;

	sample_end(s);
	if (h->record)
		return;
	if (h->over)
		cr_report(s->report, CR_REASON_OVERFLOW, s->line, line);
	s->open = true;
	s->sample = (struct cr_sample){.time_ns = h->time_ns, .weight = h->has_period ? h->period : 1,
		.task = task_of(s, h), .event = event_of(s, h), .cpu = h->cpu};
	cr_builder_flags(s->b, CR_PROFILE_HAS_TASK | CR_PROFILE_SYMBOL_NAMES |
		(h->has_time ? (uint32_t)CR_PROFILE_HAS_TIME : 0) |
		(h->cpu != CR_CPU_NONE ? (uint32_t)CR_PROFILE_HAS_CPU : 0));
	s->payload = cr_scan_trim(h->rest);
	if (!s->payload.len || !perf_script_line_at_end(h->rest, &before, &frame))
		return;
	s->payload = cr_scan_trim(before);
	push_frame(s, line, &frame, (struct cr_str){0});
}

/* ---- lines */

/* The next line, without its end, and without what is past CR_SCAN_LINE_MOST; p is behind it. */
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

/* The line behind a frame's is of its source: two blanks, then what is no frame and no header. */
static bool
is_source(const struct script *s, struct cr_str line, bool tabs)
{
	struct perf_script_line frame;
	struct perf_script_header h;

	if (line.len < 2 || line.p[0] != ' ' || line.p[1] != ' ')
		return false;
	if (line.len == 2)
		return s->has_sources;
	return line.p[2] != ' ' && line.p[2] != '\t' && !perf_script_header_timed(line, &h) &&
	       (tabs || !perf_script_line(line, &frame));
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
	s->line++;
	s->has_sources = true;
	push_frame(s, line, l, source);
}

/* A stack that nothing says whose it is. */
static void
headless_begin(struct script *s)
{
	struct perf_script_header h = {.cpu = CR_CPU_NONE};

	sample_begin(s, &h, (struct cr_str){0});
}

static void
tab_line(struct script *s, struct cr_str line)
{
	struct perf_script_line frame;

	if (!perf_script_line(line, &frame)) {
		/* Instructions of a branch stack follow the frames: "\tADDR\tinsn: 48 89", "\tname:". */
		const bool tail = s->open && (line.p[line.len - 1] == ':' || memchr(line.p + 1, '\t', line.len - 1));

		s->in_tail |= tail;
		if (!s->in_tail)
			cr_report(s->report, CR_REASON_BAD_FRAME, s->line, line);
		return;
	}
	if (!s->open && s->shared->headless)
		headless_begin(s);
	if (!s->open)
		cr_report(s->report, CR_REASON_FRAME_OUTSIDE_SAMPLE, s->line, line);
	else
		frame_line(s, line, &frame, true);
}

/* Is the next line that says something a frame? Before a header with a time a piece may end. */
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
		return line.len && perf_script_line(line, &frame) &&
		       (line.p[0] == '\t' || !perf_script_header_timed(line, &h));
	}
	return false;
}

static bool
begins_sample(const struct script *s, struct cr_str line, struct perf_script_header *h)
{
	return perf_script_header(line, h) && (h->sure || frame_follows(s));
}

static bool
is_record(struct cr_str line)
{
	static const char mark[] = " PERF_RECORD_";

	return memmem(line.p, line.len, mark, sizeof(mark) - 1) != NULL;
}

static void
other_line(struct script *s, struct cr_str line)
{
	static const char *const messages[] = {"Warning", "WARNING", "[ perf", "Failed", "failed", "Error", "instruction trace error"};
	const struct cr_str text = cr_scan_trim(line);

	if (is_record(line)) {
		sample_end(s);
		return;
	}
	for (size_t i = 0; i < CR_LEN(messages); i++)
		if (cr_str_starts(text, messages[i])) {
			cr_report(s->report, CR_REASON_NOISE, s->line, line);
			return;
		}
	cr_report(s->report, CR_REASON_BAD_HEADER, s->line, line);
}

/* Led by blanks: a frame, a header set to the right, or registers and branches. */
static void
blank_line(struct script *s, struct cr_str line)
{
	struct perf_script_line frame;
	struct perf_script_header h;

	if (is_empty(line)) {
		sample_end(s);
		return;
	}
	if (perf_script_header_timed(line, &h)) {
		sample_begin(s, &h, line);
		return;
	}
	if (s->open && perf_script_line(line, &frame)) {
		frame_line(s, line, &frame, false);
		return;
	}
	if (begins_sample(s, line, &h)) {
		sample_begin(s, &h, line);
		return;
	}
	if (s->open) {
		s->in_tail = true;
		perf_script_branches_line(&s->branches, line);
		return;
	}
	if (perf_script_line(line, &frame))
		cr_report(s->report, CR_REASON_FRAME_OUTSIDE_SAMPLE, s->line, line);
	else
		other_line(s, line);
}

/* "ffffffff8103d0ca name (object)" at the start of a line, as editors leave them. */
static bool
is_frame_unindented(struct cr_str line, struct perf_script_line *frame)
{
	return line.p[line.len - 1] == ')' && perf_script_line(line, frame) && frame->addr.len >= 2 && frame->text.len;
}

static void
text_line(struct script *s, struct cr_str line)
{
	struct perf_script_line frame;
	struct perf_script_header h;

	if (perf_script_header_timed(line, &h)) {
		sample_begin(s, &h, line);
		return;
	}
	if (s->open && is_frame_unindented(line, &frame)) {
		frame_line(s, line, &frame, false);
		return;
	}
	if (begins_sample(s, line, &h))
		sample_begin(s, &h, line);
	else
		other_line(s, line);
}

/* Frames as perf prints them, nearly all of a text. What is anything else is left to script_line(). */
static void
frame_lines(struct script *s)
{
	const uint32_t text_at = PERF_SCRIPT_ADDR + 2;
	const char *p = s->p;

	while (s->end - p > text_at && p[0] == '\t' && p[text_at - 1] == ' ' && perf_script_addr_padded(p + 1)) {
		const char *lf = memchr(p + text_at, '\n', (size_t)(s->end - p - text_at));

		if (!lf || (size_t)(lf - p) >= CR_SCAN_LINE_MOST || lf[-1] == '\r' || s->end - lf < 2 || lf[1] == ' ' ||
			s->frames.v.n == DEPTH_MAX)
			break;
		cr_vec_push(&s->frames.v, ((struct frame){.p = p, .len = (uint32_t)(lf - p), .addr_at = 1,
			.text_at = text_at}));
		p = lf + 1;
		s->line++;
	}
	s->p = p;
}

static void
script_line(struct script *s)
{
	struct cr_str line;

	if (s->open && *s->p == '\t')
		frame_lines(s);
	line = line_at(&s->p, s->end);
	s->line++;
	if (line.len == CR_SCAN_LINE_MOST)
		cr_report(s->report, CR_REASON_LONG_LINE, s->line, line);
	if (line.len == 0)
		sample_end(s);
	else if (line.p[0] == '\t')
		tab_line(s, line);
	else if (line.p[0] == ' ')
		blank_line(s, line);
	else if (line.p[0] != '#')
		text_line(s, line);
}

/* ---- pieces */

static void *
script_open(struct cr_builder *b, const void *shared)
{
	struct script *s = cr_alloc(1, sizeof(*s));

	s->b = b;
	s->shared = shared;
	s->space = cr_builder_space(b);
	cr_seen_init(&s->who);
	cr_seen_init(&s->known);
	cr_seen_init(&s->objects);
	cr_seen_init(&s->events);
	perf_script_details_init(&s->details);
	return s;
}

static void
script_read(void *state, const struct cr_piece *piece)
{
	struct script *s = state;

	s->report = piece->report;
	s->p = piece->p;
	s->end = piece->end;
	s->line = 0;
	s->last_who.len = 0;
	for (size_t i = 0; i < LASTS; i++)
		s->lasts[i].v.n = 0;
	while (s->p < s->end)
		script_line(s);
	sample_end(s);
	awaited_take(s);
	piece->report->lines = s->line;
}

static void
script_close(void *state)
{
	struct script *s = state;

	cr_seen_fini(&s->who);
	cr_seen_fini(&s->known);
	cr_seen_fini(&s->objects);
	cr_seen_fini(&s->events);
	perf_script_details_fini(&s->details);
	cr_text_fini(&s->last_event);
	cr_vec_fini(&s->frames.v);
	cr_vec_fini(&s->awaited.frames.v);
	for (size_t i = 0; i < LASTS; i++)
		cr_vec_fini(&s->lasts[i].v);
	cr_vec_fini(&s->awaited.path);
	cr_vec_fini(&s->locations);
	cr_vec_fini(&s->nodes);
	free(s);
}

/* Behind a blank line, or before a header where there are none: in either place no sample is open. */
static size_t
script_cut(const char *p, size_t from, size_t len, const void *shared)
{
	const char *at = p + from, *end = p + len;
	struct perf_script_header h;

	(void)shared;
	line_at(&at, end); /* begins before `from`, maybe */
	while (at < end) {
		const char *start = at;
		const struct cr_str line = line_at(&at, end);

		if (line.len == 0)
			return (size_t)(at - p);
		if (line.p[0] != '\t' && line.p[0] != '#' && perf_script_header_timed(line, &h))
			return (size_t)(start - p);
	}
	return len;
}

static const struct cr_pieces pieces = {script_cut, script_open, script_read, script_close};

/* ---- what it is */

/* What the lines at the start are. */
struct looks {
	uint64_t frames;  /* that begin with a TAB */
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
		s.line++;
		if (line.len == 0 || line.p[0] == '#')
			continue;
		if (line.p[0] == '\t') {
			out.frames += perf_script_line(line, &frame);
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
read_perf_script(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts, struct cr_err *err)
{
	static const char mark[] = "\xef\xbb\xbf";
	const size_t from = in->len >= 3 && memcmp(in->p, mark, 3) == 0 ? 3 : 0;
	const struct looks seen = look((const char *)in->p + from, CR_MIN(in->len - from, (size_t)CR_PROBE_BYTES));
	const struct shared shared = {.headless = !seen.headers && seen.frames,
		.unit = opts->unit ? opts->unit : "samples"};

	perf_script_facts((const char *)in->p + from, in->len - from, b);
	return cr_pieces_run(&pieces, &shared, in, from, b, opts, err);
}

const struct cr_reader cr_reader_perf_script = {
	.name = "perf",
	.about = "what perf script prints",
	.probe = probe_perf_script,
	.read = read_perf_script,
};
