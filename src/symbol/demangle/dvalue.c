#include "dname_p.h"

#include <inttypes.h>
#include <string.h>

static int
hex_value(char c)
{
	if (cr_dname_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void
put_char(struct cr_dname *r, uint32_t c, char type)
{
	const int digits = type == 'a' ? 2 : type == 'u' ? 4 : 8;
	char text[16];

	if (type == 'a' && c >= 0x20 && c < 0x7f)
		snprintf(text, sizeof(text), "'%c'", (int)c);
	else
		snprintf(text, sizeof(text), "'\\%c%0*" PRIx32 "'",
			type == 'a'   ? 'x'
			: type == 'u' ? 'u'
				      : 'U',
			digits, c);
	cr_dname_puts(r, text);
}

static void
read_integer(struct cr_dname *r, char type)
{
	const size_t start = r->at;
	uint32_t n;

	switch (type) {
	case 'a':
	case 'u':
	case 'w': put_char(r, cr_dname_number(r), type); return;
	case 'b':
		n = cr_dname_number(r);
		cr_dname_puts(r, n ? "true" : "false");
		return;
	}
	if (!cr_dname_digit(cr_dname_peek(r, 0)))
		r->bad = true;
	while (cr_dname_digit(cr_dname_peek(r, 0)))
		r->at++;
	cr_dname_put(r, r->name + start, r->at - start);
	cr_dname_puts(r, type == 'h' || type == 't' || type == 'k' ? "u"
			 : type == 'l'                             ? "L"
			 : type == 'm'                             ? "uL"
								   : "");
}

/* Hexadecimal: a digit, the fraction, P, the exponent; N is a minus sign. */
static void
read_real(struct cr_dname *r)
{
	size_t start;

	if (cr_dname_next(r, "NAN") || cr_dname_next(r, "NINF") || cr_dname_next(r, "INF")) {
		const char last = r->name[r->at - 1], first = r->name[r->at - 4];

		cr_dname_puts(r, last == 'N' ? "NaN" : first == 'N' ? "-Inf" : "Inf");
		return;
	}
	if (cr_dname_next(r, "N"))
		cr_dname_puts(r, "-");
	if (hex_value(cr_dname_peek(r, 0)) < 0)
		r->bad = true;
	cr_dname_puts(r, "0x");
	cr_dname_put(r, r->name + r->at, r->bad ? 0 : 1);
	cr_dname_puts(r, ".");
	start = r->bad ? r->at : ++r->at;
	while (hex_value(cr_dname_peek(r, 0)) >= 0)
		r->at++;
	cr_dname_put(r, r->name + start, r->at - start);
	if (!cr_dname_next(r, "P"))
		r->bad = true;
	cr_dname_puts(r, cr_dname_next(r, "N") ? "p-" : "p");
	start = r->at;
	cr_dname_number(r);
	cr_dname_put(r, r->name + start, r->at - start);
}

/* a, w or d: the character width; the number of bytes; _; two hex digits for each */
static void
read_string(struct cr_dname *r)
{
	static const char letters[] = "\t\n\r\f\v", names[] = "tnrfv";
	const char type = r->name[r->at++];
	const uint32_t len = cr_dname_number(r);
	char text[8];

	if (!cr_dname_next(r, "_"))
		r->bad = true;
	cr_dname_puts(r, "\"");
	for (uint32_t i = 0; i < len && !r->bad; i++, r->at += 2) {
		const int hi = hex_value(cr_dname_peek(r, 0)), lo = hex_value(cr_dname_peek(r, 1));
		const int c = hi < 0 ? -1 : hi << 4 | lo;
		const char *known = c > 0 ? strchr(letters, c) : NULL;

		if (hi < 0 || lo < 0) {
			r->bad = true;
			return;
		}
		if (known)
			snprintf(text, sizeof(text), "\\%c", names[known - letters]);
		else if (c >= 0x20 && c < 0x7f)
			snprintf(text, sizeof(text), "%c", c);
		else
			snprintf(text, sizeof(text), "\\x%02x", (unsigned)c);
		cr_dname_puts(r, text);
	}
	cr_dname_puts(r, "\"");
	if (type != 'a')
		cr_dname_put(r, &type, 1);
}

static void
read_values(struct cr_dname *r, const char *open, const char *close, bool pairs)
{
	const uint32_t n = cr_dname_number(r);

	cr_dname_puts(r, open);
	for (uint32_t i = 0; i < n && !r->bad; i++) {
		if (i)
			cr_dname_puts(r, ", ");
		cr_dname_value(r, CR_STR(""), '\0');
		if (pairs) {
			cr_dname_puts(r, ":");
			cr_dname_value(r, CR_STR(""), '\0');
		}
	}
	cr_dname_puts(r, close);
}

void
cr_dname_value(struct cr_dname *r, struct cr_str type_name, char type)
{
	if (!cr_dname_enter(r))
		return;
	if (cr_dname_next(r, "n")) {
		cr_dname_puts(r, "null");
	} else if (cr_dname_next(r, "N")) {
		cr_dname_puts(r, "-");
		read_integer(r, type);
	} else if (cr_dname_digit(cr_dname_peek(r, 0)) || cr_dname_next(r, "i")) {
		read_integer(r, type);
	} else if (cr_dname_next(r, "e")) {
		read_real(r);
	} else if (cr_dname_next(r, "c")) {
		read_real(r);
		cr_dname_puts(r, "+");
		if (!cr_dname_next(r, "c"))
			r->bad = true;
		read_real(r);
		cr_dname_puts(r, "i");
	} else if (cr_dname_peek(r, 0) == 'a' || cr_dname_peek(r, 0) == 'w' ||
		   cr_dname_peek(r, 0) == 'd') {
		read_string(r);
	} else if (cr_dname_next(r, "A")) {
		read_values(r, "[", "]", type == 'H');
	} else if (cr_dname_next(r, "S")) {
		cr_dname_put(r, type_name.p, type_name.len);
		read_values(r, "(", ")", false);
	} else if (cr_dname_next(r, "f") && cr_dname_next(r, "_D")) {
		cr_dname_mangled(r);
	} else {
		r->bad = true;
	}
	cr_dname_leave(r);
}
