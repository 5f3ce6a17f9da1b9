#include "model/build/tidy.h"
#include "read/kit/line_pattern_p.h"
#include "read/kit/stacks_p.h"

/*
 * Backtraces of gdb; of pstack and gstack, which run it; and of poor man's profilers, which run it
 * repeatedly. The innermost frame is #0.
 *
 *	Thread 2 (Thread 0x7f461a93c6c0 (LWP 8846) "worker"):
 *	#0  0x00007f461b2f1df2 in pause () at ../sysdeps/pause.c:29
 *	#1  0x0000564e3d341474 in inner (n=2) at x.c:5
 *	#2  work (s=s@entry=0x564e3d34204a "hello (world) at x",
 *	    n=50) at x.c:6
 *	        local = 7
 *	#3  0x00007f461b4d44a3 in ?? () from /lib/libstdc++.so.6
 *	[Inferior 1 (process 8843) detached]
 *
 * A function that others were inlined into is printed without an address. It has the address of the
 * frame above, the innermost of them. Locations have absolute addresses, since offsets are unknown.
 */

struct frame {
	struct cr_str name, file, dso;
	uint64_t addr;
	uint32_t line;
	bool has_addr;
};

struct gdb {
	struct cr_stacks s;
	cr_address_space_id space;
	bool in_stack;
	uint64_t number; /* of the current frame */
	bool have_frame;
	struct frame frame; /* the current frame, which may continue on the next lines */
	uint32_t open;      /* number of open brackets in its arguments */
	bool in_string;     /* inside a string of its arguments */
	bool has_arguments; /* the arguments are complete */
	struct frame inner; /* the innermost of the frames inlined into the next one */
	bool have_inner;
	uint64_t thread;  /* gdb's number of it; 0 if none */
	uint64_t dump;    /* number of complete dumps before */
	bool thread_told; /* a header was read, but no frame yet */
	struct cr_str header;
	uint64_t header_line;
};

/* ---- frames */

/* Skip operators that contain brackets, such as "operator()". */
static uint32_t
no_bracket(struct cr_str s, uint32_t i)
{
	if (s.p[i] == 'o' && cr_tidy_at(s, i, "operator()") &&
		!(i > 0 && cr_tidy_is_word(s.p[i - 1])))
		return 10;
	return cr_tidy_no_bracket(s, i);
}

/* True if the blank at i ends the name: arguments or the location follow. */
static bool
ends_name(struct cr_str s, uint32_t i)
{
	const struct cr_str before = {s.p, i};

	if (cr_tidy_at(s, i, " ("))
		return !cr_tidy_at(s, i, " (anonymous namespace)") &&
		       !cr_str_ends(before, "decltype");
	return cr_tidy_at(s, i, " at ") || cr_tidy_at(s, i, " from ");
}

/*
 * Length of the name at the start of s. If no blank outside brackets ends it, the first blank that
 * can is used.
 */
static uint32_t
name_length(struct cr_str s)
{
	uint32_t depth = 0, skip, first = s.len;

	for (uint32_t i = 0; i < s.len; i++) {
		if ((skip = no_bracket(s, i)) > 0) {
			i += skip - 1;
		} else if (s.p[i] == ' ' && ends_name(s, i)) {
			if (depth == 0)
				return i;
			first = CR_MIN(first, i);
		} else if (cr_tidy_opens(s.p[i])) {
			depth++;
		} else if (cr_tidy_closes(s.p[i]) && depth > 0) {
			depth--;
		}
	}
	return first;
}

/* Length of a character as printed by gdb, '(' or '\"' or '\033', at i; 0 if there is none. */
static uint32_t
character(struct cr_str s, uint32_t i)
{
	const uint32_t most = CR_MIN(s.len, i + 8);

	if (i + 2 < s.len && s.p[i + 1] != '\\' && s.p[i + 2] == '\'')
		return 3;
	for (uint32_t end = i + 3; i + 1 < s.len && s.p[i + 1] == '\\' && end < most; end++)
		if (s.p[end] == '\'')
			return end - i + 1;
	return 0;
}

