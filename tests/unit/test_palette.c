#include "view/style/color.h"
#include "view/style/palette.h"
#include "view/style/theme.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "testing_tree.h"

static double
linear(uint32_t c)
{
	const double v = c / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double
luminance(uint32_t rgb)
{
	return 0.2126 * linear(rgb >> 16 & 255) + 0.7152 * linear(rgb >> 8 & 255) +
	       0.0722 * linear(rgb & 255);
}

static double
contrast(uint32_t a, uint32_t b)
{
	const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

/*
 * How an eye without red or green cones sees it, as of Viénot, Brettel and Mollon (1999), in CIE
 * L*a*b*.
 */
static void
lab_as_seen(uint32_t rgb, const double eye[3][3], double lab[3])
{
	static const double to_xyz[3][3] = {
		{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}};
	static const double white[3] = {0.9505, 1.0, 1.089};
	const double in[3] = {linear(rgb >> 16 & 255), linear(rgb >> 8 & 255), linear(rgb & 255)};
	double seen[3], f[3];

	for (int i = 0; i < 3; i++)
		seen[i] = eye[i][0] * in[0] + eye[i][1] * in[1] + eye[i][2] * in[2];
	for (int i = 0; i < 3; i++) {
		const double v =
			(to_xyz[i][0] * seen[0] + to_xyz[i][1] * seen[1] + to_xyz[i][2] * seen[2]) /
			white[i];

		f[i] = v > 0.008856 ? cbrt(v) : 7.787 * v + 16.0 / 116;
	}
	lab[0] = 116 * f[1] - 16;
	lab[1] = 500 * (f[0] - f[1]);
	lab[2] = 200 * (f[1] - f[2]);
}

static const double eyes[3][3][3] = {
	{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	{{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}},
	{{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}},
};

static double
apart(uint32_t a, uint32_t b)
{
	double least = 1e9;

	for (size_t e = 0; e < CR_LEN(eyes); e++) {
		double x[3], y[3];

		lab_as_seen(a, eyes[e], x);
		lab_as_seen(b, eyes[e], y);
		least = fmin(least,
			sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2)));
	}
	return least;
}

static void
test_black_reads_well_on_every_fill(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 5000; i++) {
		char name[16];
		const struct cr_frame f = {
			.name = {name, (uint32_t)snprintf(name, sizeof(name), "f%u", i)},
			.dso = {name, 2},
			.kind = (uint8_t)(i % CR_KINDS)};

		for (enum cr_palette p = 0; p < CR_PALETTES; p++) {
			const uint32_t rgb = cr_palette_frame(p, &f);

			assert_true(contrast(rgb, 0) >= 4.5);
			assert_int_equal(cr_color_ink(rgb), 0);
		}
	}
	for (int32_t delta = -1000; delta <= 1000; delta++)
		assert_true(contrast(cr_palette_diff(delta, 1000), 0) >= 4.5);
	assert_true(contrast(CR_COLOR_HIT, 0) >= 4.5);
}

static void
test_ink_is_the_one_that_reads_better(void **state)
{
	(void)state;
	for (uint32_t r = 0; r < 256; r += 15)
		for (uint32_t g = 0; g < 256; g += 15)
			for (uint32_t b = 0; b < 256; b += 15) {
				const uint32_t rgb = r << 16 | g << 8 | b;

				assert_true(contrast(rgb, cr_color_ink(rgb)) >= 4.5);
			}
	assert_int_equal(cr_color_ink(0x000000), 0xffffff);
	assert_int_equal(cr_color_ink(0xffffff), 0x000000);
}

static void
test_kinds_are_told_apart_by_every_eye(void **state)
{
	(void)state;
	for (int a = 0; a < CR_KINDS; a++)
		for (int b = a + 1; b < CR_KINDS; b++)
			assert_true(apart(cr_palette_kind((enum cr_kind)a),
					    cr_palette_kind((enum cr_kind)b)) > 10);
	for (int a = 0; a < CR_KINDS; a++)
		assert_true(apart(cr_palette_kind((enum cr_kind)a), CR_COLOR_HIT) > 20);
}

