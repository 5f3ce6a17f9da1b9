#include "option_words_p.h"

#include "read/reader.h"

#include <string.h>

/* Append the words of a list, separated by any character of `between`. */
static void
add_list(const char *list, const char *between, cr_option_words *out)
{
	while (*list) {
		const size_t len = strcspn(list, between);

		if (len)
			cr_vec_push(out, cr_memdup(list, len));
		list += len + (list[len] != '\0');
	}
}

void
cr_option_words_by(const char *(*word)(size_t i), cr_option_words *out)
{
	for (size_t i = 0; word(i); i++)
		cr_vec_push(out, cr_strdup(word(i)));
}

void
cr_option_words_readers(cr_option_words *out)
{
	for (size_t i = 0; cr_reader_at(i); i++)
		cr_vec_push(out, cr_strdup(cr_reader_at(i)->name));
}

void
cr_option_words_writers(const struct cr_cmd *cmd, cr_option_words *out)
{
	for (size_t i = 0; cr_writer_at(i); i++)
		if (cr_cmd_writes(cmd, cr_writer_at(i)))
			cr_vec_push(out, cr_strdup(cr_writer_at(i)->name));
	if ((cmd->groups & OPT_OUTPUT) && !(cmd->groups & OPT_DIFF))
		cr_vec_push(out, cr_strdup("cresset"));
}

void
cr_option_words_of(const struct cr_cmd *cmd, const struct cr_cmd_choice *c, cr_option_words *out)
{
	const char *arg = c->spec->arg;

	if (!arg)
		return;
	if (c->spec->word)
		cr_option_words_by(c->spec->word, out);
	else if (c->option && c->option->words)
		add_list(c->option->words, ",", out);
	else if (strcmp(arg, "FORMAT") == 0 && (c->option->groups & OPT_OUTPUT))
		cr_option_words_writers(cmd, out);
	else if (strcmp(arg, "FORMAT") == 0)
		cr_option_words_readers(out);
	else if (strchr(arg, '|') && (arg[0] < 'A' || arg[0] > 'Z'))
		add_list(arg, "|", out);
}

void
cr_option_words_meant(const cr_option_words *words, const char *given, struct cr_text *message)
{
	const char *meant =
		words->n ? cr_closest(given, (const char *const *)words->p, words->n) : NULL;

	if (meant)
		cr_text_printf(message, "; did you mean %s?", meant);
}

void
cr_option_words_fini(cr_option_words *words)
{
	for (size_t i = 0; i < words->n; i++)
		free(words->p[i]);
	cr_vec_fini(words);
}
