#include "help_topic_p.h"

#include "keymap_p.h"
#include "tui/panes/pane_p.h"

#include "base/vec.h"
#include "session/commands/glossary.h"
#include "session/commands/word_score.h"

#include <stdlib.h>
#include <string.h>

#define ENTRIES_MAX 30u /* of a kind; more are no answer */

struct entry {
	uint32_t score, order;
	struct cr_text key;
	const char *where; /* it works only there: "in pages"; "" for everywhere */
	const char *about;
};

typedef CR_VEC(struct entry) entries;

static int
by_score(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* The key, its command and the heading it is under are its name. The key itself: "n", "Ctrl-R". */
static void
add_binding(entries *all, const char *topic, const struct cr_binding *b, const char *where)
{
	struct entry e = {.where = where, .about = b->about, .order = (uint32_t)all->n};

	for (size_t k = 0; k < CR_BINDING_KEYS && b->keys[k]; k++) {
		cr_text_puts(&e.key, k ? " " : "");
		cr_keymap_name(b->keys[k], &e.key);
	}
	e.score = strcmp(topic, e.key.p) == 0 ? 0 : cr_word_score(topic, b->line, b->about);
	if (e.score == CR_WORD_NO_MATCH || e.score >= CR_WORD_GUESS)
		e.score = CR_MIN(e.score, cr_word_score(topic, b->group, ""));
	if (e.score == CR_WORD_NO_MATCH)
		cr_text_fini(&e.key);
	else
		cr_vec_push(all, e);
}

static void
add_table(entries *all, const char *topic, const struct cr_binding *table, const char *where)
{
	for (const struct cr_binding *b = table; b && b->line; b++)
		add_binding(all, topic, b, where);
}

static void
add_keys(entries *all, const char *topic)
{
	for (uint32_t i = 0; cr_view_ops_at(i); i++) {
		const struct cr_view_ops *v = cr_view_ops_at(i);
		const struct cr_binding digit = {"Views", {cr_view_key_at(i)},
			cr_keymap_view_line(i), v->about, NULL, false};

		add_binding(all, topic, &digit, "");
		add_table(all, topic, v->keys, v->name);
	}
	add_table(all, topic, cr_keymap_table(CR_KEYMAP_COMMON), "");
	add_table(all, topic, cr_keymap_table(CR_KEYMAP_EVERYWHERE), "");
	add_table(all, topic, cr_keymap_table(CR_KEYMAP_PANES), "after Ctrl-W");
	add_table(all, topic, cr_keymap_table(CR_KEYMAP_PAGES), "in pages");
}

static void
add_mouse(entries *all, const char *topic)
{
	for (size_t i = 0; cr_keymap_mouse_at(i); i++) {
		const struct cr_mouse_binding *b = cr_keymap_mouse_at(i);
		struct entry e = {.where = "", .about = b->about, .order = (uint32_t)all->n};
		struct cr_text name = {0};

		cr_text_printf(&name, "mouse %s", b->name);
		e.score = cr_word_score(topic, name.p, b->about);
		cr_text_fini(&name);
		if (e.score == CR_WORD_NO_MATCH)
			continue;
		cr_text_puts(&e.key, b->name);
		cr_vec_push(all, e);
	}
}

static void
add_glossary(entries *all, const char *topic)
{
	for (size_t i = 0; cr_glossary_at(i); i++) {
		const struct cr_glossary_entry *word = cr_glossary_at(i);
		struct entry e = {.where = "", .about = word->about, .order = (uint32_t)all->n};

		e.score = cr_word_score(topic, word->word, word->about);
		if (e.score == CR_WORD_NO_MATCH)
			continue;
		cr_text_puts(&e.key, word->word);
		cr_vec_push(all, e);
	}
}

static void
add_commands(entries *all, const char *topic)
{
	for (size_t i = 0; cr_command_at(i); i++) {
		const struct cr_command *c = cr_command_at(i);
		struct entry e = {.where = "", .about = c->about, .order = (uint32_t)all->n};

		e.score = cr_word_score(topic, c->name, c->about);
		if (e.score == CR_WORD_NO_MATCH)
			continue;
		cr_text_printf(&e.key, "%s%s%s", c->name, *c->args ? " " : "", c->args);
		cr_vec_push(all, e);
	}
}

static void
put_entry(const struct entry *e, uint32_t cells, struct cr_text *out)
{
	struct cr_text about = {0};

	cr_text_printf(&about, "%s%s%s", e->where, *e->where ? ": " : "", e->about);
	cr_pane_help_entry(out, e->key.p, about.p, cells);
	cr_text_fini(&about);
}

/* The entries up to a score, under a heading. Returns how many; the entries are freed. */
static uint32_t
put_entries(entries *all, const char *heading, uint32_t most, uint32_t cells, struct cr_text *out)
{
	uint32_t n = 0;

	if (all->n)
		qsort(all->p, all->n, sizeof(*all->p), by_score);
	for (size_t i = 0; i < all->n; i++) {
		const struct entry *e = &all->p[i];

		if (e->score < most && n < ENTRIES_MAX) {
			if (!n++)
				cr_pane_help_heading(out, heading);
			put_entry(e, cells, out);
		}
		cr_text_fini(&all->p[i].key);
	}
	cr_vec_fini(all);
	return n;
}

static uint32_t
best_of(const entries *all)
{
	uint32_t best = CR_WORD_NO_MATCH;

	for (size_t i = 0; i < all->n; i++)
		best = CR_MIN(best, all->p[i].score);
	return best;
}

uint32_t
cr_help_topic(const char *topic, uint32_t cells, struct cr_text *out)
{
	entries words = {0}, keys = {0}, mouse = {0}, commands = {0};
	uint32_t most, n;

	add_glossary(&words, topic);
	add_keys(&keys, topic);
	add_mouse(&mouse, topic);
	add_commands(&commands, topic);
	most = CR_MIN(CR_MIN(best_of(&keys), best_of(&words)),
		       CR_MIN(best_of(&mouse), best_of(&commands))) < CR_WORD_GUESS
		       ? CR_WORD_GUESS
		       : CR_WORD_NO_MATCH;
	n = put_entries(&words, "Words in the views", most, cells, out);
	n += put_entries(&keys, "Keys", most, cells, out);
	n += put_entries(&mouse, "Mouse", most, cells, out);
	return n + put_entries(&commands, "Commands, after ':'", most, cells, out);
}