static void
test_a_difference_goes_from_blue_by_grey_to_orange(void **state)
{
	const uint32_t less = cr_palette_diff(-50000, 50000), same = cr_palette_diff(0, 50000);
	const uint32_t more = cr_palette_diff(50000, 50000);

	(void)state;
	assert_true((less & 255) > (less >> 16));
	assert_true((more >> 16) > (more & 255));
	assert_int_equal(same >> 16, same & 255);
	assert_true(apart(less, more) > 50 && apart(less, same) > 25 && apart(more, same) > 25);
	assert_int_equal(cr_palette_diff(INT32_MAX, 50000), more);
	assert_int_equal(cr_palette_diff(INT32_MIN, 50000), less);
	for (int32_t d = 1; d <= 100; d++)
		assert_true(apart(cr_palette_diff(d, 100), same) >=
			    apart(cr_palette_diff(d - 1, 100), same));
}

static void
test_a_function_has_one_colour_and_a_library_one_wherever_it_lies(void **state)
{
	const struct cr_frame a = {
		.name = CR_STR("f"), .dso = CR_STR("/usr/lib/x.so"), .kind = CR_KIND_USER};
	struct cr_frame b = a;

	(void)state;
	b.dso = CR_STR("/opt/lib/x.so");
	for (enum cr_palette p = 0; p < CR_PALETTES; p++)
		assert_int_equal(cr_palette_frame(p, &a), cr_palette_frame(p, &b));
}

static void
test_what_is_inlined_is_paler_and_the_same_otherwise(void **state)
{
	(void)state;
	for (enum cr_palette p = 0; p < CR_PALETTES; p++)
		for (int kind = 0; kind < CR_KINDS; kind++) {
			struct cr_frame f = {.name = CR_STR("f"),
				.dso = CR_STR("/bin/x"),
				.kind = (uint8_t)kind};
			const uint32_t called = cr_palette_frame(p, &f);

			f.inlined = true;
			assert_true(contrast(cr_palette_frame(p, &f), 0) > contrast(called, 0));
			assert_true(apart(cr_palette_frame(p, &f), called) < 30);
		}
}

static void
test_terminal_colours_are_near(void **state)
{
	(void)state;
	assert_int_equal(cr_color_256(0x000000), 16);
	assert_int_equal(cr_color_256(0xffffff), 231);
	assert_int_equal(cr_color_256(0xff0000), 196);
	assert_int_equal(cr_color_256(0x5f87af), 67);
	assert_int_equal(cr_color_256(0x808080), 244);
	assert_int_equal(cr_color_256(0x080808), 232);
	assert_int_equal(cr_color_256(0xeeeeee), 255);
	assert_int_equal(cr_color_8(0x000000), 0);
	assert_int_equal(cr_color_8(0xd9d9d9), 7);
	assert_int_equal(cr_color_8(0xff0000), 1);
	assert_int_equal(cr_color_8(0x7cbf82), 2);
	assert_int_equal(cr_color_8(0xffd08a), 3);
	assert_int_equal(cr_color_8(0x4a6ae6), 4);
	assert_int_equal(cr_color_8(CR_COLOR_HIT), 5);
	assert_int_equal(cr_color_8(0x93d3ea), 6);
}

/* On the Linux console, whose colours are the darkest there are. */
static void
test_ink_reads_on_each_of_eight_colours(void **state)
{
	static const uint32_t console[8] = {
		0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa};
	static const uint32_t fills[] = {0x000000, 0xff0000, 0x00ff00, 0xffff00, 0x0000ff, 0xff00ff,
		0x00ffff, 0xffffff, CR_COLOR_HIT, 0x4a93e6, 0xf07d1a, 0xd9d9d9};

	(void)state;
	for (size_t i = 0; i < sizeof(fills) / sizeof(*fills); i++) {
		const uint32_t ink = console[cr_color_8(cr_color_ink_8(fills[i]))];

		assert_true(contrast(ink, console[cr_color_8(fills[i])]) > 3);
	}
}