/* Skip the arguments. Returns the length of s if they continue on the next line. */
static uint32_t
pass_arguments(struct gdb *g, struct cr_str s)
{
	uint32_t skip;

	for (uint32_t i = 0; i < s.len; i++) {
		const char c = s.p[i];

		if (g->in_string) {
			i += c == '\\';
			g->in_string = c != '"';
		} else if (c == '"') {
			g->in_string = true;
		} else if (c == '\'' && (skip = character(s, i)) > 0) {
			i += skip - 1;
		} else if (c == '(') {
			g->open++;
		} else if (c == ')' && --g->open == 0) {
			g->has_arguments = true;
			return i + 1;
		}
	}
	return s.len;
}

/* "at x.c:12", "at x.c:12:3", "from /lib/libc.so.6", "at /lib/libc.so.6" */
static void
parse_place(struct frame *f, struct cr_str text)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND], place = cr_scan_trim(text);

	if (cr_line_pattern(place, "from %*", found))
		f->dso = found[0];
	else if (cr_line_pattern(place, "at %*", found) &&
		 !cr_stacks_source(found[0], &f->file, &f->line))
		f->dso = found[0];
}

/* Parse what follows the name; a further line continues where the last one ended. */
static void
parse_rest(struct gdb *g, struct cr_str rest)
{
	if (!g->has_arguments && (g->open || cr_str_starts(rest, "("))) {
		const uint32_t used = pass_arguments(g, rest);

		rest.p += used;
		rest.len -= used;
	}
	if (g->open == 0)
		parse_place(&g->frame, rest);
}

static void
parse_frame(struct gdb *g, struct cr_str text)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND], rest = text;

	g->frame = (struct frame){.name = text, .file = CR_STR(""), .dso = CR_STR("")};
	g->have_frame = true;
	g->open = 0;
	g->in_string = g->has_arguments = false;
	if (cr_str_starts(text, "<signal handler called>"))
		return;
	if (cr_line_pattern(text, "0x%x in %*", found)) {
		g->frame.has_addr = cr_scan_hex(found[0], &g->frame.addr);
		rest = found[1];
	}
	g->frame.name = (struct cr_str){rest.p, name_length(rest)};
	rest.p += g->frame.name.len;
	rest.len -= g->frame.name.len;
	g->frame.name = cr_scan_trim(g->frame.name);
	parse_rest(g, cr_scan_trim(rest));
}

/* True if the line continues the arguments or contains the location of the current frame. */
static bool
goes_on(const struct gdb *g, struct cr_str line)
{
	if (!g->have_frame || line.len == 0 || line.p[0] != ' ')
		return false;
	if (g->open)
		return true;
	return !g->frame.file.len && !g->frame.dso.len &&
	       (cr_str_starts(line, "    at ") || cr_str_starts(line, "    from ")) &&
	       !cr_tidy_at(line, 6, " = ");
}

/* ---- stacks */

static cr_dso_id
dso_of(struct gdb *g, const struct frame *f)
{
	if (f->dso.len == 0)
		return CR_DSO_UNKNOWN;
	return cr_builder_dso(g->s.b, &(struct cr_dso){.name = f->dso, .kind = CR_KIND_USER});
}

static struct cr_named
named_of(const struct frame *f)
{
	const bool nameless = f->name.len == 0 || cr_str_eq(f->name, CR_STR("??"));

	return (struct cr_named){nameless ? CR_STR("") : f->name, f->file, f->line};
}

/* True if the frame above was inlined into the current frame. */
static bool
is_outer(const struct gdb *g)
{
	return g->have_inner && !g->frame.has_addr && g->frame.line && g->inner.line;
}

