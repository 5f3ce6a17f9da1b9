#include "commands_p.h"
#include "glossary.h"

#include "session/commands/argument_p.h"
#include "session/commands/word_score.h"
#include "session/copied_p.h"
#include "session/custom/settings_p.h"
#include "session/export_p.h"
#include "session/print_p.h"
#include "session/script_p.h"
#include "session/state_p.h"
#include "session/views/view.h"

#include "base/hash.h"
#include "base/secure.h"

#include <stdlib.h>
#include <string.h>

/* Commands that write and print, and those of the session itself: options, keys, help. */

#define VIEW(digit, name) #name ", "
static const char one_of_prints[] =
#include "session/views/views.def"
	"selected, recording";
#undef VIEW

int
cr_run_export(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return cr_export(s, args, true, err);
}

int
cr_run_export_new(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return cr_export(s, args, false, err);
}

int
cr_run_copy(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	return cr_copied_make(s, args, out, err);
}

/* A view, and maybe in which form: "functions csv". NULL, and *form is args, if it is none. */
static struct cr_view *
view_printed(const struct cr_session *s, const char *args, const char **form)
{
	const size_t len = strcspn(args, " ");
	char *name = cr_memdup(args, len);
	struct cr_view *v = cr_command_view(s, name);

	free(name);
	*form = v ? args + len + strspn(args + len, " ") : args;
	return v;
}

int
cr_run_print(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const char *form;
	struct cr_view *v = view_printed(s, args, &form);
	const bool selected = strcmp(args, "selected") == 0;
	struct cr_text t = {0};
	int rc = CR_OK;

	if (!v && !selected && strcmp(args, "recording") != 0)
		return cr_argument_bad(err, "print", args, one_of_prints);
	if (!out)
		return CR_OK;
	if (v)
		rc = cr_export_put_view(s, v, *form ? form : "txt", &t, err);
	else if (selected)
		cr_print_selected(s, &t);
	else
		cr_print_recording(s, &t);
	if (rc == CR_OK && t.len)
		fwrite(t.p, 1, t.len, out);
	cr_text_fini(&t);
	return rc;
}

/* Print the script of the session, or write it to a new file. */
int
cr_run_history_script(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;
	struct cr_text t = {0};
	char *path;
	int rc = CR_OK;

	cr_text_puts(&t, "");
	if (!cr_script_put(s->script, &t))
		rc = cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"history: too many commands were run to be kept");
	else if (*args && (rc = cr_secure_check("history", err)) == CR_OK) {
		path = cr_export_path(args);
		if ((rc = cr_export_check_new(path, args, err)) == CR_OK &&
			(rc = cr_export_text(path, &t, &why)) < 0)
			cr_fail(err, rc, why.offset, "%s: %s", args, why.text);
		free(path);
		if (rc == CR_OK)
			cr_text_printf(&s->message, "written: %s", args);
	} else if (rc == CR_OK && out)
		fputs(t.p, out);
	cr_text_fini(&t);
	return rc;
}

/* ---- options */

int
cr_run_set(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	return cr_settings_set(s, args, out, err);
}

int
cr_run_bind(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return cr_settings_bind(s, args, err);
}

int
cr_run_macro(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return cr_settings_macro(s, args, err);
}

/* ---- help */

static void
put_help(const char *name, const char *args, const char *about, FILE *out)
{
	int used;

	if (!out)
		return;
	used = fprintf(out, "%s %s", name, args);
	fprintf(out, "%*s%s\n", used < 36 ? 36 - used : 2, "", about);
}

/* The words and commands that fit a topic with this score; how many. */
static uint32_t
put_entries(const char *topic, uint32_t score, FILE *out)
{
	uint32_t n = 0;

	for (size_t i = 0; *topic && cr_glossary_at(i); i++) {
		const struct cr_glossary_entry *word = cr_glossary_at(i);

		if (cr_word_score(topic, word->word, word->about) != score)
			continue;
		put_help(word->word, "", word->about, out);
		n++;
	}
	for (size_t i = 0; cr_command_at(i); i++) {
		const struct cr_command *c = cr_command_at(i);

		if (*topic && cr_word_score(topic, c->name, c->about) != score)
			continue;
		put_help(c->name, c->args, c->about, out);
		n++;
	}
	return n;
}

static uint32_t
topic_next(const char *topic, uint32_t from)
{
	uint32_t next = CR_WORD_NO_MATCH;

	for (size_t i = 0; cr_glossary_at(i); i++) {
		const uint32_t score =
			cr_word_score(topic, cr_glossary_at(i)->word, cr_glossary_at(i)->about);

		if (score >= from)
			next = CR_MIN(next, score);
	}
	for (size_t i = 0; cr_command_at(i); i++) {
		const uint32_t score =
			cr_word_score(topic, cr_command_at(i)->name, cr_command_at(i)->about);

		if (score >= from)
			next = CR_MIN(next, score);
	}
	return next;
}

/*
 * All commands, or words and commands about a topic, the closest first. Guesses only where there is
 * no other.
 */
int
cr_run_help(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	uint32_t n = 0;

	(void)s;
	if (!*args)
		n = put_entries(args, 0, out);
	for (uint32_t score = topic_next(args, 0);
		*args && score != CR_WORD_NO_MATCH && (!n || score < CR_WORD_GUESS);
		score = topic_next(args, score + 1))
		n += put_entries(args, score, out);
	if (!n)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "help: nothing about '%s'", args);
	return CR_OK;
}

int
cr_run_quit(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out, (void)err;
	s->quit = true;
	return CR_OK;
}
