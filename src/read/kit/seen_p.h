#ifndef CR_READ_KIT_SEEN_P_H
#define CR_READ_KIT_SEEN_P_H

#include "base/hash.h"

#include <stdbool.h>

/*
 * Texts that were read before, and what they were read as: a look-up by the hash of their bytes,
 * which are not kept. 128 bits with a random seed do not meet by chance or on purpose.
 */
struct cr_seen {
	struct cr_seen_slot {
		struct cr_hash128 hash;
		uint32_t row1; /* what it was read as, + 1; 0 is a free slot */
		uint32_t more; /* the reader's */
	} * slots;
	size_t mask, n; /* slots - 1, used */
	uint64_t seed;
	uint32_t asked, met; /* of the look-ups that cr_seen_met() was told of */
	uint32_t idle;       /* how many times still cr_seen_pays() says no */
};

void cr_seen_init(struct cr_seen *s);
void cr_seen_fini(struct cr_seen *s);

static inline struct cr_hash128
cr_seen_hash(const struct cr_seen *s, const char *p, size_t len)
{
	return cr_hash128(p, len, s->seed);
}

/* Ask the processor to fetch the slot where a search begins. */
static inline void
cr_seen_prefetch(const struct cr_seen *s, struct cr_hash128 h)
{
	__builtin_prefetch(&s->slots[(size_t)h.lo & s->mask]);
}

/* The slot of h, or the free one that it would get. Good until cr_seen_add(). */
static inline struct cr_seen_slot *
cr_seen_slot(const struct cr_seen *s, struct cr_hash128 h)
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
#define CR_SEEN_ASKED 4096u

static inline bool
cr_seen_pays(struct cr_seen *s)
{
	if (!s->idle)
		return true;
	s->idle--;
	return false;
}

static inline void
cr_seen_met(struct cr_seen *s, bool met)
{
	s->met += met;
	if (++s->asked < CR_SEEN_ASKED)
		return;
	s->idle = s->met < CR_SEEN_ASKED / 16 ? CR_SEEN_ASKED * 16 : 0;
	s->asked = s->met = 0;
}

/* Take a free slot that cr_seen_slot() gave. */
void cr_seen_add(struct cr_seen *s, struct cr_seen_slot *free_slot, struct cr_hash128 h,
	uint32_t row, uint32_t more);

#endif
