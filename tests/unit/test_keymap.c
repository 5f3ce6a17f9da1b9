#include "testing.h"

#include <string.h>

#include "../../src/tui/keymap.h"
#include "../../src/tui/pane.h"

static bool
is_word(const char *name, size_t len)
{
	for (size_t i = 0; cr_tui_word_at(i); i++)
		if (strlen(cr_tui_word_at(i)) == len && memcmp(cr_tui_word_at(i), name, len) == 0)
			return true;
	return false;
}

static bool
is_command(const char *name, size_t len)
{
	for (size_t i = 0; cr_command_at(i); i++)
		if (strlen(cr_command_at(i)->name) == len && memcmp(cr_command_at(i)->name, name, len) == 0)
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

		if (!is_command(line, len) && !is_word(line, strlen(line)))
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
			assert_ptr_equal(cr_keymap_find(cr_keymap_at(i)->keys[k]), cr_keymap_at(i));
	assert_null(cr_keymap_find(0));
	assert_null(cr_keymap_find(0x1f525));
}

static void
test_the_help_tells_of_every_key_and_every_command(void **state)
{
	struct cr_text help = {0}, want = {0};

	(void)state;
	cr_pane_help_text(80, &help);
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
	for (uint32_t width = 60; width <= 120; width += 20) {
		struct cr_text help = {0};
		size_t len;

		cr_pane_help_text(width, &help);
		for (const char *at = help.p; *at; at += len + 1)
			if ((len = strcspn(at, "\n")) > width)
				fail_msg("%zu cells: %.*s", len, (int)len, at);
		cr_text_fini(&help);
	}
}

static void
test_keys_have_the_names_that_are_printed_on_them(void **state)
{
	static const struct { uint32_t key; const char *name; } cases[] = {
		{'/', "/"}, {CR_KEY_UP, "Up"}, {CR_CTRL('R'), "Ctrl-R"}, {' ', "Space"}, {CR_KEY_INTERRUPT, "Ctrl-C"},
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
