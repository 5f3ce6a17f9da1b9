#include "tui/tui.h"

#include "busy_p.h"
#include "help_topic_p.h"
#include "keymap_p.h"
#include "prompt_p.h"
#include "tui/panes/pager_p.h"
#include "tui/panes/pane_p.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/secure.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/*
 *	title
 *	the view, or a page of text
 *	the selection: two lines, one on a low screen
 *	labels; or the line being typed; or a message
 */
#define TITLE_CELLS 6     /* minimum width for the title of a page */
#define SIDEWAYS_CELLS 16 /* scrolling step in a page of text */
#define NARROW_SCREEN 60  /* in a narrower screen only the share of a search is printed */
#define WHEEL_ROWS 3      /* rows scrolled by a turn of the wheel */
#define LOW_SCREEN 10     /* with fewer lines, the selection gets one line */

static const char help_title[] = "cresset: keys and commands";

enum asking {
	ASK_NOTHING,
	ASK_SEARCH,
	ASK_COMMAND,
	ASK_FILTER,
	ASK_WRITE,
	ASK_OVERWRITE,
	ASK_PANE,    /* a key after Ctrl-W */
	ASK_COPY,    /* a key that says what */
	ASK_WORDS,   /* the rest of a command: see ask_words() */
	ASK_CONFIRM, /* y or n */
	ASK_FIND     /* in a page of text */
};

struct tui {
	struct cr_session *s;
	struct cr_term *t;
	const struct cr_tui_host *host; /* may be NULL */
	struct cr_grid *g;
	struct cr_busy busy;
	cr_zones zones;
	struct cr_pane views, status, bottom; /* views: one pane or two, see session/split.h */

	enum asking asking;
	struct cr_prompt prompt;
	struct cr_text hint; /* at the right of the line being typed */
	cr_words searches, commands, filters, paths, finds; /* lines typed before */
	char *path;                                         /* may have to be overwritten */
	char *asked; /* the command that waits for the rest of its line, or for a yes */
	cr_words answers;

	struct cr_pager page;

	bool mouse_off;         /* the terminal has been told so */
	bool search_stale;      /* matches of the line being typed are not marked yet */
	bool proven;            /* the stored tree was compared with the samples */
	bool disproven;         /* the last comparison changed what is shown */
	bool dragging, dragged; /* the line between two panes: held, and moved */
	struct cr_pane pressed; /* the view that the button was pressed in; width 0: none */
	int32_t pressed_x;
	bool stale; /* so was what is drawn */
	bool left;  /* the user is gone */
	int sig;    /* by this signal, as it were; 0 for none */
};

/* ---- drawing */

static struct cr_pane
pane(struct tui *u, int32_t y, int32_t height)
{
	return (struct cr_pane){.g = u->g,
		.term = u->t,
		.zones = &u->zones,
		.y = y,
		.width = u->g->width,
		.height = CR_MAX(height, 0)};
}

/* Divide the screen, and set the sizes of the views. */
static void
layout(struct tui *u)
{
	const int32_t h = u->g->height;
	const int32_t status = h < LOW_SCREEN ? 1 : 2;

	u->views = pane(u, 1, h - status - 2);
	u->status = pane(u, h - 1 - status, status);
	u->bottom = pane(u, h - 1, 1);
	cr_split_resize(u->s, CR_MAX(u->views.width, 1), CR_MAX(u->views.height, 1));
}

/* A message that is too long for the bottom line also uses the lines of the selection. */
static void
draw_message(struct tui *u)
{
	const int32_t width = CR_MAX(u->g->width - 2, 1);
	const struct cr_text *message = cr_session_message(u->s);
	struct cr_pager lines = {0};

	cr_pager_set(&lines, "", cr_text_view(message));
	cr_pager_fit(&lines, width, 1 + u->status.height);
	for (int32_t i = 0, n = CR_MIN((int32_t)lines.rows.n, lines.height); i < n; i++) {
		const struct cr_pager_row *row = &lines.rows.p[i];
		const int32_t y = u->bottom.y - n + 1 + i;

		cr_grid_fill(u->g, 0, y, u->g->width, 1, ' ', CR_LOOK_PLAIN);
		if (row->len)
			cr_grid_text(u->g, 1 + (int32_t)row->indent, y, width,
				(struct cr_str){lines.text.p + row->from, row->len}, CR_LOOK_BOLD);
	}
	cr_pager_close(&lines);
}

