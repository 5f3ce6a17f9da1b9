#include "svg_values_p.h"

#include "base/mem.h"
#include "view/style/color.h"

#include <stdlib.h>
#include <string.h>

#define NUMBER_MOST 1e12

/* Digits with at most one point: strtod() would accept signs, exponents and hexadecimal numbers. */
static bool
parse_decimal(const char *text, size_t len, double *out)
{
	char digits[32];

	if (len == 0 || len >= sizeof(digits) || strspn(text, "0123456789.") < len ||
		text[0] == '.')
		return false;
	memcpy(digits, text, len);
	digits[len] = '\0';
	if (strchr(digits, '.') != strrchr(digits, '.'))
		return false;
	*out = strtod(digits, NULL);
	return *out <= NUMBER_MOST;
}

int
cr_svg_parse_number(const char *text, void *at, struct cr_err *err)
{
	double v;

	if (!parse_decimal(text, strlen(text), &v) || v <= 0)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"must be a number above 0 such as 12 or 0.5, not '%s'", text);
	memcpy(at, &v, sizeof(v));
	return CR_OK;
}

int
cr_svg_parse_width(const char *text, void *at, struct cr_err *err)
{
	const size_t len = strlen(text);
	struct cr_svg_width *out = at;

	out->percent = len && text[len - 1] == '%';
	if (!parse_decimal(text, len - out->percent, &out->number))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"must be a number of pixels such as 0.5, or a part such as 1%%, not '%s'",
			text);
	return CR_OK;
}

static bool
parse_rgb(const char *text, uint32_t *rgb)
{
	return text[0] == '#' && cr_color_parse(cr_str_of(text), rgb);
}

int
cr_svg_parse_color(const char *text, void *at, struct cr_err *err)
{
	uint32_t rgb = UINT32_MAX - 1, rgb1;

	if (strcmp(text, "none") != 0 && !parse_rgb(text, &rgb))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"must be a colour such as #ff8000, or none, not '%s'", text);
	rgb1 = rgb + 1;
	memcpy(at, &rgb1, sizeof(rgb1));
	return CR_OK;
}

int
cr_svg_parse_background(const char *text, void *at, struct cr_err *err)
{
	static const struct {
		const char *name;
		uint32_t from, to;
	} known[] = {
		{"yellow", 0xeeeeee, 0xeeeeb0},
		{"blue", 0xeeeeee, 0xe0e0ff},
		{"green", 0xeef2ee, 0xe0ffe0},
		{"grey", 0xf8f8f8, 0xe8e8e8},
	};
	struct cr_svg_background *out = at;
	uint32_t rgb;

	out->given = true;
	for (size_t i = 0; i < CR_LEN(known); i++)
		if (strcmp(text, known[i].name) == 0) {
			out->from = known[i].from;
			out->to = known[i].to;
			return CR_OK;
		}
	if (!parse_rgb(text, &rgb))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"must be yellow, blue, green, grey or a colour such as #f8f8f8, not '%s'",
			text);
	out->from = out->to = rgb;
	return CR_OK;
}

int
cr_svg_parse_font(const char *text, void *at, struct cr_err *err)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789 ,-_'\"";
	const char **out = at;

	if (!*text || text[strspn(text, allowed)])
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"must be the name of a font, of letters, digits and blanks, not '%s'",
			text);
	*out = text;
	return CR_OK;
}
