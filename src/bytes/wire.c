#include "bytes/wire.h"

bool
cr_wire_next(struct cr_cursor *c, struct cr_wire_field *out)
{
	uint64_t tag;

	if (cr_cursor_left(c) == 0)
		return false;
	tag = cr_cursor_uleb(c);
	*out = (struct cr_wire_field){
		.number = (uint32_t)(tag >> 3), .type = (enum cr_wire_type)(tag & 7)};
	if (tag >> 32 || out->number == 0)
		c->bad = true;
	switch (out->type) {
	case CR_WIRE_VARINT: out->value = cr_cursor_uleb(c); break;
	case CR_WIRE_FIXED64: out->value = cr_cursor_u64(c); break;
	case CR_WIRE_BYTES: out->bytes = cr_cursor_sub(c, cr_cursor_uleb(c)); break;
	case CR_WIRE_FIXED32: out->value = cr_cursor_u32(c); break;
	default: /* groups, which are obsolete */ c->bad = true;
	}
	return !c->bad;
}
