#include "stacks_p.h"

#include "base/text.h"

#define STACK_DEPTH_MAX 8192u /* frames; of deeper stacks the innermost are kept */
#define INLINED_MAX 4096u     /* maximum of functions inlined at one location */
#define STEP_LINES 4096u

struct cr_str
cr_stacks_default_event(struct cr_builder *b, const struct cr_read_opts *opts, struct cr_str *unit)
{
	*unit = opts->unit ? cr_str_of(opts->unit) : CR_STR("weight");
	cr_builder_flags(b, CR_PROFILE_ADDED_UP);
	return cr_str_eq(*unit, CR_STR("samples")) ? *unit : CR_STR("weight");
}

void
cr_stacks_open(struct cr_stacks *s, const struct cr_input *in, struct cr_builder *b,
	const struct cr_read_opts *opts, const char *unit)
{
	struct cr_str event = CR_STR("samples");

	cr_stacks_open_bare(s, in, b, opts);
	if (unit)
		s->unit = cr_str_of(opts->unit ? opts->unit : unit);
	else
		event = cr_stacks_default_event(b, opts, &s->unit);
	s->event = cr_builder_event(b, event, s->unit);
}

void
cr_stacks_open_bare(struct cr_stacks *s, const struct cr_input *in, struct cr_builder *b,
	const struct cr_read_opts *opts)
{
	*s = (struct cr_stacks){.b = b, .opts = opts, .cpu = CR_CPU_NONE};
	cr_scan_init(&s->scan, in->p, in->len);
	s->space = cr_builder_address_space(b);
	s->task = cr_builder_task(b, -1, -1, CR_STR(""), s->space);
}

bool
cr_stacks_line(struct cr_stacks *s, struct cr_str *line)
{
	if (s->scan.line % STEP_LINES == 0 &&
		!cr_progress_step(s->opts->progress, "reading", cr_scan_at(&s->scan),
			(uint64_t)(s->scan.end - s->scan.start))) {
		s->stopped = true;
		return false;
	}
	if (!cr_scan_line(&s->scan, line))
		return false;
	cr_diagnostics_line(&s->report, *line);
	s->report.last_number = s->scan.line;
	if (s->scan.cut) {
		cr_stacks_report(s, CR_REASON_LONG_LINE, *line);
		s->report.last = CR_LINE_UNKNOWN; /* until the reader accounts for it */
	}
	return true;
}

void
cr_stacks_pass_rest(struct cr_stacks *s)
{
	struct cr_str line;

	while (cr_stacks_line(s, &line))
		cr_stacks_passed(s);
}

void
cr_stacks_location(struct cr_stacks *s, cr_location_id location)
{
	if (s->frames.n == 0) {
		s->first_line = s->scan.line;
		s->first_mark = cr_diagnostics_mark(&s->report);
	}
	cr_vec_push(&s->frames, location);
}

void
cr_stacks_frame(struct cr_stacks *s, struct cr_str name, cr_dso_id dso)
{
	cr_stacks_location(s, cr_builder_named(s->b, name.len ? name : CR_STR("-"), dso));
}

void
cr_stacks_frame_at(struct cr_stacks *s, cr_dso_id dso, uint64_t addr, const struct cr_named *named)
{
	cr_vec_push(&s->inlined, *named);
	cr_stacks_location(s, cr_builder_named_at(s->b, dso, addr, s->inlined.p, s->inlined.n));
	s->inlined.n = 0;
}

void
cr_stacks_inlined(struct cr_stacks *s, const struct cr_named *named)
{
	if (s->inlined.n + 1 < INLINED_MAX)
		cr_vec_push(&s->inlined, *named);
	else
		cr_stacks_frame_at(s, CR_DSO_UNKNOWN, 0, named);
}

/* Functions inlined into a frame that did not follow. */
static void
end_inlined(struct cr_stacks *s)
{
	if (s->inlined.n)
		cr_stacks_location(s,
			cr_builder_named_at(s->b, CR_DSO_UNKNOWN, 0, s->inlined.p, s->inlined.n));
	s->inlined.n = 0;
}

void
cr_stacks_root(struct cr_stacks *s, struct cr_str name)
{
	const struct cr_dso none = {.name = CR_STR(""), .kind = CR_KIND_GROUP};

	cr_vec_push(&s->roots,
		cr_builder_named(s->b, name.len ? name : CR_STR("-"), cr_builder_dso(s->b, &none)));
}

void
cr_stacks_clear_roots(struct cr_stacks *s)
{
	s->roots.n = 0;
}

void
cr_stacks_key(struct cr_stacks *s, struct cr_str key)
{
	cr_text_clear(&s->name);
	for (uint32_t i = 0; i < key.len; i++)
		cr_text_char(&s->name, key.p[i] == ' ' || key.p[i] == '\t' ? '_' : key.p[i]);
	cr_stacks_root(s, cr_text_view(&s->name));
}