static void
end_inner(struct gdb *g)
{
	const struct cr_named named = named_of(&g->inner);

	if (g->have_inner)
		cr_stacks_frame_at(&g->s, dso_of(g, &g->inner), g->inner.addr, &named);
	g->have_inner = false;
}

/* End the current frame. It is kept until the next one shows whether it was inlined there. */
static void
end_frame(struct gdb *g)
{
	if (!g->have_frame)
		return;
	g->have_frame = false;
	if (is_outer(g)) {
		const struct cr_named named = named_of(&g->inner);

		cr_stacks_inlined(&g->s, &named);
		g->frame.addr = g->inner.addr;
	} else {
		end_inner(g);
	}
	g->inner = g->frame;
	g->have_inner = true;
}

static void
add_field(struct gdb *g, const char *name, uint64_t value)
{
	if (value)
		cr_builder_value(g->s.b,
			cr_builder_field(g->s.b, g->s.event, cr_str_of(name), CR_FORM_NUMBER),
			value);
}

static void
end_stack(struct gdb *g)
{
	end_frame(g);
	end_inner(g);
	if (g->s.frames.n == 0)
		return;
	cr_stacks_end_leaf_first(&g->s, 1);
	add_field(g, "thread", g->thread);
	add_field(g, "dump", g->dump ? g->dump + 1 : 0);
	g->in_stack = false;
}

/* End a header without a stack. */
static void
end_thread(struct gdb *g)
{
	end_stack(g);
	if (g->thread_told)
		cr_diagnostics_add(&g->s.report, CR_REASON_NO_FRAMES, g->header_line, g->header);
	g->thread_told = false;
	g->in_stack = false;
}

static int32_t
id_in(struct cr_str text, const char *pattern)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];
	uint64_t id;

	return cr_line_pattern(text, pattern, found) && cr_scan_u64(found[1], &id) &&
			       id <= INT32_MAX
		       ? (int32_t)id
		       : -1;
}

/*
 * Parse the brackets of "Thread 2 (Thread 0x7f461a93c6c0 (LWP 8846) "worker"):" and similar
 * headers.
 */
static void
parse_thread(struct gdb *g, struct cr_str number, struct cr_str text, struct cr_str line)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND], comm = CR_STR("");
	int32_t tid = id_in(text, "%*LWP %d%*");

	end_thread(g);
	if (tid < 0)
		tid = id_in(text, "%*Thread %d");
	if (cr_line_pattern(text, "%*) \"%*\"", found))
		comm = found[1];
	g->s.task = cr_builder_task(g->s.b, id_in(text, "%*process %d%*"), tid, comm, g->space);
	cr_builder_flags(g->s.b, CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT);
	if (!cr_scan_u64(number, &g->thread))
		g->thread = 0;
	g->thread_told = true;
	g->header = line;
	g->header_line = g->s.scan.line;
}

static void
parse_numbered(struct gdb *g, struct cr_str number, struct cr_str text, struct cr_str line)
{
	uint64_t n;

	if (!cr_scan_u64(number, &n) || text.len == 0) {
		cr_stacks_report(&g->s, CR_REASON_BAD_FRAME, line);
		return;
	}
	if (g->in_stack && n <= g->number)
		end_stack(g);
	else
		end_frame(g);
	cr_stacks_used(&g->s);
	g->in_stack = true;
	g->thread_told = false;
	g->number = n;
	parse_frame(g, text);
}

/*
 * Handle gdb's messages between frames, local variables, and output of the program. A frame that is
 * not in the first column may have been meant as one.
 */
static void
parse_message(struct gdb *g, struct cr_str line)
{
	if (cr_line_pattern(cr_scan_trim(line), "#%d%_%*", NULL))
		cr_stacks_report(&g->s, CR_REASON_BAD_FRAME, line);
	else
		cr_stacks_passed(&g->s);
	if (cr_line_pattern(line, "[Inferior %d (process %d) detached]", NULL)) {
		end_thread(g);
		g->dump++;
	} else if (cr_str_starts(line, "Backtrace stopped: ") ||
		   cr_str_starts(line, "(More stack frames follow")) {
		cr_builder_quality(
			g->s.b, CR_STR("stacks that gdb did not follow to their start"), 1);
	}
}

