#ifndef CR_BASE_MEM_H
#define CR_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CR_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define CR_MIN(a, b) ((a) < (b) ? (a) : (b))
#define CR_MAX(a, b) ((a) > (b) ? (a) : (b))

/* Return free memory to the system, before much is read that takes memory of its own. */
void cr_mem_trim(void);

/*
 * What is called when memory for `count` items of `size` bytes is asked for and there is none. It
 * must not return: it ends the program, with the message that the program wants. Without one,
 * abort() is called. One for the whole process, set before there are threads.
 */
typedef void cr_mem_failure(uint64_t count, size_t size);
void cr_mem_on_failure(cr_mem_failure *fn);

/*
 * Memory that the program sizes: never NULL, zeroed; out of memory is for cr_mem_on_failure().
 * cr_realloc() does not zero what it adds. Free with free(). A count has 64 bits, and so
 * do sums and products that make it, with a (uint64_t) where needed: what is too much for a 32-bit
 * machine is out of memory, not less memory.
 */
void *cr_alloc(uint64_t count, size_t size)
	__attribute__((malloc, returns_nonnull, alloc_size(1, 2)));
void *cr_realloc(void *p, uint64_t count, size_t size)
	__attribute__((returns_nonnull, alloc_size(2, 3)));
char *cr_strdup(const char *s) __attribute__((malloc, returns_nonnull));
void *cr_memdup(const void *p, size_t len)
	__attribute__((malloc, returns_nonnull)); /* a NUL behind */

/* How they fail. */
_Noreturn void cr_out_of_memory(uint64_t count, size_t size);

/* Memory that the input sizes: NULL when there is none, so that the caller can refuse the input. */
void *cr_try_alloc(uint64_t count, size_t size) __attribute__((malloc, alloc_size(1, 2)));

/* Checked arithmetic on input values: false, and *out untouched, when it does not fit. */
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

/* Sum that stays at UINT64_MAX instead of wrapping: for weights, where a cap beats a small lie. */
static inline uint64_t
cr_add_sat(uint64_t a, uint64_t b)
{
	uint64_t r;

	return __builtin_add_overflow(a, b, &r) ? UINT64_MAX : r;
}

/* An arena: many small pieces with one end of life. All zero bytes is a valid empty one. */
struct cr_arena {
	struct cr_arena_block *last;
	size_t bytes; /* handed out so far */
};

void *cr_arena_alloc(struct cr_arena *a, size_t size)
	__attribute__((returns_nonnull)); /* zeroed, aligned to 16 */
void *cr_arena_array(struct cr_arena *a, uint64_t count, size_t size)
	__attribute__((returns_nonnull)); /* likewise */
void *cr_arena_copy(struct cr_arena *a, const void *p, size_t len)
	__attribute__((returns_nonnull)); /* a NUL behind */
void *cr_arena_adopt(
	struct cr_arena *a, void *heap); /* from malloc(), freed with the arena; returns it */
/* The same for a mapping of so many bytes, NULL for none. */
void *cr_arena_adopt_mapping(struct cr_arena *a, void *p, size_t bytes);
void cr_arena_join(
	struct cr_arena *a, struct cr_arena *b); /* a gets all that b holds; b is empty */
void cr_arena_fini(struct cr_arena *a);

/*
 * The bytes [from, to) at p, all of it mapped from a file, are not needed soon: whole pages of them
 * leave memory, and come back from the file when somebody looks. Of any other memory they would be
 * lost.
 */
void cr_mapping_done(const void *p, uint64_t from, uint64_t to);

#endif
