#ifndef CR_READ_PROBE_H
#define CR_READ_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cr_shape;

#define CR_PROBE_BYTES 65536 /* what a head has of its input, at most */

/* What an input begins as; most formats are text. */
enum cr_head_kind {
	CR_HEAD_TEXT = 1,
	CR_HEAD_BINARY = 2,  /* there is a NUL in its first 4 KiB */
	CR_HEAD_JSON = 4,    /* a brace or a bracket, and what JSON has behind it */
	CR_HEAD_MARKUP = 8,  /* XML, SVG or HTML */
	CR_HEAD_SCRIPT = 16, /* of a shell or the like: nobody's */
};

/*
 * What a reader is shown to say whether an input is its own: the first 64 KiB, or all when shorter.
 * Of text a line that is cut off at the end of 64 KiB is left out, unless there is no other.
 */
struct cr_head {
	const unsigned char *p;
	size_t len;
	bool whole;  /* it is the whole input */
	bool binary; /* kind is CR_HEAD_BINARY */
	enum cr_head_kind kind;
	const struct cr_shape *shape; /* of text, what its lines look like; else NULL */
};

/*
 * Bits of evidence: that a magic number stands at the start; that a line says which format it is;
 * that it is full of frames which others may have, under a line that says what they are; that most
 * lines look like it; that some do. Of two that may both be found in one text the one that holds
 * the other has a bit more.
 */
#define CR_EVIDENCE_MAGIC 64u
#define CR_EVIDENCE_SIGNATURE 40u
#define CR_EVIDENCE_FRAMES 32u
#define CR_EVIDENCE_SHAPE 16u
#define CR_EVIDENCE_WEAK 8u

#endif