static void
draw_bottom(struct tui *u)
{
	if (u->asking == ASK_PANE)
		cr_status_pane_labels(&u->bottom);
	else if (u->asking)
		cr_prompt_draw(&u->prompt, &u->bottom, u->hint.len ? u->hint.p : NULL);
	else if (cr_session_message(u->s)->len)
		draw_message(u);
	else
		cr_status_labels(u->s, &u->bottom, u->page.title != NULL);
}

/* If space is short, the title is shortened in favour of the position. */
static void
draw_page(struct tui *u)
{
	const struct cr_pane text = pane(u, 1, u->g->height - 2);
	struct cr_text left = {0}, right = {0};
	int32_t x;

	if (u->page.pattern) {
		cr_pager_put_matches(&u->page, &right);
		cr_text_puts(&right, "  ");
	}
	cr_pager_put_place(&u->page, &right);
	x = CR_MAX(u->g->width - 1 - (int32_t)right.len, 0);
	cr_grid_fill(u->g, 0, 0, u->g->width, 1, ' ', CR_LOOK_REVERSE);
	if (x > 2 + TITLE_CELLS || !right.len) {
		cr_label_fit(&left, cr_str_of(u->page.title), (uint32_t)CR_MAX(x - 3, 1));
		cr_grid_text(u->g, 1, 0, CR_MAX(x - 3, 0), cr_text_view(&left), CR_LOOK_REVERSE);
	}
	if (right.len)
		cr_grid_text(u->g, x, 0, u->g->width, cr_text_view(&right), CR_LOOK_REVERSE);
	cr_pager_draw(&u->page, &text);
	draw_bottom(u);
	cr_text_fini(&left);
	cr_text_fini(&right);
}

static void
draw(struct tui *u)
{
	const struct cr_pane title = pane(u, 0, 1);

	u->zones.n = 0;
	layout(u);
	cr_grid_clear(u->g);
	if (u->page.title) {
		draw_page(u);
	} else {
		cr_status_title(u->s, &title);
		cr_pane_split_draw(u->s, &u->views);
		cr_status_selected(u->s, &u->status);
		draw_bottom(u);
	}
	if (!u->t->unicode)
		cr_grid_to_ascii(u->g);
}

/* ---- pages of text */

static void
page_fit(struct tui *u)
{
	cr_pager_fit(&u->page, u->g->width, u->g->height - 2);
}

static void
page_open(struct tui *u, const char *title, struct cr_str text)
{
	cr_pager_close(&u->page);
	cr_pager_set(&u->page, title, text);
	page_fit(u);
}

/* What the user has bound and named, before the rest of the help. */
static void
put_users(const struct tui *u, struct cr_text *out)
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
help_fill(struct tui *u)
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
page_is_help(const struct tui *u)
{
	return u->page.title == help_title;
}

static void
help_open(struct tui *u)
{
	cr_pager_close(&u->page);
	u->page.headings = true;
	help_fill(u);
}

/* ---- lines to run */

/* Copy to the clipboard what a command has copied. */
static void
send_copied(struct tui *u)
{
	const struct cr_text *copied = cr_session_copied(u->s);

	if (copied->len)
		u->t->copy(u->t, cr_text_view(copied));
	cr_session_clear_copied(u->s);
}

/* Tell the terminal whose the mouse is. */
static void
mouse_sync(struct tui *u)
{
	if (u->mouse_off == cr_session_mouse(u->s)) {
		u->mouse_off = !u->mouse_off;
		u->t->mouse(u->t, !u->mouse_off);
	}
}

static void
session_line(struct tui *u, const char *line)
{
	struct cr_err err = CR_ERR_INIT;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	cr_busy_run(&u->busy, u->s, line, out, CR_BUSY_STOPPABLE, &err);
	if (out)
		fclose(out);
	send_copied(u);
	mouse_sync(u);
	if (len) {
		page_open(u, "cresset", (struct cr_str){text, (uint32_t)len});
		/* Wrapped lines would destroy the columns. */
		if (strstr(line, "print flame") || strstr(line, "print functions"))
			cr_pager_wrap(&u->page, false);
	}
	free(text);
}

