#ifndef CR_JSON_SCHEMA_H
#define CR_JSON_SCHEMA_H

#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * JSON as a tree, read strictly, and the part of JSON Schema that data/cresset.schema.json uses.
 * In one respect it is stricter than JSON Schema: without "additionalProperties", members that
 * "properties" does not list are errors.
 */
enum node_kind { NODE_OBJECT, NODE_LIST, NODE_TEXT, NODE_NUMBER, NODE_WORD };

struct node {
	enum node_kind kind;
	struct cr_str key;  /* in an object, without resolving escapes */
	struct cr_str text; /* of a string without its quotes, a number or a word */
	struct node *first, *next;
};

/* ---- reading */

struct json_text {
	const char *at, *end;
	struct cr_arena arena; /* owns the nodes */
};

static void
json_blanks(struct json_text *t)
{
	while (t->at < t->end && strchr(" \n\t\r", *t->at) && *t->at)
		t->at++;
}

static bool
json_char(struct json_text *t, char c)
{
	json_blanks(t);
	if (t->at == t->end || *t->at != c)
		return false;
	t->at++;
	return true;
}

/* From the opening quote on; only the escapes that JSON has, and no control characters. */
static bool
json_string(struct json_text *t, struct cr_str *out)
{
	if (!json_char(t, '"'))
		return false;
	out->p = t->at;
	for (; t->at < t->end && *t->at != '"'; t->at++) {
		if ((unsigned char)*t->at < ' ')
			return false;
		if (*t->at == '\\' && (++t->at == t->end || !strchr("\"\\/bfnrtu", *t->at)))
			return false;
	}
	out->len = (uint32_t)(t->at - out->p);
	return json_char(t, '"');
}

/* The characters of a number; strtod() accepts all of them. */
static bool
json_number(struct json_text *t, struct cr_str *out)
{
	const char *start = t->at, *digits = start + (*start == '-');
	char *after;

	if (digits == t->end || *digits < '0' || *digits > '9' ||
		(*digits == '0' && digits + 1 < t->end && digits[1] >= '0' && digits[1] <= '9'))
		return false;
	strtod(start, &after);
	if (strpbrk((const char[2]){after[-1], '\0'}, ".eExX+-"))
		return false;
	*out = (struct cr_str){start, (uint32_t)(after - start)};
	t->at = after;
	return true;
}

static bool
json_word(struct json_text *t, struct cr_str *out)
{
	static const char *const words[] = {"true", "false", "null"};

	for (size_t i = 0; i < CR_LEN(words); i++) {
		const size_t len = strlen(words[i]);

		if ((size_t)(t->end - t->at) < len || memcmp(t->at, words[i], len) != 0)
			continue;
		*out = (struct cr_str){t->at, (uint32_t)len};
		t->at += len;
		return true;
	}
	return false;
}

static struct node *json_value(struct json_text *t, unsigned depth);

/* The items after the opening bracket, and the closing one. */
static bool
json_items(struct json_text *t, struct node *of, char close, unsigned depth)
{
	struct node **link = &of->first;

	if (json_char(t, close))
		return true;
	do {
		struct cr_str key = {NULL, 0};

		if (of->kind == NODE_OBJECT && (!json_string(t, &key) || !json_char(t, ':')))
			return false;
		for (const struct node *n = of->first; n && key.p; n = n->next)
			if (cr_str_eq(n->key, key))
				return false; /* twice */
		if (!(*link = json_value(t, depth + 1)))
			return false;
		(*link)->key = key;
		link = &(*link)->next;
	} while (json_char(t, ','));
	return json_char(t, close);
}

static struct node *
json_value(struct json_text *t, unsigned depth)
{
	struct node *n = cr_arena_alloc(&t->arena, sizeof(*n));
	bool good;

	*n = (struct node){.kind = NODE_WORD};
	json_blanks(t);
	if (t->at == t->end || depth > 100)
		return NULL;
	if (*t->at == '{' || *t->at == '[') {
		const char close = *t->at == '{' ? '}' : ']';

		n->kind = *t->at++ == '{' ? NODE_OBJECT : NODE_LIST;
		good = json_items(t, n, close, depth);
	} else if (*t->at == '"') {
		n->kind = NODE_TEXT;
		good = json_string(t, &n->text);
	} else if (*t->at == '-' || (*t->at >= '0' && *t->at <= '9')) {
		n->kind = NODE_NUMBER;
		good = json_number(t, &n->text);
	} else {
		good = json_word(t, &n->text);
	}
	return good ? n : NULL;
}

/*
 * Read a text, which must end in a NUL, as one value; NULL if it is no JSON. t owns the nodes:
 * cr_arena_fini(&t->arena).
 */
static inline const struct node *
json_read(struct json_text *t, const char *text)
{
	const struct node *n;

	*t = (struct json_text){.at = text, .end = text + strlen(text)};
	n = json_value(t, 0);
	json_blanks(t);
	return t->at == t->end ? n : NULL;
}

