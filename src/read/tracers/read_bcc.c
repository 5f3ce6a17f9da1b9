#include "read/kit/line_pattern_p.h"
#include "traced_p.h"

/*
 * Stacks printed by the bcc tools profile, offcputime, stackcount and others: frames innermost
 * first, the thread, and a count.
 *
 *	Tracing off-CPU time (us) of all threads by user + kernel stack... Hit Ctrl-C to end.
 *	    vfs_read+0x12 [kernel]
 *	    --                                        the user part follows
 *	    00007f0012345678 read+0x7 [libc-2.31.so]
 *	    [unknown]
 *	    -         dd (25036)               stackcount: "dd [25036]"; others: "waker:", "target:"
 *	        4
 *
 * The thread's name becomes the root. Some tools omit it, or print it as a frame; those stacks are
 * used as they are.
 */

struct bcc {
	struct cr_stacks s;
	struct cr_traced stack;
	cr_address_space_id space;
	bool in_stack;
	struct cr_str comm; /* of the current stack; "" if none */
	uint64_t pid;
	/* It was printed as "waker:" or "target:": if another frame follows, it is a frame too. */
	bool comm_is_frame;
	struct cr_str first_text; /* of the current stack */
	uint64_t first_line, first_mark;
};

/* ---- events */

static void
set_event(struct bcc *c, const char *name, const char *unit)
{
	c->s.unit = cr_str_of(c->s.opts->unit ? c->s.opts->unit : unit);
	c->s.event = cr_builder_event(c->s.b, cr_str_of(name), c->s.unit);
}

/* The first line of a tool tells what it counts. */
static void
parse_title(struct bcc *c, struct cr_str line)
{
	static const struct {
		const char *like, *event, *unit;
	} titles[] = {
		{"Sampling at %*", "samples", "samples"},
		{"Tracing off-CPU time (us)%*", "off-cpu", "us"},
		{"Tracing blocked time (us)%*", "blocked", "us"},
		{"Tracing %d functions for %*", "calls", "calls"},
	};

	for (size_t i = 0; i < CR_LEN(titles); i++)
		if (cr_line_pattern(line, titles[i].like, NULL)) {
			set_event(c, titles[i].event, titles[i].unit);
			cr_stacks_used(&c->s);
			return;
		}
	if (cr_str_starts(line, "^C") || cr_str_starts(line, "Detaching..."))
		cr_stacks_used(&c->s);
	else
		cr_stacks_report(&c->s, CR_REASON_NOISE, line);
}

/* ---- stacks */

static void
drop_stack(struct bcc *c)
{
	c->stack.frames.n = 0;
	c->in_stack = c->comm_is_frame = false;
	c->comm = CR_STR("");
	c->pid = UINT64_MAX;
}

/* A count was expected. */
static void
report_countless(struct bcc *c)
{
	if (c->in_stack) {
		cr_diagnostics_add(
			&c->s.report, CR_REASON_STACK_WITHOUT_COUNT, c->first_line, c->first_text);
		cr_diagnostics_lose(&c->s.report, c->first_mark);
	}
	drop_stack(c);
}

/* The thread's name was not the root after all. */
static void
comm_to_frame(struct bcc *c)
{
	struct cr_traced_frame f = CR_TRACED_NONE;

	if (!c->comm_is_frame)
		return;
	f.name = c->comm;
	cr_vec_push(&c->stack.frames, f);
	c->comm = CR_STR("");
	c->comm_is_frame = false;
}

static void
end_stack(struct bcc *c, struct cr_str count, struct cr_str line)
{
	const int32_t pid = c->pid <= INT32_MAX ? (int32_t)c->pid : -1;
	uint64_t weight;

	if (!cr_stacks_count(&c->s, count, line, &weight))
		return;
	cr_stacks_used(&c->s);
	if (c->comm.len) {
		cr_stacks_key(&c->s, c->comm);
		cr_builder_flags(c->s.b, CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT);
	}
	c->s.task = cr_builder_task(c->s.b, pid, pid, c->comm, c->space);
	cr_traced_end(&c->stack, &c->s);
	cr_stacks_end_leaf_first(&c->s, weight);
	cr_stacks_clear_roots(&c->s);
	drop_stack(c);
}