static void
open_prompt(struct tui *u, enum asking what, const char *label, cr_words *history)
{
	cr_prompt_start(&u->prompt, label, history);
	cr_text_clear(&u->hint);
	u->asking = what;
}

static void
complete_command(void *user, const char *line, cr_words *out)
{
	const struct tui *u = user;

	if (!strpbrk(line, " ;"))
		for (size_t i = 0; cr_tui_word_at(i); i++)
			if (strncmp(cr_tui_word_at(i), line, strlen(line)) == 0)
				cr_words_add(out, cr_tui_word_at(i));
	cr_complete_command(u->s, line, out);
}

static void
complete_path(void *user, const char *line, cr_words *out)
{
	(void)user;
	cr_complete_export(line, out);
}

static void
word_ask_search(struct tui *u)
{
	open_prompt(u, ASK_SEARCH, "/", &u->searches);
	u->prompt.keep_hint = true;
}

static void
word_ask_pane(struct tui *u)
{
	u->asking = ASK_PANE;
}

static void
word_ask_command(struct tui *u)
{
	open_prompt(u, ASK_COMMAND, ":", &u->commands);
	u->prompt.complete = complete_command;
	u->prompt.user = u;
}

static void
complete_filter(void *user, const char *line, cr_words *out)
{
	const struct tui *u = user;

	cr_complete_filter(u->s, line, out);
}

static void
word_ask_filter(struct tui *u)
{
	open_prompt(u, ASK_FILTER, "filter: ", &u->filters);
	u->prompt.complete = complete_filter;
	u->prompt.user = u;
	cr_text_puts(&u->hint, "comm nginx; time 3s..5s; focus ^ssl_; ... Tab lists the words");
}

static void
word_ask_write(struct tui *u)
{
	open_prompt(u, ASK_WRITE, "write to: ", &u->paths);
	u->prompt.complete = complete_path;
	cr_text_puts(
		&u->hint, "a file name; .svg, .folded ... sets the format; then width=1600 ...");
}

static void
word_ask_copy(struct tui *u)
{
	open_prompt(u, ASK_COPY, "copy: y name  s stack  a address  l source line  c command line ",
		NULL);
}

/*
 * Each key press removes one thing: a message first, then a search, then a zoom. The message is
 * removed already.
 */
static void
word_back(struct tui *u)
{
	if (cr_session_pattern(u->s))
		session_line(u, "clear-search");
	else
		session_line(u, "out");
}

static void
word_close(struct tui *u)
{
	session_line(u, "quit");
}

static void
word_interrupt(struct tui *u)
{
	u->left = true;
	u->sig = SIGINT;
}

static void
word_help(struct tui *u)
{
	help_open(u);
}

static void
word_details(struct tui *u)
{
	session_line(u, "print selected");
	u->page.title = u->page.title ? "Selected" : NULL;
}

static void
word_redraw(struct tui *u)
{
	u->t->redraw(u->t);
}

static void
word_suspend(struct tui *u)
{
	u->t->suspend(u->t);
}

struct edit {
	const struct cr_tui_host *host;
	struct cr_str file;
	uint32_t line;
	struct cr_err err;
};

static void
edit_aside(void *user)
{
	struct edit *e = user;

	e->host->edit(e->host->user, e->file, e->line, &e->err);
}

/* Edit the selected source line, or the function where it begins. */
static void
word_edit(struct tui *u)
{
	struct edit e = {.host = u->host, .err = CR_ERR_INIT};

	if (cr_secure_check("edit", &e.err) < 0)
		cr_session_say(u->s, "%s", e.err.text);
	else if (!cr_session_source(u->s, &e.file, &e.line))
		cr_session_say(u->s, "no source file is known for the selected frame");
	else if (!u->host || !u->host->edit)
		cr_session_say(u->s, "no editor can be started here");
	else
		u->t->aside(u->t, edit_aside, &e);
	if (*e.err.text)
		cr_session_say(u->s, "%s", e.err.text);
}

