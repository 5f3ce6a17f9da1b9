#include "write/writer.h"

#include "base/text.h"
#include "base/utf8.h"
#include "view/style/palette.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "testing_tree.h"
#include "testing_writer.h"

static char *
svg(const struct cr_write_in *in)
{
	return testing_written("svg", in, NULL);
}

/* ---- as much of an XML parser as tells a broken file */

static const char *
check_entity(const char *p)
{
	static const char *const known[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};

	for (size_t i = 0; i < CR_LEN(known); i++)
		if (strncmp(p, known[i], strlen(known[i])) == 0)
			return p + strlen(known[i]);
	fail_msg("bad entity: %.20s", p);
	return p;
}

static const char *
check_attributes(const char *p)
{
	while (isspace((unsigned char)*p)) {
		p += strspn(p, " \n");
		if (*p == '>' || *p == '/')
			break;
		p += strcspn(p, "=<> \"");
		assert_memory_equal(p, "=\"", 2);
		for (p += 2; *p != '"';) {
			assert_true(*p != '\0' && *p != '<');
			p = *p == '&' ? check_entity(p) : p + 1;
		}
		p++;
	}
	return p;
}

/* From "<name" to behind its '>'. Opened elements stand in open, separated by blanks. */
static const char *
check_tag(const char *p, struct cr_text *open)
{
	const size_t len = strcspn(p + 1, " />\n");

	if (p[1] == '/') {
		const size_t name_len = strcspn(p + 2, ">");

		assert_true(open->len > name_len);
		assert_memory_equal(open->p + open->len - name_len, p + 2, name_len);
		open->len -= name_len + 1;
		assert_int_equal(open->p[open->len], ' ');
		return p + 2 + name_len + 1;
	}
	cr_text_char(open, ' ');
	cr_text_put(open, p + 1, len);
	p = check_attributes(p + 1 + len);
	if (*p == '/') {
		open->len -= len + 1;
		p++;
	}
	assert_int_equal(*p, '>');
	return p + 1;
}

static void
assert_well_formed(const char *p)
{
	struct cr_text open = {0};
	unsigned used;

	p = strstr(p, "?>") + 2;
	while (*p) {
		if (strncmp(p, "<![CDATA[", 9) == 0) {
			p = strstr(p, "]]>") + 3;
		} else if (*p == '<') {
			p = check_tag(p, &open);
		} else if (*p == '&') {
			p = check_entity(p);
		} else {
			const uint32_t c = cr_utf8_decode(p, strlen(p), &used);

			assert_true(c != CR_UTF8_BAD && (c >= 0x20 || c == '\n') && c != 0xfffe &&
				    c != 0xffff);
			assert_true(strncmp(p, "]]>", 3) != 0);
			p += used;
		}
	}
	assert_int_equal(open.len, 0);
	cr_text_fini(&open);
}

static size_t
count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)) != NULL; text += strlen(what))
		n++;
	return n;
}

static void
test_a_frame_has_its_title_box_and_label(void **state)
{
	struct cr_tree *t =
		testing_tree(1, "main!/usr/bin/x;f<int>!/usr/bin/x 3000\nmain!/usr/bin/x 1000\n");
	char *text = svg(&(struct cr_write_in){.tree = t});

	(void)state;
	assert_well_formed(text);
	assert_non_null(
		strstr(text, "<g class=\"wide\"><title>f&lt;int&gt; "
			     "(3,000 samples, 75.00%)\n"
			     "self 3,000 samples, 75.00% \u00b7 /usr/bin/x</title>"
			     "<rect x=\"0%\" width=\"75%\" y=\"0\" height=\"17\" fill=\"#"));
	assert_non_null(
		strstr(text, "<text x=\"0%\" dx=\"4\" y=\"0\" dy=\"13\">f&lt;int&gt;</text></g>"));
	assert_non_null(
		strstr(text, "<title>main (4,000 samples, 100.00%)\nself 1,000 samples, 25.00%"));
	assert_int_equal(count(text, "%\" y=\""), 3);
	free(text);
	cr_tree_free(t);
}

static void
test_a_title_tells_what_is_inlined_and_where_it_is(void **state)
{
	struct cr_tree *t =
		testing_tree(1, "main!/usr/bin/x;~f!/usr/bin/x 3000\nmain!/usr/bin/x 1000\n");
	const uint32_t f = t->frame[testing_node(t, "main;f")];
	struct cr_frame *frames = cr_alloc(t->n_frames, sizeof(*frames));
	char *text;

	(void)state;
	memcpy(frames, t->frames, t->n_frames * sizeof(*frames));
	frames[f].file = CR_STR("/build/x-1.2/src/<f>.c");
	frames[f].line = 17;
	t->frames = cr_arena_adopt(&t->arena, frames);
	text = svg(&(struct cr_write_in){.tree = t});
	assert_well_formed(text);
	/* The first line is the name alone, for that is what the search looks at. */
	assert_non_null(strstr(text, "<title>f (3,000 samples, 75.00%)\n"
				     "self 3,000 samples, 75.00% \u00b7 inlined \u00b7 /usr/bin/x "
				     "\u00b7 src/&lt;f&gt;.c:17</title>"));
	assert_int_equal(count(text, "\u00b7 inlined \u00b7"), 1);
	free(text);
	cr_tree_free(t);
}

