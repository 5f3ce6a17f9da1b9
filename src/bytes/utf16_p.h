#ifndef CR_BYTES_UTF16_P_H
#define CR_BYTES_UTF16_P_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Converts UTF-16 text of either byte order to UTF-8. Invalid characters, halves of surrogate pairs
 * and a single last byte become U+FFFD. All zero bytes, apart from `big`, is the initial state.
 */
struct cr_utf16 {
	bool big;      /* big-endian */
	uint32_t high; /* first half of a surrogate pair that waits for the other; 0 if none */
	uint64_t bad;  /* number of replaced characters */
};

#define CR_UTF16_MARK 2u /* bytes of a byte order mark */
#define CR_UTF16_ROOM 4u /* minimum output space for a step */

/*
 * True if it begins with a UTF-16 byte order mark; *big is its byte order. A UTF-32 mark does not
 * count.
 */
bool cr_utf16_is(const unsigned char *head, size_t len, bool *big);

/*
 * Convert as much of `in` as fits whole characters in `room` bytes. Returns the number of bytes
 * written; *took is the number consumed. last: no input follows. The conversion is complete when
 * *took is in_len and high is 0.
 */
size_t cr_utf16_step(struct cr_utf16 *u, const unsigned char *in, size_t in_len, bool last,
	unsigned char *out, size_t room, size_t *took);

#endif
