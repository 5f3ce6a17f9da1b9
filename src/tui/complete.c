#include "prompt_p.h"

#include "model/profile.h"
#include "session/export.h"
#include "session/profiles.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* More would not help. */
#define OFFERS_MAX 200

/* Offer `kept`, the unchanged part of the line, followed by word, if word begins with `start`. */
static void
offer(cr_words *out, struct cr_str kept, const char *start, struct cr_str word)
{
	struct cr_text t = {0};

	if (out->n >= OFFERS_MAX || !cr_str_starts(word, start) ||
		(word.len && memchr(word.p, '\0', word.len)))
		return;
	cr_text_str(&t, kept);
	cr_text_str(&t, word);
	cr_words_add(out, t.p);
	cr_text_fini(&t);
}

/* ---- arguments, as commands.def describes them */

/* As names; as patterns only those that match themselves alone, more or less. */
static void
offer_frames(const struct cr_session *s, bool as_pattern, struct cr_str kept, const char *start,
	cr_words *out)
{
	const struct cr_tree *t = cr_session_tree(s);

	for (uint32_t f = 0; f < t->n_frames; f++) {
		const struct cr_str name = t->frames[f].name;
		bool plain = true;

		for (uint32_t i = 0; i < name.len && as_pattern; i++)
			plain &= name.p[i] && !strchr("\\^$[]|()?*+{};\"", name.p[i]);
		if (plain)
			offer(out, kept, start, name);
	}
}

/* Keys for grouping, and fields of the event; for `where` a value follows. */
static void
offer_fields(const struct cr_session *s, const char *command, struct cr_str kept, const char *start,
	cr_words *out)
{
	static const char *const keys[] = {"comm", "pid", "tid", "cpu", "dso", "event", "none"};
	const bool where = strcmp(command, "where") == 0;
	const struct cr_profile *p = cr_session_profile(s, 0);

	for (size_t i = 0; i < CR_LEN(keys) && !where; i++)
		offer(out, kept, start, cr_str_of(keys[i]));
	for (uint32_t i = 0; i < p->n_fields; i++) {
		struct cr_text t = {0};

		cr_text_str(&t, p->fields[i].name);
		cr_text_puts(&t, where ? "=" : "");
		if (p->fields[i].event.i == cr_session_event(s))
			offer(out, kept, start, cr_text_view(&t));
		cr_text_fini(&t);
	}
}

/* Fields of the event that is shown whose values are numbers. */
static void
offer_costs(const struct cr_session *s, struct cr_str kept, const char *start, cr_words *out)
{
	const struct cr_profile *p = cr_session_profile(s, 0);

	for (uint32_t i = 0; i < p->n_fields; i++) {
		const struct cr_field *d = &p->fields[i];

		if (d->event.i == cr_session_event(s) &&
			(d->form == CR_FORM_NUMBER || d->form == CR_FORM_SIGNED))
			offer(out, kept, start, d->name);
	}
}

static int32_t
pid_of(const struct cr_task *t)
{
	return t->pid;
}

static int32_t
tid_of(const struct cr_task *t)
{
	return t->tid;
}

/* Numbers of threads or processes, as they first come in the recording. */
static void
offer_tasks(const struct cr_profile *p, struct cr_str kept, const char *start, cr_words *out,
	int32_t (*number_of)(const struct cr_task *t))
{
	for (uint32_t i = 0; i < p->n_tasks; i++) {
		char text[16];

		if (number_of(&p->tasks[i]) < 0)
			continue;
		snprintf(text, sizeof(text), "%" PRId32, number_of(&p->tasks[i]));
		offer(out, kept, start, cr_str_of(text));
	}
}

/* The processors that the machine had. */
static void
offer_cpus(const struct cr_profile *p, struct cr_str kept, const char *start, cr_words *out)
{
	const struct cr_str fact = cr_profile_fact(p, "cpus available");
	uint32_t n = 0;

	for (uint32_t i = 0; i < fact.len && fact.p[i] >= '0' && fact.p[i] <= '9'; i++)
		n = CR_MIN(n * 10 + (uint32_t)(fact.p[i] - '0'), OFFERS_MAX);
	for (uint32_t i = 0; i < n; i++) {
		char text[16];

		snprintf(text, sizeof(text), "%" PRIu32, i);
		offer(out, kept, start, cr_str_of(text));
	}
}

