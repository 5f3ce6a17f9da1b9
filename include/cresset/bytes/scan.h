#ifndef CR_BYTES_SCAN_H
#define CR_BYTES_SCAN_H

#include "cresset/base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Text by lines: LF ends one, a CR before it is dropped, a last line without LF counts. */
struct cr_scan {
	const char *p;
	const char *end;
	const char *start;
	uint64_t line; /* number of the line last given, from 1 */
};

/* A UTF-8 byte order mark at the start is passed over. */
void cr_scan_init(struct cr_scan *s, const void *p, size_t len);
bool cr_scan_line(struct cr_scan *s, struct cr_str *line);

static inline uint64_t
cr_scan_at(const struct cr_scan *s)
{
	return (uint64_t)(s->p - s->start);
}

/* s without blanks (space, TAB) at either end. */
struct cr_str cr_scan_trim(struct cr_str s);

/* All of s as an unsigned number, decimal; false on anything else and on overflow. */
bool cr_scan_u64(struct cr_str s, uint64_t *out);

#endif
