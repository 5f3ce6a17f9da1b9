#include "otlp_probe_p.h"

#include "base/mem.h"
#include "bytes/wire.h"

/*
 * Fields of each message on the way to a sample, with a bit for each allowed type, and where the
 * messages in it are described.
 */
#define VARINT (1u << CR_WIRE_VARINT)
#define FIXED (1u << CR_WIRE_FIXED64)
#define BYTES (1u << CR_WIRE_BYTES)

enum shape {
	NONE,
	DATA,
	RESOURCE_PROFILES,
	RESOURCE,
	KEY_VALUE,
	SCOPE_PROFILES,
	SCOPE,
	PROFILE,
	TYPE,
	SAMPLE,
	DICTIONARY,
	MAPPING,
	LOCATION,
	FUNCTION,
	ATTRIBUTE,
	STACK
};

#define FIELDS_MOST 12

static const struct {
	uint8_t types[FIELDS_MOST], inner[FIELDS_MOST];
} shapes[] = {
	[DATA] = {{0, BYTES, BYTES}, {0, RESOURCE_PROFILES, DICTIONARY}},
	[RESOURCE_PROFILES] = {{0, BYTES, BYTES, BYTES}, {0, RESOURCE, SCOPE_PROFILES}},
	[RESOURCE] = {{0, BYTES, VARINT, BYTES}, {0, KEY_VALUE}},
	[KEY_VALUE] = {{0, BYTES, BYTES, VARINT}, {0}},
	[SCOPE_PROFILES] = {{0, BYTES, BYTES, BYTES}, {0, SCOPE, PROFILE}},
	[SCOPE] = {{0, BYTES, BYTES, BYTES, VARINT}, {0, NONE, NONE, KEY_VALUE}},
	[PROFILE] = {{0, BYTES, BYTES, FIXED, VARINT, BYTES, VARINT, BYTES, VARINT, BYTES, BYTES,
			     VARINT | BYTES},
		{0, TYPE, SAMPLE, NONE, NONE, TYPE}},
	[TYPE] = {{0, VARINT, VARINT}, {0}},
	[SAMPLE] = {{0, VARINT, VARINT | BYTES, VARINT, VARINT | BYTES, FIXED | BYTES}, {0}},
	[DICTIONARY] = {{0, BYTES, BYTES, BYTES, BYTES, BYTES, BYTES, BYTES},
		{0, MAPPING, LOCATION, FUNCTION, NONE, NONE, ATTRIBUTE, STACK}},
	[MAPPING] = {{0, VARINT, VARINT, VARINT, VARINT, VARINT | BYTES}, {0}},
	[LOCATION] = {{0, VARINT, VARINT, BYTES, VARINT | BYTES}, {0}},
	[FUNCTION] = {{0, VARINT, VARINT, VARINT, VARINT}, {0}},
	[ATTRIBUTE] = {{0, VARINT, BYTES, VARINT}, {0}},
	[STACK] = {{0, VARINT | BYTES}, {0}},
};

/*
 * True if c has only fields of this shape; `whole` is false if the head ends before the message
 * does. Adds the number of types, samples, stacks and locations to *found. The shapes contain one
 * another, but none itself.
 */
static bool
is_shape(struct cr_cursor c, enum shape shape, bool whole, unsigned *found)
{
	*found += shape == TYPE || shape == SAMPLE || shape == STACK || shape == LOCATION;
	while (cr_cursor_left(&c)) {
		const uint64_t tag = cr_cursor_uleb(&c), number = tag >> 3,
			       left = cr_cursor_left(&c);
		struct cr_cursor message;
		uint64_t len;

		if (c.bad)
			break;
		if (number >= FIELDS_MOST || !(shapes[shape].types[number] >> (tag & 7) & 1))
			return false;
		len = (tag & 7) == CR_WIRE_FIXED64 ? 8 : cr_cursor_uleb(&c);
		if ((tag & 7) == CR_WIRE_VARINT)
			continue;
		message = cr_cursor_sub(&c, CR_MIN(len, (uint64_t)cr_cursor_left(&c)));
		c.bad |= len > left;
		if (shapes[shape].inner[number] &&
			!is_shape(message, shapes[shape].inner[number], !c.bad, found))
			return false;
	}
	return !c.bad || !whole;
}

/*
 * The format has no magic number. But data that consists only of fields of these messages, all with
 * allowed types, is nothing else. The last field may be truncated.
 */
unsigned
cr_otlp_probe(const struct cr_head *head, uint64_t *line)
{
	unsigned found = 0;
	struct cr_cursor c;

	(void)line;
	cr_cursor_init(&c, head->p, head->len);
	return is_shape(c, DATA, false, &found) && found ? CR_EVIDENCE_SIGNATURE : 0;
}