/* The parts of a theme, and after one of them the names of colours. */
static void
offer_colors(struct cr_str kept, const char *start, cr_words *out)
{
	const size_t part = strcspn(start, " ");
	struct cr_text t = {0};

	for (int i = 0; !start[part] && i < CR_THEME_PARTS; i++)
		offer(out, kept, start, cr_str_of(cr_theme_part_name((enum cr_theme_part)i)));
	for (size_t i = 0; start[part] && cr_color_name_at(i); i++) {
		cr_text_clear(&t);
		cr_text_put(&t, start, part);
		cr_text_printf(&t, " %s", cr_color_name_at(i));
		offer(out, kept, start, cr_text_view(&t));
	}
	cr_text_fini(&t);
}

/* An offer that is made for each of several names. */
struct offering {
	struct cr_str kept;
	const char *start;
	cr_words *out;
};

static void
offer_name(void *user, const char *name)
{
	const struct offering *o = user;

	offer(o->out, o->kept, o->start, cr_str_of(name));
}

/* What `open` takes: stored profiles, and files. */
static void
offer_profiles(const struct cr_session *s, struct cr_str what, struct cr_str kept,
	const char *start, cr_words *out)
{
	struct offering o = {kept, start, out};
	cr_words paths = {0};

	if (cr_str_eq(what, CR_STR("NAME"))) {
		cr_session_stored_names(s, offer_name, &o);
		return;
	}
	cr_complete_path(start, &paths);
	for (size_t i = 0; i < paths.n; i++)
		offer(out, kept, start, cr_str_of(paths.p[i]));
	cr_words_fini(&paths);
}

/* Upper-case words stand for a set of others. */
static void
offer_placeholder(const struct cr_session *s, const char *command, struct cr_str what,
	struct cr_str kept, const char *start, cr_words *out)
{
	const struct cr_profile *p = cr_session_profile(s, 0);

	if (strcmp(command, "event") == 0) {
		for (uint32_t i = 0; i < p->n_events; i++)
			offer(out, kept, start, p->events[i].name);
	} else if (strcmp(command, "comm") == 0) {
		for (uint32_t i = 0; i < p->n_tasks; i++)
			offer(out, kept, start, p->tasks[i].comm);
	} else if (strcmp(command, "set") == 0) {
		for (size_t i = 0; cr_session_option_at(i); i++)
			offer(out, kept, start, cr_str_of(cr_session_option_at(i)));
	} else if (strcmp(command, "pid") == 0) {
		offer_tasks(p, kept, start, out, pid_of);
	} else if (strcmp(command, "tid") == 0 || strcmp(command, "select-thread") == 0) {
		offer_tasks(p, kept, start, out, tid_of);
	} else if (strcmp(command, "cpu") == 0) {
		offer_cpus(p, kept, start, out);
	} else if (strcmp(command, "dso") == 0) {
		for (uint32_t i = 1; i < p->n_dsos; i++)
			offer(out, kept, start, cr_str_basename(p->dsos[i].name));
	} else if (strcmp(command, "clear") == 0) {
		for (int w = 0; w < CR_WORDS; w++)
			offer(out, kept, start, cr_str_of(cr_word_info((enum cr_word)w)->name));
	} else if (strcmp(command, "cost") == 0) {
		offer_costs(s, kept, start, out);
	} else if (strcmp(command, "group") == 0 || strcmp(command, "where") == 0) {
		offer_fields(s, command, kept, start, out);
	} else if (cr_str_eq(what, CR_STR("BOOKMARK"))) {
		const char *name, *line;

		for (size_t i = 0; cr_session_bookmark_at(s, i, &name, &line); i++)
			offer(out, kept, start, cr_str_of(name));
	} else if (strcmp(command, "open") == 0) {
		offer_profiles(s, what, kept, start, out);
	} else if (strcmp(command, "theme") == 0) {
		for (size_t i = 0; cr_theme_name_at(i); i++)
			offer(out, kept, start, cr_str_of(cr_theme_name_at(i)));
	} else if (strcmp(command, "color") == 0) {
		if (cr_str_eq(what, CR_STR("PART")))
			offer_colors(kept, start, out);
	} else if (strcmp(command, "palette") == 0) {
		for (int i = 0; i < CR_PALETTES; i++)
			offer(out, kept, start, cr_str_of(cr_palette_name((enum cr_palette)i)));
	} else if (strcmp(command, "help") == 0) {
		for (size_t i = 0; cr_command_at(i); i++)
			offer(out, kept, start, cr_str_of(cr_command_at(i)->name));
	} else if (cr_str_eq(what, CR_STR("VIEW"))) {
		for (uint32_t i = 0; cr_view_ops_at(i); i++)
			offer(out, kept, start, cr_str_of(cr_view_ops_at(i)->name));
	} else if (cr_str_eq(what, CR_STR("NAME")) && *start) {
		offer_frames(s, false, kept, start, out);
	} else if ((cr_str_eq(what, CR_STR("RE")) || cr_str_eq(what, CR_STR("FUNCTION"))) &&
		   *start) {
		offer_frames(s, true, kept, start, out);
	}
}

