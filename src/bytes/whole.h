#ifndef CR_BYTES_WHOLE_H
#define CR_BYTES_WHOLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Packed bytes of which is known how many they unpack to, all at once: len at p into out_len at
 * out. False, and out is anything, when they are damaged or not so many, and for zlib when the
 * library was not there at build time.
 */
bool cr_whole_zlib(const void *p, size_t len, void *out, size_t out_len);
bool cr_whole_zstd(const void *p, size_t len, void *out, size_t out_len);

#endif
