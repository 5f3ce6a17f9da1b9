#ifndef CR_BYTES_WIRE_H
#define CR_BYTES_WIRE_H

#include "bytes/cursor.h"

/* A message of protocol buffers: fields, each with a number and a value of one of these types. */
enum cr_wire_type {
	CR_WIRE_VARINT = 0,
	CR_WIRE_FIXED64 = 1,
	CR_WIRE_BYTES = 2, /* a text, a message, or numbers one after another */
	CR_WIRE_FIXED32 = 5,
};

struct cr_wire_field {
	uint32_t number; /* 1 to 2^29-1 */
	enum cr_wire_type type;
	uint64_t value;         /* of a number */
	struct cr_cursor bytes; /* of CR_WIRE_BYTES; else empty */
};

/* The next field. False at the end of the message, and where it cannot be read: then c is bad. */
bool cr_wire_next(struct cr_cursor *c, struct cr_wire_field *out);

#endif
