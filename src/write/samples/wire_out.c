#include "wire_out_p.h"

enum {
	TYPE_VARINT = 0,
	TYPE_BYTES = 2,
};

void
cr_wire_put_uleb(struct cr_text *t, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		cr_text_char(t, (char)(unsigned char)(v | 0x80));
	cr_text_char(t, (char)v);
}

void
cr_wire_put_number(struct cr_text *t, uint32_t field, uint64_t v)
{
	if (!v)
		return;
	cr_wire_put_uleb(t, (uint64_t)field << 3 | TYPE_VARINT);
	cr_wire_put_uleb(t, v);
}

void
cr_wire_put_bytes(struct cr_text *t, uint32_t field, struct cr_str bytes)
{
	cr_wire_put_uleb(t, (uint64_t)field << 3 | TYPE_BYTES);
	cr_wire_put_uleb(t, bytes.len);
	cr_text_str(t, bytes);
}
