#include "read/kit/stacks_p.h"

/*
 * Stacks of goroutines as printed by a panic, SIGQUIT or the goroutine profile with debug=2: a
 * header, two lines per frame, innermost first, a blank line.
 *
 *	goroutine 18 [select, 5 minutes, locked to thread]:
 *	main.(*T).Spin(0xc000012345, {0x1, 0x2})
 *		/tmp/main.go:7 +0x25
 *	created by main.main in goroutine 1
 *		/tmp/main.go:7 +0x32
 *
 * Each is a sample of weight 1. Its creator is a field, not a frame. Other output of a crashing
 * program, such as registers and messages, is outside the blocks.
 */
struct block {
	struct cr_str state;   /* "select" */
	struct cr_str creator; /* "main.main" */
	uint64_t number;       /* of the goroutine */
	uint64_t minutes;      /* that it has been waiting; 0 if not printed */
	bool locked;           /* to its thread */
	bool numbered;         /* a goroutine, not the stack of the scheduler */
};

struct trace {
	struct cr_stacks s;
	struct block block;
	bool open;
	bool skip;             /* a block of frames to be ignored */
	bool created;          /* the next location is that of the creator */
	struct cr_str pending; /* a frame whose location follows; "" if none */
	bool inlined;          /* it seems to be inlined */
	struct cr_text comm;
};

/* ---- lines */

/* Parse one of "select", "5 minutes", "locked to thread", split at commas. */
static void
extra_read(struct cr_str s, bool first, struct block *out)
{
	struct cr_str rest = s;
	uint64_t minutes;

	if (first)
		out->state = s;
	else if (cr_str_eq(s, CR_STR("locked to thread")))
		out->locked = true;
	else if (cr_str_ends(s, " minutes") && cr_scan_u64(cr_scan_word(&rest), &minutes))
		out->minutes = minutes;
}

/* "goroutine 18 gp=0xc000002380 m=0 mp=0x5d1b60 [select, 5 minutes]:" or "runtime stack:" */
static bool
block_parse(struct cr_str line, struct block *out)
{
	static const struct cr_str lead = CR_STR("goroutine ");
	struct cr_str rest = line;
	const char *open;
	bool first = true;

	*out = (struct block){.state = CR_STR(""), .creator = CR_STR("")};
	if (cr_str_eq(line, CR_STR("runtime stack:"))) {
		out->state = CR_STR("runtime");
		return true;
	}
	if (!cr_str_starts(line, lead.p) || !cr_str_ends(line, "]:"))
		return false;
	rest.p += lead.len;
	rest.len -= lead.len + 2;
	if (!cr_scan_u64(cr_scan_word(&rest), &out->number) ||
		!(open = rest.len ? memchr(rest.p, '[', rest.len) : NULL))
		return false;
	out->numbered = true;
	rest = cr_str_from(rest, open + 1);
	while (first || rest.len) {
		const char *comma = rest.len ? memchr(rest.p, ',', rest.len) : NULL;

		extra_read(cr_scan_trim(comma ? cr_str_to(rest, comma) : rest), first, out);
		rest = cr_str_from(rest, comma ? comma + 1 : rest.p + rest.len);
		first = false;
	}
	return true;
}

/*
 * "main.(*T).Spin" from "main.(*T).Spin(0xc000, {0x1, 0x2})": up to the parenthesis that the last
 * one closes.
 */
static bool
frame_name(struct cr_str line, struct cr_str *name)
{
	uint32_t depth = 0;

	if (line.len == 0 || line.p[line.len - 1] != ')')
		return false;
	for (uint32_t i = line.len; i-- > 0;) {
		depth += line.p[i] == ')';
		depth -= line.p[i] == '(';
		if (depth == 0) {
			*name = (struct cr_str){line.p, i};
			return i > 0;
		}
	}
	return false;
}

/* "/tmp/main.go:7 +0x25 fp=0xc00 sp=0xc00 pc=0x4b7803" */
static bool
place_parse(struct cr_str s, struct cr_named *out, uint64_t *offset)
{
	const char *plus = s.len ? memmem(s.p, s.len, " +0x", 4) : NULL;
	struct cr_str rest;

	if (plus) {
		rest = cr_str_from(s, plus + 2);
		cr_scan_hex(cr_scan_word(&rest), offset);
		s = cr_str_to(s, plus);
	}
	out->file = s;
	return cr_scan_source_line(&out->file, &out->line);
}

/* ---- samples */

/* Inlined functions are printed without arguments and offset. */
static void
frame_end(struct trace *t, struct cr_named *named, uint64_t offset)
{
	named->name = t->pending;
	t->pending.len = 0;
	if (t->inlined && offset == 0)
		cr_stacks_inlined(&t->s, named);
	else
		cr_stacks_frame_at(&t->s, CR_DSO_UNKNOWN, offset, named);
}

/* A frame without a location line. */
static void
frame_unplaced(struct trace *t)
{
	struct cr_named named = {.file = CR_STR("")};

	if (t->pending.len && t->open) {
		cr_stacks_report(&t->s, CR_REASON_BAD_FRAME, t->pending);
		t->inlined = false;
		frame_end(t, &named, 0);
	}
	t->pending.len = 0;
}

static void
field(struct trace *t, const char *name, enum cr_form form, uint64_t value)
{
	cr_builder_value(
		t->s.b, cr_builder_field(t->s.b, t->s.event, cr_str_of(name), form), value);
}

