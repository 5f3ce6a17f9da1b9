#ifndef CR_BYTES_WHOLE_H
#define CR_BYTES_WHOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Unpack len bytes at p at once to exactly out_len bytes at out. Returns false, with out
 * undefined, if they are damaged or yield another number of bytes.
 */
bool cr_whole_zlib(const void *p, size_t len, void *out, size_t out_len);
bool cr_whole_zstd(const void *p, size_t len, void *out, size_t out_len);

/*
 * The CRC-32 of bytes that come in pieces, as in .gnu_debuglink and gzip: crc is 0 for the first
 * piece, and the result for the pieces before it otherwise.
 */
uint32_t cr_whole_crc32(uint32_t crc, const void *p, size_t len);

#endif
