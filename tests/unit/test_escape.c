#include "testing.h"

#include "tui/term/escape_p.h"

#include <stdio.h>
#include <string.h>

/* Feed what follows an ESC; all of it must be taken. */
static uint32_t
key_of(const char *text)
{
	enum cr_escape_step step = CR_ESCAPE_MORE;
	struct cr_escape e = {0};
	size_t n = 0;

	while (text[n] && step == CR_ESCAPE_MORE)
		step = cr_escape_feed(&e, (unsigned char)text[n++]);
	assert_int_equal(step, CR_ESCAPE_DONE);
	if (text[n])
		fail_msg("%s: %zu characters are too few", text, n);
	return e.key;
}

static void
test_every_form_of_a_key_is_that_key(void **state)
{
	static const struct {
		const char *text;
		uint32_t key;
	} keys[] = {
		/*
		 * cursor keys: normal, application, with modifiers, rxvt with Shift and with Ctrl
		 */
		{"[A", CR_KEY_UP},
		{"OA", CR_KEY_UP},
		{"[1;5A", CR_KEY_UP},
		{"O5A", CR_KEY_UP},
		{"[a", CR_KEY_UP},
		{"Oa", CR_KEY_UP},
		{"[B", CR_KEY_DOWN},
		{"OB", CR_KEY_DOWN},
		{"[1;2B", CR_KEY_DOWN},
		{"[C", CR_KEY_RIGHT},
		{"OC", CR_KEY_RIGHT},
		{"[1;3C", CR_KEY_RIGHT},
		{"[c", CR_KEY_RIGHT},
		{"[D", CR_KEY_LEFT},
		{"OD", CR_KEY_LEFT},
		{"[1;5D", CR_KEY_LEFT},
		{"Od", CR_KEY_LEFT},
		/* xterm; VT220 and the Linux console; rxvt */
		{"[H", CR_KEY_HOME},
		{"OH", CR_KEY_HOME},
		{"[1~", CR_KEY_HOME},
		{"[7~", CR_KEY_HOME},
		{"[1;5H", CR_KEY_HOME},
		{"[F", CR_KEY_END},
		{"OF", CR_KEY_END},
		{"[4~", CR_KEY_END},
		{"[8~", CR_KEY_END},
		{"[8^", CR_KEY_END},
		{"[5~", CR_KEY_PGUP},
		{"[5;2~", CR_KEY_PGUP},
		{"[5$", CR_KEY_PGUP},
		{"[5@", CR_KEY_PGUP},
		{"[6~", CR_KEY_PGDN},
		{"[2~", CR_KEY_INSERT},
		{"[3~", CR_KEY_DELETE},
		{"[3;5~", CR_KEY_DELETE},
		{"[Z", CR_KEY_BACKTAB},
		/* function keys: VT100 and xterm; rxvt; the Linux console */
		{"OP", CR_KEY_F1},
		{"[11~", CR_KEY_F1},
		{"[[A", CR_KEY_F1},
		{"[1;2P", CR_KEY_F1},
		{"OS", CR_KEY_F1 + 3},
		{"[[E", CR_KEY_F1 + 4},
		{"[15~", CR_KEY_F1 + 4},
		{"[17~", CR_KEY_F1 + 5},
		{"[21~", CR_KEY_F1 + 9},
		{"[23~", CR_KEY_F1 + 10},
		{"[24~", CR_KEY_F12},
		{"[24;2~", CR_KEY_F12},
		/* the keypad in application mode */
		{"OM", CR_KEY_ENTER},
		{"Op", '0'},
		{"Oy", '9'},
		{"Oo", '/'},
		{"Oj", '*'},
		{"On", '.'},
		{"[200~", CR_KEY_PASTE},
		{"[201~", CR_KEY_PASTE_END},
		/* nothing that is known here: taken whole, and not as Esc and letters */
		{"[29~", CR_KEY_OTHER},
		{"[27;5;113~", CR_KEY_OTHER},
		{"[113;5u", CR_KEY_OTHER},
		{"[99999999999999999999~", CR_KEY_OTHER},
		{"[[Z", CR_KEY_OTHER},
		{"[ q", CR_KEY_OTHER},
		/* the middle button, moves without a button, nonsense */
		{"[M!**", CR_KEY_NONE},
		{"[MC**", CR_KEY_NONE},
		{"[M\001**", CR_KEY_NONE},
		{"[<35;10;5M", CR_KEY_NONE},
		{"[<2;10;5m", CR_KEY_NONE},
		{"[<0;10;5x", CR_KEY_NONE},
		/* what nobody pressed: the focus of the window, answers */
		{"[I", CR_KEY_NONE},
		{"[O", CR_KEY_NONE},
		{"[?1;2c", CR_KEY_NONE},
		{"[>0;276;0c", CR_KEY_NONE},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(keys); i++)
		if (key_of(keys[i].text) != keys[i].key)
			fail_msg("ESC %s is %#x, not %#x", keys[i].text, key_of(keys[i].text),
				keys[i].key);
}

