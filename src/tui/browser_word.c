#include "browser_p.h"
#include "keymap_p.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/secure.h"
#include "tui/tui.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Copy to the clipboard what a command has copied. */
static void
send_copied(struct cr_browser *u)
{
	const struct cr_text *copied = cr_session_copied(u->s);

	if (copied->len)
		u->t->copy(u->t, cr_text_view(copied));
	cr_session_clear_copied(u->s);
}

/* Tell the terminal whose the mouse is. */
void
cr_browser_mouse_sync(struct cr_browser *u)
{
	if (u->mouse_off == cr_session_mouse(u->s)) {
		u->mouse_off = !u->mouse_off;
		u->t->mouse(u->t, !u->mouse_off);
	}
}

void
cr_browser_title_sync(struct cr_browser *u)
{
	struct cr_text title = {0};

	for (uint32_t side = 0; side < 2; side++) {
		const char *name = cr_session_title(u->s, side);

		if (name && *name)
			cr_text_puts(&title, side ? " -> " : "");
		if (name)
			cr_text_safe(&title, cr_str_of(name));
	}
	cr_text_puts(&title, title.len ? " - cresset" : "cresset");
	if (u->title && strcmp(u->title, title.p) == 0) {
		cr_text_fini(&title);
		return;
	}
	free(u->title);
	u->title = title.p;
	u->t->title(u->t, u->title);
}

void
cr_browser_command(struct cr_browser *u, const char *line)
{
	struct cr_err err = CR_ERR_INIT;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	cr_busy_run(&u->busy, u->s, line, out, CR_BUSY_STOPPABLE, &err);
	if (out)
		fclose(out);
	send_copied(u);
	cr_browser_mouse_sync(u);
	cr_browser_title_sync(u);
	if (len) {
		cr_browser_page_open(u, "cresset", (struct cr_str){text, (uint32_t)len});
		/* Wrapped lines would destroy the columns. */
		if (strstr(line, "print flame") || strstr(line, "print functions"))
			cr_pager_wrap(&u->page, false);
	}
	free(text);
}

static void
complete_command(void *user, const char *line, cr_words *out)
{
	const struct cr_browser *u = user;

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
word_ask_search(struct cr_browser *u)
{
	cr_browser_ask(u, CR_ASK_SEARCH, "/", &u->searches);
	u->prompt.keep_hint = true;
}

static void
word_ask_pane(struct cr_browser *u)
{
	u->asking = CR_ASK_PANE;
}

static void
word_ask_command(struct cr_browser *u)
{
	cr_browser_ask(u, CR_ASK_COMMAND, ":", &u->commands);
	u->prompt.complete = complete_command;
	u->prompt.user = u;
}

static void
complete_filter(void *user, const char *line, cr_words *out)
{
	const struct cr_browser *u = user;

	cr_complete_filter(u->s, line, out);
}

static void
word_ask_filter(struct cr_browser *u)
{
	cr_browser_ask(u, CR_ASK_FILTER, "filter: ", &u->filters);
	u->prompt.complete = complete_filter;
	u->prompt.user = u;
	cr_text_puts(&u->hint, "comm nginx; time 3s..5s; focus ^ssl_; ... Tab lists the words");
}

static void
word_ask_write(struct cr_browser *u)
{
	cr_browser_ask(u, CR_ASK_WRITE, "write to: ", &u->paths);
	u->prompt.complete = complete_path;
	cr_text_puts(&u->hint,
		cr_view_current(u->s)->ops->surface == CR_SURFACE_SHEET
			? "a file name; .csv, .json, .txt: these rows; .svg, .folded ...: all"
			: "a file name; .svg, .folded ... sets the format; then width=1600 ...");
}

static void
word_ask_copy(struct cr_browser *u)
{
	cr_browser_ask(u, CR_ASK_COPY,
		"copy: y name  s stack  a address  l source line  c command line ", NULL);
}

/*
 * Each key press removes one thing: a message first, then a search, then a zoom. The message is
 * removed already.
 */
static void
word_back(struct cr_browser *u)
{
	if (cr_session_pattern(u->s))
		cr_browser_command(u, "clear-search");
	else
		cr_browser_command(u, "out");
}

static void
word_close(struct cr_browser *u)
{
	cr_browser_command(u, "quit");
}

static void
word_interrupt(struct cr_browser *u)
{
	u->left = true;
	u->sig = SIGINT;
}

static void
word_help(struct cr_browser *u)
{
	cr_browser_help_open(u);
}

static void
word_details(struct cr_browser *u)
{
	cr_browser_command(u, "print selected");
	u->page.title = u->page.title ? "Selected" : NULL;
}

static void
word_redraw(struct cr_browser *u)
{
	u->t->redraw(u->t);
}

static void
word_suspend(struct cr_browser *u)
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
word_edit(struct cr_browser *u)
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
	void (*run)(struct cr_browser *u);
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

/* Complete the arguments of the command that the user is asked for. */
static void
complete_words(void *user, const char *line, cr_words *out)
{
	const struct cr_browser *u = user;
	const size_t skip = strlen(u->asked) + 1;
	struct cr_text whole = {0};
	cr_words lines = {0};

	cr_text_printf(&whole, "%s %s", u->asked, line);
	cr_complete_command(u->s, whole.p, &lines);
	for (size_t i = 0; i < lines.n; i++)
		cr_words_add(out, lines.p[i] + skip);
	cr_words_fini(&lines);
	cr_text_fini(&whole);
}

/*
 * "ask COMMAND PROMPT" of a key: the command runs with what the user types. "confirm COMMAND
 * QUESTION": it runs if the answer is y.
 */
static bool
ask_words(struct cr_browser *u, const char *line)
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
	cr_browser_ask(u, confirm ? CR_ASK_CONFIRM : CR_ASK_WORDS, command + len + 1,
		confirm ? NULL : &u->answers);
	u->prompt.complete = confirm ? NULL : complete_words;
	u->prompt.user = u;
	return true;
}

void
cr_browser_run(struct cr_browser *u, const char *line)
{
	if (ask_words(u, line))
		return;
	if (strncmp(line, "help ", 5) == 0) {
		cr_browser_help_topic(u, line + 5 + strspn(line + 5, " "));
		return;
	}
	for (size_t i = 0; i < CR_LEN(words); i++) {
		if (strcmp(line, words[i].name) != 0)
			continue;
		words[i].run(u);
		return;
	}
	cr_browser_command(u, line);
}

void
cr_browser_run_with(struct cr_browser *u, const char *command, const char *arg)
{
	struct cr_text line = {0};

	cr_text_printf(&line, "%s %s", command, arg);
	cr_browser_run(u, line.p);
	cr_text_fini(&line);
}

void
cr_browser_run_bound(struct cr_browser *u, const char *line)
{
	if (!cr_browser_page_run(u, line))
		cr_browser_run(u, line);
}

void
cr_browser_unbound(struct cr_browser *u, uint32_t key)
{
	struct cr_text name = {0};

	cr_keymap_name(key, &name);
	cr_session_say(
		u->s, "%s does nothing%s; ? lists the keys", name.p, u->page.title ? " here" : "");
	cr_text_fini(&name);
}

bool
cr_browser_run_users(struct cr_browser *u, uint32_t key)
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
	cr_browser_run(u, copy);
	free(copy);
	return true;
}
