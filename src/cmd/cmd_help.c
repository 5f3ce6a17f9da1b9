#include "help_pager_p.h"
#include "options_p.h"

#include "base/text.h"
#include "read/reader.h"
#include "write/writer.h"

#include <stdio.h>
#include <string.h>

int cr_cmd_help(const struct cr_options *o);

#define COMMAND_COLUMN 22 /* where the texts of commands begin */
#define FORMAT_COLUMN 16
#define EXAMPLE_COLUMN 38

static const struct {
	const char *command, *words, *about;
} examples[] = {
#define EXAMPLE(command, words, about) {command, words, about},
#include "examples.def"
#undef EXAMPLE
};

/* How the overview groups the commands. Those in no group are listed last. */
static const struct {
	const char *title;
	const char *commands[20];
} groups[] = {
	{"Record and read", {"record", "ingest", "import", "merge"}},
	{"Look at a profile", {"view", "brief", "report", "callers", "callees", "annotate",
				      "threads", "waits", "syscalls", "intervals", "samples",
				      "series", "heat", "latency", "c2c", "info", "doctor"}},
	{"Compare", {"diff", "compare"}},
	{"Write other formats",
		{"export", "collapse", "collapse-recursive", "flamegraph", "diff-folded"}},
	{"Stored profiles", {"ls", "rm", "mv", "tag", "note", "verify", "cache"}},
};

static void
put_entry(const char *name, const char *about, uint32_t column, FILE *out)
{
	struct cr_text left = {0};

	cr_text_printf(&left, "  %s", name);
	cr_help_entry(left.p, about, column, out);
	cr_text_fini(&left);
}

static void
put_examples(const char *command, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < CR_LEN(examples); i++) {
		struct cr_text left = {0};

		if (strcmp(examples[i].command, command) != 0)
			continue;
		if (!any)
			fputs("\nExamples:\n", out);
		any = true;
		cr_text_printf(&left, "  cresset %s", examples[i].words);
		cr_help_entry(left.p, examples[i].about, EXAMPLE_COLUMN, out);
		cr_text_fini(&left);
	}
}

static bool
is_in_group(const char *command, size_t group)
{
	for (size_t i = 0; i < CR_LEN(groups[group].commands) && groups[group].commands[i]; i++)
		if (strcmp(groups[group].commands[i], command) == 0)
			return true;
	return false;
}

static void
put_command(const char *command, FILE *out)
{
	const struct cr_cmd *cmd = cr_cmd_find(command);

	if (cmd)
		put_entry(cmd->name, cmd->about, COMMAND_COLUMN, out);
}

static void
put_commands(FILE *out)
{
	for (size_t g = 0; g < CR_LEN(groups); g++) {
		fprintf(out, "\n%s:\n", groups[g].title);
		for (size_t i = 0; i < CR_LEN(groups[g].commands) && groups[g].commands[i]; i++)
			put_command(groups[g].commands[i], out);
	}
	fputs("\nThis program:\n", out);
	for (size_t i = 0; cr_cmd_at(i); i++) {
		bool grouped = false;

		for (size_t g = 0; g < CR_LEN(groups); g++)
			grouped |= is_in_group(cr_cmd_at(i)->name, g);
		if (!grouped)
			put_command(cr_cmd_at(i)->name, out);
	}
}

/* Print "Title:" and a list of words, in lines that are indented. */
static void
put_names(const char *title, const struct cr_text *names, FILE *out)
{
	struct cr_text line = {0};

	cr_text_puts(&line, "  ");
	cr_text_wrap(&line, cr_text_view(names), 2, CR_HELP_CELLS);
	fprintf(out, "\n%s:\n%s", title, line.p);
	cr_text_fini(&line);
}

static void
put_formats(FILE *out)
{
	struct cr_text names = {0};

	for (size_t i = 0; cr_reader_at(i); i++)
		cr_text_printf(&names, "%s%s", i ? " " : "", cr_reader_at(i)->name);
	put_names("Reads", &names, out);
	cr_text_clear(&names);
	for (size_t i = 0; cr_writer_at(i); i++)
		cr_text_printf(&names, "%s%s", i ? " " : "", cr_writer_at(i)->name);
	put_names("Writes", &names, out);
	cr_text_fini(&names);
}

