#ifndef CR_READ_PROBE_H
#define CR_READ_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cr_shape;

#define CR_PROBE_BYTES 65536 /* maximum size of a head */

/* Kinds of input; most formats are text. */
enum cr_head_kind {
	CR_HEAD_TEXT = 1,
	CR_HEAD_BINARY = 2,  /* a NUL in the first 4 KiB */
	CR_HEAD_JSON = 4,    /* begins with a brace or a bracket, followed by JSON */
	CR_HEAD_MARKUP = 8,  /* XML, SVG or HTML */
	CR_HEAD_SCRIPT = 16, /* a script of a shell or similar: no reader reads it */
};

/*
 * The start of an input, shown to each reader: the first 64 KiB, or all if it is shorter. For text
 * an incomplete line at the end of the 64 KiB is left out, unless there is no other.
 */
struct cr_head {
	const unsigned char *p;
	size_t len;
	bool whole;  /* it is the whole input */
	bool binary; /* kind is CR_HEAD_BINARY */
	enum cr_head_kind kind;
	const struct cr_shape *shape; /* for text: what its lines look like; otherwise NULL */
};

/*
 * Bits of evidence for a format: a magic number at the start; a line that names the format; frames
 * that other formats may have too, below a line that tells what they are; most lines match; some
 * lines match. If two formats may be found in one text, the one that contains the other returns
 * slightly more.
 */
#define CR_EVIDENCE_MAGIC 64u
#define CR_EVIDENCE_SIGNATURE 40u
#define CR_EVIDENCE_FRAMES 32u
#define CR_EVIDENCE_SHAPE 16u
#define CR_EVIDENCE_WEAK 8u

#endif
