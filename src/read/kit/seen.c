#include "seen_p.h"

#include "base/mem.h"

#include <stdlib.h>

#define FIRST_SLOTS ((size_t)4096)

void
cr_seen_init(struct cr_seen *s)
{
	*s = (struct cr_seen){.mask = FIRST_SLOTS - 1, .seed = cr_hash_seed()};
	s->slots = cr_alloc(FIRST_SLOTS, sizeof(*s->slots));
}

void
cr_seen_fini(struct cr_seen *s)
{
	free(s->slots);
	*s = (struct cr_seen){0};
}

static void
grow(struct cr_seen *s)
{
	struct cr_seen_slot *old = s->slots;
	const size_t n = s->mask + 1;

	s->mask = n * 2 - 1;
	s->slots = cr_alloc(n * 2, sizeof(*s->slots));
	for (size_t i = 0; i < n; i++)
		if (old[i].row1)
			*cr_seen_slot(s, old[i].hash) = old[i];
	free(old);
}

void
cr_seen_add(struct cr_seen *s, struct cr_seen_slot *free_slot, struct cr_hash128 h, uint32_t row,
	uint32_t more)
{
	*free_slot = (struct cr_seen_slot){h, row + 1, more};
	if (++s->n > s->mask / 3 * 2)
		grow(s);
}
