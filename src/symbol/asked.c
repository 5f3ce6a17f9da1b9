#include "asked_p.h"

#include "base/mem.h"

#include <stdlib.h>

/* About as many slices as spots, so that a lookup takes a step or two. */
static void
cut_slices(struct cr_asked *a)
{
	const uint64_t span = a->spots[a->n - 1].addr - a->base;
	size_t slice = 0;

	while (span >> a->shift >= a->n)
		a->shift++;
	a->n_slices = (size_t)(span >> a->shift) + 1;
	a->slices = cr_alloc(a->n_slices + 1, sizeof(*a->slices));
	for (size_t i = 0; i < a->n; i++)
		for (; slice <= (a->spots[i].addr - a->base) >> a->shift; slice++)
			a->slices[slice] = (uint32_t)i;
	a->slices[slice] = (uint32_t)a->n;
}

void
cr_asked_init(struct cr_asked *a, const struct cr_addrkey *keys, size_t n, uint64_t also)
{
	const size_t before = cr_addrkey_from(keys, n, also);

	*a = (struct cr_asked){.spots = cr_alloc(n + 1, sizeof(*a->spots)), .n = n + 1};
	a->after = a->after_first = UINT64_MAX;
	for (size_t i = 0; i <= n; i++) {
		a->spots[i].addr = i < before    ? keys[i].addr
				   : i == before ? also
						 : keys[i - 1].addr;
		a->spots[i].low = UINT64_MAX;
	}
	a->base = a->spots[0].addr;
	cut_slices(a);
}

/* The first spot at addr or above; n if there is none. */
static size_t
first_from(const struct cr_asked *a, uint64_t addr)
{
	const uint64_t slice = addr < a->base ? 0 : (addr - a->base) >> a->shift;
	size_t lo, hi;

	if (slice >= a->n_slices)
		return a->n;
	lo = a->slices[slice];
	hi = a->slices[slice + 1];
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (a->spots[mid].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool
cr_asked_scan(struct cr_asked *a, uint64_t start, uint64_t end, bool first_table)
{
	const size_t i = first_from(a, start);
	struct cr_asked_spot *spot = &a->spots[i];

	if (i == a->n) {
		const bool lowest = start <= a->after || start <= a->after_first;

		a->after = CR_MIN(a->after, start);
		if (first_table)
			a->after_first = CR_MIN(a->after_first, start);
		return lowest;
	}
	if (first_table)
		spot->last = CR_MAX(spot->last, start);
	if (end > spot->addr) {
		spot->low = CR_MIN(spot->low, start);
		spot->reach = CR_MAX(spot->reach, end);
	}
	return start >= spot->last;
}

/* What was stored at the first spot after each start applies to the following ones too. */
bool
cr_asked_scan_done(struct cr_asked *a)
{
	uint64_t low = UINT64_MAX, reach = 0, last = 0;
	bool overlap = false;

	for (size_t i = 0; i < a->n; i++) {
		struct cr_asked_spot *spot = &a->spots[i];

		if (reach <= spot->addr)
			low = UINT64_MAX;
		low = CR_MIN(low, spot->low);
		reach = CR_MAX(reach, spot->reach);
		last = CR_MAX(last, spot->last);
		overlap = overlap || low < last;
		spot->low = CR_MIN(low, last);
	}
	return overlap;
}

bool
cr_asked_needs(const struct cr_asked *a, uint64_t start)
{
	const size_t i = first_from(a, start);

	return i < a->n ? start >= a->spots[i].low : start == a->after || start == a->after_first;
}

void
cr_asked_fini(struct cr_asked *a)
{
	free(a->slices);
	free(a->spots);
	*a = (struct cr_asked){0};
}
