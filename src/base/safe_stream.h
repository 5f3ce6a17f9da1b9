#ifndef CR_BASE_SAFE_STREAM_H
#define CR_BASE_SAFE_STREAM_H

#include <stdio.h>

/*
 * Open a stream that copies what is written to it to `out`, made safe for a terminal as by
 * cr_text_safe(), but keeping newlines and tabs. fclose() writes the rest of the last line, flushes
 * `out` and leaves it open; it fails if `out` failed. Returns NULL with errno if there is no
 * memory.
 */
FILE *cr_safe_stream_open(FILE *out);

#endif