/* "7f0012345678 read+0x7 [libc-2.31.so]": everything but the name may be missing. */
static void
parse_frame(struct bcc *c, struct cr_str text, struct cr_str line)
{
	struct cr_traced_frame f = CR_TRACED_NONE;
	struct cr_str found[CR_LINE_PATTERN_FOUND];
	uint64_t ip = 0;

	comm_to_frame(c);
	f.name = text;
	if (cr_line_pattern(text, "0x%x%_%*", found) ||
		(cr_line_pattern(text, "%x%_%*", found) && found[0].len >= 8)) {
		cr_scan_hex(found[0], &ip);
		f.name = found[2];
		f.addr = ip;
	}
	if (cr_line_pattern(f.name, "%* [%*]", found)) {
		f.name = found[0];
		f.module = found[1];
	}
	if (cr_line_pattern(f.name, "%*+0x%x", found)) {
		f.name = found[0];
		cr_scan_hex(found[1], &f.addr);
	}
	f.kernel = ip >> 63 || cr_str_eq(f.module, CR_STR("kernel"));
	if (cr_str_starts(f.name, "[Missed "))
		cr_stacks_report(&c->s, CR_REASON_TRUNCATED_FRAME, line);
	if (cr_str_eq(f.name, CR_STR("[unknown]")))
		f.name = CR_STR("");
	cr_vec_push(&c->stack.frames, f);
}

static void
parse_comm(struct bcc *c, struct cr_str comm, struct cr_str pid)
{
	comm_to_frame(c);
	c->comm = comm;
	if (!cr_scan_u64(pid, &c->pid))
		c->pid = UINT64_MAX;
}

/* Of two threads the first one printed is the innermost. */
static void
parse_other_comm(struct bcc *c, struct cr_str text)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];

	if (cr_line_pattern(text, "%* %d", found))
		parse_comm(c, cr_scan_trim(found[0]), found[1]);
	else
		parse_comm(c, text, CR_STR(""));
	c->comm_is_frame = true;
}

static void
parse_stack_line(struct bcc *c, struct cr_str text, struct cr_str line)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];

	if (!c->in_stack) {
		c->in_stack = true;
		c->first_line = c->s.scan.line;
		c->first_text = line;
		c->first_mark = cr_diagnostics_mark(&c->s.report);
	}
	cr_stacks_used(&c->s);
	if (cr_str_eq(text, CR_STR("--")))
		cr_traced_mark_kernel(&c->stack);
	else if (cr_line_pattern(text, "--%_--", NULL))
		return; /* between two threads */
	else if (cr_line_pattern(text, "-%_%* (%d)", found))
		parse_comm(c, found[1], found[2]);
	else if (cr_line_pattern(text, "-%_%*", found))
		parse_comm(c, found[1], CR_STR(""));
	else if (cr_line_pattern(text, "waker:%_%*", found) ||
		 cr_line_pattern(text, "target:%_%*", found))
		parse_other_comm(c, found[1]);
	else if (cr_line_pattern(text, "%* [%d]", found))
		parse_comm(c, found[0], found[1]);
	else
		parse_frame(c, text, line);
}

static void
parse_line(struct bcc *c, struct cr_str line)
{
	const struct cr_str text = cr_scan_trim(line);

	if (text.len == 0) {
		report_countless(c);
	} else if (text.p == line.p) {
		report_countless(c);
		parse_title(c, line);
	} else if (!cr_line_pattern(text, "%d", NULL)) {
		parse_stack_line(c, text, line);
	} else if (c->in_stack) {
		end_stack(c, text, line);
	} else {
		cr_stacks_report(&c->s, CR_REASON_NOISE, line);
	}
}

static int
read_bcc(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct bcc c = {0};
	struct cr_str line;

	cr_stacks_open(&c.s, in, b, opts, NULL);
	c.space = cr_builder_address_space(b);
	drop_stack(&c);
	while (cr_stacks_line(&c.s, &line))
		parse_line(&c, line);
	cr_diagnostics_finish(&c.s.report);
	report_countless(&c);
	cr_traced_fini(&c.stack);
	return cr_stacks_close(&c.s, err);
}

/* Requires a thread and a count. */
static unsigned
probe_bcc(const struct cr_head *head, uint64_t *line)
{
	uint64_t comm = 0;
	bool count = false;
	struct cr_scan scan;
	struct cr_str text;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &text) && (!comm || !count)) {
		if (!comm && cr_line_pattern(text, "    -%_%* (%d)", NULL))
			comm = scan.line;
		count = count || (cr_str_starts(text, "        ") &&
					 cr_line_pattern(cr_scan_trim(text), "%d", NULL));
	}
	*line = comm;
	return comm && count ? CR_EVIDENCE_SIGNATURE : 0;
}

const struct cr_reader cr_reader_bcc = {
	.name = "bcc",
	.about = "stacks of bcc's profile, offcputime and other tools",
	.probe = probe_bcc,
	.read = read_bcc,
};
