#include "view/scene/scene.h"

#include "base/mem.h"

#include <stdlib.h>

#define NO_BOX UINT32_MAX

void
cr_scene_fini(struct cr_scene *s)
{
	free(s->boxes);
	free(s->row_first);
	*s = (struct cr_scene){0};
}

uint32_t
cr_scene_at(const struct cr_scene *s, int32_t x, int32_t row)
{
	uint32_t lo, hi, first;

	if (row < 0 || row >= s->rows)
		return NO_BOX;
	first = lo = s->row_first[row];
	hi = s->row_first[row + 1];
	while (lo < hi) { /* the first box that begins after x */
		const uint32_t mid = lo + (hi - lo) / 2;

		if (s->boxes[mid].x0 <= x)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > first && x < s->boxes[lo - 1].x1 ? lo - 1 : NO_BOX;
}

/* The box of a row that contains this node. */
static uint32_t
scene_cover(const struct cr_scene *s, int32_t row, uint32_t node)
{
	const uint32_t first = s->row_first[row];
	uint32_t lo = first, hi = s->row_first[row + 1];

	while (lo < hi) { /* nodes increase along a row */
		const uint32_t mid = lo + (hi - lo) / 2;

		if (s->boxes[mid].node <= node)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > first && node < s->boxes[lo - 1].node_end ? lo - 1 : NO_BOX;
}

uint32_t
cr_scene_find(const struct cr_scene *s, uint32_t node)
{
	for (int32_t row = 0; row < s->rows; row++) {
		const uint32_t b = scene_cover(s, row, node);

		if (b == NO_BOX) {
			/* Scrolled past. */
			if (s->row_first[row] == s->row_first[row + 1])
				continue;
			return NO_BOX;
		}
		if (s->boxes[b].node == node || (s->boxes[b].flags & CR_BOX_GATHERED))
			return b;
	}
	return NO_BOX;
}
