#include "prompt_p.h"

#include "keymap_p.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Maximum length of a line in bytes; longer than any function name a user would type. */
#define LINE_MAX_BYTES 4096
#define HINT_GAP 3 /* cells before the hint */

void
cr_words_add(cr_words *w, const char *word)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->p[i], word) == 0)
			return;
	cr_vec_push(w, cr_strdup(word));
}

void
cr_words_fini(cr_words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->p[i]);
	cr_vec_fini(w);
}

void
cr_prompt_start(struct cr_prompt *p, const char *label, cr_words *history)
{
	cr_prompt_fini(p);
	p->label = label;
	p->history = history;
	cr_text_puts(&p->line, "");
	cr_text_puts(&p->typed, "");
}

void
cr_prompt_fini(struct cr_prompt *p)
{
	cr_text_fini(&p->line);
	cr_text_fini(&p->typed);
	cr_words_fini(&p->offers);
	*p = (struct cr_prompt){0};
}

/* ---- editing */

static void
line_set(struct cr_prompt *p, const char *text)
{
	cr_text_clear(&p->line);
	cr_text_puts(&p->line, text);
	p->at = p->line.len;
}

static void
line_cut(struct cr_prompt *p, size_t from, size_t to)
{
	memmove(p->line.p + from, p->line.p + to, p->line.len - to + 1);
	p->line.len -= to - from;
	p->at = from;
}

static void
line_insert(struct cr_prompt *p, uint32_t ch)
{
	char utf8[4];
	const unsigned n = cr_utf8_encode(ch, utf8);

	if (p->line.len + n > LINE_MAX_BYTES)
		return;
	/* Extends the line by n bytes; they are overwritten below. */
	cr_text_put(&p->line, utf8, n);
	memmove(p->line.p + p->at + n, p->line.p + p->at, p->line.len - p->at - n);
	memcpy(p->line.p + p->at, utf8, n);
	p->at += n;
}

static bool
is_mark(const struct cr_prompt *p, size_t at)
{
	unsigned used;

	return at < p->line.len &&
	       cr_utf8_width(cr_utf8_decode(p->line.p + at, p->line.len - at, &used)) == 0;
}

/* Where the character before or after the cursor begins, including its combining marks. */
static size_t
step_left(const struct cr_prompt *p, size_t at)
{
	do {
		if (at > 0)
			at--;
		while (at > 0 && (p->line.p[at] & 0xc0) == 0x80)
			at--;
	} while (at > 0 && is_mark(p, at));
	return at;
}

static size_t
step_right(const struct cr_prompt *p, size_t at)
{
	do {
		if (at < p->line.len)
			at++;
		while (at < p->line.len && (p->line.p[at] & 0xc0) == 0x80)
			at++;
	} while (is_mark(p, at));
	return at;
}

static size_t
word_left(const struct cr_prompt *p, size_t at)
{
	while (at > 0 && p->line.p[at - 1] == ' ')
		at--;
	while (at > 0 && p->line.p[at - 1] != ' ')
		at--;
	return at;
}

/* ---- history: the newest line is one step back */

static enum cr_prompt_did
history_step(struct cr_prompt *p, bool back)
{
	const size_t n = p->history ? p->history->n : 0;

	if (back ? p->history_at == n : p->history_at == 0)
		return CR_PROMPT_NOTHING;
	if (p->history_at == 0) {
		cr_text_clear(&p->typed);
		cr_text_puts(&p->typed, p->line.p);
	}
	p->history_at = back ? p->history_at + 1 : p->history_at - 1;
	line_set(p, p->history_at ? p->history->p[n - p->history_at] : p->typed.p);
	return CR_PROMPT_CHANGED;
}

static void
history_keep(struct cr_prompt *p)
{
	if (!p->history || !p->line.len)
		return;
	for (size_t i = 0; i < p->history->n; i++) {
		if (strcmp(p->history->p[i], p->line.p) != 0)
			continue;
		free(p->history->p[i]);
		memmove(&p->history->p[i], &p->history->p[i + 1],
			(p->history->n - i - 1) * sizeof(char *));
		p->history->n--;
		break;
	}
	cr_words_add(p->history, p->line.p);
}

/* ---- completion */

/* The length in bytes of the common prefix of all offers, cut at a whole character. */
static size_t
offers_common(const cr_words *w)
{
	size_t n = strlen(w->p[0]);

	for (size_t i = 1; i < w->n; i++) {
		size_t k = 0;

		while (k < n && w->p[i][k] == w->p[0][k])
			k++;
		n = k;
	}
	while (n > 0 && (w->p[0][n] & 0xc0) == 0x80)
		n--;
	return n;
}

/* The first Tab inserts the common prefix of all offers; further ones step through the offers. */
static enum cr_prompt_did
complete(struct cr_prompt *p)
{
	size_t common;

	if (p->offers.n > 1) {
		line_set(p, p->offers.p[p->offer]);
		p->offer = (p->offer + 1) % p->offers.n;
		return CR_PROMPT_CHANGED;
	}
	if (!p->complete)
		return CR_PROMPT_NOTHING;
	cr_words_fini(&p->offers);
	p->offer = 0;
	p->complete(p->user, p->line.p, &p->offers);
	if (!p->offers.n)
		return CR_PROMPT_NOTHING;
	common = offers_common(&p->offers);
	if (common > p->line.len) {
		char *text = cr_memdup(p->offers.p[0], common);

		line_set(p, text);
		free(text);
	} else if (p->offers.n > 1) {
		return complete(p);
	}
	if (p->offers.n == 1)
		cr_words_fini(&p->offers);
	return CR_PROMPT_CHANGED;
}

