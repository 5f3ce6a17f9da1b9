#ifndef CR_STORE_FORMAT_TICKS_P_H
#define CR_STORE_FORMAT_TICKS_P_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Times in ns of a clock that counts ticks of another length: 10.02 ns, 41.67 ns or 52.08 ns on
 * many processors. The number of ticks between two times has three to six bits less than the
 * nanoseconds. A time is what the ticks since the previous one take, rounded down, and what that is
 * wrong by: 0 of nearly all.
 */
struct cr_ticks {
	uint64_t size; /* of a tick in ns, times 2^32 */
	uint32_t part; /* what was rounded off so far, times 2^32 */
};

#define CR_TICKS_LEAST ((uint64_t)2 << 32) /* a size is at least this, and less than the other */
#define CR_TICKS_MOST ((uint64_t)1 << 42)
#define CR_TICKS_PART ((uint32_t)1 << 31) /* of the first time */

/* The ns that so many more ticks take. */
static inline uint64_t
cr_ticks_take(struct cr_ticks *c, uint32_t ticks)
{
	const uint64_t part = (c->size & UINT32_MAX) * ticks + c->part;

	c->part = (uint32_t)part;
	return (c->size >> 32) * ticks + (part >> 32);
}

#define CR_TICKS_MARGIN ((uint32_t)1 << 26)

/*
 * The time was later than that by `by`, as a signed number. What was rounded off is near the limit
 * that it has just passed, but not at it, or the next small error would pass it again.
 */
static inline void
cr_ticks_correct(struct cr_ticks *c, uint64_t by)
{
	if (by)
		c->part = by >> 63 ? 0 - CR_TICKS_MARGIN : CR_TICKS_MARGIN;
}

/* The ticks since the previous time, after which `ns` passed; what these are wrong by is small. */
uint32_t cr_ticks_of(const struct cr_ticks *c, uint64_t ns);

/*
 * The size of a tick of the clock that n times are of; 0 if they show none, or if one is earlier
 * than the one before. It looks at some of them.
 */
uint64_t cr_ticks_find(const uint64_t *v, uint32_t n);

#endif
