#ifndef CR_BYTES_CODEC_P_H
#define CR_BYTES_CODEC_P_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Compressed formats, one member (gzip), stream (xz) or frame (zstd) at a time. A codec whose
 * library was not there at build time knows its data, but has no open().
 */
enum cr_codec_state {
	CR_CODEC_MORE, /* go on, with more input or more room */
	CR_CODEC_END,  /* of the member; what follows in the input is not touched */
	CR_CODEC_BAD,  /* damaged, see why; what came out before is good */
};

struct cr_codec_work {
	const unsigned char *in;
	unsigned char *out;
	size_t in_left, out_left; /* the codec moves in and out on and counts these down */
	const char *why;          /* of CR_CODEC_BAD; a literal or the library's */
};

struct cr_codec {
	const char *name;    /* "gzip" */
	const char *library; /* "zlib" */
	bool (*is)(const unsigned char *head, size_t len);
	void *(*open)(void);        /* NULL when there is no memory */
	bool (*start)(void *state); /* before each member; false when there is no memory */
	enum cr_codec_state (*step)(void *state, struct cr_codec_work *w);
	void (*close)(void *state);
};

#define CR_CODEC_HEAD 6 /* bytes that is() wants to see */
#define CR_CODECS 3

/* At most this much memory for what an input refers back to: as zstd --long=30 needs it. */
#define CR_CODEC_WINDOW_LOG 30

extern const struct cr_codec cr_codecs[CR_CODECS];

#endif