static void
test_sixteen_colours_also_tell_inlined_functions(void **state)
{
	struct cr_frame f = {.name = CR_STR("f"), .dso = CR_STR("/bin/x"), .kind = CR_KIND_USER};

	(void)state;
	assert_int_equal(cr_color_16(cr_palette_frame_16(CR_PALETTE_KIND, &f)), 3);
	f.inlined = true;
	assert_int_equal(cr_color_16(cr_palette_frame_16(CR_PALETTE_KIND, &f)), 11);
	f.kind = CR_KIND_KERNEL;
	assert_int_equal(cr_color_16(cr_palette_frame_16(CR_PALETTE_KIND, &f)), 12);
	f.inlined = false;
	assert_int_equal(cr_color_16(cr_palette_frame_16(CR_PALETTE_KIND, &f)), 4);
	f.kind = CR_KIND_UNKNOWN;
	assert_int_equal(cr_color_16(cr_palette_frame_16(CR_PALETTE_KIND, &f)), 7);
	assert_int_equal(cr_color_16(CR_COLOR_HIT), 13);
}

/* By what real recordings and folded stacks hold. */
static void
test_languages_have_layers(void **state)
{
	static const struct {
		enum cr_palette palette;
		const char *name, *dso, *file;
		enum cr_kind kind;
		const char *want;
	} cases[] = {
		{CR_PALETTE_JAVA, "Lorg/mozilla/Parser;::eat", "", "", CR_KIND_JIT, "Java"},
		{CR_PALETTE_JAVA, "org.mozilla.Parser.eat", "", "", CR_KIND_UNKNOWN, "Java"},
		{CR_PALETTE_JAVA, "java/util/HashMap.get", "", "", CR_KIND_JIT, "JDK"},
		{CR_PALETTE_JAVA, "JavaThread::run", "/opt/jdk/libjvm.so", "", CR_KIND_USER, "JVM"},
		{CR_PALETTE_JAVA, "write", "/lib/libc.so.6", "", CR_KIND_USER, "native"},
		{CR_PALETTE_JAVA, "vfs_write", "[kernel.kallsyms]", "", CR_KIND_KERNEL, "kernel"},
		{CR_PALETTE_JAVA, "[unknown]", "", "", CR_KIND_UNKNOWN, "unknown"},
		{CR_PALETTE_JS, "LazyCompile:~go /app/a.js:3", "", "", CR_KIND_JIT, "JavaScript"},
		{CR_PALETTE_JS, "Function:emit node:events:466", "", "", CR_KIND_JIT,
			"node modules"},
		{CR_PALETTE_JS, "v8::internal::Heap::Scavenge", "/usr/bin/node", "", CR_KIND_USER,
			"V8 and node"},
		{CR_PALETTE_PERL, "main::parse", "", "", CR_KIND_UNKNOWN, "Perl"},
		{CR_PALETTE_PERL, "Perl_pp_entersub", "/usr/bin/perl", "", CR_KIND_USER,
			"interpreter"},
		{CR_PALETTE_PYTHON, "py::main:/srv/app.py", "", "", CR_KIND_JIT, "Python"},
		{CR_PALETTE_PYTHON, "run", "", "/usr/lib/python3.11/asyncio/base.py",
			CR_KIND_UNKNOWN, "library"},
		{CR_PALETTE_PYTHON, "_PyEval_EvalFrameDefault", "/usr/bin/python3", "",
			CR_KIND_USER, "interpreter"},
		{CR_PALETTE_RUST, "ripgrep::search", "/usr/bin/rg", "", CR_KIND_USER, "crates"},
		{CR_PALETTE_RUST, "core::str::find", "/usr/bin/rg", "", CR_KIND_USER, "std"},
		{CR_PALETTE_CHAIN, "schedule_[w]", "", "", CR_KIND_UNKNOWN, "wakes"},
		{CR_PALETTE_CHAIN, "schedule", "", "", CR_KIND_UNKNOWN, "waits"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_frame f = {.name = cr_str_of(cases[i].name),
			.dso = cr_str_of(cases[i].dso),
			.file = cr_str_of(cases[i].file),
			.kind = (uint8_t)cases[i].kind};

		assert_string_equal(cr_palette_class_name(cases[i].palette,
					    cr_palette_class(cases[i].palette, &f)),
			cases[i].want);
	}
}

/* Hues without a meaning: what differs must not look the same to anybody. */
static void
test_hashed_hues_are_told_apart_by_every_eye(void **state)
{
	uint32_t seen[64];
	size_t n = 0;

	(void)state;
	for (uint32_t i = 0; i < 5000 && n < CR_LEN(seen); i++) {
		char name[16];
		const struct cr_frame f = {
			.name = {name, (uint32_t)snprintf(name, sizeof(name), "f%u", i)},
			.kind = CR_KIND_USER};
		const uint32_t rgb = cr_palette_frame(CR_PALETTE_HASH, &f);
		bool is_new = true;

		for (size_t k = 0; k < n; k++)
			is_new &= apart(rgb, seen[k]) > 11;
		if (is_new)
			seen[n++] = rgb;
	}
	assert_true(n >= 12);
}

static void
test_themes_are_readable_on_their_background(void **state)
{
	static const uint32_t backgrounds[][2] = {{0x000000, 0x1e1e2e}, {0xffffff, 0xfdf6e3}};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const struct cr_theme t = cr_theme_made(i + 1);

		for (int part = 0; part < CR_THEME_PARTS; part++)
			for (size_t k = 0; k < 2 && part != CR_THEME_SELECTION; k++)
				assert_true(contrast(t.color[part], backgrounds[i][k]) >= 4.5);
		assert_true(contrast(t.color[CR_THEME_SELECTION],
				    cr_color_ink(t.color[CR_THEME_SELECTION])) >= 6);
	}
	for (uint32_t i = 0; i < 500; i++) {
		const struct cr_theme t = cr_theme_made(3);
		const struct cr_frame f = {.name = CR_STR("f"), .kind = (uint8_t)(i % CR_KINDS)};

		for (enum cr_palette p = 0; p < CR_PALETTES; p++)
			assert_true(contrast(cr_theme_fill(&t, cr_palette_frame(p, &f)), 0) >= 7);
	}
}