static const struct {
	const char *name;
	void (*run)(struct tui *u);
} words[] = {
	{"ask-command", word_ask_command},
	{"ask-copy", word_ask_copy},
	{"ask-filter", word_ask_filter},
	{"ask-pane", word_ask_pane},
	{"ask-search", word_ask_search},
	{"ask-write", word_ask_write},
	{"back", word_back},
	{"close", word_close},
	{"details", word_details},
	{"edit", word_edit},
	{"help", word_help},
	{"interrupt", word_interrupt},
	{"redraw", word_redraw},
	{"suspend", word_suspend},
};

const char *
cr_tui_word_at(size_t i)
{
	return i < CR_LEN(words) ? words[i].name : NULL;
}

/* "help TOPIC": a page of what the help has about it. */
static void
help_topic(struct tui *u, const char *topic)
{
	struct cr_text text = {0};

	if (cr_help_topic(topic, (uint32_t)CR_MAX(u->g->width - 1, 10), &text)) {
		page_open(u, "cresset: help about a topic; ? shows all", cr_text_view(&text));
		u->page.headings = true;
	} else {
		cr_session_clear_message(u->s);
		cr_session_say(u->s, "the help has nothing about %s; ? shows all of it", topic);
	}
	cr_text_fini(&text);
}

/*
 * "ask COMMAND PROMPT" of a key: the command runs with what the user types. "confirm COMMAND
 * QUESTION": it runs if the answer is y.
 */
static bool
ask_words(struct tui *u, const char *line)
{
	const bool confirm = strncmp(line, "confirm ", 8) == 0;
	const char *command = line + (confirm ? 8 : 4); /* if it is one of the two */
	size_t len;

	if (!confirm && strncmp(line, "ask ", 4) != 0)
		return false;
	len = strcspn(command, " ");
	if (!command[len])
		return false;
	free(u->asked);
	u->asked = cr_memdup(command, len);
	open_prompt(u, confirm ? ASK_CONFIRM : ASK_WORDS, command + len + 1,
		confirm ? NULL : &u->answers);
	return true;
}

static void
run_line(struct tui *u, const char *line)
{
	if (ask_words(u, line))
		return;
	if (strncmp(line, "help ", 5) == 0) {
		help_topic(u, line + 5 + strspn(line + 5, " "));
		return;
	}
	for (size_t i = 0; i < CR_LEN(words); i++) {
		if (strcmp(line, words[i].name) != 0)
			continue;
		words[i].run(u);
		return;
	}
	session_line(u, line);
}

static void
run_with(struct tui *u, const char *command, const char *arg)
{
	struct cr_text line = {0};

	cr_text_printf(&line, "%s %s", command, arg);
	run_line(u, line.p);
	cr_text_fini(&line);
}

/* ---- the line being typed */

/* Mark the matches so far; an incomplete pattern is reported at the right. */
static void
search_live(struct tui *u)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_text line = {0};
	int rc;

	cr_text_printf(&line, "search-live %s", u->prompt.line.p);
	cr_text_clear(&u->hint);
	rc = cr_busy_run(&u->busy, u->s, line.p, NULL, CR_BUSY_TYPING, &err);
	u->search_stale = rc == CR_ECANCEL; /* by the next key */
	if (rc < 0 && rc != CR_ECANCEL)
		cr_text_puts(&u->hint, err.text);
	else if (rc == CR_OK && u->prompt.line.len)
		cr_status_matches(u->s, u->g->width < NARROW_SCREEN, &u->hint);
	cr_session_clear_message(u->s);
	cr_text_fini(&line);
}

static void
find_live(struct tui *u)
{
	struct cr_err err = CR_ERR_INIT;

	u->search_stale = false;
	cr_text_clear(&u->hint);
	if (cr_pager_search(&u->page, u->prompt.line.p, &err) < 0)
		cr_text_puts(&u->hint, err.text);
	else if (u->page.pattern)
		cr_pager_put_matches(&u->page, &u->hint);
}

/* Show what the line being typed matches so far. */
static void
live(struct tui *u)
{
	if (u->asking == ASK_FIND)
		find_live(u);
	else
		search_live(u);
}

