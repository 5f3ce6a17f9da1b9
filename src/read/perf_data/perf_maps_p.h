#ifndef CR_READ_PERF_DATA_PERF_MAPS_P_H
#define CR_READ_PERF_DATA_PERF_MAPS_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "model/profile.h"

#include <stdbool.h>

/* The mappings of an address space, sorted by address, without overlap. */
struct perf_map {
	uint64_t start, end; /* absolute, [start, end) */
	uint64_t pgoff;      /* address within the dso of start */
	cr_dso_id dso;
	uint32_t alike_at;   /* position in the list of the maps of its dso, if there are lists */
	uint32_t next_free1; /* in a free element of the pool: the next free one, + 1 */
	bool identity;       /* addresses of the dso are absolute: kernel, JIT code */
	/* memory without a file, which may contain code of a jitdump; identity maps count too. */
	bool memory;
	bool code; /* it was mapped executable */
	bool twin; /* the space maps some of the same bytes of the dso a second time */
};

/* The maps of one dso, in any order, by their position in the pool. */
struct perf_alike {
	cr_dso_id dso;
	CR_VEC(uint32_t) places;
};

/* Mappings of a space, shared with forked ones that have not changed them. */
struct perf_maps {
	uint32_t refs;
	uint32_t free1; /* first free element of the pool, + 1 */
	/*
	 * Indices of maps sorted by start, without overlap: an insertion moves only 4 bytes for
	 * each map after it.
	 */
	CR_VEC(uint32_t) order;
	CR_VEC(struct perf_map) pool;
	/*
	 * Lists of maps by dso, made when they are first needed: a forked process often maps
	 * nothing.
	 */
	bool listed;
	CR_VEC(struct perf_alike) alike;
	struct cr_index alike_index; /* by dso */
};

/* New maps with one reference; they are freed with the last one. */
struct perf_maps *cr_perf_maps_new(void);
struct perf_maps *cr_perf_maps_ref(struct perf_maps *maps); /* maps: may be NULL */
void cr_perf_maps_unref(struct perf_maps *maps);            /* maps: may be NULL */

/* Copy the maps of `from` to `to`, which has none. Each keeps its position in the pool. */
void cr_perf_maps_copy(struct perf_maps *to, const struct perf_maps *from);

/* Insert a copy of *map as the at-th map. */
void cr_perf_maps_insert(struct perf_maps *maps, size_t at, const struct perf_map *map);
void cr_perf_maps_remove(struct perf_maps *maps, size_t at);

/* The maps of a dso; NULL if there never was one. Valid until the maps change. */
const struct perf_alike *cr_perf_maps_alike(struct perf_maps *maps, cr_dso_id dso);

#endif
