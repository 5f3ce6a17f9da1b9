#include "cresset/tui/tui.h"

#include "keymap.h"
#include "pane.h"
#include "prompt.h"

#include "cresset/base/hash.h"
#include "cresset/base/mem.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/*
 *	title
 *	the view, or a page of text
 *	what is selected: two lines, one on a low screen
 *	labels; or the line being typed; or a message
 */
#define LOW_SCREEN 10 /* lines, below which one line about what is selected must do */

enum asking { ASK_NOTHING, ASK_SEARCH, ASK_COMMAND, ASK_FILTER, ASK_WRITE, ASK_OVERWRITE };

struct tui {
	struct cr_session *s;
	struct cr_term *t;
	struct cr_grid *g;
	cr_zones zones;
	struct cr_pane view, status, bottom;

	enum asking asking;
	struct cr_prompt prompt;
	struct cr_text hint;                /* at the right of the line being typed */
	cr_words searches, commands, filters, paths; /* typed before */
	char *path;                         /* that may have to be written over */

	const char *page_title; /* NULL when no page is shown */
	struct cr_text page;
	int32_t page_first; /* line */
	bool page_is_help;

	bool search_stale; /* the line being typed was changed, and its matches are not marked yet
			    */
	bool stale;        /* so was what is drawn */
	bool left;         /* the user is gone */
	int sig;           /* by this signal, as it were; 0 for none */
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

/* Divide the screen, and tell the session how large its views are now. */
static void
layout(struct tui *u)
{
	const int32_t h = u->g->height;
	const int32_t status = h < LOW_SCREEN ? 1 : 2;
	struct cr_err err = CR_ERR_INIT;
	struct cr_text line = {0};

	u->view = pane(u, 1, h - status - 2);
	u->status = pane(u, h - 1 - status, status);
	u->bottom = pane(u, h - 1, 1);
	if (u->s->width == u->view.width && u->s->height == CR_MAX(u->view.height, 1))
		return;
	/* A message outlives a change of size. */
	cr_text_puts(&line, u->s->message.len ? u->s->message.p : "");
	if (u->view.width > 0) {
		struct cr_text size = {0};

		cr_text_printf(&size, "size %" PRId32 " %" PRId32, u->view.width,
			CR_MAX(u->view.height, 1));
		cr_session_run(u->s, size.p, NULL, &err);
		cr_text_fini(&size);
	}
	cr_text_clear(&u->s->message);
	cr_text_puts(&u->s->message, line.p);
	cr_text_fini(&line);
}

static void
draw_page(struct tui *u)
{
	const struct cr_pane title = pane(u, 0, 1), text = pane(u, 1, u->g->height - 2);
	const int32_t lines = cr_pane_text_lines(&u->page);
	struct cr_text where = {0};

	cr_grid_fill(u->g, 0, 0, u->g->width, 1, ' ', CR_LOOK_REVERSE);
	cr_grid_text(u->g, 1, 0, title.width, cr_str_of(u->page_title), CR_LOOK_REVERSE);
	if (lines > text.height) {
		cr_text_printf(&where, "%" PRId32 "-%" PRId32 "/%" PRId32, u->page_first + 1,
			CR_MIN(u->page_first + text.height, lines), lines);
		cr_grid_text(u->g, u->g->width - 1 - (int32_t)where.len, 0, (int32_t)where.len,
			cr_text_view(&where), CR_LOOK_REVERSE);
		cr_text_fini(&where);
	}
	cr_pane_text_draw(&text, &u->page, u->page_first, u->page_is_help);
	cr_grid_text(u->g, 1, u->bottom.y, u->g->width, CR_STR("q"), CR_LOOK_BOLD);
	cr_grid_text(u->g, 3, u->bottom.y, u->g->width, CR_STR("close"), CR_LOOK_PLAIN);
	cr_pane_zone(&u->bottom, 1, 8, u->bottom.y, "close");
}

static void
draw_bottom(struct tui *u)
{
	if (u->asking)
		cr_prompt_draw(&u->prompt, &u->bottom, u->hint.len ? u->hint.p : NULL);
	else if (u->s->message.len)
		cr_grid_text(u->g, 1, u->bottom.y, u->g->width - 1, cr_text_view(&u->s->message),
			CR_LOOK_BOLD);
	else
		cr_status_labels(u->s, &u->bottom);
}

/* In an ASCII terminal all else has a stand-in. */
static void
grid_to_ascii(struct cr_grid *g)
{
	const size_t n = (size_t)g->width * (size_t)g->height;

	for (size_t i = 0; i < n; i++) {
		uint32_t *ch = &g->cells[i].ch;

		if (*ch == 0x2026)
			*ch = '~'; /* the ellipsis of a name that was cut */
		else if (*ch > 126 || *ch == 0)
			*ch = '?';
		memset(g->cells[i].marks, 0, sizeof(g->cells[i].marks));
	}
}

static void
draw(struct tui *u)
{
	const struct cr_pane title = pane(u, 0, 1);

	u->zones.n = 0;
	cr_grid_clear(u->g);
	layout(u);
	if (u->page_title) {
		draw_page(u);
	} else {
		cr_status_title(u->s, &title);
		if (u->s->view == CR_VIEW_FUNCTIONS)
			cr_pane_table_draw(u->s, &u->view);
		else
			cr_pane_flame_draw(u->s, &u->view);
		cr_status_selected(u->s, &u->status);
		draw_bottom(u);
	}
	if (!u->t->unicode)
		grid_to_ascii(u->g);
}

/* ---- pages of text */

static void
page_scroll_to(struct tui *u, int32_t first)
{
	const int32_t last = cr_pane_text_lines(&u->page) - (u->g->height - 2);

	u->page_first = CR_MAX(CR_MIN(first, last), 0);
}

static void
page_close(struct tui *u)
{
	u->page_title = NULL;
	cr_text_clear(&u->page);
}

static void
page_open(struct tui *u, const char *title, bool is_help)
{
	u->page_title = title;
	u->page_first = 0;
	u->page_is_help = is_help;
}

static void
help_fill(struct tui *u)
{
	cr_text_clear(&u->page);
	cr_pane_help_text((uint32_t)CR_MAX(u->g->width - 1, 10), &u->page);
}

/* ---- lines to run */

static void
session_line(struct tui *u, const char *line)
{
	struct cr_err err = CR_ERR_INIT;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	cr_session_run(u->s, line, out, &err);
	if (out)
		fclose(out);
	if (len) {
		cr_text_clear(&u->page);
		cr_text_put(&u->page, text, len);
		page_open(u, "cresset", false);
	}
	free(text);
}

static void
ask(struct tui *u, enum asking what, const char *label, cr_words *history)
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
	cr_complete_path(line, out);
}

