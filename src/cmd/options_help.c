#include "options_p.h"

#include "option_table_p.h"

#include "write/writer.h"

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
	const char *names[32];
	size_t n = 0;

	for (size_t i = 0; cr_writer_at(i) && n + 1 < CR_LEN(names); i++)
		if (cr_cmd_writes(cmd, cr_writer_at(i)))
			names[n++] = cr_writer_at(i)->name;
	if (!(cmd->groups & OPT_DIFF))
		names[n++] = "cresset";
	for (size_t i = 0; i < n; i++)
		cr_text_printf(t, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", names[i]);
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

static void
help_option(const struct cr_cmd *cmd, const struct cr_cmd_choice *c, FILE *out)
{
	const char letter = c->option ? c->option->letter : 0;
	const struct cr_option_spec *s = c->spec;
	struct cr_text left = {0}, about = {0};

	cr_text_printf(&left, "%c%c%s--%s%s%s", letter ? '-' : ' ', letter ? letter : ' ',
		letter ? ", " : "  ", s->name, s->arg ? " " : "", s->arg ? s->arg : "");
	put_about(cmd, s, &about);
	fprintf(out, "  %-26s %s\n", left.p, about.p);
	cr_text_fini(&left);
	cr_text_fini(&about);
}

static void
help_part(const struct cr_cmd *cmd, const cr_cmd_choices *choices, enum help_part part,
	const char *head, bool *any, FILE *out)
{
	const char *writer = NULL;

	for (size_t i = 0; i < choices->n; i++) {
		const struct cr_cmd_choice *c = &choices->p[i];

		if (cr_cmd_choice_is_hidden(c) || help_part_of(c) != part)
			continue;
		if (part == HELP_WRITER && (cmd->groups & (OPT_OUTPUT | OPT_RECORD)) &&
			c->writer != writer)
			fprintf(out, "\nwith %s%s:\n",
				cmd->groups & OPT_OUTPUT ? "-f " : "-o and the format ", c->writer);
		writer = c->writer;
		if (head)
			fprintf(out, "%s%s\n", *any ? "\n" : "", head);
		head = NULL;
		*any = true;
		help_option(cmd, c, out);
	}
}

void
cr_options_help(const struct cr_cmd *cmd, FILE *out)
{
	const char *const heads[HELP_PARTS] = {
		[HELP_SELECTS] = "which samples:",
		[HELP_FOLDS] = "how stacks are folded and changed:",
		[HELP_READS] = "reading inputs:",
		[HELP_COMMON] = cmd->groups & OPT_LOAD ? NULL : "everywhere:",
	};
	cr_cmd_choices choices = {0};
	bool any = false;

	cr_cmd_choices_of(cmd, &choices);
	for (int part = 0; part < HELP_PARTS; part++)
		help_part(cmd, &choices, (enum help_part)part, heads[part], &any, out);
	cr_vec_fini(&choices);
}
