#include "browser_p.h"
#include "keymap_p.h"

#include "base/mem.h"

#include <stdlib.h>

#define NARROW_SCREEN 60 /* in a narrower screen only the share of a search is printed */

void
cr_browser_ask(struct cr_browser *u, enum cr_asking what, const char *label, cr_words *history)
{
	cr_prompt_start(&u->prompt, label, history);
	cr_text_clear(&u->hint);
	u->asking = what;
}

/* Mark the matches so far; an incomplete pattern is reported at the right. */
static void
search_live(struct cr_browser *u)
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
find_live(struct cr_browser *u)
{
	struct cr_err err = CR_ERR_INIT;

	u->search_stale = false;
	cr_text_clear(&u->hint);
	if (cr_pager_search(&u->page, u->prompt.line.p, &err) < 0)
		cr_text_puts(&u->hint, err.text);
	else if (u->page.pattern)
		cr_pager_put_matches(&u->page, &u->hint);
}

void
cr_browser_live(struct cr_browser *u)
{
	if (u->asking == CR_ASK_FIND)
		find_live(u);
	else
		search_live(u);
}

static void
write_to(struct cr_browser *u, const char *path)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_text line = {0};

	cr_text_printf(&line, "export-new %s", path);
	if (cr_busy_run(&u->busy, u->s, line.p, NULL, CR_BUSY_STOPPABLE, &err) == CR_EEXISTS) {
		cr_session_clear_message(u->s);
		free(u->path);
		u->path = cr_strdup(path);
		cr_browser_ask(u, CR_ASK_OVERWRITE, "the file exists; replace it? (y/n) ", NULL);
	}
	cr_text_fini(&line);
}

void
cr_browser_find(struct cr_browser *u, const char *pattern)
{
	struct cr_err err = CR_ERR_INIT;

	cr_session_clear_message(u->s);
	if (cr_pager_search(&u->page, pattern, &err) < 0)
		cr_session_say(u->s, "%s", err.text);
	else if (*pattern && !u->page.hits.n)
		cr_session_say(u->s, "no line matches %s", pattern);
}

static void
prompt_enter(struct cr_browser *u)
{
	const enum cr_asking what = u->asking;
	char *line = cr_strdup(u->prompt.line.p);

	u->asking = CR_ASK_NOTHING;
	u->search_stale = false;
	if (what == CR_ASK_SEARCH && *line)
		cr_browser_run_with(u, "search", line);
	else if (what == CR_ASK_SEARCH)
		cr_browser_command(u, "search-live");
	else if (what == CR_ASK_COMMAND || what == CR_ASK_FILTER)
		cr_browser_run(u, line);
	else if (what == CR_ASK_WRITE && *line)
		write_to(u, line);
	else if (what == CR_ASK_WORDS)
		cr_browser_run_with(u, u->asked, line);
	else if (what == CR_ASK_FIND)
		cr_browser_find(u, line);
	free(line);
}

static void
prompt_did(struct cr_browser *u, enum cr_prompt_did did)
{
	if (did == CR_PROMPT_ENTER) {
		prompt_enter(u);
	} else if (did == CR_PROMPT_CANCEL) {
		if (u->asking == CR_ASK_SEARCH)
			cr_browser_command(u, "search-live");
		else if (u->asking == CR_ASK_FIND)
			cr_browser_find(u, "");
		u->asking = CR_ASK_NOTHING;
		u->search_stale = false;
	} else if (did == CR_PROMPT_CHANGED) {
		cr_text_clear(&u->hint);
		u->search_stale = u->asking == CR_ASK_SEARCH || u->asking == CR_ASK_FIND;
	}
}

/* The key after `y`; an unknown one copies nothing. */
static void
copy_key(struct cr_browser *u, uint32_t key)
{
	static const struct {
		uint32_t key;
		const char *line;
	} keys[] = {{'y', "copy name"}, {'n', "copy name"}, {CR_KEY_ENTER, "copy name"},
		{'s', "copy stack"}, {'a', "copy address"}, {'l', "copy source"},
		{'c', "copy command"}};

	u->asking = CR_ASK_NOTHING;
	for (size_t i = 0; i < CR_LEN(keys); i++)
		if (keys[i].key == key)
			cr_browser_command(u, keys[i].line);
}

static bool
is_asked_for_bookmark(const struct cr_browser *u)
{
	return u->asking == CR_ASK_WORDS && strcmp(u->asked, "go") == 0;
}

void
cr_browser_prompt_key(struct cr_browser *u, uint32_t key)
{
	if (u->asking == CR_ASK_PANE) {
		const struct cr_binding *b = cr_keymap_in(cr_keymap_table(CR_KEYMAP_PANES), key);

		u->asking = CR_ASK_NOTHING;
		if (b)
			cr_browser_command(u, b->line);
		return;
	}
	if (u->asking == CR_ASK_COPY) {
		copy_key(u, key);
		return;
	}
	if (u->asking == CR_ASK_OVERWRITE) {
		u->asking = CR_ASK_NOTHING;
		if (key == 'y' || key == 'Y')
			cr_browser_run_with(u, "export", u->path);
		return;
	}
	if (u->asking == CR_ASK_CONFIRM) {
		u->asking = CR_ASK_NOTHING;
		if (key == 'y' || key == 'Y')
			cr_browser_run(u, u->asked);
		return;
	}
	if (key == '\'' && is_asked_for_bookmark(u) && !u->prompt.line.len) {
		u->asking = CR_ASK_NOTHING;
		cr_browser_command(u, "undo");
		return;
	}
	prompt_did(u, cr_prompt_key(&u->prompt, key));
}

bool
cr_browser_prompt_paste(struct cr_browser *u, uint32_t ch)
{
	if (u->asking == CR_ASK_NOTHING || u->asking == CR_ASK_OVERWRITE ||
		u->asking == CR_ASK_PANE || u->asking == CR_ASK_COPY || u->asking == CR_ASK_CONFIRM)
		return false;
	prompt_did(u, cr_prompt_paste(&u->prompt, ch));
	return true;
}