/* What the mouse did, in both encodings: what, column and row from 1. */
static void
test_the_mouse(void **state)
{
	static const struct {
		const char *text;
		enum cr_mouse mouse;
		int32_t x, y;
	} events[] = {
		{"[M !!", CR_MOUSE_CLICK, 0, 0},
		{"[M V*", CR_MOUSE_CLICK, 53, 9},
		{"[M0V*", CR_MOUSE_CLICK, 53, 9}, /* with Ctrl */
		{"[M@H*", CR_MOUSE_DRAG, 39, 9},
		{"[M#>)", CR_MOUSE_RELEASE, 29, 8},
		{"[M\"!!", CR_MOUSE_RIGHT, 0, 0},
		{"[M`!\377", CR_MOUSE_WHEEL_UP, 0, 222},
		{"[Ma\240!", CR_MOUSE_WHEEL_DOWN, 127, 0},
		{"[<0;54;10M", CR_MOUSE_CLICK, 53, 9},
		{"[<32;40;10M", CR_MOUSE_DRAG, 39, 9},
		{"[<0;30;9m", CR_MOUSE_RELEASE, 29, 8},
		{"[<2;300;400M", CR_MOUSE_RIGHT, 299, 399},
		{"[<64;1;1M", CR_MOUSE_WHEEL_UP, 0, 0},
		{"[<81;1;1M", CR_MOUSE_WHEEL_DOWN, 0, 0}, /* with Ctrl */
		{"[<0;0;0M", CR_MOUSE_CLICK, -1, -1},
		{"[<0M", CR_MOUSE_CLICK, -1, -1},
		{"[<;;;;;;M", CR_MOUSE_CLICK, -1, -1},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(events); i++) {
		struct cr_escape e = {0};
		enum cr_escape_step step = CR_ESCAPE_MORE;

		for (const char *s = events[i].text; *s; s++) {
			assert_int_equal(step, CR_ESCAPE_MORE);
			step = cr_escape_feed(&e, (unsigned char)*s);
		}
		if (step != CR_ESCAPE_DONE || e.key != CR_KEY_MOUSE || e.mouse != events[i].mouse ||
			e.x != events[i].x || e.y != events[i].y)
			fail_msg("ESC %s: step %d, key %#x, mouse %d at %d, %d", events[i].text,
				(int)step, e.key, (int)e.mouse, e.x, e.y);
	}
}

static void
test_what_is_no_sequence_is_a_key_after_esc(void **state)
{
	struct cr_escape e = {0};

	(void)state;
	assert_int_equal(cr_escape_feed(&e, 'q'), CR_ESCAPE_NONE);
	assert_int_equal(e.n, 1);
	e = (struct cr_escape){0};
	assert_int_equal(cr_escape_feed(&e, '['), CR_ESCAPE_MORE);
	assert_int_equal(cr_escape_feed(&e, 27), CR_ESCAPE_NONE); /* another one begins */
	assert_int_equal(e.n, 2);
	e = (struct cr_escape){0};
	assert_int_equal(cr_escape_feed(&e, 0x1f525), CR_ESCAPE_NONE);
}

/* Bytes of all kinds: it ends, within its room. */
static void
test_a_sequence_without_an_end_is_given_up(void **state)
{
	uint64_t random = 1;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		enum cr_escape_step step = CR_ESCAPE_MORE;
		struct cr_escape e = {0};
		size_t n = 1;

		cr_escape_feed(&e, round & 1 ? '[' : 'O');
		for (; step == CR_ESCAPE_MORE; n++) {
			step = cr_escape_feed(
				&e, round < 2 ? '1' : (uint32_t)testing_random(&random) % 128);
			assert_true(n <= CR_LEN(e.text) + 1);
		}
		assert_true(e.n <= CR_LEN(e.text));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_form_of_a_key_is_that_key),
		cmocka_unit_test(test_the_mouse),
		cmocka_unit_test(test_what_is_no_sequence_is_a_key_after_esc),
		cmocka_unit_test(test_a_sequence_without_an_end_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
