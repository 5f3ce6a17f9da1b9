#include "row_tree_p.h"

static void
sample_at(struct cr_row_tree *t, cr_node_id node, cr_event_id event, uint64_t weight)
{
	const struct cr_stacks *s = t->s;

	cr_builder_sample(s->b, &(struct cr_sample){.time_ns = s->time_ns,
					.weight = weight,
					.node = node,
					.task = s->task,
					.event = event,
					.cpu = s->cpu});
}

/* The last open row has no further rows below it. */
static void
row_close(struct cr_row_tree *t)
{
	const struct cr_row_tree_row *row = &t->open.p[t->open.n - 1];

	for (uint32_t i = 0; i < t->totals; i++) {
		if (!row->left[i])
			continue;
		if (!t->callers) {
			sample_at(t, row->node, t->total[i], row->left[i]);
			continue;
		}
		for (size_t k = t->open.n; k-- > 0;)
			cr_stacks_location(t->s, t->open.p[k].location);
		t->s->event = t->total[i];
		cr_stacks_end_root_first(t->s, row->left[i]);
	}
	t->open.n--;
}

bool
cr_row_tree_row(struct cr_row_tree *t, uint32_t depth, cr_location_id location, struct cr_str line)
{
	struct cr_row_tree_row row = {.location = location};

	cr_stacks_used(t->s);
	if (t->open.n == 0 || depth < t->depth_first)
		t->depth_first = depth;
	depth -= t->depth_first;
	if (depth > t->open.n) {
		cr_stacks_report(t->s, CR_REASON_SKIPPED_DEPTH, line);
		return false;
	}
	while (t->open.n > depth)
		row_close(t);
	if (!t->callers)
		row.node = cr_builder_push(
			t->s->b, depth ? t->open.p[depth - 1].node : CR_ROOT, location);
	cr_vec_push(&t->open, row);
	return true;
}

void
cr_row_tree_self(struct cr_row_tree *t, cr_event_id event, uint64_t weight)
{
	if (weight)
		sample_at(t, t->open.p[t->open.n - 1].node, event, weight);
}

void
cr_row_tree_total(struct cr_row_tree *t, uint32_t total, uint64_t weight)
{
	struct cr_row_tree_row *row = &t->open.p[t->open.n - 1];

	row->left[total] = weight;
	if (t->open.n > 1)
		row[-1].left[total] -= CR_MIN(weight, row[-1].left[total]);
}

void
cr_row_tree_end(struct cr_row_tree *t)
{
	while (t->open.n)
		row_close(t);
}

void
cr_row_tree_fini(struct cr_row_tree *t)
{
	cr_vec_fini(&t->open);
}
