#include "testing.h"

#include "session_samples.h"

#include "tui/tui.h"

#include <string.h>

/*
 * Tours of random keys through all views; what `history` prints of them must lead a new session to
 * the same screen. TOURS=10000 runs more of them.
 */
static const char *const steps[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "<tab>",
	"<backtab>", "j", "k", "h", "l", "<down>", "<up>", "<left>", "<right>", "<pgup>", "<pgdn>",
	"g", "G", "<home>", "<end>", "<enter>", "<esc>", "<bs>", "0", "u", "<^r>", "f", "H", "x",
	"v", "r", "i", "c", "s", "S", "R", "n", "N", "*", "]", "[", "<lt>", ">", "e", "<^w>s",
	"<^w>v", "<^w>w", "<^w>o", "<^w>q", "<^w>=", "<^w>+", "<^w>-", "/le<enter>", "/a|r<enter>",
	"/x;y<enter>", "/r<esc>", "/a\\\\<enter>", "/d <enter>", ":zoom lex<enter>",
	":select draw<enter>", ":row 2<enter>", ":view functions; sort total; reverse<enter>",
	":focus \"parse\"<enter>", ":ignore spin; drop lex<enter>", ":group comm<enter>",
	":granularity dso<enter>", ":clear<enter>", ":pop<enter>", ":select-thread 1<enter>",
	":mark 1s..2s<enter>", ":only thread<enter>", ":scroll 2<enter>", ":nonsense<enter>",
	":print selected<enter>q", "!q", "?q", " q", "yy", "<click 10,5>", "<click 30,9>",
	"<double 20,7>", "<wheel-up 3,4>", "<wheel-down 3,4>", "<wheel-down 70,4>",
	"<resize 80x24>", "<resize 20x5>", "<resize 200x60>", "<resize 62x11>"};

static uint32_t
next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* The size of the screen after a tour, which begins with 80x24. */
static void
tour_make(uint32_t seed, struct cr_text *out, int32_t *width, int32_t *height)
{
	const uint32_t n = 1 + next_random(&seed) % 40;

	*width = 80;
	*height = 24;
	cr_text_puts(out, "");
	for (uint32_t i = 0; i < n; i++) {
		const char *step = steps[next_random(&seed) % CR_LEN(steps)];

		sscanf(step, "<resize %dx%d>", width, height);
		cr_text_puts(out, step);
	}
}

static void
play(struct cr_session *s, const char *keys, int32_t width, int32_t height, struct cr_text *screen)
{
	struct cr_term *t = cr_term_memory_new(width, height, keys);

	cr_tui_run(s, t, NULL);
	cr_grid_dump(cr_term_memory_grid(t), true, screen);
	t->close(t);
}

/* The screen as it is when nothing was said. */
static void
show(struct cr_session *s, int32_t width, int32_t height, struct cr_text *screen)
{
	cr_session_clear_message(s);
	play(s, "", width, height, screen);
}

static void
assert_tour(uint32_t seed, const char *after)
{
	struct cr_session *first = sample_session(sample_stacks, after);
	struct cr_session *second = sample_session(sample_stacks, after);
	struct cr_text keys = {0}, unused = {0}, want = {0}, got = {0};
	struct cr_err err = CR_ERR_INIT;
	int32_t width, height;
	char *script;

	tour_make(seed, &keys, &width, &height);
	play(first, keys.p, 80, 24, &unused);
	/* A tour that has left the browser has no last screen. */
	if (cr_session_quits(first)) {
		cr_text_fini(&keys);
		cr_text_fini(&unused);
		cr_session_free(first);
		cr_session_free(second);
		return;
	}
	script = run_text(first, "history");
	cr_session_on_screen(second);
	if (cr_session_run(second, script, NULL, &err) < 0)
		fail_msg("tour %u: %s\n%s\n%s", seed, keys.p, script, err.text);
	show(first, width, height, &want);
	show(second, width, height, &got);
	if (strcmp(want.p, got.p) != 0) {
		/* fail_msg() has no room for screens. */
		fprintf(stderr, "%s\n%s\n--- is\n%s", script, want.p, got.p);
		fail_msg("tour %u: %s", seed, keys.p);
	}
	free(script);
	cr_text_fini(&keys);
	cr_text_fini(&unused);
	cr_text_fini(&want);
	cr_text_fini(&got);
	cr_session_free(first);
	cr_session_free(second);
}

static uint32_t
tours(void)
{
	const char *n = getenv("TOURS");

	return n ? (uint32_t)strtoul(n, NULL, 10) : 150;
}

static void
test_the_script_of_a_tour_leads_to_its_last_screen(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= tours(); seed++)
		assert_tour(seed, NULL);
}

static void
test_so_does_that_of_a_difference(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= tours() / 2; seed++)
		assert_tour(seed, sample_stacks_after);
}

static void
test_what_changes_nothing_is_not_in_the_script(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	char *text;

	(void)state;
	run(s, "undo; print flame; help zoom; filters; zoom main; copy name; undo; undo; redo");
	assert_int_equal(run_code(s, "nonsense"), CR_EUSAGE);
	assert_int_equal(run_code(s, "zoom nobody"), CR_ENOTFOUND);
	text = run_text(s, "history");
	assert_string_equal(text, "zoom main; undo; redo;\n");
	free(text);
	cr_session_free(s);
}

static void
test_patterns_are_in_it_as_they_were_typed(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	char *text;

	(void)state;
	run(s, "search a;b ");
	run(s, "focus \"main\"; undo");
	run(s, "open");
	text = run_text(s, "history");
	assert_string_equal(text, "search a;b ; focus \"main\"; undo; open;\n");
	free(text);
	cr_session_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_script_of_a_tour_leads_to_its_last_screen),
		cmocka_unit_test(test_so_does_that_of_a_difference),
		cmocka_unit_test(test_what_changes_nothing_is_not_in_the_script),
		cmocka_unit_test(test_patterns_are_in_it_as_they_were_typed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
