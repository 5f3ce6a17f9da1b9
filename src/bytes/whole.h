#ifndef CR_BYTES_WHOLE_H
#define CR_BYTES_WHOLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Unpack len bytes at p at once to exactly out_len bytes at out. Returns false, with out
 * undefined, if they are damaged or yield another number of bytes. Also false for zlib if the
 * library was missing at build time.
 */
bool cr_whole_zlib(const void *p, size_t len, void *out, size_t out_len);
bool cr_whole_zstd(const void *p, size_t len, void *out, size_t out_len);

#endif