static void
word_ask_search(struct tui *u)
{
	ask(u, ASK_SEARCH, "/", &u->searches);
}

static void
word_ask_command(struct tui *u)
{
	ask(u, ASK_COMMAND, ":", &u->commands);
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
	ask(u, ASK_FILTER, "filter: ", &u->filters);
	u->prompt.complete = complete_filter;
	u->prompt.user = u;
	cr_text_puts(&u->hint, "comm nginx; time 3s..5s; focus ^ssl_; ... Tab lists the words");
}

static void
word_ask_write(struct tui *u)
{
	ask(u, ASK_WRITE, "write to: ", &u->paths);
	u->prompt.complete = complete_path;
	cr_text_puts(&u->hint, "a file name; .svg, .folded ... says the format");
}

/*
 * A message goes first, then a search, then a zoom: one press, one thing. The message is gone
 * already.
 */
static void
word_back(struct tui *u)
{
	if (u->s->pattern)
		session_line(u, "clear-search");
	else
		session_line(u, "out");
}

static void
word_close(struct tui *u)
{
	if (u->page_title)
		page_close(u);
	else
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
	help_fill(u);
	page_open(u, "cresset: keys and commands", true);
}

static void
word_details(struct tui *u)
{
	session_line(u, "print selected");
	u->page_title = u->page_title ? "Selected" : NULL;
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

static const struct {
	const char *name;
	void (*run)(struct tui *u);
} words[] = {
	{"ask-command", word_ask_command},
	{"ask-filter", word_ask_filter},
	{"ask-search", word_ask_search},
	{"ask-write", word_ask_write},
	{"back", word_back},
	{"close", word_close},
	{"details", word_details},
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

static void
run_line(struct tui *u, const char *line)
{
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

/* Mark what matches so far; a pattern that is none yet says so at the right. */
static void
search_live(struct tui *u)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_text line = {0};

	u->search_stale = false;
	cr_text_printf(&line, "search-live %s", u->prompt.line.p);
	cr_text_clear(&u->hint);
	if (cr_session_run(u->s, line.p, NULL, &err) < 0)
		cr_text_puts(&u->hint, err.text);
	else if (u->prompt.line.len)
		cr_status_matches(u->s, &u->hint);
	cr_text_clear(&u->s->message);
	cr_text_fini(&line);
}

static void
write_to(struct tui *u, const char *path)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_text line = {0};

	cr_text_printf(&line, "export-new %s", path);
	if (cr_session_run(u->s, line.p, NULL, &err) == CR_EEXISTS) {
		cr_text_clear(&u->s->message);
		free(u->path);
		u->path = cr_strdup(path);
		ask(u, ASK_OVERWRITE, "it is there already: write over it? (y/n) ", NULL);
	}
	cr_text_fini(&line);
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
		u->asking = ASK_NOTHING;
		u->search_stale = false;
	} else if (did == CR_PROMPT_CHANGED) {
		cr_text_clear(&u->hint);
		u->search_stale = u->asking == ASK_SEARCH;
	}
}