static void
offer_arguments(const struct cr_session *s, const struct cr_command *c, struct cr_str kept,
	const char *start, cr_words *out)
{
	const char *at = c->args;

	if (strncmp(c->args, "PATH", 4) == 0) {
		cr_words paths = {0};

		cr_complete_export(start, &paths);
		for (size_t i = 0; i < paths.n; i++)
			offer(out, kept, start, cr_str_of(paths.p[i]));
		cr_words_fini(&paths);
		return;
	}
	while (*(at += strspn(at, "[]| "))) {
		const struct cr_str word = {at, (uint32_t)strcspn(at, "[]| ")};

		if (islower((unsigned char)*at))
			offer(out, kept, start, word);
		else if (c->word_at)
			for (size_t i = 0; c->word_at(i); i++)
				offer(out, kept, start, cr_str_of(c->word_at(i)));
		else
			offer_placeholder(s, c->name, word, kept, start, out);
		at += word.len;
	}
}

/* Followed by a blank if arguments follow. */
static void
offer_command(const struct cr_command *c, struct cr_str kept, const char *start, cr_words *out)
{
	struct cr_text t = {0};

	cr_text_printf(&t, "%s%s", c->name, *c->args ? " " : "");
	offer(out, kept, start, cr_text_view(&t));
	cr_text_fini(&t);
}

/* What may be typed at a place of a line. */
enum allowed { COMMANDS, FILTERS, SELECTING_FILTERS };

static bool
is_allowed(const struct cr_command *c, enum allowed allowed)
{
	const enum cr_word word = cr_word_find(cr_str_of(c->name));

	if (allowed == COMMANDS)
		return true;
	return word != CR_WORDS &&
	       (allowed == FILTERS ||
		       (cr_word_info(word)->kind == CR_WORD_SELECTS && word != CR_WORD_COST));
}

static void
complete(const struct cr_session *s, const char *line, enum allowed allowed, cr_words *out)
{
	static const char also[] = "also ";
	const char *last = strrchr(line, ';');
	const char *name = last ? last + 1 : line;
	const char *args, *macro, *body;

	name += strspn(name, " ");
	if (strncmp(name, also, strlen(also)) == 0) {
		name += strlen(also);
		name += strspn(name, " ");
		allowed = SELECTING_FILTERS;
	}
	args = name + strcspn(name, " ");
	for (size_t i = 0;
		!*args && allowed == COMMANDS && cr_session_macro_at(s, i, &macro, &body); i++)
		offer(out, (struct cr_str){line, (uint32_t)(name - line)}, name, cr_str_of(macro));
	for (size_t i = 0; cr_command_at(i); i++) {
		const struct cr_command *c = cr_command_at(i);

		if (!is_allowed(c, allowed))
			continue;
		if (!*args) {
			offer_command(c, (struct cr_str){line, (uint32_t)(name - line)}, name, out);
		} else if (strlen(c->name) == (size_t)(args - name) &&
			   memcmp(c->name, name, strlen(c->name)) == 0) {
			args += strspn(args, " ");
			offer_arguments(
				s, c, (struct cr_str){line, (uint32_t)(args - line)}, args, out);
			return;
		}
	}
}

