#include "perf_trace_value_p.h"

#include <inttypes.h>

/* A size other than 1, 2, 4 or 8 sets bad. */
static uint64_t
item_read(struct cr_cursor *c, uint32_t bytes, bool is_signed)
{
	uint64_t v = 0;

	switch (bytes) {
	case 1: v = cr_cursor_u8(c); break;
	case 2: v = cr_cursor_u16(c); break;
	case 4: v = cr_cursor_u32(c); break;
	case 8: return cr_cursor_u64(c);
	default: cr_cursor_skip(c, UINT64_MAX); return 0;
	}
	if (is_signed && v >> (bytes * 8 - 1))
		v |= UINT64_MAX << (bytes * 8);
	return v;
}

enum cr_form
cr_perf_trace_form(const struct perf_trace_field *f)
{
	if (f->is_array || (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8))
		return CR_FORM_TEXT;
	return f->is_hex ? CR_FORM_HEX : f->is_signed ? CR_FORM_SIGNED : CR_FORM_NUMBER;
}

bool
cr_perf_trace_number(const struct perf_trace_field *f, struct cr_cursor raw, uint64_t *out)
{
	cr_cursor_skip(&raw, f->offset);
	*out = item_read(&raw, f->size, f->is_signed);
	return !raw.bad;
}

/* Number of bytes that may still be added to the text that began at start. */
static size_t
room_of(const struct cr_text *out, size_t start)
{
	return PERF_TRACE_TEXT - CR_MIN(out->len - start, (size_t)PERF_TRACE_TEXT);
}

static void
string_text(struct cr_cursor c, size_t start, struct cr_text *out)
{
	const struct cr_str s = cr_cursor_text(&c, cr_cursor_left(&c));

	cr_text_put(out, s.p, CR_MIN(s.len, room_of(out, start)));
}

static void
bytes_text(struct cr_cursor c, size_t start, struct cr_text *out)
{
	while (cr_cursor_left(&c) && room_of(out, start) >= 2)
		cr_text_printf(out, "%02x", cr_cursor_u8(&c));
}

/* Length of the longest number and a comma. */
#define ITEM_TEXT 24

static void
numbers_text(
	const struct perf_trace_field *f, struct cr_cursor c, size_t start, struct cr_text *out)
{
	for (size_t i = 0; cr_cursor_left(&c) >= f->item_bytes && room_of(out, start) >= ITEM_TEXT;
		i++) {
		uint64_t v;

		if (i)
			cr_text_char(out, ',');
		v = item_read(&c, f->item_bytes, f->is_signed);
		cr_text_printf(out, f->is_signed ? "%" PRId64 : "0x%" PRIx64, v);
	}
}

/* Append the items of an array; c contains all of them. */
static void
items_text(const struct perf_trace_field *f, struct cr_cursor c, size_t start, struct cr_text *out)
{
	if (f->is_string)
		string_text(c, start, out);
	else if (f->item_bytes == 1)
		bytes_text(c, start, out);
	else
		numbers_text(f, c, start, out);
}

/* The items at the next place of a field. */
static struct cr_cursor
place_read(const struct perf_trace_field *f, struct cr_cursor *places, struct cr_cursor raw)
{
	const uint32_t place = cr_cursor_u32(places);

	cr_cursor_skip(&raw, (place & 0xffff) + (f->is_relative ? f->offset + f->size : 0));
	return cr_cursor_sub(&raw, place >> 16);
}

/* A single place, or several for an array of strings in a probe; an invalid one ends them. */
static bool
dynamic_text(const struct perf_trace_field *f, struct cr_cursor places, struct cr_cursor raw,
	struct cr_text *out)
{
	const size_t start = out->len;
	struct cr_cursor items = place_read(f, &places, raw);

	if (places.bad || items.bad)
		return false;
	items_text(f, items, start, out);
	while (cr_cursor_left(&places) >= 4 && room_of(out, start) > 0) {
		items = place_read(f, &places, raw);
		if (items.bad)
			break;
		cr_text_char(out, ',');
		items_text(f, items, start, out);
	}
	return true;
}

bool
cr_perf_trace_text(const struct perf_trace_field *f, struct cr_cursor raw, struct cr_text *out)
{
	struct cr_cursor c = raw;

	cr_cursor_skip(&c, f->offset);
	c = cr_cursor_sub(&c, f->size ? f->size : cr_cursor_left(&c));
	if (c.bad)
		return false;
	if (f->is_dynamic)
		return dynamic_text(f, c, raw, out);
	items_text(f, c, out->len, out);
	return true;
}
