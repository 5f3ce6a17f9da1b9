#include "option_words_p.h"
#include "options_p.h"

#include <stdio.h>
#include <string.h>

/* Parts of the help: the subcommand's own options come first. */
enum help_part {
	HELP_OWN,
	HELP_WRITER,
	HELP_SELECTS,
	HELP_FOLDS,
	HELP_READS,
	HELP_COMMON,
	HELP_PARTS
};

static enum help_part
help_part_of(const struct cr_cmd_choice *c)
{
	if (!c->option)
		return HELP_WRITER;
	if (c->option->word != CR_WORDS)
		return cr_word_info(c->option->word)->kind == CR_WORD_SELECTS ? HELP_SELECTS
									      : HELP_FOLDS;
	if (c->option->groups & OPT_ANY)
		return HELP_COMMON;
	return c->option->groups & (OPT_LOAD | OPT_FROM) ? HELP_READS : HELP_OWN;
}

/* "svg, folded or script" */
static void
put_formats(const struct cr_cmd *cmd, struct cr_text *t)
{
	cr_option_words names = {0};

	cr_option_words_writers(cmd, &names);
	for (size_t i = 0; i < names.n; i++)
		cr_text_printf(t, "%s%s",
			i == 0            ? ""
			: i + 1 < names.n ? ", "
					  : " or ",
			names.p[i]);
	cr_option_words_fini(&names);
}

/* Append the help line, with the list of formats for its %s, and the default. */
static void
put_about(const struct cr_cmd *cmd, const struct cr_option_spec *s, struct cr_text *t)
{
	const char *list = strstr(s->help, "%s");

	if (list) {
		cr_text_put(t, s->help, (size_t)(list - s->help));
		put_formats(cmd, t);
		cr_text_puts(t, list + 2);
	} else {
		cr_text_puts(t, s->help);
	}
	if (s->initial)
		cr_text_printf(t, " (default %s)", s->initial);
}

#define OPTION_COLUMN 28 /* where the texts of options begin */

void
cr_help_entry(const char *left, const char *about, uint32_t column, FILE *out)
{
	struct cr_text t = {0};

	cr_text_puts(&t, left);
	if (t.len + 2 > column) {
		cr_text_char(&t, '\n');
		cr_text_pad(&t, ' ', column);
	} else {
		cr_text_pad(&t, ' ', column - t.len);
	}
	cr_text_wrap(&t, cr_str_of(about), column, CR_HELP_CELLS);
	fputs(t.p, out);
	cr_text_fini(&t);
}

static void
help_option(const struct cr_cmd *cmd, const struct cr_cmd_choice *c, FILE *out)
{
	const char letter = c->option ? c->option->letter : 0;
	const struct cr_option_spec *s = c->spec;
	struct cr_text left = {0}, about = {0};

	cr_text_printf(&left, "  %c%c%s--%s%s%s", letter ? '-' : ' ', letter ? letter : ' ',
		letter ? ", " : "  ", s->name, s->arg ? " " : "", s->arg ? s->arg : "");
	put_about(cmd, s, &about);
	cr_help_entry(left.p, about.p, OPTION_COLUMN, out);
	cr_text_fini(&left);
	cr_text_fini(&about);
}

static void
put_head(const struct cr_cmd *cmd, enum help_part part, const char *writer, FILE *out)
{
	static const char *const heads[HELP_PARTS] = {
		[HELP_OWN] = "Options",
		[HELP_SELECTS] = "Which samples",
		[HELP_FOLDS] = "How stacks are folded and changed",
		[HELP_READS] = "Reading inputs",
		[HELP_COMMON] = "Options of every command",
	};

	if (part != HELP_WRITER)
		fprintf(out, "\n%s:\n", heads[part]);
	else if (cmd->groups & (OPT_OUTPUT | OPT_RECORD))
		fprintf(out, "\nWith %s%s:\n",
			cmd->groups & OPT_OUTPUT ? "-f " : "-o and the format ", writer);
}

static bool
is_in_part(const struct cr_cmd_choice *c, enum help_part part)
{
	return !cr_cmd_choice_is_hidden(c) && help_part_of(c) == part;
}

/* The options of a part with their texts; those of a writer below its name. */
static void
help_part(const struct cr_cmd *cmd, const cr_cmd_choices *choices, enum help_part part, FILE *out)
{
	const char *writer = NULL;
	bool any = false;

	for (size_t i = 0; i < choices->n; i++) {
		const struct cr_cmd_choice *c = &choices->p[i];

		if (!is_in_part(c, part))
			continue;
		if (!any || c->writer != writer)
			put_head(cmd, part, c->writer, out);
		writer = c->writer;
		any = true;
		help_option(cmd, c, out);
	}
}

/* Only the names of the options of a part; those of the writers in one list. */
static void
name_part(const struct cr_cmd *cmd, const cr_cmd_choices *choices, enum help_part part, FILE *out)
{
	struct cr_text names = {0}, line = {0};

	for (size_t i = 0; i < choices->n; i++)
		if (is_in_part(&choices->p[i], part))
			cr_text_printf(
				&names, "%s--%s", names.len ? " " : "", choices->p[i].spec->name);
	if (names.len) {
		if (part == HELP_WRITER)
			fputs("\nFor the output format:\n", out);
		else
			put_head(cmd, part, NULL, out);
		cr_text_puts(&line, "  ");
		cr_text_wrap(&line, cr_text_view(&names), 2, CR_HELP_CELLS);
		fputs(line.p, out);
	}
	cr_text_fini(&names);
	cr_text_fini(&line);
}

void
cr_options_help(const struct cr_cmd *cmd, bool is_long, FILE *out)
{
	cr_cmd_choices choices = {0};

	cr_cmd_choices_of(cmd, &choices);
	for (int part = 0; part < HELP_PARTS; part++)
		if (is_long || part == HELP_OWN)
			help_part(cmd, &choices, (enum help_part)part, out);
		else
			name_part(cmd, &choices, (enum help_part)part, out);
	cr_vec_fini(&choices);
}
