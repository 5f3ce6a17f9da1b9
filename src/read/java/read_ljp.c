#include "java_frame_p.h"
#include "read/shape_p.h"

/*
 * lightweight-java-profiler: a count, the depth of the stack, and its frames, innermost first.
 *
 *	31 3  shop.Cart.total(Cart.java:88)
 *	      shop.Web.serve(Web.java:12)
 *	      java.lang.Thread.run(Thread.java:833)
 *	Total trace count = 31
 */
struct traces {
	struct cr_stacks s;
	uint64_t count, depth; /* of the current stack */
	bool open;
};

static void
stack_end(struct traces *t, struct cr_str line)
{
	if (!t->open)
		return;
	t->open = false;
	if (t->s.frames.n != t->depth)
		cr_stacks_report(&t->s, CR_REASON_UNCLOSED, line);
	cr_stacks_end_leaf_first(&t->s, t->count);
}

static void
line_read(struct traces *t, struct cr_str line)
{
	struct cr_str s = cr_scan_trim(line), rest = s;
	struct cr_java_frame f;
	uint64_t count, depth;

	if (s.len == 0)
		return;
	if (cr_str_starts(s, "Total trace count")) {
		stack_end(t, line);
		cr_stacks_used(&t->s);
		return;
	}
	if (cr_stacks_count(&t->s, cr_scan_word(&rest), line, &count) &&
		cr_scan_u64(cr_scan_word(&rest), &depth)) {
		stack_end(t, line);
		cr_stacks_used(&t->s);
		t->open = true;
		t->count = count;
		t->depth = depth;
		s = cr_scan_trim(rest);
		if (s.len == 0)
			return;
	}
	if (!t->open)
		cr_stacks_report(&t->s, CR_REASON_FRAME_OUTSIDE_SAMPLE, line);
	else if (!cr_java_frame(s, &f))
		cr_stacks_report(&t->s, CR_REASON_BAD_FRAME, line);
	else {
		cr_java_push(&t->s, &f);
		cr_stacks_used(&t->s);
	}
}

static int
read_ljp(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct traces t = {0};
	struct cr_str line, last = CR_STR("");

	cr_stacks_open(&t.s, in, b, opts, "samples");
	while (cr_stacks_line(&t.s, &line)) {
		line_read(&t, line);
		last = line;
	}
	stack_end(&t, last);
	return cr_stacks_close(&t.s, err);
}

static unsigned
probe_ljp(const struct cr_head *head, uint64_t *line)
{
	return cr_shape_bid(head, CR_VOTE_LJP, line);
}

const struct cr_reader cr_reader_ljp = {
	.name = "ljp",
	.about = "traces of the lightweight Java profiler",
	.probe = probe_ljp,
	.read = read_ljp,
};
