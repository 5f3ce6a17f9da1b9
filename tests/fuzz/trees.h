#ifndef CR_FUZZ_TREES_H
#define CR_FUZZ_TREES_H

#include "whole_way.h"

/* What holds of every tree, of one side or two, whatever was done to it. */
static inline void
check_shape(const struct cr_tree *t)
{
	for (uint32_t n = 1; n < t->n; n++)
		must(t->parent[n] < n && t->end[n] > n && t->end[n] <= t->end[t->parent[n]] &&
			t->frame[n] < t->n_frames);
	for (uint32_t s = 0; s < t->sides; s++)
		for (uint32_t n = 0; n < t->n; n++) {
			must(t->total[s][n] <= t->total[s][0] && t->self[s][n] <= t->total[s][0]);
			must(t->leaf[s][n] <= t->weight[s][n]);
		}
}

/* What a transform leaves out is counted: in the tree and out of it there is as much as before. */
static inline void
check_kept(const struct cr_tree *before, const struct cr_tree *after)
{
	must(before->sides == after->sides);
	for (uint32_t s = 0; s < before->sides; s++) {
		must(cr_add_sat(before->total[s][0], before->left_out[s]) ==
			cr_add_sat(after->total[s][0], after->left_out[s]));
		must(cr_add_sat(before->total_samples[s][0], before->left_out_samples[s]) ==
			cr_add_sat(after->total_samples[s][0], after->left_out_samples[s]));
	}
}

/* A tree of folded stacks, and its profile; NULL for nothing. */
static inline struct cr_tree *
folded_tree(const uint8_t *data, size_t size, struct cr_profile **p)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t = NULL;

	*p = profile_of(cr_reader_find("folded"), data, size);
	if (*p && cr_fold(*p, &(struct cr_filter){0}, &CR_FOLD_USUAL, &t, &err) < 0)
		must(!t && err.text[0]);
	return t;
}

#endif
