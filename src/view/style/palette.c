#include "view/style/palette.h"

#include "base/hash.h"
#include "query/diff/diff.h"

/*
 * Every colour below is light enough for black text at a contrast of at least 4.5:1. Kinds differ
 * in hue, and for the colour-blind in lightness or on the blue-yellow axis; the unit test checks
 * them under simulated protan- and deuteranopia.
 */
struct shades {
	uint32_t from, to; /* the name selects a colour between the two */
};

static const struct shades kind_shades[CR_KINDS] = {
	[CR_KIND_UNKNOWN] = {0xbfbfbf, 0xa6a6a6},
	[CR_KIND_USER] = {0xffd08a, 0xf79a4a},
	[CR_KIND_KERNEL] = {0x86b6f0, 0x5a90d8},
	[CR_KIND_MODULE] = {0xbfe9f5, 0x93d3ea},
	[CR_KIND_VDSO] = {0xddb3e2, 0xc48fcb},
	[CR_KIND_JIT] = {0x7cbf82, 0x52985c},
	[CR_KIND_BPF] = {0xf8f25e, 0xe6dc2a},
	[CR_KIND_GROUP] = {0xece7df, 0xe0dad0},
};

static const struct shades dso_shades[] = {
	{0xffd08a, 0xf79a4a},
	{0x86b6f0, 0x5a90d8},
	{0x7fd6b4, 0x4bbd93},
	{0xddb3e2, 0xc48fcb},
	{0xf1ec86, 0xdcd65a},
	{0xf7aaa0, 0xe97f73},
	{0xbfe9f5, 0x93d3ea},
	{0xc9e29a, 0xabcb70},
	{0xf6bcd5, 0xe897bb},
	{0xd8c3a5, 0xc2a67f},
	{0xb9b7ee, 0x9793de},
	{0x9bdcd8, 0x6fc6c1},
};

/* Yellow to red, like flames. */
static const struct shades plain_shades[] = {
	{0xffe08a, 0xffb347},
	{0xffc46b, 0xff9038},
	{0xffa860, 0xf87a3c},
	{0xff9470, 0xf0694a},
};

#define INLINED_WHITE 320 /* of 1024: how much paler inlined functions are */

#define DIFF_SAME 0xd9d9d9u
#define DIFF_GREW 0xf07d1au
#define DIFF_SHRANK 0x4a93e6u

const char *
cr_palette_name(enum cr_palette p)
{
	static const char *const names[CR_PALETTES] = {"kind", "dso", "plain"};

	return names[p];
}

static uint32_t
channel(uint32_t rgb, unsigned shift)
{
	return rgb >> shift & 0xff;
}

/* Mix a and b; part is that of b, of 1024. */
static uint32_t
mix(uint32_t a, uint32_t b, uint32_t part)
{
	uint32_t out = 0;

	for (unsigned shift = 0; shift <= 16; shift += 8)
		out |= (channel(a, shift) * (1024 - part) + channel(b, shift) * part + 512) / 1024
		       << shift;
	return out;
}

static uint32_t
shade(const struct shades *s, uint64_t hash)
{
	return mix(s->from, s->to, (uint32_t)(hash >> 40 & 1023));
}

static uint32_t
color_of(enum cr_palette p, const struct cr_frame *f)
{
	const uint64_t hash = cr_digest(f->name.p, f->name.len);

	if (p == CR_PALETTE_PLAIN && f->kind != CR_KIND_GROUP)
		return shade(&plain_shades[hash % CR_LEN(plain_shades)], hash);
	if (p == CR_PALETTE_DSO && f->dso.len > 0 && f->kind != CR_KIND_GROUP) {
		/* A library in two places has the same colour. */
		const struct cr_str base = cr_str_basename(f->dso);

		return shade(&dso_shades[cr_digest(base.p, base.len) % CR_LEN(dso_shades)], hash);
	}
	return shade(&kind_shades[f->kind < CR_KINDS ? f->kind : CR_KIND_UNKNOWN], hash);
}

uint32_t
cr_palette_frame(enum cr_palette p, const struct cr_frame *f)
{
	return f->inlined ? mix(color_of(p, f), 0xffffff, INLINED_WHITE) : color_of(p, f);
}

uint32_t
cr_palette_kind(enum cr_kind kind)
{
	return mix(kind_shades[kind].from, kind_shades[kind].to, 512);
}

uint32_t
cr_palette_diff(int32_t delta_ppm, uint32_t scale_ppm)
{
	const uint64_t size = (uint64_t)(delta_ppm < 0 ? -(int64_t)delta_ppm : delta_ppm);
	const uint64_t part = scale_ppm ? CR_MIN(size * 1024 / scale_ppm, 1024) : 0;

	return mix(DIFF_SAME, delta_ppm < 0 ? DIFF_SHRANK : DIFF_GREW, (uint32_t)part);
}

uint32_t
cr_palette_diff_scale(const struct cr_tree *t)
{
	uint32_t scale = 1;

	for (uint32_t n = 0; n < t->n; n++) {
		const int32_t delta = cr_diff_self_ppm(t, n);

		scale = CR_MAX(scale, (uint32_t)(delta < 0 ? -delta : delta));
	}
	return scale;
}

uint32_t
cr_palette_node(enum cr_palette p, const struct cr_tree *t, uint32_t node, uint32_t scale_ppm)
{
	if (t->sides == 2)
		return cr_palette_diff(cr_diff_self_ppm(t, node), scale_ppm);
	return cr_palette_frame(p, &t->frames[t->frame[node]]);
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
cr_palette_ink(uint32_t background)
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
cr_palette_256(uint32_t rgb)
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

uint8_t
cr_palette_8(uint32_t rgb)
{
	const uint32_t r = channel(rgb, 16), g = channel(rgb, 8), b = channel(rgb, 0);
	const uint32_t most = CR_MAX(CR_MAX(r, g), b), least = CR_MIN(CR_MIN(r, g), b);

	/* By distance every light colour would become white. */
	if (most - least < 40)
		return most < 128 ? 0 : 7;
	return (uint8_t)((r * 2 > most + least) | (g * 2 > most + least) << 1 |
			 (b * 2 > most + least) << 2);
}

uint32_t
cr_palette_kind_8(enum cr_kind kind)
{
	static const uint32_t colors[CR_KINDS] = {
		[CR_KIND_UNKNOWN] = 0xffffff,
		[CR_KIND_USER] = 0xffff00,
		[CR_KIND_KERNEL] = 0x0000ff,
		[CR_KIND_MODULE] = 0x0000ff,
		[CR_KIND_VDSO] = 0x00ffff,
		[CR_KIND_JIT] = 0x00ff00,
		[CR_KIND_BPF] = 0xff0000,
		[CR_KIND_GROUP] = 0xffffff,
	};

	return colors[kind < CR_KINDS ? kind : CR_KIND_UNKNOWN];
}

uint32_t
cr_palette_ink_8(uint32_t background)
{
	static const bool dark[8] = {[0] = true, [1] = true, [4] = true}; /* black, red, blue */

	return dark[cr_palette_8(background)] ? 0xffffff : 0x000000;
}