static void
prompt_key(struct tui *u, uint32_t key)
{
	if (u->asking == ASK_OVERWRITE) {
		u->asking = ASK_NOTHING;
		if (key == 'y' || key == 'Y')
			run_with(u, "export", u->path);
		return;
	}
	prompt_did(u, cr_prompt_key(&u->prompt, key));
}

/* ---- keys and mouse */

/* In a page the keys that move a selection scroll, and those that open or go back close it. */
static void
page_key(struct tui *u, uint32_t key)
{
	const struct cr_binding *b = cr_keymap_find(key);
	const int32_t page = CR_MAX(u->g->height - 3, 1);
	const struct {
		const char *line;
		int32_t to;
	} moves[] = {
		{"up", u->page_first - 1},
		{"down", u->page_first + 1},
		{"page-up", u->page_first - page},
		{"page-down", u->page_first + page},
		{"top", 0},
		{"first", 0},
		{"bottom", INT32_MAX},
		{"last", INT32_MAX},
	};
	static const char *const closes[] = {"close", "help", "back", "open", "out", "details"};
	static const char *const others[] = {"interrupt", "quit", "redraw", "suspend"};

	if (!b)
		return;
	for (size_t i = 0; i < CR_LEN(moves); i++)
		if (strcmp(b->line, moves[i].line) == 0)
			page_scroll_to(u, moves[i].to);
	for (size_t i = 0; i < CR_LEN(closes); i++)
		if (strcmp(b->line, closes[i]) == 0)
			page_close(u);
	for (size_t i = 0; i < CR_LEN(others); i++)
		if (strcmp(b->line, others[i]) == 0)
			run_line(u, b->line);
}

static void
unbound(struct tui *u, uint32_t key)
{
	struct cr_text name = {0};

	cr_keymap_name(key, &name);
	cr_text_clear(&u->s->message);
	cr_text_printf(&u->s->message, "%s does nothing; ? lists the keys", name.p);
	cr_text_fini(&name);
}

static void
on_key(struct tui *u, uint32_t key)
{
	const struct cr_binding *b;
	bool had_message;

	if (u->asking) {
		prompt_key(u, key);
		return;
	}
	if (u->page_title) {
		page_key(u, key);
		return;
	}
	had_message = u->s->message.len > 0;
	cr_text_clear(&u->s->message);
	b = cr_keymap_find(key);
	if (!b)
		unbound(u, key);
	else if (!had_message || strcmp(b->line, "back") != 0)
		run_line(u, b->line);
}

/* What is pasted is text, not keys: only a line being typed takes it. */
static void
on_pasted(struct tui *u, uint32_t ch)
{
	if (u->asking && u->asking != ASK_OVERWRITE) {
		prompt_did(u, cr_prompt_paste(&u->prompt, ch));
		return;
	}
	cr_text_clear(&u->s->message);
	cr_text_puts(&u->s->message, "what is pasted does nothing here; / : & and w take it");
}

