#include "candidates_p.h"

#include "options_p.h"

#include "model/profile.h"
#include "store/catalog.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#define NAMES_MOST 2000 /* names of a profile: more are of no use on a terminal */

struct line {
	const char *const *words;
	int n;
	const struct cr_cmd *cmd;         /* NULL while the command itself is being typed */
	const char *store, *input;        /* --store, and the first argument; or NULL */
	int n_args;                       /* complete arguments after the command */
	bool only_args;                   /* after "--" */
	const struct cr_cmd_choice *open; /* the option whose value is typed, or NULL */
	const char *typed;                /* the part of the word or value typed so far */
	const char *kept;                 /* a list: what is before `typed` in the same word */
	size_t kept_len;
	cr_cmd_choices choices;
	struct cr_text *out;
};

/* True if the word is a candidate already: many threads have the same name. */
static bool
is_there(const struct line *l, const char *word)
{
	struct cr_text line = {0};
	bool found;

	cr_text_put(&line, l->kept, l->kept_len);
	cr_text_printf(&line, "%s\t", word);
	found = l->out->p && strncmp(l->out->p, line.p, line.len) == 0;
	for (const char *p = l->out->p; p && !found && (p = strchr(p, '\n')); p++)
		found = strncmp(p + 1, line.p, line.len) == 0;
	cr_text_fini(&line);
	return found;
}

/* Append a candidate if it continues what is typed; no names with control characters. */
static void
add(struct line *l, const char *word, const char *about)
{
	const struct cr_str s = cr_str_of(word);

	if (strncmp(word, l->typed, strlen(l->typed)) != 0 || !*word)
		return;
	for (uint32_t i = 0; i < s.len; i++)
		if ((unsigned char)word[i] < ' ' || word[i] == 0x7f)
			return;
	if (is_there(l, word))
		return;
	cr_text_put(l->out, l->kept, l->kept_len);
	cr_text_printf(l->out, "%s\t%s\n", word, about);
}

static void
add_str(struct line *l, struct cr_str s, const char *about)
{
	char *word = cr_memdup(s.p, s.len);

	add(l, word, about);
	free(word);
}

/* ---- what the words before the last one say */

static const struct cr_cmd_choice *
find_choice(const struct line *l, const char *word)
{
	const size_t len = strcspn(word + 2, "=");

	for (size_t i = 0; i < l->choices.n; i++) {
		const struct cr_cmd_choice *c = &l->choices.p[i];

		if (word[1] == '-' ? strlen(c->spec->name) == len &&
					     strncmp(c->spec->name, word + 2, len) == 0
				   : c->option && c->option->letter == word[1] && !word[2])
			return c;
	}
	return NULL;
}

/* An optional value, "[HOW]", is not expected in the next word. */
static bool
takes_next(const struct cr_cmd_choice *c, const char *word)
{
	return c && c->spec->arg && c->spec->arg[0] != '[' && !strchr(word, '=');
}

static void
take_argument(struct line *l, const char *word)
{
	if (!l->cmd) {
		l->cmd = cr_cmd_find(word);
		l->input = l->cmd ? NULL : word;
		l->n_args = l->cmd ? 0 : 1;
		if (!l->cmd)
			l->cmd = cr_cmd_find("view");
		l->choices.n = 0;
		cr_cmd_choices_of(l->cmd, &l->choices);
		return;
	}
	if (!l->input)
		l->input = word;
	l->n_args++;
}

static void
read_words(struct line *l)
{
	cr_cmd_choices_of(cr_cmd_find("view"), &l->choices);
	for (int i = 0; i + 1 < l->n; i++) {
		const char *word = l->words[i];
		const struct cr_cmd_choice *c;

		if (!l->only_args && strcmp(word, "--") == 0) {
			l->only_args = true;
		} else if (!l->only_args && word[0] == '-' && word[1]) {
			c = find_choice(l, word);
			if (c && strcmp(c->spec->name, "store") == 0)
				l->store =
					strchr(word, '=') ? strchr(word, '=') + 1 : l->words[i + 1];
			if (takes_next(c, word) && ++i + 1 == l->n)
				l->open = c;
		} else {
			take_argument(l, word);
		}
	}
}

/* ---- candidates */

static void
add_stored(struct line *l)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_catalog catalog;
	char *dir = NULL;

	if (cr_catalog_dir(l->store, &dir, &err) < 0)
		return;
	if (cr_catalog_list(dir, &catalog, &err) == CR_OK) {
		for (size_t i = 0; i < catalog.n; i++)
			add(l, catalog.entries[i].name, "stored profile");
		cr_catalog_fini(&catalog);
	}
	free(dir);
}

/* The profile that the words name, with its names and events; NULL unless it is a stored one. */
static struct cr_profile *
open_input(const struct line *l)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_profile *p = NULL;
	char *dir = NULL, *path = NULL;

	if (!l->input || cr_catalog_dir(l->store, &dir, &err) < 0)
		return NULL;
	if (cr_catalog_path(dir, l->input, &path, &err) == CR_OK && cr_store_is_file(path) &&
		cr_store_open(path, CR_STORE_DEFAULT_TREE, &p, &log, &err) < 0)
		p = NULL;
	free(path);
	free(dir);
	return p;
}

static bool
is_option(const struct line *l, const char *name)
{
	return l->open && strcmp(l->open->spec->name, name) == 0;
}