static void
test_hostile_names_and_titles_leave_the_file_well_formed(void **state)
{
	static const char evil[] =
		"</script>]]><g "
		"onload='alert(1)'>\"&\n\r\t\0\x01\x1b[31m\x7f\xff\xc0\x80\xed\xa0\x80"
		"\xef\xbf\xbf\xe2\x80\xae end";
	const struct cr_str name = {evil, sizeof(evil) - 1};
	const struct cr_frame frames[] = {{.name = CR_STR("all")},
		{.name = name, .dso = name, .file = name, .line = 3, .kind = CR_KIND_USER}};
	const struct cr_fact facts[] = {{CR_STR("cmdline"), name}, {CR_STR("hostname"), name}};
	const struct cr_quality quality[] = {{name, 3}};
	const struct cr_profile p = {
		.facts = facts, .n_facts = 2, .quality = quality, .n_quality = 1};

	(void)state;
	for (uint32_t sides = 1; sides <= 2; sides++) {
		struct cr_tree_builder *tb = cr_tree_builder_new(sides, frames, 2);
		struct cr_tree *t;
		char *text;

		cr_tree_builder_add(tb, cr_tree_builder_child(tb, 0, 1), 0, 1, 1);
		t = cr_tree_builder_finish(tb, NULL);
		t->event = t->unit = name;
		text = svg(&(struct cr_write_in){.tree = t, .p = &p});
		assert_well_formed(text);
		free(text);
		text = testing_written(
			"svg", &(struct cr_write_in){.tree = t}, "title=</svg>\x1b&");
		assert_well_formed(text);
		assert_non_null(strstr(text, "&lt;/svg&gt;\\x1b&amp;"));
		free(text);
		cr_tree_free(t);
	}
}

static void
test_a_difference_tells_before_now_and_how_much(void **state)
{
	struct cr_tree *t = testing_tree(
		2, "m;slow 100 400\nm;same 800 600\nm;old 100 0\nm;new 0 0\nn 0 1000\n");
	char *text = svg(&(struct cr_write_in){.tree = t});

	(void)state;
	assert_well_formed(text);
	assert_non_null(
		strstr(text, "<title>slow (400 samples, 20.00%; was 100 samples, 10.00%; +10.00)\n"
			     "self 400 samples, 20.00%; was 100 samples, 10.00%; +10.00</title>"));
	assert_non_null(strstr(text, "<g class=\"gone wide\"><title>"));
	assert_non_null(strstr(text, "<title>old (gone; was 100 samples, 10.00%)"));
	assert_non_null(strstr(text, "<g class=\"new wide\"><title>"));
	assert_non_null(strstr(text, "<title>n (1,000 samples, 50.00%; new)"));
	assert_non_null(strstr(text, ">gone</text>"));
	free(text);
	cr_tree_free(t);
}

static void
test_weights_in_another_unit_stand_beside_the_samples(void **state)
{
	struct cr_tree *t = testing_tree(1, "a 1500000\n");
	char *text;

	(void)state;
	t->unit = CR_STR("ns");
	text = svg(&(struct cr_write_in){.tree = t});
	assert_non_null(strstr(text, "\u00b7 1.5 ms"));
	free(text);
	t->unit = CR_STR("cycles");
	text = svg(&(struct cr_write_in){.tree = t});
	assert_non_null(strstr(text, "\u00b7 1,500,000 cycles"));
	free(text);
	cr_tree_free(t);
}

static void
test_the_same_tree_gives_the_same_bytes(void **state)
{
	static const char folded[] = "a;b;c 40\na;b;d 20\na;e 20\nf 10\n";
	struct cr_tree *t = testing_tree(1, folded), *u = testing_tree(1, folded);
	const uint8_t hit[] = {0, 1, 0, 0, 1, 0, 0};

	(void)state;
	for (enum cr_palette palette = 0; palette < CR_PALETTES; palette++) {
		char *x, *y, options[32];

		snprintf(options, sizeof(options), "palette=%s", cr_palette_name(palette));
		x = testing_written("svg", &(struct cr_write_in){.tree = t, .hit = hit}, options);
		y = testing_written("svg", &(struct cr_write_in){.tree = u, .hit = hit}, options);
		assert_string_equal(x, y);
		assert_int_equal(count(x, "class=\"hit wide\""), 2);
		free(x);
		free(y);
	}
	cr_tree_free(t);
	cr_tree_free(u);
}

