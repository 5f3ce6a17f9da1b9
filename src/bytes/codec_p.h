#ifndef CR_BYTES_CODEC_P_H
#define CR_BYTES_CODEC_P_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Compressed formats, decoded one member (gzip), stream (xz) or frame (zstd) at a time. A codec
 * whose library was missing at build time recognises its data, but open is NULL.
 */
enum cr_codec_state {
	CR_CODEC_MORE, /* needs more input or more output space */
	CR_CODEC_END,  /* end of the member; the input after it is not touched */
	CR_CODEC_BAD,  /* damaged, see why; output so far is valid */
};

struct cr_codec_work {
	const unsigned char *in;
	unsigned char *out;
	size_t in_left, out_left; /* the codec advances in and out and decreases these */
	const char *why;          /* reason for CR_CODEC_BAD; static text */
};

struct cr_codec {
	const char *name;    /* "gzip" */
	const char *library; /* "zlib" */
	bool (*is)(const unsigned char *head, size_t len);
	void *(*open)(void);        /* NULL if there is no memory */
	bool (*start)(void *state); /* called before each member; false if there is no memory */
	enum cr_codec_state (*step)(void *state, struct cr_codec_work *w);
	void (*close)(void *state);
};

#define CR_CODEC_HEAD 6 /* bytes that is() needs */
#define CR_CODECS 3

/* Maximum window, as log2 of bytes: what zstd --long=30 needs. */
#define CR_CODEC_WINDOW_LOG 30

extern const struct cr_codec cr_codecs[CR_CODECS];

#endif
