#include "view/style/color.h"

#include "base/mem.h"

#include <string.h>

static uint32_t
channel(uint32_t rgb, unsigned shift)
{
	return rgb >> shift & 0xff;
}

uint32_t
cr_color_mix(uint32_t a, uint32_t b, uint32_t part)
{
	uint32_t out = 0;

	for (unsigned shift = 0; shift <= 16; shift += 8)
		out |= (channel(a, shift) * (1024 - part) + channel(b, shift) * part + 512) / 1024
		       << shift;
	return out;
}

uint32_t
cr_color_deep(uint32_t rgb)
{
	uint32_t out = 0;

	for (unsigned shift = 0; shift <= 16; shift += 8)
		out |= channel(rgb, shift) * channel(rgb, shift) * 7 / (255 * 10) << shift;
	return out;
}

/*
 * Relative luminance according to WCAG 2.2, in millionths. Its x^2.4 is approximated by a mix of a
 * square and a cube, with an error below 0.005: enough to choose between black and white.
 */
static uint32_t
luminance(uint32_t rgb)
{
	static const uint32_t weight[] = {722, 7152, 2126}; /* blue, green, red, of 10000 */
	uint64_t sum = 0;

	for (unsigned i = 0; i < 3; i++) {
		const uint64_t c = channel(rgb, i * 8);
		const uint64_t square = c * c * 1000000 / (255 * 255);
		const uint64_t cube = c * c * c * 1000000 / (255 * 255 * 255);

		sum += weight[i] * (square * 71 + cube * 29) / 100;
	}
	return (uint32_t)(sum / 10000);
}

uint32_t
cr_color_ink(uint32_t background)
{
	/* Black and white have equal contrast where (y + 0.05)^2 = 0.05 * 1.05. */
	return luminance(background) >= 179129 ? 0x000000 : 0xffffff;
}

static uint32_t
distance(uint32_t a, uint32_t b)
{
	uint32_t sum = 0;

	for (unsigned shift = 0; shift <= 16; shift += 8) {
		const int32_t d = (int32_t)channel(a, shift) - (int32_t)channel(b, shift);

		sum += (uint32_t)(d * d);
	}
	return sum;
}

/* xterm's 6 x 6 x 6 cube has these steps; its greys go from 8 in steps of ten. */
static uint32_t
cube_step(uint32_t c, uint32_t *level)
{
	const uint32_t i = c < 48 ? 0 : c < 115 ? 1 : (c - 35) / 40;

	*level = i ? 55 + 40 * i : 0;
	return i;
}

uint8_t
cr_color_256(uint32_t rgb)
{
	uint32_t r, g, b, grey, level;
	const uint32_t cube = 36 * cube_step(channel(rgb, 16), &r) +
			      6 * cube_step(channel(rgb, 8), &g) + cube_step(channel(rgb, 0), &b);
	const uint32_t mean = (channel(rgb, 16) + channel(rgb, 8) + channel(rgb, 0)) / 3;

	grey = mean < 8 ? 0 : CR_MIN((mean - 3) / 10, 23);
	level = 8 + 10 * grey;
	if (distance(rgb, level << 16 | level << 8 | level) < distance(rgb, r << 16 | g << 8 | b))
		return (uint8_t)(232 + grey);
	return (uint8_t)(16 + cube);
}

static uint32_t
most_of(uint32_t rgb)
{
	return CR_MAX(CR_MAX(channel(rgb, 16), channel(rgb, 8)), channel(rgb, 0));
}

uint8_t
cr_color_8(uint32_t rgb)
{
	const uint32_t r = channel(rgb, 16), g = channel(rgb, 8), b = channel(rgb, 0);
	const uint32_t most = most_of(rgb), least = CR_MIN(CR_MIN(r, g), b);

	/* By distance every light colour would become white. */
	if (most - least < 40)
		return most < 128 ? 0 : 7;
	return (uint8_t)((r * 2 > most + least) | (g * 2 > most + least) << 1 |
			 (b * 2 > most + least) << 2);
}

uint8_t
cr_color_16(uint32_t rgb)
{
	return (uint8_t)(cr_color_8(rgb) | (most_of(rgb) > 0xd0) << 3);
}

uint32_t
cr_color_ink_8(uint32_t background)
{
	static const bool dark[8] = {[0] = true, [1] = true, [4] = true}; /* black, red, blue */

	return dark[cr_color_8(background)] ? 0xffffff : 0x000000;
}

uint32_t
cr_color_ink_16(uint32_t background)
{
	/* Also bright blue, but not bright red. */
	static const bool dark[16] = {[0] = true, [1] = true, [4] = true, [12] = true};

	return dark[cr_color_16(background)] ? 0xffffff : 0x000000;
}

/* ---- as text */

/* The bright ones, so that 16 colours have what 8 have. */
static const struct {
	const char *name;
	uint32_t rgb;
} names[] = {
	{"black", 0x000000},
	{"red", 0xff5f5f},
	{"green", 0x5fd75f},
	{"yellow", 0xffff5f},
	{"blue", 0x5f87ff},
	{"magenta", 0xff5fff},
	{"cyan", 0x5fd7ff},
	{"white", 0xffffff},
	{"default", CR_COLOR_DEFAULT},
};

const char *
cr_color_name_at(size_t i)
{
	return i < CR_LEN(names) ? names[i].name : NULL;
}

static bool
parse_hex(struct cr_str text, uint32_t *rgb)
{
	static const char digits[] = "0123456789abcdef";

	*rgb = 0;
	for (uint32_t i = 1; i < text.len; i++) {
		const char c =
			text.p[i] >= 'A' && text.p[i] <= 'F' ? (char)(text.p[i] + 32) : text.p[i];
		const char *digit = c ? strchr(digits, c) : NULL;

		if (!digit)
			return false;
		*rgb = *rgb << 4 | (uint32_t)(digit - digits);
	}
	return true;
}

bool
cr_color_parse(struct cr_str text, uint32_t *rgb)
{
	if (text.len == 7 && text.p[0] == '#')
		return parse_hex(text, rgb);
	for (size_t i = 0; i < CR_LEN(names); i++)
		if (cr_str_eq(text, cr_str_of(names[i].name))) {
			*rgb = names[i].rgb;
			return true;
		}
	return false;
}

void
cr_color_put(uint32_t rgb, struct cr_text *out)
{
	if (rgb == CR_COLOR_DEFAULT)
		cr_text_puts(out, "default");
	else
		cr_text_printf(out, "#%06x", rgb);
}
