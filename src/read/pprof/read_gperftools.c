#include "bytes/cursor.h"

#include "mappings_p.h"
#include "pprof_samples_p.h"

/*
 * CPU profiles of gperftools, and of Go before 1.9: words of 4 or 8 bytes in either byte order,
 *
 *	0 3 0 PERIOD_US 0
 *	COUNT DEPTH ADDRESS*DEPTH              innermost first, repeated
 *	0 1 0                                  the end
 *
 * followed by /proc/self/maps as text. Addresses of callers are return addresses.
 */
#define STEP_SAMPLES 4096u

struct words {
	struct cr_cursor c;
	bool wide;
};

static uint64_t
word(struct words *w)
{
	return w->wide ? cr_cursor_u64(&w->c) : cr_cursor_u32(&w->c);
}

/* Parse the header in any of its forms; false if there is none. period: in us. */
static bool
header_parse(const void *p, size_t len, struct words *out, uint64_t *period)
{
	for (unsigned form = 0; form < 4; form++) {
		uint64_t head[5];

		cr_cursor_init(&out->c, p, len);
		out->wide = form & 1;
		out->c.swap = form & 2;
		for (size_t i = 0; i < CR_LEN(head); i++)
			head[i] = word(out);
		*period = head[3];
		if (!out->c.bad && head[0] == 0 && head[1] == 3 && head[2] == 0 && head[3] &&
			head[4] == 0)
			return true;
	}
	return false;
}

/* Returns false at the end marker, and if a stack does not fit in the rest. */
static bool
stack_next(struct words *w, uint64_t *count, uint64_t *depth)
{
	struct words ahead;

	if (cr_cursor_left(&w->c) == 0)
		return false;
	*count = word(w);
	*depth = word(w);
	ahead = *w;
	if (*depth > cr_cursor_left(&w->c) / (w->wide ? 8 : 4))
		w->c.bad = true;
	return !w->c.bad && !(*count == 0 && *depth == 1 && word(&ahead) == 0);
}

static void
read_maps(struct cr_mappings *m, struct cr_builder *b, struct words at_end)
{
	struct cr_scan scan;
	struct cr_str line;

	word(&at_end); /* the end marker */
	cr_scan_init(&scan, at_end.c.p, cr_cursor_left(&at_end.c));
	while (cr_scan_line(&scan, &line))
		cr_mappings_line(m, b, cr_scan_trim(line));
}

/* The mappings are at the end, after all stacks. */
static void
find_maps(struct cr_mappings *m, struct cr_builder *b, struct words w)
{
	uint64_t count, depth;

	while (stack_next(&w, &count, &depth))
		cr_cursor_skip(&w.c, depth * (w.wide ? 8 : 4));
	if (!w.c.bad)
		read_maps(m, b, w);
}

static void
stack_read(struct cr_stacks *s, struct words *w, struct cr_mappings *m, uint64_t depth)
{
	for (uint64_t i = 0; i < depth; i++) {
		const uint64_t addr = word(w);

		cr_stacks_location(s, cr_mapping_nameless(s->b, cr_mappings_find(m, addr), addr));
	}
}

static int
read_gperftools(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct cr_mappings maps = {0};
	uint64_t period, count, depth;
	cr_event_id cpu, samples;
	struct cr_stacks s;
	struct words w;
	int rc;

	if (!header_parse(in->p, in->len, &w, &period))
		return cr_fail(err, CR_EFORMAT, 0, "it has no header of a gperftools profile");
	cr_stacks_open_bare(&s, in, b, opts);
	find_maps(&maps, b, w);
	cpu = cr_builder_event(b, CR_STR("cpu"), CR_STR("ns"));
	samples = cr_builder_event(b, CR_STR("samples"), CR_STR("samples"));
	cr_builder_fact(b, "main event", CR_STR("cpu"));
	while (!s.stopped && stack_next(&w, &count, &depth)) {
		uint64_t ns;
		cr_node_id node;

		stack_read(&s, &w, &maps, depth);
		node = cr_stacks_node_leaf_first(&s);
		if (!cr_mul_ok(count, period, &ns) || !cr_mul_ok(ns, 1000, &ns))
			ns = UINT64_MAX;
		s.event = cpu;
		cr_stacks_sample(&s, node, ns);
		s.event = samples;
		cr_stacks_sample(&s, node, count);
		if (cr_builder_samples(b) % STEP_SAMPLES == 0)
			s.stopped = !cr_progress_step(
				opts->progress, "reading", cr_cursor_at(&w.c), in->len);
	}
	if (w.c.bad) {
		cr_log_warn(opts->log, "damaged: ends in the middle of a stack", cr_cursor_at(&w.c),
			"%s", "");
		cr_builder_flags(b, CR_PROFILE_IN_PART);
	}
	rc = cr_stacks_close(&s, err);
	cr_mappings_fini(&maps);
	return rc;
}

static unsigned
probe_gperftools(const struct cr_head *head, uint64_t *line)
{
	struct words w;
	uint64_t period;

	(void)line;
	return header_parse(head->p, head->len, &w, &period) ? CR_EVIDENCE_SIGNATURE : 0;
}

const struct cr_reader cr_reader_gperftools = {
	.name = "gperftools",
	.about = "CPU profiles of gperftools, binary",
	.heads = CR_HEAD_BINARY,
	.probe = probe_gperftools,
	.read = read_gperftools,
};