static void
put_exit_codes(FILE *out)
{
	fputs("\nExit codes:\n"
	      "  0  success\n"
	      "  1  nothing found; diff and compare: a difference\n"
	      "  2  wrong usage\n"
	      "  3  an input could not be read, or an output not be written\n"
	      "  4  an input could be read only in part (only with --strict)\n",
		out);
}

static void
help_all(bool is_long, FILE *out)
{
	fputs("cresset: browse profiles in the terminal\n\n"
	      "Usage: cresset                  browse the stored profiles\n"
	      "       cresset NAME|FILE        browse a stored profile or a recording\n"
	      "       cresset COMMAND ...      see below\n",
		out);
	if (is_long)
		fputs("\nExamples:\n"
		      "  cresset record -- ./program          record a program and browse it\n"
		      "  cresset perf.data                    browse a recording; ? is the help\n"
		      "  cresset report perf.data             print a table, as perf report does\n"
		      "  cresset ingest -n before perf.data   store it as \"before\"\n"
		      "  cresset diff before perf.data        compare two profiles\n"
		      "  cresset export before -o before.svg  draw a flame graph\n",
			out);
	put_commands(out);
	if (is_long) {
		put_formats(out);
		put_exit_codes(out);
		fputs("\nEnvironment:\n"
		      "  CRESSET_STORE         directory of the stored profiles\n"
		      "  CRESSET_PAGER, PAGER  program that shows long help on a terminal\n"
		      "  CRESSETSECURE=1       the browser writes no files and starts no "
		      "programs\n",
			out);
	}
	fprintf(out, "\nHelp of a command: cresset COMMAND -h (short) or --help (long)%s\n",
		is_long ? "" : "; more: --help");
}

static void
help_formats(FILE *out)
{
	fputs("Input formats, detected from the content or set with --input-format:\n\n", out);
	for (size_t i = 0; cr_reader_at(i); i++)
		put_entry(cr_reader_at(i)->name, cr_reader_at(i)->about, FORMAT_COLUMN, out);
	fputs("\nOutput formats, selected by the extension of -o or by -f:\n\n", out);
	for (size_t i = 0; cr_writer_at(i); i++)
		put_entry(cr_writer_at(i)->name, cr_writer_at(i)->about, FORMAT_COLUMN, out);
}

static void
help_command(const struct cr_cmd *cmd, bool is_long, FILE *out)
{
	struct cr_text about = {0};

	cr_text_wrap(&about, cr_str_of(cmd->about), 0, CR_HELP_CELLS);
	fprintf(out, "%s\nUsage: cresset %s [OPTION]...%s%s\n", about.p, cmd->name,
		*cmd->args ? " " : "", cmd->args);
	cr_text_fini(&about);
	put_examples(cmd->name, out);
	cr_options_help(cmd, is_long, out);
	if (is_long)
		put_exit_codes(out);
	else
		fprintf(out, "\nMore: cresset %s --help\n", cmd->name);
}

int
cr_help_print(const char *topic, bool is_long)
{
	const bool formats = topic && strcmp(topic, "formats") == 0;
	const struct cr_cmd *cmd = topic && !formats ? cr_cmd_find(topic) : NULL;
	struct cr_pager pager = {.out = stdout};

	if (topic && !formats && !cmd) {
		cr_cmd_complain(topic);
		return EXIT_USAGE;
	}
	if (is_long)
		cr_pager_start(&pager);
	if (formats)
		help_formats(pager.out);
	else if (cmd)
		help_command(cmd, is_long, pager.out);
	else
		help_all(is_long, pager.out);
	cr_pager_stop(&pager);
	return EXIT_DONE;
}

int
cr_cmd_help(const struct cr_options *o)
{
	return cr_help_print(o->n_args ? o->args[0] : NULL, true);
}
