#ifndef CR_BASE_SINK_H
#define CR_BASE_SINK_H

#include "base/err.h"
#include "base/text.h"

#include <stdio.h>

/*
 * Destination of output: a stream, a text in memory or an open descriptor; writers do not see
 * which. The caller owns and closes the stream, text or descriptor.
 *
 * Writers collect output in a text of their own and pass it on when it is large: a call for every
 * name would cost more than the name.
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

/*
 * Write len bytes. Like all functions here, returns CR_EIO if the system accepts no more, as on a
 * full disk.
 */
int cr_sink_put(struct cr_sink *s, const void *bytes, size_t len, struct cr_err *err);

/* Write all of t and empty it. */
int cr_sink_text(struct cr_sink *s, struct cr_text *t, struct cr_err *err);

/* The same, but only if t has at least CR_SINK_LARGE bytes. */
int cr_sink_large(struct cr_sink *s, struct cr_text *t, struct cr_err *err);
#define CR_SINK_LARGE ((size_t)128 << 10)

/* Flush the buffer of a stream; the other kinds have none. */
int cr_sink_flush(struct cr_sink *s, struct cr_err *err);

#endif
