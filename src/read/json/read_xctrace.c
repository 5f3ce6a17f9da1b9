#include "read/reader.h"

#include <string.h>

static unsigned
probe_xctrace(const struct cr_head *head, uint64_t *line)
{
	*line = 1;
	return memmem(head->p, head->len, "<trace-query-result", 19) ? CR_EVIDENCE_SIGNATURE : 0;
}

#ifdef HAVE_EXPAT

#include "base/hash.h"
#include "base/vec.h"
#include "bytes/scan.h"
#include "model/build/tidy.h"
#include "read/kit/diagnostics_p.h"

#include <expat.h>

/*
 * Output of `xctrace export --xpath` for a recording of Instruments: rows of a table of samples, as
 * XML.
 *
 *	<trace-query-result><node><row>
 *	 <sample-time id="1">57246708</sample-time>
 *	 <thread id="2" fmt="main  0x8480c1 (app, pid: 5)"><tid id="3">8683713</tid>...</thread>
 *	 <core id="7">3</core><thread-state id="8" fmt="Running"/><weight id="9">1000000</weight>
 *	 <backtrace id="10"><frame id="11" name="leaf" addr="0x10"><binary id="12" name="app" UUID
 *	 path/>
 *	  <source line="7"><path id="13">/src/a.c</path></source></frame>...</backtrace></row>
 *
 * Newer versions put the backtrace in a "tagged-backtrace". The innermost frame comes first. A
 * repeated value is an element with the earlier id as "ref". Each row is a sample of the event
 * "samples" and, with its weight, of "time" or "cycles".
 *
 * Entities cannot be declared, and nothing outside the input is read.
 */
#define FEED_BYTES (1 << 20)
#define TOKEN_MAX (16u << 20) /* maximum bytes of one tag */
#define TEXT_MAX (64u << 10)  /* maximum bytes between tags that are used */
#define TABLE_DEPTH 2u        /* depth of the rows: inside the result and its node */
#define ELEMENT_DEPTH_MAX 1000u
#define FRAMES_MAX 8192u /* of deeper stacks the innermost are kept */

enum tag {
	TAG_OTHER,
	TAG_ROW,
	TAG_TAGGED,
	TAG_BACKTRACE,
	TAG_FRAME,
	TAG_BINARY,
	TAG_SOURCE,
	TAG_PATH,
	TAG_THREAD,
	TAG_TID,
	TAG_STATE,
	TAG_CORE,
	TAG_TIME,
	TAG_WEIGHT,
	TAG_CYCLES,
	TAGS
};

static const char *const tags[TAGS] = {
	[TAG_ROW] = "row",
	[TAG_TAGGED] = "tagged-backtrace",
	[TAG_BACKTRACE] = "backtrace",
	[TAG_FRAME] = "frame",
	[TAG_BINARY] = "binary",
	[TAG_SOURCE] = "source",
	[TAG_PATH] = "path",
	[TAG_THREAD] = "thread",
	[TAG_TID] = "tid",
	[TAG_STATE] = "thread-state",
	[TAG_CORE] = "core",
	[TAG_TIME] = "sample-time",
	[TAG_WEIGHT] = "weight",
	[TAG_CYCLES] = "cycle-weight",
};

/* The value of an element with an id: a row of some table, or a number. */
struct known {
	uint64_t id;
	uint64_t value;
	enum tag tag;
};

struct element {
	enum tag tag;
	bool has_id;
	uint64_t id;
};

struct xctrace {
	XML_Parser parser;
	const struct cr_input *in;
	struct cr_builder *b;
	struct cr_diagnostics report;
	const char *stop; /* why reading stopped; NULL if there is no error */
	cr_address_space_id space;
	cr_event_id samples, time, cycles;
	cr_field_id state;
	cr_location_id unknown;
	CR_VEC(struct known) known;
	struct cr_index by_id;
	CR_VEC(struct element) open;   /* outermost first */
	struct cr_text text;           /* of the current element */
	XML_Size text_line;            /* line of the text reported last; 0 if none */
	CR_VEC(cr_location_id) frames; /* of the current backtrace, innermost first */
	struct cr_arena paths;
	CR_VEC(struct cr_str) files; /* values of "path" are rows of this */

	struct { /* the current frame */
		struct cr_text name, plain;
		uint64_t addr;
		cr_dso_id object;
		struct cr_str file;
		uint32_t line;
	} frame;
	struct { /* the current thread */
		struct cr_text name;
		int32_t pid, tid;
	} thread;
	struct { /* the current row */
		bool have[TAGS];
		uint64_t value[TAGS];
	} row;
};

