#include "line_cache_p.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS ((size_t)4096)

void
cr_line_cache_init(struct cr_line_cache *s)
{
	*s = (struct cr_line_cache){.mask = FIRST_SLOTS - 1, .seed = cr_hash_seed()};
	s->slots = cr_alloc(FIRST_SLOTS, sizeof(*s->slots));
}

void
cr_line_cache_fini(struct cr_line_cache *s)
{
	free(s->slots);
	*s = (struct cr_line_cache){0};
}

static void
grow(struct cr_line_cache *s)
{
	struct cr_line_cache_slot *old = s->slots;
	const size_t n = s->mask + 1;

	s->mask = n * 2 - 1;
	s->slots = cr_alloc(n * 2, sizeof(*s->slots));
	for (size_t i = 0; i < n; i++)
		if (old[i].row1)
			*cr_line_cache_slot(s, old[i].hash) = old[i];
	free(old);
}

static void
empty(struct cr_line_cache *s)
{
	memset(s->slots, 0, (s->mask + 1) * sizeof(*s->slots));
	s->n = 0;
}

void
cr_line_cache_add(struct cr_line_cache *s, struct cr_line_cache_slot *free_slot,
	struct cr_hash128 h, uint32_t row, uint32_t more)
{
	*free_slot = (struct cr_line_cache_slot){h, row + 1, more};
	if (++s->n <= s->mask / 3 * 2)
		return;
	if (s->most && s->mask + 1 >= s->most)
		empty(s);
	else
		grow(s);
}
