#ifndef CR_WRITE_SVG_PACK_P_H
#define CR_WRITE_SVG_PACK_P_H

#include "base/sink.h"

#include <stdint.h>

/*
 * Numbers and texts as one stream: compressed with zlib and written as base64. A number takes seven
 * bits a byte, the lowest first; all bytes but the last have bit 7 set.
 *
 *	k = cr_svg_pack_open(out, err);
 *	cr_svg_pack_number(k, 12);
 *	rc = cr_svg_pack_close(k);
 */
struct cr_svg_pack;

struct cr_svg_pack *cr_svg_pack_open(struct cr_sink *out, struct cr_err *err);
void cr_svg_pack_number(struct cr_svg_pack *k, uint64_t v);
void cr_svg_pack_bytes(struct cr_svg_pack *k, const void *p, size_t len);
/* Write what is left and free k. CR_EIO if the sink failed at any time. */
int cr_svg_pack_close(struct cr_svg_pack *k);

#endif
