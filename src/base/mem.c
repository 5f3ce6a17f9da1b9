#include "base/mem.h"

#include "base/sanitizer.h"

#include <limits.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ARENA_BLOCK ((size_t)256 << 10)
#define ARENA_FIRST ((size_t)128)
#define ARENA_ALIGN ((size_t)16)

struct cr_arena_block {
	struct cr_arena_block *prev;
	void *heap;        /* adopted memory, freed with the block; usually NULL */
	size_t mapped;     /* size of a mapping; 0 if heap came from malloc() */
	size_t used, size; /* of data */
	_Alignas(16) unsigned char data[];
};

static cr_mem_failure *failure;
static uintptr_t heap_from;          /* where the heap begins, if large pages are wanted for it */
static _Atomic uintptr_t heap_known; /* where it ended when they were asked for */

void
cr_mem_on_failure(cr_mem_failure *fn)
{
	failure = fn;
}

void
cr_out_of_memory(uint64_t count, size_t size)
{
	if (failure)
		failure(count, size);
	abort();
}

void
cr_mem_trim(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
	heap_known = 0; /* what it grows by next has no large pages yet */
#endif
}

/* True if the count exceeds the address space. */
static bool
is_too_many(uint64_t count)
{
	return (size_t)count != count;
}

void *
cr_alloc(uint64_t count, size_t size)
{
	void *p = cr_try_alloc(count, size);

	if (!p)
		cr_out_of_memory(count, size);
	return p;
}

/* From this size on, memory comes from the system as a mapping of its own. */
#define LARGE_BYTES ((size_t)4 << 20)

/*
 * A table of many megabytes is faulted in with a hundredth of the page faults then, and lookups in
 * it do not wait for page tables, too. Advised are all pages that hold a part of it: the page with
 * the header of malloc() left out would split the mapping, and mremap(), by which realloc() moves
 * large memory without a copy, refuses memory of two mappings.
 */
void
cr_mem_large_pages(void *p, size_t bytes)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t from = (uintptr_t)p & ~(page - 1);
	const uintptr_t to = ((uintptr_t)p + bytes + page - 1) & ~(page - 1);

	if (p && bytes >= LARGE_BYTES)
		madvise((void *)from, to - from, MADV_HUGEPAGE);
}

#define HEAP_BYTES ((size_t)256 << 10)

void
cr_mem_large_heap(void)
{
#if defined(__GLIBC__) && !CR_SANITIZED
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	heap_from = ((uintptr_t)sbrk(0) + page - 1) & ~(page - 1);
#endif
}

/*
 * Each growth of the heap is a mapping without large pages at first. A program that asks for
 * nothing of this size never needs them.
 */
static void
heap_grew(size_t bytes)
{
	uintptr_t end;

	if (!heap_from || bytes < HEAP_BYTES || bytes >= LARGE_BYTES)
		return;
	end = (uintptr_t)sbrk(0);
	if (end <= heap_from || atomic_exchange(&heap_known, end) == end)
		return;
	madvise((void *)heap_from, end - heap_from, MADV_HUGEPAGE);
}

void *
cr_try_alloc(uint64_t count, size_t size)
{
	void *p;

	if (is_too_many(count))
		return NULL;
	p = calloc(count ? (size_t)count : 1, size ? size : 1);
	heap_grew((size_t)count * size);
	cr_mem_large_pages(p, (size_t)count * size);
	return p;
}

void *
cr_try_map(uint64_t bytes)
{
	void *p;

	if (bytes == 0 || is_too_many(bytes))
		return NULL;
	p = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	cr_mem_large_pages(p, (size_t)bytes);
	return p;
}

void *
cr_realloc(void *p, uint64_t count, size_t size)
{
	void *q = is_too_many(count) ? NULL
				     : reallocarray(p, count ? (size_t)count : 1, size ? size : 1);

	if (!q)
		cr_out_of_memory(count, size);
	heap_grew((size_t)count * size);
	cr_mem_large_pages(q, (size_t)count * size);
	return q;
}

void *
cr_memdup(const void *p, size_t len)
{
	char *q = cr_alloc(len + 1, 1);

	if (len)
		memcpy(q, p, len);
	return q;
}

char *
cr_strdup(const char *s)
{
	return cr_memdup(s, strlen(s));
}

/* Blocks grow with the arena, so that many small arenas waste little. */
static size_t
block_size(const struct cr_arena *a)
{
	return CR_MIN(CR_MAX(a->bytes, ARENA_FIRST), ARENA_BLOCK);
}