static void
write_to(struct tui *u, const char *path)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_text line = {0};

	cr_text_printf(&line, "export-new %s", path);
	if (cr_busy_run(&u->busy, u->s, line.p, NULL, CR_BUSY_STOPPABLE, &err) == CR_EEXISTS) {
		cr_session_clear_message(u->s);
		free(u->path);
		u->path = cr_strdup(path);
		open_prompt(u, ASK_OVERWRITE, "the file exists; replace it? (y/n) ", NULL);
	}
	cr_text_fini(&line);
}

static void
find(struct tui *u, const char *pattern)
{
	struct cr_err err = CR_ERR_INIT;

	cr_session_clear_message(u->s);
	if (cr_pager_search(&u->page, pattern, &err) < 0)
		cr_session_say(u->s, "%s", err.text);
	else if (*pattern && !u->page.hits.n)
		cr_session_say(u->s, "no line matches %s", pattern);
}

static void
prompt_enter(struct tui *u)
{
	const enum asking what = u->asking;
	char *line = cr_strdup(u->prompt.line.p);

	u->asking = ASK_NOTHING;
	u->search_stale = false;
	if (what == ASK_SEARCH && *line)
		run_with(u, "search", line);
	else if (what == ASK_SEARCH)
		session_line(u, "search-live");
	else if (what == ASK_COMMAND || what == ASK_FILTER)
		run_line(u, line);
	else if (what == ASK_WRITE && *line)
		write_to(u, line);
	else if (what == ASK_WORDS)
		run_with(u, u->asked, line);
	else if (what == ASK_FIND)
		find(u, line);
	free(line);
}

static void
prompt_did(struct tui *u, enum cr_prompt_did did)
{
	if (did == CR_PROMPT_ENTER) {
		prompt_enter(u);
	} else if (did == CR_PROMPT_CANCEL) {
		if (u->asking == ASK_SEARCH)
			session_line(u, "search-live");
		else if (u->asking == ASK_FIND)
			find(u, "");
		u->asking = ASK_NOTHING;
		u->search_stale = false;
	} else if (did == CR_PROMPT_CHANGED) {
		cr_text_clear(&u->hint);
		u->search_stale = u->asking == ASK_SEARCH || u->asking == ASK_FIND;
	}
}

/* The key after `y`; an unknown one copies nothing. */
static void
copy_key(struct tui *u, uint32_t key)
{
	static const struct {
		uint32_t key;
		const char *line;
	} keys[] = {{'y', "copy name"}, {'n', "copy name"}, {CR_KEY_ENTER, "copy name"},
		{'s', "copy stack"}, {'a', "copy address"}, {'l', "copy source"},
		{'c', "copy command"}};

	u->asking = ASK_NOTHING;
	for (size_t i = 0; i < CR_LEN(keys); i++)
		if (keys[i].key == key)
			session_line(u, keys[i].line);
}

static void
prompt_key(struct tui *u, uint32_t key)
{
	if (u->asking == ASK_PANE) {
		const struct cr_binding *b = cr_keymap_in(cr_keymap_table(CR_KEYMAP_PANES), key);

		u->asking = ASK_NOTHING;
		if (b)
			session_line(u, b->line);
		return;
	}
	if (u->asking == ASK_COPY) {
		copy_key(u, key);
		return;
	}
	if (u->asking == ASK_OVERWRITE) {
		u->asking = ASK_NOTHING;
		if (key == 'y' || key == 'Y')
			run_with(u, "export", u->path);
		return;
	}
	if (u->asking == ASK_CONFIRM) {
		u->asking = ASK_NOTHING;
		if (key == 'y' || key == 'Y')
			run_line(u, u->asked);
		return;
	}
	prompt_did(u, cr_prompt_key(&u->prompt, key));
}

/* ---- keys and mouse */

static void
page_back(struct tui *u)
{
	if (u->page.pattern)
		find(u, "");
	else
		cr_pager_close(&u->page);
}

static void
page_close(struct tui *u)
{
	cr_pager_close(&u->page);
}

static void
page_end(struct tui *u)
{
	cr_pager_scroll_to(&u->page, INT32_MAX);
}

static void
page_find(struct tui *u)
{
	open_prompt(u, ASK_FIND, "/", &u->finds);
	u->prompt.keep_hint = true;
}

static void
page_find_next(struct tui *u)
{
	cr_pager_next(&u->page, 1);
}

