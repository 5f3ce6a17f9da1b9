#include "view/style/palette.h"

#include "language_p.h"

#include "base/hash.h"
#include "view/style/color.h"

#include <string.h>

/*
 * Every colour below is light enough for black text at a contrast of at least 4.5:1. Classes of a
 * palette differ in hue, and for the colour-blind in lightness or on the blue-yellow axis; the unit
 * test checks them under simulated protan- and deuteranopia.
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

/* By kind, for terminals with few colours. A group has the colour of no code. */
static const uint32_t kind_colors_8[CR_KINDS] = {
	[CR_KIND_UNKNOWN] = 0xffffff,
	[CR_KIND_USER] = 0xffff00,
	[CR_KIND_KERNEL] = 0x0000ff,
	[CR_KIND_MODULE] = 0x0000ff,
	[CR_KIND_VDSO] = 0x00ffff,
	[CR_KIND_JIT] = 0x00ff00,
	[CR_KIND_BPF] = 0xff0000,
	[CR_KIND_GROUP] = 0xffffff,
};

/* The layers of a language have the colours of kinds that differ much. */
static const enum cr_kind layer_kinds[CR_LAYERS] = {
	[CR_LAYER_OWN] = CR_KIND_USER,
	[CR_LAYER_LIBRARY] = CR_KIND_BPF,
	[CR_LAYER_RUNTIME] = CR_KIND_VDSO,
	[CR_LAYER_NATIVE] = CR_KIND_JIT,
	[CR_LAYER_KERNEL] = CR_KIND_KERNEL,
	[CR_LAYER_UNKNOWN] = CR_KIND_UNKNOWN,
};

/* Twelve hues, which differ in lightness where an eye without red or green cones sees one hue. */
static const struct shades many_shades[] = {
	{0xd9fff1, 0xbefae6},
	{0xab9be0, 0x8c78d2},
	{0xdfcb58, 0xc8b43c},
	{0xd68479, 0xbe6e64},
	{0xf8ffca, 0xf0faaa},
	{0xdbe1ff, 0xbec8fa},
	{0xca8cb1, 0xb46e96},
	{0xf6bd91, 0xe6a06e},
	{0xf8c6bf, 0xf0aaa0},
	{0xfffaa0, 0xfaf078},
	{0xf4bfd3, 0xe6a0be},
	{0xbaa9db, 0xa08cc8},
};

/* Yellow to red, like flames. */
static const struct shades hot_shades[] = {
	{0xffe08a, 0xffb347},
	{0xffc46b, 0xff9038},
	{0xffa860, 0xf87a3c},
	{0xff9470, 0xf0694a},
};

static const struct shades mem_shades[] = {{0xb5e8a0, 0x7cc46c}, {0x96d994, 0x5eae62}};
static const struct shades io_shades[] = {{0xb5d4f7, 0x82b0e8}, {0x9cc0f0, 0x6a98dc}};
static const struct shades wakeup_shades[] = {{0xb0ecec, 0x72cccc}, {0x94dede, 0x58b8ba}};

static const struct shades red_shades[] = {{0xf7a8a0, 0xe87a70}};
static const struct shades green_shades[] = {{0xb5e8a0, 0x7cc46c}};
static const struct shades blue_shades[] = {{0xb5d4f7, 0x82b0e8}};
static const struct shades aqua_shades[] = {{0xb0ecec, 0x72cccc}};
static const struct shades yellow_shades[] = {{0xf8f25e, 0xe6dc2a}};
static const struct shades purple_shades[] = {{0xddb3e2, 0xc48fcb}};
static const struct shades orange_shades[] = {{0xffd08a, 0xf79a4a}};

#define INLINED_WHITE 320 /* of 1024: how much paler inlined functions are */

#define DARK_16 0xaaaaaau /* mask of the dark variants of the colours of kind_colors_8 */

#define DIFF_SAME 0xd9d9d9u
#define DIFF_GREW 0xf07d1au
#define DIFF_SHRANK 0x4a93e6u