/* `need` zeroed bytes at a multiple of `align`, which is 1 or ARENA_ALIGN. */
static void *
arena_take(struct cr_arena *a, size_t need, size_t align)
{
	struct cr_arena_block *b = a->last;
	size_t from = b ? (b->used + align - 1) & ~(align - 1) : 0;

	if (!b || b->size < from || b->size - from < need) {
		const size_t next = block_size(a), room = need > next / 4 ? need : next;

		b = cr_alloc(1, sizeof(*b) + room); /* calloc: allocations must be zero */
		b->size = room;
		from = 0;
		/*
		 * A large allocation with its own block is linked below the last block, which may
		 * still have space.
		 */
		if (room == need && a->last) {
			b->prev = a->last->prev;
			a->last->prev = b;
		} else {
			b->prev = a->last;
			a->last = b;
		}
	}
	b->used = from + need;
	a->bytes += need;
	return b->data + from;
}

void *
cr_arena_alloc(struct cr_arena *a, size_t size)
{
	if (size > SIZE_MAX / 2)
		cr_out_of_memory(1, size);
	return arena_take(a, (size + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1), ARENA_ALIGN);
}

void *
cr_arena_array(struct cr_arena *a, uint64_t count, size_t size)
{
	uint64_t bytes;

	if (!cr_mul_ok(count, size, &bytes) || is_too_many(bytes))
		cr_out_of_memory(count, size);
	return cr_arena_alloc(a, (size_t)bytes);
}

void *
cr_arena_copy(struct cr_arena *a, const void *p, size_t len)
{
	char *q = cr_arena_alloc(a, len + 1);

	if (len)
		memcpy(q, p, len);
	return q;
}

char *
cr_arena_text(struct cr_arena *a, const char *p, size_t len)
{
	char *q;

	if (len > SIZE_MAX / 2)
		cr_out_of_memory(1, len);
	q = arena_take(a, len + 1, 1);
	if (len)
		memcpy(q, p, len);
	return q;
}

static void
add_block(struct cr_arena *a, void *p, size_t mapped)
{
	struct cr_arena_block *b = cr_alloc(1, sizeof(*b));

	b->heap = p;
	b->mapped = mapped;
	if (a->last) {
		b->prev = a->last->prev;
		a->last->prev = b;
	} else {
		a->last = b;
	}
}

void *
cr_arena_adopt(struct cr_arena *a, void *heap)
{
	add_block(a, heap, 0);
	return heap;
}

void *
cr_arena_adopt_mapping(struct cr_arena *a, void *p, size_t bytes)
{
	if (p)
		add_block(a, p, bytes);
	return p;
}

static void
block_free(struct cr_arena_block *b)
{
	if (b->mapped)
		munmap(b->heap, b->mapped);
	else
		free(b->heap);
	free(b);
}

/* Unlink the block with this adopted memory; NULL if there is none. */
static struct cr_arena_block *
block_unlink(struct cr_arena *a, const void *heap)
{
	struct cr_arena_block **link = &a->last, *b;

	while (*link && (!heap || (*link)->heap != heap))
		link = &(*link)->prev;
	b = *link;
	if (b)
		*link = b->prev;
	return b;
}

void
cr_arena_drop(struct cr_arena *a, const void *heap)
{
	struct cr_arena_block *b = block_unlink(a, heap);

	if (b)
		block_free(b);
}

void *
cr_arena_release(struct cr_arena *a, const void *heap)
{
	struct cr_arena_block *b = block_unlink(a, heap);
	void *p = b ? b->heap : NULL;

	if (b && b->mapped) { /* the caller would free() it */
		add_block(a, p, b->mapped);
		p = NULL;
	}
	free(b);
	return p;
}

void
cr_arena_join(struct cr_arena *a, struct cr_arena *b)
{
	struct cr_arena_block *first = b->last;

	if (!first)
		return;
	if (!a->last) {
		*a = *b;
	} else {
		while (first->prev)
			first = first->prev;
		first->prev = a->last->prev;
		a->last->prev = b->last;
		a->bytes += b->bytes;
	}
	*b = (struct cr_arena){0};
}

void
cr_arena_fini(struct cr_arena *a)
{
	while (a->last) {
		struct cr_arena_block *b = a->last;

		a->last = b->prev;
		block_free(b);
	}
	a->bytes = 0;
}

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* Linux 5.14 */
#endif

void
cr_mapping_expect(const void *p, uint64_t from, uint64_t to)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t start = ((uintptr_t)p + (uintptr_t)from) & ~(page - 1),
			end = ((uintptr_t)p + (uintptr_t)to) & ~(page - 1);

	if (start < end)
		madvise((void *)start, end - start, MADV_POPULATE_READ);
}

void
cr_mapping_done(const void *p, uint64_t from, uint64_t to)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t start = ((uintptr_t)p + (uintptr_t)from + page - 1) & ~(page - 1),
			end = ((uintptr_t)p + (uintptr_t)to) & ~(page - 1);

	if (start < end)
		madvise((void *)start, end - start, MADV_DONTNEED);
}