static cr_node_id
end_stack(struct cr_stacks *s, bool leaf_first)
{
	size_t n, kept;

	end_inlined(s);
	n = kept = s->frames.n;
	if (n + s->roots.n > STACK_DEPTH_MAX)
		kept = CR_MIN(n, STACK_DEPTH_MAX - CR_MIN(s->roots.n + 1, (size_t)STACK_DEPTH_MAX));
	s->path.n = 0;
	for (size_t i = 0; i < s->roots.n; i++)
		cr_vec_push(&s->path, s->roots.p[i]);
	if (kept < n) {
		cr_vec_push(&s->path, cr_builder_truncated(s->b));
		cr_diagnostics_add(&s->report, CR_REASON_TRUNCATED_FRAME, s->first_line,
			CR_STR("(the innermost frames are kept)"));
	}
	for (size_t i = kept; i-- > 0;)
		cr_vec_push(&s->path, s->frames.p[leaf_first ? i : n - 1 - i]);
	s->frames.n = 0;
	if (s->path.n == 0)
		return CR_ROOT;
	cr_vec_reserve(&s->nodes, s->path.n);
	cr_builder_push_path(s->b, CR_ROOT, s->path.p, s->path.n, s->nodes.p);
	return s->nodes.p[s->path.n - 1];
}

cr_node_id
cr_stacks_node_leaf_first(struct cr_stacks *s)
{
	return end_stack(s, true);
}

void
cr_stacks_sample(struct cr_stacks *s, cr_node_id node, uint64_t weight)
{
	cr_builder_sample(s->b, &(struct cr_sample){.time_ns = s->time_ns,
					.weight = weight,
					.node = node,
					.task = s->task,
					.event = s->event,
					.cpu = s->cpu});
}

void
cr_stacks_end_leaf_first(struct cr_stacks *s, uint64_t weight)
{
	cr_stacks_sample(s, end_stack(s, true), weight);
}

void
cr_stacks_end_root_first(struct cr_stacks *s, uint64_t weight)
{
	cr_stacks_sample(s, end_stack(s, false), weight);
}

void
cr_stacks_end_negative(struct cr_stacks *s, uint64_t magnitude)
{
	const cr_event_id event = s->event;

	s->event = cr_builder_event(s->b, CR_STR("negative"), s->unit);
	cr_stacks_sample(s, end_stack(s, true), magnitude);
	s->event = event;
}

void
cr_stacks_drop(struct cr_stacks *s)
{
	if (s->frames.n)
		cr_diagnostics_lose(&s->report, s->first_mark);
	s->frames.n = 0;
	s->inlined.n = 0;
}

bool
cr_stacks_source(struct cr_str text, struct cr_str *file, uint32_t *line)
{
	uint32_t before;

	if (!cr_scan_source_line(&text, line))
		return false;
	if (cr_scan_source_line(&text, &before))
		*line = before;
	*file = text;
	return true;
}

void
cr_stacks_report(struct cr_stacks *s, enum cr_reason why, struct cr_str line)
{
	cr_diagnostics_add(&s->report, why, s->scan.line, line);
}

bool
cr_stacks_count(struct cr_stacks *s, struct cr_str digits, struct cr_str line, uint64_t *out)
{
	if (cr_scan_u64(digits, out))
		return true;
	for (uint32_t i = 0; i < digits.len; i++)
		if (digits.p[i] < '0' || digits.p[i] > '9')
			return false;
	if (digits.len == 0)
		return false;
	*out = UINT64_MAX;
	cr_stacks_report(s, CR_REASON_OVERFLOW, line);
	return true;
}

int
cr_stacks_close(struct cr_stacks *s, struct cr_err *err)
{
	struct cr_str left;

	/* A binary input has no lines. */
	while (s->report.lines && !s->stopped && cr_stacks_line(s, &left))
		;
	cr_diagnostics_end(&s->report, s->b, s->opts->log);
	cr_vec_fini(&s->frames);
	cr_vec_fini(&s->roots);
	cr_text_fini(&s->name);
	cr_vec_fini(&s->inlined);
	cr_vec_fini(&s->path);
	cr_vec_fini(&s->nodes);
	if (s->stopped)
		return cr_fail(err, CR_ECANCEL, cr_scan_at(&s->scan), "stopped");
	return CR_OK;
}

struct cr_str
cr_stacks_bracketed(struct cr_str path, struct cr_text *room)
{
	const struct cr_str deleted = CR_STR(" (deleted)");

	if (cr_str_ends(path, deleted.p))
		path.len -= deleted.len;
	cr_text_clear(room);
	cr_text_char(room, '[');
	cr_text_str(room, cr_str_basename(path));
	cr_text_char(room, ']');
	return cr_text_view(room);
}

unsigned
cr_stacks_signature(const struct cr_head *head, bool (*tells)(struct cr_str line), unsigned bits,
	uint64_t lines, uint64_t *line)
{
	struct cr_scan scan;
	struct cr_str text;

	cr_scan_init(&scan, head->p, head->len);
	while ((lines == 0 || scan.line < lines) && cr_scan_line(&scan, &text))
		if (tells(text)) {
			*line = scan.line;
			return bits;
		}
	return 0;
}
