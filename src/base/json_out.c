#include "base/json_out.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <inttypes.h>

/* A level is the kind of its bracket, plus this bit once it has an item. */
#define HAS_ITEMS 0x80
#define KIND(level) ((level)&0x7f)

static char *
innermost(struct cr_json_out *j)
{
	return j->levels.len ? &j->levels.p[j->levels.len - 1] : NULL;
}

static void
put_line(struct cr_json_out *j)
{
	cr_text_char(j->text, '\n');
	cr_text_puts(j->text, j->indent);
	j->indent = NULL;
}

/* Write what precedes a key, or a value without a key. */
static void
begin_item(struct cr_json_out *j)
{
	char *level = innermost(j);
	const bool follows = level && (*level & HAS_ITEMS);

	if (j->has_key) {
		j->has_key = false;
		return;
	}
	if (follows)
		cr_text_char(j->text, ',');
	if (j->indent)
		put_line(j);
	else if (follows && KIND(*level) != '#')
		cr_text_char(j->text, ' ');
	if (level)
		*level |= (char)HAS_ITEMS;
}

void
cr_json_out_open(struct cr_json_out *j, char kind)
{
	begin_item(j);
	cr_text_char(j->text, kind == '{' ? '{' : '[');
	cr_text_char(&j->levels, kind);
}

void
cr_json_out_close(struct cr_json_out *j)
{
	const char *level = innermost(j);

	if (!level)
		return;
	if (j->indent && (*level & HAS_ITEMS))
		put_line(j);
	j->indent = NULL;
	cr_text_char(j->text, KIND(*level) == '{' ? '}' : ']');
	j->levels.len--;
}

void
cr_json_out_fini(struct cr_json_out *j)
{
	cr_text_fini(&j->levels);
}

void
cr_json_out_line(struct cr_json_out *j, const char *indent)
{
	j->indent = indent;
}

/* Invisible characters, terminal controls and bytes that are not UTF-8 are written as numbers. */
static void
put_string(struct cr_text *t, struct cr_str s)
{
	unsigned used;

	cr_text_char(t, '"');
	for (uint32_t i = 0; i < s.len; i += used) {
		const uint32_t c = cr_utf8_decode(s.p + i, s.len - i, &used);

		if (c == CR_UTF8_BAD)
			cr_text_printf(t, "\\\\x%02x", (unsigned char)s.p[i]);
		else if (c == '"' || c == '\\')
			cr_text_printf(t, "\\%c", (char)c);
		else if (cr_text_is_hidden(c) && c > 0xffff)
			cr_text_printf(t, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
				0xdc00 + (c & 0x3ff));
		else if (cr_text_is_hidden(c))
			cr_text_printf(t, "\\u%04x", (unsigned)c);
		else
			cr_text_put(t, s.p + i, used);
	}
	cr_text_char(t, '"');
}

void
cr_json_out_key_str(struct cr_json_out *j, struct cr_str key)
{
	begin_item(j);
	put_string(j->text, key);
	cr_text_puts(j->text, ": ");
	j->has_key = true;
}

void
cr_json_out_key(struct cr_json_out *j, const char *key)
{
	cr_json_out_key_str(j, cr_str_of(key));
}

void
cr_json_out_text(struct cr_json_out *j, struct cr_str s)
{
	begin_item(j);
	put_string(j->text, s);
}

void
cr_json_out_hex(struct cr_json_out *j, uint64_t v)
{
	begin_item(j);
	cr_text_puts(j->text, "\"0x");
	cr_text_hex(j->text, v);
	cr_text_char(j->text, '"');
}

void
cr_json_out_u64(struct cr_json_out *j, uint64_t v)
{
	begin_item(j);
	cr_text_u64(j->text, v);
}

void
cr_json_out_i64(struct cr_json_out *j, int64_t v)
{
	begin_item(j);
	cr_text_printf(j->text, "%" PRId64, v);
}

void
cr_json_out_number(struct cr_json_out *j, double v)
{
	begin_item(j);
	cr_text_printf(j->text, "%.8g", v);
}

void
cr_json_out_weight(struct cr_json_out *j, uint64_t weight, struct cr_str unit)
{
	begin_item(j);
	cr_text_weight(j->text, weight, unit);
}

void
cr_json_out_raw(struct cr_json_out *j, struct cr_str json)
{
	begin_item(j);
	cr_text_str(j->text, json);
}

void
cr_json_out_decimal(struct cr_json_out *j, int64_t v, unsigned places)
{
	begin_item(j);
	if (v < 0)
		cr_text_char(j->text, '-');
	cr_text_decimal(j->text, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, places);
}

void
cr_json_out_bool(struct cr_json_out *j, bool v)
{
	begin_item(j);
	cr_text_puts(j->text, v ? "true" : "false");
}

void
cr_json_out_null(struct cr_json_out *j)
{
	begin_item(j);
	cr_text_puts(j->text, "null");
}

void
cr_json_out_text_of(struct cr_json_out *j, const char *key, struct cr_str s)
{
	cr_json_out_key(j, key);
	cr_json_out_text(j, s);
}

void
cr_json_out_u64_of(struct cr_json_out *j, const char *key, uint64_t v)
{
	cr_json_out_key(j, key);
	cr_json_out_u64(j, v);
}