static const struct {
	const char *name;
	const struct shades *hues; /* the name selects one of n; NULL: by class, or by dso */
	size_t n;
	uint32_t rgb_8;               /* with few colours, of all hues; 0: each has its own */
	const struct cr_language *of; /* the language whose layers are the classes */
} palettes[CR_PALETTES] = {
	[CR_PALETTE_KIND] = {"kind", NULL, 0, 0, NULL},
	[CR_PALETTE_DSO] = {"dso", NULL, 0, 0, NULL},
	[CR_PALETTE_HOT] = {"hot", hot_shades, CR_LEN(hot_shades), 0, NULL},
	[CR_PALETTE_MEM] = {"mem", mem_shades, CR_LEN(mem_shades), 0x00ff00, NULL},
	[CR_PALETTE_IO] = {"io", io_shades, CR_LEN(io_shades), 0x0000ff, NULL},
	[CR_PALETTE_JAVA] = {"java", NULL, 0, 0, &cr_language_java},
	[CR_PALETTE_JS] = {"js", NULL, 0, 0, &cr_language_js},
	[CR_PALETTE_PERL] = {"perl", NULL, 0, 0, &cr_language_perl},
	[CR_PALETTE_PYTHON] = {"python", NULL, 0, 0, &cr_language_python},
	[CR_PALETTE_RUST] = {"rust", NULL, 0, 0, &cr_language_rust},
	[CR_PALETTE_WAKEUP] = {"wakeup", wakeup_shades, CR_LEN(wakeup_shades), 0x00ffff, NULL},
	[CR_PALETTE_CHAIN] = {"chain", NULL, 0, 0, NULL},
	[CR_PALETTE_HASH] = {"hash", many_shades, CR_LEN(many_shades), 0, NULL},
	[CR_PALETTE_RED] = {"red", red_shades, 1, 0xff0000, NULL},
	[CR_PALETTE_GREEN] = {"green", green_shades, 1, 0x00ff00, NULL},
	[CR_PALETTE_BLUE] = {"blue", blue_shades, 1, 0x0000ff, NULL},
	[CR_PALETTE_AQUA] = {"aqua", aqua_shades, 1, 0x00ffff, NULL},
	[CR_PALETTE_YELLOW] = {"yellow", yellow_shades, 1, 0xffff00, NULL},
	[CR_PALETTE_PURPLE] = {"purple", purple_shades, 1, 0xff00ff, NULL},
	[CR_PALETTE_ORANGE] = {"orange", orange_shades, 1, 0xffff00, NULL},
};

const char *
cr_palette_name(enum cr_palette p)
{
	return palettes[p].name;
}

bool
cr_palette_find(const char *name, enum cr_palette *out)
{
	for (int p = 0; p < CR_PALETTES; p++)
		if (strcmp(name, palettes[p].name) == 0) {
			*out = (enum cr_palette)p;
			return true;
		}
	*out = CR_PALETTE_DSO;
	return strcmp(name, "object") == 0;
}

/* ---- classes */

struct class
{
	const char *name, *about;
};

static const struct class kind_classes[CR_KINDS] = {
	[CR_KIND_UNKNOWN] = {"unknown", "unknown: an address in no file, or a name without one"},
	[CR_KIND_USER] = {"user", "code of programs and libraries"},
	[CR_KIND_KERNEL] = {"kernel", "the kernel"},
	[CR_KIND_MODULE] = {"module", "modules of the kernel"},
	[CR_KIND_VDSO] = {"vdso", "the vDSO: kernel code that programs call"},
	[CR_KIND_JIT] = {"jit", "code of JIT compilers"},
	[CR_KIND_BPF] = {"bpf", "BPF programs"},
	[CR_KIND_GROUP] = {"group", "no code: a comm (thread name), or another group of stacks"},
};

static const struct class chain_classes[CR_KINDS] = {
	[CR_KIND_USER] = {"waits", "the stack of the thread that waits"},
	[CR_KIND_MODULE] = {"wakes", "stacks of threads that wake it (names that end in _[w])"},
};

bool
cr_palette_has_classes(enum cr_palette p)
{
	return p == CR_PALETTE_KIND || p == CR_PALETTE_CHAIN || palettes[p].of;
}

