#ifndef CR_BASE_STR_H
#define CR_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * A run of bytes owned by someone else. Names of the input have this type: without a final NUL,
 * maybe not UTF-8, maybe containing escape codes. p may be NULL if len is 0.
 */
struct cr_str {
	const char *p;
	uint32_t len;
};

#define CR_STR(literal) ((struct cr_str){"" literal, sizeof(literal) - 1})

static inline struct cr_str
cr_str_of(const char *s)
{
	return (struct cr_str){s, s ? (uint32_t)strlen(s) : 0};
}

static inline bool
cr_str_eq(struct cr_str a, struct cr_str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

/* Compare bytes; a prefix comes before the longer string. */
static inline int
cr_str_cmp(struct cr_str a, struct cr_str b)
{
	uint32_t n = a.len < b.len ? a.len : b.len;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : (a.len > b.len) - (a.len < b.len);
}

static inline bool
cr_str_starts(struct cr_str s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.len >= n && memcmp(s.p, prefix, n) == 0;
}

static inline bool
cr_str_ends(struct cr_str s, const char *suffix)
{
	size_t n = strlen(suffix);

	return s.len >= n && memcmp(s.p + s.len - n, suffix, n) == 0;
}

/* The part of s from p on, and the part before p. p points into s or to its end. */
static inline struct cr_str
cr_str_from(struct cr_str s, const char *p)
{
	return (struct cr_str){p, s.len - (uint32_t)(p - s.p)};
}

static inline struct cr_str
cr_str_to(struct cr_str s, const char *p)
{
	return (struct cr_str){s.p, (uint32_t)(p - s.p)};
}

/* What follows the last '/'; all of s if there is no '/' or nothing follows it. */
static inline struct cr_str
cr_str_basename(struct cr_str s)
{
	const char *slash = s.len ? memrchr(s.p, '/', s.len) : NULL;

	if (!slash || slash + 1 == s.p + s.len)
		return s;
	return (struct cr_str){slash + 1, (uint32_t)(s.p + s.len - slash - 1)};
}

#endif
