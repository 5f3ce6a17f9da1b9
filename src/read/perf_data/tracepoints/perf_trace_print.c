#include "perf_trace_format_p.h"

#include "bytes/scan.h"

#include <string.h>

/* s without its first n bytes. */
static struct cr_str
behind(struct cr_str s, uint32_t n)
{
	n = CR_MIN(n, s.len);
	return (struct cr_str){s.p + n, s.len - n};
}

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Length of the literal at the start of s, including both quotes; all of s if it does not end. */
static uint32_t
literal_bytes(struct cr_str s)
{
	uint32_t i = 1;

	while (i < s.len && s.p[i] != s.p[0])
		i += s.p[i] == '\\' ? 2 : 1;
	return CR_MIN(i + 1, s.len);
}

/* ---- arguments */

/* Length up to the first `until` outside literals and brackets; all of s if there is none. */
static uint32_t
bytes_until(struct cr_str s, char until)
{
	uint32_t depth = 0, i = 0;

	while (i < s.len) {
		const char c = s.p[i];

		if (depth == 0 && c == until)
			return i;
		depth += c == '(' || c == '{' || c == '[';
		depth -= depth && (c == ')' || c == '}' || c == ']');
		i += c == '"' || c == '\'' ? literal_bytes(behind(s, i)) : 1;
	}
	return s.len;
}

/* Split off the text before the next comma. */
static struct cr_str
argument_read(struct cr_str *s)
{
	const struct cr_str argument = {s->p, bytes_until(*s, ',')};

	*s = behind(*s, argument.len + 1);
	return cr_scan_trim(argument);
}

/* "(void *)", "(unsigned long long)": words and asterisks, but no field. */
static bool
is_type(struct cr_str s)
{
	for (uint32_t i = 0; i < s.len; i++)
		if (!is_word(s.p[i]) && s.p[i] != ' ' && s.p[i] != '*')
			return false;
	return s.len > 0;
}

/* The name of the field if the argument is one, even "(void *)(REC->ip)"; otherwise "". */
static struct cr_str
field_of(struct cr_str s)
{
	static const char record[] = "REC->";

	while (s.len && s.p[0] == '(') {
		const struct cr_str rest = behind(s, 1);
		const struct cr_str inner = {rest.p, bytes_until(rest, ')')};
		const struct cr_str after = cr_scan_trim(behind(rest, inner.len + 1));

		if (after.len && !is_type(inner))
			return CR_STR("");
		s = after.len ? after : cr_scan_trim(inner);
	}
	if (!cr_str_starts(s, record))
		return CR_STR("");
	s = behind(s, sizeof(record) - 1);
	for (uint32_t i = 0; i < s.len; i++)
		if (!is_word(s.p[i]))
			return CR_STR("");
	return s;
}

/* ---- conversions */

/* "%-16s" is {"s"}, "%08llx" {"x"}, "%pSR" {"pSR"}; stars are arguments before the value. */
struct conversion {
	struct cr_str what;
	uint32_t stars;
};

/* Split off the next conversion of a literal, and the text before it. */
static bool
conversion_read(struct cr_str *s, struct conversion *out)
{
	const char *percent = s->len ? memchr(s->p, '%', s->len) : NULL;
	uint32_t n = 1;

	*out = (struct conversion){0};
	if (!percent)
		return false;
	*s = behind(*s, (uint32_t)(percent - s->p) + 1);
	while (s->len && strchr("-+ #0123456789.*'hljztLq", s->p[0])) {
		out->stars += s->p[0] == '*';
		*s = behind(*s, 1);
	}
	if (s->len && s->p[0] == 'p')
		while (n < s->len && is_word(s->p[n]))
			n++;
	out->what = (struct cr_str){s->p, CR_MIN(n, s->len)};
	*s = behind(*s, n);
	return true;
}

static enum cr_code_form
code_of(struct cr_str what)
{
	if (what.len < 2 || what.p[0] != 'p')
		return CR_CODE_NONE;
	switch (what.p[1]) {
	case 'S': /* fall through */
	case 'F': /* fall through */
	case 'B': return CR_CODE_OFFSET;
	case 's': /* fall through */
	case 'f': return CR_CODE_NAME;
	default: return CR_CODE_NONE;
	}
}

static bool
is_hex(struct cr_str what)
{
	return cr_str_eq(what, CR_STR("p")) || cr_str_eq(what, CR_STR("px")) ||
	       cr_str_eq(what, CR_STR("pK")) || cr_str_eq(what, CR_STR("x")) ||
	       cr_str_eq(what, CR_STR("X"));
}

static void
apply(struct cr_str what, struct cr_str argument, struct perf_trace_field *fields, uint32_t n)
{
	const struct cr_str name = field_of(argument);

	for (uint32_t i = 0; i < n && name.len; i++) {
		struct perf_trace_field *f = &fields[i];

		if (f->is_array || !cr_str_eq(f->name, name))
			continue;
		/*
		 * A printed pointer is no number, whatever its type is called; signed numbers stay
		 * signed.
		 */
		if (what.len && what.p[0] == 'p' && (is_hex(what) || code_of(what))) {
			f->is_signed = false;
			f->is_hex = true;
			f->code = (uint8_t)code_of(what);
		} else if (is_hex(what) && !f->is_signed) {
			f->is_hex = true;
		}
	}
}

void
cr_perf_trace_print_read(struct cr_str text, struct perf_trace_field *fields, uint32_t n)
{
	struct conversion c;
	struct cr_str literal, arguments;

	text = cr_scan_trim(text);
	if (!cr_str_starts(text, "\""))
		return;
	literal = (struct cr_str){text.p + 1, literal_bytes(text) - 1};
	arguments = cr_scan_trim(behind(text, literal.len + 1));
	if (!cr_str_starts(arguments, ","))
		return;
	arguments = behind(arguments, 1);
	while (arguments.len && conversion_read(&literal, &c)) {
		if (cr_str_eq(c.what, CR_STR("%")))
			continue;
		for (uint32_t i = 0; i < c.stars; i++)
			argument_read(&arguments);
		apply(c.what, argument_read(&arguments), fields, n);
	}
}
