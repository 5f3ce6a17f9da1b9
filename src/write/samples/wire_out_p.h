#ifndef CR_WRITE_SAMPLES_WIRE_OUT_P_H
#define CR_WRITE_SAMPLES_WIRE_OUT_P_H

#include "base/text.h"

/*
 * Writes protocol buffers to the end of a text: the reverse of bytes/wire.h. A message inside of
 * another is written to a text of its own first.
 */
void cr_wire_put_uleb(struct cr_text *t, uint64_t v); /* a bare number, as in packed lists */

/* A field with a number; nothing if it is 0, which readers assume. */
void cr_wire_put_number(struct cr_text *t, uint32_t field, uint64_t v);

/* A field with bytes: a text, a message or packed numbers; it is written even if it is empty. */
void cr_wire_put_bytes(struct cr_text *t, uint32_t field, struct cr_str bytes);

#endif