static void
block_end(struct trace *t)
{
	const struct block *k = &t->block;

	frame_unplaced(t);
	t->created = t->skip = false;
	if (!t->open)
		return;
	t->open = false;
	if (t->s.frames.n + t->s.inlined.n == 0) {
		cr_stacks_report(&t->s, CR_REASON_NO_FRAMES, CR_STR(""));
		return;
	}
	cr_text_clear(&t->comm);
	if (k->numbered)
		cr_text_printf(&t->comm, "goroutine %llu", (unsigned long long)k->number);
	t->s.task = cr_builder_task(t->s.b, -1,
		k->numbered && k->number <= INT32_MAX ? (int32_t)k->number : -1,
		cr_text_view(&t->comm), t->s.space);
	cr_stacks_end_leaf_first(&t->s, 1);
	if (k->numbered)
		field(t, "goroutine", CR_FORM_NUMBER, k->number);
	if (k->state.len)
		field(t, "state", CR_FORM_TEXT, cr_builder_text(t->s.b, k->state));
	if (k->minutes)
		field(t, "minutes", CR_FORM_NUMBER, k->minutes);
	if (k->locked)
		field(t, "locked to thread", CR_FORM_NUMBER, 1);
	if (k->creator.len)
		field(t, "created by", CR_FORM_TEXT, cr_builder_text(t->s.b, k->creator));
}

static void
place_read(struct trace *t, struct cr_str line)
{
	const struct cr_str s = {line.p + 1, line.len - 1};
	struct cr_named named = {.file = CR_STR("")};
	uint64_t offset = 0;

	cr_stacks_used(&t->s);
	if (t->created || t->skip) {
		t->created = false;
		t->pending.len = 0;
	} else if (t->pending.len == 0 && t->open) {
		if (!cr_str_starts(s, "goroutine running on other thread"))
			cr_stacks_report(&t->s, CR_REASON_BAD_FRAME, line);
	} else if (t->pending.len == 0) {
		cr_stacks_passed(&t->s);
	} else if (!place_parse(s, &named, &offset)) {
		frame_unplaced(t);
	} else if (!t->open) {
		cr_stacks_report(&t->s, CR_REASON_FRAME_OUTSIDE_SAMPLE, t->pending);
		t->pending.len = 0;
	} else {
		frame_end(t, &named, offset);
	}
}

/* Read the name of a frame, if it looks like one; otherwise it is other output of the program. */
static void
name_read(struct trace *t, struct cr_str line)
{
	t->inlined = cr_str_ends(line, "(...)");
	if (cr_str_starts(line, "goroutine ") && cr_str_ends(line, "]:"))
		cr_stacks_report(&t->s, CR_REASON_BAD_HEADER, line);
	else if (t->created) /* between the creator and its location */
		cr_stacks_report(&t->s, CR_REASON_BAD_FRAME, line);
	else if (frame_name(line, &t->pending) && t->open)
		cr_stacks_used(&t->s);
	else if (t->open && !cr_str_starts(line, "exit status "))
		cr_stacks_report(&t->s, CR_REASON_NOISE, line);
	else
		cr_stacks_passed(&t->s);
}

static void
line_read(struct trace *t, struct cr_str line)
{
	static const struct cr_str created = CR_STR("created by ");
	struct block block;

	if (line.len && line.p[0] == '\t') {
		place_read(t, line);
		return;
	}
	frame_unplaced(t);
	if (line.len == 0) {
		block_end(t);
	} else if (block_parse(line, &block)) {
		cr_stacks_used(&t->s);
		block_end(t);
		t->block = block;
		t->open = true;
	} else if (cr_str_starts(line, "[originating from goroutine ")) {
		block_end(t);
		cr_stacks_used(&t->s);
		t->skip = true; /* frames of its ancestors when they created it */
	} else if (t->open && cr_str_starts(line, created.p)) {
		const char *in = memmem(line.p, line.len, " in goroutine ", 14);

		cr_stacks_used(&t->s);
		t->block.creator =
			cr_str_from(in ? cr_str_to(line, in) : line, line.p + created.len);
		t->created = true;
	} else if (t->open && cr_str_starts(line, "...") && cr_str_ends(line, "frames elided...")) {
		cr_stacks_report(&t->s, CR_REASON_TRUNCATED_FRAME, line);
	} else if (t->skip) {
		cr_stacks_used(&t->s);
	} else {
		name_read(t, line);
	}
}

static int
read_gotrace(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct trace t = {0};
	struct cr_str line;
	int rc;

	cr_stacks_open(&t.s, in, b, opts, "goroutines");
	cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT);
	while (cr_stacks_line(&t.s, &line))
		line_read(&t, line);
	block_end(&t);
	rc = cr_stacks_close(&t.s, err);
	cr_text_fini(&t.comm);
	return rc;
}

static bool
is_gotrace(struct cr_str line)
{
	struct block block;

	return block_parse(line, &block) && block.numbered;
}

static unsigned
probe_gotrace(const struct cr_head *head, uint64_t *line)
{
	return cr_stacks_signature(head, is_gotrace, CR_EVIDENCE_SIGNATURE, 0, line);
}

const struct cr_reader cr_reader_gotrace = {
	.name = "gotrace",
	.about = "stacks of goroutines: a Go panic, SIGQUIT, the goroutine profile with debug=2",
	.probe = probe_gotrace,
	.read = read_gotrace,
};
