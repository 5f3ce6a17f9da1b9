#include "testing.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "session/state_p.h"
#include "tui/keymap_p.h"
#include "tui/panes/pane_p.h"

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

/* "ask COMMAND PROMPT", "confirm COMMAND QUESTION" */
static bool
asks_for_command(const char *line)
{
	const size_t ask = strcspn(line, " ") + 1;

	return (strncmp(line, "ask ", ask) == 0 || strncmp(line, "confirm ", ask) == 0) &&
	       is_command(line + ask, strcspn(line + ask, " "));
}

/* All tables of keys, one after the other: the common ones, then those of the views. */
static const struct cr_binding *
table_at(size_t i)
{
	static const enum cr_keymap_table tables[] = {
		CR_KEYMAP_COMMON, CR_KEYMAP_EVERYWHERE, CR_KEYMAP_PAGES};
	static const struct cr_binding none[1];
	const struct cr_view_ops *view;

	if (i < CR_LEN(tables))
		return cr_keymap_table(tables[i]);
	view = cr_view_ops_at((uint32_t)(i - CR_LEN(tables)));
	return view ? view->keys ? view->keys : none : NULL;
}

static void
test_every_key_runs_a_known_command(void **state)
{
	(void)state;
	for (size_t i = 0; table_at(i); i++)
		for (const struct cr_binding *b = table_at(i); b->line; b++) {
			const size_t len = strcspn(b->line, " ");

			if (!is_command(b->line, len) && !asks_for_command(b->line) &&
				!is_word(b->line, strlen(b->line)) && !is_page_word(b->line))
				fail_msg("no command: %s", b->line);
		}
	for (size_t i = 0; cr_keymap_mouse_at(i); i++) {
		const char *line = cr_keymap_mouse_at(i)->line;

		assert_int_equal(cr_keymap_mouse_at(i)->mouse, i);
		if (*line && !is_command(line, strcspn(line, " ")))
			fail_msg("no command: %s", line);
	}
}

static void
test_no_key_stands_twice_in_what_is_looked_up(void **state)
{
	(void)state;
	for (size_t i = 0; table_at(i); i++)
		for (const struct cr_binding *b = table_at(i); b->line; b++)
			for (size_t k = 0; k < CR_BINDING_KEYS && b->keys[k]; k++) {
				assert_ptr_equal(cr_keymap_in(table_at(i), b->keys[k]), b);
				if (table_at(i) != cr_keymap_table(CR_KEYMAP_EVERYWHERE))
					assert_null(cr_keymap_in(
						cr_keymap_table(CR_KEYMAP_EVERYWHERE), b->keys[k]));
			}
	assert_null(cr_keymap_find(NULL, 0));
	assert_null(cr_keymap_find(NULL, 0x1f525));
	assert_null(cr_keymap_find(cr_view_ops_at(0), 0x1f525));
}

static void
test_a_view_s_own_keys_come_before_the_common_ones(void **state)
{
	static const struct cr_binding own[] = {
		{"Own", {'u', '1'}, "own", "shadows undo and the first digit", NULL, false}, {0}};
	const struct cr_view_ops view = {.keys = own}, bare = {.keys = NULL};

	(void)state;
	assert_string_equal(cr_keymap_find(&view, 'u'), "own");
	assert_string_equal(cr_keymap_find(&view, '1'), "own");
	assert_string_equal(cr_keymap_find(&view, '2'), "view functions");
	assert_string_equal(cr_keymap_find(&view, 'Q'), "quit");
	assert_string_equal(cr_keymap_find(&bare, 'u'), "undo");
	assert_string_equal(cr_keymap_find(&bare, '1'), "view flame");
	assert_null(cr_keymap_find(NULL, 'u'));
}

static void
test_digits_show_the_views_in_their_order(void **state)
{
	char line[64];
	uint32_t i;

	(void)state;
	for (i = 0; cr_view_ops_at(i); i++) {
		snprintf(line, sizeof(line), "view %s", cr_view_ops_at(i)->name);
		assert_string_equal(cr_keymap_view_line(i), line);
	}
	assert_null(cr_keymap_view_line(i));
	assert_int_equal(cr_view_key_at(i), 0);
	for (i = 0; cr_view_ops_at(i); i++) {
		assert_in_range(cr_view_key_at(i), i ? cr_view_key_at(i - 1) + 1 : '1', '9');
		assert_string_equal(cr_keymap_find(cr_view_ops_at(0), cr_view_key_at(i)),
			cr_keymap_view_line(i));
	}
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
	for (size_t i = 0; table_at(i); i++)
		for (const struct cr_binding *b = table_at(i); b->line; b++)
			for (size_t k = 0; k < CR_BINDING_KEYS && b->keys[k]; k++) {
				cr_text_clear(&want);
				cr_text_puts(&want, k ? " " : "\n  ");
				cr_keymap_name(b->keys[k], &want);
				cr_text_char(&want, ' ');
				if (!strstr(help.p, want.p))
					fail_msg("not in the help:%s", want.p);
			}
	for (size_t i = 0; cr_command_at(i); i++) {
		cr_text_clear(&want);
		cr_text_printf(&want, "\n  %s ", cr_command_at(i)->name);
		if (strstr(help.p, want.p))
			continue;
		want.p[want.len - 1] = '\n'; /* a long name stands alone in its line */
		if (!strstr(help.p, want.p))
			fail_msg("not in the help:%s", want.p);
	}
	cr_text_fini(&want);
	cr_text_fini(&help);
}

static void
test_the_help_begins_with_the_keys_of_the_current_view(void **state)
{
	const struct cr_term t = {.colors = CR_COLORS_256, .unicode = true};

	(void)state;
	for (uint32_t i = 0; cr_view_ops_at(i); i++) {
		const struct cr_session s = {.sides = 1, .view = i};
		cr_sample_looks samples = {0};
		struct cr_text help = {0}, want = {0};

		cr_pane_help_text(&s, &t, 80, &help, &samples);
		cr_text_printf(&want, "Here, in %s\n", cr_view_ops_at(i)->about);
		assert_memory_equal(help.p, want.p, want.len);
		cr_text_fini(&want);
		cr_text_fini(&help);
		cr_vec_fini(&samples);
	}
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
		cmocka_unit_test(test_no_key_stands_twice_in_what_is_looked_up),
		cmocka_unit_test(test_a_view_s_own_keys_come_before_the_common_ones),
		cmocka_unit_test(test_digits_show_the_views_in_their_order),
		cmocka_unit_test(test_the_help_begins_with_the_keys_of_the_current_view),
		cmocka_unit_test(test_the_help_tells_of_every_key_and_every_command),
		cmocka_unit_test(test_the_help_keeps_to_the_width),
		cmocka_unit_test(test_keys_have_the_names_that_are_printed_on_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
