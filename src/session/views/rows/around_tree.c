#include "around_tree_p.h"

#include "base/hash.h"
#include "base/mem.h"
#include "query/fold/transform.h"

#include <stdlib.h>

/* Where a node is, seen from those of the function; 0 for what has nothing to do with it. */
enum { ABOVE = 1, IS_IT = 2, BELOW = 3 };

/* By node, free() it. above: groups above the stacks, which are not the function. */
static uint8_t *
places_of(const struct cr_tree *t, struct cr_str function, const uint8_t *above)
{
	uint8_t *place = cr_alloc(t->n, 1), *is = cr_alloc(t->n_frames, 1);

	for (uint32_t f = 0; f < t->n_frames; f++)
		is[f] = cr_str_eq(t->frames[f].name, function);
	for (uint32_t n = 1; n < t->n; n++) {
		if (!above[n] && is[t->frame[n]])
			place[n] = IS_IT;
		else if (place[t->parent[n]] >= IS_IT)
			place[n] = BELOW;
		for (uint32_t up = t->parent[n]; place[n] == IS_IT && !place[up];
			up = t->parent[up])
			place[up] = ABOVE;
	}
	free(is);
	return place;
}

struct cr_tree *
cr_around_tree(const struct cr_tree *t, struct cr_str function)
{
	uint32_t *frame = cr_alloc(t->n, sizeof(*frame)), one = CR_NO_ROW;
	uint8_t *above = cr_tree_above(t), *place = places_of(t, function, above);
	uint8_t *lost = cr_alloc(t->n, 1), *skip = cr_alloc(t->n, 1);
	const struct cr_tree_change change = {.frame = frame, .lost = lost, .skip = skip};
	struct cr_tree *out;

	for (uint32_t n = 0; n < t->n; n++) {
		if (place[n] == IS_IT && one == CR_NO_ROW)
			one = t->frame[n];
		lost[n] = place[n] < IS_IT;
		skip[n] = n && !place[n];
		frame[n] = place[n] == IS_IT ? one : t->frame[n];
		if (n && (above[n] || !place[n]))
			frame[n] = CR_TREE_SAME;
	}
	out = cr_tree_derive(t, &change, NULL);
	free(lost);
	free(skip);
	free(place);
	free(above);
	free(frame);
	return out;
}
