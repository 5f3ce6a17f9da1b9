#ifndef CR_TUI_BROWSER_P_H
#define CR_TUI_BROWSER_P_H

#include "busy_p.h"
#include "prompt_p.h"
#include "tui/panes/pager_p.h"
#include "tui/panes/pane_p.h"

struct cr_tui_host;

/* The state of cr_tui_run(), and the functions on it. */

enum cr_asking {
	CR_ASK_NOTHING,
	CR_ASK_SEARCH,
	CR_ASK_COMMAND,
	CR_ASK_FILTER,
	CR_ASK_WRITE,
	CR_ASK_OVERWRITE,
	CR_ASK_PANE,    /* a key after Ctrl-W */
	CR_ASK_COPY,    /* a key that says what */
	CR_ASK_WORDS,   /* the rest of a command: see cr_browser_run() */
	CR_ASK_CONFIRM, /* y or n */
	CR_ASK_FIND     /* in a page of text */
};

struct cr_browser {
	struct cr_session *s;
	struct cr_term *t;
	const struct cr_tui_host *host; /* may be NULL */
	struct cr_grid *g;
	struct cr_busy busy;
	cr_zones zones;
	struct cr_pane views, status, bottom; /* views: one pane or two, see session/split.h */

	enum cr_asking asking;
	struct cr_prompt prompt;
	struct cr_text hint; /* at the right of the line being typed */
	cr_words searches, commands, filters, paths, finds; /* lines typed before */
	char *path;                                         /* may have to be overwritten */
	char *asked; /* the command that waits for the rest of its line, or for a yes */
	cr_words answers;

	struct cr_pager page;

	char *title;            /* of the window */
	bool mouse_off;         /* as last set in the terminal */
	bool search_stale;      /* matches of the line being typed are not marked yet */
	bool proven;            /* the stored tree was compared with the samples */
	bool disproven;         /* the last comparison changed what is shown */
	int64_t event_cpu_ms;   /* CPU time of the process when the last event was read */
	bool dragging, dragged; /* the line between two panes: held, and moved */
	struct cr_pane pressed; /* the view that the button was pressed in; width 0: none */
	int32_t pressed_x;
	bool stale; /* drawing was put off, because input waits */
	bool left;  /* the browser ends */
	int sig;    /* that ends it, or that a key stands for; 0 for none */
};

/* ---- screen.c */

/* Divide the screen, and set the sizes of the views. */
void cr_browser_layout(struct cr_browser *u);
/* Draw everything into the grid. */
void cr_browser_draw(struct cr_browser *u);

/* ---- text_page.c: a page of text in place of the views */

/* Show a text, which is copied, under a title, which is borrowed. */
void cr_browser_page_open(struct cr_browser *u, const char *title, struct cr_str text);
/* Wrap the page for the size of the screen; the help is made again. */
void cr_browser_page_fit(struct cr_browser *u);
void cr_browser_help_open(struct cr_browser *u);
/* "help TOPIC": open a page of what the help has about it, or report that it has nothing. */
void cr_browser_help_topic(struct cr_browser *u, const char *topic);
/* Run a word that only pages have. False if there is no page or no such word. */
bool cr_browser_page_run(struct cr_browser *u, const char *line);

/* ---- browser_word.c: lines to run */

/* Run commands of the session. What they print is shown as a page. */
void cr_browser_command(struct cr_browser *u, const char *line);
/* Run a word of the browser, or else commands of the session. */
void cr_browser_run(struct cr_browser *u, const char *line);
/* The same for "COMMAND ARG". */
void cr_browser_run_with(struct cr_browser *u, const char *command, const char *arg);
/* Run the line of a key or a label, in a page or in a view. */
void cr_browser_run_bound(struct cr_browser *u, const char *line);
/* Run what the user has bound to the key, in a view. False if it is nothing. */
bool cr_browser_run_users(struct cr_browser *u, uint32_t key);
/* Report a key without a meaning. */
void cr_browser_unbound(struct cr_browser *u, uint32_t key);
/* Turn the terminal's mouse reports on or off, as the session has them. */
void cr_browser_mouse_sync(struct cr_browser *u);
/* Set the title of the window to the names of what is shown, if they have changed. */
void cr_browser_title_sync(struct cr_browser *u);

/* ---- asking.c: the line being typed */

/* Begin a line. label and history, which may be NULL, are borrowed. */
void cr_browser_ask(
	struct cr_browser *u, enum cr_asking what, const char *label, cr_words *history);
/* Process a key while a line is typed, or a key is asked for. */
void cr_browser_prompt_key(struct cr_browser *u, uint32_t key);
/* The same for a pasted code point. False if no line is being typed. */
bool cr_browser_prompt_paste(struct cr_browser *u, uint32_t ch);
/* Show what the line being typed matches so far. */
void cr_browser_live(struct cr_browser *u);
/* Search in the page; "" ends the search. */
void cr_browser_find(struct cr_browser *u, const char *pattern);

/* ---- mouse.c */

void cr_browser_mouse(struct cr_browser *u, const struct cr_input_event *e);

#endif
