#include "query/fold/sketch/wide_stacks.h"

#include "base/work.h"
#include "query/fold/fold_p.h"

#include <stdlib.h>

static bool
has_fixed_frames(uint8_t key)
{
	return key == CR_GROUP_USUAL || key == CR_GROUP_NONE || key == CR_GROUP_COMM ||
	       key == CR_GROUP_PID || key == CR_GROUP_TID || key == CR_GROUP_CPU;
}

/* Where adjacent equal frames are one, a path of frames does not say which locations it has. */
bool
cr_plan_can_be_wide(const struct cr_plan *plan, const struct cr_filter *f)
{
	const struct cr_fold_opts *o = &plan->opts;

	return !o->bare && o->n_groups <= 1 && (!o->n_groups || has_fixed_frames(o->groups[0])) &&
	       o->granularity != CR_GRANULARITY_DSO && o->granularity != CR_GRANULARITY_FILE &&
	       !f->all_events && plan->p->n_nodes && !cr_plan_is_stored(plan->p, f, o);
}

bool
cr_plan_has_rows(const struct cr_plan *plan)
{
	return plan->template && plan->template->n;
}

/* ---- what is kept */

static uint64_t
unresolved_of(const struct cr_wide_stacks *w)
{
	const struct cr_fold_template *t = w->template;
	uint8_t *nameless = cr_alloc(CR_MAX(t->n_frames, 1u), 1);
	uint64_t weight = 0;

	for (uint32_t i = 0; i < t->n_frames; i++)
		nameless[i] = cr_frame_is_nameless(&t->frames[i]);
	for (size_t i = 0; i < w->n; i++) {
		uint32_t node = w->sums[i].node, location = w->p->node_location[node];

		/* A location without frames is part of its caller. */
		while (node && t->first[location] == t->first[location + 1]) {
			node = w->p->node_parent[node];
			location = w->p->node_location[node];
		}
		if (node && nameless[t->run[t->first[location + 1] - 1]])
			weight = cr_add_sat(weight, w->sums[i].weight);
	}
	free(nameless);
	return weight;
}

static struct cr_tree *
root_of(const struct cr_wide_stacks *w)
{
	const struct cr_frame root = {.name = CR_STR("all"), .kind = CR_KIND_GROUP};
	struct cr_tree_builder *tb = cr_tree_builder_new(1, &root, 1);

	for (size_t i = 0; i < w->n; i++)
		cr_tree_builder_add(tb, 0, 0, w->sums[i].weight, w->sums[i].samples);
	return cr_tree_builder_finish(tb, NULL);
}

static struct cr_wide_stacks *
wide_new(struct cr_plan *plan, struct cr_plan_sums *sums,
	const struct cr_fold_template_groups *groups, uint32_t **way)
{
	struct cr_wide_stacks *w = cr_alloc(1, sizeof(*w));

	*w = (struct cr_wide_stacks){.p = plan->p,
		.template = cr_fold_template_hold(plan->template),
		.sums = sums->p,
		.n = sums->n,
		.n_first = sums->n_first,
		.groups = *groups,
		.way = *way,
		.frames = groups->n_frames
				  ? cr_memdup(groups->frames, groups->n_frames * sizeof(*w->frames))
				  : NULL};
	w->groups.frames = w->frames;
	w->root = root_of(w);
	w->unresolved = unresolved_of(w);
	sums->p = NULL;
	*way = NULL;
	return w;
}

struct cr_wide_stacks *
cr_wide_stacks_hold(struct cr_wide_stacks *w)
{
	w->held++;
	return w;
}

void
cr_wide_stacks_free(struct cr_wide_stacks *w)
{
	if (!w || w->held--)
		return;
	cr_fold_template_free(w->template);
	cr_tree_free(w->root);
	free(w->sums);
	free(w->way);
	free(w->frames);
	free(w);
}

/* ---- folding */

static int
fold(struct cr_plan *plan, const struct cr_filter *f, struct cr_selector *selector,
	uint64_t most_nodes, struct cr_tree **tree, struct cr_wide_stacks **wide,
	struct cr_err *err)
{
	struct cr_fold_template_part part = {.most_nodes = CR_FOLD_TEMPLATE_NODES_MOST};
	struct cr_fold_template_groups groups;
	struct cr_plan_sums sums;
	uint32_t *way;
	int rc = cr_plan_sum_up(plan, f, selector, &sums, err);

