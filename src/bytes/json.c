#include "bytes/json.h"

#include <string.h>

void
cr_json_init(struct cr_json *j, const void *p, size_t len)
{
	*j = (struct cr_json){.p = p, .start = p};
	j->end = j->p + len;
	if (len >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		j->p += 3;
}

static void
fail(struct cr_json *j, const char *why)
{
	if (!j->bad) {
		j->bad = why;
		j->bad_at = j->p;
	}
	j->p = j->end;
}

static void
blanks_skip(struct cr_json *j)
{
	while (j->p < j->end && (*j->p == ' ' || *j->p == '\n' || *j->p == '\t' || *j->p == '\r'))
		j->p++;
}

enum cr_json_kind
cr_json_kind(struct cr_json *j)
{
	blanks_skip(j);
	if (j->p == j->end)
		return CR_JSON_NONE;
	switch (*j->p) {
	case '{': return CR_JSON_OBJECT;
	case '[': return CR_JSON_ARRAY;
	case '"': return CR_JSON_STRING;
	case 't':
	case 'f':
	case 'n': return CR_JSON_WORD;
	case '-': return CR_JSON_NUMBER;
	default: return *j->p >= '0' && *j->p <= '9' ? CR_JSON_NUMBER : CR_JSON_NONE;
	}
}

/* Read from the opening quote to the one that closes. */
static bool
read_string(struct cr_json *j, struct cr_str *raw)
{
	const char *p = j->p + 1;

	*raw = (struct cr_str){p, 0};
	for (;;) {
		const char *quote = memchr(p, '"', (size_t)(j->end - p)), *back = quote;

		if (!quote) {
			fail(j, "a string does not end");
			return false;
		}
		while (back > raw->p && back[-1] == '\\')
			back--;
		p = quote + 1;
		if ((quote - back) % 2 == 0)
			break;
	}
	if ((uint64_t)(p - raw->p - 1) > UINT32_MAX) {
		fail(j, "a string is longer than 4 GiB");
		return false;
	}
	raw->len = (uint32_t)(p - raw->p - 1);
	j->p = p;
	return true;
}

/* Read a number or a word, or other bytes that belong to no other token. */
static bool
read_bare(struct cr_json *j, struct cr_str *raw)
{
	const char *p = j->p;

	while (p < j->end &&
		((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
			*p == '+' || *p == '-' || *p == '.'))
		p++;
	*raw = (struct cr_str){j->p, (uint32_t)(p - j->p)};
	if (p == j->p)
		fail(j, p == j->end ? "ends where a value is expected" : "a value is missing");
	j->p = p;
	return raw->len > 0;
}

void
cr_json_skip(struct cr_json *j)
{
	size_t depth = 0;
	struct cr_str raw;

	do {
		switch (cr_json_kind(j)) {
		case CR_JSON_OBJECT:
		case CR_JSON_ARRAY:
			depth++;
			j->p++;
			break;
		case CR_JSON_STRING:
			if (!read_string(j, &raw))
				return;
			break;
		case CR_JSON_NUMBER:
		case CR_JSON_WORD:
			if (!read_bare(j, &raw))
				return;
			break;
		case CR_JSON_NONE:
			if (j->p == j->end || depth == 0 || !memchr("}],:", *j->p, 4)) {
				fail(j, j->p == j->end ? "ends where a value is expected"
						       : "a value is missing");
				return;
			}
			depth -= *j->p == '}' || *j->p == ']';
			j->p++;
			break;
		}
	} while (depth);
}

static bool
enter(struct cr_json *j, enum cr_json_kind kind)
{
	if (cr_json_kind(j) != kind) {
		cr_json_skip(j);
		return false;
	}
	if (j->depth == CR_JSON_DEPTH_MAX) {
		fail(j, "values are nested more than 100000 deep");
		return false;
	}
	j->depth++;
	j->p++;
	return true;
}

/* True if another item precedes the closing bracket. */
static bool
more(struct cr_json *j, char close)
{
	blanks_skip(j);
	while (j->p < j->end && *j->p == ',') {
		j->p++;
		blanks_skip(j);
	}
	if (j->p == j->end) {
		fail(j, close == ']' ? "an array does not end" : "an object does not end");
		return false;
	}
	if (*j->p != close)
		return true;
	j->p++;
	j->depth--;
	return false;
}

bool
cr_json_object(struct cr_json *j)
{
	return enter(j, CR_JSON_OBJECT);
}

bool
cr_json_key(struct cr_json *j, struct cr_str *key)
{
	if (!more(j, '}'))
		return false;
	if (*j->p != '"') {
		fail(j, "a key is missing");
		return false;
	}
	if (!read_string(j, key))
		return false;
	blanks_skip(j);
	if (j->p == j->end || *j->p != ':') {
		fail(j, "a colon is missing after a key");
		return false;
	}
	j->p++;
	return true;
}

bool
cr_json_array(struct cr_json *j)
{
	return enter(j, CR_JSON_ARRAY);
}

bool
cr_json_item(struct cr_json *j)
{
	return more(j, ']');
}

bool
cr_json_text(struct cr_json *j, struct cr_str *raw)
{
	*raw = (struct cr_str){"", 0};
	switch (cr_json_kind(j)) {
	case CR_JSON_STRING: return read_string(j, raw);
	case CR_JSON_NUMBER:
	case CR_JSON_WORD:
		if (read_bare(j, raw) && !cr_str_eq(*raw, CR_STR("null")))
			return true;
		*raw = (struct cr_str){"", 0};
		return false;
	default: cr_json_skip(j); return false;
	}
}

/* The value of four hexadecimal digits; UINT32_MAX if they are none. */
static uint32_t
hex4(const char *p, const char *end)
{
	uint32_t v = 0;

	if (end - p < 4)
		return UINT32_MAX;
	for (int i = 0; i < 4; i++) {
		const char c = (char)(p[i] | 0x20);

		if (p[i] >= '0' && p[i] <= '9')
			v = v << 4 | (uint32_t)(p[i] - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (uint32_t)(c - 'a' + 10);
		else
			return UINT32_MAX;
	}
	return v;
}

static void
utf8_put(struct cr_text *t, uint32_t c)
{
	if (c >= 0x10000) {
		cr_text_char(t, (char)(0xf0 | c >> 18));
		cr_text_char(t, (char)(0x80 | (c >> 12 & 0x3f)));
	} else if (c >= 0x800) {
		cr_text_char(t, (char)(0xe0 | c >> 12));
	}
	if (c >= 0x800)
		cr_text_char(t, (char)(0x80 | (c >> 6 & 0x3f)));
	else if (c >= 0x80)
		cr_text_char(t, (char)(0xc0 | c >> 6));
	cr_text_char(t, (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c));
}

/*
 * Append the character of "\uXXXX" at p, with the second half if it is a surrogate pair. Returns
 * what follows, or NULL if it is no valid character.
 */
static const char *
unicode_put(const char *p, const char *end, struct cr_text *t)
{
	uint32_t c = hex4(p + 2, end), low;

	if (c == UINT32_MAX || (c >= 0xdc00 && c < 0xe000))
		return NULL;
	if (c < 0xd800 || c >= 0xe000) {
		utf8_put(t, c);
		return p + 6;
	}
	low = end - p >= 12 && p[6] == '\\' && p[7] == 'u' ? hex4(p + 8, end) : UINT32_MAX;
	if (low < 0xdc00 || low >= 0xe000)
		return NULL;
	utf8_put(t, 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00));
	return p + 12;
}

struct cr_str
cr_json_plain(struct cr_str raw, struct cr_text *room)
{
	/* Pairs: the letter and its meaning. */
	static const char escapes[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
	const char *p = raw.p, *back = raw.len ? memchr(p, '\\', raw.len) : NULL, *end;

	if (!back)
		return raw;
	end = p + raw.len;
	cr_text_clear(room);
	for (; back; back = p < end ? memchr(p, '\\', (size_t)(end - p)) : NULL) {
		const char *next = NULL, *e;

		cr_text_put(room, p, (size_t)(back - p));
		if (back + 1 < end && back[1] == 'u') {
			next = unicode_put(back, end, room);
		} else if (back + 1 < end && back[1]) {
			for (e = escapes; *e && *e != back[1]; e += 2)
				;
			if (*e)
				cr_text_char(room, e[1]);
			next = *e ? back + 2 : NULL;
		}
		if (!next)
			cr_text_char(room, '\\');
		p = next ? next : back + 1;
	}
	cr_text_put(room, p, (size_t)(end - p));
	return cr_text_view(room);
}
