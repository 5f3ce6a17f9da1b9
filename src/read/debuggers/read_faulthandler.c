#include "read/kit/line_pattern_p.h"
#include "read/kit/stacks_p.h"

/*
 * Output of Python's faulthandler: the threads of a process, innermost call first. Everything else
 * was written by the program to the same file.
 *
 *	Timeout (0:00:00.010000)!
 *	Thread 0x00007f12 [worker] (most recent call first):
 *	  File "/usr/lib/python3/threading.py", line 302 in wait
 *	  ...
 *
 * A frame is named "PATH:LINE:FUNCTION".
 */

struct faulthandler {
	struct cr_stacks s;
	cr_address_space_id space;
	bool in_thread;
	struct cr_str header; /* of the current thread */
	uint64_t header_line;
	uint64_t thread; /* its number; 0 if unknown */
	struct cr_text name;
};

static void
end_thread(struct faulthandler *f)
{
	const cr_event_id event = f->s.event;

	if (f->s.frames.n) {
		cr_stacks_end_leaf_first(&f->s, 1);
		if (f->thread)
			cr_builder_value(f->s.b,
				cr_builder_field(f->s.b, event, CR_STR("thread"), CR_FORM_HEX),
				f->thread);
	} else if (f->in_thread) {
		cr_diagnostics_add(&f->s.report, CR_REASON_NO_FRAMES, f->header_line, f->header);
	}
	f->in_thread = false;
}

/* "Thread 0x00007f12 [worker]", "Current thread 0x00007f12", "Stack" */
static void
parse_header(struct faulthandler *f, struct cr_str title, struct cr_str line)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND], comm = CR_STR("");

	end_thread(f);
	f->in_thread = true;
	f->header = line;
	f->header_line = f->s.scan.line;
	f->thread = 0;
	if (cr_line_pattern(title, "%*hread 0x%x%*", found))
		cr_scan_hex(found[1], &f->thread);
	if (cr_line_pattern(title, "%* [%*]", found))
		comm = found[1];
	f->s.task = cr_builder_task(f->s.b, -1, -1, comm, f->space);
	if (comm.len)
		cr_builder_flags(f->s.b, CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT);
}

/* Split at the last `", line `, since a path may contain one. */
static bool
split_frame(struct cr_str line, struct cr_str *path, struct cr_str *number, struct cr_str *function)
{
	const struct cr_str file = CR_STR("  File \""), between = CR_STR("\", line ");
	struct cr_str found[CR_LINE_PATTERN_FOUND], rest = {line.p + file.len, line.len - file.len};
	const char *at = NULL;

	if (!cr_str_starts(line, file.p))
		return false;
	for (const char *p = rest.p;
		(p = memmem(p, (size_t)(line.p + line.len - p), between.p, between.len)); p++)
		at = p;
	if (!at)
		return false;
	*path = (struct cr_str){rest.p, (uint32_t)(at - rest.p)};
	rest = (struct cr_str){at + between.len, (uint32_t)(line.p + line.len - at) - between.len};
	if (!cr_line_pattern(rest, "%* in %*", found))
		return false;
	*number = found[0];
	*function = found[1];
	return true;
}

static void
parse_frame(
	struct faulthandler *f, struct cr_str path, struct cr_str number, struct cr_str function)
{
	struct cr_named named = {.file = path};
	uint64_t line;

	cr_text_clear(&f->name);
	cr_text_str(&f->name, path);
	cr_text_char(&f->name, ':');
	cr_text_str(&f->name, number);
	cr_text_char(&f->name, ':');
	cr_text_str(&f->name, function);
	named.name = cr_text_view(&f->name);
	if (cr_scan_u64(number, &line) && line <= UINT32_MAX)
		named.line = (uint32_t)line;
	cr_stacks_frame_at(&f->s, CR_DSO_UNKNOWN, 0, &named);
}

/* True for lines of faulthandler that are no frames. */
static bool
is_known(struct cr_str line)
{
	static const char *const known[] = {"Timeout (",
		"Fatal Python error: ", "Python runtime state: ", "  <",
		"Extension modules: ", "  Garbage-collecting", "  Binary file \"",
		"Segmentation fault", "Aborted"};

	for (size_t i = 0; i < CR_LEN(known); i++)
		if (cr_str_starts(line, known[i]))
			return true;
	return false;
}

static void
parse_line(struct faulthandler *f, struct cr_str line)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND], path, number, function;

	if (cr_scan_trim(line).len == 0) {
		end_thread(f);
	} else if (cr_line_pattern(line, "%* (most recent call first):", found)) {
		parse_header(f, found[0], line);
		cr_stacks_used(&f->s);
	} else if (split_frame(line, &path, &number, &function)) {
		cr_stacks_used(&f->s);
		if (f->in_thread)
			parse_frame(f, path, number, function);
		else
			cr_stacks_report(&f->s, CR_REASON_FRAME_OUTSIDE_SAMPLE, line);
	} else if (cr_str_starts(line, "  File \"")) {
		cr_stacks_report(&f->s, CR_REASON_BAD_FRAME, line);
	} else if (cr_str_eq(line, CR_STR("  ..."))) {
		cr_builder_quality(f->s.b,
			CR_STR("stacks of which only the innermost frames were written"), 1);
		cr_stacks_used(&f->s);
	} else if (is_known(line)) {
		cr_stacks_used(&f->s);
	} else {
		cr_stacks_report(&f->s, CR_REASON_NOISE, line);
	}
}

static int
read_faulthandler(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct faulthandler f = {0};
	struct cr_str line;

	cr_stacks_open(&f.s, in, b, opts, "samples");
	f.space = cr_builder_address_space(b);
	while (cr_stacks_line(&f.s, &line))
		parse_line(&f, line);
	end_thread(&f);
	cr_text_fini(&f.name);
	return cr_stacks_close(&f.s, err);
}

/*
 * Requires a header and a frame, since source code quotes the header. Slightly less evidence than a
 * thread of gdb, whose Python extension prints such lines among the frames.
 */
static unsigned
probe_faulthandler(const struct cr_head *head, uint64_t *line)
{
	uint64_t header = 0;
	struct cr_scan scan;
	struct cr_str text;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &text)) {
		if (!header && cr_line_pattern(text, "%* (most recent call first):", NULL))
			header = scan.line;
		if (header && cr_line_pattern(text, "  File \"%*\", line %d%*", NULL)) {
			*line = header;
			return CR_EVIDENCE_SIGNATURE - 1;
		}
	}
	return 0;
}

const struct cr_reader cr_reader_faulthandler = {
	.name = "faulthandler",
	.about = "threads as Python's faulthandler writes them",
	.probe = probe_faulthandler,
	.read = read_faulthandler,
};
