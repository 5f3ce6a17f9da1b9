#include "model/build/tidy.h"

#include "base/mem.h"

/* ---- argument lists */

uint32_t
cr_tidy_no_bracket(struct cr_str s, uint32_t i)
{
	static const char *const operators[] = {"operator<=>",
		"operator<<=", "operator>>=", "operator->*", "operator<<", "operator>>",
		"operator<=", "operator>=", "operator->", "operator<", "operator>"};

	if (s.p[i] == '-')
		return cr_tidy_at(s, i, "->") ? 2 : 0;
	if (s.p[i] != 'o' || (i > 0 && cr_tidy_is_word(s.p[i - 1])))
		return 0;
	for (size_t k = 0; k < CR_LEN(operators); k++)
		if (cr_tidy_at(s, i, operators[k]))
			return (uint32_t)strlen(operators[k]);
	return 0;
}

/* True if an argument list begins at i, outside all brackets. "net/http.(*Client).Do" has none. */
static bool
begins_arguments(struct cr_str s, uint32_t i)
{
	return s.p[i] == '(' && i > 0 && s.p[i - 1] != '.' &&
	       !cr_tidy_at(s, i, "(anonymous namespace)");
}

struct cr_str
cr_tidy_bare(struct cr_str name)
{
	uint32_t depth = 0, skip;

	for (uint32_t i = 0; i < name.len; i++) {
		if ((skip = cr_tidy_no_bracket(name, i)) > 0)
			i += skip - 1;
		else if (depth == 0 && begins_arguments(name, i))
			return cr_tidy_trimmed((struct cr_str){name.p, i});
		else if (cr_tidy_opens(name.p[i]))
			depth++;
		else if (cr_tidy_closes(name.p[i]) && depth > 0)
			depth--;
	}
	return cr_tidy_trimmed(name);
}

/* ---- inlined parts */

/* True if the "->" at i separates a caller from a function inlined into it. */
static bool
is_arrow(struct cr_str s, uint32_t i)
{
	const struct cr_str before = {s.p, i};

	return !cr_str_ends(before, "operator") && !(i > 0 && s.p[i - 1] == ' ') &&
	       !(i + 2 < s.len && s.p[i + 2] == ' ');
}

bool
cr_tidy_part(struct cr_str *rest, struct cr_str *part)
{
	const struct cr_str s = *rest;

	if (!s.p)
		return false;
	for (const char *at = s.p; (at = memmem(at, (size_t)(s.p + s.len - at), "->", 2)) != NULL;
		at += 2) {
		const uint32_t i = (uint32_t)(at - s.p);

		if (!is_arrow(s, i))
			continue;
		*part = (struct cr_str){s.p, i};
		*rest = (struct cr_str){s.p + i + 2, s.len - i - 2};
		return true;
	}
	*part = s;
	*rest = (struct cr_str){NULL, 0};
	return true;
}

/* ---- Rust */

#define HASH_LEN 17u /* "h" and 16 hex digits */

static bool
ends_in_hash(struct cr_str s)
{
	const char *hash = s.p + s.len - HASH_LEN;

	if (s.len <= HASH_LEN || *hash != 'h')
		return false;
	for (uint32_t i = 1; i < HASH_LEN; i++)
		if (!strchr("0123456789abcdefABCDEF", hash[i]) || !hash[i])
			return false;
	return true;
}

/* The compiler's names for characters that assemblers reject, each written between two '$'. */
static const struct {
	const char *name;
	char means;
} escapes[] = {
	{"$SP$", '@'},
	{"$BP$", '*'},
	{"$RF$", '&'},
	{"$LT$", '<'},
	{"$GT$", '>'},
	{"$LP$", '('},
	{"$RP$", ')'},
	{"$C$", ','},
	{"$u7e$", '~'},
	{"$u20$", ' '},
	{"$u27$", '\''},
	{"$u3d$", '='},
	{"$u5b$", '['},
	{"$u5d$", ']'},
	{"$u7b$", '{'},
	{"$u7d$", '}'},
	{"$u3b$", ';'},
	{"$u2b$", '+'},
	{"$u21$", '!'},
	{"$u22$", '"'},
};

/* The length of the escape at i, with its meaning in *means; 0 if there is none. */
static uint32_t
escape_at(struct cr_str s, uint32_t i, char *means)
{
	for (size_t k = 0; k < CR_LEN(escapes); k++)
		if (cr_tidy_at(s, i, escapes[k].name)) {
			*means = escapes[k].means;
			return (uint32_t)strlen(escapes[k].name);
		}
	return 0;
}

struct cr_str
cr_tidy_rust(struct cr_str name, struct cr_text *room)
{
	struct cr_str s = name;
	uint32_t skip;
	char c;

	if (!ends_in_hash(s))
		return name;
	s.len -= HASH_LEN;
	if (cr_str_ends(s, "::"))
		s.len -= 2;
	cr_text_clear(room);
	for (uint32_t i = cr_str_starts(s, "_$"); i < s.len; i += skip) {
		c = s.p[i];
		skip = 1;
		if (c == '.' && cr_tidy_at(s, i, "..")) {
			cr_text_puts(room, "::");
			skip = 2;
			continue;
		}
		if (c == '$' && !(skip = escape_at(s, i, &c))) {
			/* An unknown escape: copy the rest unchanged. */
			cr_text_put(room, s.p + i, s.len - i);
			break;
		}
		cr_text_char(room, c);
	}
	return cr_text_view(room);
}