/* Report at the position of the parser. */
static void
report(struct xctrace *x, enum cr_reason why)
{
	const XML_Index at = XML_GetCurrentByteIndex(x->parser);
	const size_t offset = at < 0 ? x->in->len : CR_MIN((size_t)at, x->in->len);
	const size_t left = CR_MIN(x->in->len - offset, (size_t)CR_DIAGNOSTICS_TEXT);
	const char *p = (const char *)x->in->p + offset, *end = left ? memchr(p, '\n', left) : NULL;

	cr_diagnostics_add(&x->report, why, XML_GetCurrentLineNumber(x->parser),
		(struct cr_str){p, (uint32_t)(end ? (size_t)(end - p) : left)});
}

static void
stop(struct xctrace *x, const char *why)
{
	x->stop = why;
	XML_StopParser(x->parser, XML_FALSE);
}

static const char *
attribute(const char **attributes, const char *name)
{
	for (; *attributes; attributes += 2)
		if (strcmp(attributes[0], name) == 0)
			return attributes[1];
	return NULL;
}

static enum tag
tag_of(const char *name)
{
	for (unsigned t = 1; t < TAGS; t++)
		if (strcmp(tags[t], name) == 0)
			return (enum tag)t;
	return TAG_OTHER;
}

static const struct known *
known_find(const struct xctrace *x, uint64_t id)
{
	const uint64_t h = cr_hash_mix(id, 0);
	uint32_t row;

	cr_index_each(&x->by_id, h, row)
		if (x->known.p[row].id == id)
			return &x->known.p[row];
	return NULL;
}

/* "main  0x8480c1 (app, pid: 49374)"; a thread without a name gets that of its process. */
static void
thread_parse(struct xctrace *x, struct cr_str s)
{
	const char *open = s.len ? memrchr(s.p, '(', s.len) : NULL;
	struct cr_str name = s, process = CR_STR(""), rest;
	const char *pid, *hex;
	uint64_t n;

	x->thread.pid = x->thread.tid = -1;
	if (open) {
		process = (struct cr_str){open + 1, (uint32_t)(s.p + s.len - open - 1)};
		name.len = (uint32_t)(open - s.p);
		pid = memmem(process.p, process.len, ", pid: ", 7);
		rest = pid ? (struct cr_str){pid + 7, (uint32_t)(process.p + process.len - pid - 7)}
			   : CR_STR("");
		while (rest.len && (rest.p[rest.len - 1] < '0' || rest.p[rest.len - 1] > '9'))
			rest.len--;
		if (cr_scan_u64(rest, &n) && n <= INT32_MAX)
			x->thread.pid = (int32_t)n;
		process.len = pid ? (uint32_t)(pid - process.p) : process.len;
	}
	name = cr_scan_trim(name);
	hex = name.len ? memrchr(name.p, ' ', name.len) : NULL;
	hex = hex ? hex + 1 : name.p;
	if (name.len &&
		cr_str_starts((struct cr_str){hex, (uint32_t)(name.p + name.len - hex)}, "0x"))
		name = cr_scan_trim((struct cr_str){name.p, (uint32_t)(hex - name.p)});
	cr_text_clear(&x->thread.name);
	cr_text_str(&x->thread.name, name.len ? name : process);
}

static uint64_t
hex_of(const char *s)
{
	uint64_t v;

	return s && cr_scan_hex(cr_str_of(s), &v) ? v : 0;
}

/* "DE46DD52-4994-3FD8-B4B4-E352A1A19354" */
static uint8_t
uuid_parse(const char *s, uint8_t *out)
{
	unsigned nibbles = 0;

	for (; *s; s++) {
		const char *digits = "0123456789abcdef", *d = strchr(digits, *s | 0x20);

		if (*s == '-')
			continue;
		if (!d || nibbles == 32)
			return 0;
		out[nibbles / 2] = (uint8_t)(out[nibbles / 2] << 4 | (d - digits));
		nibbles++;
	}
	return nibbles == 32 ? 16 : 0;
}

static uint64_t
binary_make(struct xctrace *x, const char **attributes)
{
	const char *path = attribute(attributes, "path"), *name = attribute(attributes, "name");
	const char *uuid = attribute(attributes, "UUID");
	struct cr_dso o = {.name = cr_str_of(path && *path ? path
					     : name        ? name
							   : ""),
		.kind = CR_KIND_USER};

	if (o.name.len == 0)
		return CR_DSO_UNKNOWN.i;
	if (cr_str_starts(cr_str_basename(o.name), "kernel"))
		o.kind = CR_KIND_KERNEL;
	o.build_id_len = uuid ? uuid_parse(uuid, o.build_id) : 0;
	return cr_builder_dso(x->b, &o).i;
}

