#include "query/lang/query.h"

#include <string.h>

#define BLANKS " \t\n"

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte of "xHH" after a backslash; 0, which no argument can contain, for anything else. */
static char
escaped_byte(const char *s)
{
	const int hi = s[0] == 'x' ? hex_digit(s[1]) : -1, lo = hi < 0 ? -1 : hex_digit(s[2]);

	if (lo < 0)
		return '\0';
	return (char)(unsigned char)(hi << 4 | lo);
}

/* Read quoted text with \" \\ \xHH; s begins after the first quote. *rest: after the last one. */
static int
quoted(const char *s, struct cr_text *arg, const char **rest, struct cr_err *err)
{
	for (; *s && *s != '"'; s++) {
		char c = *s;

		if (c == '\\') {
			s++;
			c = *s == '"' || *s == '\\' ? *s : escaped_byte(s);
			if (!c)
				return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
					"in quotes, \\ must be followed by \", \\ or xHH");
			s += *s == 'x' ? 2 : 0;
		}
		cr_text_char(arg, c);
	}
	if (!*s)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "a quote is not closed");
	s += 1 + strspn(s + 1, BLANKS);
	if (*s && *s != ';')
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"a quoted argument must be followed by ; or the end, not by '%.20s'", s);
	*rest = s + (*s == ';');
	return CR_OK;
}

/* Does a backslash stand before s[at], one that is not escaped itself? */
static bool
is_escaped(const char *s, size_t at)
{
	size_t n = 0;

	while (n < at && s[at - 1 - n] == '\\')
		n++;
	return n % 2;
}

/*
 * Read up to a ';'. A pattern or a name may contain one: it ends at a ';' that is followed by a
 * blank or the end and not preceded by a backslash.
 */
static void
plain(const char *s, bool is_free, struct cr_text *arg, const char **rest)
{
	size_t n = strcspn(s, ";");

	while (is_free && s[n] && (is_escaped(s, n) || (s[n + 1] && !strchr(BLANKS, s[n + 1]))))
		n += 1 + strcspn(s + n + 1, ";");
	*rest = s + n + (s[n] == ';');
	while (n && strchr(BLANKS, s[n - 1]))
		n--;
	cr_text_put(arg, s, n);
}

int
cr_query_next(const char *text, enum cr_word *word, struct cr_text *arg, const char **rest,
	struct cr_err *err)
{
	const char *s = text + strspn(text, BLANKS);
	const size_t len = strcspn(s, BLANKS ";");

	cr_text_clear(arg);
	cr_text_puts(arg, "");
	*word = cr_word_find((struct cr_str){s, (uint32_t)len});
	if (*word == CR_WORDS)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "unknown word of a query: '%.*s'",
			(int)CR_MIN(len, 40u), s);
	s += len + strspn(s + len, BLANKS);
	if (*s == '"')
		return quoted(s + 1, arg, rest, err);
	plain(s, cr_word_is_free(*word), arg, rest);
	return CR_OK;
}

int
cr_query_parse(struct cr_query *q, const char *text, struct cr_err *err)
{
	struct cr_query with;
	struct cr_text arg = {0};
	int rc = CR_OK;

	cr_query_copy(q, &with);
	while (rc == CR_OK) {
		enum cr_word word;

		text += strspn(text, BLANKS ";");
		if (!*text)
			break;
		if ((rc = cr_query_next(text, &word, &arg, &text, err)) == CR_OK)
			rc = cr_query_add(&with, word, arg.p, err);
	}
	cr_query_fini(rc < 0 ? &with : q);
	if (rc == CR_OK)
		*q = with;
	cr_text_fini(&arg);
	return rc;
}

/* True if it can be read back without quotes. */
static bool
is_plain(struct cr_str arg)
{
	struct cr_text safe = {0};
	bool same;

	if (!arg.len || strchr("\" ", arg.p[0]) || strchr(" \\", arg.p[arg.len - 1]) ||
		memchr(arg.p, ';', arg.len))
		return false;
	cr_text_safe(&safe, arg);
	same = cr_str_eq(cr_text_view(&safe), arg);
	cr_text_fini(&safe);
	return same;
}

static void
put_quoted(struct cr_str arg, struct cr_text *out)
{
	struct cr_text t = {0};

	for (uint32_t i = 0; i < arg.len; i++) {
		if (arg.p[i] == '"' || arg.p[i] == '\\')
			cr_text_char(&t, '\\');
		cr_text_char(&t, arg.p[i]);
	}
	cr_text_char(out, '"');
	cr_text_safe(out, cr_text_view(&t));
	cr_text_char(out, '"');
	cr_text_fini(&t);
}

void
cr_query_put_step(enum cr_word word, const char *arg, struct cr_text *out)
{
	const struct cr_word_info *w = cr_word_info(word);

	cr_text_puts(out, w->name);
	if (!w->arg)
		return;
	cr_text_char(out, ' ');
	if (is_plain(cr_str_of(arg)))
		cr_text_puts(out, arg);
	else
		put_quoted(cr_str_of(arg), out);
}

void
cr_query_print(const struct cr_query *q, struct cr_text *out)
{
	for (size_t i = 0; i < q->n; i++) {
		cr_text_puts(out, i ? "; " : "");
		cr_query_put_step(q->steps[i].word, q->steps[i].arg, out);
	}
}
