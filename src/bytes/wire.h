#ifndef CR_BYTES_WIRE_H
#define CR_BYTES_WIRE_H

#include "bytes/cursor.h"

/*
 * Protocol buffers. A message is a list of fields, each with a number and a value of one of these
 * types.
 */
enum cr_wire_type {
	CR_WIRE_VARINT = 0,
	CR_WIRE_FIXED64 = 1,
	CR_WIRE_BYTES = 2, /* a text, a message, or packed numbers */
	CR_WIRE_FIXED32 = 5,
};

struct cr_wire_field {
	uint32_t number; /* 1 to 2^29-1 */
	enum cr_wire_type type;
	uint64_t value;         /* value of a number */
	struct cr_cursor bytes; /* value of CR_WIRE_BYTES; otherwise empty */
};

/*
 * Read the next field. Returns false at the end of the message, and on an error, which sets c->bad.
 */
bool cr_wire_next(struct cr_cursor *c, struct cr_wire_field *out);

#endif
