#include "cresset/view/label.h"

#include "cresset/base/utf8.h"

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || (unsigned char)c >= 0x80;
}

static bool
text_at(struct cr_str s, uint32_t i, const char *text)
{
	const size_t n = strlen(text);

	return s.len - i >= n && memcmp(s.p + i, text, n) == 0;
}

/*
 * How many bytes at i look like brackets and are none: the arrow of a return type, and what
 * stands behind "operator". operator() is not passed over: the peers cut there, too.
 */
static uint32_t
no_bracket(struct cr_str s, uint32_t i)
{
	static const char *const operators[] = {"operator<=>",
		"operator<<=", "operator>>=", "operator->*", "operator<<", "operator>>",
		"operator<=", "operator>=", "operator->", "operator<", "operator>"};

	if (s.p[i] == '-')
		return text_at(s, i, "->") ? 2 : 0;
	if (s.p[i] != 'o' || (i > 0 && is_word(s.p[i - 1])))
		return 0;
	for (size_t k = 0; k < sizeof(operators) / sizeof(operators[0]); k++)
		if (text_at(s, i, operators[k]))
			return (uint32_t)strlen(operators[k]);
	return 0;
}

static bool
opens(char c)
{
	return c == '<' || c == '[' || c == '{' || c == '(';
}

static bool
closes(char c)
{
	return c == '>' || c == ']' || c == '}' || c == ')';
}

static struct cr_str
trimmed(struct cr_str s)
{
	while (s.len > 0 && s.p[s.len - 1] == ' ')
		s.len--;
	return s;
}

/* An argument list begins at i, outside of all brackets. "net/http.(*Client).Do" has none. */
static bool
begins_arguments(struct cr_str s, uint32_t i)
{
	return s.p[i] == '(' && i > 0 && s.p[i - 1] != '.' &&
	       !text_at(s, i, "(anonymous namespace)");
}

struct cr_str
cr_label_bare(struct cr_str name)
{
	uint32_t depth = 0, skip;

	for (uint32_t i = 0; i < name.len; i++) {
		if ((skip = no_bracket(name, i)) > 0)
			i += skip - 1;
		else if (depth == 0 && begins_arguments(name, i))
			return trimmed((struct cr_str){name.p, i});
		else if (opens(name.p[i]))
			depth++;
		else if (closes(name.p[i]) && depth > 0)
			depth--;
	}
	return trimmed(name);
}

/*
 * The name without template arguments, appended to t. What a name begins with is kept, for that
 * is Rust's <Type as Trait>::method; the arguments within it go.
 */
static void
put_without_templates(struct cr_text *t, struct cr_str name)
{
	const bool leading = name.len > 0 && name.p[0] == '<';
	uint32_t depth = 0, skip;

	for (uint32_t i = 0; i < name.len; i++) {
		const char c = name.p[i];

		if ((skip = no_bracket(name, i)) > 0) {
			if (depth <= leading)
				cr_text_put(t, name.p + i, skip);
			i += skip - 1;
			continue;
		}
		if (c == '<')
			depth++;
		if (depth == 0 || (leading && depth == 1))
			cr_text_char(t, c);
		if (c == '>' && depth > 0)
			depth--;
	}
}

/* Where the next part of a qualified name begins; s.len where it has no further. */
static uint32_t
next_part(struct cr_str s, uint32_t i)
{
	uint32_t depth = 0, skip;

	for (; i < s.len; i++) {
		if ((skip = no_bracket(s, i)) > 0)
			i += skip - 1;
		else if (opens(s.p[i]))
			depth++;
		else if (closes(s.p[i]) && depth > 0)
			depth--;
		else if (depth == 0 && s.p[i] == '/' && i + 1 < s.len && !memchr(s.p, ' ', i))
			return i + 1; /* behind a blank it is the path of a script */
		else if (depth == 0 && text_at(s, i, "::")) {
			while (i < s.len && s.p[i] == ':') /* perf's Java names have three */
				i++;
			return i;
		}
	}
	return s.len;
}

/* "{{closure}}" and "operator" say nothing alone. */
static bool
says_something(struct cr_str part)
{
	return part.len > 0 && (is_word(part.p[0]) || part.p[0] == '~') &&
	       !cr_str_eq(part, CR_STR("operator"));
}

/* The longest end of a qualified name that fits, else the shortest there is. */
static struct cr_str
last_parts(struct cr_str s, uint32_t cells)
{
	struct cr_str best = s;

	for (uint32_t i = next_part(s, 0); i < s.len; i = next_part(s, i)) {
		const struct cr_str end = {s.p + i, s.len - i};

		if (!says_something(end))
			continue;
		best = end;
		if (cr_utf8_cells(end) <= cells)
			break;
	}
	return best;
}

static uint32_t
put_cut(struct cr_text *t, struct cr_str s, uint32_t cells)
{
	const struct cr_str kept = {s.p, cr_utf8_fit(s, cells - 1)};

	cr_text_str(t, kept);
	cr_text_puts(t, "\xe2\x80\xa6");
	return cr_utf8_cells(kept) + 1;
}

static uint32_t
put_shortened(struct cr_text *t, struct cr_str name, uint32_t cells)
{
	struct cr_str s = cr_label_bare(name), bare;
	struct cr_text plain = {0};
	uint32_t used = cr_utf8_cells(s);

	if (used <= cells) {
		cr_text_str(t, s);
		return used;
	}
	put_without_templates(&plain, s);
	bare = trimmed(cr_text_view(&plain)); /* "operator< <int>" ends in a blank then */
	s = last_parts(bare, cells);
	if (cr_utf8_cells(bare) <= cells)
		s = bare;
	used = cr_utf8_cells(s);
	if (used <= cells)
		cr_text_str(t, s);
	else
		used = put_cut(t, s, cells);
	cr_text_fini(&plain);
	return used;
}

uint32_t
cr_label_fit(struct cr_text *t, struct cr_str name, uint32_t cells)
{
	struct cr_text safe = {0};
	uint32_t used;

	if (cells < 2 || name.len == 0)
		return 0;
	cr_text_safe(&safe, name);
	used = cr_utf8_cells(cr_text_view(&safe));
	if (used <= cells)
		cr_text_str(t, cr_text_view(&safe));
	else
		used = put_shortened(t, cr_text_view(&safe), cells);
	cr_text_fini(&safe);
	return used;
}

struct cr_str
cr_label_path(struct cr_str path)
{
	const struct cr_str name = cr_str_basename(path);
	const uint32_t before = path.len - name.len;
	const char *slash = before > 1 ? memrchr(path.p, '/', before - 1) : NULL;

	return slash ? (struct cr_str){slash + 1, (uint32_t)(path.p + path.len - slash - 1)} : path;
}
