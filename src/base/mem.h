#ifndef CR_BASE_MEM_H
#define CR_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CR_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define CR_MIN(a, b) ((a) < (b) ? (a) : (b))
#define CR_MAX(a, b) ((a) > (b) ? (a) : (b))

/*
 * Bytes between members that two threads write again and again. In one line of the cache each write
 * would wait for the other processor. Not an alignment, since malloc() promises less.
 */
#define CR_MEM_APART 128

/* Return free memory to the system, before a step that needs much memory of its own. */
void cr_mem_trim(void);

/*
 * Set the handler for a failed allocation of `count` items of `size` bytes. It must not return: it
 * prints the program's message and exits. Without a handler abort() is called. There is one for the
 * process; set it before threads start.
 */
typedef void cr_mem_failure(uint64_t count, size_t size);
void cr_mem_on_failure(cr_mem_failure *fn);

/*
 * Memory whose size the program decides: never NULL; on failure the handler of cr_mem_on_failure()
 * runs. cr_alloc() zeroes it; cr_realloc() does not zero what it adds. Free with free(). Counts
 * have 64 bits, and sums and products must be computed in uint64_t: what exceeds a 32-bit machine
 * then fails instead of wrapping to a small size.
 */
void *cr_alloc(uint64_t count, size_t size)
	__attribute__((malloc, returns_nonnull, alloc_size(1, 2)));
void *cr_realloc(void *p, uint64_t count, size_t size)
	__attribute__((returns_nonnull, alloc_size(2, 3)));
char *cr_strdup(const char *s) __attribute__((malloc, returns_nonnull));
/* Followed by a NUL. */
void *cr_memdup(const void *p, size_t len) __attribute__((malloc, returns_nonnull));

/* Call the handler for a failed allocation. */
_Noreturn void cr_out_of_memory(uint64_t count, size_t size);

/* Memory whose size the input decides: NULL on failure, so that the caller can refuse the input. */
void *cr_try_alloc(uint64_t count, size_t size) __attribute__((malloc, alloc_size(1, 2)));

/*
 * The same as a mapping of its own, of zero bytes, for memory that is written at once: the system
 * provides it in large pages, and nothing is zeroed twice. Unmap it with munmap(), or give it to an
 * arena with cr_arena_adopt_mapping().
 */
void *cr_try_map(uint64_t bytes);

/* Ask the system for large pages, if it is worth it for so many bytes. */
void cr_mem_large_pages(void *p, size_t bytes);

/*
 * Ask for large pages for the heap, too, from the first allocation on that is large enough to gain
 * by it. For a program that keeps what it frees; call it before threads start.
 */
void cr_mem_large_heap(void);

/* Checked arithmetic on input values: returns false and leaves *out unchanged on overflow. */
static inline bool
cr_add_ok(uint64_t a, uint64_t b, uint64_t *out)
{
	uint64_t r;

	if (__builtin_add_overflow(a, b, &r))
		return false;
	*out = r;
	return true;
}

static inline bool
cr_mul_ok(uint64_t a, uint64_t b, uint64_t *out)
{
	uint64_t r;

	if (__builtin_mul_overflow(a, b, &r))
		return false;
	*out = r;
	return true;
}

/*
 * Sum limited to UINT64_MAX instead of wrapping: for weights, where a capped value misleads least.
 */
static inline uint64_t
cr_add_sat(uint64_t a, uint64_t b)
{
	uint64_t r;

	return __builtin_add_overflow(a, b, &r) ? UINT64_MAX : r;
}

/* The same for a product. */
static inline uint64_t
cr_mul_sat(uint64_t a, uint64_t b)
{
	uint64_t r;

	return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}

/*
 * An arena: many small allocations that are freed together. All zero bytes is a valid empty arena.
 */
struct cr_arena {
	struct cr_arena_block *last;
	size_t bytes; /* allocated so far */
};

void *cr_arena_alloc(struct cr_arena *a, size_t size)
	__attribute__((returns_nonnull)); /* zeroed, aligned to 16 */
void *cr_arena_array(struct cr_arena *a, uint64_t count, size_t size)
	__attribute__((returns_nonnull)); /* likewise */
/* Aligned to 16, and followed by a NUL. */
void *cr_arena_copy(struct cr_arena *a, const void *p, size_t len) __attribute__((returns_nonnull));
/* The same without an alignment, for texts: of very many short ones it takes less memory. */
char *cr_arena_text(struct cr_arena *a, const char *p, size_t len) __attribute__((returns_nonnull));
/* Take ownership of memory from malloc(); returns it. */
void *cr_arena_adopt(struct cr_arena *a, void *heap);
/* The same for a mapping of `bytes` bytes, unmapped with the arena. NULL is allowed. */
void *cr_arena_adopt_mapping(struct cr_arena *a, void *p, size_t bytes);
/*
 * Free adopted memory before the arena is freed, because another array has taken its place. NULL
 * and memory that the arena has not adopted are left alone.
 */
void cr_arena_drop(struct cr_arena *a, const void *heap);
/*
 * Return ownership of memory that was adopted from malloc() to the caller. NULL if the arena has
 * not adopted it, or as a mapping.
 */
void *cr_arena_release(struct cr_arena *a, const void *heap);
/* Move everything of b to a; b is empty afterwards. */
void cr_arena_join(struct cr_arena *a, struct cr_arena *b);
void cr_arena_fini(struct cr_arena *a);

/*
 * Tell the system that the bytes [from, to) at p are not needed soon. All of it must be mapped from
 * a file: whole pages are dropped and read back on access. Anonymous memory would lose its content.
 */
void cr_mapping_done(const void *p, uint64_t from, uint64_t to);

/*
 * Fetch the pages of the bytes [from, to) at p, which are read soon; wait until they are there.
 * Linux before 5.14 ignores it.
 */
void cr_mapping_expect(const void *p, uint64_t from, uint64_t to);

#endif
