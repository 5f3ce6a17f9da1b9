#ifndef CR_BASE_SINK_H
#define CR_BASE_SINK_H

#include "base/err.h"
#include "base/text.h"

#include <stdio.h>

/*
 * Where output goes: a stream, a text in memory or an open descriptor. Who writes sees no
 * difference. The stream, text or descriptor is the caller's, who closes it.
 *
 * Writers put their output into a text of their own, and pass it on when it has grown large: a call
 * for every name would cost more than the name.
 */
struct cr_sink {
	FILE *stream;
	struct cr_text *memory;
	int fd; /* used if the others are NULL */
};

static inline struct cr_sink
cr_sink_stream(FILE *out)
{
	return (struct cr_sink){.stream = out, .fd = -1};
}

static inline struct cr_sink
cr_sink_memory(struct cr_text *out)
{
	return (struct cr_sink){.memory = out, .fd = -1};
}

static inline struct cr_sink
cr_sink_descriptor(int fd)
{
	return (struct cr_sink){.fd = fd};
}

/* All of these return CR_EIO when the system accepts no more, as on a full disk. */
int cr_sink_put(struct cr_sink *s, const void *bytes, size_t len, struct cr_err *err);

/* Pass on all of t and empty it. */
int cr_sink_text(struct cr_sink *s, struct cr_text *t, struct cr_err *err);

/* The same once t is large enough for that to be worth it. */
int cr_sink_large(struct cr_sink *s, struct cr_text *t, struct cr_err *err);
#define CR_SINK_LARGE ((size_t)128 << 10)

/* A stream's buffer is written; the others have none. */
int cr_sink_flush(struct cr_sink *s, struct cr_err *err);

#endif
