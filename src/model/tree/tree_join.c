#include "tree_join_p.h"

#include <string.h>

static void *
array(struct cr_tree *t, uint32_t n, size_t size)
{
	return cr_arena_adopt(&t->arena, cr_alloc(n, size));
}

void
cr_tree_join_begin(struct cr_tree_join *j, struct cr_tree *t, uint32_t n)
{
	*j = (struct cr_tree_join){.t = t, .most = n};
	t->parent = j->parent = array(t, n, sizeof(*j->parent));
	t->end = j->end = array(t, n, sizeof(*j->end));
	t->frame = j->frame = array(t, n, sizeof(*j->frame));
	t->depth = j->depth = array(t, n, sizeof(*j->depth));
	t->weight[0] = j->weight = array(t, n, sizeof(*j->weight));
	t->samples[0] = j->samples = array(t, n, sizeof(*j->samples));
	t->total[0] = j->total = array(t, n, sizeof(*j->total));
	t->total_samples[0] = j->total_samples = array(t, n, sizeof(*j->total_samples));
	t->leaf[0] = t->self[0] = t->weight[0];
	t->leaf_samples[0] = t->self_samples[0] = t->samples[0];
	t->extent = t->total[0];
	t->sides = 1;
	t->n = 1;
}

static void
copy_part(struct cr_tree_join *j, const struct cr_tree *part)
{
	const uint32_t at = j->t->n, n = part->n;

	for (uint32_t i = 0; i < n; i++) {
		j->parent[at + i] = i ? at + part->parent[i] : 0;
		j->end[at + i] = at + part->end[i];
		j->depth[at + i] = part->depth[i] + 1;
	}
	memcpy(j->frame + at, part->frame, n * sizeof(*j->frame));
	memcpy(j->weight + at, part->weight[0], n * sizeof(*j->weight));
	memcpy(j->samples + at, part->samples[0], n * sizeof(*j->samples));
	memcpy(j->total + at, part->total[0], n * sizeof(*j->total));
	memcpy(j->total_samples + at, part->total_samples[0], n * sizeof(*j->total_samples));
	j->total[0] = cr_add_sat(j->total[0], part->total[0][0]);
	j->total_samples[0] = cr_add_sat(j->total_samples[0], part->total_samples[0][0]);
	j->t->max_depth = CR_MAX(j->t->max_depth, part->max_depth + 1);
	j->t->n += n;
}

void
cr_tree_join_add(struct cr_tree_join *j, struct cr_tree_raw *raw)
{
	struct cr_tree part = {.frames = j->t->frames, .n_frames = j->t->n_frames};

	cr_tree_finish(&part, raw, NULL);
	if (part.n <= j->most - j->t->n)
		copy_part(j, &part);
	cr_arena_fini(&part.arena);
}

void
cr_tree_join_end(struct cr_tree_join *j)
{
	j->end[0] = j->t->n;
}