/* Read the attributes; the content comes later. */
static void
element_start(struct xctrace *x, enum tag tag, const char **attributes)
{
	const char *fmt = attribute(attributes, "fmt"), *name = attribute(attributes, "name");
	uint64_t line;

	switch (tag) {
	case TAG_ROW: memset(&x->row, 0, sizeof(x->row)); break;
	case TAG_BACKTRACE: x->frames.n = 0; break;
	case TAG_FRAME:
		cr_text_clear(&x->frame.name);
		cr_text_puts(&x->frame.name, name ? name : "");
		x->frame.addr = hex_of(attribute(attributes, "addr"));
		x->frame.object = CR_DSO_UNKNOWN;
		x->frame.file = CR_STR("");
		x->frame.line = 0;
		break;
	case TAG_BINARY: x->frame.object.i = (uint32_t)binary_make(x, attributes); break;
	case TAG_SOURCE:
		name = attribute(attributes, "line");
		x->frame.line = name && cr_scan_u64(cr_str_of(name), &line) && line <= UINT32_MAX
					? (uint32_t)line
					: 0;
		break;
	case TAG_THREAD: thread_parse(x, cr_str_of(fmt ? fmt : "")); break;
	case TAG_STATE:
		x->row.value[TAG_STATE] = cr_builder_text(x->b, cr_str_of(fmt ? fmt : ""));
		break;
	default: break;
	}
	cr_text_clear(&x->text);
}

static uint64_t
number_of(struct xctrace *x)
{
	uint64_t v = 0;

	if (!cr_scan_u64(cr_scan_trim(cr_text_view(&x->text)), &v))
		report(x, CR_REASON_BAD_COUNT);
	return v;
}

/* By name; a frame without one is named by its address. */
static uint64_t
frame_make(struct xctrace *x)
{
	struct cr_named named = {.file = x->frame.file, .line = x->frame.line};
	uint64_t addr = 0;

	named.name = cr_tidy_rust(cr_text_view(&x->frame.name), &x->frame.plain);
	if (named.name.len == 0)
		named.name = CR_STR("-");
	else if (cr_str_starts(named.name, "0x"))
		addr = x->frame.addr;
	return cr_builder_named_at(x->b, x->frame.object, addr, &named, 1).i;
}

static uint64_t
backtrace_make(struct xctrace *x)
{
	const size_t n = CR_MIN(x->frames.n, (size_t)FRAMES_MAX);
	cr_node_id node = CR_ROOT;

	if (n < x->frames.n)
		node = cr_builder_push(x->b, node, cr_builder_truncated(x->b));
	for (size_t i = n; i-- > 0;)
		node = cr_builder_push(x->b, node, x->frames.p[i]);
	return node.i;
}

static uint64_t
path_make(struct xctrace *x)
{
	const struct cr_str path = {
		cr_arena_copy(&x->paths, x->text.p, x->text.len), (uint32_t)x->text.len};

	cr_vec_push(&x->files, path);
	return x->files.n - 1;
}

/* The value of a complete element. */
static uint64_t
element_value(struct xctrace *x, enum tag tag)
{
	switch (tag) {
	case TAG_TAGGED: return x->row.value[TAG_BACKTRACE];
	case TAG_BACKTRACE: return backtrace_make(x);
	case TAG_FRAME: return frame_make(x);
	case TAG_BINARY: return x->frame.object.i;
	case TAG_PATH: return path_make(x);
	case TAG_THREAD:
		return cr_builder_task(
			x->b, x->thread.pid, x->thread.tid, cr_text_view(&x->thread.name), x->space)
			.i;
	case TAG_STATE: return x->row.value[TAG_STATE];
	case TAG_CORE:
	case TAG_TIME:
	case TAG_WEIGHT:
	case TAG_CYCLES:
	case TAG_TID: return number_of(x);
	default: return 0;
	}
}

/* Store the value of an element in its parent. */
static void
element_use(struct xctrace *x, enum tag tag, uint64_t value)
{
	switch (tag) {
	case TAG_FRAME: cr_vec_push(&x->frames, ((cr_location_id){(uint32_t)value})); break;
	case TAG_BINARY: x->frame.object.i = (uint32_t)value; break;
	case TAG_PATH: x->frame.file = x->files.p[value]; break;
	case TAG_TAGGED: element_use(x, TAG_BACKTRACE, value); break;
	case TAG_TID: x->thread.tid = value <= INT32_MAX ? (int32_t)value : -1; break;
	default: x->row.have[tag] = true; x->row.value[tag] = value;
	}
}