static void
test_user_and_kernel_differ_in_eight_colours(void **state)
{
	const uint8_t user = cr_color_8(cr_palette_kind_8(CR_KIND_USER));
	const uint8_t kernel = cr_color_8(cr_palette_kind_8(CR_KIND_KERNEL));

	(void)state;
	assert_int_equal(user, 3);
	assert_int_equal(kernel, 4);
	for (int k = 0; k < CR_KINDS; k++) {
		const uint8_t color = cr_color_8(cr_palette_kind_8((enum cr_kind)k));

		assert_true(k == CR_KIND_USER || color != user);
		assert_true(cr_kind_is_kernel((uint8_t)k) || color != kernel);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_black_reads_well_on_every_fill),
		cmocka_unit_test(test_ink_is_the_one_that_reads_better),
		cmocka_unit_test(test_kinds_are_told_apart_by_every_eye),
		cmocka_unit_test(test_a_difference_goes_from_blue_by_grey_to_orange),
		cmocka_unit_test(test_a_function_has_one_colour_and_a_library_one_wherever_it_lies),
		cmocka_unit_test(test_what_is_inlined_is_paler_and_the_same_otherwise),
		cmocka_unit_test(test_terminal_colours_are_near),
		cmocka_unit_test(test_ink_reads_on_each_of_eight_colours),
		cmocka_unit_test(test_sixteen_colours_also_tell_inlined_functions),
		cmocka_unit_test(test_languages_have_layers),
		cmocka_unit_test(test_hashed_hues_are_told_apart_by_every_eye),
		cmocka_unit_test(test_themes_are_readable_on_their_background),
		cmocka_unit_test(test_user_and_kernel_differ_in_eight_colours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
