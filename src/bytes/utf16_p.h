#ifndef CR_BYTES_UTF16_P_H
#define CR_BYTES_UTF16_P_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Text in UTF-16, of either byte order, as UTF-8. What is no character, half of a surrogate pair or
 * a last byte alone, becomes U+FFFD. All zero but for big is the start of a text.
 */
struct cr_utf16 {
	bool big;      /* the byte order */
	uint32_t high; /* half of a pair that waits for the other; 0 for none */
	uint64_t bad;  /* how many were replaced */
};

#define CR_UTF16_MARK 2u /* bytes of a byte order mark */
#define CR_UTF16_ROOM 4u /* least room for a step to make anything */

/* Does it begin with a byte order mark? *big says which. That of UTF-32 is none. */
bool cr_utf16_is(const unsigned char *head, size_t len, bool *big);

/*
 * From in to out as far as there is both, and room for a whole character: how much was made, and
 * *took of in. last: nothing follows in; until *took is all of it and high is 0 there is more to
 * make.
 */
size_t cr_utf16_step(struct cr_utf16 *u, const unsigned char *in, size_t in_len, bool last,
	unsigned char *out, size_t room, size_t *took);

#endif
