#include "query/fold/stack_sums.h"

#include "base/order.h"
#include "fold_p.h"

#include <stdlib.h>
#include <string.h>

bool
cr_plan_can_sum(const struct cr_plan *plan, const struct cr_filter *f)
{
	const struct cr_profile *p = plan->p;

	if (cr_plan_is_stored(p, f, &plan->opts) || plan->opts.bare || !p->n_nodes ||
		cr_grouping_asks(&plan->opts, CR_GROUP_DSO))
		return false;
	for (uint32_t i = 0; i < p->n_dsos; i++)
		if (p->dsos[i].kind == CR_KIND_GROUP)
			return false;
	return true;
}

/* Sort the sums by node. The first of them are in this order, the others in none. */
static void
sort_sums(const struct cr_plan_sums *s)
{
	struct cr_fold_template_sum *sums = s->p;
	struct cr_fold_template_sum *further;
	struct cr_keyed *keys, *room;
	size_t at = s->n_first, left = s->n - s->n_first;

	if (!left)
		return;
	keys = cr_alloc(left, sizeof(*keys));
	room = cr_alloc(left, sizeof(*room));
	further = cr_alloc(left, sizeof(*further));
	memcpy(further, sums + s->n_first, left * sizeof(*further));
	for (size_t i = 0; i < left; i++)
		keys[i] = (struct cr_keyed){further[i].node, (uint32_t)i};
	cr_keyed_sort(keys, room, (uint32_t)left);
	while (left) { /* from the end, so that nothing is overwritten that is still to be moved */
		const struct cr_fold_template_sum *last = &further[keys[left - 1].item];

		if (at && sums[at - 1].node > last->node) {
			sums[at + left - 1] = sums[at - 1];
			at--;
		} else {
			sums[at + left - 1] = *last;
			left--;
		}
	}
	free(keys);
	free(room);
	free(further);
}

/* Sort the sums by group, unless they are; those of a group keep their order. */
static void
sort_by_group(struct cr_stack_sums *s, bool are_sorted)
{
	const uint32_t n_groups = s->groups.n;
	size_t *fill = cr_alloc((uint64_t)n_groups + 1, sizeof(*fill));
	struct cr_fold_template_sum *sums;

	for (size_t i = 0; i < s->n; i++)
		fill[s->sums[i].group + 1]++;
	for (uint32_t g = 0; g < n_groups; g++)
		fill[g + 1] += fill[g];
	s->ends = fill;
	if (are_sorted || n_groups == 1) {
		memmove(fill, fill + 1, n_groups * sizeof(*fill));
		return;
	}
	sums = cr_realloc(NULL, s->n, sizeof(*sums));
	for (size_t i = 0; i < s->n; i++)
		sums[fill[s->sums[i].group]++] = s->sums[i];
	free(s->sums);
	s->sums = sums;
}

/* The root of a tree with all samples. */
static struct cr_tree *
root_of_sums(const struct cr_stack_sums *s)
{
	const struct cr_frame root = {.name = CR_STR("all"), .kind = CR_KIND_GROUP};
	struct cr_tree_builder *tb = cr_tree_builder_new(1, &root, 1);

	for (size_t i = 0; i < s->n; i++)
		cr_tree_builder_add(tb, 0, 0, s->sums[i].weight, s->sums[i].samples);
	return cr_tree_builder_finish(tb, NULL);
}

int
cr_plan_sums(struct cr_plan *plan, const struct cr_filter *f, struct cr_stack_sums *out,
	struct cr_err *err)
{
	const struct cr_fold_template_opts opts = {
		plan->opts.granularity, plan->opts.apart, plan->opts.outermost};
	const struct cr_filter any = cr_plan_filter(f, &plan->opts);
	struct cr_selector selector;
	struct cr_plan_sums sums;
	int rc;

	*out = (struct cr_stack_sums){.p = plan->p};
	if ((rc = cr_selector_init(&selector, plan->p, &any, err)) < 0)
		goto out;
	cr_needed(plan->p, CR_NEEDS_TREE);
	if ((rc = cr_plan_groups(plan, &any, err)) < 0 ||
		(rc = cr_plan_sum_up(plan, &any, &selector, &sums, err)) < 0)
		goto out;
	if (!sums.by_group)
		sort_sums(&sums);
	out->sums = sums.p;
	out->n = sums.n;
	cr_grouping_ways(plan->groups, &out->groups, &out->way);
	sort_by_group(out, sums.by_group);
	cr_location_frames_list(plan->p, &opts, &out->frames);
	out->root = root_of_sums(out);
	cr_plan_label(&any, &selector, out->root);
out:
	cr_selector_fini(&selector);
	return rc;
}

void
cr_stack_sums_fini(struct cr_stack_sums *s)
{
	cr_tree_free(s->root);
	cr_location_frames_fini(&s->frames);
	free(s->sums);
	free(s->ends);
	free(s->way);
	*s = (struct cr_stack_sums){0};
}