static void
test_an_icicle_hangs_and_a_subtree_fills_the_width(void **state)
{
	struct cr_tree *t = testing_tree(1, "a;b 30\nc 10\n");
	char *text = testing_written("svg",
		&(struct cr_write_in){.tree = t, .root = testing_node(t, "a")}, "icicle=yes");

	(void)state;
	assert_well_formed(text);
	assert_non_null(strstr(text, "data-up=\"1\"><g id=\"rows\">"));
	assert_non_null(strstr(text, "<title>all (40 samples, 100.00%)"));
	assert_non_null(strstr(text, "<title>b (30 samples, 75.00%)"));
	assert_non_null(strstr(text, "<rect x=\"0%\" width=\"100%\" y=\"36\""));
	assert_null(strstr(text, "<title>c ("));
	free(text);
	cr_tree_free(t);
}

static void
test_siblings_by_name_stand_as_folded_lines_are_sorted(void **state)
{
	struct cr_tree *t = testing_tree(1, "m;b 1\nm;a 2\nm;a-b;x 3\nm;a;x 4\nm;ab 5\n");
	char *text = testing_written("svg", &(struct cr_write_in){.tree = t}, "order=name");
	const char *at = text;
	static const char *const order[] = {
		"<title>a-b (", "<title>a (", "<title>ab (", "<title>b ("};

	(void)state;
	assert_well_formed(text);
	for (size_t i = 0; i < CR_LEN(order); i++) {
		at = strstr(at, order[i]);
		assert_non_null(at);
	}
	free(text);
	cr_tree_free(t);
}

static void
test_a_tree_without_weight_is_a_root_over_the_full_width(void **state)
{
	struct cr_tree *t = testing_tree(1, "");
	char *text = svg(&(struct cr_write_in){.tree = t});

	(void)state;
	assert_well_formed(text);
	assert_non_null(strstr(text, "<title>all (0 samples, 0.00%)"));
	assert_non_null(strstr(text, "<rect x=\"0%\" width=\"100%\" y=\"0\""));
	free(text);
	cr_tree_free(t);
}

/* A number of percent as millionths. */
static int64_t
millionths(const char *p, char **rest)
{
	return (int64_t)(strtod(p, rest) * 10000 + 0.5);
}

/* Each row's frames follow one another, up to the rounding of two numbers. */
static void
assert_tiled(const char *text)
{
	int64_t last_end = 0;
	long last_y = -1;

	for (const char *p = text;
		(p = strstr(p, "<rect x=\"")) != NULL && strstr(p, "%\" width=\"");) {
		char *rest;
		const int64_t at = millionths(p + 9, &rest);
		const int64_t width = millionths(strstr(rest, "width=\"") + 7, &rest);
		const long y = strtol(strstr(rest, " y=\"") + 4, NULL, 10);

		assert_true(width > 0);
		if (y == last_y)
			assert_true(at + 2 >= last_end);
		last_end = at + width;
		last_y = y;
		p = rest;
	}
}

static void
test_a_large_tree_gives_a_file_that_a_browser_can_hold(void **state)
{
	static const struct cr_frame frames[] = {{.name = CR_STR("all")},
		{.name = CR_STR("a_function_of_usual_length")}, {.name = CR_STR("another_one")},
		{.name = CR_STR("and::a::third(int, long)")}, {.name = CR_STR("poll")}};
	struct cr_tree_builder *tb = cr_tree_builder_new(1, frames, CR_LEN(frames));
	struct cr_tree *t;
	char *text;

	(void)state;
	for (uint32_t leaf = 0; leaf < 1u << 17; leaf++) {
		uint32_t node = 0;

		for (unsigned bit = 0; bit < 34; bit += 2)
			node = cr_tree_builder_child(
				tb, node, 1 + (leaf * 2654435761u >> bit % 32 & 3));
		cr_tree_builder_add(tb, node, 0, 1 + leaf % 3, 1);
	}
	t = cr_tree_builder_finish(tb, NULL);
	assert_true(t->n > 200000);
	text = svg(&(struct cr_write_in){.tree = t});
	assert_true(strstr(text, "<script") - text < 350 << 10);
	assert_true(strlen(text) < 2u << 20);
	assert_non_null(strstr(text, " frames too narrow to show ("));
	assert_well_formed(text);
	assert_tiled(text);
	free(text);
	cr_tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_frame_has_its_title_box_and_label),
		cmocka_unit_test(test_a_title_tells_what_is_inlined_and_where_it_is),
		cmocka_unit_test(test_hostile_names_and_titles_leave_the_file_well_formed),
		cmocka_unit_test(test_a_difference_tells_before_now_and_how_much),
		cmocka_unit_test(test_weights_in_another_unit_stand_beside_the_samples),
		cmocka_unit_test(test_the_same_tree_gives_the_same_bytes),
		cmocka_unit_test(test_an_icicle_hangs_and_a_subtree_fills_the_width),
		cmocka_unit_test(test_siblings_by_name_stand_as_folded_lines_are_sorted),
		cmocka_unit_test(test_a_tree_without_weight_is_a_root_over_the_full_width),
		cmocka_unit_test(test_a_large_tree_gives_a_file_that_a_browser_can_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
