#include "testing.h"

#include "tui/term/osc52_p.h"

#include <string.h>

static void
assert_sequence(const char *text, enum cr_osc52_through through, const char *want)
{
	struct cr_text out = {0};

	cr_osc52_put(cr_str_of(text), through, &out);
	assert_string_equal(out.p, want);
	cr_text_fini(&out);
}

static void
test_a_text_is_sent_in_base64(void **state)
{
	(void)state;
	assert_sequence("", CR_OSC52_DIRECT, "\033]52;c;\a");
	assert_sequence("m", CR_OSC52_DIRECT, "\033]52;c;bQ==\a");
	assert_sequence("ma", CR_OSC52_DIRECT, "\033]52;c;bWE=\a");
	assert_sequence("main", CR_OSC52_DIRECT, "\033]52;c;bWFpbg==\a");
	assert_sequence("\xff\xfe?>", CR_OSC52_DIRECT, "\033]52;c;//4/Pg==\a");
}

static void
test_tmux_gets_it_for_itself_and_for_its_terminal(void **state)
{
	(void)state;
	assert_sequence("main", CR_OSC52_TMUX,
		"\033]52;c;bWFpbg==\a"
		"\033Ptmux;\033\033]52;c;bWFpbg==\a\033\\");
}

static void
test_screen_gets_pieces_that_it_passes_through(void **state)
{
	struct cr_text text = {0}, out = {0}, joined = {0}, plain = {0};

	(void)state;
	cr_text_pad(&text, 'x', 1000);
	cr_osc52_put(cr_text_view(&text), CR_OSC52_SCREEN, &out);
	cr_osc52_put(cr_text_view(&text), CR_OSC52_DIRECT, &plain);
	for (const char *at = out.p, *end; *at; at = end + 2) {
		assert_memory_equal(at, "\033P", 2);
		end = strstr(at, "\033\\");
		assert_non_null(end);
		assert_true(end + 2 - at <= 256);
		cr_text_put(&joined, at + 2, (size_t)(end - at - 2));
	}
	assert_string_equal(joined.p, plain.p);
	cr_text_fini(&text);
	cr_text_fini(&out);
	cr_text_fini(&joined);
	cr_text_fini(&plain);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_text_is_sent_in_base64),
		cmocka_unit_test(test_tmux_gets_it_for_itself_and_for_its_terminal),
		cmocka_unit_test(test_screen_gets_pieces_that_it_passes_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