static void
page_find_previous(struct tui *u)
{
	cr_pager_next(&u->page, -1);
}

/* The same key closes the help. */
static void
page_help(struct tui *u)
{
	if (page_is_help(u))
		cr_pager_close(&u->page);
	else
		help_open(u);
}

static void
page_left(struct tui *u)
{
	cr_pager_sideways(&u->page, -SIDEWAYS_CELLS);
}

static void
page_legend(struct tui *u)
{
	if (!page_is_help(u))
		help_open(u);
	cr_pager_go(&u->page, CR_PANE_LEGEND);
}

static void
page_line_down(struct tui *u)
{
	cr_pager_scroll_to(&u->page, u->page.first + 1);
}

static void
page_line_up(struct tui *u)
{
	cr_pager_scroll_to(&u->page, u->page.first - 1);
}

static void
page_right(struct tui *u)
{
	cr_pager_sideways(&u->page, SIDEWAYS_CELLS);
}

static void
page_screen_down(struct tui *u)
{
	cr_pager_scroll_to(&u->page, u->page.first + CR_MAX(u->page.height - 1, 1));
}

static void
page_screen_up(struct tui *u)
{
	cr_pager_scroll_to(&u->page, u->page.first - CR_MAX(u->page.height - 1, 1));
}

static void
page_start(struct tui *u)
{
	cr_pager_scroll_to(&u->page, 0);
}

static void
page_wrap(struct tui *u)
{
	cr_pager_wrap(&u->page, u->page.cut);
}

