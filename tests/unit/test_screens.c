/*
 * Every command in every view, on screens of three sizes that change meanwhile, with hostile names:
 * each screen that is drawn must be one that a terminal can show. The commands and what they take
 * are those of cr_command_at(), so that a new one is typed here without a change.
 */
#include "testing.h"

#include "session_samples.h"

#include "base/utf8.h"
#include "session/views/view.h"
#include "tui/keymap_p.h"
#include "tui/tui.h"

#include <ctype.h>
#include <string.h>

#define OTHER_VIEWS 4 /* further alternatives of a command are typed in one view of so many */

static const char hostile_stacks[] =
	"ev\033[31mil;ma\033]0\007in\rname;std::map<std::string, std::vector<int>>::at(int) 40\n"
	"ev\033[31mil;ma\033]0\007in\rname;std::map<std::string, std::vector<int>>::at(int);"
	"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e 20\n"
	"\xff\xfe\xe2\x80\xaereversed;tab\tnul;a <b>&\"'%s 20\n"
	"e\xcc\x81;\xf0\x9f\x94\xa5\xf0\x9f\x94\xa5;\xe2\x80\x8b 10\n";

/* ---- what a screen must be */

static struct {
	int32_t width, height; /* of the terminal; 0: not known yet */
	bool ascii, mono;
	const char *script;
	unsigned draws;
	void (*draw)(struct cr_term *t, const struct cr_grid *g);
} watched;

static void
assert_cell(const struct cr_grid *g, int32_t x, int32_t y)
{
	const struct cr_cell *c = &g->cells[y * g->width + x];
	const bool is_half = x > 0 && c[-1].ch && cr_utf8_width(c[-1].ch) == 2;

	if (c->ch ? c->ch < ' ' || c->ch == 127 || cr_text_is_hidden(c->ch) || is_half : !is_half)
		fail_msg("U+%04X at %d,%d after %s", (unsigned)c->ch, x, y, watched.script);
	if (watched.ascii && c->ch > 126)
		fail_msg("not ASCII: U+%04X at %d,%d after %s", (unsigned)c->ch, x, y,
			watched.script);
	/* What has no character of its own in ASCII; names have, here. */
	if (watched.ascii && c->ch == '?' && x > 0 && c[-1].ch == '?')
		fail_msg("?? at %d,%d after %s", x, y, watched.script);
	if (watched.mono && (c->fg != CR_COLOR_DEFAULT || c->bg != CR_COLOR_DEFAULT))
		fail_msg("a colour at %d,%d after %s", x, y, watched.script);
}

static void
watch(struct cr_term *t, const struct cr_grid *g)
{
	int32_t width, height;

	t->size(t, &width, &height);
	assert_int_equal(g->width, width);
	assert_int_equal(g->height, height);
	for (int32_t y = 0; y < height; y++)
		for (int32_t x = 0; x < width; x++)
			assert_cell(g, x, y);
	watched.draws++;
	watched.draw(t, g);
}

/* ---- lines */

/* A value for a word in upper case among the arguments of a command. */
static const char *
value_of(const char *word)
{
	static const struct {
		const char *word, *value;
	} values[] = {
		{"NODE", "3"},
		{"NAME", "main"},
		{"FILE", "/nowhere/x"},
		{"FILE:LINE", "a.c:12"},
		{"FROM..TO", "10ms..60ms"},
		{"RE", "a"},
		{"/RE/", "/^ma/"},
		{"PERCENT", "40"},
		{"PATH", "/nowhere/x.svg"},
		{"PART", "mark"},
		{"COLOUR", "red"},
		{"OPTION", "theme"},
		{"VALUE", "dark"},
		{"KEY", "self"},
		{"COMMANDS", "down"},
		{"VIEW", "tree"},
		{"TIME", "30ms"},
		{"WIDTH", "30"},
		{"HEIGHT", "9"},
		{"TOPIC", "zoom"},
		{"BEFORE", "before"},
		{"AFTER", "after"},
		{"EVENT", "cycles"},
		{"FIELD", "cpu"},
		{"FIELD=VALUE", "cpu=1"},
		{"KEY=VALUE", "a=b"},
		{"[PID/]TID", "1"},
		{"BOOKMARK", "1"},
		{"FILTER", "comm x"},
		{"KEY,...", "comm"},
		{"LINE", "12"},
		{"LINES", "7"},
		{"N", "1"},
		{"NUMBER", "2"},
		{"N,...", "1"},
		{"NAME=VALUE...", "a=b"},
		{"PID,...", "1"},
		{"TEXT", "text"},
		{"TID,...", "1"},
		{"WORD", "a"},
	};

	for (size_t i = 0; i < CR_LEN(values); i++)
		if (strcmp(values[i].word, word) == 0)
			return values[i].value;
	fail_msg("no value for %s: add one that is safe to type", word);
	return NULL;
}

/* The i-th alternative of an argument, "next|NAME"; false past the last. */
static bool
alternative(const char *argument, size_t i, struct cr_text *out)
{
	char word[64];
	size_t len;

	for (; i && *argument; i--) {
		argument += strcspn(argument, "|");
		argument += *argument == '|';
	}
	len = strcspn(argument, "|");
	if (!len)
		return false;
	assert_true(len < sizeof(word));
	memcpy(word, argument, len);
	word[len] = '\0';
	cr_text_puts(out, islower((unsigned char)*word) ? word : value_of(word));
	return true;
}

