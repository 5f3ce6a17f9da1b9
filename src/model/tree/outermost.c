#include "model/tree/outermost.h"

#include "model/tree/default_tree.h"

static bool
has_inlined(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_functions; i++)
		if (p->functions[i].addr == CR_ADDR_INLINED)
			return true;
	return false;
}

void
cr_outermost(struct cr_profile *p)
{
	struct cr_location *locations;

	if (!has_inlined(p))
		return;
	if (p->default_tree)
		cr_default_tree_outermost(p);
	if (!p->n_locations)
		return;
	locations = cr_arena_array(&p->arena, p->n_locations, sizeof(*locations));
	memcpy(locations, p->locations, p->n_locations * sizeof(*locations));
	for (uint32_t i = 0; i < p->n_locations; i++) {
		locations[i].first_line += locations[i].lines - 1u;
		locations[i].lines = 1;
	}
	p->locations = locations;
}
