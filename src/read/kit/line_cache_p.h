#ifndef CR_READ_KIT_LINE_CACHE_P_H
#define CR_READ_KIT_LINE_CACHE_P_H

#include "base/hash.h"

#include <stdbool.h>

/*
 * Texts that were read before, and what they were read as: a look-up by the hash of their bytes,
 * which are not kept. 128 bits with a random seed do not meet by chance or on purpose.
 */
struct cr_line_cache {
	struct cr_line_cache_slot {
		struct cr_hash128 hash;
		uint32_t row1; /* what it was read as, + 1; 0 is a free slot */
		uint32_t more; /* the reader's */
	} * slots;
	size_t mask, n; /* slots - 1, used */
	uint64_t seed;
	uint32_t asked, met; /* of the look-ups that cr_line_cache_met() was told of */
	uint32_t idle;       /* how many times still cr_line_cache_pays() says no */
};

void cr_line_cache_init(struct cr_line_cache *s);
void cr_line_cache_fini(struct cr_line_cache *s);

static inline struct cr_hash128
cr_line_cache_hash(const struct cr_line_cache *s, const char *p, size_t len)
{
	return cr_hash128(p, len, s->seed);
}

/* Ask the processor to fetch the slot where a search begins. */
static inline void
cr_line_cache_prefetch(const struct cr_line_cache *s, struct cr_hash128 h)
{
	__builtin_prefetch(&s->slots[(size_t)h.lo & s->mask]);
}

/* The slot of h, or the free one that it would get. Good until cr_line_cache_add(). */
static inline struct cr_line_cache_slot *
cr_line_cache_slot(const struct cr_line_cache *s, struct cr_hash128 h)
{
	size_t at = (size_t)h.lo & s->mask;

	while (s->slots[at].row1 && (s->slots[at].hash.lo != h.lo || s->slots[at].hash.hi != h.hi))
		at = (at + 1) & s->mask;
	return &s->slots[at];
}

/*
 * Does it pay to ask? Where hardly anything comes twice the answer is no for most of the time. Who
 * heeds that tells of each look-up how it went.
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
cr_line_cache_met(struct cr_line_cache *s, bool met)
{
	s->met += met;
	if (++s->asked < CR_LINE_CACHE_ASKED)
		return;
	s->idle = s->met < CR_LINE_CACHE_ASKED / 16 ? CR_LINE_CACHE_ASKED * 16 : 0;
	s->asked = s->met = 0;
}

/* Take a free slot that cr_line_cache_slot() gave. */
void cr_line_cache_add(struct cr_line_cache *s, struct cr_line_cache_slot *free_slot,
	struct cr_hash128 h, uint32_t row, uint32_t more);

#endif
