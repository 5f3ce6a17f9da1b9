#include "testing.h"

#include <string.h>

#include "tui/keymap_p.h"
#include "tui/prompt_p.h"

/* Type characters; other keys by their code. The last thing it did. */
static enum cr_prompt_did
type(struct cr_prompt *p, const char *text)
{
	enum cr_prompt_did did = CR_PROMPT_NOTHING;

	for (; *text; text++)
		did = cr_prompt_key(p, (unsigned char)*text);
	return did;
}

static void
test_a_line_is_edited_in_the_middle(void **state)
{
	struct cr_prompt p = {0};

	(void)state;
	cr_prompt_start(&p, ":", NULL);
	assert_int_equal(type(&p, "zoom main"), CR_PROMPT_CHANGED);
	cr_prompt_key(&p, CR_CTRL('W'));
	assert_string_equal(p.line.p, "zoom ");
	type(&p, "lex");
	cr_prompt_key(&p, CR_KEY_HOME);
	cr_prompt_key(&p, CR_KEY_DELETE);
	type(&p, "r");
	cr_prompt_key(&p, CR_KEY_RIGHT);
	cr_prompt_key(&p, CR_KEY_BACKSPACE);
	assert_string_equal(p.line.p, "rom lex");
	cr_prompt_key(&p, CR_CTRL('K'));
	assert_string_equal(p.line.p, "r");
	cr_prompt_key(&p, CR_CTRL('U'));
	assert_string_equal(p.line.p, "");
	assert_int_equal(cr_prompt_key(&p, CR_KEY_BACKSPACE), CR_PROMPT_CANCEL);
	cr_prompt_fini(&p);
}

static void
test_characters_are_erased_whole(void **state)
{
	struct cr_prompt p = {0};

	(void)state;
	cr_prompt_start(&p, "/", NULL);
	cr_prompt_key(&p, 'a');
	cr_prompt_key(&p, 0x65e5);
	cr_prompt_key(&p, 0xe9);
	cr_prompt_key(&p, CR_KEY_LEFT);
	cr_prompt_key(&p, CR_KEY_BACKSPACE);
	assert_string_equal(p.line.p, "a\xc3\xa9");
	cr_prompt_fini(&p);
}

static void
test_up_goes_back_over_the_lines_before(void **state)
{
	cr_words history = {0};
	struct cr_prompt p = {0};
	static const char *const lines[] = {"one", "two", "one"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		cr_prompt_start(&p, ":", &history);
		type(&p, lines[i]);
		assert_int_equal(cr_prompt_key(&p, CR_KEY_ENTER), CR_PROMPT_ENTER);
	}
	assert_int_equal(history.n, 2); /* a line again is the newest again */
	cr_prompt_start(&p, ":", &history);
	type(&p, "typed");
	cr_prompt_key(&p, CR_KEY_UP);
	assert_string_equal(p.line.p, "one");
	cr_prompt_key(&p, CR_KEY_UP);
	cr_prompt_key(&p, CR_KEY_UP);
	assert_string_equal(p.line.p, "two");
	cr_prompt_key(&p, CR_KEY_DOWN);
	cr_prompt_key(&p, CR_KEY_DOWN);
	assert_string_equal(p.line.p, "typed");
	assert_int_equal(cr_prompt_key(&p, CR_KEY_DOWN), CR_PROMPT_NOTHING);
	cr_prompt_fini(&p);
	cr_words_fini(&history);
}

static void
offer_views(void *user, const char *line, cr_words *out)
{
	static const char *const words[] = {"view flame", "view functions", "zoom"};

	(void)user;
	for (size_t i = 0; i < CR_LEN(words); i++)
		if (strncmp(words[i], line, strlen(line)) == 0)
			cr_words_add(out, words[i]);
}

static void
test_tab_writes_what_is_common_then_goes_through(void **state)
{
	struct cr_prompt p = {0};

	(void)state;
	cr_prompt_start(&p, ":", NULL);
	p.complete = offer_views;
	type(&p, "vi");
	cr_prompt_key(&p, CR_KEY_TAB);
	assert_string_equal(p.line.p, "view f");
	cr_prompt_key(&p, CR_KEY_TAB);
	assert_string_equal(p.line.p, "view flame");
	cr_prompt_key(&p, CR_KEY_TAB);
	assert_string_equal(p.line.p, "view functions");
	cr_prompt_key(&p, CR_KEY_TAB);
	assert_string_equal(p.line.p, "view flame");
	cr_prompt_key(&p, CR_CTRL('U'));
	type(&p, "z");
	cr_prompt_key(&p, CR_KEY_TAB);
	assert_string_equal(p.line.p, "zoom");
	cr_prompt_key(&p, CR_CTRL('U'));
	type(&p, "nothing");
	assert_int_equal(cr_prompt_key(&p, CR_KEY_TAB), CR_PROMPT_NOTHING);
	cr_prompt_fini(&p);
}

static void
test_escape_and_interrupt_cancel(void **state)
{
	static const uint32_t keys[] = {CR_KEY_ESC, CR_KEY_INTERRUPT};

	(void)state;
	for (size_t i = 0; i < CR_LEN(keys); i++) {
		struct cr_prompt p = {0};

		cr_prompt_start(&p, "/", NULL);
		type(&p, "abc");
		assert_int_equal(cr_prompt_key(&p, keys[i]), CR_PROMPT_CANCEL);
		cr_prompt_fini(&p);
	}
}

static void
test_the_cursor_of_a_long_line_stays_on_the_screen(void **state)
{
	const struct cr_term term = {.unicode = true};
	struct cr_grid g;
	const struct cr_pane pane = {.g = &g, .term = &term, .width = 10, .height = 1};
	struct cr_prompt p = {0};

	(void)state;
	cr_grid_init(&g, 10, 1);
	cr_prompt_start(&p, "/", NULL);
	type(&p, "abcdefghijklmnop");
	cr_prompt_draw(&p, &pane, "hint");
	assert_int_equal(g.cursor_x, 9);
	assert_int_equal(g.cells[8].ch, 'p');
	cr_prompt_fini(&p);
	cr_grid_fini(&g);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_line_is_edited_in_the_middle),
		cmocka_unit_test(test_characters_are_erased_whole),
		cmocka_unit_test(test_up_goes_back_over_the_lines_before),
		cmocka_unit_test(test_tab_writes_what_is_common_then_goes_through),
		cmocka_unit_test(test_escape_and_interrupt_cancel),
		cmocka_unit_test(test_the_cursor_of_a_long_line_stays_on_the_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
