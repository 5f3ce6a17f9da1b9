#include "options_p.h"

#include "read/reader.h"
#include "write/writer.h"

#include <stdio.h>
#include <string.h>

int cr_cmd_help(const struct cr_options *o);

static int
help_all(void)
{
	printf("cresset: browse profiles in the terminal\n\n"
	       "usage: cresset                    browse the stored profiles\n"
	       "       cresset NAME|FILE          browse a stored profile or a recording\n"
	       "       cresset COMMAND ...        see cresset help COMMAND\n\n");
	for (size_t i = 0; cr_cmd_at(i); i++)
		printf("  %-9s %-15s %s\n", cr_cmd_at(i)->name, cr_cmd_at(i)->args,
			cr_cmd_at(i)->about);
	printf("\nreads:");
	for (size_t i = 0; cr_reader_at(i); i++)
		printf("%s%s%s", i ? "," : "", i && i % 12 == 0 ? "\n      " : " ",
			cr_reader_at(i)->name);
	printf("\nwrites:");
	for (size_t i = 0; cr_writer_at(i); i++)
		printf("%s%s%s", i ? "," : "", i && i % 12 == 0 ? "\n       " : " ",
			cr_writer_at(i)->name);
	printf(" (see cresset help formats)\n\nexit codes: 0 success, 1 nothing found (diff: a "
	       "difference), 2 wrong usage, 3 "
	       "input or output\nerror, 4 input read only in part (with --strict)\n");
	return EXIT_DONE;
}

static int
help_formats(void)
{
	printf("input formats, detected from the content or set with --input-format:\n\n");
	for (size_t i = 0; cr_reader_at(i); i++)
		printf("  %-12s %s\n", cr_reader_at(i)->name, cr_reader_at(i)->about);
	printf("\noutput formats, selected by the extension of -o or by -f:\n\n");
	for (size_t i = 0; cr_writer_at(i); i++)
		printf("  %-12s %s\n", cr_writer_at(i)->name, cr_writer_at(i)->about);
	return EXIT_DONE;
}

int
cr_cmd_help(const struct cr_options *o)
{
	const struct cr_cmd *cmd;

	if (o->n_args == 0)
		return help_all();
	if (strcmp(o->args[0], "formats") == 0)
		return help_formats();
	cmd = cr_cmd_find(o->args[0]);
	if (!cmd) {
		cr_cmd_complain(o->args[0]);
		return EXIT_USAGE;
	}
	printf("cresset %s %s\n%s\n\n", cmd->name, cmd->args, cmd->about);
	cr_options_help(cmd, stdout);
	return EXIT_DONE;
}