static inline const struct node *
json_member(const struct node *of, const char *key)
{
	const struct node *n = of && of->kind == NODE_OBJECT ? of->first : NULL;

	while (n && !cr_str_eq(n->key, cr_str_of(key)))
		n = n->next;
	return n;
}

/* ---- the schema */

struct schema {
	const struct node *root;
	struct cr_text *why; /* the first difference, or NULL */
	unsigned depth;
};

static bool schema_fits(struct schema *s, const struct node *schema, const struct node *value);

static bool
schema_fail(const struct schema *s, const char *what, struct cr_str about)
{
	if (s->why && !s->why->len)
		cr_text_printf(s->why, "%s: %.*s", what, (int)about.len, about.p ? about.p : "");
	return false;
}

static bool
schema_is_type(struct cr_str type, const struct node *value)
{
	static const char *const names[] = {"object", "array", "string", "number"};
	const bool is_word = value->kind == NODE_WORD,
		   is_null = is_word && cr_str_eq(value->text, CR_STR("null"));

	if (is_word)
		return cr_str_eq(type, is_null ? CR_STR("null") : CR_STR("boolean"));
	if (cr_str_eq(type, CR_STR("integer")))
		return value->kind == NODE_NUMBER && !memchr(value->text.p, '.', value->text.len);
	return cr_str_eq(type, cr_str_of(names[value->kind]));
}

static bool
schema_fits_type(const struct schema *s, const struct node *type, const struct node *value)
{
	bool any = type->kind == NODE_TEXT && schema_is_type(type->text, value);

	for (const struct node *n = type->first; n; n = n->next)
		any |= schema_is_type(n->text, value);
	return any || schema_fail(s, "wrong type", value->key);
}

static bool
schema_fits_members(struct schema *s, const struct node *schema, const struct node *value)
{
	const struct node *known = json_member(schema, "properties"),
			  *more = json_member(schema, "additionalProperties"),
			  *required = json_member(schema, "required");

	for (const struct node *n = required ? required->first : NULL; n; n = n->next) {
		const struct node *m = value->first;

		while (m && !cr_str_eq(m->key, n->text))
			m = m->next;
		if (!m)
			return schema_fail(s, "missing member", n->text);
	}
	for (const struct node *m = value->first; m; m = m->next) {
		const struct node *n = known ? known->first : NULL;

		while (n && !cr_str_eq(n->key, m->key))
			n = n->next;
		if (!n && !more)
			return schema_fail(s, "member not in the schema", m->key);
		if (!schema_fits(s, n ? n : more, m))
			return schema_fail(s, "in", m->key);
	}
	return true;
}

static bool
schema_fits_any(struct schema *s, const struct node *list, const struct node *value)
{
	struct schema quiet = *s;

	quiet.why = NULL;
	for (const struct node *n = list->first; n; n = n->next)
		if (schema_fits(&quiet, n, value))
			return true;
	return schema_fail(s, "fits no alternative", value->key);
}

/* A reference is "#/$defs/NAME". */
static const struct node *
schema_ref(const struct schema *s, struct cr_str path)
{
	const struct node *n = json_member(s->root, "$defs");

	for (n = n ? n->first : NULL; n; n = n->next)
		if (path.len > 8 && cr_str_eq(n->key, cr_str_from(path, path.p + 8)))
			return n;
	return NULL;
}

static bool
schema_fits_enum(const struct schema *s, const struct node *list, const struct node *value)
{
	for (const struct node *n = list->first; n; n = n->next)
		if (n->kind == value->kind && cr_str_eq(n->text, value->text))
			return true;
	return schema_fail(s, "not one of the words", value->text);
}

/* True if the value is as the schema says; otherwise s->why says what is not. */
static bool
schema_fits(struct schema *s, const struct node *schema, const struct node *value)
{
	const struct node *n;

	if (schema->kind == NODE_WORD) /* true */
		return true;
	if ((n = json_member(schema, "$ref"))) {
		schema = schema_ref(s, n->text);
		return schema ? schema_fits(s, schema, value)
			      : schema_fail(s, "no definition", n->text);
	}
	if ((n = json_member(schema, "type")) && !schema_fits_type(s, n, value))
		return false;
	if ((n = json_member(schema, "enum")) && !schema_fits_enum(s, n, value))
		return false;
	if ((n = json_member(schema, "minimum")) && value->kind == NODE_NUMBER &&
		strtod(value->text.p, NULL) < strtod(n->text.p, NULL))
		return schema_fail(s, "too small", value->key);
	if ((n = json_member(schema, "anyOf")) && !schema_fits_any(s, n, value))
		return false;
	if ((n = json_member(schema, "items")) && value->kind == NODE_LIST)
		for (const struct node *item = value->first; item; item = item->next)
			if (!schema_fits(s, n, item))
				return schema_fail(s, "in a list", value->key);
	if (value->kind == NODE_OBJECT && !json_member(schema, "anyOf") &&
		!schema_fits_members(s, schema, value))
		return false;
	return true;
}

#endif
