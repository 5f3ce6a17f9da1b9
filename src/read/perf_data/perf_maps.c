#include "perf_maps_p.h"

#include <string.h>

struct perf_maps *
cr_perf_maps_new(void)
{
	struct perf_maps *maps = cr_alloc(1, sizeof(*maps));

	maps->refs = 1;
	return maps;
}

struct perf_maps *
cr_perf_maps_ref(struct perf_maps *maps)
{
	if (maps)
		maps->refs++;
	return maps;
}

void
cr_perf_maps_unref(struct perf_maps *maps)
{
	if (!maps || --maps->refs)
		return;
	cr_vec_fini(&maps->order);
	cr_vec_fini(&maps->pool);
	for (size_t i = 0; i < maps->alike.n; i++)
		cr_vec_fini(&maps->alike.p[i].places);
	cr_vec_fini(&maps->alike);
	cr_index_fini(&maps->alike_index);
	free(maps);
}

void
cr_perf_maps_copy(struct perf_maps *to, const struct perf_maps *from)
{
	to->free1 = from->free1;
	cr_vec_reserve(&to->order, from->order.n + 1);
	cr_vec_reserve(&to->pool, from->pool.n + 1);
	for (size_t i = 0; i < from->order.n; i++)
		cr_vec_push(&to->order, from->order.p[i]);
	for (size_t i = 0; i < from->pool.n; i++)
		cr_vec_push(&to->pool, from->pool.p[i]);
}

/* ---- lists of the maps of a dso */

static uint64_t
dso_hash(cr_dso_id dso)
{
	return cr_hash_mix(dso.i, 0);
}

static struct perf_alike *
alike_find(struct perf_maps *maps, cr_dso_id dso)
{
	uint32_t row;

	cr_index_each(&maps->alike_index, dso_hash(dso), row)
		if (maps->alike.p[row].dso.i == dso.i)
			return &maps->alike.p[row];
	return NULL;
}

/* Add the map at this position of the pool to the list of its dso. */
static void
alike_link(struct perf_maps *maps, uint32_t place)
{
	struct perf_map *m = &maps->pool.p[place];
	struct perf_alike *a = alike_find(maps, m->dso);

	if (!a) {
		cr_index_add(&maps->alike_index, dso_hash(m->dso), (uint32_t)maps->alike.n);
		cr_vec_push(&maps->alike, ((struct perf_alike){.dso = m->dso}));
		a = &maps->alike.p[maps->alike.n - 1];
	}
	m->alike_at = (uint32_t)a->places.n;
	cr_vec_push(&a->places, place);
}

static void
alike_unlink(struct perf_maps *maps, uint32_t place)
{
	const struct perf_map *m = &maps->pool.p[place];
	struct perf_alike *a = alike_find(maps, m->dso);
	const uint32_t last = a->places.p[--a->places.n];

	a->places.p[m->alike_at] = last;
	maps->pool.p[last].alike_at = m->alike_at;
}

const struct perf_alike *
cr_perf_maps_alike(struct perf_maps *maps, cr_dso_id dso)
{
	for (size_t i = 0; !maps->listed && i < maps->order.n; i++)
		alike_link(maps, maps->order.p[i]);
	maps->listed = true;
	return alike_find(maps, dso);
}

/* ---- changes */

void
cr_perf_maps_insert(struct perf_maps *maps, size_t at, const struct perf_map *map)
{
	uint32_t place = maps->free1 - 1;

	if (maps->free1) {
		maps->free1 = maps->pool.p[place].next_free1;
		maps->pool.p[place] = *map;
	} else {
		place = (uint32_t)maps->pool.n;
		cr_vec_push(&maps->pool, *map);
	}
	cr_vec_push(&maps->order, 0);
	memmove(maps->order.p + at + 1, maps->order.p + at,
		(maps->order.n - 1 - at) * sizeof(*maps->order.p));
	maps->order.p[at] = place;
	if (maps->listed)
		alike_link(maps, place);
}

void
cr_perf_maps_remove(struct perf_maps *maps, size_t at)
{
	const uint32_t place = maps->order.p[at];

	if (maps->listed)
		alike_unlink(maps, place);
	maps->pool.p[place].next_free1 = maps->free1;
	maps->free1 = place + 1;
	maps->order.n--;
	memmove(maps->order.p + at, maps->order.p + at + 1,
		(maps->order.n - at) * sizeof(*maps->order.p));
}
