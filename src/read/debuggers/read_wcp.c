#include "read/kit/line_pattern_p.h"
#include "read/kit/stacks_p.h"

/*
 * wallClockProfiler: after the line "Full stacks" each stack with its number of samples, innermost
 * function first.
 *
 *	88.100% ================================= (905 samples)
 *	1: wait_io   (at /src/io.nim:34)
 *	2: main   (at main.nim:2)
 */

struct wcp {
	struct cr_stacks s;
	bool in_stacks; /* after "Full stacks" */
	bool in_stack;
	uint64_t weight; /* of the current stack */
};

static void
end_stack(struct wcp *w)
{
	if (w->in_stack)
		cr_stacks_end_leaf_first(&w->s, w->weight);
	w->in_stack = false;
}

static void
parse_header(struct wcp *w, struct cr_str samples, struct cr_str line)
{
	end_stack(w);
	cr_stacks_used(&w->s);
	w->in_stack = cr_stacks_count(&w->s, samples, line, &w->weight);
	if (!w->in_stack)
		cr_stacks_report(&w->s, CR_REASON_BAD_HEADER, line);
}

/* "wait_io   (at /src/io.nim:34)" */
static void
parse_frame(struct wcp *w, struct cr_str text, struct cr_str line)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];
	struct cr_named named = {.name = text, .file = CR_STR("")};

	if (!w->in_stack) {
		cr_stacks_report(&w->s, CR_REASON_FRAME_OUTSIDE_SAMPLE, line);
		return;
	}
	if (cr_line_pattern(text, "%*%_(at %*)", found)) {
		named.name = found[0];
		if (!cr_stacks_source(found[2], &named.file, &named.line))
			named.file = found[2];
	}
	cr_stacks_frame_at(&w->s, CR_DSO_UNKNOWN, 0, &named);
	cr_stacks_used(&w->s);
}

static void
parse_line(struct wcp *w, struct cr_str line)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];

	if (cr_scan_trim(line).len == 0)
		end_stack(w);
	else if (cr_line_pattern(line, "%*%% =%* (%* samples)", found) ||
		 cr_line_pattern(line, "%*%% =%* (%* sample)", found))
		parse_header(w, found[2], line);
	else if (cr_line_pattern(line, "%d: %*", found))
		parse_frame(w, cr_scan_trim(found[1]), line);
	else
		cr_stacks_report(&w->s, CR_REASON_NOISE, line);
}

static int
read_wcp(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct wcp w = {0};
	struct cr_str line;

	cr_stacks_open(&w.s, in, b, opts, "samples");
	while (cr_stacks_line(&w.s, &line)) {
		if (w.in_stacks) {
			parse_line(&w, line);
			continue;
		}
		w.in_stacks = cr_str_starts(line, "Full stacks");
		cr_diagnostics_fate(&w.s.report, w.in_stacks ? CR_LINE_USED : CR_LINE_PASSED);
	}
	end_stack(&w);
	return cr_stacks_close(&w.s, err);
}

static unsigned
probe_wcp(const struct cr_head *head, uint64_t *line)
{
	struct cr_scan scan;
	struct cr_str text;
	bool title = false;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &text)) {
		title = title || cr_str_starts(text, "Full stacks");
		if (title && cr_line_pattern(text, "%*%% =%*", NULL)) {
			*line = scan.line;
			return CR_EVIDENCE_SIGNATURE;
		}
	}
	return 0;
}

const struct cr_reader cr_reader_wcp = {
	.name = "wcp",
	.about = "full stacks of wallClockProfiler",
	.probe = probe_wcp,
	.read = read_wcp,
};
