#include "stack_rows_p.h"

#include <stdlib.h>

/* The number of each node in preorder. Parents come first. */
static uint32_t *
preorder(const uint32_t *parent, uint32_t n)
{
	uint32_t *row = cr_alloc(n, sizeof(*row));
	uint32_t *size = cr_alloc(n, sizeof(*size)); /* of the subtree, then the next free number */

	for (uint32_t i = n; i-- > 1;)
		size[parent[i]] += ++size[i];
	size[0] = 1;
	for (uint32_t i = 1; i < n; i++) {
		row[i] = size[parent[i]];
		size[parent[i]] += size[i];
		size[i] = row[i] + 1;
	}
	free(size);
	return row;
}

static bool
is_in_order(const uint32_t *row, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (row[i] != i)
			return false;
	return true;
}

/* Move the nodes to their rows. */
static void
put_in_rows(struct cr_stack_rows *r, const uint32_t *row, uint32_t n_nodes)
{
	uint32_t *parent = cr_realloc(NULL, r->n, sizeof(*parent)),
		 *frame = cr_realloc(NULL, r->n, sizeof(*frame));

	for (uint32_t i = 0; i < r->n; i++) {
		parent[row[i]] = row[r->parent[i]];
		frame[row[i]] = r->frame[i];
	}
	for (uint32_t i = 0; i < n_nodes; i++)
		r->row_of_node[i] = row[r->row_of_node[i]];
	free(r->parent);
	free(r->frame);
	r->parent = parent;
	r->frame = frame;
}

void
cr_stack_rows_make(const struct cr_growth *in, struct cr_stack_rows *out)
{
	struct cr_grown grown;
	uint32_t *row;

	cr_tree_grow(in, &grown);
	*out = (struct cr_stack_rows){grown.n, grown.parent, grown.frame, grown.node};
	row = preorder(out->parent, out->n);
	if (!is_in_order(row, out->n))
		put_in_rows(out, row, in->n);
	free(row);
}

void
cr_stack_rows_fini(struct cr_stack_rows *r)
{
	free(r->parent);
	free(r->frame);
	free(r->row_of_node);
	*r = (struct cr_stack_rows){0};
}

#define TRIED (UINT32_C(1) << 17) /* nodes; fewer are walked fast enough */
#define EACH 61u                  /* of so many nodes, the frames of one are counted */

/* Number of frames of the nodes up to n, one of `step`. */
static uint64_t
count_frames(const struct cr_growth *in, uint32_t n, uint32_t step)
{
	uint64_t frames = 0;

	for (uint64_t i = 1; i < n; i += step)
		frames += in->first[in->row[i] + 1] - in->first[in->row[i]];
	return frames;
}

/* True if a fourth of the frames or less become rows: of all frames, as of those that are tried. */
bool
cr_stack_rows_pay(const struct cr_growth *in)
{
	struct cr_growth some = *in;
	struct cr_grown grown;

	if (in->n <= TRIED || count_frames(in, in->n, EACH) > in->n / EACH * UINT64_C(2))
		return false;
	some.n = TRIED;
	some.whole = true;
	cr_tree_grow(&some, &grown);
	free(grown.parent);
	free(grown.frame);
	free(grown.node);
	return grown.n < count_frames(in, TRIED, 1) / 4;
}

void
cr_stack_rows_walk(
	const struct cr_stack_rows *r, struct cr_tree_walk_in *in, uint32_t **end, uint32_t **same)
{
	*same = cr_alloc((uint64_t)in->n_frames + 1, sizeof(**same));
	for (uint32_t i = 0; i <= in->n_frames; i++)
		(*same)[i] = i;
	*end = cr_tree_ends(r->parent, r->n);
	in->n_nodes = r->n;
	in->parent = r->parent;
	in->end = *end;
	in->location = r->frame;
	in->first = in->run = *same;
	in->once = false;
}

void
cr_stack_rows_sort(const struct cr_stack_rows *r, const uint32_t *ends, uint32_t n_groups,
	uint32_t *node, uint32_t *row)
{
	const uint32_t n = n_groups ? ends[n_groups - 1] : 0;
	uint32_t *next = cr_alloc((uint64_t)r->n + 1, sizeof(*next));
	uint32_t *by_row = cr_realloc(NULL, n, sizeof(*by_row)); /* pairs */
	uint32_t *group = cr_realloc(NULL, n, sizeof(*group)), *old;
	uint32_t *fill = cr_alloc(CR_MAX(n_groups, 1u), sizeof(*fill));

	for (uint32_t g = 0, i = 0; g < n_groups; g++)
		for (fill[g] = i; i < ends[g]; i++)
			group[i] = g;
	for (uint32_t i = 0; i < n; i++)
		next[r->row_of_node[node[i]] + 1]++;
	for (uint32_t i = 0; i < r->n; i++)
		next[i + 1] += next[i];
	for (uint32_t i = 0; i < n; i++)
		by_row[next[r->row_of_node[node[i]]]++] = i;
	free(next);
	old = cr_realloc(NULL, (uint64_t)n * 2, sizeof(*old));
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t at = fill[group[by_row[i]]]++;

		old[at] = r->row_of_node[node[by_row[i]]];
		old[n + at] = row[by_row[i]];
	}
	memcpy(node, old, n * sizeof(*node));
	memcpy(row, old + n, n * sizeof(*row));
	free(old);
	free(by_row);
	free(group);
	free(fill);
}