/* Names that the profile has and an option or argument wants. */
static void
add_names(struct line *l, bool functions)
{
	struct cr_profile *p = open_input(l);
	struct cr_text dso = {0};

	for (uint32_t i = 0; p && is_option(l, "event") && i < p->n_events; i++)
		add_str(l, p->events[i].name, "event");
	for (uint32_t i = 0; p && is_option(l, "comm") && i < p->n_tasks && i < NAMES_MOST; i++)
		add_str(l, p->tasks[i].comm, "thread name");
	for (uint32_t i = 0; p && is_option(l, "dso") && i < p->n_dsos && i < NAMES_MOST; i++)
		add_str(l, cr_dso_name(p->dsos[i].name, p->dsos[i].kind, &dso), "dso");
	for (uint32_t i = 0; p && functions && i < p->n_functions && i < NAMES_MOST; i++)
		add_str(l, p->functions[i].name, "function");
	cr_text_fini(&dso);
	cr_profile_free(p);
}

/* Fields of the samples, for options whose value is a sort key or FIELD=VALUE. */
static void
add_fields(struct line *l)
{
	static const char *const options[] = {"where", "sort", "fields", "by", "group"};
	struct cr_profile *p = NULL;
	bool wanted = false;

	for (size_t i = 0; i < CR_LEN(options); i++)
		wanted |= is_option(l, options[i]);
	if (wanted)
		p = open_input(l);
	for (uint32_t i = 0; p && i < p->n_fields; i++)
		add_str(l, p->fields[i].name, "field");
	cr_profile_free(p);
}

/* In a list, only the part after the last comma is completed. */
static void
skip_list(struct line *l)
{
	const char *arg = l->open->spec->arg, *comma = strrchr(l->typed, ',');
	const bool is_list = strstr(arg, ",...") || strcmp(arg, "KEYS") == 0 ||
			     strcmp(arg, "COLUMNS") == 0 || strcmp(arg, "[HOW]") == 0;

	if (!is_list || !comma)
		return;
	l->kept = l->typed;
	l->kept_len = (size_t)(comma + 1 - l->typed);
	l->typed = comma + 1;
}

static void
add_values(struct line *l)
{
	const char *arg = l->open->spec->arg;
	cr_option_words words = {0};

	skip_list(l);
	cr_option_words_of(l->cmd ? l->cmd : cr_cmd_find("view"), l->open, &words);
	for (size_t i = 0; i < words.n; i++)
		add(l, words.p[i], "");
	cr_option_words_fini(&words);
	add_names(l, false);
	add_fields(l);
	if (is_option(l, "name") || (is_option(l, "output") && strstr(arg, "NAME")))
		add_stored(l);
	if (strcmp(arg, "DIR") == 0)
		cr_text_puts(l->out, ":directories\n");
	else if (strstr(arg, "FILE"))
		cr_text_puts(l->out, ":files\n");
}

static void
add_options(struct line *l)
{
	for (size_t i = 0; i < l->choices.n; i++) {
		const struct cr_cmd_choice *c = &l->choices.p[i];
		struct cr_text name = {0};
		const char *help = c->spec->help;

		if (cr_cmd_choice_is_hidden(c))
			continue;
		cr_text_printf(&name, "--%s", c->spec->name);
		add(l, name.p, strstr(help, "%s") ? "output format" : help);
		cr_text_fini(&name);
	}
	add(l, "--help", "print everything about the command");
}

static void
add_commands(struct line *l)
{
	for (size_t i = 0; cr_cmd_at(i); i++)
		add(l, cr_cmd_at(i)->name, cr_cmd_at(i)->about);
}

static void
add_list(struct line *l, const char *list)
{
	while (*list) {
		const size_t len = strcspn(list, " []|.");

		if (len && list[0] >= 'a')
			add_str(l, (struct cr_str){list, (uint32_t)len}, "");
		list += len + (list[len] != '\0');
	}
}

static void
add_arguments(struct line *l)
{
	const char *args = l->cmd->args;

	if (strcmp(l->cmd->name, "help") == 0)
		add_commands(l);
	if (l->n_args == 0 || l->only_args)
		add_list(l, args);
	if (l->n_args == 1 && strstr(args, " FUNCTION"))
		add_names(l, true);
	if ((strstr(args, "NAME") || strstr(args, "OLD") || strstr(args, "BEFORE")) &&
		(l->n_args == 0 || l->cmd->most > 1))
		add_stored(l);
	if (strstr(args, "FILE") || strstr(args, "BEFORE") || strstr(args, "-- COMMAND"))
		cr_text_puts(l->out, ":files\n");
}

void
cr_candidates(const char *const *words, int n, struct cr_text *out)
{
	struct line l = {.words = words, .n = n, .out = out, .kept = ""};

	if (n < 1)
		return;
	read_words(&l);
	l.typed = words[n - 1];
	if (!l.open && !l.only_args && l.typed[0] == '-') {
		const char *equals = strchr(l.typed, '=');

		if (!equals) {
			add_options(&l);
		} else if ((l.open = find_choice(&l, l.typed)) && l.open->spec->arg) {
			l.kept = l.typed;
			l.kept_len = (size_t)(equals + 1 - l.typed);
			l.typed = equals + 1;
			add_values(&l);
		}
	} else if (l.open) {
		add_values(&l);
	} else if (!l.cmd) {
		add_commands(&l);
		add_stored(&l);
		cr_text_puts(out, ":files\n");
	} else {
		add_arguments(&l);
	}
	cr_vec_fini(&l.choices);
}
