#ifndef CR_READ_KIT_LINE_CACHE_P_H
#define CR_READ_KIT_LINE_CACHE_P_H

#include "base/hash.h"

#include <stdbool.h>

/*
 * A cache of texts that were read before, and their results. The lookup uses a hash; the bytes are
 * not kept. 128 bits with a random seed do not collide by chance or on purpose.
 */
struct cr_line_cache {
	struct cr_line_cache_slot {
		struct cr_hash128 hash;
		uint32_t row1; /* the result, + 1; 0 is a free slot */
		uint32_t more; /* free for the reader */
	} * slots;
	size_t mask, n; /* slots - 1; used slots */
	/*
	 * Set by the owner: a cache of at least so many slots is emptied when it is full, instead
	 * of growing; 0 lets it grow without limit.
	 */
	size_t most;
	uint64_t seed;
	/*
	 * Set by the owner: number of lookups after which cr_line_cache_count() decides; 0 for
	 * CR_LINE_CACHE_ASKED.
	 */
	uint32_t trial;
	uint32_t asked, found; /* counted by cr_line_cache_count() */
	uint32_t idle;         /* number of times that cr_line_cache_pays() still returns false */
};

/* An empty cache, with a random seed. */
void cr_line_cache_init(struct cr_line_cache *s);
void cr_line_cache_fini(struct cr_line_cache *s);

static inline struct cr_hash128
cr_line_cache_hash(const struct cr_line_cache *s, const char *p, size_t len)
{
	return cr_hash128(p, len, s->seed);
}

/* Prefetch the slot where a lookup of h begins. */
static inline void
cr_line_cache_prefetch(const struct cr_line_cache *s, struct cr_hash128 h)
{
	__builtin_prefetch(&s->slots[(size_t)h.lo & s->mask]);
}

/* The slot of h, or the free one where it can be added. Valid until cr_line_cache_add(). */
static inline struct cr_line_cache_slot *
cr_line_cache_slot(const struct cr_line_cache *s, struct cr_hash128 h)
{
	size_t at = (size_t)h.lo & s->mask;

	while (s->slots[at].row1 && (s->slots[at].hash.lo != h.lo || s->slots[at].hash.hi != h.hi))
		at = (at + 1) & s->mask;
	return &s->slots[at];
}

/*
 * True while the hit rate is high enough for the cache to be worth using. If it is low, the cache
 * is tried again from time to time. Callers that use this report the result of each lookup with
 * cr_line_cache_count().
 */
#define CR_LINE_CACHE_ASKED 4096u

static inline bool
cr_line_cache_pays(struct cr_line_cache *s)
{
	if (!s->idle)
		return true;
	s->idle--;
	return false;
}

static inline void
cr_line_cache_count(struct cr_line_cache *s, bool found)
{
	const uint32_t trial = s->trial ? s->trial : CR_LINE_CACHE_ASKED;

	s->found += found;
	if (++s->asked < trial)
		return;
	s->idle = s->found < trial / 16 ? trial * 16 : 0;
	s->asked = s->found = 0;
}

/* Fill a free slot returned by cr_line_cache_slot(). */
void cr_line_cache_add(struct cr_line_cache *s, struct cr_line_cache_slot *free_slot,
	struct cr_hash128 h, uint32_t row, uint32_t more);

#endif