/*
 * The line of a command with the i-th alternative of its first argument; false past the last. If
 * that may be left out, the first line is without it.
 */
static bool
line_make(const struct cr_command *c, size_t i, struct cr_text *out)
{
	const bool optional = *c->args == '[' && strncmp(c->args, "[PID/]", 6) != 0;
	char args[128], *rest, *word;

	snprintf(args, sizeof(args), "%s", c->args);
	cr_text_puts(out, c->name);
	if (!*args || (optional && i == 0))
		return i == 0;
	i -= optional;
	for (word = strtok_r(args, " ", &rest); word; word = strtok_r(NULL, " ", &rest), i = 0) {
		size_t len = strlen(word);

		if (*word == '[' && strncmp(word, "[PID/]", 6) != 0)
			word++, len--;
		while (len && word[len - 1] == ']')
			word[--len] = '\0';
		cr_text_puts(out, " ");
		if (!alternative(word, i, out))
			return false;
	}
	return true;
}

/* ---- playing */

static const struct {
	const char *before, *after;
	bool ascii, mono;
} kinds[] = {
	{sample_stacks, NULL, true, true},
	{hostile_stacks, NULL, false, false},
	{sample_stacks, sample_stacks_after, true, false},
	{sample_stacks, hostile_stacks, false, true},
};

static void
play(size_t kind, const char *script)
{
	struct cr_session *s = sample_session(kinds[kind].before, kinds[kind].after);
	struct cr_term *t = cr_term_memory_new(80, 24, script);

	watched.script = script;
	watched.ascii = kinds[kind].ascii;
	watched.mono = kinds[kind].mono;
	watched.draw = t->draw;
	watched.draws = 0;
	t->draw = watch;
	t->unicode = !kinds[kind].ascii;
	t->colors = kinds[kind].mono ? CR_COLORS_NONE : CR_COLORS_256;
	cr_tui_run(s, t, NULL);
	assert_true(watched.draws > 0);
	t->close(t);
	cr_session_free(s);
}

static const char *const sizes[] = {"80x24", "20x5", "200x60"};

/* Type a line at each size in turn, change the size, and leave what it opened. */
static void
put_line(const char *line, uint32_t view, struct cr_text *script)
{
	for (size_t i = 0; i < CR_LEN(sizes); i++) {
		cr_text_printf(
			script, "<resize %s>%c<ahead>:", sizes[i], (int)cr_view_key_at(view));
		for (const char *c = line; *c; c++)
			cr_text_printf(script, *c == '<' ? "<lt>" : "%c", *c);
		cr_text_printf(script, "<enter></ahead><resize %s><esc><esc>",
			sizes[(i + 1) % CR_LEN(sizes)]);
	}
	cr_text_puts(script, ":undo all<enter>");
}

/* In each view of `step` ones, each time with another of the kinds. */
static void
play_line(const char *line, size_t number, uint32_t step)
{
	for (size_t kind = 0; kind < CR_LEN(kinds); kind++) {
		struct cr_text script = {0};

		for (uint32_t view = (uint32_t)number % step; cr_view_ops_at(view); view += step)
			if ((view + number) % CR_LEN(kinds) == kind)
				put_line(line, view, &script);
		if (script.len)
			play(kind, script.p);
		cr_text_fini(&script);
	}
}

static void
test_every_command_in_every_view(void **state)
{
	const struct cr_command *c;
	size_t lines = 0;

	(void)state;
	for (size_t n = 0; (c = cr_command_at(n)); n++) {
		struct cr_text line = {0};

		for (size_t i = 0; line_make(c, i, &line); i++) {
			play_line(line.p, lines++, i ? OTHER_VIEWS : 1);
			cr_text_clear(&line);
		}
		cr_text_fini(&line);
	}
	assert_true(lines > 150);
}

static void
test_every_word_of_the_browser(void **state)
{
	(void)state;
	for (size_t i = 0; cr_tui_word_at(i); i++)
		play_line(cr_tui_word_at(i), i, 1);
}

static void
put_keys(uint32_t view, struct cr_text *script)
{
	for (size_t i = 0; i < CR_LEN(sizes); i++)
		for (char key = '!'; key < 127; key++) {
			if (key == 'q' || isdigit((unsigned char)key))
				continue;
			cr_text_printf(
				script, "<resize %s>%cj", sizes[i], (int)cr_view_key_at(view));
			cr_text_printf(script, key == '<' ? "<lt>" : "%c", key);
			cr_text_puts(script, "<esc><esc>");
		}
}

/* Keys that leave are not among them. */
static void
test_every_key_in_every_view(void **state)
{
	(void)state;
	for (uint32_t view = 0; cr_view_ops_at(view); view++) {
		struct cr_text script = {0};

		put_keys(view, &script);
		play(view % CR_LEN(kinds), script.p);
		cr_text_fini(&script);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_command_in_every_view),
		cmocka_unit_test(test_every_word_of_the_browser),
		cmocka_unit_test(test_every_key_in_every_view),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