static const char *
zone_at(const struct tui *u, int32_t x, int32_t y)
{
	for (size_t i = 0; i < u->zones.n; i++)
		if (y == u->zones.p[i].y && x >= u->zones.p[i].x0 && x < u->zones.p[i].x1)
			return u->zones.p[i].line;
	return NULL;
}

/* Select what is drawn at a cell of the view. False when nothing is. */
static bool
select_at(struct tui *u, int32_t x, int32_t y)
{
	struct cr_text line = {0};
	uint32_t hit;

	if (y < u->view.y || y >= u->view.y + u->view.height)
		return false;
	if (u->s->view == CR_VIEW_FUNCTIONS) {
		hit = cr_pane_table_at(u->s, &u->view, y);
		cr_text_printf(&line, "row %" PRIu32, hit + 1);
	} else {
		hit = cr_pane_flame_at(u->s, &u->view, x, y);
		cr_text_printf(&line, "select %" PRIu32, hit);
	}
	if (hit != CR_NO_ROW)
		session_line(u, line.p);
	cr_text_fini(&line);
	return hit != CR_NO_ROW;
}

static void
on_mouse(struct tui *u, const struct cr_input_event *e)
{
	const struct cr_mouse_binding *b = cr_keymap_mouse_at(e->mouse);
	const bool click = e->mouse == CR_MOUSE_CLICK || e->mouse == CR_MOUSE_DOUBLE;
	const char *line = click ? zone_at(u, e->x, e->y) : NULL;

	if (u->asking || !b)
		return;
	if (u->page_title && (e->mouse == CR_MOUSE_WHEEL_UP || e->mouse == CR_MOUSE_WHEEL_DOWN)) {
		page_scroll_to(u, u->page_first + (e->mouse == CR_MOUSE_WHEEL_UP ? -3 : 3));
		return;
	}
	if (u->page_title && !line)
		return;
	cr_text_clear(&u->s->message);
	if (line)
		run_line(u, line);
	else if ((!click || select_at(u, e->x, e->y)) && *b->line)
		run_line(u, b->line);
}

static void
on_event(struct tui *u, const struct cr_input_event *e)
{
	switch (e->key) {
	case CR_KEY_NONE:
		return;
	case CR_KEY_HANGUP:
		u->left = true;
		u->sig = SIGHUP;
		return;
	case CR_KEY_MOUSE:
		/* Where something is on the screen follows from drawing it. */
		if (u->stale)
			draw(u);
		on_mouse(u, e);
		return;
	case CR_KEY_RESIZE:
		return; /* the loop asks for the size anyhow */
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
	cr_vec_fini(&u->zones);
	cr_prompt_fini(&u->prompt);
	cr_text_fini(&u->hint);
	cr_text_fini(&u->page);
	cr_words_fini(&u->searches);
	cr_words_fini(&u->commands);
	cr_words_fini(&u->filters);
	cr_words_fini(&u->paths);
	free(u->path);
}

static void
fit_screen(struct tui *u, struct cr_term *t)
{
	int32_t width, height;

	t->size(t, &width, &height);
	if (width == u->g->width && height == u->g->height)
		return;
	cr_grid_resize(u->g, width, height);
	if (u->page_title && u->page_is_help)
		help_fill(u);
	if (u->page_title)
		page_scroll_to(u, u->page_first);
}

int
cr_tui_run(struct cr_session *s, struct cr_term *t)
{
	struct cr_grid grid = {0};
	struct tui u = {.s = s, .t = t, .g = &grid};
	struct cr_input_event e;
	bool first = true;

	for (; !u.left && !s->quit; first = false) {
		fit_screen(&u, t);
		u.stale = !first && t->pending(t);
		if (!u.stale && u.search_stale)
			search_live(&u);
		if (!u.stale) {
			draw(&u);
			t->draw(t, &grid);
		}
		t->read(t, &e);
		on_event(&u, &e);
	}
	tui_fini(&u);
	cr_grid_fini(&grid);
	return u.sig;
}
