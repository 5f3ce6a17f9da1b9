#include "stacks.h"

#include "cresset/base/text.h"

#define STACK_DEPTH_MAX 8192u /* frames; of deeper stacks the innermost are kept */
#define STEP_LINES 4096u

void
cr_stacks_open(struct cr_stacks *s, const struct cr_input *in, struct cr_builder *b,
	const struct cr_read_opts *opts, const char *unit)
{
	*s = (struct cr_stacks){.b = b, .opts = opts, .cpu = CR_CPU_NONE};
	cr_scan_init(&s->scan, in->p, in->len);
	s->event = cr_builder_event(b, CR_STR("samples"), cr_str_of(opts->unit ? opts->unit : unit));
	s->task = cr_builder_task(b, -1, -1, CR_STR(""), cr_builder_space(b));
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
	s->report.lines = s->scan.line;
	return true;
}

void
cr_stacks_location(struct cr_stacks *s, cr_location_id location)
{
	if (s->frames.n == 0)
		s->first_line = s->scan.line;
	cr_vec_push(&s->frames, location);
}

void
cr_stacks_frame(struct cr_stacks *s, struct cr_str name, cr_object_id object)
{
	cr_stacks_location(s, cr_builder_named(s->b, name.len ? name : CR_STR("-"), object));
}

void
cr_stacks_root(struct cr_stacks *s, struct cr_str name)
{
	const struct cr_object none = {.name = CR_STR(""), .kind = CR_KIND_GROUP};

	cr_vec_push(&s->roots, cr_builder_named(s->b, name.len ? name : CR_STR("-"), cr_builder_object(s->b, &none)));
}

void
cr_stacks_clear_roots(struct cr_stacks *s)
{
	s->roots.n = 0;
}

static void
end_stack(struct cr_stacks *s, uint64_t weight, bool leaf_first)
{
	const size_t n = s->frames.n, kept = CR_MIN(n, (size_t)STACK_DEPTH_MAX);
	cr_node_id node = CR_ROOT;

	for (size_t i = 0; i < s->roots.n; i++)
		node = cr_builder_push(s->b, node, s->roots.p[i]);
	if (kept < n)
		node = cr_builder_push(s->b, node, cr_builder_truncated(s->b));
	for (size_t i = kept; i-- > 0;)
		node = cr_builder_push(s->b, node, s->frames.p[leaf_first ? i : n - 1 - i]);
	cr_builder_sample(s->b, &(struct cr_sample){.time_ns = s->time_ns, .weight = weight, .node = node,
		.task = s->task, .event = s->event, .cpu = s->cpu});
	s->frames.n = 0;
}

void
cr_stacks_end_leaf_first(struct cr_stacks *s, uint64_t weight)
{
	end_stack(s, weight, true);
}

void
cr_stacks_end_root_first(struct cr_stacks *s, uint64_t weight)
{
	end_stack(s, weight, false);
}

void
cr_stacks_drop(struct cr_stacks *s)
{
	s->frames.n = 0;
}

void
cr_stacks_report(struct cr_stacks *s, enum cr_reason why, struct cr_str line)
{
	cr_report(&s->report, why, s->scan.line, line);
}

int
cr_stacks_close(struct cr_stacks *s, struct cr_err *err)
{
	cr_report_end(&s->report, s->b, s->opts->log);
	cr_vec_fini(&s->frames);
	cr_vec_fini(&s->roots);
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
