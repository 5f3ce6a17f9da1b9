#include "testing.h"

#include <string.h>

#include "base/utf8.h"
#include "tui/keymap_p.h"
#include "tui/pane_p.h"

static bool
is_word(const char *name, size_t len)
{
	for (size_t i = 0; cr_tui_word_at(i); i++)
		if (strlen(cr_tui_word_at(i)) == len && memcmp(cr_tui_word_at(i), name, len) == 0)
			return true;
	return false;
}

static bool
is_page_word(const char *line)
{
	for (size_t i = 0; cr_tui_page_word_at(i); i++)
		if (strcmp(cr_tui_page_word_at(i), line) == 0)
			return true;
	return false;
}

static bool
is_command(const char *name, size_t len)
{
	for (size_t i = 0; cr_command_at(i); i++)
		if (strlen(cr_command_at(i)->name) == len &&
			memcmp(cr_command_at(i)->name, name, len) == 0)
			return true;
	return false;
}

static void
test_every_key_runs_a_known_command(void **state)
{
	(void)state;
	for (size_t i = 0; cr_keymap_at(i); i++) {
		const char *line = cr_keymap_at(i)->line;
		const size_t len = strcspn(line, " ");

		if (!is_command(line, len) && !is_word(line, strlen(line)) && !is_page_word(line))
			fail_msg("no command: %s", line);
	}
	for (size_t i = 0; cr_keymap_mouse_at(i); i++) {
		const char *line = cr_keymap_mouse_at(i)->line;

		assert_int_equal(cr_keymap_mouse_at(i)->mouse, i);
		if (*line && !is_command(line, strcspn(line, " ")))
			fail_msg("no command: %s", line);
	}
}

static void
test_no_key_does_two_things(void **state)
{
	(void)state;
	for (size_t i = 0; cr_keymap_at(i); i++)
		for (size_t k = 0; k < CR_BINDING_KEYS && cr_keymap_at(i)->keys[k]; k++)
			for (int page = 0; page < 2; page++)
				if (page ? cr_keymap_at(i)->views & CR_KEYMAP_PAGE
					 : cr_keymap_at(i)->views & ~CR_KEYMAP_PAGE)
					assert_ptr_equal(
						cr_keymap_find(cr_keymap_at(i)->keys[k], page),
						cr_keymap_at(i));
	assert_null(cr_keymap_find(0, false));
	assert_null(cr_keymap_find(0x1f525, true));
}

static void
help_make(enum cr_color_depth colors, bool unicode, uint32_t sides, uint32_t cells,
	struct cr_text *out)
{
	const struct cr_term t = {.colors = colors, .unicode = unicode};
	const struct cr_session s = {.sides = sides};
	cr_sample_looks samples = {0};

	cr_pane_help_text(&s, &t, cells, out, &samples);
	cr_vec_fini(&samples);
}

static void
test_the_help_tells_of_every_key_and_every_command(void **state)
{
	struct cr_text help = {0}, want = {0};

	(void)state;
	help_make(CR_COLORS_256, true, 1, 80, &help);
	for (size_t i = 0; cr_keymap_at(i); i++)
		for (size_t k = 0; k < CR_BINDING_KEYS && cr_keymap_at(i)->keys[k]; k++) {
			cr_text_clear(&want);
			cr_text_puts(&want, k ? " " : "\n  ");
			cr_keymap_name(cr_keymap_at(i)->keys[k], &want);
			cr_text_char(&want, ' ');
			if (!strstr(help.p, want.p))
				fail_msg("not in the help:%s", want.p);
		}
	for (size_t i = 0; cr_command_at(i); i++) {
		cr_text_clear(&want);
		cr_text_printf(&want, "\n  %s ", cr_command_at(i)->name);
		if (!strstr(help.p, want.p))
			fail_msg("not in the help:%s", want.p);
	}
	cr_text_fini(&want);
	cr_text_fini(&help);
}

static void
test_the_help_keeps_to_the_width(void **state)
{
	(void)state;
	for (uint32_t width = 50; width <= 120; width += 10) {
		struct cr_text help = {0};
		size_t len;

		help_make((enum cr_color_depth)(width / 10 % 4), width % 20, 1 + width / 10 % 2,
			width, &help);
		for (const char *at = help.p; *at; at += len + 1) {
			len = strcspn(at, "\n");
			if (cr_utf8_cells((struct cr_str){at, (uint32_t)len}) > width)
				fail_msg("over %u cells: %.*s", width, (int)len, at);
		}
		cr_text_fini(&help);
	}
}

static void
test_keys_have_the_names_that_are_printed_on_them(void **state)
{
	static const struct {
		uint32_t key;
		const char *name;
	} cases[] = {
		{'/', "/"},
		{CR_KEY_UP, "Up"},
		{CR_CTRL('R'), "Ctrl-R"},
		{' ', "Space"},
		{CR_KEY_INTERRUPT, "Ctrl-C"},
		{0xe9, "\xc3\xa9"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text t = {0};

		cr_keymap_name(cases[i].key, &t);
		assert_string_equal(t.p, cases[i].name);
		cr_text_fini(&t);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_key_runs_a_known_command),
		cmocka_unit_test(test_no_key_does_two_things),
		cmocka_unit_test(test_the_help_tells_of_every_key_and_every_command),
		cmocka_unit_test(test_the_help_keeps_to_the_width),
		cmocka_unit_test(test_keys_have_the_names_that_are_printed_on_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
