#include "model/columns.h"

/* First row of the maps that belong to this space or a later one. */
static uint32_t
maps_of_space(const struct cr_profile *p, uint32_t space)
{
	uint32_t lo = 0, hi = p->n_maps;

	while (lo < hi) {
		const uint32_t mid = lo + (hi - lo) / 2;

		if (p->maps[mid].space.i < space)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct cr_map *
cr_profile_map_at(const struct cr_profile *p, uint64_t row, uint64_t addr)
{
	uint32_t space, first, lo, hi;

	cr_needed(p, CR_NEEDS_MAPS);
	space = p->tasks[cr_column_tasks(p)[row]].space.i;
	lo = first = maps_of_space(p, space);
	hi = space == UINT32_MAX ? p->n_maps : maps_of_space(p, space + 1);
	while (lo < hi) { /* the first that starts above the address */
		const uint32_t mid = lo + (hi - lo) / 2;

		if (p->maps[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo-- > first) {
		const struct cr_map *m = &p->maps[lo];

		if (addr < m->end && row >= m->born && row < m->died)
			return m;
	}
	return NULL;
}

uint64_t
cr_profile_ip(const struct cr_profile *p, uint64_t row, uint32_t node)
{
	const struct cr_location *l;
	uint32_t space;
	uint16_t ordinal;
	uint8_t kind;

	cr_needed(p, CR_NEEDS_TREE | CR_NEEDS_MAPS);
	if (node == 0)
		return 0;
	l = &p->locations[p->node_location[node]];
	kind = p->dsos[l->dso.i].kind;
	if (kind != CR_KIND_USER && kind != CR_KIND_VDSO && kind != CR_KIND_JIT)
		return l->addr;
	ordinal = l->ordinal & (uint16_t)~CR_ORDINAL_RETURN;
	space = p->tasks[cr_column_tasks(p)[row]].space.i;
	for (uint32_t i = maps_of_space(p, space); i < p->n_maps && p->maps[i].space.i == space;
		i++) {
		const struct cr_map *m = &p->maps[i];

		if (m->dso.i != l->dso.i || row < m->born || row >= m->died)
			continue;
		if (l->addr < m->pgoff || l->addr - m->pgoff >= m->end - m->start)
			continue;
		if (ordinal-- == 0)
			return m->start + (l->addr - m->pgoff);
	}
	return l->addr;
}
