#ifndef CR_BASE_SAFE_STREAM_H
#define CR_BASE_SAFE_STREAM_H

#include <stdio.h>

/*
 * Open a stream that writes to `out` what is written to it, made safe for a terminal as
 * cr_text_safe() does, but for newlines and tabs. fclose() writes what is left of the last line,
 * flushes `out` and leaves it open; it fails if `out` did. NULL with errno set if there is no
 * memory.
 */
FILE *cr_safe_stream_open(FILE *out);

#endif
