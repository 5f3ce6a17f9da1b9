#include "base/hash.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <xxhash.h>

/* Up to this size a table grows fourfold: empty slots are cheap, and it is rehashed less often. */
#define LARGE_TABLE ((uint32_t)1 << 18)

uint64_t cr_hash_keys[2];

__attribute__((constructor)) static void
choose_keys(void)
{
	cr_hash_keys[0] = cr_hash_seed();
	cr_hash_keys[1] = cr_hash_seed();
}

uint64_t
cr_hash(const void *p, size_t len)
{
	return XXH3_64bits_withSeed(len ? p : "", len, cr_hash_keys[0]);
}

uint64_t
cr_digest(const void *p, size_t len)
{
	return XXH3_64bits(len ? p : "", len);
}

struct cr_hash128
cr_hash128(const void *p, size_t len, uint64_t seed)
{
	const XXH128_hash_t h = XXH3_128bits_withSeed(len ? p : "", len, seed);

	return (struct cr_hash128){h.low64, h.high64};
}

uint64_t
cr_hash_seed(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != (ssize_t)sizeof(seed))
		seed = (uint64_t)time(NULL) ^ (uint64_t)(uintptr_t)&seed;
	return seed;
}

/*
 * A large table is a mapping of its own: the system provides it in large pages, which are zero, and
 * takes them back when the table has grown.
 */
static bool
is_mapped(uint32_t size)
{
	return size > LARGE_TABLE;
}

static struct cr_index_slot *
slots_new(uint32_t size)
{
	const uint64_t bytes = (uint64_t)size * sizeof(struct cr_index_slot);
	struct cr_index_slot *slots;

	if (!is_mapped(size))
		return cr_alloc(size, sizeof(*slots));
	slots = cr_try_map(bytes);
	if (!slots)
		cr_out_of_memory(size, sizeof(*slots));
	return slots;
}

static void
slots_free(struct cr_index_slot *slots, uint32_t size)
{
	if (slots && is_mapped(size))
		munmap(slots, (size_t)size * sizeof(*slots));
	else
		free(slots);
}

static void
index_put(struct cr_index *ix, uint32_t at, uint32_t tag, uint32_t row1)
{
	while (ix->slots[at].row1)
		at = (at + 1) & ix->mask;
	ix->slots[at] = (struct cr_index_slot){tag, row1};
}

/*
 * Growing moves rows to slots of a new table, but a slot does not store the lower half of the hash.
 * So slots are chosen by the upper half, the tag; see cr_index_first().
 */
static void
index_grow(struct cr_index *ix)
{
	const struct cr_index old = *ix;
	const uint32_t size = old.slots ? (old.mask + 1) * (old.mask < LARGE_TABLE ? 4 : 2) : 64;

	ix->slots = slots_new(size);
	ix->mask = size - 1;
	if (!old.slots)
		return;
	for (uint32_t i = 0; i <= old.mask; i++)
		if (old.slots[i].row1)
			index_put(ix, old.slots[i].tag & ix->mask, old.slots[i].tag,
				old.slots[i].row1);
	slots_free(old.slots, old.mask + 1);
}

void
cr_index_add(struct cr_index *ix, uint64_t h, uint32_t row)
{
	const uint32_t tag = (uint32_t)(h >> 32);

	if (!ix->slots || ix->used >= ix->mask / 4 * 3)
		index_grow(ix);
	index_put(ix, tag & ix->mask, tag, row + 1);
	ix->used++;
}

void
cr_index_fini(struct cr_index *ix)
{
	slots_free(ix->slots, ix->mask + 1);
	*ix = (struct cr_index){0};
}