	if (rc < 0)
		return rc;
	cr_grouping_ways(plan->groups, &groups, &way);
	part.most_nodes = (uint32_t)CR_MIN(most_nodes, (uint64_t)part.most_nodes);
	if (part.most_nodes)
		*tree = cr_fold_template_part(plan->template, sums.p, sums.n, &groups, &part);
	if ((rc = cr_work_check(err)) < 0) {
		cr_tree_free(*tree);
		*tree = NULL;
	} else if (*tree) {
		cr_plan_label(f, selector, *tree);
	} else {
		*wide = wide_new(plan, &sums, &groups, &way);
		cr_plan_label(f, selector, (*wide)->root);
	}
	free(sums.p);
	free(way);
	return rc;
}

int
cr_plan_fold_wide(struct cr_plan *plan, const struct cr_filter *f, uint64_t most_nodes,
	struct cr_tree **tree, struct cr_wide_stacks **wide, struct cr_err *err)
{
	struct cr_selector selector;
	int rc;

	*tree = NULL;
	*wide = NULL;
	if ((rc = cr_selector_init(&selector, plan->p, f, err)) < 0)
		goto out;
	cr_plan_prepare(plan);
	if ((rc = cr_work_check(err)) < 0 || (rc = cr_plan_groups(plan, f, err)) < 0)
		goto out;
	rc = fold(plan, f, &selector, most_nodes, tree, wide, err);
out:
	cr_selector_fini(&selector);
	return rc;
}

static int
make_part(const struct cr_wide_stacks *w, const struct cr_fold_template_part *part,
	struct cr_tree **out, struct cr_err *err)
{
	int rc;

	*out = cr_fold_template_part(w->template, w->sums, w->n, &w->groups, part);
	if ((rc = cr_work_check(err)) < 0) {
		cr_tree_free(*out);
		*out = NULL;
		return rc;
	}
	if (!*out)
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"more than %u stacks; use fewer groups or a filter",
			CR_FOLD_TEMPLATE_NODES_MOST);
	(*out)->is_wide = (*out)->is_sketch;
	(*out)->event = w->root->event;
	(*out)->unit = w->root->unit;
	(*out)->summed = w->root->summed;
	(*out)->left_out[0] = w->root->left_out[0];
	(*out)->left_out_samples[0] = w->root->left_out_samples[0];
	return CR_OK;
}

int
cr_wide_stacks_sketch(const struct cr_wide_stacks *w, uint32_t share, const uint32_t *path,
	uint32_t n_path, struct cr_tree **out, struct cr_err *err)
{
	const struct cr_fold_template_part part = {.most_nodes = CR_FOLD_TEMPLATE_NODES_MOST,
		.share = share,
		.path = path,
		.n_path = n_path};

	return make_part(w, &part, out, err);
}

#define CUT_SHARE 1000000u

int
cr_wide_stacks_cut(const struct cr_wide_stacks *w, uint32_t share, struct cr_tree_cut *cut,
	struct cr_tree **out, struct cr_err *err)
{
	const uint64_t whole = w->root->total[0][0];
	struct cr_fold_template_part part = {.most_nodes = CR_FOLD_TEMPLATE_NODES_MOST};
	struct cr_tree_count count = {.least = whole / CUT_SHARE + 1};
	uint64_t least;
	uint32_t i = 0;
	int rc;

	*out = NULL;
	cr_fold_template_count(w->template, w->sums, w->n, &w->groups, &count);
	if ((rc = cr_work_check(err)) < 0)
		return rc;
	while (i + 1 < CR_TREE_COUNTS && count.at_least[i] > cut->most)
		i++;
	least = count.least << i;
	if (least > whole / share || count.nodes > UINT32_MAX)
		return CR_OK;
	part.least = least;
	if ((rc = make_part(w, &part, out, err)) < 0)
		return rc;
	cut->least = least;
	cut->n = (uint32_t)(count.nodes - (*out)->n);
	return CR_OK;
}