static void
row_end(struct xctrace *x)
{
	const uint64_t *v = x->row.value;
	const bool *have = x->row.have;
	struct cr_sample s = {.weight = 1, .event = x->samples, .cpu = CR_CPU_NONE};

	if (!have[TAG_BACKTRACE])
		return;
	s.node.i = (uint32_t)v[TAG_BACKTRACE];
	s.time_ns = have[TAG_TIME] ? v[TAG_TIME] : 0;
	s.task = have[TAG_THREAD] ? (cr_task_id){(uint32_t)v[TAG_THREAD]}
				  : cr_builder_task(x->b, -1, -1, CR_STR(""), x->space);
	if (have[TAG_CORE] && v[TAG_CORE] < CR_CPU_UNKNOWN)
		s.cpu = (uint16_t)v[TAG_CORE];
	cr_builder_sample(x->b, &s);
	if (have[TAG_STATE])
		cr_builder_value(x->b, x->state, v[TAG_STATE]);
	for (unsigned i = 0; i < 2; i++) {
		const enum tag tag = i ? TAG_CYCLES : TAG_WEIGHT;

		s.event = i ? x->cycles : x->time;
		s.weight = v[tag];
		if (have[tag] && s.weight)
			cr_builder_sample(x->b, &s);
	}
}

/* Use the value of an earlier element. */
static void
reference_use(struct xctrace *x, enum tag tag, const char *ref)
{
	uint64_t id = UINT64_MAX;
	const struct known *k = cr_scan_u64(cr_str_of(ref), &id) ? known_find(x, id) : NULL;

	if (k && k->tag == tag) {
		element_use(x, tag, k->value);
		return;
	}
	report(x, CR_REASON_MISSING_REF);
	if (tag == TAG_FRAME)
		element_use(x, tag, x->unknown.i);
	else if (tag == TAG_BACKTRACE || tag == TAG_TAGGED)
		element_use(x, tag, cr_builder_push(x->b, CR_ROOT, x->unknown).i);
}

static void XMLCALL
on_start(void *user, const char *name, const char **attributes)
{
	struct xctrace *x = user;
	struct element e = {.tag = tag_of(name)};
	const char *id = attribute(attributes, "id"), *ref = attribute(attributes, "ref");

	if (x->open.n == ELEMENT_DEPTH_MAX) {
		stop(x, "elements are nested more than 1000 deep");
		return;
	}
	if (ref && e.tag != TAG_OTHER) {
		reference_use(x, e.tag, ref);
		e.tag = TAG_OTHER;
	} else {
		e.has_id = id && cr_scan_u64(cr_str_of(id), &e.id);
		element_start(x, e.tag, attributes);
	}
	cr_vec_push(&x->open, e);
}

static void XMLCALL
on_end(void *user, const char *name)
{
	struct xctrace *x = user;
	struct element e = {0};
	uint64_t value;

	(void)name;
	/* A start that was refused has no entry. */
	if (x->open.n)
		e = x->open.p[--x->open.n];
	if (e.tag == TAG_ROW)
		row_end(x);
	if (e.tag == TAG_OTHER || e.tag == TAG_ROW || e.tag == TAG_SOURCE)
		return;
	value = element_value(x, e.tag);
	if (e.has_id && known_find(x, e.id)) {
		report(x, CR_REASON_DUP_ID);
	} else if (e.has_id) {
		cr_index_add(&x->by_id, cr_hash_mix(e.id, 0), (uint32_t)x->known.n);
		cr_vec_push(&x->known, ((struct known){e.id, value, e.tag}));
	}
	element_use(x, e.tag, value);
}

/* True for elements that contain only elements: the table, its rows, stacks and frames. */
static bool
holds_no_text(const struct xctrace *x)
{
	const enum tag tag = x->open.n ? x->open.p[x->open.n - 1].tag : TAG_OTHER;

	return x->open.n <= TABLE_DEPTH || tag == TAG_ROW || tag == TAG_BACKTRACE ||
	       tag == TAG_FRAME;
}

/* Report once per line, since text comes in several parts. */
static void
report_text(struct xctrace *x, const char *s, int len)
{
	const XML_Size line = XML_GetCurrentLineNumber(x->parser);

	for (int i = 0; i < len && x->text_line != line; i++)
		if (!memchr(" \t\r\n", s[i], 4)) {
			report(x, CR_REASON_UNKNOWN_LINE);
			x->text_line = line;
		}
}