void
cr_complete_command(const struct cr_session *s, const char *line, cr_words *out)
{
	complete(s, line, COMMANDS, out);
}

void
cr_complete_filter(const struct cr_session *s, const char *line, cr_words *out)
{
	complete(s, line, FILTERS, out);
}

/* ---- files */

static int
word_cmp(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A directory gets a slash, so that Tab continues inside it. */
static void
offer_entry(struct cr_str directory, const char *start, const char *name, cr_words *out)
{
	struct cr_text path = {0};
	struct stat st;

	if (name[0] == '.' && start[0] != '.')
		return;
	if (strncmp(name, start, strlen(start)) != 0)
		return;
	cr_text_str(&path, directory);
	cr_text_puts(&path, name);
	if (stat(path.p, &st) == 0 && S_ISDIR(st.st_mode))
		cr_text_char(&path, '/');
	if (out->n < OFFERS_MAX)
		cr_words_add(out, path.p);
	cr_text_fini(&path);
}

void
cr_complete_path(const char *line, cr_words *out)
{
	const char *slash = strrchr(line, '/');
	const struct cr_str directory = {line, (uint32_t)(slash ? slash + 1 - line : 0)};
	char *name = directory.len ? cr_memdup(line, directory.len) : cr_strdup(".");
	DIR *dir = opendir(name);
	const struct dirent *e;

	free(name);
	if (!dir)
		return;
	while ((e = readdir(dir)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			offer_entry(directory, line + directory.len, e->d_name, out);
	closedir(dir);
	if (out->n)
		qsort(out->p, out->n, sizeof(*out->p), word_cmp);
}

/* ---- options of an output format */

static void
offer_values(const struct cr_option_spec *o, struct cr_str kept, const char *start, cr_words *out)
{
	const char *word;

	if (o->type == CR_OPTION_FLAG) {
		offer(out, kept, start, CR_STR("yes"));
		offer(out, kept, start, CR_STR("no"));
	} else if (o->type == CR_OPTION_WORD) {
		for (size_t i = 0; (word = o->word(i)); i++)
			offer(out, kept, start, cr_str_of(word));
	} else if (o->initial) {
		offer(out, kept, start, cr_str_of(o->initial));
	}
}

/* The last word of the line is NAME, or NAME=VALUE. */
static void
offer_option(const struct cr_option_spec *o, const char *line, const char *word, cr_words *out)
{
	const size_t len = strlen(o->name);
	struct cr_text t = {0};

	if (strncmp(word, o->name, len) == 0 && word[len] == '=') {
		const char *value = word + len + 1;

		offer_values(o, (struct cr_str){line, (uint32_t)(value - line)}, value, out);
	} else {
		cr_text_printf(&t, "%s=", o->name);
		offer(out, (struct cr_str){line, (uint32_t)(word - line)}, word, cr_text_view(&t));
		cr_text_fini(&t);
	}
}

void
cr_complete_export(const char *line, cr_words *out)
{
	const char *blank = strrchr(line, ' ');
	const struct cr_option_spec *o = NULL;

	if (blank) {
		size_t len = CR_MIN(cr_export_path_len(line), (size_t)(blank - line));
		char *path;

		while (len && line[len - 1] == ' ')
			len--;
		path = cr_memdup(line, len);
		o = cr_export_options(path);
		free(path);
	}
	if (!o)
		cr_complete_path(line, out);
	for (; o && o->name; o++)
		offer_option(o, line, blank + 1, out);
}
