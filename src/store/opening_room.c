#include "opening_p.h"

#include <sys/mman.h>

#include "base/mapped_vector.h"
#include "base/mem.h"

/*
 * Allocations from this size on are mapped, so that they are zero without writing zeros. Huge pages
 * were tried: on a virtual machine whose host had to find them, they cost four times what they
 * saved.
 */
#define LARGE_BYTES ((uint64_t)4 << 20)

static bool
may_ask(struct cr_opening *o, uint64_t count, size_t size, struct cr_err *err)
{
	uint64_t bytes;

	if (!cr_mul_ok(count, size, &bytes) || bytes > o->budget) {
		cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"%llu items of %zu bytes are too many for a store this small",
			(unsigned long long)count, size);
		return false;
	}
	o->budget -= bytes;
	return true;
}

static void *
no_memory(uint64_t count, size_t size, struct cr_err *err)
{
	cr_fail(err, CR_EMEM, CR_NO_OFFSET, "no memory for %llu items of %zu bytes",
		(unsigned long long)count, size);
	return NULL;
}

void *
cr_opening_heap(struct cr_opening *o, uint64_t count, size_t size, struct cr_err *err)
{
	void *p;

	if (!may_ask(o, count, size, err))
		return NULL;
	p = cr_try_alloc(count, size);
	return p ? p : no_memory(count, size, err);
}

void *
cr_opening_room(struct cr_opening *o, uint64_t count, size_t size, struct cr_err *err)
{
	const uint64_t bytes = count * size; /* cannot overflow: may_ask() checked it */
	void *p;

	if (!may_ask(o, count, size, err))
		return NULL;
	if ((size_t)bytes != bytes)
		return no_memory(count, size, err);
	if (bytes < LARGE_BYTES) {
		p = cr_try_alloc(count, size);
		return p ? cr_arena_adopt(&o->p->arena, p) : no_memory(count, size, err);
	}
	p = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return no_memory(count, size, err);
	return cr_arena_adopt_mapping(&o->p->arena, p, (size_t)bytes);
}

/*
 * A column of this many bytes is in a file: loops over the samples drop the pages that they have
 * passed, so that it takes no memory while it is not read.
 */
#define COLUMN_FILE_FROM ((uint64_t)8 << 20)

void *
cr_opening_room_filed(
	struct cr_opening *o, uint64_t count, size_t size, int *file1, struct cr_err *err)
{
	uint64_t bytes;
	void *p = NULL;
	int fd;

	*file1 = 0;
	if (cr_mul_ok(count, size, &bytes) && bytes >= COLUMN_FILE_FROM && bytes <= o->budget)
		p = cr_mapped_vector_room((size_t)bytes, &fd);
	if (!p)
		return cr_opening_room(o, count, size, err);
	*file1 = fd + 1;
	o->budget -= bytes;
	return cr_arena_adopt_mapping(&o->p->arena, p, (size_t)bytes);
}