/* Effect of keys in a page of text, besides words and commands of the browser. */
static const struct {
	const char *name;
	void (*run)(struct tui *u);
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

/* Run the line of a key or a label, in a page or in a view. */
static void
run_bound(struct tui *u, const char *line)
{
	for (size_t i = 0; u->page.title && i < CR_LEN(page_words); i++) {
		if (strcmp(line, page_words[i].name) != 0)
			continue;
		page_words[i].run(u);
		return;
	}
	run_line(u, line);
}

static void
unbound(struct tui *u, uint32_t key)
{
	struct cr_text name = {0};

	cr_keymap_name(key, &name);
	cr_session_say(
		u->s, "%s does nothing%s; ? lists the keys", name.p, u->page.title ? " here" : "");
	cr_text_fini(&name);
}

/* Run what the user has bound to the key, in a view. False if it is nothing. */
static bool
run_users(struct tui *u, uint32_t key)
{
	struct cr_text name = {0};
	const char *line;
	char *copy;

	cr_keymap_name(key, &name);
	line = cr_session_bound(u->s, name.p ? name.p : "");
	cr_text_fini(&name);
	if (!line)
		return false;
	copy = cr_strdup(line); /* the line may bind the key anew */
	run_line(u, copy);
	free(copy);
	return true;
}

static void
on_key(struct tui *u, uint32_t key)
{
	const char *line;
	bool had_message;

	if (u->asking) {
		prompt_key(u, key);
		return;
	}
	had_message = cr_session_message(u->s)->len > 0;
	cr_session_clear_message(u->s);
	if (!u->page.title && run_users(u, key))
		return;
	line = cr_keymap_find(u->page.title ? NULL : cr_view_current(u->s)->ops, key);
	if (!line)
		unbound(u, key);
	else if (!had_message || strcmp(line, "back") != 0)
		run_bound(u, line);
}

/* Pasted text is no keys: it is used only in a line being typed. */
static void
on_pasted(struct tui *u, uint32_t ch)
{
	if (u->asking && u->asking != ASK_OVERWRITE && u->asking != ASK_PANE &&
		u->asking != ASK_COPY && u->asking != ASK_CONFIRM) {
		prompt_did(u, cr_prompt_paste(&u->prompt, ch));
		return;
	}
	cr_session_say(u->s, "pasted text has no effect here; press / : & or w first");
}

static const char *
zone_at(const struct tui *u, int32_t x, int32_t y)
{
	for (size_t i = 0; i < u->zones.n; i++)
		if (y == u->zones.p[i].y && x >= u->zones.p[i].x0 && x < u->zones.p[i].x1)
			return u->zones.p[i].line;
	return NULL;
}

/* Select what is drawn at a cell of a view. Returns false if there is nothing. */
static bool
select_at(struct tui *u, const struct cr_pane *view, int32_t x, int32_t y)
{
	struct cr_text line = {0};
	const bool hit = cr_pane_view_at(cr_view_current(u->s), u->s, view, x, y, &line);

	if (hit)
		session_line(u, line.p);
	cr_text_fini(&line);
	return hit;
}

/*
 * Move the line between two panes to the mouse. Returns true if that was intended: a click on the
 * line without a move is a click on the heading of the lower pane.
 */
static bool
drag(struct tui *u, const struct cr_input_event *e)
{
	const char *heading = zone_at(u, e->x, e->y);
	struct cr_text line = {0};

	if (!u->dragging && e->mouse == CR_MOUSE_DRAG && u->pressed.width &&
		cr_pane_view_drag(
			cr_view_current(u->s), u->s, &u->pressed, u->pressed_x, e->x, &line))
		session_line(u, line.p);
	cr_text_clear(&line);
	if (e->mouse == CR_MOUSE_CLICK) {
		u->pressed.width = 0;
		u->dragging = cr_pane_on_divider(u->s, &u->views, e->x, e->y);
		u->dragged = false;
		cr_text_fini(&line);
		return u->dragging;
	}
	if (u->dragging && e->mouse == CR_MOUSE_DRAG) {
		cr_pane_put_divider(u->s, &u->views, e->x, e->y, &line);
		session_line(u, line.p);
		u->dragged = true;
	}
	if (e->mouse == CR_MOUSE_RELEASE) {
		if (u->dragging && !u->dragged && heading)
			run_bound(u, heading);
		u->dragging = false;
	}
	cr_text_fini(&line);
	return e->mouse == CR_MOUSE_DRAG || e->mouse == CR_MOUSE_RELEASE;
}

/* The wheel scrolls what is under the mouse, even in the pane without the keys. */
static void
scroll_other(struct tui *u, enum cr_mouse mouse)
{
	struct cr_text line = {0};

	cr_text_printf(
		&line, "scroll-other %d", mouse == CR_MOUSE_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
	session_line(u, line.p);
	cr_text_fini(&line);
}

static void
mouse_in_page(struct tui *u, const struct cr_input_event *e, const char *line)
{
	if (e->mouse == CR_MOUSE_WHEEL_UP || e->mouse == CR_MOUSE_WHEEL_DOWN) {
		cr_pager_scroll_to(&u->page,
			u->page.first + (e->mouse == CR_MOUSE_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS));
	} else if (line) {
		cr_session_clear_message(u->s);
		run_bound(u, line);
	}
}

/* A click in the other pane first gives it the keys. */
static void
mouse_in_views(struct tui *u, const struct cr_input_event *e, const char *line)
{
	const struct cr_mouse_binding *b = cr_keymap_mouse_at(e->mouse);
	const bool click = e->mouse == CR_MOUSE_CLICK || e->mouse == CR_MOUSE_DOUBLE;
	struct cr_pane view = u->views;
	const uint32_t at = cr_pane_split_at(u->s, &u->views, e->x, e->y, &view);
	const bool other = at != CR_NO_ROW && !cr_split_layout(u->s).pane[at].has_keys;

	cr_session_clear_message(u->s);
	if (drag(u, e))
		return;
	if (other && !click && e->mouse != CR_MOUSE_RIGHT) {
		scroll_other(u, e->mouse);
		return;
	}
	if (other)
		session_line(u, "pane next");
	if (click && at != CR_NO_ROW) {
		u->pressed = view;
		u->pressed_x = e->x;
	}
	if (line && !(other && strcmp(line, "pane next") == 0))
		run_bound(u, line);
	else if (!line && (!click || select_at(u, &view, e->x, e->y)) && *b->line)
		run_line(u, b->line);
}

static void
on_mouse(struct tui *u, const struct cr_input_event *e)
{
	const bool click = e->mouse == CR_MOUSE_CLICK || e->mouse == CR_MOUSE_DOUBLE;
	const char *line = click ? zone_at(u, e->x, e->y) : NULL;

	if (u->asking)
		return;
	if (u->page.title)
		mouse_in_page(u, e, line);
	else
		mouse_in_views(u, e, line);
}

static void
on_event(struct tui *u, const struct cr_input_event *e)
{
	switch (e->key) {
	case CR_KEY_NONE: return;
	case CR_KEY_HANGUP:
		u->left = true;
		u->sig = SIGHUP;
		return;
	case CR_KEY_MOUSE:
		/* Positions on the screen are known after drawing. */
		if (u->stale)
			draw(u);
		on_mouse(u, e);
		return;
	case CR_KEY_RESIZE: return; /* the loop asks for the size anyway */
	default:
		if (e->pasted)
			on_pasted(u, e->key);
		else
			on_key(u, e->key);
	}
}

/* ---- the loop */

static void
tui_fini(struct tui *u)
{
	cr_busy_fini(&u->busy);
	cr_vec_fini(&u->zones);
	cr_prompt_fini(&u->prompt);
	cr_text_fini(&u->hint);
	cr_pager_close(&u->page);
	cr_words_fini(&u->searches);
	cr_words_fini(&u->commands);
	cr_words_fini(&u->filters);
	cr_words_fini(&u->paths);
	cr_words_fini(&u->finds);
	cr_words_fini(&u->answers);
	free(u->path);
	free(u->asked);
}

static bool
input_waits(const struct tui *u)
{
	return cr_busy_has_events(&u->busy) || u->t->pending(u->t);
}

/* ---- work that is no command */

static int
run_layout(void *user, struct cr_err *err)
{
	(void)err;
	layout(user);
	return CR_OK;
}

/* Lay out the views for a new screen size; keys are read meanwhile. */
static void
lay_out(struct tui *u)
{
	const struct cr_busy_job job = {"layout", run_layout, u};
	struct cr_err err = CR_ERR_INIT;

	cr_busy_do(&u->busy, u->s, &job, CR_BUSY_WHOLE, &err);
}

static void
fit_screen(struct tui *u, struct cr_term *t)
{
	int32_t width, height;

	t->size(t, &width, &height);
	if (width == u->g->width && height == u->g->height)
		return;
	cr_grid_resize(u->g, width, height);
	lay_out(u);
	if (page_is_help(u))
		help_fill(u);
	else if (u->page.title)
		page_fit(u);
}

#define PROVE_BLOCKS 8 /* takes some milliseconds */

static int
run_prove(void *user, struct cr_err *err)
{
	struct tui *u = user;

	(void)err;
	u->proven = !cr_session_prove(u->s, PROVE_BLOCKS, &u->disproven);
	return CR_OK;
}

/*
 * Compare the tree with the samples while the user looks at the screen, some blocks at a time. Not
 * while a line is typed, since its search refers to the tree. Returns true if there is something
 * new to draw.
 */
static bool
prove(struct tui *u)
{
	const struct cr_busy_job job = {"comparing with the samples", run_prove, u};
	struct cr_err err = CR_ERR_INIT;

	u->disproven = false;
	while (!u->proven && !u->asking && !u->disproven && !cr_busy_has_events(&u->busy) &&
		!u->t->waits(u->t))
		cr_busy_do(&u->busy, u->s, &job, CR_BUSY_WHOLE, &err);
	return u->disproven;
}

int
cr_tui_run(struct cr_session *s, struct cr_term *t, const struct cr_tui_host *host)
{
	struct cr_grid grid = {0};
	struct tui u = {
		.s = s, .t = t, .host = host, .g = &grid, .busy = {.term = t, .grid = &grid}};
	struct cr_input_event e;
	bool first = true;

	cr_session_on_screen(s);
	mouse_sync(&u);
	for (; !u.left && !cr_session_quits(s); first = false) {
		fit_screen(&u, t);
		u.stale = !first && input_waits(&u);
		if (!u.stale && u.search_stale) {
			draw(&u); /* what was typed, as the search may take long */
			t->draw(t, &grid);
			live(&u);
			u.stale = u.search_stale;
		}
		if (!u.stale) {
			do {
				draw(&u);
				t->draw(t, &grid);
			} while (prove(&u));
		}
		if (!cr_busy_next(&u.busy, &e))
			t->read(t, &e);
		on_event(&u, &e);
	}
	tui_fini(&u);
	cr_grid_fini(&grid);
	return u.sig;
}