/* ---- keys */

static enum cr_prompt_did
erase_back(struct cr_prompt *p, size_t from)
{
	if (!p->line.len)
		return CR_PROMPT_CANCEL;
	if (from == p->at)
		return CR_PROMPT_NOTHING;
	line_cut(p, from, p->at);
	return CR_PROMPT_CHANGED;
}

static enum cr_prompt_did
edit_key(struct cr_prompt *p, uint32_t key)
{
	switch (key) {
	case CR_KEY_LEFT: p->at = step_left(p, p->at); return CR_PROMPT_NOTHING;
	case CR_KEY_RIGHT: p->at = step_right(p, p->at); return CR_PROMPT_NOTHING;
	case CR_KEY_HOME:
	case CR_CTRL('A'): p->at = 0; return CR_PROMPT_NOTHING;
	case CR_KEY_END:
	case CR_CTRL('E'): p->at = p->line.len; return CR_PROMPT_NOTHING;
	case CR_KEY_BACKSPACE: return erase_back(p, step_left(p, p->at));
	case CR_CTRL('W'): return erase_back(p, word_left(p, p->at));
	case CR_CTRL('U'): line_cut(p, 0, p->at); return CR_PROMPT_CHANGED;
	case CR_CTRL('K'): line_cut(p, p->at, p->line.len); return CR_PROMPT_CHANGED;
	case CR_KEY_DELETE: line_cut(p, p->at, step_right(p, p->at)); return CR_PROMPT_CHANGED;
	default:
		if (key < 32 || key >= CR_KEY_NONE)
			return CR_PROMPT_NOTHING;
		line_insert(p, key);
		return CR_PROMPT_CHANGED;
	}
}

enum cr_prompt_did
cr_prompt_key(struct cr_prompt *p, uint32_t key)
{
	p->gap = false;
	if (key == CR_KEY_TAB)
		return complete(p);
	cr_words_fini(&p->offers);
	switch (key) {
	case CR_KEY_ENTER: history_keep(p); return CR_PROMPT_ENTER;
	case CR_KEY_ESC:
	case CR_KEY_INTERRUPT: return CR_PROMPT_CANCEL;
	case CR_KEY_UP: return history_step(p, true);
	case CR_KEY_DOWN: return history_step(p, false);
	default: return edit_key(p, key);
	}
}

enum cr_prompt_did
cr_prompt_paste(struct cr_prompt *p, uint32_t ch)
{
	cr_words_fini(&p->offers);
	if (ch < 32 || (ch >= 127 && ch < 160)) {
		p->gap = true;
		return CR_PROMPT_NOTHING;
	}
	if (p->gap && p->at > 0 && p->line.p[p->at - 1] != ' ' && ch != ' ')
		line_insert(p, ' ');
	p->gap = false;
	line_insert(p, ch);
	return CR_PROMPT_CHANGED;
}

/* ---- drawing */

/* Print the last words of the offers; the words before are the same in all. */
static void
offers_hint(const struct cr_prompt *p, struct cr_text *out)
{
	for (size_t i = 0; i < p->offers.n; i++) {
		const char *blank = strrchr(p->offers.p[i], ' ');

		cr_text_puts(out, i ? "  " : "");
		cr_text_safe(out, cr_str_of(blank && blank[1] ? blank + 1 : p->offers.p[i]));
	}
}

void
cr_prompt_draw(const struct cr_prompt *p, const struct cr_pane *pane, const char *hint)
{
	const int32_t label = cr_grid_text(
		pane->g, pane->x, pane->y, pane->width, cr_str_of(p->label), CR_LOOK_BOLD);
	const int32_t kept =
		p->keep_hint && hint ? (int32_t)cr_utf8_cells(cr_str_of(hint)) + HINT_GAP : 0;
	const int32_t room = CR_MAX(pane->width - label - 1 - CR_MIN(kept, pane->width * 2 / 3), 1);
	struct cr_text before = {0}, offers = {0};
	size_t from = 0;
	int32_t x, end;

	/*
	 * If the line is too long for the screen, its start is cut so that the cursor remains
	 * visible.
	 */
	cr_text_safe(&before, (struct cr_str){p->line.p, (uint32_t)p->at});
	while ((x = (int32_t)cr_utf8_cells(cr_text_view(&before))) > room && from < p->at) {
		from = step_right(p, from);
		cr_text_clear(&before);
		cr_text_safe(&before, (struct cr_str){p->line.p + from, (uint32_t)(p->at - from)});
	}
	end = label + cr_grid_text(pane->g, pane->x + label, pane->y, room,
			      (struct cr_str){p->line.p + from, (uint32_t)(p->line.len - from)},
			      CR_LOOK_PLAIN);
	pane->g->cursor_x = pane->x + label + x;
	pane->g->cursor_y = pane->y;
	if (p->offers.n > 1) {
		offers_hint(p, &offers);
		hint = offers.p;
	}
	if (hint && end + HINT_GAP + 1 < pane->width)
		cr_grid_text(pane->g, pane->x + end + HINT_GAP, pane->y,
			pane->width - end - HINT_GAP, cr_str_of(hint), CR_LOOK_DIM);
	cr_text_fini(&before);
	cr_text_fini(&offers);
}