enum cr_kind
cr_palette_class(enum cr_palette p, const struct cr_frame *f)
{
	const enum cr_kind kind = f->kind < CR_KINDS ? (enum cr_kind)f->kind : CR_KIND_UNKNOWN;

	if (kind == CR_KIND_GROUP || !cr_palette_has_classes(p) || p == CR_PALETTE_KIND)
		return kind;
	if (p == CR_PALETTE_CHAIN)
		return cr_str_ends(f->name, "_[w]") ? CR_KIND_MODULE : CR_KIND_USER;
	return layer_kinds[cr_language_layer(palettes[p].of, f)];
}

static struct class class_of(enum cr_palette p, enum cr_kind kind)
{
	static const struct class none;

	if (kind == CR_KIND_GROUP || p == CR_PALETTE_KIND)
		return cr_palette_has_classes(p) ? kind_classes[kind] : none;
	if (p == CR_PALETTE_CHAIN)
		return chain_classes[kind];
	for (int layer = 0; palettes[p].of && layer < CR_LAYERS; layer++)
		if (layer_kinds[layer] == kind)
			return (struct class){
				palettes[p].of->name[layer], palettes[p].of->about[layer]};
	return none;
}

const char *
cr_palette_class_name(enum cr_palette p, enum cr_kind kind)
{
	return class_of(p, kind).name;
}

const char *
cr_palette_class_about(enum cr_palette p, enum cr_kind kind)
{
	return class_of(p, kind).about;
}

/* ---- colours of frames */

static uint32_t
shade(const struct shades *s, uint64_t hash)
{
	return cr_color_mix(s->from, s->to, (uint32_t)(hash >> 40 & 1023));
}

static uint32_t
color_of(enum cr_palette p, const struct cr_frame *f)
{
	const uint64_t hash = cr_digest(f->name.p, f->name.len);

	if (palettes[p].hues && f->kind != CR_KIND_GROUP)
		return shade(&palettes[p].hues[hash % palettes[p].n], hash);
	if (p == CR_PALETTE_DSO && f->dso.len > 0 && f->kind != CR_KIND_GROUP) {
		/* A library in two places has the same colour. */
		const struct cr_str base = cr_str_basename(f->dso);

		return shade(&many_shades[cr_digest(base.p, base.len) % CR_LEN(many_shades)], hash);
	}
	return shade(&kind_shades[cr_palette_class(p, f)], hash);
}

uint32_t
cr_palette_frame(enum cr_palette p, const struct cr_frame *f)
{
	const uint32_t rgb = color_of(p, f);

	return f->inlined ? cr_color_mix(rgb, 0xffffff, INLINED_WHITE) : rgb;
}

uint32_t
cr_palette_frame_8(enum cr_palette p, const struct cr_frame *f)
{
	if (cr_palette_has_classes(p) || f->kind == CR_KIND_GROUP)
		return kind_colors_8[cr_palette_class(p, f)];
	return palettes[p].rgb_8 ? palettes[p].rgb_8 : color_of(p, f);
}

uint32_t
cr_palette_frame_16(enum cr_palette p, const struct cr_frame *f)
{
	return cr_palette_frame_8(p, f) & (f->inlined ? 0xffffffu : DARK_16);
}

uint32_t
cr_palette_kind(enum cr_kind kind)
{
	return cr_color_mix(kind_shades[kind].from, kind_shades[kind].to, 512);
}

uint32_t
cr_palette_kind_8(enum cr_kind kind)
{
	return kind_colors_8[kind < CR_KINDS ? kind : CR_KIND_UNKNOWN];
}

uint32_t
cr_palette_kind_16(enum cr_kind kind)
{
	return cr_palette_kind_8(kind) & DARK_16;
}

/* ---- differences */

uint32_t
cr_palette_diff(int32_t delta_ppm, uint32_t scale_ppm)
{
	const uint64_t size = (uint64_t)(delta_ppm < 0 ? -(int64_t)delta_ppm : delta_ppm);
	const uint64_t part = scale_ppm ? CR_MIN(size * 1024 / scale_ppm, 1024) : 0;

	return cr_color_mix(DIFF_SAME, delta_ppm < 0 ? DIFF_SHRANK : DIFF_GREW, (uint32_t)part);
}
