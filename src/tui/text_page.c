#include "browser_p.h"
#include "help_topic_p.h"
#include "keymap_p.h"

#include "base/hash.h"

#include <string.h>

#define SIDEWAYS_CELLS 16 /* scrolling step */

static const char help_title[] = "cresset: keys and commands";

static void
page_fit(struct cr_browser *u)
{
	cr_pager_fit(&u->page, u->g->width, u->g->height - 2);
}

void
cr_browser_page_open(struct cr_browser *u, const char *title, struct cr_str text)
{
	cr_pager_close(&u->page);
	cr_pager_set(&u->page, title, text);
	page_fit(u);
}

/* What the user has bound and named, before the rest of the help. */
static void
put_users(const struct cr_browser *u, struct cr_text *out)
{
	const uint32_t cells = (uint32_t)CR_MAX(u->g->width - 1, 10);
	const char *name, *line;

	for (size_t i = 0; cr_session_bound_at(u->s, i, &name, &line); i++) {
		if (!i)
			cr_pane_help_heading(out, "Keys that you have bound");
		cr_pane_help_entry(out, name, line, cells);
	}
	for (size_t i = 0; cr_session_macro_at(u->s, i, &name, &line); i++) {
		if (!i)
			cr_pane_help_heading(out, "Macros, after ':'");
		cr_pane_help_entry(out, name, line, cells);
	}
}

/* The help depends on the width and the colours of the screen. */
static void
help_fill(struct cr_browser *u)
{
	struct cr_text text = {0};

	cr_vec_fini(&u->page.samples);
	put_users(u, &text);
	cr_pane_help_text(
		u->s, u->t, (uint32_t)CR_MAX(u->g->width - 1, 10), &text, &u->page.samples);
	cr_pager_set(&u->page, help_title, cr_text_view(&text));
	page_fit(u);
	cr_text_fini(&text);
}

static bool
page_is_help(const struct cr_browser *u)
{
	return u->page.title == help_title;
}

void
cr_browser_help_open(struct cr_browser *u)
{
	cr_pager_close(&u->page);
	u->page.headings = true;
	help_fill(u);
}

void
cr_browser_help_topic(struct cr_browser *u, const char *topic)
{
	struct cr_text text = {0};

	if (cr_help_topic(topic, (uint32_t)CR_MAX(u->g->width - 1, 10), &text)) {
		cr_browser_page_open(
			u, "cresset: help about a topic; ? shows all", cr_text_view(&text));
		u->page.headings = true;
	} else {
		cr_session_clear_message(u->s);
		cr_session_say(u->s, "the help has nothing about %s; ? shows all of it", topic);
	}
	cr_text_fini(&text);
}

void
cr_browser_page_fit(struct cr_browser *u)
{
	if (page_is_help(u))
		help_fill(u);
	else if (u->page.title)
		page_fit(u);
}

/* ---- words */

static void
page_back(struct cr_browser *u)
{
	if (u->page.pattern)
		cr_browser_find(u, "");
	else
		cr_pager_close(&u->page);
}

static void
page_close(struct cr_browser *u)
{
	cr_pager_close(&u->page);
}

static void
page_end(struct cr_browser *u)
{
	cr_pager_scroll_to(&u->page, INT32_MAX);
}

static void
page_find(struct cr_browser *u)
{
	cr_browser_ask(u, CR_ASK_FIND, "/", &u->finds);
	u->prompt.keep_hint = true;
}

static void
page_find_next(struct cr_browser *u)
{
	cr_pager_next(&u->page, 1);
}

static void
page_find_previous(struct cr_browser *u)
{
	cr_pager_next(&u->page, -1);
}

/* The same key closes the help. */
static void
page_help(struct cr_browser *u)
{
	if (page_is_help(u))
		cr_pager_close(&u->page);
	else
		cr_browser_help_open(u);
}

static void
page_left(struct cr_browser *u)
{
	cr_pager_sideways(&u->page, -SIDEWAYS_CELLS);
}

static void
page_legend(struct cr_browser *u)
{
	if (!page_is_help(u))
		cr_browser_help_open(u);
	cr_pager_go(&u->page, CR_PANE_LEGEND);
}

static void
page_line_down(struct cr_browser *u)
{
	cr_pager_scroll_to(&u->page, u->page.first + 1);
}

static void
page_line_up(struct cr_browser *u)
{
	cr_pager_scroll_to(&u->page, u->page.first - 1);
}

static void
page_right(struct cr_browser *u)
{
	cr_pager_sideways(&u->page, SIDEWAYS_CELLS);
}

static void
page_screen_down(struct cr_browser *u)
{
	cr_pager_scroll_to(&u->page, u->page.first + CR_MAX(u->page.height - 1, 1));
}

static void
page_screen_up(struct cr_browser *u)
{
	cr_pager_scroll_to(&u->page, u->page.first - CR_MAX(u->page.height - 1, 1));
}

static void
page_start(struct cr_browser *u)
{
	cr_pager_scroll_to(&u->page, 0);
}

static void
page_wrap(struct cr_browser *u)
{
	cr_pager_wrap(&u->page, u->page.cut);
}

/* Effect of keys in a page of text, besides words and commands of the browser. */
static const struct {
	const char *name;
	void (*run)(struct cr_browser *u);
} page_words[] = {
	{"back", page_back},
	{"close", page_close},
	{"end", page_end},
	{"find", page_find},
	{"find-next", page_find_next},
	{"find-previous", page_find_previous},
	{"help", page_help},
	{"left", page_left},
	{"legend", page_legend},
	{"line-down", page_line_down},
	{"line-up", page_line_up},
	{"right", page_right},
	{"screen-down", page_screen_down},
	{"screen-up", page_screen_up},
	{"start", page_start},
	{"wrap", page_wrap},
};

const char *
cr_tui_page_word_at(size_t i)
{
	return i < CR_LEN(page_words) ? page_words[i].name : NULL;
}

bool
cr_browser_page_run(struct cr_browser *u, const char *line)
{
	for (size_t i = 0; u->page.title && i < CR_LEN(page_words); i++) {
		if (strcmp(line, page_words[i].name) != 0)
			continue;
		page_words[i].run(u);
		return true;
	}
	return false;
}
