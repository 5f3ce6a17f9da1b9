#ifndef CR_TUI_PROMPT_P_H
#define CR_TUI_PROMPT_P_H

#include "tui/panes/pane_p.h"

/* Lines typed before, the last one last; or words offered for completion. */
typedef CR_VEC(char *) cr_words;

void cr_words_add(cr_words *w, const char *word); /* copied; ignored if it is there already */
void cr_words_fini(cr_words *w);

/*
 * One line being typed: editing, history, completion, for any purpose. All zero bytes is a valid
 * empty one.
 */
struct cr_prompt {
	const char *label;    /* before the line: "/" */
	struct cr_text line;  /* what was typed */
	size_t at;            /* the cursor, in bytes */
	cr_words *history;    /* borrowed; NULL for none */
	size_t history_at;    /* number of lines back from the one being typed */
	struct cr_text typed; /* that line, while another is shown */
	cr_words offers;      /* complete lines that Tab offers */
	size_t offer;         /* the one in the line now */
	void (*complete)(void *user, const char *line, cr_words *out); /* NULL for none */
	void *user;
	bool gap;       /* a line end was pasted */
	bool keep_hint; /* the hint is a result: shorten the line instead of the hint */
};

enum cr_prompt_did { CR_PROMPT_NOTHING, CR_PROMPT_CHANGED, CR_PROMPT_ENTER, CR_PROMPT_CANCEL };

/*
 * Start a prompt with an empty line. label and history are borrowed; history may be NULL. _key():
 * process a key, and return its effect.
 */
void cr_prompt_start(struct cr_prompt *p, const char *label, cr_words *history);
void cr_prompt_fini(struct cr_prompt *p);
enum cr_prompt_did cr_prompt_key(struct cr_prompt *p, uint32_t key);
/* A pasted code point. Line ends and other control characters between two words become a blank. */
enum cr_prompt_did cr_prompt_paste(struct cr_prompt *p, uint32_t ch);

/*
 * Draw it on one line of the screen, with the cursor; hint, which may be NULL, is at the right if
 * it fits.
 */
void cr_prompt_draw(const struct cr_prompt *p, const struct cr_pane *pane, const char *hint);

/* ---- completion: complete lines that begin with `line` */

/* Append the lines that complete a line of commands. */
void cr_complete_command(const struct cr_session *s, const char *line, cr_words *out);
/* The same for words of a query only. */
void cr_complete_filter(const struct cr_session *s, const char *line, cr_words *out);
/* The same for a path. */
void cr_complete_path(const char *line, cr_words *out);

/* A path, followed by the options of the format that its extension selects. */
void cr_complete_export(const char *line, cr_words *out);

#endif