static void XMLCALL
on_text(void *user, const char *s, int len)
{
	struct xctrace *x = user;

	if (holds_no_text(x))
		report_text(x, s, len);
	if (x->text.len + (size_t)len <= TEXT_MAX)
		cr_text_put(&x->text, s, (size_t)len);
}

static void XMLCALL
on_entity(void *user, const char *name, int is_parameter, const char *value, int len,
	const char *base, const char *system, const char *public, const char *notation)
{
	(void)name, (void)is_parameter, (void)value, (void)len, (void)base, (void)system,
		(void)public, (void)notation;
	stop(user, "it declares entities, which no export has");
}

/* Feed the parser in pieces; false if it was stopped. x->stop is NULL if the user stopped it. */
static bool
feed(struct xctrace *x, const struct cr_read_opts *opts)
{
	size_t at = 0;

	for (;;) {
		const size_t n = CR_MIN(x->in->len - at, (size_t)FEED_BYTES);
		const bool last = at + n == x->in->len;
		XML_Index parsed;

		if (!cr_progress_step(opts->progress, "reading", at, x->in->len))
			return false;
		if (XML_Parse(x->parser, (const char *)x->in->p + at, (int)n, last) !=
			XML_STATUS_OK) {
			x->stop = x->stop ? x->stop : XML_ErrorString(XML_GetErrorCode(x->parser));
			return false;
		}
		at += n;
		parsed = XML_GetCurrentByteIndex(x->parser);
		if (last)
			return true;
		if (parsed >= 0 && at > (size_t)parsed + TOKEN_MAX) {
			x->stop = "a tag is longer than 16 MiB";
			return false;
		}
	}
}

static void
events_make(struct xctrace *x)
{
	x->space = cr_builder_address_space(x->b);
	x->samples = cr_builder_event(x->b, CR_STR("samples"), CR_STR("samples"));
	x->time = cr_builder_event(x->b, CR_STR("time"), CR_STR("ns"));
	x->cycles = cr_builder_event(x->b, CR_STR("cycles"), CR_STR("cycles"));
	cr_builder_fact(x->b, "main event", CR_STR("samples"));
	x->state = cr_builder_field(x->b, x->samples, CR_STR("state"), CR_FORM_TEXT);
	x->unknown = cr_builder_named(x->b, CR_STR("[unknown]"), CR_DSO_UNKNOWN);
	cr_builder_flags(x->b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK |
				       CR_PROFILE_NO_COMM_ROOT);
}

static void
xctrace_fini(struct xctrace *x)
{
	XML_ParserFree(x->parser);
	cr_vec_fini(&x->known);
	cr_vec_fini(&x->open);
	cr_vec_fini(&x->frames);
	cr_vec_fini(&x->files);
	cr_index_fini(&x->by_id);
	cr_arena_fini(&x->paths);
	cr_text_fini(&x->text);
	cr_text_fini(&x->frame.name);
	cr_text_fini(&x->frame.plain);
	cr_text_fini(&x->thread.name);
}

static int
read_xctrace(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct xctrace x = {.in = in, .b = b, .parser = XML_ParserCreate(NULL)};
	const uint64_t before = cr_builder_samples(b);
	int rc = CR_OK;

	if (!x.parser)
		return cr_fail(err, CR_EMEM, CR_NO_OFFSET, "no memory to read XML with");
	events_make(&x);
	XML_SetUserData(x.parser, &x);
	XML_SetElementHandler(x.parser, on_start, on_end);
	XML_SetCharacterDataHandler(x.parser, on_text);
	XML_SetEntityDeclHandler(x.parser, on_entity);
	if (!feed(&x, opts) && !x.stop)
		rc = cr_fail(
			err, CR_ECANCEL, (uint64_t)XML_GetCurrentByteIndex(x.parser), "stopped");
	else if (x.stop && cr_builder_samples(b) == before)
		rc = cr_fail(err, CR_EFORMAT, (uint64_t)XML_GetCurrentByteIndex(x.parser),
			"cannot read XML, line %lu: %s",
			(unsigned long)XML_GetCurrentLineNumber(x.parser), x.stop);
	if (x.stop)
		report(&x, CR_REASON_UNCLOSED);
	cr_diagnostics_end(&x.report, b, opts->log);
	xctrace_fini(&x);
	return rc;
}

#else

static int
read_xctrace(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	(void)in, (void)b, (void)opts;
	return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
		"an xctrace export is XML, and this program was built without expat");
}

#endif

const struct cr_reader cr_reader_xctrace = {
	.name = "xctrace",
	.about = "Instruments: samples as xctrace exports them, XML",
	.heads = CR_HEAD_MARKUP,
	.probe = probe_xctrace,
	.read = read_xctrace,
};
