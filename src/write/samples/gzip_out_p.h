#ifndef CR_WRITE_SAMPLES_GZIP_OUT_P_H
#define CR_WRITE_SAMPLES_GZIP_OUT_P_H

#include "base/sink.h"

/*
 * Compresses output with gzip, piece by piece. The same bytes give the same output: it contains no
 * time.
 */
struct cr_gzip_out;

/* Begin; the bytes go to `out`, which is borrowed. End with cr_gzip_out_close(). */
struct cr_gzip_out *cr_gzip_out_open(struct cr_sink *out);

/* Write t and empty it. CR_EIO if the system refuses. */
int cr_gzip_out_text(struct cr_gzip_out *g, struct cr_text *t, struct cr_err *err);
/* The same, but only if t has at least CR_SINK_LARGE bytes. */
int cr_gzip_out_large(struct cr_gzip_out *g, struct cr_text *t, struct cr_err *err);

/* Write what is left, unless rc is an error; free g. Returns rc, or the error of writing. */
int cr_gzip_out_close(struct cr_gzip_out *g, int rc, struct cr_err *err);

#endif