static void
parse_line(struct gdb *g, struct cr_str line)
{
	const struct cr_str prompt = CR_STR("(gdb) ");
	struct cr_str found[CR_LINE_PATTERN_FOUND];

	while (cr_str_starts(line, prompt.p)) {
		line.p += prompt.len;
		line.len -= prompt.len;
	}
	if (line.len && line.p[0] == '#' && cr_line_pattern(line, "#%d%_%*", found)) {
		parse_numbered(g, found[0], cr_scan_trim(found[2]), line);
	} else if (cr_line_pattern(line, "#%d", found)) {
		cr_stacks_report(&g->s, CR_REASON_BAD_FRAME, line);
	} else if (cr_line_pattern(line, "Thread %d (%*):", found)) {
		parse_thread(g, found[0], found[1], line);
		cr_stacks_used(&g->s);
	} else if (goes_on(g, line)) {
		parse_rest(g, cr_scan_trim(line));
		/* Arguments are dropped. */
		cr_diagnostics_fate(&g->s.report, g->open ? CR_LINE_PASSED : CR_LINE_USED);
	} else {
		end_frame(g);
		parse_message(g, line);
	}
}

static int
read_gdb(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct gdb g = {0};
	struct cr_str line;

	cr_stacks_open(&g.s, in, b, opts, "samples");
	g.space = cr_builder_address_space(b);
	while (cr_stacks_line(&g.s, &line))
		parse_line(&g, line);
	end_thread(&g);
	return cr_stacks_close(&g.s, err);
}

/*
 * True for a frame that ends with its location or its arguments, or for gdb's message about a
 * thread found.
 */
static bool
is_ours(struct cr_str line)
{
	if (line.len && line.p[0] == '#')
		return cr_line_pattern(line, "#%d%_%* at %*:%d", NULL) ||
		       cr_line_pattern(line, "#%d%_%* from %*", NULL) ||
		       cr_line_pattern(line, "#%d%_%*(%*)", NULL);
	return cr_str_starts(line, "[New Thread ") || cr_str_starts(line, "[New LWP ");
}

static bool
is_thread(struct cr_str line)
{
	return cr_line_pattern(line, "Thread %d (%*):", NULL);
}

/* True for local variables, which are below their frame. */
static bool
is_local(struct cr_str line)
{
	return cr_str_starts(line, "    ") || cr_str_starts(line, "No locals.") ||
	       cr_str_starts(line, "No symbol table info available.");
}

/*
 * Requires the header of a thread; or frames in a quarter of the lines, since eu-stack prints them
 * too and other texts quote them.
 */
static unsigned
probe_gdb(const struct cr_head *head, uint64_t *line)
{
	uint64_t lines = 0, ours = 0, first = 0;
	bool thread = false, in_frame = false;
	struct cr_scan scan;
	struct cr_str text;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &text)) {
		const bool starts_thread = is_thread(text), is_one = is_ours(text);

		if (!first && (starts_thread || is_one))
			first = scan.line;
		thread = thread || starts_thread;
		ours += is_one;
		lines += cr_scan_trim(text).len > 0 && !(in_frame && is_local(text));
		in_frame = is_one || (in_frame && is_local(text));
	}
	*line = first;
	if (thread)
		return CR_EVIDENCE_SIGNATURE;
	return ours && ours * 4 >= lines ? CR_EVIDENCE_FRAMES : 0;
}

const struct cr_reader cr_reader_gdb = {
	.name = "gdb",
	.about = "backtraces of gdb, pstack and gstack",
	.probe = probe_gdb,
	.read = read_gdb,
};
