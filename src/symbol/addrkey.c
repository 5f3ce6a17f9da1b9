#include "addrkey_p.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define FEW 48 /* up to this number insertion sort is faster than counting digits */
#define DIGIT_BITS 11
#define DIGITS ((size_t)1 << DIGIT_BITS)

/* Number of keys at the front that are sorted. */
static size_t
count_sorted(const struct cr_addrkey *keys, size_t n)
{
	size_t i = 1;

	while (i < n && keys[i - 1].addr <= keys[i].addr)
		i++;
	return i;
}

static void
sort_few(struct cr_addrkey *keys, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const struct cr_addrkey key = keys[i];
		size_t at = i;

		for (; at > 0 && keys[at - 1].addr > key.addr; at--)
			keys[at] = keys[at - 1];
		keys[at] = key;
	}
}

/* Sort by one digit, the bits from shift on, from one array to another. */
static void
sort_digit(const struct cr_addrkey *from, struct cr_addrkey *to, size_t n, unsigned shift)
{
	uint32_t at[DIGITS] = {0}, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[(from[i].addr >> shift) % DIGITS]++;
	for (size_t i = 0; i < DIGITS; i++) {
		const uint32_t here = at[i];

		at[i] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		to[at[(from[i].addr >> shift) % DIGITS]++] = from[i];
}

/*
 * Radix sort, lowest digit first, of the bits that differ between keys: usually three digits. Some
 * dsos have half a million symbols, and qsort() took most of the time.
 */
static void
sort_many(struct cr_addrkey *keys, size_t n)
{
	struct cr_addrkey *from = keys, *to = cr_realloc(NULL, n, sizeof(*to)), *spare = to;
	uint64_t differ = 0;

	for (size_t i = 1; i < n; i++)
		differ |= keys[i].addr ^ keys[0].addr;
	for (unsigned shift = 0; shift < 64 && differ >> shift; shift += DIGIT_BITS) {
		if ((differ >> shift) % DIGITS == 0)
			continue;
		sort_digit(from, to, n, shift);
		to = from;
		from = from == keys ? spare : keys;
	}
	if (from == spare)
		memcpy(keys, spare, n * sizeof(*spare));
	free(spare);
}

/* keys[0] to keys[head - 1] are sorted, and so are the others; merge them. */
static void
merge(struct cr_addrkey *keys, size_t head, size_t n)
{
	size_t tail = n - head;
	struct cr_addrkey *behind = cr_realloc(NULL, tail, sizeof(*behind));

	memcpy(behind, keys + head, tail * sizeof(*behind));
	while (tail > 0) {
		if (head > 0 && keys[head - 1].addr > behind[tail - 1].addr)
			keys[--n] = keys[--head];
		else
			keys[--n] = behind[--tail];
	}
	free(behind);
}

void
cr_addrkey_sort(struct cr_addrkey *keys, size_t n)
{
	size_t head;

	if (n <= FEW) {
		sort_few(keys, n);
		return;
	}
	head = count_sorted(keys, n);
	if (head < n / 4)
		head = 0;
	if (head == n)
		return;
	if (n - head <= FEW)
		sort_few(keys + head, n - head);
	else
		sort_many(keys + head, n - head);
	if (head > 0)
		merge(keys, head, n);
}

size_t
cr_addrkey_from(const struct cr_addrkey *keys, size_t n, uint64_t addr)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (keys[mid].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
